"""Many files into one raw: which word on a message wins, and what is told of each file."""

import json
import os
from pathlib import Path

import pytest

from pipeline.errors import UsageError
from pipeline.testing import dce
from stages.dump.files import expected_bytes, plan_files
from tests.dump.files_small import (
    NOW,
    ROOM_ID,
    contents,
    file_row,
    last,
    lines,
    room_row,
    take,
)

ROWS = [dce.row(n, f"text {n}") for n in range(6)]
EARLY, LATE = "2026-04-01T00:00:00+00:00", "2026-05-01T00:00:00+00:00"


def size(raw):
    """Give path and size of all that lies in raw, and when it was written."""
    return {p: (p.stat().st_size, p.stat().st_mtime_ns) for p in raw.root.rglob("*")}


def test_a_second_run_with_nothing_new_writes_nothing(tmp_path):
    """Not even the manifest."""
    dce.write_export(tmp_path / "in", dce.document(ROWS))
    raw, done = take(tmp_path, tmp_path / "in")
    before = size(raw)
    assert done.fresh == 6
    _, again = take(tmp_path, tmp_path / "in")
    assert (again.fresh, again.changed, dict(again.files)) == (0, 0, {"unchanged": 1})
    assert size(raw) == before
    assert expected_bytes(raw, [tmp_path / "in"]) == 0


def test_a_touched_file_with_the_same_bytes_appends_nothing(tmp_path):
    """It is read, and found to be known."""
    path = dce.write_export(tmp_path / "in", dce.document(ROWS))
    raw, _ = take(tmp_path, tmp_path / "in")
    path.write_bytes(path.read_bytes())
    _, again = take(tmp_path, tmp_path / "in")
    assert (again.fresh, again.changed) == (0, 0)
    assert len(lines(raw)) == 6
    assert room_row(raw)["messages"] == 6


def test_a_manifest_that_was_lost_costs_reading_and_no_doubles(tmp_path):
    """As after a kill between the rows and the manifest (B034)."""
    dce.write_export(tmp_path / "in", dce.document(ROWS))
    raw, _ = take(tmp_path, tmp_path / "in")
    raw.manifest_path.unlink()
    _, again = take(tmp_path, tmp_path / "in")
    assert (again.fresh, len(lines(raw))) == (0, 6)


def test_rows_of_a_page_that_was_never_noted_are_taken_again(tmp_path):
    """A kill leaves rows behind the last page and a torn line; both go, then come whole (B034)."""
    dce.write_export(tmp_path / "in", dce.document(ROWS))
    raw, _ = take(tmp_path, tmp_path / "in")
    raw.manifest_path.unlink()
    (raw.root / "pages.jsonl").unlink()
    with raw.messages_path(ROOM_ID).open("ab") as file:
        file.write(b'{"id":"105","cont')
    take(tmp_path, tmp_path / "in")
    assert contents(raw) == [f"text {n}" for n in range(6)]
    assert len(lines(raw)) == 6


@pytest.mark.parametrize("late_first", [False, True])
def test_the_newest_export_wins_whatever_the_order_of_names(tmp_path, late_first):
    """A changed object is appended; the old one stays above it."""
    edited = [{**ROWS[0], "content": "edited", "timestampEdited": EARLY}, *ROWS[1:]]
    names = ("b.json", "a.json") if late_first else ("a.json", "b.json")
    dce.write_export(tmp_path / "in", dce.document(ROWS, exported_at=EARLY), name=names[0])
    dce.write_export(tmp_path / "in", dce.document(edited, exported_at=LATE), name=names[1])
    raw, done = take(tmp_path, tmp_path / "in")
    assert contents(raw)[0] == "edited"
    assert (done.fresh, done.changed, len(lines(raw))) == (6, 1, 7)


def test_an_old_export_that_comes_late_does_not_win(tmp_path):
    """Only what it alone has is new."""
    edited = [{**ROWS[1], "content": "edited"}]
    dce.write_export(tmp_path / "in", dce.document(edited, exported_at=LATE), name="a.json")
    take(tmp_path, tmp_path / "in")
    dce.write_export(tmp_path / "in", dce.document(ROWS[:2], exported_at=EARLY), name="b.json")
    raw, done = take(tmp_path, tmp_path / "in")
    assert contents(raw) == ["text 0", "edited"]
    assert (done.fresh, done.changed) == (1, 0)


