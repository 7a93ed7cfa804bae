"""
Invented exports in DiscordChatExporter's JSON: every version, its relatives, and their damage.

`document` builds the newest form; `as_of` takes away what an older version did not write;
`normalised` gives the form of the fork with lookup tables; `write_export` writes a file as
its exporter would have, and `write_large` one of any size without holding it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

Object = dict[str, Any]
EPOCH_MS = 1_420_070_400_000
START = datetime(2026, 3, 1, 18, 0, tzinfo=UTC)
GUILD: Object = {"id": "1100000000000000001", "name": "Lantern Yard", "iconUrl": ""}
ROOM: Object = {
    "id": "1200000000000000007",
    "type": "GuildTextChat",
    "categoryId": "1150000000000000001",
    "category": "Rooms",
    "name": "general",
    "topic": None,
}
# Keys by the version that began to write them (spec dce-json, 2f): of the root, of a message.
ROOT_SINCE = {"exportedAt": (2, 40, 1)}
ROW_SINCE = {
    "callEndedTimestamp": (2, 23),
    "mentions": (2, 25),
    "reference": (2, 26),
    "stickers": (2, 33),
    "interaction": (2, 38),
    "inlineEmojis": (2, 44),
    "forwardedMessage": (2, 47),
}
USER_SINCE = {"nickname": (2, 27), "color": (2, 27), "roles": (2, 40, 1)}
ASCII_UNTIL = (2, 26)
NUMBER_UNTIL = (2, 26)


def snowflake(at: datetime, nth: int = 0) -> str:
    """Give an id of Discord's for a time."""
    return str(((round(at.timestamp() * 1000) - EPOCH_MS) << 22) + nth)


def person(number: int, name: str, nickname: str | None = None, **facts: Any) -> Object:
    """Give somebody with a role and a colour; `facts` replace or add keys."""
    role = {"id": "1160000000000000001", "name": "Neighbour", "color": "#3498DB", "position": 1}
    return {
        "id": str(1300000000000000000 + number),
        "name": name,
        "discriminator": "0000",
        "nickname": nickname or name,
        "color": "#3498DB",
        "isBot": False,
        "roles": [role],
        "avatarUrl": "",
        **facts,
    }


MARROW = person(1, "marrow_fox", "Marrow the Fox")
QUILL = person(2, "quill.ink")
TILLY = person(3, "tilly_bot", "Tilly", isBot=True, discriminator="4410")


def row(nth: int, content: str = "", author: Mapping[str, Any] = MARROW, **facts: Any) -> Object:
    """Give the nth message of a room, a minute after the one before; `facts` replace keys."""
    at = START + timedelta(minutes=nth)
    return {
        "id": snowflake(at),
        "type": "Default",
        "timestamp": at.isoformat(),
        "timestampEdited": None,
        "callEndedTimestamp": None,
        "isPinned": False,
        "content": content,
        "author": dict(author),
        "attachments": [],
        "embeds": [],
        "stickers": [],
        "reactions": [],
        "mentions": [],
        "inlineEmojis": [],
        **facts,
    }


def reply(nth: int, to: Mapping[str, Any], content: str, author: Mapping[str, Any]) -> Object:
    """Give a reply to an earlier row."""
    reference = {"type": "Default", "messageId": to["id"], "channelId": ROOM["id"], "guildId": None}
    return row(nth, content, author, type="Reply", reference=reference)


def document(
    rows: Sequence[Mapping[str, Any]],
    *,
    channel: Mapping[str, Any] = ROOM,
    guild: Mapping[str, Any] = GUILD,
    exported_at: str = "2026-08-30T13:52:56.786566+03:00",
    **roots: Any,
) -> Object:
    """Give an export as the newest version writes it; `roots` replace or add root members."""
    return {
        "guild": dict(guild),
        "channel": dict(channel),
        "dateRange": {"after": None, "before": None},
        "exportedAt": exported_at,
        "messages": [dict(one) for one in rows],
        "messageCount": len(rows),
        **roots,
    }


def as_of(version: tuple[int, ...], found: Mapping[str, Any]) -> Object:
    """Give the same export as an older version would have written it."""
    roots = {k: v for k, v in found.items() if version >= ROOT_SINCE.get(k, ())}
    return {**roots, "messages": [_row_as_of(version, one) for one in found["messages"]]}


def _row_as_of(version: tuple[int, ...], one: Mapping[str, Any]) -> Object:
    kept = {k: v for k, v in one.items() if version >= ROW_SINCE.get(k, ())}
    kept["author"] = _user_as_of(version, one["author"], is_author=True)
    if "mentions" in kept:
        kept["mentions"] = [_user_as_of(version, who) for who in one["mentions"]]
    return kept


