"""Corpora of Discord's own objects: taken over as they are, at the speed of a copy."""

import json

import pytest

from tests.dump.files_small import ROOM_ID, contents, file_row, last, lines, room_row, take

GUILD_ID = "1100000000000000001"
THREAD_ID = "1200000000000000009"


def said(number, content="hi", **facts):
    """Give a message object."""
    return {"id": str(number), "channel_id": ROOM_ID, "type": 0, "content": content,
            "timestamp": "2026-01-01T00:00:00.000000+00:00",
            "author": {"id": "2", "username": "a"}, **facts}  # fmt: skip


def corpus(folder, rows, **facts):
    """Write a corpus with one room; `rows` are objects or lines."""
    (folder / "messages").mkdir(parents=True, exist_ok=True)
    guild = {
        "id": GUILD_ID,
        "name": "Lantern Yard",
        "roles": [{"id": GUILD_ID, "name": "@everyone", "permissions": "1024"}],
        "channels": [{"id": ROOM_ID, "type": 0, "name": "general", "parent_id": None}],
        "threads": [{"id": THREAD_ID, "type": 11, "parent_id": ROOM_ID, "member_ids": ["2"]}],
        "members": [{"user": {"id": "2", "username": "a"}, "nick": None, "roles": []}],
    }
    dm = {"id": "1500000000000000001", "type": 1, "recipients": [{"id": "3", "username": "b"}]}
    facts = {"self": {"id": "9", "username": "tilly", "bot": True}, "guilds": [guild],
             "dms": [dm], **facts}  # fmt: skip
    (folder / "guild.json").write_text(json.dumps(facts))
    return write(folder, rows)


def write(folder, rows):
    """Write the room's lines; gives the path."""
    path = folder / "messages" / f"{ROOM_ID}.jsonl"
    body = [row if isinstance(row, bytes) else json.dumps(row).encode() for row in rows]
    path.write_bytes(b"".join(line + b"\n" for line in body))
    return path


def test_lines_and_tables_are_taken_as_they_are(tmp_path):
    """Byte for byte; side tables from guild.json."""
    path = corpus(tmp_path / "in", [said(n) for n in range(1, 5)])
    raw, done = take(tmp_path, tmp_path / "in")
    assert raw.messages_path(ROOM_ID).read_bytes() == path.read_bytes()
    assert (done.fresh, done.left) == (4, ())
    assert raw.envelopes("guilds")[(GUILD_ID, GUILD_ID)].object["roles"]
    assert set(raw.envelopes("channels")) == {
        (GUILD_ID, ROOM_ID),
        (GUILD_ID, THREAD_ID),
        (None, "1500000000000000001"),
    }
    assert "member_ids" not in raw.envelopes("channels")[(GUILD_ID, THREAD_ID)].object
    assert {key[1] for key in raw.envelopes("users")} == {"2", "3", "9"}
    assert raw.envelopes("members")[(GUILD_ID, "2")]
    assert raw.read_manifest()["bot"]["id"] == "9"
    row = room_row(raw)
    assert (row["status"], row["name"], row["messages"]) == ("complete", "general", 4)


def test_a_second_run_reads_and_writes_nothing(tmp_path):
    """Size and time of the files stand."""
    corpus(tmp_path / "in", [said(1)])
    raw, _ = take(tmp_path, tmp_path / "in")
    before = {p: p.stat().st_mtime_ns for p in raw.root.rglob("*")}
    _, again = take(tmp_path, tmp_path / "in")
    assert dict(again.files) == {"unchanged": 2}
    assert {p: p.stat().st_mtime_ns for p in raw.root.rglob("*")} == before


def test_what_was_appended_to_a_file_is_appended(tmp_path):
    """The stretch read before is not looked at line by line."""
    rows = [said(n) for n in range(1, 4)]
    corpus(tmp_path / "in", rows)
    take(tmp_path, tmp_path / "in")
    write(tmp_path / "in", [*rows, said(4), said(5)])
    raw, done = take(tmp_path, tmp_path / "in")
    assert (done.fresh, len(lines(raw))) == (2, 5)
    assert (room_row(raw)["messages"], room_row(raw)["highest_id"]) == (5, "5")
    assert [(p.count, p.lowest_id) for p in raw.pages()] == [(3, "1"), (2, "4")]


