"""Limits and faults: how fast we ask, what we wait for, what we try again, when we stop."""

import asyncio

import pytest

from pipeline.errors import NetworkError
from pipeline.testing.double import Fault, Limits
from stages.dump.discord.client import Client
from stages.dump.discord.faults import DeniedError, UnreachableError, judge, pause_seconds
from stages.dump.discord.limits import INVALID_LIMIT, Limiter, duration
from stages.dump.discord.routes import ask
from tests.dump.discord_desk import Double, StillClock, channel, corpus, go, ids, one_room, row

MESSAGES = ask("messages", channel_id="700")


def asking(double, wishes, per_second=0.0):
    """Ask in order; gives the answers (errors are answers here), the clock, what was told."""
    still, told = StillClock(double), []

    async def run():
        answers = []
        limiter = Limiter(per_second, still.clock(), told.append)
        async with Client(double.token, double.url, limiter, still.clock(), told.append) as client:
            for wish in wishes:
                try:
                    answers.append(await client.ask(wish))
                except (DeniedError, UnreachableError) as error:
                    answers.append(error)
            return answers, limiter

    answers, limiter = asyncio.run(run())
    return answers, still, told, limiter


def test_one_pace_for_every_route(tmp_path):
    """Row B053: with 4 a second, n requests of any kinds take (n - 1) quarters."""
    with Double(one_room(tmp_path / "c", 3)) as double:
        wishes = [MESSAGES, ask("guilds"), ask("channel", channel_id="700"), MESSAGES]
        _, still, _, _ = asking(double, wishes, per_second=4)
    assert sum(still.slept) == pytest.approx(1.0)


def test_an_empty_bucket_is_waited_for_and_never_overrun(tmp_path):
    """Two requests a bucket and window: ten go through without a single 429."""
    limits = Limits(per_bucket=2, window_seconds=5.0)
    with Double(one_room(tmp_path / "c", 3), limits=limits) as double:
        answers, still, _, _ = asking(double, [MESSAGES] * 10)
        assert all(r.status == 200 for r in double.requests)
    assert all(isinstance(answer, list) for answer in answers)
    assert sum(still.slept) >= 4 * 4.5


def test_another_channel_has_a_bucket_of_its_own(tmp_path):
    """A bucket is route × channel: the second channel is not held up by the first."""
    limits = Limits(per_bucket=1, window_seconds=60.0)
    folder = corpus(tmp_path / "c", [channel(700), channel(701)], {})
    with Double(folder, limits=limits) as double:
        _, still, _, _ = asking(double, [MESSAGES, ask("messages", channel_id="701")])
    assert still.slept == []


def test_a_wait_of_half_an_hour_is_told_and_waited_for(tmp_path):
    """Row B049: 1,800.5 s of user scope is neither a failure nor cut short."""
    fault = Fault("limited", route="messages", retry_after=1800.5)
    with Double(one_room(tmp_path / "c", 3), faults=[fault]) as double:
        answers, still, told, _ = asking(double, [MESSAGES])
    assert len(answers[0]) == 3
    assert sum(still.slept) >= 1800.5
    assert "30 min" in told[0]


def test_a_shared_limit_is_obeyed_and_not_counted(tmp_path):
    """Row B051: 429 although Remaining > 0, scope shared: wait, and no invalid request of ours."""
    fault = Fault("limited", route="messages", retry_after=0.4, scope="shared", remaining=3)
    with Double(one_room(tmp_path / "c", 3), faults=[fault]) as double:
        answers, still, _, limiter = asking(double, [MESSAGES])
    assert len(answers[0]) == 3
    assert sum(still.slept) == pytest.approx(0.4)
    assert len(limiter.invalid_at) == 0


def test_a_global_limit_closes_every_lane(tmp_path):
    """After a global 429 on one route, another route waits as well."""
    still = StillClock()
    limiter = Limiter(0, still.clock(), print)
    limiter.refused("messages", "700", 3.0, everywhere=True)
    asyncio.run(limiter.ready("guilds", ""))
    assert sum(still.slept) == pytest.approx(3.0)


def test_html_from_the_edge_is_backed_off_for_minutes_then_the_run_stops(tmp_path):
    """Row B050: a Cloudflare page is no route limit; three long pauses, then clear words."""
    fault = Fault("edge", route="messages", times=None)
    with Double(one_room(tmp_path / "c", 3), faults=[fault]) as double:
        still = StillClock(double)
        with pytest.raises(NetworkError, match="Cloudflare"):
            go(tmp_path / "a", double, clock=still)
        assert len([r for r in double.requests if r.route == "messages"]) == 4
    assert sum(still.slept) >= 600


