"""
Columns of raw by pyarrow's JSON reader, with an explicit schema: fast, and strict.

Where it refuses lines, or could have misread one, there is no answer at all, and they are
decoded by hand instead (`rawread`).
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pipeline.rawblocks import Block
from pipeline.rawfields import FIELDS, Field, Kind, times

if TYPE_CHECKING:
    import pyarrow as pa


def read_by_arrow(block: Block, columns: Sequence[str]) -> "pa.Table | None":
    """Read a block of whole lines; None where pyarrow refuses or its rows are not our lines."""
    import pyarrow as pa
    from pyarrow import json as arrow_json

    try:
        nested = arrow_json.read_json(
            pa.BufferReader(pa.py_buffer(block.data)),
            # one thread: two cost a quarter more CPU-seconds for the same rows
            read_options=arrow_json.ReadOptions(use_threads=False, block_size=len(block.data) + 1),
            parse_options=arrow_json.ParseOptions(
                explicit_schema=_schema(tuple(columns)), unexpected_field_behavior="ignore"
            ),
        )
        if nested.num_rows != len(block.starts):
            return None  # two objects in one line, or one that pyarrow skips
        flat = pa.table({name: _flat(nested, FIELDS[name]) for name in columns})
        flat.validate(full=True)  # pyarrow lets invalid UTF-8 through
    except pa.ArrowInvalid:
        return None
    return None if "message_id" in columns and flat["message_id"].null_count else flat


@lru_cache(maxsize=32)
def _schema(columns: tuple[str, ...]) -> "pa.Schema":
    """Build the nested schema that holds just these columns."""
    import pyarrow as pa

    text = pa.string()
    nothing = pa.struct([("-", text)])  # a field that no object has: we only ask for presence
    leaf: dict[Kind, Any] = {
        **dict.fromkeys(("snowflake", "id", "text", "time"), text),
        "number": pa.int64(),
        "flag": pa.bool_(),
        "named": pa.list_(pa.struct([("id", text)])),
        "ids": pa.list_(text),
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
        case "named":
            ids = pa.ListArray.from_arrays(column.offsets, column.values.field("id"))
            if not column.null_count:
                return ids
            return compute.if_else(column.is_valid(), ids, pa.scalar(None, ids.type))
        case "count":
            return compute.list_value_length(column).fill_null(0)
        case "has":
            return column.is_valid()
    return column
