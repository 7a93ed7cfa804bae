"""Threads are listed by four routes with two kinds of cursor."""

import pytest

from pipeline.testing.double import Double, Fault
from tests.double.small import (
    HISTORY,
    MANAGE_THREADS,
    READ,
    VIEW,
    get,
    ids,
    lines,
    room,
    thread,
    write,
)


def day(n):
    return f"2026-03-{n:02}T10:00:00.000000+00:00"


def test_active_threads_are_those_the_bot_sees(tmp_path):
    """By descending id; a private one only with membership, none under a hidden parent."""
    folder = write(
        tmp_path / "c",
        channels=[room("700"), room("701", deny=VIEW)],
        threads=[
            thread("9001", "700"),
            thread("9003", "700", 12, member_ids=["1", "11"]),
            thread("9002", "700", 12, member_ids=["11"]),
            thread("9004", "701"),
            thread("9005", "700", archived=day(1)),
        ],
        messages={"9002": lines("9002", 9100), "9003": lines("9003", 9101)},
    )
    with Double(folder) as double:
        listing = get(double, "/guilds/100/threads/active").json()
        assert [t["id"] for t in listing["threads"]] == ["9003", "9001"]
        assert [(m["id"], m["user_id"]) for m in listing["members"]] == [("9003", "1")]
        assert "member_ids" not in listing["threads"][0]
        assert get(double, "/channels/9002/messages").json()["code"] == 50001
        assert ids(get(double, "/channels/9003/messages")) == [9101]


def test_archived_public_pages_by_archive_time(tmp_path):
    """B040, B042: newest first, `before` is the archive time and exclusive, has_more tells."""
    rows = [thread(f"900{n}", "700", archived=day(d)) for n, d in ((1, 5), (2, 9), (3, 7), (4, 1))]
    with Double(write(tmp_path / "c", channels=[room("700")], threads=rows)) as double:
        at = "/channels/700/threads/archived/public"
        first = get(double, at, limit=2)
        assert ids(first) == [9002, 9003]
        assert first.json()["has_more"]
        rest = get(double, at, limit=2, before=day(7))
        assert ids(rest) == [9001, 9004]
        assert not rest.json()["has_more"]


@pytest.mark.parametrize(("key", "value"), [("limit", "1"), ("limit", "101"), ("before", "9001x")])
def test_archived_refuses_what_discord_refuses(tmp_path, key, value):
    """B042: a limit of one is refused, and so is a cursor that is no time."""
    with Double(write(tmp_path / "c", channels=[room("700")])) as double:
        answer = get(double, "/channels/700/threads/archived/public", **{key: value})
        assert (answer.status_code, answer.json()["code"]) == (400, 50035)


def test_private_archives_need_manage_threads_and_joined_ones_page_by_id(tmp_path):
    """403 without the right; the fallback lists only what the bot is in, by thread id."""
    rows = [
        thread("9001", "700", 12, day(9), ["1"]),
        thread("9002", "700", 12, day(1), ["1", "11"]),
        thread("9003", "700", 12, day(5), ["11"]),
    ]
    folder = write(tmp_path / "c", channels=[room("700")], threads=rows)
    with Double(folder) as double:
        assert get(double, "/channels/700/threads/archived/private").json()["code"] == 50013
        at = "/channels/700/users/@me/threads/archived/private"
        assert ids(get(double, at)) == [9002, 9001]
        assert ids(get(double, at, before="9002")) == [9001]
        assert get(double, at, before=day(3)).json()["code"] == 50035
    folder = write(
        tmp_path / "d", channels=[room("700")], threads=rows, everyone=READ | MANAGE_THREADS
    )
    with Double(folder) as double:
        assert ids(get(double, "/channels/700/threads/archived/private")) == [9001, 9003, 9002]


def test_archives_need_the_right_to_read_back(tmp_path):
    """Without READ_MESSAGE_HISTORY the listing itself is refused."""
    with Double(write(tmp_path / "c", channels=[room("700", deny=HISTORY)])) as double:
        assert get(double, "/channels/700/threads/archived/public").json()["code"] == 50013


def test_parent_kinds_have_their_own_threads(tmp_path):
    """Announcement rooms list kind 10, forums 11, and voice has none."""
    channels = [room("700"), room("705", 5), room("715", 15), room("702", 2)]
    rows = [
        thread("9001", "705", 10, day(1)),
        thread("9002", "715", 11, day(1)),
        thread("9003", "700", 12, day(1), ["1"]),
    ]
    with Double(write(tmp_path / "c", channels=channels, threads=rows)) as double:
        for parent, want in (("705", [9001]), ("715", [9002]), ("700", [])):
            assert ids(get(double, f"/channels/{parent}/threads/archived/public")) == want
        assert get(double, "/channels/702/threads/archived/public").json()["code"] == 50024


def test_a_thread_can_move_between_two_calls(tmp_path):
    """B041: a hook archives it after the active list was given, so it comes in both."""
    folder = write(tmp_path / "c", channels=[room("700")], threads=[thread("9001", "700")])
    with Double(folder) as double:
        move = Fault("hook", "archived public", action=lambda d: d.world.archive_thread("9001"))
        double.faults.add(move)
        assert ids(get(double, "/guilds/100/threads/active")) == [9001]
        assert ids(get(double, "/channels/700/threads/archived/public")) == [9001]
        assert ids(get(double, "/guilds/100/threads/active")) == []


def test_thread_members_need_the_members_intent(tmp_path):
    """Who took part is listed with it, refused without."""
    row = thread("9001", "700", member_ids=["1", "11"])
    folder = write(tmp_path / "c", channels=[room("700")], threads=[row])
    with Double(folder) as double:
        got = get(double, "/channels/9001/thread-members").json()
        assert [m["user_id"] for m in got] == ["1", "11"]
        double.world.application["flags"] = 0
        assert get(double, "/channels/9001/thread-members").status_code == 403
