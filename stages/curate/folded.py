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
        return [int(i) for item_id in self.item_ids for i in self.ids_of(item_id)]

    def ids_of(self, item_id: str) -> tuple[str, ...]:
        """Give the Discord ids of an item; a notice holds none."""
        return () if "/" in item_id else self.message_ids.get(item_id, (item_id,))

    def held(self, channel_id: str) -> int:
        """Give how many bytes of a room's file raw held then."""
        return self.raw_bytes_by_channel.get(channel_id, 0)


def check_still_there(folded: Folded, items: Sequence[tuple[str, Sequence[str]]]) -> None:
    """
    Raise StageError unless the transcript still begins with the folded items, in order.

    `items` are (item id, its Discord ids); a turn that lost or gained a post is another one.
    """
    for place, want in enumerate(folded.item_ids):
        if place >= len(items):
            raise moved(folded, place, f"item {want} is no longer there")
        got, message_ids = items[place]
        if got != want:
            raise moved(folded, place, f"where item {want} stood there is now item {got}")
        if tuple(message_ids) != folded.ids_of(want):
            raise moved(folded, place, f"item {want} no longer holds the messages that it held")


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
