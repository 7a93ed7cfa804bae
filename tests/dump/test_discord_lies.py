"""A server that lies: one bad room is one bad row, nothing garbled reaches raw, no traceback."""

import asyncio
import contextlib
import math

import aiohttp
import pytest
from aiohttp import web

from pipeline.errors import NetworkError
from pipeline.testing.double import Fault, server
from stages.dump.discord import client, dump_discord
from stages.dump.discord.faults import TRIES, judge
from stages.dump.discord.limits import Limiter, number
from tests.dump.discord_desk import (
    Double,
    StillClock,
    channel,
    context,
    corpus,
    go,
    ids,
    manifest,
    message,
    row,
    snowflake,
    thread,
)
from tests.dump.test_discord_limits import MESSAGES, asking

DEEP = "[" * 200_000 + "]" * 200_000
GOOD = message(snowflake(1), 700)
BAD_PAGES = [
    [1, 2, 3],
    [{}],
    [{"id": "abc"}],
    [{"id": None}],
    [{"id": "-7"}],
    [{"id": "9" * 40}],
    [{"id": "1\n"}],
    [{"id": 1.456e18}],
    [GOOD, {"id": 1.456e18}],
    [GOOD | {"author": {"id": "x"}}],
    [GOOD | {"attachments": [{"id": "../../x"}]}],
    [GOOD | {"weight": math.nan}],
    {"x": 1},
    None,
    "text",
]


def two_rooms(folder):
    """Write a corpus of two rooms with three messages each."""
    rooms = {n: [message(snowflake(i + n), n) for i in range(3)] for n in (700, 701)}
    return corpus(folder, [channel(700), channel(701)], rooms)


def dumped(tmp_path, *faults, **more):
    """Dump two rooms under faults; gives what is left."""
    with Double(two_rooms(tmp_path / "c"), faults=faults) as double:
        return go(tmp_path / "a", double, **more)[2]


@pytest.mark.parametrize("body", BAD_PAGES)
def test_a_garbled_page_fails_its_room_alone(tmp_path, body):
    """Nothing of the page is written, the row says why, the other room is read whole."""
    fault = Fault("answer", "messages", where={"channel": "700"}, body=body, times=None)
    left = dumped(tmp_path, fault)
    assert ids(tmp_path / "a", 700) == []
    assert row(tmp_path / "a", 700)["status"] == "failed"
    assert row(tmp_path / "a", 700)["reason"]
    assert row(tmp_path / "a", 701)["status"] == "complete"
    assert any("(700)" in line for line in left)


def test_a_room_that_was_garbled_is_whole_once_the_server_is_honest(tmp_path):
    """What a lie left behind does not stand in the way of the next run."""
    with Double(two_rooms(tmp_path / "c")) as double:
        double.faults.add(Fault("answer", "messages", body=[{"id": 1.456e18}], times=None))
        assert go(tmp_path / "a", double)[2]
        double.faults.clear()
        assert go(tmp_path / "a", double)[2] == []
    assert len(ids(tmp_path / "a", 700)) == 3


def test_many_garbled_rooms_do_not_count_as_silence(tmp_path):
    """Five garbled rooms in a row, and the sixth is still read: somebody does answer."""
    rooms = [channel(n, last_message_id="5") for n in range(700, 705)]
    folder = corpus(tmp_path / "c", [*rooms, channel(705)], {705: [message(snowflake(1), 705)]})
    faults = [Fault("answer", "messages", where={"channel": str(n)}, body=[{}], times=None)
              for n in range(700, 705)]  # fmt: skip
    with Double(folder, faults=faults) as double:
        go(tmp_path / "a", double)
    assert row(tmp_path / "a", 704)["status"] == "failed"
    assert row(tmp_path / "a", 705)["status"] == "complete"


@pytest.mark.parametrize("route", ["messages", "guild", "channels", "application", "members"])
def test_json_nested_without_end_is_no_traceback(tmp_path, route):
    """200,000 brackets overflow a reader's stack; that is one more garbled answer."""
    fault = Fault("answer", route, content_type="application/json", body=DEEP, times=None)
    left = dumped(tmp_path, fault)
    assert left or route == "application"
    assert manifest(tmp_path / "a")["ended_at"]


