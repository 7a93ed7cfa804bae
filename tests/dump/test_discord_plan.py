"""The plan: told before anything, honest about size and rights; a dry run writes nothing."""

import json

import pytest

from pipeline.errors import UsageError
from pipeline.raw import Page
from pipeline.testing.double import Fault
from stages.dump import DumpKnobs, dump
from tests.dump.discord_desk import (
    Double,
    StillClock,
    asked,
    channel,
    context,
    corpus,
    go,
    ids,
    manifest,
    message,
    one_room,
    row,
    snowflake,
    user,
)


def tree(folder):
    return {p.relative_to(folder): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_dry_run_writes_nothing_at_all(tmp_path):
    """The folder stays byte-identical, also where a killed run left something torn."""
    root = tmp_path / "a"
    with Double(one_room(tmp_path / "c", 250)) as double:
        go(root, double)
        with (root / "raw/pages.jsonl").open("ab") as file:
            file.write(b'{"torn')
        before = tree(root)
        double.world.add_message("700", id=str(snowflake(900)))
        said, _, _ = go(root, double, dry_run=True)
        assert tree(root) == before
        fresh = tmp_path / "new"
        go(fresh, double, dry_run=True)
        assert not fresh.exists()
    assert {r.method for r in double.requests} == {"GET"}
    assert any("nothing was written" in line for line in said)


def test_the_plan_says_who_what_and_how_much(tmp_path):
    """Bot, intents, scope, each room, requests, time, attachments: all before the first page."""
    with Double(one_room(tmp_path / "c", 40)) as double:
        said, _, _ = go(tmp_path / "a", double, dry_run=True, max_requests_per_second=5.0)
    plan = "\n".join(said)
    assert "wren (300)" in plan
    assert "Message Content on, Guild Members on" in plan
    assert "from the beginning to now" in plan
    assert "#room-700" in plan
    assert "about 40 messages, 1 requests" in plan
    assert "images and text files, up to 8 MB each" in plan


def test_the_estimate_of_a_steady_room_is_close(tmp_path):
    """5,000 messages a minute apart, told from ten pages: within a tenth."""
    with Double(one_room(tmp_path / "c", 5_000)) as double:
        said, _, _ = go(tmp_path / "a", double, dry_run=True)
    told = next(line for line in said if line.startswith("expected"))
    messages = int(told.split()[2].replace(",", ""))
    assert 4_500 <= messages <= 5_500


def test_the_estimate_of_a_begun_room_is_of_what_it_lacks(tmp_path):
    """A run that broke after three pages: the plan of the next tells the other 4,700."""
    with Double(one_room(tmp_path / "c", 5_000)) as double:
        go(tmp_path / "dry", double, dry_run=True)
        skip = len(asked(double, "messages")) + 3
        double.faults.add(Fault("status", route="messages", status=500, skip=skip, times=None))
        go(tmp_path / "a", double)
        double.faults.clear()
        said, _, _ = go(tmp_path / "a", double, dry_run=True)
    told = next(line for line in said if line.startswith("expected"))
    assert 4_200 <= int(told.split()[2].replace(",", "")) <= 5_200


def test_bars_are_corrected_by_how_far_the_pages_reach(tmp_path):
    """Told 10 pages, and after 10 only a fifth of the time is read: 50 are expected now."""
    from stages.dump.discord.bars import Bars
    from stages.dump.discord.plan import Forecast
    from stages.dump.discord.rooms import Room

    room = Room("700", "100", None, 0, "hall", "1000")
    with Double(one_room(tmp_path / "c", 1)) as double:
        bars = Bars(context(tmp_path / "a", double)[0], total=10)
    bars.open()
    bars.enter(Forecast(room, 1_000, 10, 0, 1_000))
    for n in range(10):
        low = str(1_000 - 20 * (n + 1))
        bars.step(Page("700", "x", "down", 100, "t", fresh=100, from_id=low, to_id="1000"))
    assert bars.total == 50
    bars.leave()
    assert bars.total == 10
    bars.close()


def test_the_bots_joining_is_offered_with_what_it_saves_and_a_warning(tmp_path):
    """The whole history is the default; joined_at would save about half of it here."""
    from tests.dump.discord_desk import ME

    rows = [message(snowflake(2 * n), 700) for n in range(1_440)]  # two days from January 1
    own = {"user": ME, "nick": None, "roles": [], "joined_at": "2026-01-02T00:00:00.000000+00:00"}
    with Double(corpus(tmp_path / "c", [channel(700)], {700: rows}, members=[own])) as double:
        said, _, _ = go(tmp_path / "a", double, dry_run=True)
        quiet, _, _ = go(tmp_path / "a", double, dry_run=True, scope={"since": "2026-01-02"})
    offer = next(line for line in said if line.startswith("offer"))
    assert 'scope.since = "2026-01-02"' in offer
    assert "invited again" in offer
    saved = int(offer.split("save about ")[1].split()[0])
    assert 6 <= saved <= 9
    assert not [line for line in quiet if line.startswith("offer")]


def test_the_missing_intent_is_shouted_and_written_down(tmp_path):
    """Row B007: filled in part only, which looks whole: a warning, and the manifest says `off`."""
    rows = [message(snowflake(n), 700, "hi", author=user(71)) for n in range(16)]
    own = {"id": "300", "username": "wren", "bot": True}
    rows += [message(snowflake(20 + n), 700, "mine", author=own) for n in range(2)]
    rows += [message(snowflake(30 + n), 700, "wren?", mentions=[{"id": "300"}]) for n in range(2)]
    folder = corpus(tmp_path / "c", [channel(700)], {700: rows}, application={"flags": 0})
    with Double(folder) as double:
        _, noted, _ = go(tmp_path / "a", double)
    assert any("Message Content intent is OFF" in line for line in noted)
    assert manifest(tmp_path / "a")["message_content"] == "off"
    assert len(ids(tmp_path / "a", 700)) == 20


def test_flags_that_cannot_be_read_are_unknown_not_on(tmp_path):
    """No answer about the application: said, and `unknown` in the manifest."""
    fault = Fault("status", route="application", status=403, code=50001)
    with Double(one_room(tmp_path / "c", 3), faults=[fault]) as double:
        _, noted, _ = go(tmp_path / "a", double)
    assert manifest(tmp_path / "a")["message_content"] == "unknown"
    assert any("did not tell" in line for line in noted)


def test_the_manifest_keeps_the_contract(tmp_path):
    """Keys of the run and of a room's row, with their kinds."""
    with Double(one_room(tmp_path / "c", 3)) as double:
        go(tmp_path / "a", double)
    got = manifest(tmp_path / "a")
    assert got["version"] == 1
    assert got["source"] == "discord"
    assert got["bot"]["id"] == "300"
    assert got["requests"] > 0
    assert got["ended_at"]
    assert row(tmp_path / "a", 700) == {
        "channel_id": "700", "guild_id": "100", "parent_id": None, "type": 0, "name": "room-700",
        "status": "complete", "reason": row(tmp_path / "a", 700)["reason"], "messages": 3,
        "lowest_id": str(snowflake(0)), "highest_id": str(snowflake(2)),
        "last_message_id": str(snowflake(2)), "complete": True,
        "attempted_at": "2026-03-01T00:00:00+00:00",
    }  # fmt: skip


def test_pages_say_how_they_came(tmp_path):
    """Route, cursor, direction, counts, time, and which stretch each completes."""
    with Double(one_room(tmp_path / "c", 150)) as double:
        go(tmp_path / "a", double)
    pages = [json.loads(x) for x in (tmp_path / "a/raw/pages.jsonl").read_bytes().splitlines()]
    assert [p["direction"] for p in pages] == ["down", "down"]
    assert [p["cursor"] for p in pages] == [None, str(snowflake(50))]
    assert [p["count"] for p in pages] == [100, 50]
    assert [p["closed"] for p in pages] == [False, True]
    assert pages[1]["from_id"] == "0"
    assert pages[0]["to_id"] == str(snowflake(149))
    size = (tmp_path / "a/raw/messages/700.jsonl").stat().st_size
    assert pages[1]["ends_at"] == size


def test_everything_is_private(tmp_path):
    """0700 and 0600: raw holds private talk in clear."""
    with Double(one_room(tmp_path / "c", 3)) as double:
        go(tmp_path / "a", double)
    raw = tmp_path / "a/raw"
    assert raw.stat().st_mode & 0o777 == 0o700
    assert {p.stat().st_mode & 0o777 for p in raw.rglob("*") if p.is_file()} == {0o600}


def test_the_pace_holds_over_a_whole_dump(tmp_path):
    """At 5 a second a dump of n requests takes at least (n - 1) fifths of a second."""
    with Double(one_room(tmp_path / "c", 450)) as double:
        still = StillClock(double)
        go(tmp_path / "a", double, clock=still, max_requests_per_second=5.0)
        assert sum(still.slept) >= (len(double.requests) - 1) / 5 - 0.001


def test_wrong_knobs_are_refused():
    """With the known values named."""
    with pytest.raises(UsageError, match="none, text, images, all"):
        DumpKnobs(attachments="pictures")
    with pytest.raises(UsageError, match="reread_days"):
        DumpKnobs(reread_days=-1)
    assert dump.free is False
