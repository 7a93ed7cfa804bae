"""
Litanies among 200,000 sentences of 10,000 memories, against datasketch over the same sentences.

Of the sentences 4 % are one of 80 stock sentences with other case and stops, 3 % the same with one
or two words changed. The peer makes a MinHash of 64 permutations over runs of three words, hashed
by xxh32, and an index at .5, as is usual for sentences.
"""

import random
from collections.abc import Iterable

from pipeline.memory.litanies import families_of
from pipeline.testing.bench import Row, median_cost

MEMORIES, EACH = 10_000, 20


def rows() -> Iterable[Row]:
    """Give cost and recall of both."""
    sentences, texts, planted = stock_among(MEMORIES, EACH, seed=1)
    families_of(sentences[:100], texts[:100], 3)  # compiles
    ours = median_cost(lambda: families_of(sentences, texts, 3))
    peer = median_cost(lambda: plain_datasketch(sentences), runs=1)
    yield Row("200,000 sentences", ours, peer, "CPU s", peer / ours, "≥ 9 ×", peer / ours >= 9)
    found = {member for family in families_of(sentences, texts, 3) for member in family.members}
    theirs = plain_datasketch(sentences)
    for kind, bar in (("exact", 0.98), ("reworded", 0.95)):
        truth = {number for number, what in planted.items() if what == kind}
        share, other = len(found & truth) / len(truth), len(theirs & truth) / len(truth)
        yield Row(
            f"… recall, {kind}", share, other, "share", share / other, f"≥ {bar}", share >= bar
        )
    precision = len(found & set(planted)) / len(found)
    yield Row("… precision", precision, None, "share", None, "≥ .98", precision >= 0.98)


def plain_datasketch(sentences: list[str]) -> set[int]:
    """Give the sentences with at least two others alike, as datasketch finds them."""
    from datasketch import MinHash, MinHashLSH
    from xxhash import xxh32_intdigest

    index = MinHashLSH(threshold=0.5, num_perm=64)
    grams = map(grams_of, sentences)
    made = list(MinHash.generator(grams, num_perm=64, hashfunc=xxh32_intdigest))
    for number, minhash in enumerate(made):
        index.insert(number, minhash)
    return {number for number, minhash in enumerate(made) if len(index.query(minhash)) >= 3}


def grams_of(sentence: str) -> set[bytes]:
    """Give the runs of three words of a sentence in lower case, without stops."""
    words = sentence.lower().replace(",", "").replace(".", "").replace("!", "").split()
    return {" ".join(words[at : at + 3]).encode() for at in range(max(1, len(words) - 2))}


def stock_among(memories: int, each: int, seed: int) -> tuple[list[str], list[int], dict[int, str]]:
    """Write sentences of 8 to 25 words; gives them, their memories, and which are planted."""
    chance = random.Random(seed)  # noqa: S311 - invented texts
    vocabulary = [f"{'bcdfgklmnprst'[n % 13]}{'aeiou'[n % 5]}{n:x}" for n in range(30_000)]
    weights = [1 / (n + 3) for n in range(len(vocabulary))]
    total = 0.0
    cumulative = [total := total + weight for weight in weights]
    stock = [chance.sample(vocabulary, k=chance.randint(8, 20)) for _ in range(80)]
    sentences: list[str] = []
    planted: dict[int, str] = {}
    for number in range(memories * each):
        dice = chance.random()
        words = list(chance.choice(stock)) if dice < 0.07 else []
        if not words:
            words = chance.choices(vocabulary, cum_weights=cumulative, k=chance.randint(8, 25))
        elif dice < 0.03:
            planted[number] = "reworded"
            for _ in range(chance.randint(1, 2)):
                words[chance.randrange(len(words))] = chance.choice(vocabulary)
        else:
            planted[number] = "exact"
            words[0] = words[0].capitalize()
        sentences.append(" ".join(words) + chance.choice(".!"))
    return sentences, [number // each for number in range(len(sentences))], planted
