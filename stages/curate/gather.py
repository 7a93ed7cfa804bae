"""
Read one room and decide: which of its messages become items, which are rejects, who spoke.

A room is indexed slice by slice. Lines that could be by the agent or meant for it are then read
and judged; of the others only those that the windows reveal. Everything else never becomes more
than a few numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.rawblocks import lines_at
from pipeline.rawindex import IndexSlice, index_slices
from pipeline.rawlines import BadLine
from stages.curate.authors import Authors
from stages.curate.columns import times_ms
from stages.curate.judge import Judge, Judged, Measured, Room
from stages.curate.odd import judge_lines
from stages.curate.perceived import RoomRows, mark_perceived

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

LINES_AT_ONCE = 8192
NOT_JUDGED = -1  # in `reason`: nobody had to look yet


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
        return np.flatnonzero((self.perceived | meant) & (self.rows.reason > 0))


def gather_room(
    path: Path,
    room: Room,
    judge: Judge,
    authors: Authors,
    *,
    folded_ids: "Array | None" = None,
) -> Gathered:
    """
    Index a room's file, mark what the agent perceived, and judge that.

    `folded_ids` are messages on which a memory stands: they stay selected whatever became of
    them since (design rule 7).
    """
    import numpy as np

    raw_bytes = path.stat().st_size
    parts: list[_Part] = []
    bad: list[BadLine] = []
    mended = 0
    for part in index_slices(path, judge.needles, with_content=judge.needs_words):
        bad += part.bad
        mended += part.mended
        parts.append(_part(part, judge, authors))
    rows, clues = _listed(parts, judge)
    _judge_speech(path, rows, clues, room, judge)
    authors.self_numbers.update(np.unique(rows.author[rows.is_self]).tolist())
    hit = (rows.is_self | rows.addressed) & ((rows.reason == 0) | judge.is_unreadable(rows.reason))
    if room.is_dm:
        perceived = np.ones(len(rows), bool)
    else:
        perceived = mark_perceived(
            RoomRows(room.channel_id, hit, rows.sent_ms, rows.tokens, rows.resets),
            judge.knobs.perceived,
        )
    stays = np.zeros(len(rows), bool)
    if folded_ids is not None and len(folded_ids):
        stays = np.isin(rows.message_id, folded_ids)
        perceived |= stays
    revealed = np.flatnonzero(perceived & (rows.reason < 0))
    for some, judged in _judge(path, rows, revealed, room, judge):
        rows.reason[some] = judged.reason
    rows.reason[stays & ~judge.is_unreadable(rows.reason)] = 0
    return Gathered(room, rows, hit, perceived, raw_bytes, tuple(bad), mended)


@dataclass(frozen=True, slots=True)
class _Part:
    """A slice of a room: what the index says."""

    message_id: "Array"
    sent_ms: "Array"
    author: "Array"
    matters: "Array"  # could be by the agent or meant for it
    offset: "Array"
    length: "Array"
    reply_to: "Array"
    measured: Measured | None


@dataclass(frozen=True, slots=True)
class _Clues:
    """What decides which rows are judged first, one entry a row."""

    matters: "Array"
    reply_to: "Array"  # the message answered, where only raw knows its author; else 0


def _part(part: IndexSlice, judge: Judge, authors: Authors) -> _Part:
    """Take over a slice of the index."""
    measured = judge.measure(part.content) if part.content is not None else None
    matters = part.holds | (part.reply_to != 0)
    return _Part(
        message_id=part.message_id,
        sent_ms=times_ms(part.sent_at, part.message_id),
        author=authors.number(part.author, part.is_webhook),
        matters=matters if measured is None else matters | measured.named,
        offset=part.offset,
        length=part.length,
        reply_to=part.reply_to,
        measured=measured,
    )


def _judge_speech(path: Path, rows: Rows, clues: _Clues, room: Room, judge: Judge) -> None:
    """Judge the rows that could be by the agent or meant for it, and who answers the agent."""
    import numpy as np

    matters = np.ones(len(rows), bool) if room.is_dm else clues.matters
    for some, judged in _judge(path, rows, np.flatnonzero(matters), room, judge):
        rows.is_self[some], rows.addressed[some] = judged.is_self, judged.addressed
        rows.reason[some] = judged.reason
    answered = _places(np.where(rows.is_self, 0, clues.reply_to), rows.message_id)
    rows.answered[:] = answered
    found = answered >= 0
    rows.addressed[found] |= rows.is_self[answered[found]]
    rows.addressed[rows.is_self] = False


def _judge(
    path: Path, rows: Rows, which: "Array", room: Room, judge: Judge
) -> "Iterator[tuple[Array, Judged]]":
    """Read some rows' lines and judge them, some thousand at once: many small reads cost more."""
    with path.open("rb", buffering=0) as file:
        for n in range(0, len(which), LINES_AT_ONCE):
            some = which[n : n + LINES_AT_ONCE]
            lines = lines_at(file.fileno(), rows.offset[some], rows.length[some])
            yield some, judge_lines(lines, room, judge)


def _listed(parts: "list[_Part]", judge: Judge) -> tuple[Rows, _Clues]:
    """Lay slices end to end, each id once (its last line counts), in order of id; none judged."""
    import numpy as np

    def whole(name: str, kind: Any) -> "Array":
        found = [getattr(part, name) for part in parts]
        return np.concatenate(found) if found else np.zeros(0, kind)

    ids, offset = whole("message_id", np.int64), whole("offset", np.int64)
    order = np.argsort(ids, kind="stable")
    ids = ids[order]
    last = np.flatnonzero(np.append(ids[1:] != ids[:-1], True)) if len(ids) else order
    first = np.concatenate(([0], last[:-1] + 1)) if len(last) else last
    keep = order[last]
    tokens, resets = _measures([part.measured for part in parts], keep, judge)
    rows = Rows(
        message_id=ids[last],
        sent_ms=whole("sent_ms", np.int64)[keep],
        author=whole("author", np.int32)[keep],
        is_self=np.zeros(len(keep), bool),
        addressed=np.zeros(len(keep), bool),
        reason=np.full(len(keep), NOT_JUDGED, np.int16),
        offset=offset[keep],
        length=whole("length", np.int64)[keep],
        first_offset=offset[order[first]],
        answered=np.full(len(keep), -1, np.int64),
        tokens=tokens,
        resets=resets,
    )
    return rows, _Clues(whole("matters", bool)[keep], whole("reply_to", np.int64)[keep])


def _measures(
    measured: "list[Measured | None]", keep: "Array", judge: Judge
) -> "tuple[Array, tuple[Array | None, ...]]":
    """Give tokens and resets of the rows kept; zeros and nulls where nobody asked for words."""
    import numpy as np

    known = [one for one in measured if one is not None]
    if not known:
        return np.zeros(len(keep), np.int32), ()
    resets: list[Array | None] = []
    for number in range(len(judge.knobs.perceived)):
        marks = [mark for one in known if (mark := one.resets[number]) is not None]
        resets.append(np.concatenate(marks)[keep] if marks else None)
    return np.concatenate([one.tokens for one in known])[keep], tuple(resets)


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
