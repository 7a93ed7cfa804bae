"""Structure: each planted break is found by its rule, healthy pyramids are silent."""

from dataclasses import replace
from functools import cache

import pytest

from pipeline.memory.checks import check
from pipeline.memory.structure import RULES
from pipeline.testing.faults import healthy

cached = cache(healthy)


def broken(at=0, level=1, **changes):
    """Change one memory of a level; give the names of the rules that speak."""
    view = cached(50, 1)
    memories = list(view.memories)
    number = [n for n, m in enumerate(memories) if m.level == level][at]
    old = memories[number]
    memories[number] = replace(old, **{k: f(old) for k, f in changes.items()})
    return {f.rule for f in check(replace(view, memories=memories), RULES)}


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("count", [50, 900])
def test_a_healthy_pyramid_is_silent(count, seed):
    """No rule of structure speaks."""
    assert check(cached(count, seed), RULES) == []


@pytest.mark.parametrize(
    ("rule", "level", "changes"),
    [
        ("ids", 1, {"memory_id": lambda m: "L2-900"}),
        ("sources", 2, {"source_ids": lambda m: ()}),
        ("sources", 2, {"source_ids": lambda m: (*m.source_ids, m.source_ids[0])}),
        ("sources", 2, {"source_ids": lambda m: (*m.source_ids, "L1-999")}),
        ("parent", 1, {"parent_id": lambda m: None}),
        ("parent", 1, {"parent_id": lambda m: "L2-999"}),
        ("orphan", 1, {"source_ids": lambda m: (*m.source_ids, "nowhere")}),
        ("order", 1, {"source_ids": lambda m: m.source_ids[::-1]}),
        ("hole", 2, {"source_ids": lambda m: m.source_ids[:2] + m.source_ids[3:]}),
        ("range", 1, {"first_item_id": lambda m: "elsewhere"}),
        ("time", 1, {"ended_at": lambda m: m.started_at.replace(year=1999)}),
    ],
)
def test_a_break_is_found(rule, level, changes):
    """Planted in one memory, its rule speaks."""
    assert rule in broken(level=level, **changes)


def test_a_counter_behind_is_found():
    """The next id would be one in use."""
    found = check(replace(cached(50, 1), state={"counter": "3"}), RULES)
    assert [f.rule for f in found] == ["ids"]


def test_an_item_in_two_memories_is_found():
    """The second memory of level 1 takes over the items of the first too."""
    first = cached(50, 1).memories[0].source_ids
    assert "owned twice" in broken(at=1, source_ids=lambda m: (*first, *m.source_ids))


def test_a_full_run_and_a_wide_memory_are_found():
    """Fan-in below what waits: due; a span above the limit: too wide."""
    view = cached(900, 1)
    waiting = replace(view, settings={"warmup": {"fan_in": 2}})
    assert "due" in {f.rule for f in check(waiting, RULES)}
    tight = replace(view, settings={"warmup": {"merge_max_source_span_messages": 3}})
    assert "too wide" in {f.rule for f in check(tight, RULES)}


def test_a_text_that_changed_since_is_stale():
    """Old and new are told, with the memory on it."""
    view = cached(50, 1)
    items = [replace(view.items[0], text="something else"), *view.items[1:]]
    (found,) = check(replace(view, items=items), RULES)
    assert (found.rule, found.subject) == ("stale_source", view.memories[0].memory_id)
    assert "new: something else" in found.evidence
