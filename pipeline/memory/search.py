"""
Find what was said and what is remembered, without a model.

A message is found by its own words and those of its neighbours (BM25 over windows); whom the
question names is preferred as its author, a room named is preferred, and so is the time that it
names. Each hit comes with its neighbours and the memories above it; a memory leads down to its
best message. Messages and memories are fused by rank.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from pipeline.memory.search_dates import Span, read_span
from pipeline.memory.search_words import STOPWORDS, question_words, words

# Tuned on one history only; `make bench` reports the others beside it.
AUTHOR_BOOST = 2.0
ROOM_BOOST = 1.5
TIME_BOOST = 2.0
FUSION = 10  # the k of reciprocal rank fusion
DEPTH = 200  # candidates that boosts may move


@dataclass(frozen=True, slots=True)
class Message:
    """A message of the history, or a turn of the agent's own."""

    place: int
    item_id: str
    author: str
    room_id: str
    room: str
    sent_at: datetime
    message_ids: tuple[str, ...]
    body: str


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory as a hit shows it."""

    memory_id: str
    level: int
    headline: str
    text: str
    started_at: datetime
    ended_at: datetime
    first_place: int
    last_place: int


@dataclass(frozen=True, slots=True)
class Hit:
    """
    What was found: a message, or a memory with the best message under it.

    `above` are the memories over the message from L1 upwards, `near` its neighbours in the room
    in order (itself left out). `message` is None where a memory's messages are not in the index.
    """

    message: Message | None
    memory: Recalled | None
    above: tuple[Recalled, ...]
    near: tuple[Message, ...]


def ask(db: sqlite3.Connection, question: str, now: datetime, *, limit: int = 10) -> list[Hit]:
    """Give the best messages and memories for a question; `now` is in the reader's zone."""
    span = read_span(question, now)
    places = find_places(db, question, span, limit=max(limit, DEPTH))
    recalled = find_memories(db, question, limit=limit)
    ranked = [(1 / (FUSION + rank), None, place) for rank, place in enumerate(places[:limit])]
    fused: list[tuple[float, Recalled | None, int | None]] = [*ranked]
    for rank, memory in enumerate(recalled):
        under = (p for p in places if memory.first_place <= p <= memory.last_place)
        fallback = memory.first_place if memory.first_place >= 0 else None
        # Behind the message of the same rank: what was said comes before what was made of it.
        fused.append((1 / (FUSION + rank + 0.5), memory, next(under, fallback)))
    fused.sort(key=lambda entry: -entry[0])
    return [_hit(db, memory, place) for _, memory, place in fused[:limit]]


def find_places(
    db: sqlite3.Connection, question: str, span: Span | None = None, *, limit: int = 25
) -> list[int]:
    """Give the places of the best messages, best first; those of a bare date in order of time."""
    terms = _known(db, "windows", question_words(question))
    if not terms:
        return _in_span(db, span, limit) if span else []
    rows = db.execute(
        "select w.rowid, -w.rank, i.author, i.room_id, i.sent_ms from (select rowid, rank from "
        "windows where windows match ? order by rank limit ?) w join items i on i.place = w.rowid",
        (_either(terms), max(DEPTH, 2 * limit)),
    ).fetchall()
    authors, rooms = _people(db, question), _rooms(db, question)
    start, end = _milliseconds(span)

    def score(row: tuple[int, float, str, str, int]) -> float:
        _, weight, author, room_id, sent_ms = row
        weight *= AUTHOR_BOOST if author in authors else 1
        weight *= ROOM_BOOST if room_id in rooms else 1
        return weight * (TIME_BOOST if start <= sent_ms < end else 1)

    return [row[0] for row in sorted(rows, key=lambda row: (-score(row), row[0]))[:limit]]


def find_memories(db: sqlite3.Connection, question: str, *, limit: int) -> list[Recalled]:
    """Give the best memories of any level."""
    terms = _known(db, "recalled", question_words(question))
    if not terms:
        return []
    rows = db.execute(
        f"select {MEMORY} from (select rowid, rank from recalled where recalled match ? "  # noqa: S608 - columns are ours
        "order by rank limit ?) r join memories on number = r.rowid order by r.rank",
        (_either(terms), limit),
    )
    return [_recalled(row) for row in rows]


