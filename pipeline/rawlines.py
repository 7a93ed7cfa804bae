"""
Raw messages as columns, line by line: the careful way, for a slice that pyarrow refuses.

Each line is decoded into a slim record; what is no message is named and counted, and the lines
around it are read all the same. Columns are built in Arrow, lists from flat values and offsets:
polars columns from nested Python lists cost twice as much (spec performance, part 1).
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.rawmend import mended_object
from pipeline.rawread import FIELDS, BadLine, Slice, times

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

Id = str | int
HIGHEST_ID = 2**63 - 1


class _Named(msgspec.Struct, frozen=True, gc=False):
    """An object of which only the id matters."""

    id: Id | None = None


class Author(msgspec.Struct, frozen=True, gc=False):
    """Who wrote a message."""

    id: Id | None = None
    username: str | None = None
    bot: bool | None = None


class Reference(msgspec.Struct, frozen=True, gc=False):
    """Which message another one answers, pins or forwards."""

    message_id: Id | None = None
    type: int | None = None


class _Replied(msgspec.Struct, frozen=True, gc=False):
    author: _Named | None = None


class _Thing(msgspec.Struct, frozen=True, gc=False):
    """An object of which only its presence matters."""


class _Message(msgspec.Struct, frozen=True, gc=False):
    """What selection needs of a message; every other key is skipped."""

    id: Id
    channel_id: Id | None = None
    type: int | None = None
    flags: int | None = None
    content: str | None = None
    timestamp: str | None = None
    edited_timestamp: str | None = None
    author: Author | None = None
    webhook_id: Id | None = None
    application_id: Id | None = None
    mentions: list[_Named | None] | None = None
    mention_roles: list[Id | None] | None = None
    message_reference: Reference | None = None
    referenced_message: _Replied | None = None
    attachments: list[_Thing | None] | None = None
    message_snapshots: list[_Thing | None] | None = None
    embeds: list[_Thing | None] | None = None
    components: list[_Thing | None] | None = None
    sticker_items: list[_Thing | None] | None = None
    poll: _Thing | None = None


_NOBODY = Author()
_NOWHERE = Reference()
_decoder = msgspec.json.Decoder(_Message)
GROUP_LINES = 512  # decoded in one call; only a group with a bad line is taken apart


@dataclass(slots=True)
class _Found:
    """Messages of a block, with the number of each one's line; and what was no message."""

    first_line: int
    messages: list[_Message] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    mended: int = 0

    def add(self, other: "_Found") -> None:
        """Take what was found in further lines."""
        self.messages += other.messages
        self.lines += other.lines
        self.bad += other.bad
        self.mended += other.mended


def read_by_line(
    block: memoryview,
    starts: "np.ndarray[Any, Any]",
    lengths: "np.ndarray[Any, Any]",
    columns: Sequence[str],
    offset: int,
    first_line: int,
) -> Slice:
    """Read a block's lines; name those that are no message. Blank lines are nothing."""
    import numpy as np
    import pyarrow as pa

    found = _Found(first_line)
    begins, sizes = starts.tolist(), lengths.tolist()
    for first in range(0, len(begins), GROUP_LINES):
        last = min(first + GROUP_LINES, len(begins))
        group = _group(block[begins[first] : begins[last - 1] + sizes[last - 1]])
        if group is not None and len(group) == last - first:
            found.messages += group
            found.lines += range(first, last)
            continue
        careful = careful_lines(block, starts, lengths, range(first, last), offset, first_line)
        found.add(careful)
    kept = np.array(found.lines, np.int64)
    table = pa.table({name: _column(name, found.messages) for name in columns})
    table = table.append_column("offset", pa.array(starts[kept] + offset))
    table = table.append_column("length", pa.array(lengths[kept]))
    return Slice(table, tuple(found.bad), found.mended, by_line=True)


def careful_lines(
    block: memoryview,
    starts: "np.ndarray[Any, Any]",
    lengths: "np.ndarray[Any, Any]",
    numbers: range,
    offset: int,
    first_line: int,
) -> _Found:
    """Decode some lines of a block one by one, each after repair if it must be."""
    found = _Found(first_line)
    for number in numbers:
        start = int(starts[number])
        line = block[start : start + int(lengths[number])]
        _read_line(line, number, offset + start, found)
    return found


def _group(lines: memoryview) -> list[_Message] | None:
    """Decode lines in one call; None where one of them needs a closer look."""
    import pyarrow as pa
    from pyarrow import compute

    try:
        messages = _decoder.decode_lines(lines)
        ids = pa.array([m.id for m in messages], pa.string()).cast(pa.int64())
    except (msgspec.DecodeError, UnicodeDecodeError, pa.ArrowInvalid, pa.ArrowTypeError):
        return None
    lowest = compute.min(ids).as_py()
    return messages if lowest is None or lowest >= 0 else None