def _user_as_of(
    version: tuple[int, ...], user: Mapping[str, Any], *, is_author: bool = False
) -> Object:
    kept = {k: v for k, v in user.items() if version >= USER_SINCE.get(k, ())}
    if not is_author and version < NUMBER_UNTIL:
        kept["discriminator"] = int(kept["discriminator"])
    return kept


def normalised(found: Mapping[str, Any]) -> Object:
    """Give the form of the fork that writes people and emoji once, behind the messages."""
    tables = _Lookups()
    head = {k: v for k, v in found.items() if k not in {"messages", "messageCount"}}
    mod = {"normal": True, "extended": False, "splitUsers": False, "reactionUsers": False}
    rows = [tables.slim(one) for one in found["messages"]]
    return {
        "mod": mod,
        **head,
        "messages": rows,
        "users": list(tables.users.values()),
        "roles": list(tables.roles.values()),
        "emojis": list(tables.emojis.values()),
        "stickers": list(tables.stickers.values()),
        "messageCount": len(rows),
    }


@dataclass(slots=True)
class _Lookups:
    """The tables of the normalised form as they fill."""

    users: dict[str, Object] = field(default_factory=dict)
    roles: dict[str, Object] = field(default_factory=dict)
    emojis: dict[str, Object] = field(default_factory=dict)
    stickers: dict[str, Object] = field(default_factory=dict)

    def person(self, user: Mapping[str, Any]) -> str:
        """Put somebody in; gives the id that stands in a row."""
        worn = user.get("roles", [])
        self.roles.update((role["id"], role) for role in worn)
        bare = {k: v for k, v in user.items() if k != "roles"}
        self.users[user["id"]] = {**bare, "roleIds": [role["id"] for role in worn]}
        return str(user["id"])

    def emoji(self, emoji: Mapping[str, Any]) -> str:
        """Put an emoji in; gives its key."""
        key = str(emoji.get("id") or emoji.get("name"))
        self.emojis[key] = {"key": key, **emoji}
        return key

    def slim(self, one: Mapping[str, Any]) -> Object:
        """Give a row with keys where people, emoji and stickers stood."""
        dropped = ("author", "mentions", "stickers", "reactions", "inlineEmojis")
        self.stickers.update((s["id"], s) for s in one["stickers"])
        return {
            **{k: v for k, v in one.items() if k not in dropped},
            "authorId": self.person(one["author"]),
            "mentionIds": [self.person(who) for who in one["mentions"]],
            "stickerIds": [s["id"] for s in one["stickers"]],
            "reactions": [
                {"emojiKey": self.emoji(r["emoji"]), "count": r["count"], "userIds": []}
                for r in one["reactions"]
            ],
            "inlineEmojiKeys": [],
        }


def export_name(found: Mapping[str, Any], part: int = 1) -> str:
    """Give a file the name that its exporter would."""
    guild, channel = found["guild"], found["channel"]
    above = f"{channel['category']} - " if channel.get("category") else ""
    ending = f" [part {part}]" if part > 1 else ""
    name = f"{guild['name']} - {above}{channel['name']} [{channel['id']}]{ending}.json"
    return "".join("_" if char in '<>:"/\\|?*' else char for char in name)


def write_export(
    folder: Path,
    found: Mapping[str, Any],
    *,
    name: str | None = None,
    part: int = 1,
    version: tuple[int, ...] = (2, 48),
    bom: bool = False,
    keep: int | None = None,
) -> Path:
    """
    Write an export into `folder`; gives its path.

    Old versions escape what is not ASCII, later ones do not; `keep` cuts the file behind so
    many bytes, as a killed exporter leaves it.
    """
    text = json.dumps(found, indent=2, ensure_ascii=version < ASCII_UNTIL)
    body = (b"\xef\xbb\xbf" if bom else b"") + text.encode("utf-8", "surrogatepass")
    path = folder / (name or export_name(found, part))
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body[:keep])
    return path


def write_large(path: Path, rows: Iterable[Mapping[str, Any]], found: Mapping[str, Any]) -> int:
    """Write an export row by row, each on one line; gives how many rows there are."""
    head = {k: v for k, v in found.items() if k not in {"messages", "messageCount"}}
    opening = json.dumps(head, indent=2)[:-2]
    count = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        file.write(f'{opening},\n  "messages": [')
        for one in rows:
            file.write(("," if count else "") + "\n    " + json.dumps(one, ensure_ascii=False))
            count += 1
        file.write(f'\n  ],\n  "messageCount": {count}\n}}')
    return count