@pytest.mark.parametrize("body", [None, {}, [], 5, "text", [None], {"id": "../x"}, {"id": None}])
@pytest.mark.parametrize(
    "route",
    [
        "application",
        "guild",
        "channels",
        "member",
        "members",
        "user",
        "active threads",
        "archived public",
        "joined private",
    ],
)
def test_no_garbled_listing_ends_the_run(tmp_path, route, body):
    """Whatever a listing answers, the run comes to its end and the manifest stands."""
    dumped(tmp_path, Fault("answer", route, body=body, times=None))
    assert manifest(tmp_path / "a")["ended_at"]


def test_a_guild_without_an_id_is_a_line_and_the_others_are_read(tmp_path):
    """`[{"id": null}, …]` among the bot's guilds: the good one is dumped, the run unfinished."""
    fault = Fault("answer", "guilds", body=[{"id": None}, {"id": "100"}], times=None)
    left = dumped(tmp_path, fault)
    assert len(left) == 1
    assert "guild" in left[0]
    assert row(tmp_path / "a", 700)["status"] == "complete"


def test_a_channel_that_is_null_is_a_line_and_the_others_are_read(tmp_path):
    """A hole in the list of channels has no row to stand in, so a line says it."""
    fault = Fault("answer", "channels", body=[None, channel(701)], times=None)
    left = dumped(tmp_path, fault)
    assert "without an id" in left[0]
    assert row(tmp_path / "a", 701)["status"] == "complete"


@pytest.mark.parametrize("odd", [{"id": "../../pwn"}, {"id": "9", "type": "0"}, {"id": "9\n"}])
def test_a_channel_of_another_shape_is_one_failed_row(tmp_path, odd):
    """An id that is a path, a kind that is text: one row `failed`, and no request about it."""
    body = [channel(1) | odd, channel(701)]
    with Double(two_rooms(tmp_path / "c")) as double:
        double.faults.add(Fault("answer", "channels", body=body, times=None))
        _, _, left = go(tmp_path / "a", double)
        assert not [r for r in double.requests if "pwn" in r.path]
    failed = row(tmp_path / "a", odd["id"])
    assert failed["status"] == "failed"
    assert "documents" in failed["reason"]
    assert row(tmp_path / "a", 701)["status"] == "complete"
    assert len(left) == 1


def test_a_thread_of_another_shape_is_one_failed_row(tmp_path):
    """A thread without a usable archive time is told, its parent is read."""
    body = {"threads": [thread(900, 700) | {"thread_metadata": {}}], "has_more": True}
    left = dumped(tmp_path, Fault("answer", "archived public", body=body, times=None))
    assert row(tmp_path / "a", 900)["status"] == "failed"
    assert row(tmp_path / "a", 700)["status"] == "complete"
    assert len(left) == 1


@pytest.mark.parametrize("body", [{}, [], None, [1], {"id": "x", "bot": True}])
def test_an_answer_that_is_no_user_is_not_called_a_users_account(tmp_path, body):
    """The token is not blamed for what a wrong address answers; the address is named."""
    with pytest.raises(NetworkError, match="api/v10") as caught:
        dumped(tmp_path, Fault("answer", "me", body=body, times=None))
    assert "user's account" not in str(caught.value)


def test_an_address_without_its_version_says_what_to_do(tmp_path):
    """A base without /api/v10 mostly answers 404 or 405: the knob and its ending are named."""
    with Double(two_rooms(tmp_path / "c")) as double:
        base = double.url.removesuffix("/api/v10")
        assert base != double.url
        with pytest.raises(NetworkError, match=r"dump\.api_base: it should end in /api/v10"):
            go(tmp_path / "a", double, api_base=base)


@pytest.mark.parametrize("wait", ["inf", "nan", -5, 0, None, "soon", [], "1e400"])
def test_a_limit_without_a_usable_wait_is_a_second(tmp_path, wait):
    """A 429 that names no time is waited for shortly, and then asked again."""
    body = {"message": "x", "global": False} | ({} if wait is None else {"retry_after": wait})
    faults = [Fault("answer", "messages", status=429, body=body)]
    with Double(two_rooms(tmp_path / "c"), faults=faults) as double:
        answers, still, _, _ = asking(double, [MESSAGES])
    assert len(answers[0]) == 3
    assert sum(still.slept) == pytest.approx(1.0)


