"""
Read a room page by page: up to what is new, down to what is old.

A page is on disk, with the cursor that it moves, before the next is asked for. The upper
bound is fixed when the room is begun, so a busy room ends; what is newer is the next run's.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pipeline.raw import Direction, Page, Raw
from stages.dump.discord.client import Client
from stages.dump.discord.faults import GarbledError, StuckError
from stages.dump.discord.reach import Reach
from stages.dump.discord.rooms import Room, Scope, snowflake
from stages.dump.discord.routes import PAGE_SIZE, ask

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Trip:
    """What the walks of one run share."""

    client: Client
    raw: Raw
    scope: Scope
    now: Callable[[], datetime]
    moved: Callable[[Page], None]  # told of each page that is on disk


def target_of(room: Room, scope: Scope) -> int:
    """Give the newest id that this run wants of a room."""
    return room.newest if scope.ceiling is None else min(room.newest, scope.ceiling)


def is_done(room: Room, reach: Reach, scope: Scope) -> bool:
    """Say whether nothing is left to ask of a room."""
    return reach.covers(scope.floor, target_of(room, scope))


async def read_room(
    trip: Trip, room: Room, reach: Reach, held: AbstractSet[int] = frozenset()
) -> Reach:
    """
    Read what a room still lacks; what is new first, then down from the oldest known.

    `held` are ids that raw has although no walk passed them: they are not counted again.
    """
    if reach.low is not None:
        reach = await walk_up(trip, room, reach, held)
    return await walk_down(trip, room, reach, held)


async def walk_up(trip: Trip, room: Room, reach: Reach, held: AbstractSet[int]) -> Reach:
    """Read from the highest id known up to the newest; asks nothing where nothing is newer."""
    assert reach.high is not None, "a room that was asked has both ends"
    target = target_of(room, trip.scope)
    cursor = reach.high
    while cursor < target:
        rows = await fetch(trip, room, {"after": cursor})
        above = [row for row in rows if id_of(row) > cursor]
        guard(room, rows, above, f"after={cursor}")
        kept = [row for row in above if within(row, trip.scope)]
        top = max(map(id_of, above), default=cursor)
        closed = len(rows) < PAGE_SIZE or top >= target
        reached = max(top, target) if closed else top
        page = page_of(room, "up", cursor, rows, kept, trip)
        page = replace(
            page,
            closed=closed,
            fresh=count_fresh(kept, held),
            from_id=str(cursor + 1),
            to_id=str(capped(reached, trip.scope)),
        )
        reach = reach.after(keep(trip, room, kept, page))
        cursor = reached
    return reach


async def walk_down(trip: Trip, room: Room, reach: Reach, held: AbstractSet[int]) -> Reach:
    """Read from the lowest id known down to the floor of the scope, or the room's beginning."""
    floor = trip.scope.floor
    while reach.low is None or reach.low > floor:
        cursor = first_cursor(trip) if reach.low is None else reach.low
        rows = await fetch(trip, room, {} if cursor is None else {"before": cursor})
        below = [row for row in rows if cursor is None or id_of(row) < cursor]
        guard(room, rows, below, f"before={cursor}")
        kept = [row for row in below if floor <= id_of(row) and within(row, trip.scope)]
        bottom = min(map(id_of, below), default=floor)
        closed = len(rows) < PAGE_SIZE or bottom <= floor
        top = cursor - 1 if cursor is not None else newest_of(room, below, floor)
        page = page_of(room, "down", cursor, rows, kept, trip)
        page = replace(
            page,
            closed=closed,
            fresh=count_fresh(kept, held),
            from_id=str(floor if closed else bottom),
            to_id=str(capped(top, trip.scope)),
        )
        reach = reach.after(keep(trip, room, kept, page))
    return reach


def count_fresh(rows: Iterable[Message], held: AbstractSet[int]) -> int:
    """Count the messages that raw does not have yet."""
    return sum(id_of(row) not in held for row in rows)


def within(row: Mapping[str, Any], scope: Scope) -> bool:
    """Say whether a message came before the cutover."""
    return scope.ceiling is None or id_of(row) <= scope.ceiling


def capped(message_id: int, scope: Scope) -> int:
    """Give an id, or the last one before the cutover where that is lower."""
    return message_id if scope.ceiling is None else min(message_id, scope.ceiling)


def first_cursor(trip: Trip) -> int | None:
    """Give where a first pass begins: at the cutover if that is past, else at the newest."""
    ceiling = trip.scope.ceiling
    return None if ceiling is None or ceiling >= snowflake(trip.now()) else ceiling + 1


def newest_of(room: Room, rows: Iterable[Message], floor: int) -> int:
    """
    Give the id up to which an answer without a cursor is complete.

    The room's `last_message_id` was listed before, so whatever it names and the answer lacks
    is deleted; a message that comes later is above both.
    """
    return max(floor - 1, room.newest, *map(id_of, rows))


async def fetch(trip: Trip, room: Room, cursor: Mapping[str, int]) -> list[Message]:
    """Ask for one page of messages."""
    query = {"limit": PAGE_SIZE, **cursor}
    rows: list[Message] = await trip.client.ask(ask("messages", query, channel_id=room.channel_id))
    return rows


def guard(room: Room, rows: list[Message], fresh: list[Message], cursor: str) -> None:
    """Stop where a page brings nothing beyond its cursor: the next would be the same (B028)."""
    if rows and not fresh:
        raise StuckError(
            f"channel {room.channel_id}: the page at {cursor} brings no new message; "
            f"the cursor stays where it was, run dump again"
        )


def page_of(
    room: Room,
    direction: Direction,
    cursor: int | None,
    rows: list[Message],
    kept: list[Message],
    trip: Trip,
) -> Page:
    """Describe a page as it came; which stretch it completes is the walk's to say."""
    ids = [id_of(row) for row in kept]
    return Page(
        channel_id=room.channel_id,
        how=f"/channels/{room.channel_id}/messages",
        direction=direction,
        count=len(rows),
        fetched_at=trip.now().isoformat(),
        cursor=None if cursor is None else str(cursor),
        fresh=len(kept),
        lowest_id=str(min(ids)) if ids else None,
        highest_id=str(max(ids)) if ids else None,
    )


def keep(trip: Trip, room: Room, rows: Iterable[Message], page: Page) -> Page:
    """Put a page on disk, rows first."""
    noted = trip.raw.append_messages(room.channel_id, [line_of(row) for row in rows], page)
    trip.moved(noted)
    return noted


def line_of(row: Mapping[str, Any]) -> bytes:
    """Write an object as one ASCII line; lone surrogates stay the escapes that they were."""
    try:
        line = json.dumps(row, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    except (ValueError, RecursionError) as error:  # NaN, which no other reader takes; too deep
        raise GarbledError(
            f"message {id_of(row)} cannot be written as JSON ({error}); its page was not kept"
        ) from None
    return line.encode("ascii")


def id_of(row: Mapping[str, Any]) -> int:
    """Give a message's id as a number."""
    return int(row["id"])
