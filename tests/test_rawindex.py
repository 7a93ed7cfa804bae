"""The index of a channel's file: every line has its id, time, author and place, good or mended."""

import json

import numpy as np
import pytest

from pipeline.rawindex import index_slices
from pipeline.rawread import read_lines, read_slices
from tests.test_rawread import line, write

ME = b"1300000000000000001"


def index(path, needles=(ME,), **how):
    """Index a file and lay its slices end to end."""
    parts = list(index_slices(path, needles, **how))
    whole = {
        name: np.concatenate([getattr(p, name) for p in parts]).tolist()
        for name in ("message_id", "reply_to", "holds", "offset", "length", "is_webhook")
    }
    whole["author"] = [a for p in parts for a in p.author]
    whole["content"] = [t for p in parts if p.content is not None for t in p.content.to_pylist()]
    whole["bad"] = [b for p in parts for b in p.bad]
    whole["mended"] = sum(p.mended for p in parts)
    return whole, parts


@pytest.mark.parametrize("slice_bytes", [200, 8 << 20])
def test_every_line_has_its_place(tmp_path, slice_bytes):
    """Offsets and lengths cut exactly the lines, whatever the slices."""
    lines = [line(n, content="x" * (n % 9)) for n in range(1, 80)]
    path = write(tmp_path, *lines)
    data = path.read_bytes()
    found, parts = index(path, slice_bytes=slice_bytes)
    assert found["message_id"] == list(range(1, 80))
    places = zip(found["offset"], found["length"], strict=True)
    assert [data[at : at + size] for at, size in places] == lines
    some = parts[-1]
    assert [bytes(one) for one in some.lines(np.array([len(some.length) - 1]))] == lines[-1:]


def test_lines_that_hold_a_needle_are_marked(tmp_path):
    """Anywhere in the line: author, mention, original; at the first and last line too."""
    me = ME.decode()
    lines = [
        line(1, author={"id": me, "username": "tilly"}),
        line(2),
        line(3, mentions=[{"id": me}]),
        line(4, referenced_message={"author": {"id": me}}),
        line(5),
        line(6, webhook_id=me),
    ]
    found, _ = index(write(tmp_path, *lines))
    assert found["holds"] == [True, False, True, True, False, True]
    assert index(write(tmp_path, *lines), needles=())[0]["holds"] == [False] * 6


def test_only_answers_without_their_original_are_asked_about(tmp_path):
    """Null and absent originals alike; forwards, pins of a channel and known originals are not."""
    to = {"type": 0, "message_id": "7"}
    lines = [
        line(1, message_reference=to),
        line(2, message_reference=to, referenced_message=None),
        line(3, message_reference=to, referenced_message={"id": "7"}),
        line(4, message_reference={"type": 1, "message_id": "7"}),
        line(5, message_reference={"channel_id": "7"}),
        line(6, message_reference={"message_id": 7}),
        line(7, message_reference={"message_id": "9" * 25}),
    ]
    assert index(write(tmp_path, *lines))[0]["reply_to"] == [7, 7, 0, 0, 0, 7, 0]


def test_authors_are_equal_where_they_are(tmp_path):
    """Equal author objects hash alike, ids as numbers and missing authors are taken."""
    lines = [line(1), line(2), line(3, author={"id": 9}), b'{"id":"4"}', line(5, webhook_id="8")]
    found, _ = index(write(tmp_path, *lines))
    assert len({hash(a) for a in found["author"][:2]}) == 1
    assert found["author"][2].id == 9
    assert found["author"][3] is None
    assert found["is_webhook"] == [False] * 4 + [True]


def test_bad_and_mended_lines_are_as_with_columns(tmp_path):
    """A bad line is named, its neighbours are indexed; lone surrogates are repaired."""
    lines = [line(1), b'{"id": 1.5}', b'{"id":"3","content":"a\\ud83d"}', line(4)]
    found, _ = index(write(tmp_path, *lines), with_content=True)
    assert found["message_id"] == [1, 3, 4]
    assert [b.line for b in found["bad"]] == [2]
    assert found["mended"] == 1
    assert found["content"] == ["word 1", "a\ufffd", "word 4"]


def test_read_lines_says_which_line_each_row_is(tmp_path):
    """A line whose fields are of the wrong kind has no row, and shifts no other."""
    odd = json.dumps({"id": "2", "mentions": "nobody"}).encode()
    table, which = read_lines([line(1), odd, line(3)], ("message_id", "mention_ids"))
    assert table["message_id"].to_pylist() == [1, 3]
    assert which.tolist() == [0, 2]
    assert read_lines([], ("message_id",))[1].tolist() == []


@pytest.mark.parametrize(
    "hostile",
    [
        b'{"id":"2","x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"id":"2","x":' + b'{"a":' * 3_000 + b"1" + b"}" * 3_000 + b"}",
        b'{"id":"2","content":"a\\ud83d","x":' + b"[" * 3_000 + b"]" * 3_000 + b"}",
        b'{"id":"' + b"9" * 5_000 + b'"}',
        b'{"id":' + b"9" * 5_000 + b"}",
        b'{"id":"' + b"0" * 5_000 + b'x"}',
    ],
)
def test_a_hostile_line_is_one_bad_line(tmp_path, hostile):
    """Nested without end, or an id of thousands of digits: named, its neighbours are indexed."""
    found, _ = index(write(tmp_path, line(1), hostile, line(3)), with_content=True)
    assert found["message_id"] == [1, 3]
    assert [b.line for b in found["bad"]] == [2]


def test_ids_of_thousands_of_digits_are_answers_to_nobody(tmp_path):
    """As text they are taken for no id; zeros before an id change nothing."""
    to = [{"message_id": "9" * 5_000}, {"message_id": "0" * 5_000 + "7"}, {"message_id": ""}]
    lines = [line(n, message_reference=one) for n, one in enumerate(to, 1)]
    assert index(write(tmp_path, *lines))[0]["reply_to"] == [0, 7, 0]


def test_an_id_with_zeros_before_it_is_that_id(tmp_path):
    """However many; with a number among the ids they are read one by one."""
    lines = [b'{"id":"' + b"0" * 5_000 + b'7"}', b'{"id":8}']
    assert index(write(tmp_path, *lines))[0]["message_id"] == [7, 8]


def test_pages_out_of_order_stand_as_they_came(tmp_path):
    """Neither reader sorts, nor drops an id that comes twice: the last line is the caller's."""
    lines = [line(n) for n in (30, 10, 20, 10, 40)]
    path = write(tmp_path, *lines)
    assert index(path, slice_bytes=200)[0]["message_id"] == [30, 10, 20, 10, 40]
    parts = read_slices(path, ("message_id",), slice_bytes=200)
    assert [n for p in parts for n in p.rows["message_id"].to_pylist()] == [30, 10, 20, 10, 40]
