"""Count what a real tokenizer makes of the chunks, all of them or an even sample."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.memory.rulers import tokenizer
from pipeline.memory.vocabulary import cache_folder
from stages.segment.cutting import Chunk

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class Counted:
    """The rows of CHUNKS, and by which tokenizer `tokens_exact` was counted (null: none)."""

    chunks: "pl.DataFrame"
    tokenizer: str | None


def count_exactly(
    rows: "pl.DataFrame",
    transcript: "pl.DataFrame",
    chunks: Sequence[Chunk],
    env: Mapping[str, str],
    most_items: int,
) -> Counted:
    """
    Add `tokens_exact`: text alone, by o200k_base if its vocabulary is at hand.

    Where the chunks hold more than `most_items` items, every n-th chunk is counted and the
    others are null; without a vocabulary all are.
    """
    import polars as pl

    counter = tokenizer(cache_folder(env))
    items = sum(len(chunk.places) for chunk in chunks)
    step = max(1, -(-items // most_items)) if most_items else 0
    counts: list[int | None] = [None] * len(chunks)
    if counter.is_exact and step:
        for at in range(0, len(chunks), step):
            texts = transcript["text"].gather(list(chunks[at].places)).to_list()
            counts[at] = sum(counter.count_each(texts))
    return Counted(
        rows.with_columns(tokens_exact=pl.Series(counts, dtype=pl.Int64)),
        counter.label if counter.is_exact else None,
    )