def test_a_word_said_thrice_is_that_of_the_newest_export(tmp_path):
    """A, B, A by time; imported 1, 3, then 2: A stands, for the third export said so last."""

    def write(name, text, at):
        rows = [{**ROWS[0], "content": text}, ROWS[1]]
        dce.write_export(tmp_path / "in", dce.document(rows, exported_at=at), name=name)

    write("1.json", "A", EARLY)
    write("3.json", "A", LATE)
    take(tmp_path, tmp_path / "in")
    write("2.json", "B", "2026-04-15T00:00:00+00:00")
    raw, _ = take(tmp_path, tmp_path / "in")
    assert contents(raw)[0] == "A"


def test_an_export_without_its_time_is_as_old_as_its_last_word(tmp_path):
    """Versions before 2.40.1 do not say when they were made."""
    old = dce.as_of((2, 39), dce.document([{**ROWS[0], "content": "old"}]))
    assert "exportedAt" not in old
    dce.write_export(tmp_path / "in", dce.document(ROWS, exported_at=EARLY), name="a.json")
    dce.write_export(tmp_path / "in", old, name="b.json")
    raw, _ = take(tmp_path, tmp_path / "in")
    assert contents(raw)[0] == "text 0"


def test_new_link_signatures_are_no_change(tmp_path):
    """Every export signs the links anew (B065)."""
    for name, at, sign in (("a.json", EARLY, "aa"), ("b.json", LATE, "bb")):
        url = f"https://cdn.discordapp.com/attachments/1/2/a.png?ex={sign}&is={sign}&hm={sign}&"
        file = {"id": "5", "url": url, "fileName": "a.png", "fileSizeBytes": 9}
        rows = [dce.row(1, "look", attachments=[file])]
        dce.write_export(tmp_path / "in", dce.document(rows, exported_at=at), name=name)
    raw, _ = take(tmp_path, tmp_path / "in")
    assert len(lines(raw)) == 1


def test_discords_own_objects_stand_above_exports(tmp_path):
    """What was dumped is richer than what was rendered."""
    own = {"id": ROWS[0]["id"], "channel_id": ROOM_ID, "type": 0, "content": "own",
           "timestamp": ROWS[0]["timestamp"], "author": {"id": "1", "username": "a"}}  # fmt: skip
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / f"{ROOM_ID}.jsonl").write_text(json.dumps(own) + "\n")
    take(tmp_path, tmp_path / "own")
    dce.write_export(tmp_path / "in", dce.document(ROWS[:2]))
    raw, done = take(tmp_path, tmp_path / "in")
    assert contents(raw) == ["own", "text 1"]
    assert done.fresh == 1


def test_reverse_and_shuffled_files_merge_by_id(tmp_path):
    """Order in the file is not trusted (2e.9)."""
    answer = dce.reply(5, ROWS[0], "yes", dce.QUILL)
    dce.write_export(tmp_path / "in", dce.document([answer, *reversed(ROWS[:5])]))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert contents(raw) == [*(f"text {n}" for n in range(5)), "yes"]
    assert last(raw)[5]["referenced_message"]["author"]["username"] == "marrow_fox"


def test_parts_merge_and_a_missing_part_is_told(tmp_path):
    """Part 1 has the plain name and does not know of others (B060)."""
    for part in (1, 3):
        found = dce.document(ROWS[(part - 1) * 2 : part * 2])
        dce.write_export(tmp_path / "in", found, part=part)
    raw, done = take(tmp_path, tmp_path / "in")
    assert contents(raw) == ["text 0", "text 1", "text 4", "text 5"]
    row = room_row(raw)
    assert (row["status"], row["complete"]) == ("partial", False)
    assert "part 2 of" in row["reason"]
    assert len(done.left) == 1
    _, again = take(tmp_path, tmp_path / "in")
    assert again.left == done.left  # as long as it is so
    dce.write_export(tmp_path / "in", dce.document(ROWS[2:4]), part=2)
    raw, _ = take(tmp_path, tmp_path / "in")
    assert contents(raw) == [f"text {n}" for n in range(6)]
    assert room_row(raw)["complete"]


