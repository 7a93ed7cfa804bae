"""Lay recorded chunks first, cut what is left, and spell the result as rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from pipeline.errors import StageError
from pipeline.memory.folding import (
    Cut,
    Record,
    Stretch,
    Windows,
    close_chunks,
    open_places,
    windows,
)
from pipeline.memory.history import History, source_digest, spell

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Chunk:
    """A closed chunk: its id, its place among the others, its items' places, why it closed."""

    chunk_id: str
    ordinal: int
    places: Sequence[int]
    closed_by: str


@dataclass(frozen=True, slots=True)
class Cutting:
    """A history cut: head and tail, the chunks in store order, and the places still open."""

    zone: Windows
    chunks: list[Chunk]
    open: list[int]


def cut_history(history: History, cut: Cut, records: Sequence[Record] = ()) -> Cutting:
    """
    Cut a history; `records` are the chunks that memories stand on, in store order.

    A record is its items, whatever the knobs say now. Where ordinals leave a hole, the chunks
    in quarantine lie there, and must come out as they were. StageError where anything else
    lies before the last record in no chunk, or an item of a record is gone.
    """
    held = _lay(history, records)
    owned = frozenset(chain.from_iterable(chunk.places for chunk in held))
    zone = windows(history, cut, owned)
    last = max(owned, default=-1)
    loose = range(min(zone.head_end, min(owned, default=0)), last)
    holes = [place for place in loose if place not in owned]
    chunks = [*held, *_fill_holes(history, cut, held, records, holes)]
    fresh = open_places(zone, owned)
    if owned:
        fresh = [place for place in fresh if place > last]
    stretches = close_chunks(history, fresh, cut)
    number = max((int(chunk.chunk_id.rpartition("-")[2]) for chunk in chunks), default=-1)
    ordinal = max((chunk.ordinal for chunk in chunks), default=-1)
    for more, stretch in enumerate(stretches, 1):
        chunks.append(_chunk(f"c-{number + more}", ordinal + more, stretch))
    end = stretches[-1].last if stretches else -1
    chunks.sort(key=lambda chunk: chunk.ordinal)
    return Cutting(zone, chunks, [place for place in fresh if place > end])


def _chunk(chunk_id: str, ordinal: int, stretch: Stretch) -> Chunk:
    return Chunk(chunk_id, ordinal, range(stretch.first, stretch.last + 1), stretch.closed_by)


def _lay(history: History, records: Sequence[Record]) -> list[Chunk]:
    """Find the items of every record; all of them must still be there."""
    place = {item_id: at for at, item_id in enumerate(history.item_ids)} if records else {}
    chunks = []
    for record in records:
        if gone := [item_id for item_id in record.item_ids if item_id not in place]:
            raise StageError(
                f"{record.chunk_id}: item {gone[0]} is no longer in the transcript, but "
                f"{_memories(record)} on it; set the knobs of curate back, or plan a --refold"
            )
        places = [place[item_id] for item_id in record.item_ids]
        chunks.append(Chunk(record.chunk_id, record.ordinal, places, record.closed_by))
    return chunks


def _fill_holes(
    history: History,
    cut: Cut,
    held: Sequence[Chunk],
    records: Sequence[Record],
    loose: Sequence[int],
) -> list[Chunk]:
    """Cut again what lies between records: as many chunks as ordinals are missing there."""
    filled: list[Chunk] = []
    before, start = -1, 0
    for chunk, record in zip(held, records, strict=True):
        end = start
        while end < len(loose) and loose[end] < chunk.places[-1]:
            end += 1
        between = loose[start:end]
        stretches = close_chunks(history, between, cut)
        done = stretches[-1].last if stretches else -1
        if rest := [place for place in between if place > done]:
            stretches.append(Stretch(rest[0], rest[-1], "seam"))
        if len(stretches) != chunk.ordinal - before - 1:
            raise StageError(_says_moved(history, between, chunk, record))
        for ordinal, stretch in enumerate(stretches, before + 1):
            filled.append(_chunk(f"c-{ordinal}", ordinal, stretch))
        before, start = chunk.ordinal, end
    return filled


def _says_moved(history: History, between: Sequence[int], chunk: Chunk, record: Record) -> str:
    what = (
        f"{len(between)} items from {history.item_ids[between[0]]} on lie"
        if between
        else "a chunk in quarantine lay"
    )
    return (
        f"{what} before {chunk.chunk_id}, which is folded ({_memories(record)} on it), and do not "
        f"come out as they were; set the knobs of curate and segment back, or plan a --refold"
    )


def _memories(record: Record) -> str:
    named = ", ".join(record.memory_ids)
    return f"{named} stands" if len(record.memory_ids) == 1 else f"{named or 'memories'} stand"


def spell_chunks(
    transcript: "pl.DataFrame",
    history: History,
    chunks: Sequence[Chunk],
    parts: "Iterable[pl.DataFrame]",
) -> "pl.DataFrame":
    """
    Give one row per chunk as CHUNKS declares them, but for `tokens_exact`.

    `parts` are the transcript's items and blocks, which need not all be in memory at once.
    """
    import polars as pl

    places = [place for chunk in chunks for place in chunk.places]
    named = pl.DataFrame(
        {
            "chunk_id": [chunk.chunk_id for chunk in chunks],
            "ordinal": [chunk.ordinal for chunk in chunks],
            "closed_by": [chunk.closed_by for chunk in chunks],
        },
        schema={"chunk_id": pl.String, "ordinal": pl.Int64, "closed_by": pl.String},
    )
    owners = [at for at, chunk in enumerate(chunks) for _ in chunk.places]
    items = transcript.with_columns(
        tokens_chunk=pl.Series(history.chunk_tokens, dtype=pl.Int64),
        tokens_store=pl.Series(history.store_tokens, dtype=pl.Int64),
    )[places].with_columns(ordinal=named["ordinal"].gather(owners))
    rows = items.group_by("ordinal", maintain_order=True).agg(
        item_ids=pl.col("item_id"),
        first_position=pl.col("position").first(),
        last_position=pl.col("position").last(),
        started_at=pl.col("sent_at").first(),
        ended_at=pl.col("sent_at").last(),
        messages=pl.len().cast(pl.Int64),
        own_turns=pl.col("is_self").sum().cast(pl.Int64),
        tokens_chunk=pl.col("tokens_chunk").sum(),
        tokens_store=pl.col("tokens_store").sum(),
        rooms=pl.col("channel_id").unique(maintain_order=True),
        private_share=pl.col("is_private").mean(),
    )
    return named.join(rows, on="ordinal", how="left").with_columns(
        source_digest=pl.Series(_digests(chunks, parts), dtype=pl.String)
    )


def _digests(chunks: Sequence[Chunk], parts: "Iterable[pl.DataFrame]") -> list[str]:
    """Hash what the agent reads of each chunk, letting go of each as soon as it is whole."""
    owner = {place: at for at, chunk in enumerate(chunks) for place in chunk.places}
    digests = [""] * len(chunks)
    held: dict[int, dict[int, str]] = {}
    start = 0
    for part in parts:
        for place, item in enumerate(spell(part).to_list(), start):
            at = owner.get(place)
            if at is None:
                continue
            own = held.setdefault(at, {})
            own[place] = item
            if len(own) == len(chunks[at].places):
                digests[at] = source_digest(own[one] for one in chunks[at].places)
                del held[at]
        start += part.height
    return digests
