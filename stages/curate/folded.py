"""
What of the transcript must not move, because memories stand on it (design rule 7).

Curate is given these facts and honours them; it never looks into the pyramid itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.errors import StageError

LATE = "perceived after its stretch was folded"


@dataclass(frozen=True, slots=True)
class Folded:
    """
    The transcript up to the end of the last closed chunk, as it was when that was folded.

    `item_ids` are all items from position 0 on, in store order; `message_ids` gives the Discord
    ids of the items that hold another number of messages than one (turns of several posts);
    `raw_bytes_by_channel` is how far each room's raw file went; `chunks` are (chunk id, its last
    item id) in order; `settings` is `settings_digest` of that time, null where it is not known.
    """

    last_item_id: str
    last_sent_at: datetime
    item_ids: tuple[str, ...]
    raw_bytes_by_channel: Mapping[str, int]
    message_ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    chunks: tuple[tuple[str, str], ...] = ()
    settings: str | None = None

    def discord_ids(self) -> list[int]:
        """List every Discord message in these items."""
        found: list[int] = []
        for item_id in self.item_ids:
            if "/" not in item_id:  # notices hold none
                found += map(int, self.message_ids.get(item_id, (item_id,)))
        return found

    def held(self, channel_id: str) -> int:
        """Give how many bytes of a room's file raw held then."""
        return self.raw_bytes_by_channel.get(channel_id, 0)


def check_still_there(folded: Folded, item_ids: Sequence[str]) -> None:
    """Raise StageError unless the transcript still begins with the folded items, in order."""
    for place, want in enumerate(folded.item_ids):
        got = item_ids[place] if place < len(item_ids) else None
        if got != want:
            found = f"item {got}" if got else "the end"
            raise moved(folded, place, f"where item {want} stood there is now {found}")


def moved(folded: Folded, place: int, what: str) -> StageError:
    """Say which chunk is concerned when something before the last closed one would move."""
    return StageError(
        f"{what}, in {chunk_at(folded, place)}, on which memories stand; undo the change, "
        f"or fold again from there: backfold run warmup --refold"
    )


def chunk_at(folded: Folded, place: int) -> str:
    """Name the chunk that holds the item at a place, or that comes next."""
    places = {item_id: n for n, item_id in enumerate(folded.item_ids)}
    for chunk_id, last_item_id in folded.chunks:
        if places.get(last_item_id, -1) >= place:
            return f"chunk {chunk_id}"
    return f"the folded stretch that ends with item {folded.last_item_id}"
