"""
The questions of a probe: what is asked, what an answer must hold, where the evidence lies.

`questions.toml` has one `[[question]]` each, `questions.jsonl` one object a line; both know the
same names. Unknown names are left alone, so that question sets of others can be used as they are.
"""

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import UsageError
from pipeline.memory.answers import Expected


@dataclass(frozen=True, slots=True)
class Question:
    """
    One question; `evidence_ids` are Discord message ids, none where the owner does not know them.

    `pushback` is said after the answer, to see whether it stands. A private fact may be asked
    for in a public room: there the right answer is to keep it.
    """

    question_id: str
    ask: str
    expected: Expected
    evidence_ids: tuple[str, ...] = ()
    pushback: tuple[str, ...] = ()
    is_private: bool = False


def read_questions(path: Path) -> list[Question]:
    """Read a questions file, .toml or .jsonl; raises UsageError naming the entry that is wrong."""
    entries = _toml(path) if path.suffix == ".toml" else list(_lines(path))
    found: dict[str, Question] = {}
    for where, entry in entries:
        try:
            question = question_of(entry)
        except UsageError as error:
            raise UsageError(f"{path.name}, {where}: {error}") from None
        found.setdefault(question.question_id, question)  # asked twice is asked once
    return list(found.values())


def question_of(entry: Mapping[str, Any]) -> Question:
    """Read one entry; raises UsageError for what is missing or of the wrong kind."""
    ask = entry.get("question", entry.get("ask"))
    if not isinstance(ask, str) or not ask.strip():
        raise UsageError('there is no question; give it as question = "…"')
    pattern = entry.get("pattern")
    if pattern is not None and not isinstance(pattern, str):
        raise UsageError(f"pattern is {pattern!r}; give a text")
    expected = Expected(
        kind=str(entry.get("kind", "fact")),
        answers=_texts(entry, "answer"),
        pattern=pattern,
        old=_texts(entry, "old"),
    )
    named = "evidence_message_ids" if "evidence_message_ids" in entry else "evidence"
    content = json.dumps([ask, expected.kind, expected.answers, pattern], ensure_ascii=False)
    return Question(
        question_id=str(entry.get("id") or "q-" + hashlib.sha256(content.encode()).hexdigest()[:8]),
        ask=ask.strip(),
        expected=expected,
        evidence_ids=_texts(entry, named),
        pushback=_texts(entry, "pushback"),
        is_private=bool(entry.get("private", False)),
    )


def _texts(entry: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """Give a value, or each of a list of values, as texts."""
    value = entry.get(name)
    values = value if isinstance(value, list) else [] if value is None else [value]
    for said in values:
        if not isinstance(said, str | int | float) or isinstance(said, bool):
            raise UsageError(f"{name} is {said!r}; give a text, or a list of texts")
    return tuple(str(said) for said in values)


def _toml(path: Path) -> list[tuple[str, Mapping[str, Any]]]:
    try:
        held = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path.name} is no TOML: {error}") from None
    entries = held.get("question", [])
    if not isinstance(entries, list) or not all(isinstance(e, dict) for e in entries):
        raise UsageError(f"{path.name}: write each question under a heading [[question]]")
    return [(f"question {n}", entry) for n, entry in enumerate(entries, 1)]


def _lines(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for n, line in enumerate(path.read_bytes().splitlines(), 1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line.decode("utf-8-sig"))
        except ValueError as error:
            raise UsageError(f"{path.name}, line {n} is no JSON: {error}") from None
        if not isinstance(entry, dict):
            raise UsageError(f"{path.name}, line {n}: write one object a line")
        yield f"line {n}", entry