def test_html_from_the_edge_that_passes_is_survived(tmp_path):
    """Row B050: after one pause the run goes on as if nothing had been."""
    fault = Fault("edge", route="messages", status=403)
    with Double(one_room(tmp_path / "c", 3), faults=[fault]) as double:
        go(tmp_path / "a", double)
    assert len(ids(tmp_path / "a", 700)) == 3


def test_a_429_without_via_is_the_edge():
    """Row B050: JSON alone does not make it Discord's; the headers are looked at."""
    body = b'{"retry_after": 2.0, "global": false}'
    assert judge(429, {"Via": "1.1 google"}, body).kind == "limit"
    assert judge(429, {}, body).kind == "edge"
    assert judge(429, {"Via": "1.1 google"}, b"<html>").kind == "edge"
    assert judge(429, {"Via": "v", "Retry-After": "7"}, body).wait_seconds == 7.0


@pytest.mark.parametrize("kind", ["status", "reset", "truncated"])
def test_a_bad_night_is_slept_through(tmp_path, kind):
    """Row B052: 503, 503, 200, likewise broken connections and cut bodies."""
    fault = Fault(kind, route="messages", status=503, times=2)
    with Double(one_room(tmp_path / "c", 3), faults=[fault]) as double:
        answers, still, _, _ = asking(double, [MESSAGES])
    assert len(answers[0]) == 3
    # aiohttp itself sends a GET once more where a connection it had kept open is gone.
    assert len(still.slept) == (1 if kind == "reset" else 2)


def test_retries_are_bounded_and_the_run_is_then_unfinished(tmp_path):
    """Row B052: one channel that answers 502 for ever is left partial; the next is still read."""
    rows = {700: [], 701: []}
    folder = one_room(tmp_path / "c", 3)
    folder = corpus(folder, [channel(700, last_message_id="5"), channel(701)], rows)
    fault = Fault("status", route="messages", where={"channel": "700"}, status=502, times=None)
    with Double(folder, faults=[fault]) as double:
        _, noted, left = go(tmp_path / "a", double)
    assert any("try 4 of 7" in line for line in noted)
    assert row(tmp_path / "a", 700)["status"] == "failed"
    assert row(tmp_path / "a", 701)["status"] == "empty"
    assert len(left) == 1


def test_when_nobody_answers_the_run_ends_instead_of_trying_every_room(tmp_path):
    """After three rooms in a row without an answer the rest is left pending."""
    rooms = [channel(n) for n in range(700, 710)]
    fault = Fault("status", route="messages", status=500, times=None)
    with Double(corpus(tmp_path / "c", rooms, {}), faults=[fault]) as double:
        _, _, left = go(tmp_path / "a", double)
    statuses = [row(tmp_path / "a", n)["status"] for n in range(700, 710)]
    assert statuses == ["failed"] * 3 + ["pending"] * 7
    assert "stopped answering" in left[0]


def test_a_403_is_asked_for_once_in_a_run(tmp_path):
    """Row B044: 50 forbidden channels, two passes: 50 requests, not 100."""
    wishes = [ask("messages", channel_id=str(n)) for n in range(700, 750)]
    fault = Fault("status", route="messages", status=403, code=50001, times=None)
    rooms = [channel(n) for n in range(700, 750)]
    with Double(corpus(tmp_path / "c", rooms, {}), faults=[fault]) as double:
        answers, _, _, limiter = asking(double, [*wishes, *wishes])
        assert len([r for r in double.requests if r.route == "messages"]) == 50
    assert all(isinstance(a, DeniedError) for a in answers)
    assert len(limiter.invalid_at) == 50


def test_invalid_requests_stay_far_below_the_rule():
    """At half of Discord's 10,000 in ten minutes everything waits until the window has room."""
    still = StillClock()
    limiter = Limiter(0, still.clock(), lambda line: None)
    for _ in range(INVALID_LIMIT):
        limiter.learn("messages", "1", 403, {})
    asyncio.run(limiter.ready("guilds", ""))
    assert sum(still.slept) >= 600


def test_pauses_double_and_stay_bounded():
    """1, 2, 4 … 60 seconds, spread by half."""
    assert [pause_seconds(n, 1.0) for n in (1, 2, 3, 7, 30)] == [1, 2, 4, 60, 60]
    assert pause_seconds(1, 0.0) == 0.5


@pytest.mark.parametrize(
    ("seconds", "words"), [(4, "4 s"), (1800.5, "30 min"), (7500, "2 h 05 min")]
)
def test_waits_are_told_in_words(seconds, words):
    """Hours are hours."""
    assert duration(seconds) == words