def test_a_reply_finds_its_target_in_another_part(tmp_path):
    """The speakers of all parts are known to each, also of those read in an earlier run."""
    dce.write_export(tmp_path / "in", dce.document(ROWS[:2]), part=1)
    take(tmp_path, tmp_path / "in")
    answer = dce.reply(4, ROWS[0], "yes", dce.QUILL)
    dce.write_export(tmp_path / "in", dce.document([answer]), part=2)
    raw, _ = take(tmp_path, tmp_path / "in")
    assert last(raw)[2]["referenced_message"]["author"]["username"] == "marrow_fox"


def test_rooms_of_one_name_are_two_rooms(tmp_path):
    """Keyed by id, never by name or file name (B058)."""
    for number in ("1", "2"):
        room = {**dce.ROOM, "id": f"120000000000000000{number}"}
        dce.write_export(
            tmp_path / number, dce.document(ROWS[:1], channel=room), name="general.json"
        )
    raw, _ = take(tmp_path, tmp_path)
    assert raw.channel_ids() == ["1200000000000000001", "1200000000000000002"]


@pytest.mark.parametrize("name", ["con", "a/b", "x.", "🔥", "é" * 100, "..", ""])
def test_names_are_never_paths(tmp_path, name):
    """They stay in the tables (B059)."""
    found = dce.document(ROWS[:1], channel={**dce.ROOM, "name": name})
    dce.write_export(tmp_path / "in", found, name="export.json")
    raw, _ = take(tmp_path, tmp_path / "in")
    assert [p.name for p in (raw.root / "messages").iterdir()] == [f"{ROOM_ID}.jsonl"]
    assert raw.envelopes("channels")[(dce.GUILD["id"], ROOM_ID)].object["name"] == name


def test_no_bad_file_ends_the_import(tmp_path):
    """Each has its own row and reason (B057)."""
    folder = tmp_path / "in"
    good = dce.write_export(folder, dce.document(ROWS), name="good.json")
    text = good.read_bytes()
    (folder / "cut.json").write_bytes(text[: text.index(b"text 3")])
    (folder / "list.json").write_text("[]")
    (folder / "settings.json").write_text('{"theme": "dark"}')
    (folder / "empty.json").write_text("")
    (folder / "blob.json").write_bytes(bytes(range(256)))
    media = folder / "good.json_Files"
    media.mkdir()
    (media / "attached-1234567890abcdef.json").write_bytes(text)
    said = []
    raw, done = take(tmp_path, folder, said=said)
    assert contents(raw) == [f"text {n}" for n in range(6)]
    assert dict(done.files) == {"read": 1, "salvaged": 1, "skipped": 4}
    assert file_row(raw, "cut.json")["salvaged"] == 3
    assert "early" in file_row(raw, "cut.json")["reason"]
    assert "names no channel" in file_row(raw, "settings.json")["reason"]
    assert any(line.startswith("cut.json") for line in said)
    assert len(done.left) == 1  # what is no export is no unfinished business
    _, again = take(tmp_path, folder)
    assert (dict(again.files), again.left) == ({"unchanged": 6}, done.left)


def test_rows_that_cannot_be_taken_are_counted(tmp_path):
    """By reason, and the others come in."""
    bad = {**ROWS[1], "id": 8.058089813561836e17}
    dce.write_export(tmp_path / "in", dce.document([ROWS[0], bad, ROWS[2]]), name="a.json")
    raw, done = take(tmp_path, tmp_path / "in")
    assert contents(raw) == ["text 0", "text 2"]
    row = file_row(raw, "a.json")
    assert row["status"] == "salvaged"
    assert any("float" in reason for reason in row["lost"])
    assert done.left


def test_a_channel_id_written_as_a_float_is_refused(tmp_path):
    """The messages would land in a room that does not exist."""
    room = {**dce.ROOM, "id": 1.2e18}
    dce.write_export(tmp_path / "in", dce.document(ROWS, channel=room), name="a.json")
    raw, _ = take(tmp_path, tmp_path / "in")
    assert "float" in file_row(raw, "a.json")["reason"]
    assert raw.channel_ids() == []


def test_a_count_that_does_not_fit_is_told(tmp_path):
    """Equality proves nothing, inequality does (2e.10)."""
    dce.write_export(tmp_path / "in", dce.document(ROWS, messageCount=9), name="a.json")
    raw, done = take(tmp_path, tmp_path / "in")
    assert "it says 9 messages and holds 6" in file_row(raw, "a.json")["reason"]
    assert not room_row(raw)["complete"]
    assert done.left


