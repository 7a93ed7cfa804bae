"""What raw knows besides messages: names, rooms with scope and privacy, kept files."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.care.candidates import candidates
from pipeline.chat.wire import KeptImage, KeptText, Outcome, World, build_world
from pipeline.config import Agent, ScopeFacts, moment
from pipeline.errors import UsageError
from pipeline.raw import Envelope, Raw
from stages.curate.judge import Room

DM_TYPES = (1, 3)
PRIVATE_THREAD = 12
THREAD_TYPES = (10, 11, 12)
VIEW_CHANNEL = 1 << 10
ADMINISTRATOR = 1 << 3
INTENT_OFF = "off"
MOST_TEXT_BYTES = 1 << 20  # far above any inline cap: more is never shown


@dataclass(frozen=True, slots=True)
class Place:
    """A room as the tables tell it."""

    channel_id: str
    guild_id: str | None
    name: str | None
    guild_name: str | None
    parent_id: str | None
    type: int | None
    is_dm: bool
    is_private: bool
    outside: str | None  # why it lies outside the scope


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Everything that raw knows besides messages."""

    world: World
    places: Mapping[str, Place]
    is_withheld: bool  # the Message Content intent was off when raw was fetched
    absent_since: Mapping[tuple[str, str], str]
    kept: Mapping[str, Mapping[str, Any]]  # attachment id → its newest row with bytes
    raw: Raw

    def outcome(self, attachment_id: str) -> Outcome | None:
        """Give what came of an attachment's fetch; None where its bytes are not kept."""
        row = self.kept.get(attachment_id)
        if row is None:
            return None
        path = self.raw.attachment_path(str(row["sha256"]))
        if not path.is_file():
            return None
        media_type = str(row.get("content_type") or "").lower()
        if media_type.startswith("image/"):
            return KeptImage(media_type, str(row["sha256"]), row.get("bytes"))
        with path.open("rb") as file:
            return KeptText(file.read(MOST_TEXT_BYTES))


def look_around(raw: Raw, agent: Agent, room_ids: list[str]) -> Surroundings:
    """Read the side tables of raw; rooms that no table lists have an id and nothing more."""
    guilds = raw.envelopes("guilds")
    channels = raw.envelopes("channels")
    roles = raw.envelopes("roles")
    own_ids = own_ids_of(agent, raw)
    world = build_world(
        guilds=[e.object for e in guilds.values()],
        channels=[(e.guild_id, e.object) for e in channels.values()],
        roles=[(e.guild_id, e.object) for e in roles.values()],
        members=[(e.guild_id, e.object) for e in raw.envelopes("members").values()],
        users=[e.object for e in raw.envelopes("users").values()],
        self_ids=own_ids,
    )
    by_id = {str(e.object.get("id")): e for e in channels.values()}
    everyone = _everyone(guilds, roles)
    places = {i: _place(i, by_id, world, everyone, agent.scope) for i in room_ids}
    return Surroundings(
        world=world,
        places=places,
        is_withheld=raw.read_manifest().get("message_content") == INTENT_OFF,
        absent_since={
            (str(row["channel_id"]), str(row["message_id"])): str(row["absent_since"])
            for row in raw.rows("absences")
        },
        kept={
            str(row["attachment_id"]): row
            for row in raw.rows("attachments")
            if row.get("state") == "kept" and row.get("sha256")
        },
        raw=raw,
    )


def own_ids_of(agent: Agent, raw: Raw) -> frozenset[str]:
    """
    Give every id that is the agent: users, webhooks, applications.

    Where [self] names none it is the bot whose token dumped; where no bot did, nobody is
    guessed: the error offers who speaks in raw.
    """
    named = (*agent.self.users, *agent.self.webhooks, *agent.self.applications)
    bot = raw.read_manifest().get("bot") or {}
    own = named or ((str(bot["id"]),) if bot.get("id") else ())
    if not own:
        offered = "; ".join(candidate.line() for candidate in candidates(raw, at_most=5))
        raise UsageError(
            f"curate: who is the agent? put its ids into [self] of agent.toml "
            f"(candidates: {offered or 'nobody speaks in raw'})"
        )
    return frozenset(own)


