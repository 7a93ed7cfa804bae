"""
Say, before anything is read, how much there is to ask and how long that takes.

How many messages a channel holds is told nowhere; a few pages spread over its time (newest,
oldest and some between) give its density, and threads carry a count of their own.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from pipeline.raw import Page
from stages.dump.discord.client import Client
from stages.dump.discord.faults import DeniedError, UnreachableError
from stages.dump.discord.reach import Reach
from stages.dump.discord.rights import THREADS
from stages.dump.discord.rooms import TO_READ, Room, Scope, Survey, snowflake
from stages.dump.discord.routes import PAGE_SIZE, ask
from stages.dump.discord.walk import is_done, target_of

# Pages between the oldest and the newest, asked only of rooms of many pages. Talk comes in
# bursts: eight tell the size within a factor of about two; the bar corrects it on the way.
PROBES = 8


@dataclass(frozen=True, slots=True)
class Forecast:
    """What one room will cost: `messages` is an estimate, exact where the room is small."""

    room: Room
    messages: int
    requests: int
    starts_at: int  # the ids between which it is read down
    ends_at: int

    def share_before(self, message_id: int) -> float:
        """Give the part of the time to be read that lies before an id."""
        span = self.ends_at - self.starts_at
        if span <= 0:
            return 0.0
        return min(1.0, max(0.0, (message_id - self.starts_at) / span))


async def forecast(
    client: Client,
    found: Survey,
    reach: Mapping[str, Reach],
    pages: Mapping[str, Sequence[Page]],
    scope: Scope,
    reread_from: int | None,
) -> list[Forecast]:
    """Estimate every room that is to be read."""
    hints = {
        thread_id: thread.get("total_message_sent") or thread.get("message_count")
        for guild in found.guilds
        for thread_id, thread in guild.listed.threads.items()
    }
    costs: list[Forecast] = []
    for room in found.rooms:
        if room.status != TO_READ:
            continue
        if room.kind in THREADS and client.is_forbidden("messages", room.parent_id or ""):
            costs.append(Forecast(room, 0, 0, scope.floor, scope.floor))
            continue
        again = rereading(pages.get(room.channel_id, ()), reread_from)
        held = reach.get(room.channel_id, Reach())
        hint = hints.get(room.channel_id)
        costs.append(await forecast_room(client, room, held, scope, hint, again))
    return costs


async def forecast_room(
    client: Client, room: Room, reach: Reach, scope: Scope, hint: int | None, again: int
) -> Forecast:
    """Estimate one room: what is new by its own density, what is old by its count or a sample."""
    if is_done(room, reach, scope):
        return Forecast(room, 0, again, 0, 0)
    fresh, requests = newer(room, reach, scope), again
    if fresh is not None:
        requests += pages_for(fresh)
    if reach.low is not None and reach.low <= scope.floor:
        return Forecast(room, fresh or 0, requests, 0, 0)
    ends_at = target_of(room, scope) if reach.low is None else reach.low
    if reach.low is None and room.kind in THREADS and hint is not None:
        return Forecast(room, hint, pages_for(hint) + requests, int(room.channel_id), ends_at)
    below = scope if reach.low is None else replace(scope, ceiling=reach.low - 1)
    try:
        messages, starts_at = await sample(client, room, below)
    except (DeniedError, UnreachableError):
        messages, starts_at = 0, scope.floor
    requests += pages_for(messages)
    return Forecast(room, messages + (fresh or 0), requests, starts_at, ends_at)


def newer(room: Room, reach: Reach, scope: Scope) -> int | None:
    """Give about how many messages came since a room was read; null where none did."""
    if reach.high is None or reach.high >= target_of(room, scope):
        return None
    read = max(1, reach.high - (reach.lowest_id or reach.high))
    return math.ceil(reach.messages / read * (target_of(room, scope) - reach.high))


async def sample(client: Client, room: Room, scope: Scope) -> tuple[int, int]:
    """Give about how many messages a room holds in scope, and its oldest id there."""
    upper = {} if scope.ceiling is None else {"before": scope.ceiling + 1}
    newest = in_scope(await page_ids(client, room, upper), scope)
    if len(newest) < PAGE_SIZE:
        return len(newest), min(newest, default=scope.floor)
    oldest = in_scope(await page_ids(client, room, {"after": max(scope.floor - 1, 0)}), scope)
    if not oldest:  # newest has a page and oldest nothing: an answer to take no rate from
        return len(newest), min(newest)
    start, end = min(oldest), max(newest)
    if max(oldest) >= min(newest):
        return len({*oldest, *newest}), start
    rates = []
    for part in range(PROBES):
        at = start + (end - start) * (2 * part + 1) // (2 * PROBES)
        between = await page_ids(client, room, {"after": at}) or newest
        # From the asked time on, the silence before the first message included.
        rates.append(len(between) / max(1, max(between) - at))
    messages = sum(rates) / PROBES * (end - start)
    return max(2 * PAGE_SIZE, round(messages)), start


async def page_ids(client: Client, room: Room, cursor: Mapping[str, int]) -> list[int]:
    """Give the ids of one page."""
    query = {"limit": PAGE_SIZE, **cursor}
    rows: list[dict[str, Any]] = await client.ask(
        ask("messages", query, channel_id=room.channel_id)
    )
    return [int(row["id"]) for row in rows]


def in_scope(ids: Sequence[int], scope: Scope) -> list[int]:
    """Give the ids that lie within the scope."""
    top = scope.ceiling
    return [n for n in ids if n >= scope.floor and (top is None or n <= top)]


def rereading(pages: Sequence[Page], reread_from: int | None) -> int:
    """Give about how many requests it takes to read a room's last days again."""
    if reread_from is None:
        return 0
    inside = sum(p.fresh for p in pages if p.highest_id and int(p.highest_id) >= reread_from)
    return math.ceil(inside / PAGE_SIZE)


def pages_for(messages: float) -> int:
    """Give the requests for so many messages: a page that is not full ends the walk."""
    return int(messages // PAGE_SIZE) + 1


def seconds_for(requests: int, per_second: float, seconds_each: float) -> float:
    """Give about how long so many requests take: at our pace, or as fast as answers come."""
    pace = 1.0 / per_second if per_second > 0 else 0.0
    return requests * max(pace, seconds_each)


def saved_by_joining(forecasts: Sequence[Forecast], guild_id: str, joined: str) -> int:
    """Give about how many requests it saves to begin a guild where the bot joined it."""
    at = snowflake(datetime.fromisoformat(joined))
    rooms = (f for f in forecasts if f.room.guild_id == guild_id)
    return sum(int(f.requests * f.share_before(at)) for f in rooms)
