"""The columns that can be had of raw messages: where each value lies, and what it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from pipeline.rawlines import Author, Id, Named, Original, Reference, Thing
from pipeline.rawmend import read_time

if TYPE_CHECKING:
    import pyarrow as pa

Kind = Literal["snowflake", "id", "text", "number", "flag", "time", "named", "ids", "count", "has"]


@dataclass(frozen=True, slots=True)
class Field:
    """Where a column's value lies in a message object, and what it is."""

    path: tuple[str, ...]
    kind: Kind


# `time` is UTC in µs; `named` are the ids of a list of objects, `ids` a list of ids; `count` is a
# list's length; `has` says whether the object is there.
FIELDS: Mapping[str, Field] = {
    "message_id": Field(("id",), "snowflake"),
    "channel_id": Field(("channel_id",), "id"),
    "type": Field(("type",), "number"),
    "flags": Field(("flags",), "number"),
    "content": Field(("content",), "text"),
    "sent_at": Field(("timestamp",), "time"),
    "edited_at": Field(("edited_timestamp",), "time"),
    "author_id": Field(("author", "id"), "id"),
    "author_name": Field(("author", "username"), "text"),
    "is_bot": Field(("author", "bot"), "flag"),
    "webhook_id": Field(("webhook_id",), "id"),
    "application_id": Field(("application_id",), "id"),
    "mention_ids": Field(("mentions",), "named"),
    "role_ids": Field(("mention_roles",), "ids"),
    "reply_to_id": Field(("message_reference", "message_id"), "id"),
    "reference_type": Field(("message_reference", "type"), "number"),
    "replied_author_id": Field(("referenced_message", "author", "id"), "id"),
    "attachments": Field(("attachments",), "count"),
    "snapshots": Field(("message_snapshots",), "count"),
    "embeds": Field(("embeds",), "count"),
    "components": Field(("components",), "count"),
    "stickers": Field(("sticker_items",), "count"),
    "has_poll": Field(("poll",), "has"),
}
_THINGS = list[Thing | None] | None
TYPES: Mapping[str, Any] = {
    "channel_id": Id | None,
    "type": int | None,
    "flags": int | None,
    "content": str | None,
    "timestamp": str | None,
    "edited_timestamp": str | None,
    "author": Author | None,
    "webhook_id": Id | None,
    "application_id": Id | None,
    "mentions": list[Named | None] | None,
    "mention_roles": list[Id | None] | None,
    "message_reference": Reference | None,
    "referenced_message": Original | None,
    "attachments": _THINGS,
    "message_snapshots": _THINGS,
    "embeds": _THINGS,
    "components": _THINGS,
    "sticker_items": _THINGS,
    "poll": Thing | None,
}


def times(column: "pa.Array") -> "pa.Array":
    """
    Read ISO times with any offset and 0 to 9 digits of fraction as UTC in µs.

    A value that is no time becomes null (known-faults B064): the snowflake holds the time too.
    """
    import pyarrow as pa

    stamp = pa.timestamp("us", "UTC")
    try:
        return column.cast(stamp)
    except pa.ArrowInvalid:
        return pa.array([read_time(value) for value in column.to_pylist()], stamp)
