"""Walking pages: no hole, no double, nothing asked twice, whatever happens on the way."""

import json
from datetime import UTC, datetime

import pytest

from pipeline.raw import Page, Raw
from pipeline.testing.double import Fault
from stages.dump.discord.reach import Reach, reaches
from stages.dump.discord.rooms import snowflake as id_at
from tests.dump.discord_desk import (
    Double,
    StillClock,
    asked,
    channel,
    context,
    corpus,
    go,
    ids,
    lines,
    manifest,
    message,
    one_room,
    row,
    snowflake,
)


def expected(count):
    return [snowflake(n) for n in range(count)]


@pytest.mark.parametrize("count", [0, 1, 99, 100, 101, 200, 350])
def test_every_message_comes_once(tmp_path, count):
    """Only a page that is not full ends the walk: also at exact multiples of its size."""
    with Double(one_room(tmp_path / "c", count)) as double:
        go(tmp_path / "a", double)
    assert sorted(ids(tmp_path / "a", 700)) == expected(count)
    assert row(tmp_path / "a", 700)["messages"] == count
    assert row(tmp_path / "a", 700)["status"] == ("complete" if count else "empty")


def test_objects_are_stored_unchanged_lone_surrogates_and_unknown_keys_included(tmp_path):
    """Rows B004, B014, B062: what no model knows stays; the file is ASCII, split at \\n alone."""
    odd = message(
        snowflake(1), 700, "a\u2028b\u0085c \ud83d", type=63, sticker_items=[{"format_type": None}],
        flags=16384, message_snapshots=[{"message": {"content": "fwd"}}], newer={"x": [1.5, None]},
    )  # fmt: skip
    with Double(corpus(tmp_path / "c", [channel(700)], {700: [odd]})) as double:
        go(tmp_path / "a", double)
    body = (tmp_path / "a/raw/messages/700.jsonl").read_bytes()
    assert body.isascii()
    assert body.count(b"\n") == 1
    assert json.loads(body) == odd


def test_a_second_run_asks_for_no_message_at_all(tmp_path):
    """Nothing new: the listing says so, and no page is asked."""
    with Double(one_room(tmp_path / "c", 250)) as double:
        go(tmp_path / "a", double)
        before = (tmp_path / "a/raw/messages/700.jsonl").read_bytes()
        double.requests.clear()
        go(tmp_path / "a", double)
        assert asked(double, "messages") == []
    assert (tmp_path / "a/raw/messages/700.jsonl").read_bytes() == before


def test_an_update_run_asks_after_the_highest_id_only(tmp_path):
    """The second cursor: one request for what is new, none for what is old."""
    with Double(one_room(tmp_path / "c", 250)) as double:
        go(tmp_path / "a", double)
        double.world.add_message("700", id=str(snowflake(300)), content="new")
        double.requests.clear()
        go(tmp_path / "a", double)
        queries = asked(double, "messages")
    assert queries == [f"limit=100&after={snowflake(249)}"]
    assert sorted(ids(tmp_path / "a", 700)) == [*expected(250), snowflake(300)]


def test_a_failure_leaves_the_cursor_where_it_was(tmp_path):
    """Row B035: run 1 ok to 500, run 2 gets 500 from the server at once, run 3 asks after=500."""
    rows = [message(n, 700) for n in range(401, 501)]
    with Double(corpus(tmp_path / "c", [channel(700)], {700: rows})) as double:
        go(tmp_path / "a", double)
        double.world.add_message("700", id="600", content="new")
        double.faults.add(Fault("status", route="messages", status=500, times=7))
        _, _, left = go(tmp_path / "a", double)
        assert len(left) == 1
        assert row(tmp_path / "a", 700)["status"] == "partial"
        double.faults.clear()
        double.requests.clear()
        go(tmp_path / "a", double)
        assert asked(double, "messages") == ["limit=100&after=500"]
    assert sorted(ids(tmp_path / "a", 700)) == [*range(401, 501), 600]


