"""Each halt explains itself, stops at a clean boundary, and the next run goes on from there."""

import pytest

from pipeline.models.failures import ServerDownError
from pipeline.models.scripted import recite
from pipeline.models.seam import Answer, Usage
from tests.warmup.history import LATER, calls, ladder, memories, mint, shape, stretches
from tests.warmup.history import write_history as write


def calm(root, chunks, **knobs):
    """Give the shape of an undisturbed run."""
    write(root, chunks, **knobs)
    mint(root)
    return shape(root)


def test_the_same_answer_for_three_stretches_stops_the_run(tmp_path):
    """Two are let through, the third is not; it says which."""
    write(tmp_path, 9)
    run = mint(tmp_path, lambda _request: "I mended the lamp.")
    assert ladder(tmp_path) == [2]
    assert "3 different stretches got the same answer" in run.left[0]
    assert "c-2" in run.left[0]


def test_two_alike_are_no_reason(tmp_path):
    """Only the third stops."""
    write(tmp_path, 4)
    run = mint(tmp_path, lambda r: "I mended the lamp." if stretches(r)[0] in (0, 2) else recite(r))
    assert run.left == []


def test_five_of_ten_answers_longer_than_their_source_stop_the_run(tmp_path):
    """Not four; and the words name lengths and what to do."""
    write(tmp_path, 12, words=2)
    run = mint(tmp_path, lambda r: recite(r) * (3 if stretches(r)[0] % 2 else 1))
    assert "5 of the last ten answers are longer than 1.2 times their source" in run.left[0]
    assert "c-9" in run.left[0]
    assert "summary_target_tokens" in run.left[0]
    assert sum(m.level == 1 for m in memories(tmp_path)) == 9


def test_three_of_ten_answers_naming_whom_no_source_names_stop_the_run(tmp_path):
    """The names of those who speak are no reason, nor are names twice in ten."""
    names = {1: "Wilhelmina", 4: "Bartholomew", 6: "Konstanze"}

    def script(request):
        number = stretches(request)[0]
        return f"{recite(request)} Later that day old {names.get(number, 'mara')} came by."

    write(tmp_path, 12)
    run = mint(tmp_path, script)
    assert "3 of the last ten answers name people or dates" in run.left[0]
    assert "c-6" in run.left[0]


def test_one_request_without_an_answer_three_times_stops_the_run(tmp_path):
    """Though more failures in a row are allowed; each is on record, and the next run goes on."""
    write(tmp_path, 4, failures_in_a_row=50)

    def down(request):
        return ServerDownError("nobody there") if stretches(request) == [2] else recite(request)

    run = mint(tmp_path, down)
    assert "the request for c-2 got no answer 3 times" in run.left[0]
    assert [c.outcome for c in calls(tmp_path)][2:] == ["failed: nobody there"] * 3
    assert mint(tmp_path).calls == 2
    assert shape(tmp_path) == calm(tmp_path / "calm", 4)


@pytest.mark.parametrize("most", [1, 2])
def test_so_many_requests_in_a_row_without_an_answer_stop_the_run(tmp_path, most):
    """As many as the knob says."""
    write(tmp_path, 3, failures_in_a_row=most)
    run = mint(tmp_path, lambda _request: ServerDownError("nobody there"))
    assert run.calls == most
    assert f"{most} requests in a row got no answer" in run.left[0]


def test_an_answer_between_ends_the_row(tmp_path):
    """One failure at each request is not a row of failures."""
    write(tmp_path, 6, failures_in_a_row=2)
    tried = set()

    def shaky(request):
        if request.digest in tried:
            return recite(request)
        tried.add(request.digest)
        return ServerDownError("a moment")

    assert mint(tmp_path, shaky).left == []


@pytest.mark.parametrize("parallel", [1, 3])
def test_max_calls_stops_cleanly_and_the_next_runs_end_as_one(tmp_path, parallel):
    """No run sends more; together they send as many as one run, and leave the same pyramid."""
    same = calm(tmp_path / "calm", 20, parallel=parallel)
    root = tmp_path / "bit by bit"
    write(root, 20, max_calls=4, parallel=parallel)
    sent = []
    while not sent or sent[-1].left:
        sent.append(mint(root))
        assert sent[-1].calls <= 4
        assert not sent[-1].left or "max_calls = 4 is reached" in sent[-1].left[0]
    assert sum(run.calls for run in sent) == len(same)
    assert shape(root) == same


def test_max_cost_stops_cleanly_and_the_next_runs_end_as_one(tmp_path):
    """The call that reaches the sum is the last; what was made stays."""
    same = calm(tmp_path / "calm", 12)
    root = tmp_path / "bit by bit"
    cost = sum(call.cost for call in calls(tmp_path / "calm"))
    write(root, 12, max_calls=None, max_cost=cost / 4)
    runs = [mint(root)]
    while runs[-1].left:
        assert "max_cost" in runs[-1].left[0]
        assert "spent" in runs[-1].left[0]
        runs.append(mint(root))
    assert 3 <= len(runs) <= 5
    assert shape(root) == same


def test_max_cost_holds_where_the_server_tells_no_usage(tmp_path):
    """What is not told is guessed for the limit, and stays null on record."""
    write(tmp_path, 30, max_calls=None, max_cost=0.003)
    run = mint(tmp_path, lambda request: Answer(request.model, recite(request)))
    assert "max_cost" in run.left[0]
    assert {call.cost for call in calls(tmp_path)} == {None}


@pytest.mark.parametrize("parallel", [1, 4])
def test_after_ten_calls_the_plan_is_looked_at_again(tmp_path, parallel):
    """Ten times as dear as planned: it stops and names both figures; the next run goes on."""
    write(tmp_path, 30, parallel=parallel)

    def dear(request):
        return Answer(request.model, recite(request), usage=Usage(input=100_000, output=100))

    run = mint(tmp_path, dear)
    assert 10 <= run.calls < 10 + parallel
    assert "calls cost 0.1002 each where the plan said 0.00" in run.left[0]
    assert "1.3 times" in run.left[0]
    assert mint(tmp_path).left == []
    assert ladder(tmp_path) == [30, 5]


def test_a_halt_is_no_loss(tmp_path):
    """The answer at which it stopped is paid: the next run takes it from the record."""
    write(tmp_path, 6)
    first = mint(tmp_path, lambda _request: "I mended the lamp.")
    assert first.calls == 3
    second = mint(tmp_path, recite, now=lambda: LATER)
    assert second.left == []
    assert second.calls == 6 - 3 + 1
    assert [c.outcome for c in calls(tmp_path)] == ["accepted"] * 7
