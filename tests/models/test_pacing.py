"""When a request may go, and how long its answer may take."""

import threading

import pytest

from pipeline.models.pacing import Pace, Pacer
from tests.models.asking import Clock


def test_without_a_limit_nobody_waits():
    """The usual case: answers set the pace."""
    clock = Clock()
    pacer = Pacer(clock, clock.sleep)
    assert [pacer.wait_turn() for _ in range(3)] == [0, 0, 0]


def test_a_limit_spaces_requests_evenly():
    """Thirty a minute are two seconds apart."""
    clock = Clock()
    pacer = Pacer(clock, clock.sleep, per_minute=30)
    for _ in range(3):
        pacer.wait_turn()
    assert clock.slept == [2, 2]


def test_a_pause_holds_everybody_and_a_shorter_one_does_not_end_it():
    """One caller's 429 is everybody's."""
    clock = Clock()
    pacer = Pacer(clock, clock.sleep)
    pacer.pause(10)
    pacer.pause(3)
    pacer.wait_turn()
    assert clock.now == 10


def test_a_pause_set_while_a_caller_sleeps_holds_it_too():
    """Whoever wakes asks again."""
    clock = Clock()
    pacer = Pacer(clock, lambda seconds: (clock.sleep(seconds), later.pop()() if later else None))
    later = [lambda: pacer.pause(7)]
    pacer.pause(5)
    pacer.wait_turn()
    assert clock.now == 12


def test_parallel_callers_share_the_spacing():
    """Ten threads at sixty a minute take nine seconds of the shared clock."""
    clock = Clock()
    lock = threading.Lock()

    def sleep(seconds):
        with lock:
            clock.sleep(seconds)

    pacer = Pacer(clock, sleep, per_minute=60)
    threads = [threading.Thread(target=pacer.wait_turn) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert clock.now >= 9


def test_the_limit_is_learnt_from_the_models_own_pace():
    """Five times its slowest answer, once there is one."""
    pace = Pace(first=300, least=30)
    assert pace.limit() == 300
    pace.saw(20)
    pace.saw(8)
    assert pace.limit() == 100


@pytest.mark.parametrize(("seen", "limit"), [(0.1, 30), (1_000, 1_800)])
def test_the_limit_keeps_within_bounds(seen, limit):
    """A quick model still gets its bad minute, a slow one does not hang for hours."""
    pace = Pace(least=30, most=1_800)
    pace.saw(seen)
    assert pace.limit() == limit


def test_time_outs_in_a_row_double_the_limit_until_an_answer_comes():
    """A model that became slow is caught up with."""
    pace = Pace(least=30)
    pace.saw(10)
    pace.timed_out()
    pace.timed_out()
    assert pace.limit() == 200
    pace.saw(30)
    assert pace.limit() == 150


def test_old_answers_are_forgotten():
    """One slow hour does not count for the rest of the run."""
    pace = Pace(least=1)
    pace.saw(100)
    for _ in range(20):
        pace.saw(2)
    assert pace.limit() == 10