def test_a_limit_for_ever_is_bounded(tmp_path):
    """A wait of years, and a 429 after every wait: the room is given up, not the evening."""
    long = Fault("answer", "messages", where={"channel": "700"}, status=429, times=None,
                 body={"retry_after": 1e12})  # fmt: skip
    again = Fault("answer", "messages", where={"channel": "701"}, status=429, times=None,
                  body={"retry_after": 0.1})  # fmt: skip
    clock = StillClock()
    left = dumped(tmp_path, long, again, clock=clock)
    assert {row(tmp_path / "a", n)["status"] for n in (700, 701)} == {"failed"}
    assert len(left) == 2
    assert sum(clock.slept) < 60


def test_headers_with_numbers_that_are_none_close_no_bucket_for_ever():
    """`inf` and `nan` are no number; a reset in a year is looked at again in an hour."""
    assert [number(text) for text in ("inf", "-inf", "nan", "x", None)] == [None] * 5
    still = StillClock()
    limiter = Limiter(0, still.clock(), lambda line: None)
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset-After": "3e7"}
    limiter.learn("messages", "1", 200, headers)
    asyncio.run(limiter.ready("messages", "1"))
    assert sum(still.slept) == pytest.approx(3600)
    assert judge(429, {"Via": "v", "Retry-After": "inf"}, b"{}").wait_seconds == 1.0


@pytest.mark.parametrize("cut", [0, 50])
def test_resets_for_ever_leave_one_room_and_are_bounded(tmp_path, cut):
    """A connection that breaks before or in the body: so many tries, then the next room."""
    fault = Fault("reset", "messages", where={"channel": "700"}, bytes=cut, times=None)
    left = dumped(tmp_path, fault)
    assert row(tmp_path / "a", 700)["status"] == "failed"
    assert f"{TRIES} tries" in left[0]
    assert row(tmp_path / "a", 701)["status"] == "complete"


@pytest.mark.parametrize("kind", ["slow", "stall"])
def test_a_body_that_does_not_come_is_timed_out_and_tried_again(tmp_path, monkeypatch, kind):
    """An answer that takes longer than the time-out is dropped; the second try brings it."""
    monkeypatch.setattr(client, "TIMEOUT", aiohttp.ClientTimeout(total=0.3))
    fault = Fault(kind, "messages", seconds=1.5, bytes=100)
    with Double(two_rooms(tmp_path / "c"), faults=[fault]) as double:
        answers, still, _, _ = asking(double, [MESSAGES])
    assert len(answers[0]) == 3
    assert len(still.slept) == 1


def test_a_page_cut_on_the_way_down_leaves_the_room_partial(tmp_path):
    """5xx for ever behind the first page: bounded, partial with what came, exit 3; then whole."""
    rows = [message(snowflake(i), 700) for i in range(150)]
    with Double(corpus(tmp_path / "c", [channel(700)], {700: rows})) as double:
        double.faults.add(Fault("status", "messages", where={"before": rows[50]["id"]},
                                status=502, times=None))  # fmt: skip
        _, _, left = go(tmp_path / "a", double)
        assert row(tmp_path / "a", 700)["status"] == "partial"
        assert left
        double.faults.clear()
        go(tmp_path / "a", double)
    assert sorted(ids(tmp_path / "a", 700)) == [int(r["id"]) for r in rows]


def test_pages_out_of_order_leave_no_hole(tmp_path):
    """The cursors come from the lowest and highest id of a page, not from its ends."""
    rows = [message(snowflake(i), 700) for i in range(350)]
    fault = Fault("out of order", "messages", times=None)
    with Double(corpus(tmp_path / "c", [channel(700)], {700: rows}), faults=[fault]) as double:
        assert go(tmp_path / "a", double)[2] == []
    assert sorted(ids(tmp_path / "a", 700)) == [int(r["id"]) for r in rows]


def test_a_page_of_another_kind_is_waited_out_as_the_edges(tmp_path):
    """HTML with 200 is the edge: minutes of waiting, then the run stops with words."""
    fault = Fault("wrong type", "messages", content_type="text/html", times=None)
    clock = StillClock()
    with pytest.raises(NetworkError, match="Cloudflare"):
        dumped(tmp_path, fault, clock=clock)
    assert sum(clock.slept) == pytest.approx(780)


