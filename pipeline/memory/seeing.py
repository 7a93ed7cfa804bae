"""How an audit comes to see a pyramid: its file and the transcript as one plain `View`."""

from collections.abc import Iterable, Mapping
from datetime import UTC, tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.memory.findings import ClosedChunk, Item, View
from pipeline.memory.pyramid import Pyramid

if TYPE_CHECKING:
    import polars as pl

ITEM_COLUMNS = [
    *("position", "item_id", "kind", "participant", "is_self", "sent_at", "channel_id"),
    *("is_private", "author_id", "author_name", "reply_to_id", "message_ids", "text", "body"),
]
CHUNK_COLUMNS = ["chunk_id", "ordinal", "item_ids", "closed_by"]
STATES = ("counter", "queue", "settings")


def see(
    pyramid: Path,
    items: Iterable[Item] = (),
    closed: Iterable[ClosedChunk] = (),
    *,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    persona: str = "",
    agent: str = "",
    zone: tzinfo = UTC,
    other_names: Iterable[str] = (),
) -> View:
    """Read a pyramid (where there is one) beside what it should stand on."""
    told = {
        "items": tuple(items),
        "closed": tuple(closed),
        "settings": settings or {},
        "persona": persona,
        "agent": agent,
        "zone": zone,
        "other_names": frozenset(other_names),
    }
    if not pyramid.is_file():
        return View(**told)  # type: ignore[arg-type]  # names and kinds as above
    with Pyramid(pyramid, read_only=True) as open_one:
        states = {name: open_one.state(name) for name in STATES}
        return View(
            memories=tuple(open_one.memories()),
            chunks=tuple(open_one.chunks()),
            quarantined=tuple(open_one.quarantined()),
            state={name: value for name, value in states.items() if value is not None},
            **told,  # type: ignore[arg-type]  # names and kinds as above
        )


def items_of(transcript: "pl.DataFrame") -> Iterable[Item]:
    """Read items from rows of the transcript (columns as in ITEM_COLUMNS), in store order."""
    for row in transcript.sort("position").select(ITEM_COLUMNS).iter_rows(named=True):
        yield Item(**row | {"message_ids": tuple(row["message_ids"])})


def closed_of(chunks: "pl.DataFrame") -> Iterable[ClosedChunk]:
    """Read closed chunks from rows of that table (columns as in CHUNK_COLUMNS)."""
    for row in chunks.sort("ordinal").select(CHUNK_COLUMNS).iter_rows(named=True):
        yield ClosedChunk(**row | {"item_ids": tuple(row["item_ids"])})