def test_pages_that_do_not_move_stop_the_room(tmp_path):
    """Row B028: a double that ignores `before`: an error, exit 3, the last good cursor kept."""
    fault = Fault("same page", route="messages", times=None)
    with Double(one_room(tmp_path / "c", 250), faults=[fault]) as double:
        _, _, left = go(tmp_path / "a", double)
        assert len(asked(double, "messages")) == 4  # two of the plan, two of the walk
        double.faults.clear()
        assert "no new message" in left[0]
        assert len(ids(tmp_path / "a", 700)) == 100
        go(tmp_path / "a", double)
    assert sorted(ids(tmp_path / "a", 700)) == expected(250)


def dry_queries(tmp_path, double):
    go(tmp_path / "dry", double, dry_run=True)
    return asked(double, "messages")


def test_rows_out_of_order_within_a_page_lose_nothing(tmp_path):
    """The cursor is the lowest id of a page, never its last row (discord-rest §2)."""
    fault = Fault("out of order", route="messages", times=None)
    with Double(one_room(tmp_path / "c", 450), faults=[fault]) as double:
        go(tmp_path / "a", double)
    assert sorted(ids(tmp_path / "a", 700)) == expected(450)


def test_a_full_page_with_rows_known_already_does_not_end_the_walk(tmp_path):
    """Only the length of the answer ends a walk, not how much of it was new (discord-rest §2)."""
    rows = [message(snowflake(n), 700, f"line {n}") for n in range(450)]
    overlapping = rows[250:350][::-1]  # asked before=350, the double gives 50 above the cursor
    where = {"before": str(snowflake(300))}
    with Double(corpus(tmp_path / "c", [channel(700)], {700: rows})) as double:
        double.faults.add(Fault("answer", route="messages", where=where, body=overlapping))
        page = rows[300:400][::-1]
        double.faults.add(
            Fault("answer", route="messages", where={"before": str(snowflake(350))}, body=page)
        )
        go(tmp_path / "a", double)
    assert sorted(ids(tmp_path / "a", 700)) == expected(450)
    assert len(ids(tmp_path / "a", 700)) == 450


def test_a_busy_room_ends_at_what_was_newest_when_it_was_begun(tmp_path):
    """Somebody posts before every page: the run ends, and the next one brings the rest."""

    def post(double):
        double.world.add_message("700", content="meanwhile")

    fault = Fault("hook", route="messages", times=None, action=post)
    with Double(one_room(tmp_path / "c", 250), faults=[fault]) as double:
        go(tmp_path / "a", double)
        double.faults.clear()
        go(tmp_path / "a", double)
        held = sorted(double.world.shelf("700").ids)
    assert sorted(ids(tmp_path / "a", 700)) == held


def test_a_torn_page_is_cut_and_asked_again(tmp_path):
    """Row B034: half a line is cut, rows that no page notes stay and do not come twice."""
    with Double(one_room(tmp_path / "c", 250)) as double:
        go(tmp_path / "a", double)
        pages = tmp_path / "a/raw/pages.jsonl"
        kept = pages.read_bytes().splitlines(keepends=True)
        pages.write_bytes(b"".join(kept[:1]) + kept[1][:40])
        path = tmp_path / "a/raw/messages/700.jsonl"
        path.write_bytes(path.read_bytes() + b'{"id":"105","cont')
        _, noted, _ = go(tmp_path / "a", double)
    assert sorted(ids(tmp_path / "a", 700)) == expected(250)
    assert any("was cut" in line for line in noted)
    assert any("are kept" in line for line in noted)


@pytest.mark.parametrize("broken_at", [0, 1, 2])
def test_a_walk_down_that_broke_goes_on_below(tmp_path, broken_at):
    """Rows B034: run 1 breaks at a page; run 2 asks for no page that run 1 had."""
    with Double(one_room(tmp_path / "c", 350)) as double:
        probing = len(dry_queries(tmp_path, double))
        double.faults.add(
            Fault("status", route="messages", status=503, skip=probing + broken_at, times=None)
        )
        go(tmp_path / "a", double)
        assert len(ids(tmp_path / "a", 700)) == 100 * broken_at
        double.faults.clear()
        double.requests.clear()
        go(tmp_path / "a", double)
    assert sorted(ids(tmp_path / "a", 700)) == expected(350)
    assert len(ids(tmp_path / "a", 700)) == 350


