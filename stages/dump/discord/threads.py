"""
List the threads of a guild: active, archived, active again; keyed by id, the latest wins.

Archived public and private threads are paged by archive time, joined private ones by
thread id (discord-rest §1, rows 16 to 19).
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from stages.dump.discord.client import Client
from stages.dump.discord.faults import DeniedError, UnreachableError
from stages.dump.discord.rights import (
    FORUM,
    MANAGE_THREADS,
    MEDIA,
    NEWS,
    READ_MESSAGE_HISTORY,
    TEXT,
    VIEW_CHANNEL,
)
from stages.dump.discord.routes import PAGE_SIZE, ask
from stages.dump.discord.shapes import Archived, Place, name_of, sorted_out

Thread = dict[str, Any]
PARENTS = frozenset({TEXT, NEWS, FORUM, MEDIA})
NO_MANAGE = "of archived private threads only those that the bot joined (MANAGE_THREADS lacks)"


class Listed:
    """The threads found so far, and what could not be listed, by parent."""

    def __init__(self) -> None:
        self.threads: dict[str, Thread] = {}
        self.notes: dict[str, str] = {}
        self.failed: list[str] = []
        self.odd: dict[str, str] = {}  # what a garbled object calls its id → what is wrong

    def refuse(self, thing: Any, fault: str) -> None:
        """Note a channel or thread that cannot be used; one without any id only as a line."""
        reason = f"its object is not what Discord documents ({fault}); run dump again"
        if name := name_of(thing):
            self.odd[name] = reason
        elif reason not in self.failed:
            self.failed.append(f"a channel or thread without an id: {reason}")

    def add(self, threads: Iterable[Thread]) -> int:
        """Take threads in; gives how many were not known yet."""
        fresh = 0
        for thread in threads:
            fresh += thread["id"] not in self.threads
            self.threads[thread["id"]] = thread
        return fresh


async def list_threads(
    client: Client,
    guild_id: str,
    parents: Mapping[str, tuple[dict[str, Any], int]],
    since: datetime | None,
    found: Listed,
    limit: int = PAGE_SIZE,
) -> None:
    """
    Find every thread that the bot can see under `parents` (id → channel and rights).

    A thread may be archived between two calls, so the active ones are asked for twice.
    """
    await list_active(client, guild_id, found)
    for channel, rights in parents.values():
        if channel["type"] not in PARENTS or not rights & VIEW_CHANNEL:
            continue
        if not rights & READ_MESSAGE_HISTORY:
            continue  # its row says so; Discord lists no archived threads without it
        try:
            await list_archived(client, channel, rights, found, since, limit)
        except DeniedError as denied:
            found.notes[channel["id"]] = f"archived threads are not listed ({denied.code})"
        except UnreachableError as error:
            found.failed.append(f"threads of {channel['id']}: {error}")
    await list_active(client, guild_id, found)


async def list_active(client: Client, guild_id: str, found: Listed) -> None:
    """Take in the guild's active threads."""
    try:
        answer = await client.ask(ask("active threads", guild_id=guild_id))
    except (DeniedError, UnreachableError) as error:
        found.failed.append(f"active threads of guild {guild_id}: {error}")
    else:
        found.add(sorted_out(answer.get("threads", ()), Place, found.refuse))


async def list_archived(
    client: Client,
    channel: Mapping[str, Any],
    rights: int,
    found: Listed,
    since: datetime | None,
    limit: int,
) -> None:
    """Take in one parent's archived threads; private ones as far as the bot may see them."""
    await page_by_time(client, "archived threads", channel["id"], found, since, limit)
    if channel["type"] != TEXT:
        return
    if rights & MANAGE_THREADS:
        try:
            await page_by_time(
                client, "archived private threads", channel["id"], found, since, limit
            )
        except DeniedError as denied:
            if denied.status != 403:
                raise
        else:
            return
    found.notes[channel["id"]] = NO_MANAGE
    await page_joined(client, channel["id"], found, limit)


async def page_by_time(
    client: Client, route: str, channel_id: str, found: Listed, since: datetime | None, limit: int
) -> None:
    """
    Walk a listing that is ordered by archive time, newest first.

    Two threads can share an archive time over a page border, and `before` leaves equal ones
    out; so the next page starts at the last time but one, sent unchanged, and what comes
    twice is known by its id. A thread archived before `since` holds nothing newer.
    """
    before: datetime | None = None
    cursor: dict[str, str] = {}
    while True:
        answer = await client.ask(ask(route, {"limit": limit, **cursor}, channel_id=channel_id))
        threads = sorted_out(answer.get("threads", ()), Archived, found.refuse)
        found.add(threads)
        if not threads or not answer.get("has_more"):
            return
        times = {archived_at(t): t["thread_metadata"]["archive_timestamp"] for t in threads}
        oldest, *newer = sorted(times)
        if since is not None and oldest < since:
            return
        steps = [at for at in (*newer[:1], oldest) if before is None or at < before]
        if not steps:
            found.failed.append(f"threads of {channel_id}: their listing does not move on")
            return
        before = steps[0]
        cursor = {"before": times[before]}


async def page_joined(client: Client, channel_id: str, found: Listed, limit: int) -> None:
    """Walk the private threads that the bot joined: by thread id, descending."""
    before: int | None = None
    while True:
        cursor = {} if before is None else {"before": before}
        answer = await client.ask(
            ask("joined private threads", {"limit": limit, **cursor}, channel_id=channel_id)
        )
        threads = sorted_out(answer.get("threads", ()), Place, found.refuse)
        found.add(threads)
        if not threads or not answer.get("has_more"):
            return
        lowest = min(int(thread["id"]) for thread in threads)
        if before is not None and lowest >= before:
            found.failed.append(f"threads of {channel_id}: their listing does not move on")
            return
        before = lowest


def archived_at(thread: Mapping[str, Any]) -> datetime:
    """Read a thread's archive time."""
    return datetime.fromisoformat(thread["thread_metadata"]["archive_timestamp"])