def test_a_redirect_fails_its_room_and_nothing_reaches_the_other_host(tmp_path):
    """302 to another host: no request arrives there, the room is failed, the other one read."""
    reached = []

    async def other(reader, writer):
        reached.append(await reader.read(100))
        writer.close()

    async def run():
        server = await asyncio.start_server(other, "127.0.0.1", 0)
        there = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/channels/701/messages"
        async with server:
            with Double(two_rooms(tmp_path / "c")) as double, redirecting(there):
                await asyncio.to_thread(go, tmp_path / "a", double)

    asyncio.run(run())
    assert reached == []
    assert row(tmp_path / "a", 700)["status"] == "failed"
    assert "redirect" in row(tmp_path / "a", 700)["reason"]
    assert row(tmp_path / "a", 701)["status"] == "complete"


@contextlib.contextmanager
def redirecting(where):
    """Let the double answer room 700 with a redirect."""
    real = server.send

    async def send(request, answer, fault):
        if request.path.endswith("/channels/700/messages"):
            return web.Response(status=302, headers={"Location": where})
        return await real(request, answer, fault)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "send", send)
        yield


def test_a_token_that_is_cut_by_the_length_of_an_error_is_hidden(tmp_path):
    """The token is taken out before a message is shortened: no half of it stays behind."""
    token = "double.bot.token.that.is.long"
    fault = Fault("status", "messages", status=400, message="x" * 60 + token, times=None)
    with Double(two_rooms(tmp_path / "c"), token=token, faults=[fault]) as double:
        _, noted, left = go(tmp_path / "a", double, token=token)
    text = "\n".join([*noted, *left, (tmp_path / "a/raw/manifest.json").read_text()])
    assert "double.bot" not in text


def test_a_server_that_calls_the_bot_by_its_token_leaves_none_of_it(tmp_path):
    """The name of the bot goes into plan and manifest: it is cleaned too."""
    with Double(two_rooms(tmp_path / "c")) as double:
        body = {"id": "300", "username": double.token, "bot": True}
        double.faults.add(Fault("answer", "me", body=body, times=None))
        said, noted, _ = go(tmp_path / "a", double)
        text = "\n".join([*said, *noted, (tmp_path / "a/raw/manifest.json").read_text()])
        assert double.token not in text


@pytest.mark.parametrize("body", [{}, {"id": "5"}, GOOD, {"id": "800", "weight": math.nan}])
def test_a_starter_that_is_another_message_is_not_kept(tmp_path, body):
    """What a thread was started from is asked for by id: another object is refused and told."""
    first = message(snowflake(5), 800, "", type=21)
    place = thread(800, 700, last_message_id=first["id"])
    folder = corpus(tmp_path / "c", [channel(700, deny=0)], {700: [], 800: [first]}, [place])
    since = {"since": "2026-01-01"}
    with Double(folder) as double:
        double.faults.add(Fault("answer", "message", body=body, times=None))
        _, _, left = go(tmp_path / "a", double, scope=since)
        assert [r for r in double.requests if r.route == "message"]
    assert ids(tmp_path / "a", 700) == []
    assert any("800" in line for line in left)


def test_a_room_that_is_called_by_the_token_is_not_said(tmp_path):
    """What is left is told with the names of rooms: those are cleaned as well."""
    with Double(two_rooms(tmp_path / "c")) as double:
        body = [channel(700, name=double.token)]
        double.faults.add(Fault("answer", "channels", body=body, times=None))
        double.faults.add(Fault("answer", "messages", body=[{}], times=None))
        said, noted, left = go(tmp_path / "a", double)
        assert left
        assert double.token not in "\n".join([*said, *noted, *left])


def test_a_dry_run_among_lies_writes_nothing(tmp_path):
    """The looking-over bears the same lies, and still leaves no file."""
    fault = Fault("answer", "messages", body=[{"id": None}], times=None)
    with Double(two_rooms(tmp_path / "c"), faults=[fault]) as double:
        ctx, _, _ = context(tmp_path / "a", double, dry_run=True)
        dump_discord(ctx, StillClock(double).clock())
    assert not (tmp_path / "a" / "raw").exists()
