"""Reading raw: every line is a row or a named bad line, and a bad one costs no other."""

import json
from datetime import UTC, datetime

import pytest

from pipeline.rawread import FIELDS, read_slices, whole_object


def line(number, **more):
    """Build one message object as Discord sends it, small."""
    body = {
        "id": str(number),
        "type": 0,
        "content": f"word {number}",
        "timestamp": "2026-01-05T00:31:00.250000+00:00",
        "author": {"id": "7", "username": "ann"},
        "mentions": [],
    }
    return json.dumps({**body, **more}).encode()


def write(tmp_path, *lines, end=b"\n"):
    path = tmp_path / "1.jsonl"
    path.write_bytes(b"\n".join(lines) + end)
    return path


def read(path, columns=tuple(FIELDS), **how):
    slices = list(read_slices(path, columns, **how))
    rows = [row for part in slices for row in part.rows.to_pylist()]
    return rows, [bad for part in slices for bad in part.bad], slices


FULL = {
    "channel_id": "5",
    "flags": 64,
    "edited_timestamp": "2026-01-05T00:32:00+00:00",
    "author": {"id": "7", "username": "ann", "bot": True},
    "webhook_id": "8",
    "application_id": "9",
    "mentions": [{"id": "11", "username": "bo"}, {"id": "12"}],
    "mention_roles": ["13"],
    "message_reference": {"type": 0, "message_id": "3", "channel_id": "5"},
    "referenced_message": {"id": "3", "author": {"id": "14"}},
    "attachments": [{"id": "15"}],
    "message_snapshots": [{"message": {}}],
    "embeds": [{}, {}],
    "components": [{"type": 1}],
    "sticker_items": [{"id": "1", "name": "x", "format_type": None}],
    "poll": {"question": {}},
}


def test_every_column_is_read(tmp_path):
    """A full message gives each column its value; a bare one gives nulls and zero counts."""
    rows, bad, _ = read(write(tmp_path, line(4, **FULL), b'{"id":"5"}'))
    full, bare = rows
    assert not bad
    sent = datetime(2026, 1, 5, 0, 31, 0, 250000, tzinfo=UTC)
    assert full["message_id"] == 4
    assert full["sent_at"] == sent
    assert full["mention_ids"] == ["11", "12"]
    assert full["role_ids"] == ["13"]
    assert (full["reply_to_id"], full["replied_author_id"]) == ("3", "14")
    counts = ["attachments", "snapshots", "embeds", "components", "stickers", "has_poll"]
    assert [full[name] for name in counts] == [1, 1, 2, 1, 1, True]
    assert [bare[name] for name in counts] == [0, 0, 0, 0, 0, False]
    assert {bare[name] for name in ("content", "sent_at", "author_id", "mention_ids")} == {None}


def test_a_bad_neighbour_changes_no_column(tmp_path):
    """Lines beside a bad one are read one by one and come out as in a group, types included."""
    good = [line(4, **FULL), b'{"id":"5"}', line(6, mentions=None), line(7, content=None)]
    fast = [part.rows for part in read_slices(write(tmp_path, *good))]
    slow = list(read_slices(write(tmp_path, *good, b"{torn")))
    assert len(slow[0].bad) == 1
    assert slow[0].rows.equals(fast[0])


def test_oddly_written_lines_keep_their_place(tmp_path):
    """Blanks around an object cost nothing; the line stays between its neighbours."""
    good = [line(4, **FULL), b'{"id":"5"}', line(6, mentions=None), line(7, **FULL)]
    odd = [good[0], b"{torn", b" " + good[1] + b"\r", good[2] + b" ", good[3], b"{"]
    plain = [part.rows for part in read_slices(write(tmp_path, *good))]
    found = list(read_slices(write(tmp_path, *odd, end=b"")))
    assert [b.line for part in found for b in part.bad] == [2, 6]
    assert found[0].rows.drop(["offset", "length"]) == plain[0].drop(["offset", "length"])
    data = (tmp_path / "1.jsonl").read_bytes()
    places = found[0].rows.select(["offset", "length"]).to_pylist()
    lines = [data[p["offset"] : p["offset"] + p["length"]] for p in places]
    assert lines == [odd[n] for n in (0, 2, 3, 4)]