def test_a_whole_looking_file_is_compared_with_what_discord_said(tmp_path):
    """A valid file whose last row lies before the room's last message (B030, B055)."""
    corpus = tmp_path / "corpus"
    (corpus / "messages").mkdir(parents=True)
    room = {"id": ROOM_ID, "type": 0, "name": "general", "last_message_id": str(2**62)}
    guild = {"id": dce.GUILD["id"], "name": "Lantern Yard", "channels": [room]}
    (corpus / "guild.json").write_text(json.dumps({"guilds": [guild]}))
    dce.write_export(tmp_path / "in", dce.document(ROWS))
    raw, _ = take(tmp_path, corpus, tmp_path / "in")
    assert not room_row(raw)["complete"]
    assert str(2**62) in room_row(raw)["reason"]


def test_an_export_of_a_range_of_dates_is_no_whole_room(tmp_path):
    """The file says what was asked for."""
    limits = {"after": "2026-01-01T00:00:00+00:00", "before": None}
    dce.write_export(tmp_path / "in", dce.document(ROWS, dateRange=limits))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert not room_row(raw)["complete"]


def test_what_a_newer_whole_export_lacks_is_absent(tmp_path):
    """Only within the stretch that it covers (B038)."""
    dce.write_export(tmp_path / "in", dce.document(ROWS, exported_at=EARLY), name="a.json")
    newer = [row for n, row in enumerate(ROWS) if n not in {3, 5}]
    dce.write_export(tmp_path / "in", dce.document(newer, exported_at=LATE), name="b.json")
    raw, _ = take(tmp_path, tmp_path / "in")
    gone = list(raw.rows("absences"))
    assert [row["message_id"] for row in gone] == [ROWS[3]["id"]]
    assert gone[0]["absent_since"].startswith("2026-05-01")
    assert (gone[0]["low_id"], gone[0]["high_id"]) == (ROWS[0]["id"], ROWS[4]["id"])


def test_a_filtered_export_marks_nobody_as_deleted(tmp_path):
    """A filter leaves no trace but the size of the hole (2e.15)."""
    rows = [dce.row(n, f"text {n}") for n in range(40)]
    dce.write_export(tmp_path / "in", dce.document(rows, exported_at=EARLY), name="a.json")
    dce.write_export(tmp_path / "in", dce.document(rows[::2], exported_at=LATE), name="b.json")
    raw, _ = take(tmp_path, tmp_path / "in")
    assert list(raw.rows("absences")) == []
    assert "filtered or short" in file_row(raw, "b.json")["reason"]
    assert not room_row(raw)["complete"]


def test_a_damaged_export_marks_nobody_as_deleted(tmp_path):
    """Anything less than whole proves nothing."""
    dce.write_export(tmp_path / "in", dce.document(ROWS, exported_at=EARLY), name="a.json")
    text = json.dumps(dce.document(ROWS, exported_at=LATE), indent=2)
    (tmp_path / "in" / "b.json").write_text(text.replace('"text 3"', '"text 3'))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert list(raw.rows("absences")) == []


def test_a_copy_of_a_file_is_not_read_twice(tmp_path):
    """The same bytes under another name are the same file."""
    for name in ("a.json", "copy of a.json"):
        dce.write_export(tmp_path / "in", dce.document(ROWS), name=name)
    raw, done = take(tmp_path, tmp_path / "in")
    assert dict(done.files) == {"read": 1, "same": 1}
    assert len(lines(raw)) == 6


def test_an_empty_room_is_a_room(tmp_path):
    """Since about 2.45 rooms without messages are written (2e.11)."""
    dce.write_export(tmp_path / "in", dce.document([]))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert (room_row(raw)["status"], room_row(raw)["messages"]) == ("empty", 0)


def test_a_missing_source_is_named(tmp_path):
    """What is not there cannot be skipped."""
    with pytest.raises(UsageError, match="nowhere"):
        take(tmp_path, tmp_path / "nowhere")


def test_folders_are_searched_and_other_exports_named(tmp_path):
    """An HTML export is told to be unreadable, other files are no business of ours."""
    dce.write_export(tmp_path / "in" / "deep" / "er", dce.document(ROWS))
    (tmp_path / "in" / "Yard - general [1200000000000000007].html").write_text("<html>")
    (tmp_path / "in" / "readme.txt").write_text("hello")
    raw, done = take(tmp_path, tmp_path / "in")
    assert len(lines(raw)) == 6
    assert dict(done.files) == {"read": 1, "skipped": 1}


