"""Who lives in Otterby and belongs to its lantern club, and where they talk."""

from dataclasses import dataclass
from typing import Any

from pipeline.testing.double.rights import (
    CONNECT,
    MANAGE_THREADS,
    READ_MESSAGE_HISTORY,
    VIEW_CHANNEL,
)

Object = dict[str, Any]
TIMEZONE = "Europe/Amsterdam"
GUILD_ID = "1290000000000000100"
GUILD_NAME = "Otterby Lantern Club"
KEYHOLDER_ROLE, AGENT_ROLE = "1290000000000000141", "1290000000000000142"
LANTERN_EMOJI = "1290000000000000151"
CAPTAIN_HOOK, DESK_HOOK = "1290000000000000161", "1290000000000000162"
LEFT_ID = "1289999999999999999"  # somebody mentioned once whom nobody can name any more


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a Discord account: people, bots, and the agent in both her lives."""

    key: str
    user_id: str
    username: str
    global_name: str | None
    nick: str | None
    short: str  # what the others call them
    tongue: str = "en"
    is_bot: bool = False
    joined: str = "2025-03-01"
    role_ids: tuple[str, ...] = ()
    has_left: bool = False

    def user(self) -> Object:
        """Give the API's user object."""
        user: Object = {
            "id": self.user_id, "username": self.username, "global_name": self.global_name,
            "discriminator": "0042" if self.is_bot else "0", "avatar": None,
            "public_flags": 0, "flags": 0,
        }  # fmt: skip
        return {**user, "bot": True} if self.is_bot else user

    def member(self) -> Object:
        """Give the API's member object."""
        return {
            "user": self.user(), "nick": self.nick, "roles": list(self.role_ids),
            "joined_at": f"{self.joined}T17:00:00.000000+00:00", "flags": 0,
        }  # fmt: skip


def _person(number: int, key: str, username: str, *rest: Any, **more: Any) -> Person:
    return Person(key, f"12910000000000{number:05}", username, *rest, **more)


_KEYS = (KEYHOLDER_ROLE,)
PEOPLE = (
    _person(1, "hanneke", "hanneke.v", "Hanneke", "Hanneke (keys)", "Hanneke", role_ids=_KEYS),
    _person(2, "bram", "bram_oat", "Bram", None, "Bram", role_ids=_KEYS),
    _person(3, "moss", "mosswright", "Moss", "Moss of the accordion", "Moss"),
    _person(4, "juniper", "juniper.k", "Juniper", None, "Juniper", role_ids=_KEYS),
    _person(5, "otto", "otto_lenz", "Otto Lenz", None, "Otto", "de"),
    _person(6, "frieda", "frieda.b", "Frieda", "Frieda am Ofen", "Frieda", "de"),
    _person(7, "kaethe", "kaethe_w", "Käthe", None, "Käthe", "de"),
    _person(8, "yuki", "yuki.tomo", "ゆき", None, "ゆき", "ja"),
    _person(9, "haruto", "haruto_s", "はると", "はると(川守)", "はると", "ja"),
    _person(10, "mei", "mei.akari", "めい", None, "めい", "ja"),
    _person(11, "pell", "pell", None, None, "Pell"),
    _person(12, "sorrel", "sorrel_d", "Sorrel", "Sorrel 🌿", "Sorrel"),
    _person(13, "quill", "captain.quill", "Quill", None, "Quill"),
    _person(14, "ines", "ines.mar", "Inês", None, "Inês"),
    _person(15, "dov", "dov_r", "Dov", "Dov (paper cupboard)", "Dov"),
    _person(16, "wren", "wren.ash", "Wren", None, "Wren", joined="2026-06-30"),
    _person(17, "tamsin", "tamsin_h", "Tamsin", None, "Tamsin"),
    _person(18, "lukas", "lukas_b", "Lukas", None, "Lukas", "de"),
    _person(19, "aoi", "aoi.n", "あおい", None, "あおい", "ja", joined="2026-07-08"),
    _person(20, "gideon", "gideon_p", "Gideon", None, "Gideon", has_left=True),
    _person(21, "luckydrop", "luckydrop_88", "LUCKY DROP", None, "luckydrop", has_left=True),
)
AGENT = _person(
    51, "tilly", "tilly", "Tilly", None, "Tilly", is_bot=True, joined="2026-07-06",
    role_ids=(AGENT_ROLE,),
)  # fmt: skip
FORMER = _person(52, "tilly_before", "tilly-alpha", None, None, "Tilly", is_bot=True, has_left=True)
BOTS = (
    _person(61, "weathercock", "Weathercock", None, None, "Weathercock", is_bot=True),
    _person(62, "ledgerline", "Ledgerline", None, None, "Ledgerline", is_bot=True),
    _person(63, "bellringer", "Bellringer", None, None, "Bellringer", is_bot=True),
)
EVERYBODY = {p.key: p for p in (*PEOPLE, AGENT, FORMER, *BOTS)}

