"""Read the selected lines again, in full, some thousand items at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import ArtifactError
from pipeline.rawblocks import lines_at
from pipeline.rawmend import is_too_deep
from stages.curate.arrange import Arranged
from stages.curate.entry import Bundle
from stages.curate.spoken import spoken_part
from stages.curate.surroundings import Place

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

BLOCK_ITEMS = 4096  # of a thousand bytes each: a few MB at a time


@dataclass(frozen=True, slots=True)
class Source:
    """Where a room's messages lie, and which room it is."""

    path: Path
    place: Place


def bundles(
    arranged: Arranged, sources: Sequence[Source], *, block_items: int = BLOCK_ITEMS
) -> Iterator[list[Bundle]]:
    """Give the messages of each item in store order, in blocks."""
    for start in range(0, len(arranged.first), block_items):
        yield _block(arranged, sources, start, min(start + block_items, len(arranged.first)))


def _block(arranged: Arranged, sources: Sequence[Source], start: int, stop: int) -> list[Bundle]:
    import numpy as np

    first, count = arranged.first[start:stop], arranged.count[start:stop]
    ends = np.cumsum(count)
    entries = np.repeat(first - (ends - count), count) + np.arange(ends[-1] if len(ends) else 0)
    rows = arranged.rows.at(entries)
    # what is nested too deep was never selected
    messages = [spoken_part(line) for line in _lines(rows.room, rows.offset, rows.length, sources)]
    answering = np.flatnonzero(rows.answered_offset >= 0)
    originals = _lines(
        rows.room[answering],
        rows.answered_offset[answering],
        rows.answered_length[answering],
        sources,
    )
    for place, line in zip(answering.tolist(), originals, strict=True):
        # live, the original came along: raw still holds what Discord no longer sends
        if not is_too_deep(line):
            messages[place]["referenced_message"] = spoken_part(line)
    _check_ids(messages, rows.message_id.tolist())
    for message, number in zip(messages, rows.room.tolist(), strict=True):
        message["channel_id"] = sources[number].place.channel_id  # exports may lack it
    own, meant, times = rows.is_self.tolist(), rows.addressed.tolist(), rows.sent_ms.tolist()
    folded, rooms = rows.is_folded.tolist(), rows.room.tolist()
    return [
        Bundle(
            messages[end - size : end],
            sources[rooms[end - 1]].place,
            times[end - size],
            own[end - 1],
            meant[end - 1],
            folded[end - 1],
        )
        for end, size in zip(ends.tolist(), count.tolist(), strict=True)
    ]


def _lines(
    room: "Array", offset: "Array", length: "Array", sources: Sequence[Source]
) -> list[memoryview]:
    """Read the lines at these places; each file is opened once and read forwards."""
    import numpy as np

    found = [memoryview(b"")] * len(room)
    forwards = np.argsort(offset, kind="stable")
    for number in np.unique(room).tolist():
        own = forwards[room[forwards] == number]
        with sources[number].path.open("rb", buffering=0) as file:
            lines = lines_at(file.fileno(), offset[own], length[own])
        for place, line in zip(own.tolist(), lines, strict=True):
            found[place] = line
    return found


def _check_ids(messages: Sequence[dict[str, Any]], ids: Sequence[int]) -> None:
    """Raise ArtifactError where a line is not the one that was judged."""
    for message, want in zip(messages, ids, strict=True):
        if int(message.get("id") or 0) != want:
            raise ArtifactError(
                f"raw changed while it was read: message {want} is no longer where it was; "
                f"run curate again"
            )