def _read_line(line: memoryview, number: int, offset: int, found: _Found) -> None:
    """Decode one line, after repair if it must be."""
    try:
        try:
            message = _decoder.decode(line)
        except msgspec.ValidationError:
            raise
        except (msgspec.DecodeError, UnicodeDecodeError):
            if not bytes(line).strip():
                return
            message = msgspec.convert(mended_object(bytes(line)), _Message)
            found.mended += 1
        _check_id(message.id)
    except ValueError as error:  # msgspec's and json's errors are ValueErrors
        found.bad.append(BadLine(found.first_line + number, offset, _reason(error)))
        return
    found.messages.append(message)
    found.lines.append(number)


def _check_id(value: Id) -> None:
    """Raise ValueError unless this is a decimal id that fits 64 bits."""
    if isinstance(value, str) and not (value.isascii() and value.isdigit()):
        raise ValueError("its id is not decimal digits")
    if not 0 <= int(value) <= HIGHEST_ID:
        raise ValueError("its id does not fit 64 bits")


def _reason(error: ValueError) -> str:
    """Say what is wrong with a line, without quoting it."""
    if isinstance(error, json.JSONDecodeError):
        return f"no JSON: {error.msg} at character {error.pos + 1}"
    return str(error)


def _column(name: str, messages: list[_Message]) -> "pa.Array":
    """Build one column from the records, in the type that `rawread` gives it."""
    import pyarrow as pa

    values = _VALUES[name](messages)
    match FIELDS[name].kind:
        case "snowflake":
            return pa.array(list(map(int, values)), pa.int64())
        case "id":
            return _texts(values)
        case "text":
            return pa.array(values, pa.string())
        case "number":
            return _numbers(values)
        case "time":
            return times(pa.array(values, pa.string()))
        case "ids" | "texts":
            return _id_lists(values)
        case "count":
            return pa.array([len(value) if value else 0 for value in values], pa.int32())
    return pa.array(values, pa.bool_())


def _numbers(values: list[int | None]) -> "pa.Array":
    """Build a number column; flags beyond 63 bits mean nothing to us and are cut off."""
    import pyarrow as pa

    try:
        return pa.array(values, pa.int64())
    except OverflowError:
        return pa.array([v if v is None else v & HIGHEST_ID for v in values], pa.int64())


def _texts(values: list[Id | None]) -> "pa.Array":
    import pyarrow as pa

    try:
        return pa.array(values, pa.string())
    except (pa.ArrowInvalid, pa.ArrowTypeError):  # some ids are numbers (known-faults B024)
        return pa.array([None if value is None else str(value) for value in values], pa.string())


def _id_lists(lists: list[list[Any] | None]) -> "pa.Array":
    """Build a list column of ids from flat values and offsets."""
    import numpy as np
    import pyarrow as pa

    flat = [
        item.id if isinstance(item, _Named) else item for items in lists for item in items or ()
    ]
    offsets = np.zeros(len(lists) + 1, np.int32)
    np.cumsum([len(items or ()) for items in lists], out=offsets[1:])
    missing = pa.array([items is None for items in lists])
    return pa.ListArray.from_arrays(pa.array(offsets), _texts(flat), mask=missing)


_VALUES: dict[str, Callable[[list[_Message]], list[Any]]] = {
    "message_id": lambda ms: [m.id for m in ms],
    "channel_id": lambda ms: [m.channel_id for m in ms],
    "type": lambda ms: [m.type for m in ms],
    "flags": lambda ms: [m.flags for m in ms],
    "content": lambda ms: [m.content for m in ms],
    "sent_at": lambda ms: [m.timestamp for m in ms],
    "edited_at": lambda ms: [m.edited_timestamp for m in ms],
    "author_id": lambda ms: [(m.author or _NOBODY).id for m in ms],
    "author_name": lambda ms: [(m.author or _NOBODY).username for m in ms],
    "is_bot": lambda ms: [(m.author or _NOBODY).bot for m in ms],
    "webhook_id": lambda ms: [m.webhook_id for m in ms],
    "application_id": lambda ms: [m.application_id for m in ms],
    "mention_ids": lambda ms: [m.mentions for m in ms],
    "role_ids": lambda ms: [m.mention_roles for m in ms],
    "reply_to_id": lambda ms: [(m.message_reference or _NOWHERE).message_id for m in ms],
    "reference_type": lambda ms: [(m.message_reference or _NOWHERE).type for m in ms],
    "replied_author_id": lambda ms: [_replied(m.referenced_message) for m in ms],
    "attachments": lambda ms: [m.attachments for m in ms],
    "snapshots": lambda ms: [m.message_snapshots for m in ms],
    "embeds": lambda ms: [m.embeds for m in ms],
    "components": lambda ms: [m.components for m in ms],
    "stickers": lambda ms: [m.sticker_items for m in ms],
    "has_poll": lambda ms: [m.poll is not None for m in ms],
}


def _replied(message: _Replied | None) -> Id | None:
    return message.author.id if message and message.author else None
