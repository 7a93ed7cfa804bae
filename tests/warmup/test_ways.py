"""What is asked after a failed attempt: in which way, with how much recall, and when to give up."""

import pytest

from pipeline.models.failures import BadRequestError, ContextTooLongError
from pipeline.models.scripted import recite
from pipeline.models.seam import Answer
from stages.warmup.ways import Way, next_way
from tests.warmup.history import calls, held, is_merge, ladder, memories, mint, stretches
from tests.warmup.history import write_history as write


def all_ways(trouble, level, recalled, budget=100_000):
    """Give every way that is tried where the same thing goes wrong each time."""
    ways = [Way("", budget)]
    while way := next_way(trouble, level, ways, min(recalled, ways[-1].recall_tokens)):
        ways.append(way)
    return [(way.take, way.recall_tokens) for way in ways]


def test_a_chunk_that_is_too_long_gets_half_the_recall_then_none():
    """Half of what was shown, once."""
    assert all_ways("too long", 1, 60_000) == [
        ("", 100_000), ("", 30_000), ("sources only", 30_000),
    ]  # fmt: skip


def test_a_chunk_that_is_too_long_without_recall_is_given_up():
    """There is nothing left to leave out."""
    assert all_ways("too long", 1, 0) == [("", 100_000)]


def test_a_merge_that_is_too_long_halves_its_recall_down_to_the_floor():
    """Then its sources alone."""
    assert all_ways("too long", 2, 100_000) == [
        ("", 100_000), ("", 50_000), ("", 25_000), ("", 12_500), ("", 8_000),
        ("sources only", 8_000),
    ]  # fmt: skip


def test_a_merge_with_little_recall_goes_to_its_sources_at_once():
    """Less than the floor is not halved: the request would be the same."""
    assert all_ways("too long", 2, 5_000) == [("", 100_000), ("sources only", 5_000)]


@pytest.mark.parametrize(
    ("trouble", "takes"),
    [
        ("refusal", ["", "sources only"]),
        ("empty", ["", "plain", "sources only"]),
        ("only reasoning", ["", "plain", "sources only"]),
        ("unfinished", ["", "plain", "sources only"]),
        ("tool call", ["", "no tools", "sources only"]),
    ],
)
def test_each_fault_has_its_order_of_takes(trouble, takes):
    """The fitting hint first, the sources alone last, nothing twice."""
    assert [take for take, _ in all_ways(trouble, 1, 50_000)] == takes


def test_an_l1_that_recalled_nothing_is_not_asked_for_by_its_sources_alone():
    """It would be the same request word for word, and paid twice."""
    assert all_ways("refusal", 1, 0) == [("", 100_000)]
    assert [take for take, _ in all_ways("empty", 1, 0)] == ["", "plain"]
    assert [take for take, _ in all_ways("refusal", 2, 0)] == ["", "sources only"]


def test_each_failed_attempt_at_a_merge_halves_its_recall():
    """Whatever the fault; an L1 keeps its own."""
    assert all_ways("empty", 2, 100_000)[1] == ("plain", 50_000)
    assert all_ways("empty", 1, 100_000)[1] == ("plain", 100_000)


def test_a_small_window_still_gets_every_memory(tmp_path):
    """With too much recall the request is refused; with half, or none, it fits."""
    asked = []

    def narrow(request):
        asked.append(request)
        size = sum(len(message.text) for message in request.messages)
        return ContextTooLongError("too long") if size > 3_600 else recite(request)

    write(tmp_path, 9, max_speculative_l1s=12)
    run = mint(tmp_path, narrow)
    assert run.left == []
    l1s = [m for m in memories(tmp_path) if m.level == 1]
    shown = [len(m.shown_ids) for m in l1s]
    assert shown[:4] == [0, 1, 2, 3]
    assert max(shown) < 8
    assert "failed: too long" in {call.outcome for call in calls(tmp_path)}
    assert len({request.digest for request in asked}) == len(asked)


def test_a_chunk_longer_than_any_window_is_set_aside(tmp_path):
    """It is not sent for ever, and the others are minted."""
    write(tmp_path, 5)
    run = mint(
        tmp_path,
        lambda r: ContextTooLongError("too long") if stretches(r) == [3] else recite(r),
    )
    assert ladder(tmp_path) == [4]
    assert run.calls == 4 + 3
    with held(tmp_path) as pyramid:
        assert [entry.target for entry in pyramid.quarantined()] == ["c-3"]


def test_a_bad_request_is_tried_with_its_sources_alone(tmp_path):
    """As after a refusal: what the provider's filter dislikes may stand in the recall."""
    write(tmp_path, 3)
    run = mint(
        tmp_path,
        lambda r: BadRequestError("no") if _recalls(r) else recite(r),
    )
    assert run.left == []
    assert [m.shown_ids for m in memories(tmp_path)] == [(), (), ()]


def _recalls(request):
    return any("[CM] Recall memory" in message.text for message in request.messages)


def test_a_merge_that_is_refused_shows_its_children_instead(tmp_path):
    """Then the talk below them is gone from the request, and so is the recall."""
    asked = []

    def script(request):
        asked.append(request)
        if is_merge(request) and request.extra["take"] == "":
            return Answer(request.model, "", stop="refusal")
        return recite(request)

    write(tmp_path, 6)
    assert mint(tmp_path, script).left == []
    assert stretches(asked[-2]) == list(range(6))
    assert stretches(asked[-1]) == []
    assert ladder(tmp_path) == [6, 1]
