"""Trying again: bounded, as the server asks, and only where it may help."""

import pytest

from pipeline.models.failures import (
    BadRequestError,
    ConnectionBrokenError,
    ContextTooLongError,
    MalformedError,
    NoCreditError,
    RateLimitedError,
    ServerDownError,
    TimedOutError,
    WrongKeyError,
    WrongModelError,
)
from pipeline.models.pacing import Pacer
from pipeline.models.retrying import Patience, Retrying
from pipeline.models.scripted import Scripted
from tests.models.asking import Clock, ask


def patient(script, random=0.0, notes=None, **patience):
    clock = Clock()
    model = Scripted(script)
    note = notes.append if notes is not None else None
    pacer = Pacer(clock, clock.sleep)
    return (
        Retrying(model, pacer, clock.sleep, lambda: random, Patience(**patience), note),
        model,
        clock,
    )


@pytest.mark.parametrize(
    "failure",
    [RateLimitedError, ServerDownError, ConnectionBrokenError, TimedOutError, MalformedError],
)
def test_a_passing_failure_is_tried_again(failure):
    """And the answer says how many requests it took."""
    model, script, _ = patient([failure("x"), "fine"])
    answer = model.answer(ask())
    assert (answer.text, answer.attempts, len(script.asked)) == ("fine", 2, 2)


@pytest.mark.parametrize(
    "failure",
    [WrongKeyError, WrongModelError, NoCreditError, ContextTooLongError, BadRequestError],
)
def test_a_lasting_failure_is_not(failure):
    """Asking again would cost time or money and change nothing."""
    model, script, clock = patient([failure("x"), "fine"])
    with pytest.raises(failure):
        model.answer(ask())
    assert (len(script.asked), clock.slept) == (1, [])


def test_waits_grow_and_are_bounded():
    """Twice as long each time, never longer than the longest."""
    model, _, clock = patient(
        [ServerDownError("x")] * 5 + ["fine"], first_wait_seconds=2, longest_wait_seconds=10
    )
    model.answer(ask())
    assert clock.slept == [1, 2, 4, 5, 5]


def test_jitter_spreads_waits():
    """Parallel callers do not come back together."""
    quiet, _, calm = patient([ServerDownError("x"), "fine"], first_wait_seconds=2)
    loud, _, wild = patient([ServerDownError("x"), "fine"], random=0.9, first_wait_seconds=2)
    quiet.answer(ask())
    loud.answer(ask())
    assert calm.slept == [1.0]
    assert wild.slept == [1.9]


def test_the_server_says_how_long():
    """Retry-After is a floor: a little more, never less."""
    model, _, clock = patient([RateLimitedError("x", retry_after=40), "fine"], random=0.5)
    model.answer(ask())
    assert clock.now == 42


def test_one_429_pauses_every_caller():
    """A second caller of the same pacer waits for the first one's pause."""
    model, _, clock = patient([RateLimitedError("x", retry_after=40), "fine"])
    pacer = model.pacer
    model.answer(ask())
    pacer.pause(5)
    other = Retrying(Scripted(["also fine"]), pacer, clock.sleep, lambda: 0.0)
    other.answer(ask())
    assert clock.now == 45


def test_attempts_end():
    """The last failure comes out, with what was tried."""
    model, script, _ = patient([ServerDownError("down")] * 9, attempts=3)
    with pytest.raises(ServerDownError, match=r"down \(3 attempts"):
        model.answer(ask())
    assert len(script.asked) == 3


def test_a_wait_beyond_patience_is_not_begun():
    """A server that asks for an hour gets it from the next run, not from this one."""
    model, script, clock = patient(
        [RateLimitedError("x", retry_after=3_600), "fine"], total_wait_seconds=900
    )
    with pytest.raises(RateLimitedError) as raised:
        model.answer(ask())
    assert (raised.value.retry_after, len(script.asked), clock.slept) == (3_600, 1, [])


def test_malformed_answers_are_not_asked_for_long():
    """They were probably paid."""
    model, script, _ = patient([MalformedError("x")] * 9)
    with pytest.raises(MalformedError):
        model.answer(ask())
    assert len(script.asked) == 3


def test_each_wait_is_told():
    """The operator sees why nothing moves."""
    notes = []
    model, _, _ = patient([ServerDownError("the yard answers 503"), "fine"], notes=notes)
    model.answer(ask())
    assert notes == ["scripted: the yard answers 503; again in 0.5 s"]
