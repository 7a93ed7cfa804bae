"""The bot's token: cleaned, refused where it is none, and never seen in any output."""

import asyncio
import socket
import traceback
from types import SimpleNamespace

import aiohttp
import pytest

from pipeline.errors import BackfoldError, NetworkError, UsageError
from pipeline.testing.double import Fault
from stages.dump.discord import dump_discord
from stages.dump.discord.faults import broken_words
from stages.dump.discord.token import HIDDEN, SHORTEST, read_token, scrub
from tests.dump.discord_desk import Double, StillClock, context, go, one_room

SECRET = "FAKE.TOKEN.VALUE"  # no token's shape: only its value gives it away


@pytest.mark.parametrize(
    "given",
    [
        '"abc.defgh"\n',
        "Bot abc.defgh",
        " 'abc.defgh' ",
        "bot  abc.defgh",
        '"Bot abc.defgh"',
        "\u200babc.defgh",
    ],
)
def test_what_people_paste_around_a_token_is_taken_off(given):
    """Row B071 of the fault list: quotes, `Bot `, newlines around a good token."""
    assert read_token({"DISCORD_TOKEN": given}) == "abc.defgh"


@pytest.mark.parametrize(
    "given",
    ["", "   ", "token", "e", "ab c.def", "mfa.abcdefgh", "Bearer abc", "abc\x07d"],
)
def test_what_can_be_no_bot_token_is_refused_before_anything_goes_out(given):
    """Rows B071 and B072: one clear usage error, and the value is not in it."""
    with pytest.raises(UsageError, match="DISCORD_TOKEN") as caught:
        read_token({"DISCORD_TOKEN": given})
    assert len(given.strip()) < SHORTEST or given.strip() not in str(caught.value)


def test_scrub_hides_a_token_by_value_and_by_shape():
    """A token that was never ours, pasted into some error, is hidden as well."""
    other = "A" * 24 + "." + "b" * 6 + "." + "c" * 27
    said = scrub(f"x {SECRET} y {other} Authorization: Bot abcdefghijklmnopq.rst", SECRET)
    assert SECRET not in said
    assert other not in said
    assert "abcdefghijklmnopq" not in said
    assert said.startswith(f"x {HIDDEN} y {HIDDEN}")


def test_a_users_account_is_refused(tmp_path):
    """Row B072: /users/@me without `bot` stops the run, with exit 1, before anything is read."""
    with Double(one_room(tmp_path / "c", 3)) as double:
        del double.world.me["bot"]
        with pytest.raises(NetworkError, match="user's account"):
            go(tmp_path / "a", double)
        assert [r.route for r in double.requests] == ["me"]


def test_401_stops_at_once(tmp_path):
    """A refused token is not tried twice."""
    with Double(one_room(tmp_path / "c", 3)) as double:
        with pytest.raises(NetworkError, match="401"):
            go(tmp_path / "a", double, token="wrong.token")
        assert len(double.requests) == 1


@pytest.mark.parametrize(
    "fault",
    [
        Fault("status", route="messages", status=401, times=None),
        Fault("status", route="messages", status=500, times=None, message=f"Bot {SECRET}"),
        Fault("status", route="messages", status=404, message=f"no {SECRET}", times=None),
        Fault("truncated", route="channels", times=None),
        Fault("reset", route="guild", times=None),
        Fault("edge", route="guilds", times=None),
    ],
    ids=lambda fault: f"{fault.kind}-{fault.status}",
)
def test_no_output_of_a_failing_run_holds_the_token(tmp_path, capfd, caplog, fault):
    """Row B070: files, logs at debug level, streams, error and traceback are searched."""
    caplog.set_level("DEBUG")
    with Double(one_room(tmp_path / "c", 3), token=SECRET, faults=[fault]) as double:
        ctx, said, noted = context(tmp_path / "a", double, token=SECRET)
        trace = ""
        try:
            dump_discord(ctx, StillClock(double).clock())
        except BackfoldError:
            trace = traceback.format_exc()
    written = [p.read_bytes() for p in (tmp_path / "a").rglob("*") if p.is_file()]
    streams = "".join(capfd.readouterr())
    text = "\n".join([*said, *noted, *ctx.left, trace, caplog.text, streams, repr(ctx)])
    assert SECRET not in text
    assert not [body for body in written if SECRET.encode() in body]


def test_the_client_does_not_show_the_token(tmp_path):
    """A debugger's repr of the client is safe to paste."""
    from stages.dump.discord.client import Client
    from stages.dump.discord.limits import Limiter

    clock = StillClock().clock()
    client = Client(SECRET, "http://127.0.0.1:1", Limiter(0, clock, print), clock, print)
    assert SECRET not in repr(client)
    assert asyncio.iscoroutinefunction(client.ask)


def test_a_host_without_a_name_is_told_in_words():
    """No class of a library: what could not be reached, why, and what to look at."""
    key = SimpleNamespace(host="discord.com", port=443, ssl=True, is_ssl=True)
    unresolved = aiohttp.ClientConnectorError(key, socket.gaierror(-2, "not known"))
    refused = aiohttp.ClientConnectorError(key, ConnectionRefusedError(111, "no"))
    assert broken_words(unresolved) == (
        "cannot reach discord.com (name not resolved); is the network up?"
    )
    assert "cannot reach discord.com (connection refused)" in broken_words(refused)
    assert broken_words(TimeoutError()) == "no answer in time (TimeoutError)"
