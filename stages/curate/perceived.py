"""
What the agent perceived: each hit and what stands before it in its room.

A *hit* is a message by the agent or meant for it. Everything here is about one room, in the
order in which Discord lists it; left-out messages use up a place and are never a hit. The
windows of all hits are laid over each other with a difference array, which costs one pass
whatever the windows are (spec performance, part 2).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipeline.config import moment
from stages.curate.knobs import Perceived

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

MESSAGES_BEFORE = 23
DEFAULT = Perceived(messages=MESSAGES_BEFORE)


@dataclass(frozen=True, slots=True)
class RoomRows:
    """
    One room's messages as Discord lists them, one entry a message.

    `sent_ms` are UTC milliseconds, `tokens` estimates; `resets` holds, for each entry of the
    `perceived` table, where its reset patterns match (null: it has none).
    """

    channel_id: str
    hit: "Array"
    sent_ms: "Array"
    tokens: "Array"
    resets: "Sequence[Array | None]" = ()


def mark_perceived(rows: RoomRows, table: Sequence[Perceived]) -> "Array":
    """Say of each message of a room whether the agent perceived it, by the `perceived` table."""
    import numpy as np

    entries = [*table, DEFAULT]
    resets = [*rows.resets, *[None] * (len(entries) - len(rows.resets))]
    chosen = _choose(rows, entries)
    hits = np.flatnonzero(rows.hit)
    first = np.zeros(len(hits), np.int64)
    whole = np.zeros(len(rows.hit), bool)
    for number, entry in enumerate(entries):
        mine = chosen == number
        if entry.all:
            whole |= mine
        at = mine[hits]
        if at.any():
            first[at] = first_of_window(hits[at], entry, rows.tokens, resets[number])
    return lay_windows(first, hits, len(rows.hit)) | whole


def _choose(rows: RoomRows, entries: Sequence[Perceived]) -> "Array":
    """Give for each message the number of the first entry that fits its room and time."""
    import numpy as np

    chosen = np.full(len(rows.hit), len(entries) - 1)
    for number, entry in reversed(list(enumerate(entries[:-1]))):
        if entry.rooms and rows.channel_id not in entry.rooms:
            continue
        fits = np.ones(len(rows.hit), bool)
        if since := moment(entry.since, "since"):
            fits &= rows.sent_ms >= milliseconds(since)
        if until := moment(entry.until, "until"):
            fits &= rows.sent_ms < milliseconds(until)
        chosen[fits] = number
    return chosen


def first_of_window(
    hits: "Array", entry: Perceived, tokens: "Array", reset: "Array | None"
) -> "Array":
    """
    Give for each hit the first message that it reveals.

    By messages: that many places up. By tokens: as far up as what stands before the hit holds
    no more than that. A reset hides itself and all above it from the hits behind it.
    """
    import numpy as np

    if entry.tokens is not None:
        sums = np.concatenate(([0], np.cumsum(tokens, dtype=np.int64)))
        first = np.searchsorted(sums, sums[hits] - entry.tokens, side="left")
        first = np.minimum(first, hits)
    else:
        before = 0 if entry.all else entry.messages
        first = hits - (MESSAGES_BEFORE if before is None else before)
    if reset is not None:
        places = np.flatnonzero(reset)
        last = np.concatenate(([-1], places))[np.searchsorted(places, hits, side="left")]
        first = np.maximum(first, last + 1)
    return np.maximum(first, 0)


def lay_windows(first: "Array", hits: "Array", rows: int) -> "Array":
    """Give the union of the windows `first[i] … hits[i]`, both ends inside, as a mask."""
    import numpy as np

    opened = np.bincount(first, minlength=rows + 1)
    closed = np.bincount(hits + 1, minlength=rows + 1)
    return np.cumsum(opened - closed)[:rows] > 0


def milliseconds(time: datetime) -> int:
    """Give a time as UTC milliseconds."""
    return round(time.timestamp() * 1000)