def memories_above(db: sqlite3.Connection, place: int) -> tuple[Recalled, ...]:
    """Walk up: the memories over an item, from L1 upwards."""
    rows = db.execute(
        f"select {MEMORY} from memories where first_place <= ? and last_place >= ? order by level",  # noqa: S608 - columns are ours
        (place, place),
    )
    return tuple(_recalled(row) for row in rows)


def neighbours(db: sqlite3.Connection, message: Message, reach: int = 2) -> tuple[Message, ...]:
    """Give the messages before and behind one in its room, in order."""
    near: list[tuple[object, ...]] = []
    for side, order in (("<", "desc"), (">", "asc")):
        near += db.execute(
            f"select * from items where place {side} ? and place between ? and ? "  # noqa: S608 - words are ours
            f"and room_id = ? order by place {order} limit ?",
            (message.place, message.place - 50, message.place + 50, message.room_id, reach),
        )
    return tuple(_message(row) for row in sorted(near, key=lambda row: str(row[0]).zfill(12)))


MEMORY = "memory_id, level, headline, text, started_ms, ended_ms, first_place, last_place"


def memory_of(db: sqlite3.Connection, memory_id: str) -> Recalled | None:
    """Give a memory by its id; None where there is none."""
    query = f"select {MEMORY} from memories where memory_id = ?"  # noqa: S608 - columns are ours
    row = db.execute(query, (memory_id,)).fetchone()
    return _recalled(row) if row else None


def message_at(db: sqlite3.Connection, place: int) -> Message:
    """Give the message at a place of the index."""
    return _message(db.execute("select * from items where place = ?", (place,)).fetchone())


def _hit(db: sqlite3.Connection, memory: Recalled | None, place: int | None) -> Hit:
    if place is None:
        return Hit(None, memory, (), ())
    message = message_at(db, place)
    return Hit(message, memory, memories_above(db, place), neighbours(db, message))


def _known(db: sqlite3.Connection, table: str, terms: Sequence[str]) -> list[str]:
    """Quote terms; a long word that the history does not have becomes its beginning."""
    found = []
    for term in terms:
        query = f'"{term}"'
        if db.execute(f"select 1 from {table} where {table} match ? limit 1", (query,)).fetchone():  # noqa: S608 - ours
            found.append(query)
        elif len(term) >= 5:
            found.append(f'"{term[: max(4, len(term) - 2)]}"*')
    return found


def _either(terms: Sequence[str]) -> str:
    return " OR ".join(terms)


def _people(db: sqlite3.Connection, question: str) -> set[str]:
    """Name the authors of whom the question says the name, or one word of it."""
    asked = json.dumps(sorted({w for w in words(question) if len(w) > 1 and w not in STOPWORDS}))
    query = "select author from names where word in (select value from json_each(?))"
    return {author for (author,) in db.execute(query, (asked,))}


def _rooms(db: sqlite3.Connection, question: str) -> set[str]:
    """Give the ids of the rooms that a question names as #room."""
    text = question.casefold()
    rooms = db.execute("select room_id, room from rooms where room != ''")
    return {room_id for room_id, room in rooms if f"#{room.casefold()}" in text}


def _in_span(db: sqlite3.Connection, span: Span, limit: int) -> list[int]:
    query = "select place from items where sent_ms >= ? and sent_ms < ? order by place limit ?"
    return [place for (place,) in db.execute(query, (*_milliseconds(span), limit))]


def _milliseconds(span: Span | None) -> tuple[float, float]:
    return (span[0].timestamp() * 1000, span[1].timestamp() * 1000) if span else (0, 0)


def _moment(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def _message(row: Sequence[object]) -> Message:
    place, item_id, author, room_id, room, sent_ms, ids, body = row
    assert isinstance(place, int)
    assert isinstance(sent_ms, int)
    return Message(
        place, str(item_id), str(author), str(room_id), str(room), _moment(sent_ms),
        tuple(json.loads(str(ids))), str(body),
    )  # fmt: skip


def _recalled(row: tuple[str, int, str, str, int, int, int, int]) -> Recalled:
    memory_id, level, headline, text, started, ended, first, last = row
    return Recalled(memory_id, level, headline, text, _moment(started), _moment(ended), first, last)
