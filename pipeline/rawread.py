"""
Raw messages as columns: one channel file at a time, a slice of whole lines at a time.

A slice goes through pyarrow's JSON reader with an explicit schema, so that Python objects are
never made for the 84 % of messages that nobody needs whole. A slice that pyarrow refuses (or
answers in a way that we cannot trust) is read again line by line, see `rawlines`.
Lines end at the newline byte and nowhere else (known-faults B061).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

Kind = Literal["snowflake", "id", "text", "number", "flag", "time", "ids", "texts", "count", "has"]

SLICE_BYTES = 8 << 20  # measured: 4 MB costs 10 % more, 32 MB nothing less and more memory


@dataclass(frozen=True, slots=True)
class Field:
    """Where a column's value lies in a message object, and what it is."""

    path: tuple[str, ...]
    kind: Kind


# `time` is UTC in µs; `ids` are the `id`s of a list of objects; `count` is a list's length;
# `has` says whether the object is there.
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
    "mention_ids": Field(("mentions",), "ids"),
    "role_ids": Field(("mention_roles",), "texts"),
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


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no message: its number in the file (from 1), its first byte, and why."""

    line: int
    offset: int
    reason: str


@dataclass(frozen=True, slots=True)
class Slice:
    """
    Some whole lines of one file as columns, in file order.

    `rows` has the columns asked for, then `offset` and `length` (bytes, newline left out) of
    each row's line. `mended` counts lines that were read only after repair (a lone surrogate,
    invalid UTF-8, a stray control character), `bad` those that were not.
    """

    rows: "pa.Table"
    bad: tuple[BadLine, ...] = ()
    mended: int = 0
    by_line: bool = False


def read_slices(
    path: Path, columns: Sequence[str] = tuple(FIELDS), *, slice_bytes: int = SLICE_BYTES
) -> Iterator[Slice]:
    """
    Read a channel's file slice by slice; memory is that of a few slices.

    Every column but `message_id` may hold null: a key that is absent or null in the object.
    """
    first_line = 1
    for offset, block in blocks(path, slice_bytes):
        starts, lengths = line_bounds(block)
        rows = read_by_arrow(block, len(starts), columns)
        if rows is None:
            from pipeline.rawlines import read_by_line

            yield read_by_line(block, starts, lengths, columns, offset, first_line)
        else:
            yield Slice(_with_places(rows, starts + offset, lengths))
        first_line += len(starts)


def whole_object(line: bytes) -> dict[str, Any]:
    """Decode one line in full; text that is no Unicode becomes U+FFFD (known-faults B062)."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        from pipeline.rawmend import mended_object

        found = mended_object(line)
    if not isinstance(found, dict):
        raise ValueError("the line is no JSON object")
    return found


def blocks(path: Path, slice_bytes: int) -> Iterator[tuple[int, memoryview]]:
    """Cut a file into blocks that end with a newline; the last may lack it."""
    offset = 0
    want = slice_bytes
    with path.open("rb", buffering=0) as file:
        while block := file.read(want):
            end = block.rfind(b"\n") + 1
            if not end and len(block) == want:
                want *= 2  # one line larger than a slice
            else:
                # what stands behind the last newline is read again: cheaper than a copy
                end = end or len(block)
                yield offset, memoryview(block)[:end]
                offset += end
                want = slice_bytes
            file.seek(offset)


def line_bounds(block: memoryview) -> tuple["np.ndarray[Any, Any]", "np.ndarray[Any, Any]"]:
    """Give start and length of every line of a block, newlines left out."""
    import numpy as np

    ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n")).astype(np.int64)
    if block[-1] != ord("\n"):
        ends = np.append(ends, len(block))
    starts = np.concatenate(([0], ends[:-1] + 1)).astype(np.int64)
    return starts, ends - starts


def read_by_arrow(block: memoryview, lines: int, columns: Sequence[str]) -> "pa.Table | None":
    """Read a block with pyarrow; None where it refuses or its rows are not our lines."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    try:
        nested = arrow_json.read_json(
            pa.BufferReader(pa.py_buffer(block)),
            # one thread: two cost a quarter more CPU-seconds for the same rows
            read_options=arrow_json.ReadOptions(use_threads=False, block_size=len(block) + 1),
            parse_options=arrow_json.ParseOptions(
                explicit_schema=_schema(columns), unexpected_field_behavior="ignore"
            ),
        )
        if nested.num_rows != lines:
            return None  # blank lines, or two objects in one: only the line reader can tell
        flat = pa.table({name: _flat(nested, FIELDS[name]) for name in columns})
        flat.validate(full=True)  # pyarrow lets invalid UTF-8 through
    except pa.ArrowInvalid:
        return None
    return None if "message_id" in columns and flat["message_id"].null_count else flat


def _schema(columns: Sequence[str]) -> "pa.Schema":
    """Build the nested schema that holds just these columns."""
    import pyarrow as pa

    text = pa.string()
    nothing = pa.struct([("-", text)])  # a field that no object has: we only ask for presence
    leaf: dict[Kind, Any] = {
        **dict.fromkeys(("snowflake", "id", "text", "time"), text),
        "number": pa.int64(),
        "flag": pa.bool_(),
        "ids": pa.list_(pa.struct([("id", text)])),
        "texts": pa.list_(text),
        "count": pa.list_(nothing),
        "has": nothing,
    }
    tree: dict[str, Any] = {}
    for name in columns:
        *above, last = FIELDS[name].path
        place = tree
        for step in above:
            place = place.setdefault(step, {})
        place[last] = leaf[FIELDS[name].kind]

    def typed(part: Any) -> Any:
        if isinstance(part, dict):
            return pa.struct([(key, typed(below)) for key, below in part.items()])
        return part

    return pa.schema([(key, typed(part)) for key, part in tree.items()])


def _flat(nested: "pa.Table", field: Field) -> "pa.Array":
    """Take one column out of the nested table, in its final type."""
    import pyarrow as pa
    from pyarrow import compute

    column = nested[field.path[0]].combine_chunks()
    for step in field.path[1:]:
        column = compute.struct_field(column, step)
    match field.kind:
        case "snowflake":
            return column.cast(pa.int64())
        case "time":
            return times(column)
        case "ids":
            return id_lists(column)
        case "count":
            return compute.list_value_length(column).fill_null(0)
        case "has":
            return column.is_valid()
    return column


def id_lists(column: "pa.Array") -> "pa.Array":
    """Turn a list of objects into the list of their ids; a null list stays null."""
    import pyarrow as pa

    ids = pa.ListArray.from_arrays(column.offsets, column.values.field("id"))
    return ids if not column.null_count else _null_where(ids, column)


def _null_where(lists: "pa.Array", like: "pa.Array") -> "pa.Array":
    import pyarrow as pa
    from pyarrow import compute

    return compute.if_else(like.is_valid(), lists, pa.scalar(None, lists.type))


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
        from pipeline.rawmend import read_time

        return pa.array([read_time(value) for value in column.to_pylist()], stamp)


def _with_places(
    rows: "pa.Table", starts: "np.ndarray[Any, Any]", lengths: "np.ndarray[Any, Any]"
) -> "pa.Table":
    import pyarrow as pa

    return rows.append_column("offset", pa.array(starts)).append_column("length", pa.array(lengths))