def test_a_file_that_changed_in_the_middle_appends_what_changed(tmp_path):
    """An edited object, a new one; the others stand."""
    corpus(tmp_path / "in", [said(1), said(2), said(4)])
    take(tmp_path, tmp_path / "in")
    write(tmp_path / "in", [said(1), said(2, "edited"), said(3), said(4)])
    raw, done = take(tmp_path, tmp_path / "in")
    assert (done.fresh, done.changed, len(lines(raw))) == (1, 1, 5)
    assert contents(raw) == ["hi", "edited", "hi", "hi"]
    assert room_row(raw)["messages"] == 4


def test_a_room_that_was_dumped_from_discord_is_not_overruled(tmp_path):
    """A corpus has no date: only what is missing comes in."""
    from pipeline.raw import Page, Raw
    from tests.dump.files_small import NOW

    raw = Raw(tmp_path / "raw")
    page = Page(ROOM_ID, "channels/messages", "down", 1, NOW.isoformat())
    raw.append_messages(ROOM_ID, [json.dumps(said(1, "new")).encode()], page)
    corpus(tmp_path / "in", [said(1, "old"), said(2, "filled in")])
    raw, _ = take(tmp_path, tmp_path / "in")
    assert contents(raw) == ["new", "filled in"]


@pytest.mark.parametrize("text", ["a\u2028b\u0085c\u000bd", "Grüße 🔦", "\ufeffmarked"])
def test_text_that_is_not_ascii_is_escaped(tmp_path, text):
    """Split at newline bytes only, written so that nobody else splits elsewhere (B061)."""
    row = json.dumps(said(1, text), ensure_ascii=False).replace("\\u000b", "\u000b").encode()
    corpus(tmp_path / "in", [row, said(2)])
    raw, done = take(tmp_path, tmp_path / "in")
    assert raw.messages_path(ROOM_ID).read_bytes().isascii()
    assert contents(raw) == [text, "hi"]
    assert done.left == ()


def test_lone_surrogates_pass(tmp_path):
    """Legal JSON that strict readers refuse (B062)."""
    row = json.dumps(said(1)).replace("hi", "\\ud83d").encode()
    corpus(tmp_path / "in", [row, said(2)])
    raw, done = take(tmp_path, tmp_path / "in")
    assert contents(raw) == ["\ud83d", "hi"]
    assert done.left == ()


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b'{"id":"5","cont', "no JSON"),
        (b"[]", "no message"),
        (b'{"id":"5"}', "no message"),
        (json.dumps(said(5) | {"id": 5.5e17}).encode(), "float"),
        (json.dumps(said("u5")).encode(), "decimal"),
        (json.dumps(said(2**63)).encode(), "decimal"),
        (json.dumps(said(5) | {"timestamp": None}).encode(), "no time"),
        (b"\x00\x00\x00", "no JSON"),
    ],
)
def test_a_bad_line_costs_itself(tmp_path, bad, reason):
    """Counted with its reason; the lines around it come in (B024, B034, B057)."""
    corpus(tmp_path / "in", [said(1), bad, said(2)])
    raw, done = take(tmp_path, tmp_path / "in")
    assert [row["id"] for row in last(raw)] == ["1", "2"]
    row = file_row(raw, f"{ROOM_ID}.jsonl")
    assert (row["status"], row["messages"]) == ("salvaged", 2)
    assert reason in row["reason"]
    assert not room_row(raw)["complete"]
    assert len(done.left) == 1


def test_two_objects_in_a_line_are_no_line(tmp_path):
    """A lost newline."""
    both = json.dumps(said(5)).encode() + json.dumps(said(6)).encode()
    corpus(tmp_path / "in", [said(1), both, said(2)])
    raw, _ = take(tmp_path, tmp_path / "in")
    assert [row["id"] for row in last(raw)] == ["1", "2"]


def test_blank_lines_windows_newlines_and_a_missing_last_newline_pass(tmp_path):
    """Raw has one newline a row, whatever the file has."""
    path = corpus(tmp_path / "in", [said(1), b"", said(2)])
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n").rstrip())
    raw, done = take(tmp_path, tmp_path / "in")
    body = raw.messages_path(ROOM_ID).read_bytes()
    assert body.count(b"\n") == 2
    assert b"\r" not in body
    assert done.left == ()


def test_ids_as_numbers_become_text(tmp_path):
    """Counted, as the object is then no longer as it was (B024)."""
    corpus(tmp_path / "in", [said(1) | {"id": 1, "author": {"id": 2, "username": "a"}}])
    raw, _ = take(tmp_path, tmp_path / "in")
    assert (last(raw)[0]["id"], last(raw)[0]["author"]["id"]) == ("1", "2")
    assert file_row(raw, f"{ROOM_ID}.jsonl")["noted"] == {
        "lines whose ids were numbers, now text": 2
    }


