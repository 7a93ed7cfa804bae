"""Stored messages as rows of transcript, rooms and people; what a store lacks stays blank."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Any

from pipeline.care.storereader_session import Message
from pipeline.errors import SourceError

NOTICES = {"delivery-receipt": "receipt", "routing-notice": "routing", "channel-notice": "channels"}
DELIVERED = re.compile(r"^\[delivered\] plain speech → .*?\((?:[^()]* / )?(discord:[\w:]+)")
UNKNOWN = "unknown"  # a room that the store does not name


def transcript_rows(messages: Sequence[Message], agent: str) -> list[dict[str, Any]]:
    """
    Give one row an item, in store order.

    An item is called by its Discord id where the store knows one and no other item has it,
    else by its id in the store. A turn of the agent's own has no room in a store; the receipt
    behind it names one.
    """
    told = [_metadata(message) for message in messages]
    pairs = zip(messages, told, strict=True)
    rows = [_row(place, message, meta, agent) for place, (message, meta) in enumerate(pairs)]
    times = Counter(row["message_ids"][0] for row in rows if row["message_ids"])
    for row in rows:
        if row["message_ids"] and times[row["message_ids"][0]] == 1:
            row["item_id"] = row["message_ids"][0]
    for before, row in pairwise(rows):  # a receipt ends its turn
        if row["kind"] == "receipt" and before["kind"] == "turn" and before["message_ids"]:
            row["item_id"] = f"{before['item_id']}/receipt"
    _rooms_of_turns(rows)
    return rows


def _row(place: int, message: Message, meta: Mapping[str, Any], agent: str) -> dict[str, Any]:
    channel_id, guild_id = _room(meta)
    told = meta.get("author")
    author = told if isinstance(told, dict) else {}
    tags = meta.get("tags") or ()
    is_self = message.participant == agent
    text = "\n".join(str(b.get("text", "")) for b in message.content if b.get("type") == "text")
    name = author.get("name") or meta.get("authorName")
    is_dm = guild_id is None and channel_id != UNKNOWN
    return {
        "position": place,
        "item_id": message.id,
        "kind": "turn" if is_self else NOTICES.get(str(meta.get("kind")), "message"),
        "participant": message.participant,
        "is_self": is_self,
        "addressed": not is_self
        and (
            bool(meta.get("isMention"))
            or "chat:addressed" in tags
            or (is_dm and bool(meta.get("messageId")))
        ),
        "sent_at": _time(message),
        "edited_at": None,
        "absent_since": None,
        "channel_id": channel_id,
        "guild_id": guild_id,
        "is_private": is_dm or "chat:private" in tags,
        "author_id": _text(author.get("id") or meta.get("authorId")),
        "author_name": agent if is_self else _text(name),
        "message_ids": _message_ids(meta),
        "reply_to_id": _text(meta.get("replyTo")),
        "text": text,
        "body": _body(message, text, name, meta),
        "blocks": [_block(block) for block in message.content],
        "metadata": json.dumps(meta, ensure_ascii=False, sort_keys=True),
    }


def _rooms_of_turns(rows: Sequence[dict[str, Any]]) -> None:
    """Put a turn and its receipt into the room that the receipt names."""
    waiting: list[dict[str, Any]] = []
    for row in rows:
        if row["kind"] == "receipt" and (found := DELIVERED.match(row["text"])):
            channel_id, guild_id = _room({"channelId": found[1]})
            for each in (*waiting, row):
                if each["channel_id"] == UNKNOWN:
                    each["channel_id"], each["guild_id"] = channel_id, guild_id
                    each["is_private"] = guild_id is None
            waiting = []
        elif row["kind"] == "turn":
            waiting.append(row)
        elif row["kind"] == "message":
            waiting = []


def _metadata(message: Message) -> dict[str, Any]:
    meta = message.metadata or {}
    inner = meta.get("external")
    return {**inner, **meta} if isinstance(inner, dict) else meta


def _room(meta: Mapping[str, Any]) -> tuple[str, str | None]:
    """Give room and guild from `discord:GUILD:ROOM` or `discord:dm:ROOM`."""
    told = str(meta.get("channelId") or "")
    parts = told.split(":")
    if len(parts) >= 3 and parts[0] == "discord":
        return parts[2], None if parts[1] == "dm" else parts[1]
    guild = meta.get("guildId")
    return (told, _text(guild)) if told else (UNKNOWN, None)


def _time(message: Message) -> datetime:
    try:
        return datetime.fromtimestamp(message.timestamp / 1_000, UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        raise SourceError(
            f"message {message.id}: its time is {message.timestamp!r}, not milliseconds"
        ) from None


def _message_ids(meta: Mapping[str, Any]) -> list[str]:
    several = meta.get("messageIds")  # a turn that went out as several posts
    if isinstance(several, list):
        return [str(one) for one in several]
    return [str(meta["messageId"])] if meta.get("messageId") else []


def _body(message: Message, text: str, name: Any, meta: Mapping[str, Any]) -> str:
    if isinstance(meta.get("rawContent"), str):
        return str(meta["rawContent"])  # the cleaned body, whatever its name says (wire §8)
    texts = [str(b.get("text", "")) for b in message.content if b.get("type") == "text"]
    said = next((t for t in texts if not t.startswith("[source: ")), text)
    _, mark, body = said.partition(f"{name}: ") if name else ("", "", "")
    return body if mark else said


def _block(block: Mapping[str, Any]) -> dict[str, Any]:
    kind = str(block.get("type"))
    row: dict[str, Any] = dict.fromkeys(("type", "text", "attachment_id", "media_type", "sha256"))
    if kind == "blob_ref" and isinstance(block.get("ref"), dict):
        ref = block["ref"]
        known = {"media_type": _text(ref.get("mediaType")), "sha256": _text(ref.get("hash"))}
        return row | {"type": str(ref.get("originalType") or kind)} | known
    if kind == "text":
        return row | {"type": kind, "text": str(block.get("text", ""))}
    return row | {"type": kind, "text": json.dumps(block, ensure_ascii=False, sort_keys=True)}


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def room_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give one row a room that the items stand in."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        meta = json.loads(row["metadata"])
        room = found.setdefault(
            row["channel_id"],
            dict.fromkeys(("parent_id", "type", "last_raw_id", "name", "guild_name"))
            | {key: row[key] for key in ("channel_id", "guild_id", "is_private")}
            | {"messages": 0, "selected": 0, "raw_bytes": 0, "first_at": row["sent_at"]},
        )
        room["name"] = _text(meta.get("threadName") or meta.get("channelName")) or room["name"]
        room["guild_name"] = _text(meta.get("guildName")) or room["guild_name"]
        room["messages"] += len(row["message_ids"])
        room["selected"] += len(row["message_ids"])
        room["last_at"] = row["sent_at"]
        room["last_raw_id"] = row["message_ids"][-1] if row["message_ids"] else room["last_raw_id"]
    return list(found.values())


def people_rows(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Give one row an author that the store names."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for row in rows:
        if row["author_id"] is None:
            continue
        key = (row["author_id"], row["author_name"] or "")
        person = found.setdefault(
            key,
            {"author_id": key[0], "name": key[1], "person": key[0], "is_self": row["is_self"]}
            | {"is_bot": '"isBot": true' in row["metadata"], "messages": 0, "selected": 0}
            | {"first_at": row["sent_at"]},
        )
        person["messages"] += 1
        person["selected"] += 1
        person["last_at"] = row["sent_at"]
    return list(found.values())