def test_new_messages_after_a_broken_first_pass_leave_no_hole(tmp_path):
    """Up from the highest, then down from the lowest: both cursors move in one run."""
    with Double(one_room(tmp_path / "c", 350)) as double:
        probing = len(dry_queries(tmp_path, double))
        double.faults.add(Fault("status", route="messages", status=503, skip=probing + 1, times=7))
        go(tmp_path / "a", double)
        for n in range(150):
            double.world.add_message("700", id=str(snowflake(400 + n)), content="late")
        go(tmp_path / "a", double)
        held = sorted(double.world.shelf("700").ids)
    assert sorted(ids(tmp_path / "a", 700)) == held
    assert row(tmp_path / "a", 700)["complete"] is True


def test_a_deleted_newest_message_is_asked_for_once(tmp_path):
    """`last_message_id` may name what is gone; the run after asks nothing for it."""
    with Double(one_room(tmp_path / "c", 5)) as double:
        double.world.delete_message("700", str(snowflake(4)))
        go(tmp_path / "a", double)
        double.requests.clear()
        go(tmp_path / "a", double)
        assert asked(double, "messages") == []
    assert row(tmp_path / "a", 700)["status"] == "complete"


def test_a_room_that_lists_nothing_but_names_a_newest_message_says_so(tmp_path):
    """Rows B030 and B045: counts are no proof; the last id is compared."""
    with Double(corpus(tmp_path / "c", [channel(700, last_message_id="777")], {})) as double:
        go(tmp_path / "a", double)
    got = row(tmp_path / "a", 700)
    assert got["status"] == "empty"
    assert "777" in got["reason"]


def test_since_and_until_cut_exactly(tmp_path):
    """Nothing older, nothing newer; the next run asks nothing; a wider scope fills both sides."""
    at = {"since": "2026-01-01T01:00", "until": "2026-01-01T04:20"}
    with Double(one_room(tmp_path / "c", 400)) as double:
        go(tmp_path / "a", double, scope=at)
        assert sorted(ids(tmp_path / "a", 700)) == [snowflake(n) for n in range(60, 260)]
        assert row(tmp_path / "a", 700)["complete"] is True
        double.requests.clear()
        go(tmp_path / "a", double, scope=at)
        assert asked(double, "messages") == []
        go(tmp_path / "a", double)
    assert sorted(ids(tmp_path / "a", 700)) == expected(400)
    assert len(ids(tmp_path / "a", 700)) == 400


def test_since_alone_asks_for_no_older_page(tmp_path):
    """400 messages, the last 150 in scope: two pages, and one row more than none is not kept."""
    with Double(one_room(tmp_path / "c", 400)) as double:
        probing = len(dry_queries_in(tmp_path, double, {"since": "2026-01-01T04:10"}))
        double.requests.clear()
        go(tmp_path / "a", double, scope={"since": "2026-01-01T04:10"})
        assert len(asked(double, "messages")) - probing == 2
    assert sorted(ids(tmp_path / "a", 700)) == [snowflake(n) for n in range(250, 400)]


def dry_queries_in(tmp_path, double, scope):
    go(tmp_path / "dry", double, dry_run=True, scope=scope)
    return asked(double, "messages")


def test_a_cutover_that_moves_on_asks_for_the_days_between(tmp_path):
    """until = day 1, then day 2: only what lies between is asked for."""
    with Double(one_room(tmp_path / "c", 400)) as double:
        go(tmp_path / "a", double, scope={"until": "2026-01-01T02:00"})
        assert sorted(ids(tmp_path / "a", 700)) == expected(120)
        double.requests.clear()
        go(tmp_path / "a", double, scope={"until": "2026-01-01T03:00"})
        assert all("before=" not in query for query in asked(double, "messages"))
    assert sorted(ids(tmp_path / "a", 700)) == expected(180)


