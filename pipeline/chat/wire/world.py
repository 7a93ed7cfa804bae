"""
Who and where: the names of rooms, guilds, roles and people, gathered once and shared.

Everything per room that a message line or its metadata needs is spelled out here beforehand, so
that a message costs look-ups only. Names may be missing, null or empty; the id stands in (§3).
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from pipeline.chat.text import text_id, whole

Object = Mapping[str, Any]
"""An API object as Discord gave it."""

DM_TYPES = frozenset({1, 3})
THREAD_TYPES = frozenset({10, 11, 12})
WORDLESS_TYPES = frozenset({4, 14, 15, 16})  # categories, directories, forums: nobody speaks there


class Room(msgspec.Struct, frozen=True):
    """A place where messages stand: a channel, a thread, a DM."""

    channel_id: str
    guild_id: str | None
    name: str | None
    guild_name: str | None
    parent_name: str | None
    is_thread: bool
    is_dm: bool
    wire_id: str  # `discord:GUILD:CHANNEL`, `discord:dm:CHANNEL`
    label: str | None  # `#name (Guild)`, `DM: username`
    location: str  # `[#name in Guild] `, `[DM] `, or empty
    parent_location: str  # the same, a thread under its parent
    partner_id: str | None = None  # the other one in a DM
    partner_name: str | None = None


class World(msgspec.Struct, frozen=True):
    """What the adapter knew of its surroundings; ids are text throughout."""

    rooms: Mapping[str, Room]
    guild_names: Mapping[str, str]
    role_names: Mapping[str, Mapping[str, str]]  # guild → role → name
    own_role_ids: frozenset[str]  # the managed roles of the agent's applications
    member_names: Mapping[str, Mapping[str, str]]  # guild → user → nickname, global name, username
    user_names: Mapping[str, str]  # user → global name, else username
    usernames: Mapping[str, str]  # user → username
    self_ids: frozenset[str]  # users, webhooks and applications that are the agent
    shared_room_names: frozenset[str]  # lower-case names that more than one room has
    shared_handles: frozenset[str]  # lower-case names that more than one person goes by

    def room_of(self, message: Object) -> Room:
        """Find the room of a message; one that no table lists has an id and nothing more."""
        channel_id = text_id(message.get("channel_id"))
        room = self.rooms.get(channel_id)
        return room if room is not None else self._unlisted(channel_id, message.get("guild_id"))

    def _unlisted(self, channel_id: str, guild_id: object) -> Room:
        guild = None if guild_id is None else text_id(guild_id)
        return _room({"id": channel_id}, guild, self.guild_names, {})


def username_of(user: Object) -> str:
    """Give a user's or webhook's own name, else the id, else `unknown`."""
    name = user.get("username")
    if name:
        return whole(name)
    found = user.get("id")
    return "unknown" if found is None else text_id(found)


def shown_name(user: Object) -> str:
    """Give what people see of a user outside a guild: global name, else username, else the id."""
    name = user.get("global_name")
    return whole(name) if name else username_of(user)


def build_world(
    *,
    guilds: Iterable[Object] = (),
    channels: Iterable[tuple[object, Object]] = (),
    roles: Iterable[tuple[object, Object]] = (),
    members: Iterable[tuple[object, Object]] = (),
    users: Iterable[Object] = (),
    self_ids: Iterable[str] = (),
) -> World:
    """
    Gather a world from API objects; where an id comes twice the last object wins.

    `channels`, `roles` and `members` are pairs of guild id (None: take the object's own) and
    object, as the side tables of raw hold them. A guild object's `roles` count as well.
    """
    own = frozenset(text_id(one) for one in self_ids)
    guilds = list(guilds)
    guild_names = {text_id(g["id"]): whole(g["name"]) for g in guilds if g.get("name")}
    roles = [*((g["id"], role) for g in guilds for role in g.get("roles") or ()), *roles]
    people = _People()
    for user in users:
        people.add_user(user)
    for guild_id, member in members:
        people.add_member(guild_id, member)
    channels = list(channels)
    rooms = _rooms(channels, guild_names)
    for room in rooms.values():
        if room.partner_id is not None and room.partner_name is not None:
            people.add_partner(room.partner_id, room.partner_name)
    wordless = {text_id(c["id"]) for _, c in channels if c.get("type") in WORDLESS_TYPES}
    spoken = Counter(r.name.lower() for i, r in rooms.items() if r.name and i not in wordless)
    return World(
        rooms=rooms,
        guild_names=guild_names,
        role_names=_role_names(roles),
        own_role_ids=frozenset(text_id(r["id"]) for _, r in roles if _bot_of(r) in own),
        member_names=people.member_names,
        user_names=people.user_names,
        usernames=people.usernames,
        self_ids=own,
        shared_room_names=frozenset(name for name, times in spoken.items() if times > 1),
        shared_handles=people.shared_handles(),
    )


class _People:
    """Names while they are gathered; a handle is anything that `@` may call a person."""

    def __init__(self) -> None:
        self.member_names: dict[str, dict[str, str]] = {}
        self.user_names: dict[str, str] = {}
        self.usernames: dict[str, str] = {}
        self.bearers: dict[str, str | None] = {}  # lower-case handle → its one bearer, None: many

    def add_user(self, user: Object) -> str:
        user_id = text_id(user.get("id"))
        self.user_names[user_id] = shown_name(user)
        self.usernames[user_id] = username_of(user)
        for handle in (user.get("username"), user.get("global_name")):
            self._bear(handle, user_id)
        return user_id

    def add_member(self, guild_id: object, member: Object) -> None:
        user = member.get("user")
        if not user:  # a member without a user names nobody
            return
        user_id = self.add_user(user)
        nick = member.get("nick")
        names = self.member_names.setdefault(text_id(guild_id), {})
        names[user_id] = whole(nick) if nick else shown_name(user)
        self._bear(nick, user_id)

    def add_partner(self, user_id: str, username: str) -> None:
        self.usernames.setdefault(user_id, username)
        self._bear(username, user_id)

    def _bear(self, handle: str | None, user_id: str) -> None:
        if handle:
            key = whole(handle).lower()
            if self.bearers.setdefault(key, user_id) != user_id:
                self.bearers[key] = None

    def shared_handles(self) -> frozenset[str]:
        return frozenset(handle for handle, bearer in self.bearers.items() if bearer is None)


def _bot_of(role: Object) -> str | None:
    bot_id = (role.get("tags") or {}).get("bot_id")
    return None if bot_id is None else text_id(bot_id)


def _role_names(roles: Iterable[tuple[object, Object]]) -> dict[str, dict[str, str]]:
    names: dict[str, dict[str, str]] = {}
    for guild_id, role in roles:
        role_id = text_id(role["id"])
        names.setdefault(text_id(guild_id), {})[role_id] = whole(role.get("name") or role_id)
    return names


def _rooms(
    channels: list[tuple[object, Object]], guild_names: Mapping[str, str]
) -> dict[str, Room]:
    """Spell out every channel in which somebody can speak, and forums too: tokens name them."""
    by_id = {text_id(channel["id"]): channel for _, channel in channels}
    rooms = {}
    for guild_id, channel in channels:
        guild = guild_id if guild_id is not None else channel.get("guild_id")
        room = _room(channel, None if guild is None else text_id(guild), guild_names, by_id)
        rooms[room.channel_id] = room
    return rooms


def _room(
    channel: Object,
    guild_id: str | None,
    guild_names: Mapping[str, str],
    by_id: Mapping[str, Object],
) -> Room:
    channel_id = text_id(channel["id"])
    if channel.get("type") in DM_TYPES:
        return _dm(channel, channel_id)
    name = whole(channel.get("name") or "") or None
    guild_name = guild_names.get(guild_id or "")
    is_thread = channel.get("type") in THREAD_TYPES
    parent_id = channel.get("parent_id")
    parent = by_id.get(text_id(parent_id)) if is_thread and parent_id is not None else None
    parent_name = whole((parent or {}).get("name") or "") or None
    plain = f"#{name}" if name else ""
    nested = f'thread "{name or channel_id}"'
    if parent_name:
        nested = f"#{parent_name} {nested}"
    return Room(
        channel_id=channel_id,
        guild_id=guild_id,
        name=name,
        guild_name=guild_name,
        parent_name=parent_name,
        is_thread=is_thread,
        is_dm=False,
        wire_id=f"discord:{guild_id}:{channel_id}" if guild_id else f"discord:{channel_id}",
        label=(f"#{name} ({guild_name})" if guild_name else f"#{name}") if name else None,
        location=_location(plain, guild_name),
        parent_location=_location(nested if is_thread else plain, guild_name),
    )


def _location(place: str, guild_name: str | None) -> str:
    """Bracket what is known of a place; empty where nothing is (§2.2)."""
    parts = [place] if place else []
    if guild_name:
        parts.append(f"in {guild_name}")
    return f"[{' '.join(parts)}] " if parts else ""


def _dm(channel: Object, channel_id: str) -> Room:
    partner = next(iter(channel.get("recipients") or ()), None)
    name = None if partner is None else username_of(partner)
    partner_id = None if partner is None else partner.get("id")
    return Room(
        channel_id=channel_id,
        guild_id=None,
        name=None,
        guild_name=None,
        parent_name=None,
        is_thread=False,
        is_dm=True,
        wire_id=f"discord:dm:{channel_id}",
        label=None if name is None else f"DM: {name}",
        location="[DM] ",
        parent_location="[DM] ",
        partner_id=None if partner_id is None else text_id(partner_id),
        partner_name=name,
    )
