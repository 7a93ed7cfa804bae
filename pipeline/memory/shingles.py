"""
Texts as sets of shingles: five words in a row, each run one 64-bit number.

A word is a run of letters and digits, in any case; in scripts without blanks each sign is a
word. The loops are compiled; the first call of a fresh installation waits for that.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar, cast

import numba
import numpy as np
from numpy.typing import NDArray

F = TypeVar("F", bound=Callable[..., object])


Hashes = NDArray[np.uint64]
Places = NDArray[np.int64]

WORDS = 5
BATCH_CHARACTERS = 4_000_000
BREAK, LETTER, SIGN = 0, 1, 2  # what a character is to a word: none, a part, a word by itself
UNSPACED = ((0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3040, 0x30FF), (0x3400, 0x9FFF),
            (0xF900, 0xFAFF), (0x20000, 0x3FFFF))  # fmt: skip


def compiled(work: F) -> F:
    """Compile a loop at its first call, and keep what was compiled for the next process."""
    return cast("F", numba.njit(cache=True, nogil=True)(work))


@dataclass(frozen=True, slots=True)
class Shingles:
    """The sets of some texts: set number i is `hashes[starts[i]:starts[i + 1]]`, ascending."""

    hashes: Hashes
    starts: Places

    def __len__(self) -> int:
        return len(self.starts) - 1

    def sizes(self) -> Places:
        """Give how many shingles each text has."""
        return np.diff(self.starts)

    def of(self, number: int) -> Hashes:
        """Give the set of one text."""
        return self.hashes[self.starts[number] : self.starts[number + 1]]


def shingle(texts: Sequence[str]) -> Shingles:
    """
    Give the set of each text; one of fewer than five words has one shingle of all of them.

    A text without a word has an empty set.
    """
    return gather(_runs(words, ends) for words, ends in hashed_words(texts))


def gather(made: Iterable[tuple[Hashes, Places]]) -> Shingles:
    """Make sets of slices of hashes, which come as (hashes, where each slice ends)."""
    parts: list[Hashes] = []
    sizes = [np.zeros(1, np.int64)]
    for hashes, ends in made:
        start = 0
        for end in ends.tolist():  # numpy sorts a slice faster than a compiled loop does
            hashes[start:end].sort()
            start = end
        size = _squeeze(hashes, ends)
        parts.append(hashes[: int(size.sum())].copy())
        sizes.append(size)
    return Shingles(
        np.concatenate(parts) if parts else np.empty(0, np.uint64),
        np.cumsum(np.concatenate(sizes)),
    )


def hashed_words(texts: Sequence[str], letters: int = 0) -> Iterator[tuple[Hashes, Places]]:
    """
    Give the hashes of the words of some texts, and where each text ends, a batch at a time.

    With `letters`, only so many letters of a word count, so that its endings do not.
    """
    for batch in batches(texts):
        codes, bounds = code_points(batch)
        yield _hash_words(codes, bounds, classes_of(codes), letters or 1 << 30)


def batches(texts: Sequence[str]) -> Iterator[list[str]]:
    """Give the texts in lower case, as many at a time as keep the arrays small."""
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text.lower())
        size += len(text)
        if size > BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def code_points(texts: Sequence[str]) -> tuple[NDArray[np.uint32], Places]:
    """Lay texts end to end as code points, with a zero behind each; gives where each begins."""
    joined = "\0".join(texts) + "\0"
    codes = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), np.uint32)
    lengths = np.fromiter((len(text) + 1 for text in texts), np.int64, len(texts))
    return codes, np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])


def classes_of(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Say for each code point up to the highest one what it is to a word."""
    seen = np.flatnonzero(np.bincount(codes))
    classes = np.zeros(int(seen[-1]) + 1, np.uint8)
    for code in seen.tolist():
        if any(first <= code <= last for first, last in UNSPACED):
            classes[code] = SIGN if chr(code).isalnum() else BREAK
        elif chr(code).isalnum():
            classes[code] = LETTER
    return classes


@compiled
def mix(value: np.uint64) -> np.uint64:
    """Spread the bits of a number (the finaliser of splitmix64)."""
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


@compiled
def _hash_words(
    codes: NDArray[np.uint32], bounds: Places, classes: NDArray[np.uint8], letters: int
) -> tuple[Hashes, Places]:
    """Give the hash of each word, text after text, and where each text ends."""
    prime, seed = np.uint64(0x100000001B3), np.uint64(0xCBF29CE484222325)
    words = np.empty(len(codes), np.uint64)
    ends = np.empty(len(bounds) - 1, np.int64)
    at = 0
    for text in range(len(bounds) - 1):
        word, size = seed, 0
        for place in range(bounds[text], bounds[text + 1]):
            code = codes[place]
            kind = classes[code]
            if kind == LETTER:
                if size < letters:
                    word = (word ^ np.uint64(code)) * prime
                size += 1
                continue
            if size:
                words[at] = mix(word)
                at += 1
                word, size = seed, 0
            if kind == SIGN:
                words[at] = mix((seed ^ np.uint64(code)) * prime)
                at += 1
        ends[text] = at
    return words[:at].copy(), ends


@compiled
def _runs(words: Hashes, ends: Places) -> tuple[Hashes, Places]:
    """Give the hash of each run of five words; of a shorter text one, of a blank one none."""
    out = np.empty(len(words) + 1, np.uint64)
    out_ends = np.empty(len(ends), np.int64)
    at = start = 0
    for text in range(len(ends)):
        count = ends[text] - start
        width = min(WORDS, count)
        if count:
            for place in range(start, ends[text] - width + 1):
                value = np.uint64(width)
                for step in range(width):
                    value = value * np.uint64(0x9E3779B97F4A7C15) + words[place + step]
                out[at] = mix(value)
                at += 1
        out_ends[text] = at
        start = ends[text]
    return out[:at], out_ends


@compiled
def _squeeze(hashes: Hashes, ends: Places) -> Places:
    """Move each sorted slice to the left without its repeats; gives the sizes that are left."""
    sizes = np.empty(len(ends), np.int64)
    to = start = 0
    for text in range(len(ends)):
        begun = to
        for place in range(start, ends[text]):
            if to == begun or hashes[place] != hashes[to - 1]:
                hashes[to] = hashes[place]
                to += 1
        sizes[text] = to - begun
        start = ends[text]
    return sizes
