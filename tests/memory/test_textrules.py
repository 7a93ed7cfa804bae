"""Text rules: each finds what is planted for it, and is silent on pyramids that are well."""

import os
from dataclasses import replace
from functools import cache

import pytest

from pipeline.memory import textfacts, textrules
from pipeline.memory.checks import check
from pipeline.testing.faults import KINDS, healthy, held_out, plant

RULES = (*textrules.RULES, *textfacts.RULES)
LARGE = pytest.mark.skipif(
    "BACKFOLD_LARGE" not in os.environ, reason="opt-in: BACKFOLD_LARGE is not set (minutes)"
)
SIZES = [50, 900, pytest.param(10_000, marks=LARGE)]
SEEDS = [1, 2, 3]
TEXT_KINDS = [kind for kind in KINDS if kind.startswith("text ")]
cached = cache(healthy)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("count", SIZES)
def test_a_healthy_pyramid_is_silent(count, seed):
    """No text rule has anything to say of three languages of true memories."""
    assert check(cached(count, seed), RULES) == []


@pytest.mark.parametrize("kind", TEXT_KINDS)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("count", SIZES)
def test_each_rule_finds_its_kind(count, seed, kind):
    """Recall ≥ .8 and precision ≥ .95 for the rule that the kind belongs to."""
    planted = plant(cached(count, seed), [kind], seed)
    want = {(e.rule, e.memory_id) for e in planted.truth}
    rules = {rule for rule, _ in want}
    got = {(f.rule, f.subject) for f in check(planted.view, RULES) if f.rule in rules}
    assert want
    assert len(want & got) >= 0.8 * len(want)
    assert len(want & got) >= 0.95 * len(got)


def test_some_kinds_are_held_out():
    """About a third, chosen by their names."""
    out = [kind for kind in KINDS if held_out(kind)]
    assert 0 < len(out) < len(KINDS)


def view_with(text, **changes):
    """Give a small healthy pyramid whose memory number 4 says something else."""
    view = cached(50, 1)
    memories = list(view.memories)
    memories[4] = replace(memories[4], text=text, **changes)
    return replace(view, memories=memories)


def rules_of(view):
    """Name the rules that have something to say of memory number 4."""
    subject = view.memories[4].memory_id
    return {f.rule for f in check(view, RULES) if f.subject == subject}


@pytest.mark.parametrize(
    "text",
    [
        "I can't help but smile when I think of that evening. It was good.",
        "I'm sorry I missed the boat that day. We waved.",
        "“Who is there?” we asked, and laughed (all of us).",
        "- tea with Odile\n- rain\n- a long walk home",
        "It ended well ♪",
    ],
)
def test_what_only_looks_like_a_fault_is_none(text):
    """Regrets that refuse nothing, quotes, brackets, lists without stops."""
    assert not rules_of(view_with(text)) & {"refusal", "cut off", "reasoning", "scene", "empty"}


def test_a_stub_and_the_extractive_mark_are_no_text():
    """A stub is never empty; the extractive memory may quote speakers' lines."""
    assert rules_of(view_with("", is_stub=True)) == set()
    quoted = "[extractive memory]\nBram: yes, it was.\nWanda: no, it was not."
    assert "scene" not in rules_of(view_with(quoted))
    assert "empty" in rules_of(view_with("[extractive memory]\n"))


def test_somebody_elses_deed_in_the_first_person():
    """What Joris told of himself is told as the agent's own; with his name it is right."""
    view = cached(50, 1)
    at = next(n for n, m in enumerate(view.memories) if m.level == 1 and n > 8)
    chunk = next(c for c in view.chunks if c.chunk_id == view.memories[at].chunk_id)
    said = replace(chunk.items[0], text="Joris: I sailed my cutter around the Fenwick cape alone")
    chunks = [replace(c, items=(said, *c.items[1:])) if c is chunk else c for c in view.chunks]

    def findings(text):
        memories = list(view.memories)
        memories[at] = replace(memories[at], text=text)
        return check(replace(view, memories=memories, chunks=chunks), textfacts.RULES)

    (found,) = findings("I sailed my cutter around the Fenwick cape alone.")
    assert (found.rule, found.source_ids) == ("deed", (said.item_id,))
    assert findings("Joris sailed his cutter around the Fenwick cape alone.") == []


def test_no_finding_shows_a_credential():
    """Not even where another rule quotes the sentence that holds it."""
    planted = plant(cached(900, 1), ["text credential"], 1)
    found = check(planted.view)
    assert {f.rule for f in found} >= {"credential", "litany"}
    assert not [f for f in found if "ghp_" in f.evidence or "hunter7" in f.evidence]


def test_settings_and_shouts_are_no_names():
    """A token with underscores or in capitals alone is never somebody."""
    from pipeline.memory.textfacts import invented_names

    view = healthy(50, 1)
    memories = list(view.memories)
    memories[3] = replace(memories[3], text="We set QUORVEX_API_KEY and it was BLORTVANG then.")
    assert list(invented_names(replace(view, memories=memories))) == []
    memories[3] = replace(memories[3], text="We set the lamp with Quorvexina there.")
    assert len(list(invented_names(replace(view, memories=memories)))) == 1


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        ("my HP6535b ought to work", "Joris told me that his HP6535b ought to work."),
        ("I started five years ago", "He started five years ago ({year}), he said."),
        ("it says Jun  3 in the log", "It says Jun 3 in the log, he told me."),
    ],
)
def test_what_the_talk_says_or_means_is_not_invented(said, memory):
    """Names with digits, the year that relative words mean, a date with two blanks in it."""
    view = cached(50, 1)
    at = next(n for n, m in enumerate(view.memories) if m.level == 1 and n > 8)
    chunk = next(c for c in view.chunks if c.chunk_id == view.memories[at].chunk_id)
    item = replace(chunk.items[0], text=f"Joris: {said}")
    year = item.sent_at.astimezone(view.zone).year - 5

    def found(text, heard):
        chunks = [replace(c, items=(heard, *c.items[1:])) if c is chunk else c for c in view.chunks]
        memories = list(view.memories)
        memories[at] = replace(memories[at], text=text.format(year=year))
        of_ours = replace(view, memories=memories, chunks=chunks)
        facts = (textfacts.invented_names, textfacts.invented_numbers, textfacts.invented_dates)
        return [f for rule in facts for f in rule(of_ours) if f.subject == memories[at].memory_id]

    assert found(memory, item) == []
    assert found(memory, replace(item, text="Joris: hello there")) != []
