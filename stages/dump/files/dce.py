"""
Map one row of an export onto a message object of Discord's API, and count what has no place.

The row itself is kept under `dce`, so nothing is lost for good; `dce.rendered` says whether
its text was rendered for reading (true), is Discord's raw text (false), or cannot be told
(null). Ids are never read out of rendered text (known-faults B012).
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from stages.dump.files.parts import (
    attachments,
    components,
    embeds,
    flag_bits,
    reactions,
    stickers,
)
from stages.dump.files.people import is_deleted, is_webhook, user
from stages.dump.files.terms import (
    MESSAGE_TYPES,
    SYSTEM_ROWS,
    UNKNOWN_TYPE,
    LostRow,
    id_text,
    id_time,
    is_snowflake,
    made_id,
    moment,
    objects,
    stable_id,
    time_text,
    type_number,
    words,
)

Object = dict[str, Any]
FORWARD, REPLY, COMMAND, STARTER, MENU = 1, 19, 20, 21, 23
VOICE_FLAG, SNAPSHOT_FLAG = 1 << 13, 1 << 14
ROLE_MENTION = re.compile(r"<@&(\d{15,20})>")
ROLES_OFF = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)  # nothing in code is a mention
CLOCK_SLACK_SECONDS = 2.0


@dataclass(slots=True)
class Export:
    """What the mapping of a row must know of its file."""

    channel_id: str
    guild_id: str | None  # null in a DM
    exported_at: str | None
    rendered: bool | None = None
    speakers: Mapping[str, Object] = field(default_factory=dict)  # by message id: who replies name
    made: Mapping[str, str] = field(default_factory=dict)  # ids that are not Discord's: ours
    tables: "Tables | None" = None  # lookup tables of the normalised form
    lost: Counter[str] = field(default_factory=Counter)
    noted: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Tables:
    """The lookup tables that a fork writes behind the messages (spec dce-json, 2g)."""

    users: Mapping[str, Mapping[str, Any]]
    emojis: Mapping[str, Mapping[str, Any]]
    stickers: Mapping[str, Mapping[str, Any]]
    roles: Mapping[str, Mapping[str, Any]]

    def inline(self, row: Mapping[str, Any]) -> Object:
        """Give a row with people, emoji and stickers written out, as the ordinary form has it."""
        found = dict(row)
        if "author" not in found:
            found["author"] = self._person(row.get("authorId"))
        if "mentions" not in found:
            found["mentions"] = [self._person(key) for key in keys(row, "mentionIds")]
        if "stickers" not in found:
            found["stickers"] = self._stickers(row)
        found["reactions"] = [
            r if "emoji" in r else {**r, "emoji": self.emojis.get(str(r.get("emojiKey")), {})}
            for r in objects(row.get("reactions"))
        ]
        asked = row.get("interaction")
        if isinstance(asked, Mapping) and "user" not in asked:
            found["interaction"] = {**asked, "user": self._person(asked.get("userId"))}
        forwarded = row.get("forwardedMessage")
        if isinstance(forwarded, Mapping) and "stickers" not in forwarded:
            found["forwardedMessage"] = {**forwarded, "stickers": self._stickers(forwarded)}
        return found

    def _person(self, key: object) -> Mapping[str, Any]:
        return self.users.get(str(key)) or {"id": key}

    def _stickers(self, part: Mapping[str, Any]) -> list[Mapping[str, Any]]:
        return [self.stickers.get(str(key), {"id": key}) for key in keys(part, "stickerIds")]


def keys(part: Mapping[str, Any], name: str) -> list[Any]:
    """Give the keys into a lookup table; none where no list stands."""
    found = part.get(name)
    return found if isinstance(found, list) else []


def message(row: Mapping[str, Any], export: Export) -> Object:
    """Give a row as a message object with the row under `dce`; LostRow where it is none."""
    full = export.tables.inline(row) if export.tables else row
    kind = type_number(full.get("type"), MESSAGE_TYPES)
    if kind == UNKNOWN_TYPE:
        export.noted["types that nobody knows"] += 1
    found: Object = {
        **_identity(full, export),
        "channel_id": export.channel_id,
        "type": kind,
        "content": _content(full, kind, export),
        "edited_timestamp": time_text(moment(full.get("timestampEdited"))),
        "pinned": full.get("isPinned") is True,
        "author": _author(full, export),
        "mentions": _mentions(full, export),
        "attachments": attachments(full.get("attachments")),
        "embeds": embeds(full.get("embeds")),
    }
    found |= _webhook(full, export)
    found |= _roles(found["content"], export)
    found |= _reference(full, kind, export)
    found |= _forward(full)
    found |= _extras(full, kind, export)
    found |= _flags(full, found, export)
    _count_losses(full, found, export)
    found["dce"] = {"rendered": export.rendered, "exported_at": export.exported_at, "row": row}
    return found


def sent_at(row: Mapping[str, Any]) -> datetime:
    """Give the time of a row, by its id where its own time cannot be read; or LostRow."""
    if found := moment(row.get("timestamp")):
        return found
    text = id_text(row.get("id"))
    if text and is_snowflake(text) and int(text) >> 22:
        return id_time(text)
    raise LostRow("its time cannot be read")


def message_ids(rows: Mapping[str, datetime]) -> dict[str, str]:
    """Make ids for messages whose own are not Discord's: by time, then by their order."""
    nth: Counter[datetime] = Counter()
    made = {}
    for text, at in rows.items():
        made[text] = made_id(at, nth[at])
        nth[at] += 1
    return made


