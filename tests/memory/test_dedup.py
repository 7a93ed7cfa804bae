"""Near-duplicates: both ways find exactly the pairs that the sets themselves say."""

import random
from itertools import combinations

import pytest

from pipeline.memory.dedup import near_pairs
from pipeline.memory.shingles import shingle
from pipeline.testing.bench.neardup import copied_texts, grams_of, true_pairs

BOTH = pytest.mark.parametrize("exact", [True, False], ids=["exact", "index"])


def found(texts, threshold=0.8, *, exact):
    """Give the pairs by number."""
    pairs = near_pairs(texts, threshold, exact=exact)
    return set(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True))


@BOTH
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_true_pair_and_no_other(seed, exact):
    """900 texts: recall 1 and precision 1 at .8 against Jaccard on plain sets."""
    texts, families = copied_texts(900, seed)
    truth = true_pairs(texts, families)
    assert truth
    assert found(texts, exact=exact) == truth


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8, 0.95, 1.0])
def test_the_join_is_exact_at_every_threshold(threshold):
    """On short texts of few words, where nearly everything is shared, no pair is lost."""
    chance = random.Random(5)
    texts = [" ".join(chance.choices("abcd", k=chance.randint(5, 14))) for _ in range(150)]
    texts += texts[:20]
    truth = set()
    for one, other in combinations(range(len(texts)), 2):
        left, right = grams_of(texts[one]), grams_of(texts[other])
        if len(left & right) >= threshold * len(left | right):
            truth.add((one, other))
    assert found(texts, threshold, exact=True) == truth


@BOTH
def test_a_cluster_of_many_copies_loses_none(exact):
    """A hundred copies of one text make 4,950 pairs."""
    texts = [
        f"{'the lanterns were lit along the whole quay tonight ' * 3}number {n}" for n in "x" * 100
    ]
    assert len(found(texts, exact=exact)) == 4950


@BOTH
def test_case_stops_and_line_breaks_make_no_difference(exact):
    """What counts is the words."""
    texts = ["The lamp, the boat; the long way home.", "the lamp\nthe BOAT the long way home!"]
    pairs = near_pairs(texts, exact=exact).rows()
    assert [(p.first, p.second, p.jaccard) for p in pairs] == [(0, 1, 1.0)]


@BOTH
def test_scripts_without_blanks_are_read_sign_by_sign(exact):
    """Two Japanese texts that differ in one sign at the end are alike."""
    text = "昨日の夜は川のそばで灯りをともして長いあいだ歌をうたった"
    assert found(
        [text, text + "よ", "きょうは雨がふっていて誰もいない静かな町だった"], exact=exact
    ) == {(0, 1)}


@BOTH
def test_empty_texts_are_alike_to_nothing(exact):
    """Blank texts, signs alone and no texts at all pair with nothing."""
    assert found(["", "", "...", "!"], exact=exact) == set()
    assert found([], exact=exact) == set()


def test_a_text_of_a_few_words_is_one_shingle():
    """Fewer than five words are compared as a whole."""
    sets = shingle(["good night all", "Good night, all!", "good night"])
    assert sets.sizes().tolist() == [1, 1, 1]
    assert sets.of(0) == sets.of(1)
    assert sets.of(0) != sets.of(2)


def test_lone_surrogates_and_zeros_do_no_harm():
    """Half characters and NULs are no letters, and no text runs into the next."""
    assert near_pairs(["a\ud800b\0c d e f g", "a b c d e f g"]).rows()[0].jaccard == 1.0
