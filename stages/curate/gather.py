"""
Read one room and decide: which of its messages become items, which are rejects, who spoke.

A room is read slice by slice and only a few numbers of each message stay in memory; the lines
of what is selected are read again later, by their place in the file.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.rawread import BadLine, read_slices
from stages.curate.columns import bools, one_array
from stages.curate.judge import COLUMNS, Judge, Room
from stages.curate.perceived import RoomRows, mark_perceived

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Rows:
    """Messages of one room, each id once, in the order in which Discord lists them."""

    message_id: "Array"
    sent_ms: "Array"
    author: "Array"  # number in `Authors`
    is_self: "Array"
    addressed: "Array"
    reason: "Array"
    offset: "Array"  # of the last line of the id, which is the one that counts
    length: "Array"
    first_offset: "Array"  # of its first line: where raw first held it
    answered: "Array"  # place of the message it answers in this room, where only raw knows; else -1
    tokens: "Array"
    resets: "tuple[Array | None, ...]" = ()

    def __len__(self) -> int:
        return len(self.message_id)

    def at(self, which: "Array") -> "Rows":
        """Give some of the rows; `answered` still counts in the whole room."""
        columns = {f.name: getattr(self, f.name)[which] for f in fields(self) if f.name != "resets"}
        return Rows(**columns)


@dataclass(slots=True)
class Authors:
    """Everybody who spoke, numbered as they come: one entry an author id and name."""

    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    is_bot: dict[int, bool] = field(default_factory=dict)
    is_self: dict[int, bool] = field(default_factory=dict)

    def number(self, rows: "pa.Table", is_self: "Array") -> "Array":
        """Give the number of each row's author."""
        import numpy as np
        from pyarrow import compute

        keys = compute.binary_join_element_wise(
            one_array(rows["author_id"]).fill_null(""),
            one_array(rows["author_name"]).fill_null(""),
            "\x1f",
        ).dictionary_encode()
        places = keys.indices.to_numpy()
        is_bot = bools(rows["is_bot"]) | bools(one_array(rows["webhook_id"]).is_valid())
        last = np.zeros(len(keys.dictionary), np.int64)
        last[places] = np.arange(len(places))  # of equal places the last assignment stays
        known = np.zeros(len(keys.dictionary), np.int32)
        for place, key in enumerate(keys.dictionary.to_pylist()):
            author_id, _, name = key.partition("\x1f")
            number = self.numbers.setdefault((author_id, name), len(self.numbers))
            known[place] = number
            self.is_bot[number] = bool(is_bot[last[place]])
            self.is_self[number] = bool(is_self[last[place]])
        found: Array = known[places]
        return found


@dataclass(frozen=True, slots=True)
class Gathered:
    """What came of one room."""

    room: Room
    rows: Rows
    hit: "Array"
    perceived: "Array"  # by its windows; left-out messages included
    raw_bytes: int
    bad: tuple[BadLine, ...] = ()
    mended: int = 0

    @property
    def selected(self) -> "Array":
        """The rows that become part of an item."""
        import numpy as np

        return np.flatnonzero(self.perceived & (self.rows.reason == 0))

    @property
    def rejected(self) -> "Array":
        """The rows that the agent perceived, or that were meant for it, and that are left out."""
        import numpy as np

        meant = self.rows.is_self | self.rows.addressed
        return np.flatnonzero((self.perceived | meant) & (self.rows.reason != 0))


def gather_room(
    path: Path,
    room: Room,
    judge: Judge,
    authors: Authors,
    *,
    folded_ids: "Array | None" = None,
) -> Gathered:
    """
    Read a room's file and mark what the agent perceived.

    `folded_ids` are messages on which a memory stands: they stay selected whatever became of
    them since (design rule 7).
    """
    import numpy as np

    bad: list[BadLine] = []
    mended = 0
    parts = []
    raw_bytes = path.stat().st_size
    for part in read_slices(path, COLUMNS):
        bad += part.bad
        mended += part.mended
        if part.rows.num_rows:
            judged = judge.judge(part.rows, room)
            parts.append((judged, authors.number(part.rows, judged.is_self), part.rows))
            parts[-1] = (*parts[-1][:2], part.rows.select(["offset", "length"]))
    rows = _listed(parts, len(judge.knobs.perceived))
    hit = (rows.is_self | rows.addressed) & (rows.reason == 0)
    if room.is_dm:
        perceived = np.ones(len(rows), bool)
    else:
        perceived = mark_perceived(
            RoomRows(room.channel_id, hit, rows.sent_ms, rows.tokens, rows.resets),
            judge.knobs.perceived,
        )
    if folded_ids is not None and len(folded_ids):
        stays = np.isin(rows.message_id, folded_ids)
        perceived |= stays
        rows.reason[stays] = 0
    return Gathered(room, rows, hit, perceived, raw_bytes, tuple(bad), mended)


def _listed(parts: "Sequence[tuple[Any, Array, pa.Table]]", entries: int) -> Rows:
    """Lay slices end to end, each id once (its last line counts), in order of id."""
    import numpy as np

    def whole(pieces: "Iterator[Array]", kind: Any) -> "Array":
        found = list(pieces)
        return np.concatenate(found) if found else np.zeros(0, kind)

    ids = whole((j.message_id for j, _, _ in parts), np.int64)
    offset = whole((t["offset"].to_numpy() for _, _, t in parts), np.int64)
    order = np.argsort(ids, kind="stable")
    ids = ids[order]
    is_last = np.append(ids[1:] != ids[:-1], True) if len(ids) else np.zeros(0, bool)
    last = np.flatnonzero(is_last)
    first = np.concatenate(([0], last[:-1] + 1)) if len(last) else last
    keep = order[last]
    ids = ids[last]
    is_self = whole((j.is_self for j, _, _ in parts), bool)[keep]
    reply_to = whole((j.reply_to for j, _, _ in parts), np.int64)[keep]
    answered = _places(reply_to, ids)
    addressed = whole((j.addressed for j, _, _ in parts), bool)[keep]
    found = answered >= 0
    addressed[found] |= is_self[answered[found]]
    return Rows(
        message_id=ids,
        sent_ms=whole((j.sent_ms for j, _, _ in parts), np.int64)[keep],
        author=whole((a for _, a, _ in parts), np.int32)[keep],
        is_self=is_self,
        addressed=addressed & ~is_self,
        reason=whole((j.reason for j, _, _ in parts), np.int16)[keep],
        offset=offset[keep],
        length=whole((t["length"].to_numpy() for _, _, t in parts), np.int64)[keep],
        first_offset=offset[order[first]],
        answered=answered,
        tokens=whole((j.tokens for j, _, _ in parts), np.int32)[keep],
        resets=tuple(
            None
            if any(j.resets[n] is None for j, _, _ in parts)
            else whole((j.resets[n] for j, _, _ in parts), bool)[keep]
            for n in range(entries)
        ),
    )


def _places(reply_to: "Array", ids: "Array") -> "Array":
    """Give where the answered messages stand in the room; -1 where raw does not hold them."""
    import numpy as np

    answered = np.full(len(ids), -1, np.int64)
    asking = np.flatnonzero(reply_to)
    if len(asking):
        place = np.minimum(np.searchsorted(ids, reply_to[asking]), len(ids) - 1)
        found = ids[place] == reply_to[asking]
        answered[asking[found]] = place[found]
    return answered
