"""The last days read again: edits are appended, absences noted only where they are proven."""

import json

from pipeline.testing.double import Fault
from stages.dump.discord.reread import comparable
from tests.dump.discord_desk import (
    NOW,
    Double,
    asked,
    channel,
    corpus,
    go,
    lines,
    message,
    row,
    snowflake,
)

DAY = "2026-02-27"  # two days before the run's now


def recent(tmp_path, count=150, **more):
    rows = [message(snowflake(n, DAY), 700, f"line {n}", **more) for n in range(count)]
    old = [message(snowflake(n), 700, f"old {n}") for n in range(120)]
    return corpus(tmp_path / "c", [channel(700)], {700: [*old, *rows]})


def absences(tmp_path):
    path = tmp_path / "a/raw/absences.jsonl"
    return [json.loads(x) for x in path.read_bytes().splitlines()] if path.exists() else []


def test_an_edit_within_the_window_is_appended_and_an_older_one_is_not_asked_for(tmp_path):
    """The changed object stands below the old one; nothing before the window is read again."""
    with Double(recent(tmp_path)) as double:
        go(tmp_path / "a", double, reread_days=7)
        double.world.edit_message("700", str(snowflake(3, DAY)), content="mended")
        double.world.edit_message("700", str(snowflake(3)), content="too old")
        double.requests.clear()
        go(tmp_path / "a", double, reread_days=7)
        queries = asked(double, "messages")
    got = [r["content"] for r in lines(tmp_path / "a", 700) if r["id"] == str(snowflake(3, DAY))]
    assert got == ["line 3", "mended"]
    assert "too old" not in json.dumps(lines(tmp_path / "a", 700))
    assert all(int(query.rpartition("=")[2]) >= snowflake(119) for query in queries)
    assert len(queries) == 2
    assert row(tmp_path / "a", 700)["messages"] == 270


def test_a_window_without_changes_appends_nothing(tmp_path):
    """Fresh link signatures are no change; the third run leaves the file as it is."""
    picture = {"id": "9", "filename": "a.png", "size": 3, "content_type": "image/png",
               "url": "https://cdn.discordapp.com/attachments/700/9/a.png"}  # fmt: skip
    with Double(recent(tmp_path, 20, attachments=[picture])) as double:
        go(tmp_path / "a", double, reread_days=7, attachments="none")
        before = (tmp_path / "a/raw/messages/700.jsonl").read_bytes()
        double.world.skew_seconds += 3_600
        go(tmp_path / "a", double, reread_days=7, attachments="none")
    assert (tmp_path / "a/raw/messages/700.jsonl").read_bytes() == before


def test_an_absence_is_noted_once_and_only_after_a_complete_reread(tmp_path):
    """Row B038: a re-read that breaks at its second page proves nothing; the next one does."""
    gone = snowflake(120, DAY)
    with Double(recent(tmp_path)) as double:
        go(tmp_path / "a", double, reread_days=7)
        double.world.delete_message("700", str(gone))
        double.faults.add(Fault("status", route="messages", status=500, skip=1, times=None))
        go(tmp_path / "a", double, reread_days=7)
        assert absences(tmp_path) == []
        double.faults.clear()
        for _ in range(2):
            go(tmp_path / "a", double, reread_days=7)
    (noted,) = absences(tmp_path)
    assert noted["message_id"] == str(gone)
    assert int(noted["low_id"]) <= gone <= int(noted["high_id"])
    assert noted["absent_since"] == NOW.isoformat()
    assert str(gone) in {r["id"] for r in lines(tmp_path / "a", 700)}


def test_a_deletion_before_the_window_is_not_guessed(tmp_path):
    """Row B038: what was not read again is not absent."""
    with Double(recent(tmp_path)) as double:
        go(tmp_path / "a", double, reread_days=7)
        double.world.delete_message("700", str(snowflake(5)))
        go(tmp_path / "a", double, reread_days=7)
        assert absences(tmp_path) == []
        go(tmp_path / "a", double, reread_days=10_000)
    assert [a["message_id"] for a in absences(tmp_path)] == [str(snowflake(5))]


def test_new_messages_and_the_window_come_in_one_run(tmp_path):
    """An edit, a deletion and a new message: all three are seen, nothing twice."""
    with Double(recent(tmp_path)) as double:
        go(tmp_path / "a", double, reread_days=7)
        double.world.edit_message("700", str(snowflake(100, DAY)), content="mended")
        double.world.delete_message("700", str(snowflake(149, DAY)))
        double.world.add_message("700", id=str(snowflake(160, DAY)), content="new")
        go(tmp_path / "a", double, reread_days=7)
    rows = lines(tmp_path / "a", 700)
    assert len(rows) == 272
    assert rows[-1]["content"] == "new"
    assert [a["message_id"] for a in absences(tmp_path)] == [str(snowflake(149, DAY))]
    assert row(tmp_path / "a", 700)["messages"] == 271


def test_order_of_keys_and_signatures_make_no_difference():
    """Rows B065: two objects that differ in `ex`, `is`, `hm` alone are equal."""
    one = {"id": "1", "url": "https://c/a.png?ex=1a&is=2b&hm=3c&", "x": 1}
    two = {"x": 1, "url": "https://c/a.png?ex=4d&is=5e&hm=6f&", "id": "1"}
    assert comparable(one) == comparable(two)
    assert comparable(one) != comparable({**two, "x": 2})