SPEAKERS = {
    tongue: [p.key for p in PEOPLE if p.tongue == tongue and p.key not in {"luckydrop", "gideon"}]
    for tongue in ("en", "de", "ja")
}


@dataclass(frozen=True, slots=True)
class Room:
    """A channel of the guild, with what @everyone is denied there."""

    name: str
    channel_id: str
    kind: int
    denied: int = 0
    opened_to: tuple[str, ...] = ()
    topic: str | None = None

    def channel(self, position: int) -> Object:
        """Give the API's channel object."""
        overwrites = [{"id": GUILD_ID, "type": 0, "allow": "0", "deny": str(self.denied)}]
        for role in self.opened_to:
            allow = str(VIEW_CHANNEL | READ_MESSAGE_HISTORY)
            overwrites.append({"id": role, "type": 0, "allow": allow, "deny": "0"})
        channel: Object = {
            "id": self.channel_id, "type": self.kind, "name": self.name, "guild_id": GUILD_ID,
            "position": position, "parent_id": None if self.kind == 4 else ROOMS[0].channel_id,
            "permission_overwrites": overwrites if self.denied else [], "nsfw": False,
        }  # fmt: skip
        if self.kind != 4:
            channel |= {"topic": self.topic, "last_message_id": None, "rate_limit_per_user": 0}
        if self.kind == 15:
            channel |= {"available_tags": [], "default_forum_layout": 1}
        return channel


def _room(number: int, name: str, kind: int, *rest: Any, **more: Any) -> Room:
    return Room(name, f"12900000000000{number:05}", kind, *rest, **more)


_INNER = (KEYHOLDER_ROLE, AGENT_ROLE)
ROOMS = (
    _room(200, "the club", 4),
    _room(201, "notice-board", 5, topic="What everybody should know"),
    _room(202, "workbench", 0, topic="Paper, wire, glue. Tilly keeps the log"),
    _room(203, "riverside", 0, topic="Everything that is not a lantern"),
    _room(204, "werkstatt", 0, topic="Auf Deutsch"),
    _room(205, "提灯の間", 0, topic="日本語で"),
    _room(206, "lantern-hall", 2),
    _room(207, "bot-corner", 0),
    _room(208, "keyholders", 0, VIEW_CHANNEL, _INNER, "Stays in here"),
    _room(209, "committee", 0, VIEW_CHANNEL, (KEYHOLDER_ROLE,)),
    _room(210, "old-archive", 0, READ_MESSAGE_HISTORY),
    _room(211, "quiet-room", 2, CONNECT),
    _room(213, "swap-shelf", 0, topic="Give, lend, find. Tilly listens elsewhere"),
    _room(212, "patterns", 15, topic="One post for each pattern"),
)
BY_NAME = {room.name: room for room in ROOMS}
DMS = {
    "hanneke": "1290000000000000301",
    "moss": "1290000000000000302",
    "yuki": "1290000000000000303",
}


def guild() -> Object:
    """Give the guild object with roles, channels, members and emojis; threads are added later."""
    plain = VIEW_CHANNEL | READ_MESSAGE_HISTORY | CONNECT
    keys = plain | MANAGE_THREADS
    roles = [
        {"id": GUILD_ID, "name": "@everyone", "permissions": str(plain), "position": 0},
        {"id": KEYHOLDER_ROLE, "name": "keyholders", "permissions": str(keys), "position": 2},
        {
            "id": AGENT_ROLE, "name": "Tilly", "permissions": str(plain), "position": 1,
            "managed": True, "tags": {"bot_id": AGENT.user_id},
        },
    ]  # fmt: skip
    present = [p for p in (*PEOPLE, AGENT, *BOTS) if not p.has_left]
    return {
        "id": GUILD_ID, "name": GUILD_NAME, "icon": None, "features": ["COMMUNITY"],
        "owner_id": EVERYBODY["hanneke"].user_id, "roles": roles,
        "emojis": [{"id": LANTERN_EMOJI, "name": "lantern", "animated": False, "roles": []}],
        "stickers": [], "channels": [room.channel(n) for n, room in enumerate(ROOMS)],
        "threads": [], "members": [p.member() for p in present],
    }  # fmt: skip


PERSONA = """\
You are Tilly, the workshop companion of the Otterby Lantern Club.

You keep the lamp log: who made what, what was borrowed, how high the river stands, how many
lanterns hang on the rack. You count things, herons included, and you like people to be exact and
kind at once. You speak in plain, calm sentences with a dry little joke now and then; you answer
German in German and Japanese in Japanese. You call the kettle Bertram. Only
Hanneke calls you wick.

You promised on your first evening: I keep the lamp log until the last boat is in. You keep that.
What is told to you in a direct message, among the keyholders or in a closed thread stays there.
"""
