"""Count what a real tokenizer makes of the chunks, all of them or an even sample."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.memory.rulers import Tokenizer, tokenizer
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
    parts: "Iterable[pl.DataFrame]",
    chunks: Sequence[Chunk],
    env: Mapping[str, str],
    most_items: int,
) -> Counted:
    """
    Add `tokens_exact`: text alone, by o200k_base if its vocabulary is at hand.

    Where the chunks hold more than `most_items` items, every n-th chunk is counted and the
    others are null; without a vocabulary all are. `parts` are the transcript's texts.
    """
    if not chunks:
        return Counted(with_counts(rows, []), "nothing to count")
    counter = tokenizer(cache_folder(env))
    items = sum(len(chunk.places) for chunk in chunks)
    step = max(1, -(-items // most_items)) if most_items else 0
    counts: list[int | None] = [None] * len(chunks)
    if not counter.is_exact:
        guessed = guess(counter, chunks, parts)
        return Counted(with_counts(rows, counts), counter.label, guessed)
    owner = {place: at for at in range(0, len(chunks), step or 1) for place in chunks[at].places}
    if not step:
        owner = {}
    for place, text in texts_at(owner, parts):
        at = owner[place]
        counts[at] = (counts[at] or 0) + counter.count(text)
    return Counted(with_counts(rows, counts), counter.label)


def guess(
    counter: Tokenizer, chunks: Sequence[Chunk], parts: "Iterable[pl.DataFrame]", most: int = 2_000
) -> int:
    """Count an even sample of at most `most` of the chunks' items, scaled up by length."""
    places = [place for chunk in chunks for place in chunk.places]
    wanted, sample = frozenset(places), frozenset(places[:: max(1, -(-len(places) // most))])
    length = counted = taken = 0
    for place, text in texts_at(wanted, parts):
        length += len(text)
        if place in sample:
            taken += len(text)
            counted += counter.count(text)
    return round(counted * length / max(1, taken))


def texts_at(
    places: Container[int], parts: "Iterable[pl.DataFrame]"
) -> "Iterator[tuple[int, str]]":
    """Give the texts at these places of the transcript, in its order."""
    start = 0
    for part in parts:
        for place, text in enumerate(part["text"], start):
            if place in places:
                yield place, text
        start += part.height


def with_counts(rows: "pl.DataFrame", counts: Sequence[int | None]) -> "pl.DataFrame":
    """Add the column `tokens_exact`."""
    import polars as pl

    return rows.with_columns(tokens_exact=pl.Series(counts, dtype=pl.Int64))
