"""
What of a pyramid still stands once its history is cut anew (design rule 7).

A memory of a chunk stands where a new chunk is the same items with the same texts; a higher one
where all under it stand and still lie side by side. Nothing is lost: what does not stand lies in
the archive that is made first.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import FoldedChunk, Memory

KEPT_BELOW = "kept_below"  # state: memories numbered below it were kept by the last refold


@dataclass(frozen=True, slots=True)
class Kept:
    """What stands: memories by id with their chunk's new record where they are L1s."""

    memories: tuple[Memory, ...]
    chunks: Mapping[str, FoldedChunk]  # by the id of the memory on it


def keep(
    memories: Iterable[Memory], recorded: Iterable[FoldedChunk], fresh: Sequence[FoldedChunk]
) -> Kept:
    """Give the memories that stand on `fresh`, the chunks as they are cut now."""
    new = {chunk.items: chunk for chunk in fresh}
    old = {chunk.chunk_id: chunk for chunk in recorded}
    spans: dict[str, tuple[int, int]] = {}
    chunks: dict[str, FoldedChunk] = {}
    stands: dict[str, Memory] = {}
    for memory in sorted(memories, key=lambda m: (m.level, m.number)):
        if memory.level == 1:
            was = old.get(memory.chunk_id or "")
            now = new.get(was.items) if was else None
            if now is None:
                continue
            chunks[memory.memory_id] = now
            spans[memory.memory_id] = (now.ordinal, now.ordinal)
            stands[memory.memory_id] = replace(memory, chunk_id=now.chunk_id)
        elif span := _joined([spans.get(child_id) for child_id in memory.source_ids]):
            spans[memory.memory_id] = span
            stands[memory.memory_id] = memory
    kept = tuple(
        replace(memory, parent_id=memory.parent_id if memory.parent_id in stands else None)
        for memory in stands.values()
    )
    return Kept(kept, chunks)


def _joined(spans: Sequence[tuple[int, int] | None]) -> tuple[int, int] | None:
    """Join spans that lie side by side; None where one is missing or something lies between."""
    known = [span for span in spans if span is not None]
    if len(known) < len(spans) or not known:
        return None
    if any(after[0] != before[1] + 1 for before, after in pairwise(known)):
        return None
    return known[0][0], known[-1][1]


def kept_below(pyramid: Pyramid) -> int:
    """Give the number below which memories were kept by a refold; 0 where there was none."""
    return int(pyramid.state(KEPT_BELOW) or 0)


def keep_only(pyramid: Pyramid, kept: Kept) -> None:
    """
    Let a pyramid hold what stands and no more, in one step; calls and the counter stay.

    For a copy that has its archive: never for the only file there is.
    """
    revisions = pyramid.revisions()
    with pyramid.step():
        pyramid.set_state(KEPT_BELOW, str(pyramid.counter()))
        pyramid.clear_memories()
        for memory in sorted(kept.memories, key=lambda m: (m.level, m.number)):
            pyramid.accept(replace(memory, parent_id=None), kept.chunks.get(memory.memory_id))
        ids = {memory.memory_id for memory in kept.memories}
        for revision in revisions:
            if revision.memory_id in ids:
                pyramid.add_revision(revision)
