"""
Near-duplicates among 10,000 memories of 600 words, from text to pairs, against plain datasketch.

The peer is datasketch as its documentation shows it: a MinHash of 128 permutations over five-word
strings, hashed by xxh32, in an index at .8 with its default weights. Truth is the exact Jaccard,
on Python sets, of all pairs that were copied from one another.
"""

import random
import resource
from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import combinations
from pathlib import Path

from pipeline.memory.dedup import near_pairs
from pipeline.testing.bench import Row, median_cost

DOCUMENTS = 10_000
THRESHOLD = 0.8
Pair = tuple[int, int]


def rows() -> Iterable[Row]:
    """Give cost, recall and precision of both ways, and the memory."""
    texts, families = copied_texts(DOCUMENTS, seed=1)
    truth = true_pairs(texts, families)
    near_pairs(texts[:50])  # compiles
    near_pairs(texts[:50], exact=False)
    started = high_water()
    yield Row("near-duplicates: pairs at .8 or above", len(truth), None, "pairs", None, "")
    peer = median_cost(lambda: plain_datasketch(texts))
    found = plain_datasketch(texts)
    yield Row("… recall of plain datasketch", recall(found, truth), None, "share", None, "")
    for name, exact, bar in (("exact join", True, 4.0), ("MinHash index", False, 2.0)):
        ours = median_cost(way(texts, exact=exact))
        said = f"≥ {bar:.0f} ×"
        yield Row(f"… {name}", ours, peer, "CPU s", peer / ours, said, peer / ours >= bar)
        pairs = near_pairs(texts, THRESHOLD, exact=exact)
        found = set(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))
        right = found == truth
        yield Row(f"… {name}: recall", recall(found, truth), None, "share", None, "1", right)
        yield Row(f"… {name}: precision", recall(truth, found), None, "share", None, "1", right)
    grown = (high_water() - started) / 1024
    yield Row(
        "… memory above the texts, both ways", grown, None, "MB", None, "≤ 1,024", grown < 1024
    )


def way(texts: list[str], *, exact: bool) -> Callable[[], object]:
    """Give one of our two ways, ready to be timed."""
    return lambda: near_pairs(texts, THRESHOLD, exact=exact)


def recall(found: set[Pair], truth: set[Pair]) -> float:
    """Give the share of `truth` that was found."""
    return len(found & truth) / max(1, len(truth))


def plain_datasketch(texts: list[str]) -> set[Pair]:
    """Find pairs as datasketch's documentation does."""
    from datasketch import MinHash, MinHashLSH
    from xxhash import xxh32_intdigest

    index = MinHashLSH(threshold=THRESHOLD, num_perm=128)
    found = set()
    made = MinHash.generator(map(grams_as_bytes, texts), num_perm=128, hashfunc=xxh32_intdigest)
    for number, minhash in enumerate(made):
        found |= {(earlier, number) for earlier in index.query(minhash)}
        index.insert(number, minhash)
    return found


def grams_as_bytes(text: str) -> set[bytes]:
    """Give the runs of five words as datasketch wants them."""
    words = text.split()
    return {" ".join(words[at : at + 5]).encode() for at in range(len(words) - 4)}


def copied_texts(count: int, seed: int) -> tuple[list[str], list[int]]:
    """
    Write texts of 300 to 900 words; 6 % are copies with some words changed.

    Gives the texts and, for each, the number of the text that all its kin go back to.
    """
    chance = random.Random(seed)  # noqa: S311 - invented texts
    vocabulary = [f"{'bcdfgklmnprst'[n % 13]}{'aeiou'[n % 5]}{n:x}" for n in range(30_000)]
    weights = [1 / (n + 3) for n in range(len(vocabulary))]
    total = 0.0
    cumulative = [total := total + weight for weight in weights]
    stock = [" ".join(chance.choices(vocabulary, k=12)) for _ in range(60)]
    texts: list[str] = []
    families: list[int] = []
    for number in range(count):
        if number and chance.random() < 0.06:
            source = chance.randrange(number)
            rate = chance.uniform(0.002, 0.15)
            words = [
                chance.choice(vocabulary) if chance.random() < rate else word
                for word in texts[source].split()
            ]
            families.append(families[source])
        else:
            words = chance.choices(vocabulary, cum_weights=cumulative, k=chance.randint(300, 900))
            families.append(number)
        if chance.random() < 0.3:
            words += chance.choice(stock).split()
        texts.append(" ".join(words))
    return texts, families


def true_pairs(texts: list[str], families: list[int]) -> set[Pair]:
    """Give the pairs of kin whose sets of five-word runs are alike enough."""
    kin: dict[int, list[int]] = defaultdict(list)
    for number, family in enumerate(families):
        kin[family].append(number)
    found = set()
    for members in kin.values():
        if len(members) > 1:
            sets = {number: grams_of(texts[number]) for number in members}
            for one, other in combinations(members, 2):
                shared = len(sets[one] & sets[other])
                if shared >= THRESHOLD * (len(sets[one]) + len(sets[other]) - shared):
                    found.add((one, other))
    return found


def grams_of(text: str) -> set[tuple[str, ...]]:
    """Give the runs of five words of a text."""
    words = text.split()
    return {tuple(words[at : at + 5]) for at in range(len(words) - 4)}


def high_water() -> float:
    """Give the most memory that this process has had, in kilobytes."""
    status = Path("/proc/self/status")
    if status.is_file():
        line = next(x for x in status.read_text("ascii").splitlines() if x.startswith("VmHWM"))
        return float(line.split()[1])
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
