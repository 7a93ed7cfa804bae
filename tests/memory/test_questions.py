"""Question files: two shapes, one meaning, and kind words for what is wrong."""

import json

import pytest

from pipeline.errors import UsageError
from pipeline.memory.questions import read_questions

TOML = """
[[question]]
question = "Where do we meet?"
answer = ["the old mill", "mill"]
kind = "changed"
old = "ferry house"
evidence = ["11", "12"]
pushback = ["Are you sure? I think it was the ferry house."]
private = true
"""


def write(folder, name, text):
    """Write a questions file."""
    path = folder / name
    path.write_text(text)
    return path


def test_both_shapes_say_the_same(tmp_path):
    """TOML for people, JSON lines for question sets of others; the names are the same."""
    (one,) = read_questions(write(tmp_path, "questions.toml", TOML))
    row = {
        "ask": "Where do we meet?", "answer": ["the old mill", "mill"], "kind": "changed",
        "old": ["ferry house"], "evidence_message_ids": ["11", "12"], "private": True,
        "pushback": "Are you sure? I think it was the ferry house.", "category": 3,
    }  # fmt: skip
    (other,) = read_questions(write(tmp_path, "questions.jsonl", json.dumps(row) + "\n"))
    assert one == other
    assert one.evidence_ids == ("11", "12")
    assert one.is_private


def test_a_number_as_answer_is_read_as_its_digits(tmp_path):
    """Question sets write years and counts as numbers."""
    line = '{"question": "When?", "answer": 2022}\n\n'
    (question,) = read_questions(write(tmp_path, "questions.jsonl", line))
    assert question.expected.answers == ("2022",)


def test_the_same_question_twice_is_asked_once(tmp_path):
    """Its id is its content."""
    line = '{"question": "When?", "answer": "2022"}\n'
    assert len(read_questions(write(tmp_path, "questions.jsonl", line * 2))) == 1


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("questions.toml", "[[question]]\nanswer = 'x'\n", "question 1: there is no question"),
        ("questions.toml", "question = 'x'\n", "under a heading"),
        ("questions.toml", "[[question\n", "no TOML"),
        ("questions.jsonl", '{"question": "a", "answer": "b"}\n{"quest', "line 2 is no JSON"),
        ("questions.jsonl", '["a"]\n', "line 1: write one object"),
        ("questions.jsonl", '{"question": "a"}\n', "line 1: neither answer nor pattern"),
        ("questions.jsonl", '{"question": "a", "answer": {}}\n', "give a text"),
        ("questions.jsonl", '{"question": "a", "answer": "b", "kind": "x"}\n', "kind is 'x'"),
    ],
)
def test_a_wrong_entry_is_named_with_its_line(tmp_path, name, text, says):
    """One line: where, what, and what to write."""
    with pytest.raises(UsageError, match=says):
        read_questions(write(tmp_path, name, text))
