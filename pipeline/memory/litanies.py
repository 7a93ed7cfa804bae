"""
Sentences that come again and again, exact or reworded: families among many sentences.

Equal wordings are grouped first; one sentence of each group is then compared by its words and
pairs of words. The wording that most texts share gathers those that are alike to it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pipeline.memory.dedup import pairs_among
from pipeline.memory.shingles import Hashes, Places, compiled, gather, hashed_words, mix

LETTERS = 5  # of a word that count
LEAST_WORDS = 4
ALIKE = 0.5  # of words and pairs of words: two of twelve words changed still leave .58


@dataclass(frozen=True, slots=True)
class Family:
    """Sentences by number that say the same; `hub` is the wording that most texts share."""

    hub: int
    members: tuple[int, ...]  # ascending, the hub among them


def families_of(
    sentences: Sequence[str], texts: Sequence[int], least: int, alike: float = ALIKE
) -> list[Family]:
    """
    Give the families that stand in at least `least` texts; `texts` numbers each sentence's text.

    Sentences of fewer than four words are in none. The largest family comes first.
    """
    if not sentences:
        return []
    hashed = list(hashed_words(sentences, LETTERS))
    keys, sizes = (np.concatenate(c) for c in zip(*(_keys(*h) for h in hashed), strict=True))
    long = np.flatnonzero(sizes >= LEAST_WORDS)
    _, firsts, group_of = np.unique(keys[long], return_index=True, return_inverse=True)
    firsts = long[firsts]
    order = np.argsort(group_of, kind="stable")
    cuts = [0, *(np.flatnonzero(np.diff(group_of[order])) + 1).tolist(), len(order)]
    ordered = long[order].tolist()
    groups = [ordered[a:b] for a, b in pairwise(cuts)] if ordered else []
    reach = [len({texts[m] for m in group}) if len(group) > 1 else 1 for group in groups]
    near = _neighbours(hashed, firsts, alike)
    return _gather_stars(groups, reach, near, texts, least)


def _neighbours(
    hashed: list[tuple[Hashes, Places]], firsts: Places, alike: float
) -> dict[int, list[int]]:
    """Give for each group the groups whose wording is alike."""
    wanted = np.zeros(sum(len(ends) for _, ends in hashed), np.bool_)
    wanted[firsts] = True
    made, at = [], 0
    for words, ends in hashed:
        made.append(_phrases(words, ends, wanted[at : at + len(ends)]))
        at += len(ends)
    pairs = pairs_among(gather(made), alike)
    # sets come in the order of sentences, groups in the order of their keys
    group_at = np.argsort(firsts)
    near: dict[int, list[int]] = {}
    for one, other in zip(
        group_at[pairs.first].tolist(), group_at[pairs.second].tolist(), strict=True
    ):
        near.setdefault(one, []).append(other)
        near.setdefault(other, []).append(one)
    return near


def _gather_stars(
    groups: list[list[int]],
    reach: list[int],
    near: dict[int, list[int]],
    texts: Sequence[int],
    least: int,
) -> list[Family]:
    """Let each wording, the most shared first, gather what is alike to it and still free."""
    free = set(near) | {number for number, count in enumerate(reach) if count >= least}
    families = []
    for number in sorted(free, key=lambda n: (-reach[n], groups[n][0])):
        if number not in free:
            continue
        taken = [number, *(other for other in near.get(number, ()) if other in free)]
        members = sorted(m for one in taken for m in groups[one])
        if len({texts[m] for m in members}) >= least:
            families.append(Family(groups[number][0], tuple(members)))
            free -= set(taken)
    return sorted(families, key=lambda f: (-len(f.members), f.hub))


@compiled
def _keys(words: Hashes, ends: Places) -> tuple[Hashes, Places]:
    """Give one hash of all words of each text in their order, and how many there are."""
    keys = np.empty(len(ends), np.uint64)
    sizes = np.empty(len(ends), np.int64)
    start = 0
    for text in range(len(ends)):
        key = np.uint64(0)
        for place in range(start, ends[text]):
            key = key * np.uint64(0x9E3779B97F4A7C15) + words[place]
        keys[text] = mix(key)
        sizes[text] = ends[text] - start
        start = ends[text]
    return keys, sizes


@compiled
def _phrases(words: Hashes, ends: Places, wanted: NDArray[np.bool_]) -> tuple[Hashes, Places]:
    """Give the words and pairs of words of the wanted texts."""
    out = np.empty(2 * len(words) + 1, np.uint64)
    out_ends = np.empty(wanted.sum(), np.int64)
    at = start = taken = 0
    for text in range(len(ends)):
        if wanted[text]:
            for place in range(start, ends[text]):
                out[at] = words[place]
                at += 1
                if place > start:
                    out[at] = mix(words[place - 1] * np.uint64(0x9E3779B97F4A7C15) + words[place])
                    at += 1
            out_ends[taken] = at
            taken += 1
        start = ends[text]
    return out[:at].copy(), out_ends