def test_offsets_point_at_the_lines(tmp_path):
    """offset and length cut exactly the line out of the file, over slice borders too."""
    lines = [line(n, content="x" * n * 7) for n in range(1, 60)]
    path = write(tmp_path, *lines)
    data = path.read_bytes()
    rows, _, slices = read(path, ("message_id",), slice_bytes=1000)
    assert len(slices) > 5
    assert [data[r["offset"] : r["offset"] + r["length"]] for r in rows] == lines


@pytest.mark.parametrize(
    ("bad_line", "why"),
    [
        (b'{"id":8.058089813561836e17}', "float"),
        (b'{"id":"u1"}', "decimal"),
        (b'{"id":"99999999999999999999"}', "64 bits"),
        (b'{"content":"no id"}', "id"),
        (b'{"id":"105","cont', "no JSON"),
        (b"[1,2]", "object"),
        (b'{"id":"9","author":"bob"}', "author"),
    ],
)
def test_a_bad_line_is_named_and_its_neighbours_are_read(tmp_path, bad_line, why):
    """One unreadable line costs one line: it is named by number and offset (B024, B034, B057)."""
    first = line(1)
    asked = ("message_id", "author_id")
    rows, bad, _ = read(write(tmp_path, first, bad_line, line(3)), asked)
    assert [row["message_id"] for row in rows] == [1, 3]
    assert [(b.line, b.offset) for b in bad] == [(2, len(first) + 1)]
    assert why in bad[0].reason
    assert "bob" not in bad[0].reason


def test_line_numbers_go_on_over_slices(tmp_path):
    """The number of a bad line counts from the file's first line, not from its slice."""
    lines = [line(n) for n in range(1, 30)]
    _, bad, _ = read(write(tmp_path, *lines, b"nonsense"), ("message_id",), slice_bytes=500)
    assert [b.line for b in bad] == [30]


def test_a_torn_last_line_is_no_row(tmp_path):
    """A file that ends in the middle of a line loses only that line, and says so."""
    rows, bad, _ = read(write(tmp_path, line(1), line(2)[:-9], end=b""), ("message_id",))
    assert [row["message_id"] for row in rows] == [1]
    assert len(bad) == 1


@pytest.mark.parametrize("char", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\r"])
def test_lines_end_at_newline_bytes_only(tmp_path, char):
    """What Unicode calls a line end stays inside its message (B061)."""
    text = f"a{char}b"
    raw = json.dumps({"id": "1", "content": text}, ensure_ascii=False).encode()
    rows, bad, _ = read(write(tmp_path, raw, line(2)), ("message_id", "content"))
    assert [row["content"] for row in rows] == [text, "word 2"]
    assert not bad


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b'{"id":"1","content":"a\\ud83d"}', "a\ufffd"),
        (b'{"id":"1","content":"\\ude00b"}', "\ufffdb"),
        (b'{"id":"1","content":"\\ud83d\\ude00"}', "\U0001f600"),
        (b'{"id":"1","content":"a\xffb"}', "a\ufffdb"),
        (b'{"id":"1","content":"a\\u0000b"}', "a\0b"),
        (b'{"id":"1","content":"a\x00b"}', "a\0b"),
    ],
)
def test_what_is_no_unicode_becomes_the_replacement_character(tmp_path, raw, text):
    """Lone surrogates and invalid bytes do not lose a message, nor do NULs (B062)."""
    rows, bad, _ = read(write(tmp_path, raw, line(2)), ("message_id", "content"))
    assert [row["content"] for row in rows] == [text, "word 2"]
    assert not bad
    assert whole_object(raw)["content"] == text


def test_ids_may_be_numbers(tmp_path):
    """Whole numbers are taken for ids wherever an id may stand (B024)."""
    odd = line(1, author={"id": 70, "username": "x"}, mentions=[{"id": 71}, {"id": "72"}])
    number = b'{"id":805808981356183572}'
    rows, bad, _ = read(write(tmp_path, odd, number), ("message_id", "author_id", "mention_ids"))
    assert [row["message_id"] for row in rows] == [1, 805808981356183572]
    assert (rows[0]["author_id"], rows[0]["mention_ids"]) == ("70", ["71", "72"])
    assert not bad


