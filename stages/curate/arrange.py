"""
Lay the selected messages of all rooms out once, in store order: time, then id.

The agent's own consecutive posts in one room become one turn; a turn has the time and the id of
its first post. What is folded keeps its place (design rule 7).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.errors import UsageError
from stages.curate.folded import LATE, Folded, moved
from stages.curate.gather import Gathered
from stages.curate.perceived import milliseconds

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


COPY = "the same message stands in another room"
HEAD = "before curate.head_from"


@dataclass(frozen=True, slots=True)
class Selection:
    """Selected messages, one entry each; sorted by room, then in store order."""

    room: "Array"  # number of the room
    message_id: "Array"
    sent_ms: "Array"
    author: "Array"
    is_self: "Array"
    addressed: "Array"
    offset: "Array"
    length: "Array"
    answered_offset: "Array"  # line of the message it answers, where only raw knows; else -1
    answered_length: "Array"
    is_folded: "Array"  # a memory stands on it
    is_old: "Array"  # raw held it when the last chunk was folded
    is_changed: "Array"  # folded, and edited since

    def at(self, which: "Array") -> "Selection":
        """Give some of the entries, in the order asked."""
        return Selection(*(getattr(self, name)[which] for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class Arranged:
    """
    Items in store order: item i holds `rows` of entries `first[i] … first[i] + count[i] - 1`.

    `dropped` are entries that are left out after all, with the reason.
    """

    rows: Selection
    first: "Array"
    count: "Array"
    dropped: "Mapping[str, Selection]"


def join_rooms(parts: Sequence[Selection]) -> Selection:
    """Lay the selections of all rooms end to end."""
    import numpy as np

    empty = np.zeros(0, np.int64)
    return Selection(
        *(
            np.concatenate([getattr(part, name) for part in parts]) if parts else empty
            for name in Selection.__slots__
        )
    )


def select_room(number: int, one: Gathered, folded: Folded | None = None) -> Selection:
    """Take the selected messages of a room that has this number."""
    import numpy as np

    folded_ids = np.array(folded.discord_ids() if folded else [], np.int64)
    chosen = one.selected
    rows = one.rows.at(chosen)
    answered = rows.answered
    known = answered >= 0
    held = folded.held(one.room.channel_id) if folded else 0
    is_folded = np.isin(rows.message_id, folded_ids)
    return Selection(
        room=np.full(len(chosen), number),
        message_id=rows.message_id,
        sent_ms=rows.sent_ms,
        author=rows.author,
        is_self=rows.is_self,
        addressed=rows.addressed,
        offset=rows.offset,
        length=rows.length,
        answered_offset=np.where(known, one.rows.offset[answered], -1),
        answered_length=np.where(known, one.rows.length[answered], 0),
        is_folded=is_folded,
        is_old=rows.first_offset < held,
        is_changed=is_folded & (rows.offset >= held),
    )


def arrange(
    rows: Selection,
    *,
    burst_seconds: float,
    threads: "Array | None" = None,
    head_from: str | None = None,
    folded: Folded | None = None,
) -> Arranged:
    """
    Lay rows out in store order, join the agent's bursts, and keep what is folded in place.

    `threads` says of each room whether it is one: a message that two rooms hold stands in the
    other. Exports copy a thread's starter into the thread, under its own id (dce-json §2e.4).
    """
    import numpy as np

    rows, copies = _each_once(rows, threads)
    rows = rows.at(np.lexsort((rows.message_id, rows.sent_ms)))
    dropped = {COPY: copies}
    if head_from is not None:
        start = _place_of(rows, int(head_from))
        dropped[HEAD] = rows.at(np.arange(start))
        rows = rows.at(np.arange(start, len(rows.room)))
    if folded is not None:
        rows, late = _without_late(rows, folded)
        dropped[LATE] = late
    rank = np.arange(len(rows.room))
    by_room = np.lexsort((rank, rows.room))
    rows, rank = rows.at(by_room), rank[by_room]
    starts = np.flatnonzero(~_joins(rows, burst_seconds))
    counts = np.diff(np.append(starts, len(rows.room)))
    order = np.argsort(rank[starts], kind="stable")
    return Arranged(rows, starts[order], counts[order], dropped)


def _each_once(rows: Selection, threads: "Array | None") -> tuple[Selection, Selection]:
    """Part the messages from their copies in other rooms."""
    import numpy as np

    in_thread = rows.room * 0 if threads is None else threads[rows.room]
    order = np.lexsort((rows.room, in_thread, rows.message_id))
    ids = rows.message_id[order]
    again = np.zeros(len(ids), bool)
    again[1:] = ids[1:] == ids[:-1]
    return rows.at(order[~again]), rows.at(order[again])


def _place_of(rows: Selection, message_id: int) -> int:
    import numpy as np

    found = np.flatnonzero(rows.message_id == message_id)
    if not len(found):
        raise UsageError(
            f"curate.head_from is {message_id}, which is no message of the transcript; "
            f"take the id of a message that the agent perceived"
        )
    return int(found[0])


def _joins(rows: Selection, burst_seconds: float) -> "Array":
    """Say which entries belong to the turn of the entry before them."""
    import numpy as np

    joins = np.zeros(len(rows.room), bool)
    if len(joins) > 1:
        joins[1:] = (
            (rows.room[1:] == rows.room[:-1])
            & rows.is_self[1:]
            & rows.is_self[:-1]
            & (np.diff(rows.sent_ms) <= burst_seconds * 1000)
            # a turn on which a memory stands does not grow
            & (rows.is_folded[1:] == rows.is_folded[:-1])
        )
    return joins


def _without_late(rows: Selection, folded: Folded) -> tuple[Selection, Selection]:
    """
    Take out what became perceived only after its stretch was folded.

    Raw decides: what raw held then is rejected; what it did not hold stops the run.
    """
    import numpy as np

    last = int(folded.last_item_id.partition("/")[0])
    last_ms = milliseconds(folded.last_sent_at)
    before = (rows.sent_ms < last_ms) | ((rows.sent_ms == last_ms) & (rows.message_id <= last))
    late = before & ~rows.is_folded
    new = np.flatnonzero(late & ~rows.is_old)
    if len(new):
        first = new[0]
        raise moved(
            folded,
            _item_place(folded, rows, int(first)),
            f"{len(new)} perceived messages (the first: {rows.message_id[first]}) came into raw "
            f"after their stretch was folded",
        )
    return rows.at(np.flatnonzero(~late)), rows.at(np.flatnonzero(late))


def _item_place(folded: Folded, rows: Selection, first: int) -> int:
    """Give the place of the folded item that the entry at `first` would stand before."""
    ahead = {int(i) for i in rows.message_id[:first][rows.is_folded[:first]].tolist()}
    own = [int(item_id.partition("/")[0]) for item_id in folded.item_ids]
    return max((place + 1 for place, number in enumerate(own) if number in ahead), default=0)