@pytest.mark.parametrize("top", ["messages", "Messages"])
@pytest.mark.parametrize("shape", ["index", "folder only", "old"])
def test_a_data_package_is_recognised_and_no_source(tmp_path, top, shape):
    """Only its owner's messages are in it; any year's shape, half packages too (B068)."""
    box = tmp_path / "package"
    inner = box / top / ("2" if shape == "old" else "c1")
    inner.mkdir(parents=True)
    (inner / "channel.json").write_text('{"id": "1"}')
    if shape == "index":
        (box / top / "index.json").write_text('{"1": null}')
    said = []
    raw, done = take(tmp_path, box, said=said)
    assert dict(done.files) == {"skipped": 1}
    assert "data package" in said[0]
    assert raw.channel_ids() == []


def test_the_plan_reads_nothing_and_writes_nothing(tmp_path):
    """Names, kinds and sizes only."""
    dce.write_export(tmp_path / "in", dce.document(ROWS), name="a.json")
    raw, _ = take(tmp_path, tmp_path / "in")
    dce.write_export(tmp_path / "in", dce.document(ROWS), name="b.json")
    before = size(raw)
    plan = plan_files(raw, [tmp_path / "in"])
    assert plan[0].startswith("exports: 1 of 2 files to read")
    assert plan[1:] == ["  b.json"]
    assert size(raw) == before


def test_raw_lines_are_ascii_with_bare_newlines(tmp_path):
    """Line and paragraph separators, next line, lone surrogates: all escaped (B061, B062)."""
    text = "a\u2028b\u2029c\u0085d\x00e\ud83d"
    dce.write_export(tmp_path / "in", dce.document([dce.row(1, text)]), version=(2, 20))
    raw, _ = take(tmp_path, tmp_path / "in")
    body = raw.messages_path(ROOM_ID).read_bytes()
    assert body.isascii()
    assert body.count(b"\n") == 1
    assert contents(raw) == [text]


def test_the_manifest_says_when_and_from_where(tmp_path):
    """Without a bot, as an export names none."""
    dce.write_export(tmp_path / "in", dce.document(ROWS))
    raw, _ = take(tmp_path, tmp_path / "in")
    manifest = raw.read_manifest()
    assert (manifest["source"], manifest["bot"]) == ("files", None)
    assert manifest["started_at"] == NOW.isoformat()
    page = next(iter(raw.pages()))
    assert (page.direction, page.count, page.fresh, page.closed) == ("file", 6, 6, True)


def test_what_an_import_wrote_is_no_source(tmp_path):
    """Also where the agent's own folder is named."""
    dce.write_export(tmp_path, dce.document(ROWS))
    take(tmp_path, tmp_path)
    raw, done = take(tmp_path, tmp_path)
    assert dict(done.files) == {"unchanged": 1}
    assert len(lines(raw)) == 6


def test_a_folder_that_cannot_be_opened_is_told(tmp_path, monkeypatch):
    """Nothing is passed over in silence."""
    dce.write_export(tmp_path / "in", dce.document(ROWS))
    (tmp_path / "in" / "closed").mkdir()
    real = os.scandir

    def scandir(path):
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    raw, done = take(tmp_path, tmp_path / "in")
    assert dict(done.files) == {"read": 1, "skipped": 1}
    assert "cannot be opened" in file_row(raw, "closed")["reason"]


def test_a_file_that_cannot_be_opened_is_told(tmp_path, monkeypatch):
    """Exports and files of lines alike; the others come in."""
    dce.write_export(tmp_path / "in", dce.document(ROWS))
    dce.write_export(tmp_path / "in", dce.document(ROWS), name="shut.json")
    (tmp_path / "in" / "77.jsonl").write_text("")
    real_open, real_access = Path.open, os.access

    def is_shut(path):
        return Path(path).name in {"shut.json", "77.jsonl"}

    def opened(path, *args, **named):
        if is_shut(path):
            raise PermissionError(13, "Permission denied", str(path))
        return real_open(path, *args, **named)

    monkeypatch.setattr(Path, "open", opened)
    monkeypatch.setattr(os, "access", lambda p, mode: not is_shut(p) and real_access(p, mode))
    raw, done = take(tmp_path, tmp_path / "in")
    assert dict(done.files) == {"read": 1, "skipped": 2}
    assert len(lines(raw)) == 6