def test_an_id_made_from_a_time_is_exact():
    """Row B026: no 32-bit shift, no float: checked both ways."""
    made = id_at(datetime(2026, 1, 1, tzinfo=UTC))
    assert made == (1_767_225_600_000 - 1_420_070_400_000) << 22
    assert (made >> 22) + 1_420_070_400_000 == 1_767_225_600_000


def test_reach_only_ever_widens():
    """Pages in any order give the widest stretch; a page without one moves no cursor."""
    page = Page("7", "x", "down", 100, "t", fresh=100, from_id="50", to_id="99", ends_at=10)
    lower = Page("7", "x", "down", 3, "t", fresh=3, from_id="0", to_id="49", ends_at=12)
    window = Page("7", "x", "window", 2, "t", lowest_id="60", highest_id="61", ends_at=14)
    got = reaches([page, lower, window])["7"]
    assert (got.low, got.high, got.messages, got.ends_at) == (0, 99, 103, 14)
    assert got.covers(0, 99)
    assert not got.covers(0, 100)
    assert not Reach().covers(0, 0)


def test_what_files_brought_is_not_counted_twice(tmp_path):
    """A room that export files filled first is still walked whole; its messages count once."""
    rows = [message(snowflake(n), 700, f"line {n}") for n in range(3)]
    with Double(one_room(tmp_path / "c", 5)) as double:
        raw = Raw(tmp_path / "a/raw")
        page = Page("700", "old.json", "file", 3, "t", fresh=3, lowest_id=rows[0]["id"],
                    highest_id=rows[2]["id"])  # fmt: skip
        raw.append_messages("700", [json.dumps(r).encode() for r in rows], page)
        go(tmp_path / "a", double)
    assert set(ids(tmp_path / "a", 700)) == set(expected(5))
    assert row(tmp_path / "a", 700)["messages"] == 5


def test_two_agents_share_one_raw_folder(tmp_path):
    """raw = PATH: the second agent's scope adds rooms; the first one's rows stay as they are."""
    rows = {n: [message(snowflake(n - 700), n)] for n in (700, 701)}
    with Double(corpus(tmp_path / "c", [channel(700), channel(701)], rows)) as double:
        go(tmp_path / "a", double, raw=tmp_path / "a/raw", scope={"channels": ("700",)})
        double.requests.clear()
        go(tmp_path / "b", double, raw=tmp_path / "a/raw", scope={"channels": ("701",)})
        assert not [r for r in double.requests if r.path == "/channels/700/messages"]
    assert row(tmp_path / "a", 700)["status"] == "complete"
    assert row(tmp_path / "a", 701)["status"] == "complete"


def test_the_manifest_is_written_also_when_the_run_is_stopped(tmp_path):
    """Ctrl-C in the middle: what was read is noted, what was not is pending, no end is claimed."""
    from stages.dump.discord import dump_discord

    folder = corpus(tmp_path / "c", [channel(700), channel(701)], {700: [message(1 << 30, 700)]})
    with Double(folder) as double:
        ctx, _, _ = context(tmp_path / "a", double, attachments="none")
        still = StillClock(double)
        real = ctx.raw.append_messages

        def append(channel_id, rows, page):
            if channel_id == "701":
                raise KeyboardInterrupt
            return real(channel_id, rows, page)

        ctx.raw.append_messages = append
        with pytest.raises(KeyboardInterrupt):
            dump_discord(ctx, still.clock())
    assert manifest(tmp_path / "a")["ended_at"] is None
    assert row(tmp_path / "a", 700)["status"] == "complete"
    assert row(tmp_path / "a", 701)["status"] == "pending"
    assert lines(tmp_path / "a", 700)[0]["id"] == str(1 << 30)
