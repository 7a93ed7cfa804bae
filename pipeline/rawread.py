"""
Raw messages as columns: one channel file at a time, a slice of whole lines at a time.

A slice goes through pyarrow's JSON reader, without the lines that are no whole objects: those are
looked at one by one. What pyarrow refuses even so is decoded, some hundred lines in one call, into
records that hold just what the columns ask for; columns are then built in Arrow, lists from
flat values and offsets: polars columns from nested Python lists cost twice as much (spec
performance, part 1).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.rawarrow import read_by_arrow
from pipeline.rawblocks import Block, block_of, blocks, deep_lines, odd_lines, without
from pipeline.rawfields import FIELDS, TYPES, Field, times
from pipeline.rawlines import HIGHEST_ID, BadLine, Found, Id, Named, decode, decode_some
from pipeline.rawmend import TOO_DEEP, is_too_deep, mended_object

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    Array = np.ndarray[Any, Any]

TABLE_BYTES = 8 << 20  # measured: 4 MB costs 10 % more, 32 MB nothing less and more memory


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


def read_slices(
    path: Path, columns: Sequence[str] = tuple(FIELDS), *, slice_bytes: int = TABLE_BYTES
) -> Iterator[Slice]:
    """
    Read a channel's file slice by slice; memory is that of a few slices.

    Every column but `message_id` may hold null: a key that is absent or null in the object.
    """
    import pyarrow as pa

    for block in blocks(path, slice_bytes):
        rows, found = _read_block(block, columns)
        offset, length = found.places(block)
        rows = rows.append_column("offset", pa.array(offset))
        yield Slice(rows.append_column("length", pa.array(length)), tuple(found.bad), found.mended)


def _read_block(block: Block, columns: Sequence[str]) -> "tuple[pa.Table, Found]":
    """Read a block as columns; gives them with the lines that they are, and those that are bad."""
    import numpy as np
    import pyarrow as pa

    decoder = _decoder(tuple(columns))
    odd = odd_lines(block)
    rows = read_by_arrow(without(block, odd), columns) if len(odd) < len(block.starts) else None
    if rows is None:
        found = decode(block, decoder)
        return _table(found, columns), found
    found = decode_some(block, decoder, odd)
    lines = np.concatenate((np.delete(np.arange(len(block.starts)), odd), found.lines))
    if found.records:  # some lines are only oddly written: they stand behind the others so far
        order = np.argsort(lines, kind="stable")
        rows = pa.concat_tables([rows, _table(found, columns)]).take(order)
        lines = lines[order]
    return rows, replace(found, lines=lines)


def read_lines(
    lines: Sequence[bytes | memoryview], columns: Sequence[str]
) -> "tuple[pa.Table, Array]":
    """
    Read some lines as columns; gives the table and which line each row is.

    A line that is no message, or nested too deep, has no row.
    """
    if not lines:
        lines = [b""]  # a blank line is nothing
    block = block_of(memoryview(b"\n".join(lines) + b"\n"))
    if deep := frozenset(deep_lines(block)):
        return read_lines([b"" if n in deep else one for n, one in enumerate(lines)], columns)
    found = decode(block, _decoder(tuple(columns)))
    return _table(found, columns), found.lines


def whole_object(line: bytes | memoryview) -> dict[str, Any]:
    """
    Decode one line in full; text that is no Unicode becomes U+FFFD (known-faults B062).

    ValueError where the line is no JSON object, or nested too deeply.
    """
    if is_too_deep(line):
        raise ValueError(TOO_DEEP)
    return shallow_object(line)


def shallow_object(line: bytes | memoryview) -> dict[str, Any]:
    """Decode one line in full that is known not to be nested too deeply."""
    try:
        found = msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        found = mended_object(bytes(line))
    if not isinstance(found, dict):
        raise ValueError("the line is no JSON object")
    return found


@lru_cache(maxsize=32)
def _decoder(columns: tuple[str, ...]) -> "msgspec.json.Decoder[Any]":
    """Make a decoder whose records hold what these columns need, and the id."""
    keys = {FIELDS[name].path[0] for name in columns}
    fields: list[Any] = [
        ("id", Id),
        *((key, kind, None) for key, kind in TYPES.items() if key in keys),
    ]
    return msgspec.json.Decoder(msgspec.defstruct("Message", fields, frozen=True, gc=False))


def _table(found: Found, columns: Sequence[str]) -> "pa.Table":
    import pyarrow as pa

    tops: dict[str, list[Any]] = {}
    return pa.table({name: _column(found, FIELDS[name], tops) for name in columns})


def _column(found: Found, field: Field, tops: dict[str, list[Any]]) -> "pa.Array":
    """Build one column from the records; `tops` keeps what several columns lie below."""
    import pyarrow as pa

    if field.kind == "snowflake":
        return pa.array(found.ids)
    values = _values(found.records, field.path, tops)
    match field.kind:
        case "id":
            return _ids(values)
        case "text":
            return pa.array(values, pa.string())
        case "number":
            return _numbers(values)
        case "time":
            return times(pa.array(values, pa.string()))
        case "named" | "ids":
            return _id_lists(values)
        case "count":
            return pa.array([len(value) if value else 0 for value in values], pa.int32())
        case "has":
            return pa.array([value is not None for value in values], pa.bool_())
    return pa.array(values, pa.bool_())


def _values(records: list[Any], path: tuple[str, ...], tops: dict[str, list[Any]]) -> list[Any]:
    """Take what lies at a path of each record; null where a step of it is null."""
    first, *deeper = path
    values = tops.get(first)
    if values is None:
        values = tops[first] = list(map(attrgetter(first), records))
    for step in deeper:
        take = attrgetter(step)
        try:
            values = list(map(take, values))
        except AttributeError:  # some are null
            values = [None if one is None else take(one) for one in values]
    return values


def _numbers(values: list[int | None]) -> "pa.Array":
    """Build a number column; flags beyond 63 bits mean nothing to us and are cut off."""
    import pyarrow as pa

    try:
        return pa.array(values, pa.int64())
    except OverflowError:
        return pa.array([v if v is None else v & HIGHEST_ID for v in values], pa.int64())


def _ids(values: list[Id | None]) -> "pa.Array":
    """Build an id column; some producers write ids as numbers (known-faults B024)."""
    import pyarrow as pa

    try:
        return pa.array(values, pa.string())
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())


def _id_lists(lists: list[list[Any] | None]) -> "pa.Array":
    """Build a list column of ids from flat values and offsets; a null list stays null."""
    import numpy as np
    import pyarrow as pa

    flat = [one.id if isinstance(one, Named) else one for items in lists if items for one in items]
    offsets = np.zeros(len(lists) + 1, np.int32)
    np.cumsum([len(items) if items else 0 for items in lists], out=offsets[1:])
    missing = pa.array([items is None for items in lists], pa.bool_())
    return pa.ListArray.from_arrays(pa.array(offsets), _ids(flat), mask=missing)
