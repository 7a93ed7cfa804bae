"""
Look over everything that the bot could read: guilds, channels, threads, DMs.

Each becomes a `Room` that is to be read, or that is not, with the reason.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from pipeline.config import ScopeFacts, moment
from stages.dump.discord.client import Client
from stages.dump.discord.faults import DeniedError, UnreachableError
from stages.dump.discord.rights import (
    CATEGORY,
    DM,
    GROUP_DM,
    POST_PARENTS,
    WITHOUT_MESSAGES,
    rights_in_channel,
    what_lacks,
)
from stages.dump.discord.routes import ask
from stages.dump.discord.shapes import Guild as GuildShape
from stages.dump.discord.shapes import Place, asked_for, sorted_out
from stages.dump.discord.threads import Listed, list_threads

TO_READ = "to read"
EPOCH_MS = 1_420_070_400_000  # Discord's ids count milliseconds from 2015-01-01, times 2²²
GUILDS_PAGE = 200


@dataclass(frozen=True, slots=True)
class Room:
    """A channel, thread or DM; `status` is `to read`, or says why it is not."""

    channel_id: str
    guild_id: str | None
    parent_id: str | None
    kind: int
    name: str
    last_message_id: str | None
    status: str = TO_READ
    reason: str = ""

    @property
    def newest(self) -> int:
        """The newest id that Discord names, 0 where it names none."""
        return int(self.last_message_id or 0)


@dataclass(frozen=True, slots=True)
class Scope:
    """What of Discord is looked at; ids above `floor` - 1 and up to `ceiling` are in it."""

    facts: ScopeFacts = field(default_factory=ScopeFacts)
    floor: int = 0
    ceiling: int | None = None

    @property
    def since(self) -> datetime | None:
        """The oldest time in scope; null: the beginning."""
        return moment(self.facts.since, "scope.since")

    def holds(self, channel_id: str, above: tuple[str | None, ...]) -> bool:
        """Say whether a channel is in scope: by its own id, or by one that it hangs under."""
        family = {channel_id, *above}
        if family & set(self.facts.leave_out_channels):
            return False
        return not self.facts.channels or bool(family & set(self.facts.channels))


@dataclass(slots=True)
class Guild:
    """One guild as it was found; `member` is the bot's own member object."""

    object: dict[str, Any]
    member: dict[str, Any] | None
    channels: list[dict[str, Any]]
    listed: Listed

    @property
    def guild_id(self) -> str:
        """The guild's id."""
        return str(self.object["id"])


@dataclass(slots=True)
class Survey:
    """All that was looked over."""

    application: dict[str, Any] | None
    guilds: list[Guild]
    dms: list[dict[str, Any]]
    rooms: list[Room]
    failed: list[str]
    opened: list[dict[str, Any]] = field(default_factory=list)


def scope_of(facts: ScopeFacts) -> Scope:
    """Give the scope with its times as ids."""
    since, until = moment(facts.since, "scope.since"), moment(facts.until, "scope.until")
    return Scope(
        facts,
        floor=snowflake(since) if since else 0,
        ceiling=snowflake(until) - 1 if until else None,
    )


def snowflake(at: datetime) -> int:
    """Give the lowest id that a message of this time could have (discord-rest §2)."""
    return max(0, round(at.timestamp() * 1000) - EPOCH_MS) << 22


async def survey(client: Client, scope: Scope) -> Survey:
    """Look over guilds, channels, threads and the DMs in scope; GETs only."""
    try:
        application = await client.ask(ask("application"))
    except (DeniedError, UnreachableError):
        application = None
    found = Survey(application, [], [], [], [])
    for guild_id in await guild_ids(client, scope, found):
        try:
            guild = await look_over(client, guild_id, scope)
        except (DeniedError, UnreachableError) as error:
            found.failed.append(f"guild {guild_id}: {error}")
            continue
        found.guilds.append(guild)
        found.failed += guild.listed.failed
        found.rooms += rooms_of(guild, scope, client.me["id"])
    known = {room.channel_id for room in found.rooms}
    for channel_id in (*scope.facts.dms, *scope.facts.channels):
        if channel_id not in known:
            await by_id(client, channel_id, scope, found)
            known.add(channel_id)
    return found


async def guild_ids(client: Client, scope: Scope, found: Survey) -> list[str]:
    """List the guilds in scope that the bot is in; says which named ones it is not in."""
    mine: list[str] = []
    odd: list[str] = []
    while True:
        after = {"after": mine[-1]} if mine else {}
        page = await client.ask(ask("guilds", {"limit": GUILDS_PAGE, **after}))
        usable = sorted_out(page, GuildShape, lambda _, fault: odd.append(fault))
        fresh = [guild["id"] for guild in usable if guild["id"] not in mine]
        mine += sorted(fresh, key=int)
        if len(page) < GUILDS_PAGE or not fresh:
            break
    found.failed += [f"a guild of the bot's list is not as documented ({fault})" for fault in odd]
    wanted = scope.facts.guilds
    found.failed += [
        f"guild {guild_id} is in scope but the bot is not in it" for guild_id in wanted
        if guild_id not in mine
    ]  # fmt: skip
    return [guild_id for guild_id in mine if not wanted or guild_id in wanted]


