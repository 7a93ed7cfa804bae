"""Walking through one document: any size, any layout, any damage."""

import json

import pytest

from pipeline.testing import dce
from stages.dump.files import walk as walking
from stages.dump.files.walk import Damage, Root, walk

ROWS = [dce.row(n, f"text {n}") for n in range(6)]


def parts(path):
    """Walk a file; gives root names, texts of rows, reasons of damage."""
    found = list(walk(path))
    roots = [p.name for p in found if isinstance(p, Root)]
    texts = [p["content"] for p in found if isinstance(p, dict)]
    return roots, texts, [p.reason for p in found if isinstance(p, Damage)]


def write(tmp_path, text):
    """Write a document as it stands."""
    path = tmp_path / "a.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return path


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("block", [1, 7, 1 << 20])
def test_the_window_may_be_of_any_size(tmp_path, monkeypatch, indent, block):
    """Where a block ends changes nothing, not even inside a number, an escape or a letter."""
    monkeypatch.setattr(walking, "BLOCK_BYTES", block)
    doc = dce.document([dce.row(1, 'é\ud83d\ude00 "quoted" \\'), dce.row(2, "ü")])
    ascii_escapes = json.dumps(doc, indent=indent)
    assert parts(write(tmp_path, ascii_escapes))[1:] == (['é\U0001f600 "quoted" \\', "ü"], [])


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16"])
def test_byte_order_marks_are_taken(tmp_path, codec):
    """A mark in front is no part of the document."""
    path = write(tmp_path, json.dumps(dce.document(ROWS), ensure_ascii=False).encode(codec))
    assert parts(path)[1] == [f"text {n}" for n in range(6)]


def test_members_behind_the_messages_are_given(tmp_path):
    """Key order is not trusted."""
    doc = dce.document(ROWS[:1])
    turned = {"messages": doc["messages"], **{k: v for k, v in doc.items() if k != "messages"}}
    roots, texts, damage = parts(write(tmp_path, json.dumps(turned)))
    assert (roots[:2], texts, damage) == (["guild", "channel"], ["text 0"], [])


def test_a_cut_file_gives_what_stands_before_the_cut(tmp_path):
    """The torn row is the only one lost (B034, B057)."""
    text = json.dumps(dce.document(ROWS), indent=2)
    cut = text[: text.index("text 4") + 3]
    assert parts(write(tmp_path, cut))[1:] == (
        ["text 0", "text 1", "text 2", "text 3"],
        ["it ends early", "it ends early"],
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"content": "text 2"', '"content": "text 2'),  # a quote is gone
        ('"content": "text 2"', '"content": text 2"'),
        ('"content": "text 2",', '"content": "text 2"'),  # a comma is gone
        ('"content": "text 2",', '"content": "text 2", \x00\x00\x00'),  # a hole of zeros
    ],
)
def test_a_damaged_row_costs_itself(tmp_path, old, new):
    """What stands behind the damage is found again, and nothing inside it is taken for a row."""
    text = json.dumps(dce.document(ROWS), indent=2)
    assert old in text
    _, texts, damage = parts(write(tmp_path, text.replace(old, new)))
    assert texts == ["text 0", "text 1", "text 3", "text 4", "text 5"]
    assert damage


def test_a_second_document_behind_the_first_is_found_by_its_rows(tmp_path):
    """An interrupted run that was appended to leaves half a document before a whole one."""
    text = json.dumps(dce.document(ROWS))
    half = text[: text.index("text 1")]
    assert parts(write(tmp_path, half + text))[1] == [f"text {n}" for n in (0, 0, 1, 2, 3, 4, 5)]


@pytest.mark.parametrize("text", ["", "[]", "[1, 2]", '"x"', "no json", "<html>"])
def test_what_is_no_object_is_said_to_be_none(tmp_path, text):
    """Other JSON, or no JSON, is a reason and no crash."""
    assert parts(write(tmp_path, text)) == ([], [], ["it is no JSON object"])


@pytest.mark.parametrize("text", ['{"a": ', '{"a" 1}', "{1: 2}", '{"a": ' + "[" * 100_000])
def test_broken_roots_end_with_a_reason(tmp_path, text):
    """Depth bombs too."""
    roots, texts, damage = parts(write(tmp_path, text))
    assert (roots, texts) == ([], [])
    assert damage


def test_damage_in_the_head_does_not_cost_the_rows(tmp_path):
    """The messages are looked for behind a broken member of the root."""
    text = json.dumps(dce.document(ROWS)).replace('"dateRange": {', '"dateRange": {,')
    assert parts(write(tmp_path, text))[1] == [f"text {n}" for n in range(6)]


def test_raw_control_characters_and_lone_surrogates_pass(tmp_path):
    """Both occur in files of other tools and lose nothing (B062)."""
    doc = json.dumps(dce.document([dce.row(1, "a\\ud83d\x01b")])).replace("\\\\ud83d", "\\ud83d")
    assert parts(write(tmp_path, doc.replace("\\u0001", "\x01")))[1] == ["a\ud83d\x01b"]