def room_to_judge(place: Place, agent: Agent, *, is_withheld: bool) -> Room:
    """Give what judging needs of a room."""
    since = moment(agent.scope.since, "scope.since")
    until = moment(agent.scope.until, "scope.until")
    return Room(
        channel_id=place.channel_id,
        is_dm=place.is_dm,
        outside=place.outside,
        since_ms=round(since.timestamp() * 1000) if since else None,
        until_ms=round(until.timestamp() * 1000) if until else None,
        is_withheld=is_withheld,
    )


def _place(
    channel_id: str,
    by_id: Mapping[str, Envelope],
    world: World,
    everyone: Mapping[str, int],
    scope: ScopeFacts,
) -> Place:
    envelope = by_id.get(channel_id)
    channel: Mapping[str, Any] = envelope.object if envelope else {}
    guild_id = _text(channel.get("guild_id")) or (envelope.guild_id if envelope else None)
    is_dm = channel.get("type") in DM_TYPES
    room = world.rooms.get(channel_id)
    above = _above(channel, by_id)
    return Place(
        channel_id=channel_id,
        guild_id=None if is_dm else guild_id,
        name=room.partner_name if room and is_dm else (room.name if room else None),
        guild_name=world.guild_names.get(guild_id or ""),
        parent_id=_text(channel.get("parent_id")),
        type=channel.get("type"),
        is_dm=is_dm,
        is_private=is_dm or _is_hidden(channel, by_id, guild_id, everyone),
        outside=_outside(channel_id, above, guild_id, scope, is_dm=is_dm),
    )


def _above(channel: Mapping[str, Any], by_id: Mapping[str, Envelope]) -> list[str]:
    """List what a room hangs under: a thread's parent, that one's category."""
    found: list[str] = []
    parent_id = _text(channel.get("parent_id"))
    while parent_id and parent_id not in found:
        found.append(parent_id)
        parent = by_id.get(parent_id)
        parent_id = _text(parent.object.get("parent_id")) if parent else None
    return found


def _outside(
    channel_id: str, above: list[str], guild_id: str | None, scope: ScopeFacts, *, is_dm: bool
) -> str | None:
    """Say why a room lies outside the scope; a DM belongs to no guild and to no list of rooms."""
    family = {channel_id, *above}
    if family & set(scope.leave_out_channels):
        return "outside the scope: room left out"
    if is_dm:
        listed = {*scope.channels, *scope.dms}
        return "outside the scope: room" if scope.channels and channel_id not in listed else None
    if scope.guilds and guild_id is not None and guild_id not in scope.guilds:
        return "outside the scope: guild"
    if scope.channels and not family & set(scope.channels):
        return "outside the scope: room"
    return None


def _everyone(guilds: Mapping[Any, Envelope], roles: Mapping[Any, Envelope]) -> dict[str, int]:
    """Give what @everyone may do in each guild; its role has the guild's id."""
    found = {}
    nested = [
        (str(e.object.get("id")), role)
        for e in guilds.values()
        for role in e.object.get("roles") or ()
    ]
    for guild_id, role in [*nested, *((e.guild_id, e.object) for e in roles.values())]:
        if guild_id is not None and str(role.get("id")) == guild_id:
            found[guild_id] = int(role.get("permissions") or 0)
    return found


def _is_hidden(
    channel: Mapping[str, Any],
    by_id: Mapping[str, Envelope],
    guild_id: str | None,
    everyone: Mapping[str, int],
) -> bool:
    """Say whether @everyone cannot view a room; threads see what their parent lets them see."""
    kind = channel.get("type")
    if kind == PRIVATE_THREAD:
        return True
    if kind in THREAD_TYPES:
        parent = by_id.get(_text(channel.get("parent_id")) or "")
        return parent is not None and _is_hidden(parent.object, by_id, guild_id, everyone)
    rights = everyone.get(guild_id or "", VIEW_CHANNEL)
    if rights & ADMINISTRATOR:
        return False
    for overwrite in channel.get("permission_overwrites") or ():
        if str(overwrite.get("id")) == guild_id:
            rights &= ~int(overwrite.get("deny") or 0)
            rights |= int(overwrite.get("allow") or 0)
    return not rights & VIEW_CHANNEL


def _text(value: object) -> str | None:
    return None if value is None else str(value)
