"""The pyramid again as tables, for notebooks."""

from dataclasses import asdict
from typing import Any

from pipeline.memory.pyramid import Pyramid
from pipeline.schemas import CALLS, MEMORIES, PYRAMID, Table
from pipeline.stage import Context


def write_tables(ctx: Context[Any]) -> None:
    """Write memories and calls, where there is a pyramid."""
    if ctx.dry_run or not ctx.has(PYRAMID):
        return
    with Pyramid(ctx.path(PYRAMID), read_only=True) as pyramid:
        memories, calls = pyramid.memories(), pyramid.calls()
    rows = [memory.row() for memory in memories]
    ctx.write(MEMORIES, frame_of(MEMORIES, rows))
    numbered = [asdict(call) | {"call_id": number} for number, call in enumerate(calls, 1)]
    ctx.write(CALLS, frame_of(CALLS, numbered))


def frame_of(table: Table, rows: list[dict[str, Any]]) -> Any:
    """Lay records out as a frame of a table."""
    import polars as pl

    from pipeline.artifacts import dtypes

    schema = dtypes(table)
    return pl.DataFrame(
        {name: [row[name] for row in rows] for name in schema}, schema=schema, strict=False
    )