def test_a_row_of_another_room_goes_to_that_room(tmp_path):
    """The object says where it belongs (B019)."""
    corpus(tmp_path / "in", [said(1), said(3) | {"channel_id": THREAD_ID}, said(2)])
    raw, _ = take(tmp_path, tmp_path / "in")
    assert [row["id"] for row in last(raw)] == ["1", "2"]
    assert [row["id"] for row in last(raw, THREAD_ID)] == ["3"]
    raw.manifest_path.unlink()
    raw, _ = take(tmp_path, tmp_path / "in")
    assert len(lines(raw, THREAD_ID)) == 1


def test_blocks_of_any_size_give_the_same(tmp_path, monkeypatch):
    """Where a block ends changes nothing."""
    from stages.dump.files import lines as reading

    monkeypatch.setattr(reading, "BLOCK_BYTES", 50)
    rows = [said(n, "x" * n) for n in range(1, 30)]
    path = corpus(tmp_path / "in", rows)
    raw, done = take(tmp_path, tmp_path / "in")
    assert raw.messages_path(ROOM_ID).read_bytes() == path.read_bytes()
    assert done.fresh == 29


def test_a_broken_guild_file_costs_names_and_rights_only(tmp_path):
    """The talk comes in."""
    corpus(tmp_path / "in", [said(1)])
    (tmp_path / "in" / "guild.json").write_text("{")
    raw, done = take(tmp_path, tmp_path / "in")
    assert contents(raw) == ["hi"]
    assert len(done.left) == 1


def test_a_killed_copy_is_made_anew(tmp_path):
    """Rows without their page are cut, then come whole."""
    path = corpus(tmp_path / "in", [said(n) for n in range(1, 9)])
    raw, _ = take(tmp_path, tmp_path / "in")
    raw.manifest_path.unlink()
    (raw.root / "pages.jsonl").unlink()
    target = raw.messages_path(ROOM_ID)
    target.write_bytes(target.read_bytes()[:333])
    take(tmp_path, tmp_path / "in")
    assert target.read_bytes() == path.read_bytes()


def test_a_lone_file_of_lines_is_taken(tmp_path):
    """Named by its room's id; there is no table for it."""
    path = corpus(tmp_path / "in", [said(1)])
    raw, _ = take(tmp_path, path)
    assert contents(raw) == ["hi"]


@pytest.mark.parametrize(
    ("hostile", "why"),
    [
        (b'"x":' + b"[" * 3_000 + b"]" * 3_000, "nested"),
        (b'"x":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "nested"),
        (b'"channel_id":"' + b"9" * 5_000 + b'"', "63 bits"),
        (b'"id":"' + b"9" * 5_000 + b'"', "63 bits"),
        (b'"id":' + b"9" * 5_000, "JSON"),
        (b'"id":""', "no decimal number"),
    ],
)
def test_a_hostile_line_is_lost_with_its_reason_and_nothing_else(tmp_path, hostile, why):
    """Nested without end, or ids of thousands of digits: counted; neighbours go over, twice too."""
    bad = json.dumps(said(2)).encode()[:-1] + b"," + hostile + b"}"
    path = corpus(tmp_path / "in", [said(1), bad, said(3)])
    raw, _ = take(tmp_path, tmp_path / "in")
    assert [row["id"] for row in lines(raw)] == ["1", "3"]
    (reason,) = file_row(raw, path)["lost"]
    assert why in reason
    write(tmp_path / "in", [bad, said(1), said(3), said(4)])
    take(tmp_path, tmp_path / "in")
    assert [row["id"] for row in last(raw)] == ["1", "3", "4"]


def test_a_hostile_line_in_raw_holds_back_no_import(tmp_path):
    """What raw holds already is curate's to name."""
    corpus(tmp_path / "in", [said(1)])
    raw, _ = take(tmp_path, tmp_path / "in")
    with raw.messages_path(ROOM_ID).open("ab") as file:
        file.write(b'{"id":"2","x":' + b"[" * 5_000 + b"]" * 5_000 + b"}\n")
    write(tmp_path / "in", [said(1), said(3)])
    take(tmp_path, tmp_path / "in")
    assert b'"id": "3"' in raw.messages_path(ROOM_ID).read_bytes()
