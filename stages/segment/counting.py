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
    """The rows of CHUNKS, by what they were counted, and a guess where that was not exact."""

    chunks: "pl.DataFrame"
    label: str
    guessed_tokens: int | None = None


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
    if not chunks:
        return Counted(with_counts(rows, []), "nothing to count")
    counter = tokenizer(cache_folder(env))
    items = sum(len(chunk.places) for chunk in chunks)
    step = max(1, -(-items // most_items)) if most_items else 0
    counts: list[int | None] = [None] * len(chunks)
    if not counter.is_exact:
        places = [place for chunk in chunks for place in chunk.places]
        guessed = counter.count_sample(transcript["text"].gather(places).to_list())
        return Counted(with_counts(rows, counts), counter.label, guessed)
    for at in range(0, len(chunks), step) if step else ():
        texts = transcript["text"].gather(list(chunks[at].places)).to_list()
        counts[at] = sum(counter.count_each(texts))
    return Counted(with_counts(rows, counts), counter.label)


def with_counts(rows: "pl.DataFrame", counts: Sequence[int | None]) -> "pl.DataFrame":
    """Add the column `tokens_exact`."""
    import polars as pl

    return rows.with_columns(tokens_exact=pl.Series(counts, dtype=pl.Int64))
