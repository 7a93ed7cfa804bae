"""
Near-duplicates among texts: every pair whose shingle sets are at least so alike (Jaccard).

Two ways to candidates, one way to decide. `exact` joins on the rarest shingles of each set, as
many as a pair that is alike cannot avoid sharing; the other way asks a MinHash index, whose
bands are chosen for recall. Either way the sets themselves decide, so both give the same pairs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.memory.shingles import Hashes, Places, Shingles, compiled, shingle

PERMUTATIONS = 128
BANDS, ROWS = 32, 4  # a pair at .8 is missed once in twenty millions
SEED = 1
TABLE_BITS = 27  # the largest table of counts: 128 MB


class Near(NamedTuple):
    """Two texts by number, the earlier one first, and how alike their sets are (0 to 1)."""

    first: int
    second: int
    jaccard: float


@dataclass(frozen=True, slots=True)
class Pairs:
    """Pairs as columns, sorted by first and second."""

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    jaccard: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.first)

    def rows(self) -> list[Near]:
        """Give them one by one."""
        columns = (self.first.tolist(), self.second.tolist(), self.jaccard.tolist())
        return [Near(*row) for row in zip(*columns, strict=True)]


class Entries(NamedTuple):
    """Rare shingles in order: whose, its place in that set's order, where its run begins."""

    owners: Places
    positions: Places
    begins: Places


def near_pairs(texts: Sequence[str], threshold: float = 0.8, *, exact: bool = True) -> Pairs:
    """Give every pair of texts with a Jaccard of at least `threshold` over runs of five words."""
    return pairs_among(shingle(texts), threshold, exact=exact)


def pairs_among(sets: Shingles, threshold: float = 0.8, *, exact: bool = True) -> Pairs:
    """Give every pair of sets with a Jaccard of at least `threshold`; empty sets pair with none."""
    first, second = join_rare(sets, threshold) if exact else ask_index(sets)
    jaccard = _jaccards(sets.hashes, sets.starts, first, second)
    kept = jaccard >= threshold
    first, second, jaccard = first[kept], second[kept], jaccard[kept]
    order = np.lexsort((second, first))
    return Pairs(first[order], second[order], jaccard[order])


