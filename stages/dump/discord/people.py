"""
Fetch who people are: members where Discord lets us list them, else one by one as they wrote.

Somebody who left is an answer (10007), and so is one who is no more (10013).
"""

from collections.abc import Iterable
from typing import Any

from pipeline.raw import Raw
from stages.dump.discord.client import Client
from stages.dump.discord.faults import DeniedError
from stages.dump.discord.routes import ask
from stages.dump.discord.walk import Trip

MEMBERS_PAGE = 1_000
UNKNOWN_MEMBER, UNKNOWN_USER = 10007, 10013


async def fetch_people(
    trip: Trip, guild_id: str, author_ids: Iterable[str], unknown: set[str], *, can_list: bool
) -> None:
    """
    Bring members, and users who wrote but left, into raw.

    `unknown` holds the ids that Discord knows nothing of, and takes in new ones, so that
    nobody is asked for twice.
    """
    if can_list:
        await list_members(trip, guild_id)
    members = known_ids(trip.raw, "members", guild_id)
    users = known_ids(trip.raw, "users", None)
    for user_id in sorted(set(author_ids) - members - users - unknown, key=int):
        member = None if can_list else await one(trip.client, "member", guild_id, user_id)
        if member is not None:
            trip.raw.append("members", [member], guild_id=guild_id, now=trip.now())
            continue
        user = await one(trip.client, "user", guild_id, user_id)
        if user is None:
            unknown.add(user_id)
        else:
            trip.raw.append("users", [user], guild_id=None, now=trip.now())


async def list_members(trip: Trip, guild_id: str) -> None:
    """List every member of a guild, by ascending user id; the intent is on."""
    after = 0
    while True:
        query = {"limit": MEMBERS_PAGE, "after": after}
        page = await trip.client.ask(ask("members", query, guild_id=guild_id))
        trip.raw.append("members", page, guild_id=guild_id, now=trip.now())
        top = max((int(member["user"]["id"]) for member in page), default=after)
        if len(page) < MEMBERS_PAGE or top <= after:
            return
        after = top


async def one(client: Client, route: str, guild_id: str, user_id: str) -> dict[str, Any] | None:
    """Give one member or user; null where Discord knows none."""
    wish = ask(route, user_id=user_id, guild_id=guild_id)
    if route == "user":
        wish = ask(route, user_id=user_id)
    try:
        found: dict[str, Any] = await client.ask(wish)
    except DeniedError as denied:
        if denied.is_gone:
            return None
        raise
    return found


def known_ids(raw: Raw, table: str, guild_id: str | None) -> set[str]:
    """Give the people that a side table holds already."""
    return {object_id for (at, object_id) in raw.envelopes(table) if at == guild_id}