def test_blank_lines_are_nothing(tmp_path):
    """A blank line is no message and no fault, and does not shift the offsets behind it."""
    path = write(tmp_path, line(1), b"", b"  ", line(2))
    rows, bad, _ = read(path, ("message_id",))
    data = path.read_bytes()
    assert not bad
    assert [json.loads(data[r["offset"] : r["offset"] + r["length"]])["id"] for r in rows] == [
        "1",
        "2",
    ]


def test_two_objects_in_one_line_are_a_bad_line(tmp_path):
    """A reader that took both would shift every row against its line."""
    rows, bad, _ = read(write(tmp_path, line(1) + line(2), line(3)), ("message_id",))
    assert [row["message_id"] for row in rows] == [3]
    assert [b.line for b in bad] == [1]


def test_objects_and_lines_are_not_paired_by_their_number(tmp_path):
    """Two objects in one line and a blank line beside it are as many as lines, and yet wrong."""
    path = write(tmp_path, line(1) + line(2), b"", line(3))
    rows, bad, _ = read(path, ("message_id",))
    assert [row["message_id"] for row in rows] == [3]
    assert [b.line for b in bad] == [1]
    torn = write(tmp_path, line(4)[:20], line(4)[20:], line(5))
    rows, bad, _ = read(torn, ("message_id",))
    assert [row["message_id"] for row in rows] == [5]
    assert [b.line for b in bad] == [1, 2]


@pytest.mark.parametrize(
    ("value", "utc"),
    [
        ("2026-03-29T02:30:00.5+01:00", datetime(2026, 3, 29, 1, 30, 0, 500000, UTC)),
        ("2026-03-29T02:30:00.1234567-04:00", datetime(2026, 3, 29, 6, 30, 0, 123456, UTC)),
        ("2026-03-29T02:30:00+00:00", datetime(2026, 3, 29, 2, 30, tzinfo=UTC)),
        ("2026-03-29T02:30:00", datetime(2026, 3, 29, 2, 30, tzinfo=UTC)),
        ("yesterday", None),
        (None, None),
    ],
)
def test_times_of_every_shape(tmp_path, value, utc):
    """Any offset and number of digits; what is no time is null, not an error (B064)."""
    path = write(tmp_path, line(1, timestamp=value), line(2))
    rows, _, _ = read(path, ("message_id", "sent_at"))
    assert rows[0]["sent_at"] == utc
    assert rows[1]["sent_at"] is not None


def test_a_line_longer_than_a_slice_is_read(tmp_path):
    """A slice grows until it holds a whole line."""
    long = line(1, content="y" * 5000)
    rows, bad, _ = read(write(tmp_path, long, line(2)), ("message_id", "content"), slice_bytes=256)
    assert [len(row["content"]) for row in rows] == [5000, 6]
    assert not bad


def test_an_empty_file_has_no_slices(tmp_path):
    """Nothing in, nothing out."""
    path = tmp_path / "1.jsonl"
    path.touch()
    assert list(read_slices(path)) == []


def test_unknown_numbers_pass_through(tmp_path):
    """A type or flag that nobody knows yet is no reason to lose a message (B014)."""
    rows, bad, _ = read(
        write(tmp_path, line(1, type=63), line(2, flags=1 << 70)), ("message_id", "type", "flags")
    )
    assert rows[0]["type"] == 63
    assert len(rows) == 2
    assert not bad


def nested(levels):
    """Build a line nested so deep in a field that no column needs, brackets in its words."""
    return b'{"id":"2","content":"[[{","x":' + b"[" * levels + b"]" * levels + b"}"


def test_a_whole_line_has_a_firm_depth(tmp_path):
    """Brackets in words count for nothing; deeper is a ValueError, whoever calls from how deep."""
    words = json.dumps({"id": "1", "content": '["' * 500}).encode()
    assert whole_object(words)["content"] == '["' * 500
    assert whole_object(nested(99))["id"] == "2"
    for levels in (100, 900, 100_000):
        with pytest.raises(ValueError, match="nested deeper than 100"):
            whole_object(nested(levels))


def test_a_number_without_end_is_no_number(tmp_path):
    """A field of thousands of digits becomes null; the line is read all the same."""
    line = b'{"id":"1","content":"words","nonce":' + b"9" * 5_000 + b"}"
    assert whole_object(line) == {"id": "1", "content": "words", "nonce": None}
    rows, bad, _ = read(write(tmp_path, line, b"{torn"), ("message_id", "content"))
    assert rows[0]["content"] == "words"
    assert len(bad) == 1