def join_rare(sets: Shingles, threshold: float) -> tuple[Places, Places]:
    """
    Give the pairs that share one of their rare shingles and are not too unequal in size.

    In one order of all shingles, rare ones first, two sets that are alike must share one of the
    first n - ceil(threshold * n) + 1 of each; counts may be too high where two shingles share a
    bucket, which costs candidates and never a pair.
    """
    bits = min(TABLE_BITS, max(10, (8 * len(sets.hashes)).bit_length()))
    counts = _count(sets.hashes, np.uint64(64 - bits), np.zeros(1 << bits, np.uint8))
    hashes, owners, positions = _rarest(
        sets.hashes, sets.starts, threshold, np.uint64(64 - bits), counts
    )
    del counts
    order = np.argsort(hashes, kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    ordered = hashes[order]
    is_new = np.ones(len(ordered), np.bool_)
    is_new[1:] = ordered[1:] != ordered[:-1]
    begins = np.maximum.accumulate(np.where(is_new, np.arange(len(ordered)), 0))
    ordered_entries = Entries(owners[order], positions[order], begins)
    found = _meet(owners, rank, ordered_entries, sets.sizes(), threshold)
    return found[:, 0].copy(), found[:, 1].copy()


def ask_index(sets: Shingles) -> tuple[Places, Places]:
    """Give the pairs that share a band in a datasketch index; signatures are made in bulk."""
    from datasketch import LeanMinHash, MinHash, MinHashLSH

    a, b = (np.asarray(row, np.uint32) for row in MinHash(PERMUTATIONS, SEED).permutations)
    signatures = _sign(sets.hashes, sets.starts, a, b)
    index = MinHashLSH(num_perm=PERMUTATIONS, params=(BANDS, ROWS))
    for number in np.flatnonzero(sets.sizes()).tolist():
        minhash = LeanMinHash(seed=SEED, hashvalues=signatures[number], scheme="affine32")
        index.insert(number, minhash, check_duplication=False)
    met = {
        pair
        for table in index.hashtables
        for band, held in table.itemcounts().items()
        if held > 1
        for pair in combinations(sorted(table.get(band)), 2)
    }
    pairs = np.array(sorted(met), np.int64).reshape(-1, 2)
    return pairs[:, 0].copy(), pairs[:, 1].copy()


@compiled
def _count(hashes: Hashes, shift: np.uint64, counts: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Count shingles by their highest bits, up to 255."""
    for value in hashes:
        bucket = value >> shift
        if counts[bucket] < 255:
            counts[bucket] += np.uint8(1)
    return counts


@compiled
def _widened(values: Any, room: int) -> Any:
    """Give the same values in an array with more room."""
    wider = np.empty(room, values.dtype)
    wider[: len(values)] = values
    return wider


@compiled
def _rarest(
    hashes: Hashes, starts: Places, threshold: float, shift: np.uint64, counts: NDArray[np.uint8]
) -> tuple[Hashes, Places, Places]:
    """Give for each set those of its rarest shingles that another may have, whose, and where."""
    kept, owners, positions = (
        np.empty(1024, np.uint64),
        np.empty(1024, np.int64),
        np.empty(1024, np.int64),
    )
    used = 0
    for text in range(len(starts) - 1):
        start, end = starts[text], starts[text + 1]
        size = end - start
        wanted = size - np.int64(np.ceil(threshold * size - 1e-9)) + 1
        keys = np.empty(size, np.uint64)
        shared = 0
        for place in range(start, end):
            count = counts[hashes[place] >> shift]
            if count > 1:
                keys[shared] = (np.uint64(count) << np.uint64(40)) | np.uint64(place - start)
                shared += 1
        wanted = min(wanted - (size - shared), shared)
        if wanted <= 0 or size == 0:
            continue
        ordered = np.sort(keys[:shared])
        if used + wanted > len(kept):
            room = 2 * (used + wanted)
            kept, owners = _widened(kept, room), _widened(owners, room)
            positions = _widened(positions, room)
        for number, key in enumerate(ordered[:wanted]):
            kept[used] = hashes[start + np.int64(key & np.uint64(0xFFFFFFFFFF))]
            owners[used] = text
            positions[used] = size - shared + number
            used += 1
    return kept[:used].copy(), owners[:used].copy(), positions[:used].copy()


@compiled
def _meet(
    owners: Places, rank: Places, ordered: Entries, sizes: Places, threshold: float
) -> Places:
    """
    Give each pair of owners that stand in one run of equal shingles, once.

    Where they first meet, what stands behind that place in both must still be enough.
    """
    found = np.empty((1024, 2), np.int64)
    used = 0
    met = np.full(len(sizes), -1, np.int64)
    for entry in range(len(owners)):
        text, place = owners[entry], rank[entry]
        size = sizes[text]
        left = size - ordered.positions[place]
        for other in range(ordered.begins[place], place):
            earlier = ordered.owners[other]
            if met[earlier] == text:
                continue
            met[earlier] = text
            theirs = sizes[earlier]
            if min(size, theirs) < threshold * max(size, theirs) - 1e-9:
                continue
            reachable = min(left, theirs - ordered.positions[other])
            if reachable * (1 + threshold) < threshold * (size + theirs) - 1e-6:
                continue
            if used == len(found):
                wider = np.empty((2 * used, 2), np.int64)
                wider[:used] = found
                found = wider
            found[used, 0], found[used, 1] = earlier, text
            used += 1
    return found[:used]


@compiled
def _jaccards(hashes: Hashes, starts: Places, first: Places, second: Places) -> NDArray[np.float64]:
    """Give the Jaccard of each pair of sets, by merging them."""
    out = np.empty(len(first), np.float64)
    for pair in range(len(first)):
        left, right = starts[first[pair]], starts[second[pair]]
        left_end, right_end = starts[first[pair] + 1], starts[second[pair] + 1]
        sizes = (left_end - left) + (right_end - right)
        shared = 0
        while left < left_end and right < right_end:
            one, other = hashes[left], hashes[right]
            shared += one == other
            left += one <= other
            right += other <= one
        out[pair] = shared / max(1, sizes - shared)
    return out


@compiled
def _sign(
    hashes: Hashes, starts: Places, a: NDArray[np.uint32], b: NDArray[np.uint32]
) -> NDArray[np.uint32]:
    """Give the MinHash signature of each set: the least of a * h + b mod 2^32, for each (a, b)."""
    signatures = np.full((len(starts) - 1, len(a)), 0xFFFFFFFF, np.uint32)
    for text in range(len(starts) - 1):
        signature = signatures[text]
        for place in range(starts[text], starts[text + 1]):
            value = np.uint32(hashes[place])
            for number in range(len(a)):
                moved = np.uint32(a[number] * value + b[number])
                signature[number] = min(signature[number], moved)
    return signatures
