"""
What of a raw message its item is made of; the rest of a line is skipped, not decoded.

Most of a line are its authors' ornaments. A part of the wrong kind makes the decoder refuse the
line: it is then decoded whole, and the scribe says what is odd about it.
"""

from collections.abc import Callable
from typing import Any, TypedDict

import msgspec

from pipeline.rawread import shallow_object


class _Person(TypedDict, total=False):
    id: Any
    username: Any
    global_name: Any
    bot: Any


class _Reference(TypedDict, total=False):
    message_id: Any
    type: Any


class _Original(TypedDict, total=False):
    author: _Person | None
    webhook_id: Any
    application_id: Any


class _Spoken(TypedDict, total=False):
    id: Any
    channel_id: Any
    guild_id: Any
    type: Any
    content: Any
    edited_timestamp: Any
    author: _Person | None
    webhook_id: Any
    application_id: Any
    mentions: list[_Person | None] | None
    mention_roles: Any
    message_reference: _Reference | None
    referenced_message: _Original | None
    attachments: Any
    message_snapshots: Any
    embeds: Any
    components: Any


_decode: Callable[[bytes | memoryview], dict[str, Any]] = msgspec.json.Decoder(_Spoken).decode  # type: ignore[assignment]


def spoken_part(line: bytes | memoryview) -> dict[str, Any]:
    """Decode of a message (not nested too deeply) what its item is made of."""
    try:
        return _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return shallow_object(line)
