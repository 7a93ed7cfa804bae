"""What a probe stands on: the search index, the talk, the memories, the next context."""

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pipeline.hostwindow import budget_from, recipe_numbers, rules_from
from pipeline.memory.history import COLUMNS
from pipeline.memory.layout import Layout, read_layout
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.search_index import build, lines_of, open_fresh, take_memories
from pipeline.memory.window import NextContext, compose
from pipeline.schemas import CHUNKS, PYRAMID, TRANSCRIPT, TRANSCRIPT_LINES
from pipeline.stage import Context
from stages.probe.scoring import Talk, read_talk

TALK = ["position", "item_id", "message_ids", "body", "kind"]


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that scoring and asking look at; `now` is the owner's local time."""

    db: sqlite3.Connection
    talk: Talk
    layout: Layout
    context: NextContext
    now: datetime


@contextlib.contextmanager
def open_scene(ctx: Context[Any]) -> Iterator[Scene]:
    """Lend the scene of an agent's folder; in a dry run the index is built elsewhere."""
    memories = []
    if ctx.has(PYRAMID):
        with Pyramid(ctx.path(PYRAMID), read_only=True) as pyramid:
            memories = pyramid.memories()
    said = recipe_numbers(ctx.agent)
    layout = read_layout(ctx.read(TRANSCRIPT, COLUMNS), memories, rules_from(ctx.agent, said))
    chunks = ctx.read(CHUNKS, ["chunk_id", "item_ids"])
    rows = (
        row
        for part in ctx.read_parts(TRANSCRIPT, TALK)
        for row in part.iter_rows(named=True)
        if row["kind"] in {"message", "turn"}
    )
    talk = read_talk(rows, chunks.iter_rows(), memories)
    context = compose(layout, budget_from(said, ctx.knobs.budget or None))
    with index(ctx) as db:
        yield Scene(db, talk, layout, context, ctx.now().astimezone(ctx.agent.zone))


@contextlib.contextmanager
def index(ctx: Context[Any]) -> Iterator[sqlite3.Connection]:
    """Lend the search index, brought up to date."""
    if not ctx.dry_run:
        with contextlib.closing(open_fresh(ctx.folder.root)) as db:
            yield db
        return
    with tempfile.TemporaryDirectory(prefix="backfold-") as scratch:
        path = Path(scratch) / "search.sqlite"
        build(path, lines_of(ctx.folder.root / TRANSCRIPT_LINES.path, 0), {})
        with contextlib.closing(sqlite3.connect(path)) as db:
            take_memories(db, ctx.path(PYRAMID))
            yield db