async def look_over(client: Client, guild_id: str, scope: Scope) -> Guild:
    """Fetch one guild, the bot's own place in it, its channels and threads."""
    guild = await client.ask(ask("guild", guild_id=guild_id))
    listed = Listed()
    channels = sorted_out(
        await client.ask(ask("channels", guild_id=guild_id)), Place, listed.refuse
    )
    try:
        member = await client.ask(ask("member", guild_id=guild_id, user_id=client.me["id"]))
    except DeniedError:
        member = None  # then only @everyone's rights are sure
    roles = (member or {}).get("roles", [])
    categories = {c["id"]: c.get("parent_id") for c in channels}
    parents = {
        c["id"]: (c, rights_in_channel(guild, c, client.me["id"], roles))
        for c in channels
        if scope.holds(c["id"], (c.get("parent_id"), categories.get(c.get("parent_id") or "")))
    }
    await list_threads(client, guild_id, parents, scope.since, listed)
    return Guild(guild, member, channels, listed)


def rooms_of(guild: Guild, scope: Scope, user_id: str) -> Iterator[Room]:
    """Judge every channel and thread of a guild."""
    roles = (guild.member or {}).get("roles", [])
    rights = {c["id"]: rights_in_channel(guild.object, c, user_id, roles) for c in guild.channels}
    by_id = {c["id"]: c for c in guild.channels}
    for channel in guild.channels:
        room = room_of(channel, guild.guild_id)
        note = guild.listed.notes.get(channel["id"], "")
        yield judge(room, rights[channel["id"]], (channel.get("parent_id"),), scope, note)
    for channel_id in guild.listed.odd.keys() - by_id.keys() - guild.listed.threads.keys():
        reason = guild.listed.odd[channel_id]
        yield Room(channel_id, guild.guild_id, None, 0, channel_id, None, "failed", reason)
    for thread in guild.listed.threads.values():
        parent_id = str(thread.get("parent_id") or "")
        category_id = by_id.get(parent_id, {}).get("parent_id")
        room = room_of(thread, guild.guild_id)
        yield judge(room, rights.get(parent_id, 0), (parent_id, category_id), scope, "")


def room_of(channel: Mapping[str, Any], guild_id: str | None) -> Room:
    """Describe a channel object; a DM is named after whom it is with."""
    recipients = channel.get("recipients", ())
    people = ", ".join(str(user.get("username") or user["id"]) for user in recipients)
    return Room(
        channel_id=channel["id"],
        guild_id=guild_id,
        parent_id=channel.get("parent_id"),
        kind=channel["type"],
        name=str(channel.get("name") or people or channel["id"]),
        last_message_id=channel.get("last_message_id"),
    )


def judge(room: Room, rights: int, above: tuple[str | None, ...], scope: Scope, note: str) -> Room:
    """Say whether a room is to be read; the first thing that speaks against it is the reason."""
    if not scope.holds(room.channel_id, above):
        return replace(room, status="out_of_scope", reason="agent.toml leaves it out")
    if room.kind == CATEGORY:
        return replace(room, status="no_messages_kind", reason="a category")
    lack = what_lacks(rights, room.kind)
    if lack == "READ_MESSAGE_HISTORY":
        return replace(room, status="no_history_permission", reason=f"{lack} lacks")
    if lack:
        return replace(room, status="forbidden", reason=f"{lack} lacks")
    if room.kind in WITHOUT_MESSAGES:
        posts = "its posts are threads" if room.kind in POST_PARENTS else "it holds no messages"
        reason = "; ".join(filter(None, (posts, note)))
        return replace(room, status="no_messages_kind", reason=reason)
    # A thread is judged by its own newest id, never by its parent's.
    if room.last_message_id and room.newest < scope.floor:
        return replace(room, status="out_of_scope", reason="nothing in it since scope.since")
    return replace(room, reason=note)


async def by_id(client: Client, channel_id: str, scope: Scope, found: Survey) -> None:
    """Find a room that no listing names: a DM, or a thread whose parent is out of scope."""
    try:
        channel = asked_for(await client.ask(ask("channel", channel_id=channel_id)), channel_id)
    except DeniedError as denied:
        status = "gone" if denied.is_gone else "forbidden"
        kind = DM if channel_id in scope.facts.dms else 0
        said = f"Discord answers {denied.status} ({denied.code})"
        found.rooms.append(Room(channel_id, None, None, kind, channel_id, None, status, said))
        return
    except UnreachableError as error:
        found.failed.append(f"channel {channel_id}: {error}")
        return
    guild_id = channel.get("guild_id")
    if channel["type"] in {DM, GROUP_DM}:
        found.dms.append(channel)
        found.rooms.append(room_of(channel, None))
        return
    guild = next((g for g in found.guilds if g.guild_id == guild_id), None)
    if guild is None:
        room = replace(room_of(channel, guild_id), status="out_of_scope")
        found.rooms.append(replace(room, reason="its guild is not in scope"))
        return
    guild.listed.add([channel])
    rooms = rooms_of(guild, scope, client.me["id"])
    found.rooms += [room for room in rooms if room.channel_id == channel_id]
