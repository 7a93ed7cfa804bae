"""Who spoke and where: the tables of people and rooms, counted over all of raw."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pipeline.config import Person
from pipeline.schemas import Table
from stages.curate.authors import Authors
from stages.curate.gather import Gathered
from stages.curate.surroundings import Place

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    Array = np.ndarray[Any, Any]


@dataclass(slots=True)
class Head:
    """Counts of one author; times in UTC milliseconds."""

    messages: int = 0
    selected: int = 0
    first_ms: int = 2**62
    last_ms: int = -(2**62)


@dataclass(frozen=True, slots=True)
class RoomCount:
    """Counts of one room."""

    place: Place
    messages: int
    perceived: int
    first_ms: int | None
    last_ms: int | None
    last_id: int | None
    raw_bytes: int


def count_authors(heads: dict[int, Head], one: Gathered) -> None:
    """Add a room's messages to the counts of those who wrote them."""
    import numpy as np

    author, sent = one.rows.author, one.rows.sent_ms
    if not len(author):
        return
    order = np.argsort(author, kind="stable")
    numbers, starts = np.unique(author[order], return_index=True)
    counts = np.diff(np.append(starts, len(order)))
    sent = sent[order]
    ends = (np.minimum.reduceat(sent, starts), np.maximum.reduceat(sent, starts))
    for number, count, first, last in zip(
        *(found.tolist() for found in (numbers, counts, *ends)), strict=True
    ):
        head = heads.setdefault(number, Head())
        head.messages += count
        head.first_ms = min(head.first_ms, first)
        head.last_ms = max(head.last_ms, last)


def count_room(one: Gathered, place: Place) -> RoomCount:
    """Count a room's messages."""
    rows = one.rows
    has = len(rows) > 0
    return RoomCount(
        place=place,
        messages=len(rows),
        perceived=int(one.perceived.sum()),
        first_ms=int(rows.sent_ms.min()) if has else None,
        last_ms=int(rows.sent_ms.max()) if has else None,
        last_id=int(rows.message_id[-1]) if has else None,
        raw_bytes=one.raw_bytes,
    )


def people_frame(
    authors: Authors,
    heads: Mapping[int, Head],
    people: Sequence[Person],
    shown: Callable[[str], str],
) -> "pl.DataFrame":
    """Give PEOPLE: one row an author id and name; `shown` takes credentials out of names."""
    from pipeline.schemas import PEOPLE

    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for (author_id, name), number in authors.numbers.items():
        head = heads.get(number)
        if head is None:
            continue  # every line of theirs was replaced under another name
        key = (author_id, shown(name or author_id or "unknown"))
        row = {
            "author_id": author_id,
            "name": key[1],
            "person": person_of(author_id, name, people, is_webhook=authors.is_bot(number)),
            "is_self": authors.is_self(number),
            "is_bot": authors.is_bot(number),
            "messages": head.messages,
            "selected": head.selected,
            "first_at": head.first_ms,
            "last_at": head.last_ms,
        }
        if same := rows.get(key):
            row["messages"] += same["messages"]
            row["selected"] += same["selected"]
            row["first_at"] = min(row["first_at"], same["first_at"])
            row["last_at"] = max(row["last_at"], same["last_at"])
        rows[key] = row
    return _typed(list(rows.values()), PEOPLE)


def person_of(author_id: str, name: str, people: Sequence[Person], *, is_webhook: bool) -> str:
    """Say who an author is by [[people]]; else the id. Old names and webhook names count too."""
    for person in people:
        if author_id in person.ids or (is_webhook and name in person.webhooks):
            return person.name
    for person in people:
        if not is_webhook and name in person.names:
            return person.name
    return author_id


def rooms_frame(
    rooms: Sequence[RoomCount], selected: Mapping[str, int], shown: Callable[[str], str]
) -> "pl.DataFrame":
    """Give ROOMS: one row a room of raw; not perceived is messages − selected − rejects."""
    from pipeline.schemas import ROOMS

    rows = [
        {
            "channel_id": one.place.channel_id,
            "guild_id": one.place.guild_id,
            "name": shown(one.place.name) if one.place.name else None,
            "guild_name": shown(one.place.guild_name) if one.place.guild_name else None,
            "parent_id": one.place.parent_id,
            "type": one.place.type,
            "is_private": one.place.is_private,
            "messages": one.messages,
            "selected": selected.get(one.place.channel_id, 0),
            "first_at": one.first_ms,
            "last_at": one.last_ms,
            "last_raw_id": None if one.last_id is None else str(one.last_id),
            "raw_bytes": one.raw_bytes,
        }
        for one in rooms
    ]
    return _typed(rows, ROOMS)


def _typed(rows: list[dict[str, Any]], table: Table) -> "pl.DataFrame":
    """Build a frame whose times come as UTC milliseconds."""
    import polars as pl

    from pipeline.artifacts import dtypes

    types = dtypes(table)
    times = [name for name in types if name.endswith("_at")]
    plain = {name: pl.Int64() if name in times else kind for name, kind in types.items()}
    frame = pl.DataFrame(rows, schema=plain, orient="row")
    return frame.with_columns(pl.col(name).cast(types[name]) for name in times)