def message_id(value: object, export: Export) -> str | None:
    """Give the id of a message as raw holds it; null where the value names none."""
    text = id_text(value)
    if text is None or is_snowflake(text):
        return text
    return export.made.get(text)


def _identity(row: Mapping[str, Any], export: Export) -> Object:
    at = sent_at(row)
    own = message_id(row.get("id"), export)
    if own is None:
        raise LostRow("it has no id")
    if id_text(row.get("id")) != own:
        export.noted["ids made, as the file's own are not Discord's"] += 1
    elif abs((id_time(own) - at).total_seconds()) > CLOCK_SLACK_SECONDS:
        export.noted["times that disagree with the id"] += 1
    return {"id": own, "timestamp": time_text(at)}


def _content(row: Mapping[str, Any], kind: int, export: Export) -> str:
    text = row.get("content")
    text = text if isinstance(text, str) else ""
    if kind in SYSTEM_ROWS:
        export.lost["system sentences (the exporter's words, not the author's)"] += bool(text)
        return ""
    if text and export.rendered is not False:
        export.lost["texts that are or may be rendered (mentions, emoji, times as words)"] += 1
    return text


def _author(row: Mapping[str, Any], export: Export) -> Object:
    author = row.get("author")
    if not isinstance(author, Mapping):
        raise LostRow("it has no author")
    if is_deleted(author):
        export.noted["messages of deleted accounts"] += 1
    return user(author, in_guild=export.guild_id is not None)


def _mentions(row: Mapping[str, Any], export: Export) -> list[Object]:
    people = [p for p in objects(row.get("mentions")) if p.get("id")]
    return [user(p, in_guild=export.guild_id is not None) for p in people]


def _webhook(row: Mapping[str, Any], export: Export) -> Object:
    author = row["author"]
    if not is_webhook(author):
        return {}
    export.noted["webhooks, told by their author"] += 1
    return {"webhook_id": stable_id(author.get("id"))}


def _roles(content: str, export: Export) -> Object:
    """List the roles named in raw text; rendered text hides them and is never guessed at."""
    if export.rendered is not False or "<@&" not in content:
        return {}
    return {"mention_roles": [*dict.fromkeys(ROLE_MENTION.findall(ROLES_OFF.sub("", content)))]}


