"""Litanies and copies: found where planted, and nothing said of pyramids that are well."""

import os
from dataclasses import replace
from functools import cache

import pytest

from pipeline.memory.checks import check
from pipeline.memory.litanies import families_of
from pipeline.memory.litanyrules import copies, litanies
from pipeline.testing.faults import healthy, plant
from pipeline.testing.faults.litany_kinds import KINDS

LARGE = pytest.mark.skipif(
    "BACKFOLD_LARGE" not in os.environ, reason="opt-in: BACKFOLD_LARGE is not set (minutes)"
)
SIZES = [50, 900, pytest.param(10_000, marks=LARGE)]
SEEDS = [1, 2, 3]
cached = cache(healthy)


def measure(count, seed, kind):
    """Plant one kind; give recall and precision over (rule, memory)."""
    planted = plant(cached(count, seed), [kind], seed)
    want = {(e.rule, e.memory_id) for e in planted.truth}
    got = {(f.rule, f.subject) for f in check(planted.view, (litanies, copies))}
    assert want
    return len(want & got) / len(want), len(want & got) / max(1, len(got))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("count", SIZES)
def test_a_healthy_pyramid_is_silent(count, seed):
    """True rituals, a song that was sung again, formal words, evenings alike: no finding."""
    assert check(cached(count, seed), (litanies, copies)) == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("count", SIZES)
def test_what_is_planted_is_found_and_nothing_else(count, seed, kind):
    """Recall and precision ≥ .98 (reworded ≥ .95 recall), copies both 1."""
    recall, precision = measure(count, seed, kind)
    least = 1.0 if kind.startswith("copy") else 0.95 if "reworded" in kind else 0.98
    assert recall >= least
    assert precision >= (1.0 if kind.startswith("copy") else 0.98)


def test_the_place_is_the_sentence_and_the_family_one():
    """Start and end cut out just the sentence; all findings of it bear one family."""
    planted = plant(cached(50, 1), ["litany last paragraph"], 1)
    found = check(planted.view, (litanies,))
    texts = {m.memory_id: m.text for m in planted.view.memories}
    assert len({f.family for f in found}) == 1
    for finding in found:
        assert texts[finding.subject][finding.start : finding.end] == finding.evidence
        assert finding.evidence.startswith("And through all of it")


def test_what_the_owner_keeps_is_no_finding():
    """A pattern of a vow protects every wording of it."""
    planted = plant(cached(50, 1), ["litany last paragraph"], 1)
    kept = replace(planted.view, settings={"audit": {"keep": ["ember jar"]}})
    assert check(kept, (litanies,)) == []


def test_talk_that_recurs_without_its_talk_is_a_litany():
    """Taken out of the stretches, the same ritual sentence is a litany: the sources decide."""
    view = cached(50, 1)
    chunks = [
        replace(c, items=tuple(i for i in c.items if "market breakfast" not in i.text))
        for c in view.chunks
    ]
    found = check(replace(view, chunks=chunks), (litanies,))
    assert found
    assert all("market breakfast" in f.evidence for f in found)


def test_recurring_talk_quoted_with_who_said_it_is_no_litany():
    """Words behind "I said:" are in each stretch; only that opening is the memory's own."""
    view = cached(50, 1)
    line = "Rope, bell, Tamsin, ladder, hatch."
    marked = {c.chunk_id for c in view.chunks[::2]}
    chunks = [
        replace(c, items=(*c.items, replace(c.items[-1], item_id=f"r{c.ordinal}", text=line)))
        if c.chunk_id in marked
        else c
        for c in view.chunks
    ]
    memories = [
        replace(m, text=f"{m.text}\n\nI said: {line}") if m.chunk_id in marked else m
        for m in view.memories
    ]
    assert check(replace(view, memories=memories, chunks=chunks), (litanies,)) == []
    assert check(replace(view, memories=memories), (litanies,)) != []


def test_a_sentence_that_also_tells_something_new_is_not_cut():
    """A litany with news of its own stretch beside it stays."""
    planted = plant(cached(50, 1), ["litany in a list"], 1)
    memories = list(planted.view.memories)
    at = next(n for n, m in enumerate(memories) if m.level == 1 and "thimble" in m.text and n > 20)
    chunk = next(c for c in planted.view.chunks if c.chunk_id == memories[at].chunk_id)
    extra = replace(
        chunk.items[-1], item_id="x", text="Odile: Ferdinand cracked the boathouse window"
    )
    chunks = [replace(c, items=(*c.items, extra)) if c is chunk else c for c in planted.view.chunks]
    said = "of the boathouse."
    memories[at] = replace(
        memories[at],
        text=memories[at].text.replace(said, "of the boathouse, where Ferdinand cracked a window."),
    )
    found = check(replace(planted.view, memories=memories, chunks=chunks), (litanies,))
    assert found
    assert memories[at].memory_id not in {f.subject for f in found}


def test_a_copy_names_its_source():
    """The later memory copied, and the finding says from where."""
    view = cached(50, 1)
    memories = list(view.memories)
    memories[9] = replace(memories[9], text=memories[4].text, shown_ids=(memories[4].memory_id,))
    (found,) = check(replace(view, memories=memories), (copies,))
    assert (found.subject, found.source_ids) == (memories[9].memory_id, (memories[4].memory_id,))
    assert "which it was shown" in found.message
    assert found.action == "remint"


def test_stubs_and_marks_are_no_text():
    """A hundred equal stubs and extractive first lines are neither litany nor copy."""
    view = cached(50, 1)
    memories = [
        replace(m, text="Nothing much was said here, and it was quiet.", is_stub=True)
        if m.level == 1
        else m
        for m in view.memories
    ]
    assert check(replace(view, memories=memories), (litanies, copies)) == []


def test_families_need_their_texts_and_four_words():
    """Three sentences of two texts are no family; nor is a nod."""
    same = "we kept the lamp burning over the harbour"
    assert families_of([same] * 3, [0, 0, 1], 3) == []
    assert (
        len(families_of([same, same, "We kept the lamp burning over that harbour!"], [0, 1, 2], 3))
        == 1
    )
    assert families_of(["good night all"] * 5, range(5), 3) == []
    assert families_of([], [], 3) == []
