"""The raw folder is evidence: half lines are cut, whole ones never, and no hole stays unseen."""

import json
from datetime import UTC, datetime

import pytest

from pipeline.errors import ArtifactError
from pipeline.raw import Page, Raw

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROOM = "700"


def row(number):
    return json.dumps({"id": str(number), "content": "words"}).encode()


def page(numbers, **more):
    return Page(
        ROOM,
        "/channels/700/messages",
        "down",
        len(numbers),
        NOW.isoformat(),
        lowest_id=str(min(numbers)),
        highest_id=str(max(numbers)),
        **more,
    )


def put(raw, *numbers):
    """Append a page of these messages."""
    return raw.append_messages(ROOM, [row(n) for n in numbers], page(numbers))


def ids(raw):
    """Give the ids that stand in the room's file, in order; fails on a broken line."""
    return [
        int(json.loads(line)["id"]) for line in raw.messages_path(ROOM).read_bytes().splitlines()
    ]


def test_whole_lines_without_a_page_stay_and_come_only_once(tmp_path):
    """A kill between rows and page; the page comes again, with one message more."""
    raw = Raw(tmp_path)
    put(raw, 9, 8)
    with raw.messages_path(ROOM).open("ab") as file:
        file.write(row(7) + b"\n" + row(6) + b"\n" + row(5)[:10])
    raw = Raw(tmp_path)
    assert len(raw.mend()) == 2
    assert ids(raw) == [9, 8, 7, 6]
    put(raw, 7, 6, 5)
    assert ids(raw) == [9, 8, 7, 6, 5]
    assert Raw(tmp_path).mend() == []


def test_a_folder_that_lost_its_pages_loses_no_message(tmp_path):
    """What Discord may no longer have stands in the file as before."""
    raw = Raw(tmp_path)
    put(raw, 9, 8)
    put(raw, 7)
    (tmp_path / "pages.jsonl").unlink()
    raw = Raw(tmp_path)
    assert raw.mend() == ["700.jsonl: 3 lines of a page that was never noted are kept"]
    put(raw, 9, 8)
    assert ids(raw) == [9, 8, 7]


@pytest.mark.parametrize("cut", [5, 60], ids=["half a line", "more than a line"])
def test_a_page_whose_lines_are_gone_counts_no_more(tmp_path, cut):
    """So that its stretch is read again; the pages before it still count."""
    raw = Raw(tmp_path)
    put(raw, 9, 8)
    put(raw, 7, 6)
    path = raw.messages_path(ROOM)
    path.write_bytes(path.read_bytes()[:-cut])
    raw = Raw(tmp_path)
    assert any("gone" in line for line in raw.mend())
    walked = [p for p in raw.pages() if p.direction == "down"]
    assert [p.highest_id for p in walked] == ["9"]
    put(raw, 7, 6)
    assert ids(raw) == [9, 8, 7, 6]


def test_a_messages_file_that_is_gone_is_read_again(tmp_path):
    """Its pages count no more."""
    raw = Raw(tmp_path)
    put(raw, 9, 8)
    raw.messages_path(ROOM).unlink()
    raw = Raw(tmp_path)
    raw.mend()
    assert list(raw.pages()) == []


def test_an_export_is_read_again_where_its_lines_are_gone(tmp_path):
    """Though the export itself did not change."""
    raw = Raw(tmp_path)
    put(raw, 9, 8)
    raw.write_manifest({"files": [{"path": "a", "channel_id": ROOM, "stamp": [1, 2]}]})
    path = raw.messages_path(ROOM)
    path.write_bytes(path.read_bytes()[:-5])
    raw.mend()
    assert raw.read_manifest()["files"][0]["stamp"] is None


def test_appending_never_joins_half_a_line(tmp_path):
    """Also where nobody mended first."""
    raw = Raw(tmp_path)
    put(raw, 9)
    with raw.messages_path(ROOM).open("ab") as file:
        file.write(b'{"id":"8","cont')
    put(raw, 7)
    assert ids(raw) == [9, 7]


def test_side_tables_append_only_what_differs(tmp_path):
    """An older state stays above the newer one."""
    raw = Raw(tmp_path)
    objects = [{"id": "1", "name": "a"}, {"id": "2", "name": "b"}]
    assert raw.append("roles", objects, guild_id="5", now=NOW) == 2
    assert raw.append("roles", [*objects, {"id": "1", "name": "c"}], guild_id="5", now=NOW) == 1
    assert raw.envelopes("roles")["5", "1"].object["name"] == "c"
    assert len((tmp_path / "roles.jsonl").read_bytes().splitlines()) == 3


def test_a_name_never_becomes_a_path(tmp_path):
    """Only digits and letters name a room's file."""
    with pytest.raises(ArtifactError, match="ids are digits only"):
        Raw(tmp_path).messages_path("../../etc/passwd")