def _reference(row: Mapping[str, Any], kind: int, export: Export) -> Object:
    """Map a reference; an id that is null is left out, and never becomes text (B011)."""
    given = row.get("reference")
    if not isinstance(given, Mapping):
        return {}
    found: Object = {"type": FORWARD if str(given.get("type")) in {"Forward", "1"} else 0}
    target = message_id(given.get("messageId"), export)
    room = stable_id(given.get("channelId"))
    guild = stable_id(given.get("guildId"))
    for name, value in (("message_id", target), ("channel_id", room), ("guild_id", guild)):
        if value is not None and not (name == "guild_id" and value == "0"):
            found[name] = value
    if target is None or found["type"] == FORWARD or kind == STARTER:
        return {"message_reference": found}
    speaker = export.speakers.get(target)
    if speaker is None:
        export.lost["reply targets that are not in the files"] += kind == REPLY
        return {"message_reference": found}
    replied = {"id": target, "channel_id": room or export.channel_id, "author": speaker}
    return {"message_reference": found, "referenced_message": replied}


def _forward(row: Mapping[str, Any]) -> Object:
    given = row.get("forwardedMessage")
    if not isinstance(given, Mapping):
        return {}
    snapshot: Object = {
        "type": 0,
        "content": words(given.get("content")) or "",
        "timestamp": time_text(moment(given.get("timestamp"))),
        "edited_timestamp": time_text(moment(given.get("timestampEdited"))),
        "attachments": attachments(given.get("attachments")),
        "embeds": embeds(given.get("embeds")),
        "sticker_items": stickers(given.get("stickers")),
    }
    return {"message_snapshots": [{"message": snapshot}]}


def _extras(row: Mapping[str, Any], kind: int, export: Export) -> Object:
    found: Object = {}
    if row.get("stickers"):
        found["sticker_items"] = stickers(row["stickers"])
    if row.get("reactions"):
        found["reactions"] = reactions(row["reactions"])
    if isinstance(row.get("components"), list):
        found["components"] = components(row["components"])
    if ended := moment(row.get("callEndedTimestamp")):
        found["call"] = {"participants": [], "ended_timestamp": time_text(ended)}
    asked = row.get("interaction")
    if isinstance(asked, Mapping) and isinstance(asked.get("user"), Mapping):
        who = user(asked["user"], in_guild=export.guild_id is not None)
        own = {"id": stable_id(asked.get("id")), "type": 2, "user": who}
        found["interaction"] = {**own, "name": asked.get("name")}
        found["interaction_metadata"] = own
    elif kind in {COMMAND, MENU}:
        export.lost["commands whose asker the file does not name"] += 1
    return found


def _flags(row: Mapping[str, Any], found: Object, export: Export) -> Object:
    """Give the flags of a fork that writes them, else those that the row itself proves."""
    if isinstance(row.get("flags"), list):
        return {"flags": flag_bits(row["flags"])}
    bits = SNAPSHOT_FLAG if "message_snapshots" in found else 0
    files = found["attachments"]
    if not found["content"] and [f["filename"] for f in files] == ["voice-message.ogg"]:
        export.noted["voice messages, told by their file"] += 1
        bits |= VOICE_FLAG
    return {"flags": bits} if bits else {}


def _count_losses(row: Mapping[str, Any], found: Object, export: Export) -> None:
    shown = ("attachments", "embeds", "sticker_items", "message_snapshots", "components")
    if found["type"] == 0 and not found["content"] and not any(found.get(k) for k in shown):
        export.lost["empty rows (polls, components or withheld text: not in an export)"] += 1
    if row.get("poll"):
        export.lost["polls (kept under dce only)"] += 1
    if any(r.get("users") or r.get("userIds") for r in objects(row.get("reactions"))):
        export.lost["names of those who reacted (kept under dce only)"] += 1
