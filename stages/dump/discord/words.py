"""The plan in words: who the bot is, what it may not read and why, what it will cost."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stages.dump.discord.limits import duration
from stages.dump.discord.plan import Forecast, saved_by_joining
from stages.dump.discord.rights import THREADS
from stages.dump.discord.rooms import TO_READ, Room, Scope, Survey
from stages.dump.discord.threads import NO_MANAGE

GUILD_MEMBERS = 1 << 14 | 1 << 15
MESSAGE_CONTENT = 1 << 18 | 1 << 19
ATTACHMENT_WORDS = {
    "none": "none are fetched",
    "text": "text files",
    "images": "images and text files",
    "all": "all files",
}


def intent(application: Mapping[str, Any] | None, flags: int) -> str:
    """Say whether a privileged intent is `on`, `off` or `unknown` (discord-rest §6)."""
    if application is None or not isinstance(application.get("flags"), int):
        return "unknown"
    return "on" if application["flags"] & flags else "off"


def plan_lines(
    me: Mapping[str, Any],
    found: Survey,
    forecasts: Sequence[Forecast],
    scope: Scope,
    seconds: float,
) -> Iterator[str]:
    """Tell the plan, a line at a time."""
    content = intent(found.application, MESSAGE_CONTENT)
    members = intent(found.application, GUILD_MEMBERS)
    yield f"bot       {me.get('username')} ({me['id']})"
    yield f"intents   Message Content {content}, Guild Members {members}"
    yield f"scope     {scope_words(scope)}"
    by_id = {f.room.channel_id: f for f in forecasts}
    for guild in found.guilds:
        yield f"guild     {guild.object.get('name')} ({guild.guild_id})"
        rooms = [room for room in found.rooms if room.guild_id == guild.guild_id]
        yield from room_lines(rooms, by_id)
        if partly := sum(NO_MANAGE in room.reason for room in rooms):
            yield f"  in {partly} of these: {NO_MANAGE}"
    loose = [r for r in found.rooms if r.guild_id not in {g.guild_id for g in found.guilds}]
    yield f"DMs       {dm_words(scope)}"
    yield from room_lines(loose, by_id)
    messages = sum(f.messages for f in forecasts)
    requests = sum(f.requests for f in forecasts)
    yield f"expected  about {messages:,} messages in {requests:,} requests, {duration(seconds)}"
    yield from joining_lines(found, forecasts, scope)


def scope_words(scope: Scope) -> str:
    """Say the time that is in scope."""
    since = scope.facts.since or "the beginning"
    return f"from {since} to {scope.facts.until or 'now'}"


def dm_words(scope: Scope) -> str:
    """Say which DMs can be read at all: those whose ids are known."""
    known = len(scope.facts.dms)
    hint = (
        "Discord lists none to a bot; put channel ids into scope.dms (from the bot's own logs "
        "or database: a message event without guild_id has it), or open them with --open-dm USER_ID"
    )
    return f"{known} known by id" if known else hint


def room_lines(rooms: Sequence[Room], forecasts: Mapping[str, Forecast]) -> Iterator[str]:
    """List channels one by one, and the threads of each in a line."""
    threads = [room for room in rooms if room.kind in THREADS]
    parents = {room.channel_id for room in rooms if room.kind not in THREADS}
    for room in rooms:
        if room.kind in THREADS:
            continue
        yield f"  {room_words(room, forecasts.get(room.channel_id))}"
        under = [t for t in threads if t.parent_id == room.channel_id]
        if under:
            yield f"    {thread_words(under, forecasts)}"
    stray = [t for t in threads if t.parent_id not in parents]
    if stray:
        yield f"  {thread_words(stray, forecasts)}"


def room_words(room: Room, cost: Forecast | None) -> str:
    """Say what happens with one channel."""
    name = f"#{room.name}" if room.guild_id else room.name
    if cost is None or room.status != TO_READ:
        return f"{name:24} {room.status}: {room.reason} ({room.channel_id})"
    note = f" ({room.reason})" if room.reason not in {"", NO_MANAGE} else ""
    if not cost.requests:
        return f"{name:24} up to date{note}"
    return f"{name:24} about {cost.messages:,} messages, {cost.requests:,} requests{note}"


def thread_words(threads: Sequence[Room], forecasts: Mapping[str, Forecast]) -> str:
    """Say what happens with the threads of one channel."""
    costs = [forecasts[t.channel_id] for t in threads if t.channel_id in forecasts]
    left = Counter(t.status + (f": {t.reason}" if t.reason else "") for t in threads
                   if t.status != TO_READ)  # fmt: skip
    said = [f"{len(costs)} to read"] if costs else []
    said += [f"{count} {why}" for why, count in sorted(left.items())]
    requests = sum(c.requests for c in costs)
    return f"{len(threads)} threads or posts: {', '.join(said)}; {requests:,} requests"


def joining_lines(found: Survey, forecasts: Sequence[Forecast], scope: Scope) -> Iterator[str]:
    """Offer the time when the bot joined as a beginning, with what that would save."""
    if scope.facts.since:
        return
    for guild in found.guilds:
        joined = (guild.member or {}).get("joined_at")
        rooms = [f for f in forecasts if f.room.guild_id == guild.guild_id]
        if not joined or not any(f.messages for f in rooms):
            continue
        saved = saved_by_joining(forecasts, guild.guild_id, joined)
        yield (
            f"offer     the bot joined {guild.object.get('name')} at {joined[:19]}Z; "
            f'scope.since = "{joined[:10]}" would save about {saved:,} requests. '
            f"But a bot that was invited again, or a former account of it, spoke before that"
        )


def warning_lines(found: Survey) -> Iterator[str]:
    """Warn of what makes a dump look whole that is not."""
    content = intent(found.application, MESSAGE_CONTENT)
    if content == "off":
        yield (
            "WARNING   the Message Content intent is OFF: what people wrote comes EMPTY, but for "
            "DMs, mentions of the bot and its own posts. Turn it on (Developer Portal → Bot → "
            "Privileged Gateway Intents) and dump into a new raw folder"
        )
    elif content == "unknown":
        yield (
            "WARNING   Discord did not tell whether the Message Content intent is on; if it is "
            "off, what people wrote comes empty"
        )
    for line in found.failed:
        yield f"WARNING   {line}"
