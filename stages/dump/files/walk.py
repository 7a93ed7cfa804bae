"""
Walk through one JSON document of any size: its root members, its messages, and its damage.

Only a window of the text is in memory. A damaged row costs itself: the walk goes on at the
next thing that looks like a message (known-faults B034, B057, B063).
"""

import codecs
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

BLOCK_BYTES = 1 << 20
LONGEST_VALUE = 64 << 20  # characters; no export holds a single value near this
SPACE = re.compile(r"[ \t\n\r]*")
OBJECT_START = re.compile(r'\{\s*"')
MESSAGES_START = re.compile(r'"messages"\s*:\s*\[')
ENDS_EARLY = "it ends early"


@dataclass(frozen=True, slots=True)
class Root:
    """A member of the root object other than its messages."""

    name: str
    value: Any


@dataclass(frozen=True, slots=True)
class Damage:
    """A place that could not be read, in a few words and without its text."""

    reason: str


class BrokenValue(ValueError):  # noqa: N818 - it never leaves this file
    """The text under the window is no JSON value."""


def _null(_: str) -> None:
    return None


# NaN and Infinity are no JSON and would make our own lines unreadable; raw control
# characters inside strings are no JSON either, but lose nothing.
_DECODER = json.JSONDecoder(strict=False, parse_constant=_null)


def walk(
    path: Path, seen: Callable[[bytes], None] = lambda block: None
) -> Iterator[Root | dict[str, Any] | Damage]:
    """
    Give root members, message rows (as dicts) and damages in the order of the file.

    `seen` gets every block of bytes as it is read, so that a digest costs no second reading.
    Reads UTF-8 with or without a byte order mark, and UTF-16 with one.
    """
    with path.open("rb") as file:
        window = _Window(file, seen)
        if window.peek() != "{":
            yield Damage("it is no JSON object")
            return
        window.at += 1
        yield from _members(window)


def looks_like_message(value: object) -> bool:
    """Say whether an object has what every message row of an export has."""
    return (
        isinstance(value, dict)
        and "id" in value
        and "timestamp" in value
        and ("author" in value or "authorId" in value)
    )


def _members(window: "_Window") -> Iterator[Root | dict[str, Any] | Damage]:
    while True:
        char = window.peek()
        if char == "}":
            return
        if not char:
            yield Damage(ENDS_EARLY)
            return
        if char == ",":
            window.at += 1
            continue
        try:
            name = window.value()
            if not isinstance(name, str) or window.peek() != ":":
                raise BrokenValue("a member of the root has no name")
            window.at += 1
            if name == "messages" and window.peek() == "[":
                window.at += 1
                yield from _rows(window)
            else:
                window.peek()
                yield Root(name, window.value())
        except BrokenValue as error:
            yield Damage(str(error))
            if not window.seek(MESSAGES_START):
                return
            yield from _rows(window)


def _rows(window: "_Window") -> Iterator[dict[str, Any] | Damage]:
    while True:
        char = window.peek()
        if not char:
            return  # `_members` says that the document ends early
        if char == "]":
            window.at += 1
            return
        if char == ",":
            window.at += 1
            continue
        try:
            value = window.value()
        except BrokenValue as error:
            yield Damage(str(error))
            found = window.next_message()
            if found is None:
                return
            value = found
        if isinstance(value, dict):
            yield value
        else:
            yield Damage("a row is no object")


class _Window:
    """A stretch of a file's text that slides forward; `at` is where reading stands in it."""

    def __init__(self, file: BinaryIO, seen: Callable[[bytes], None]) -> None:
        mark = file.read(2)
        file.seek(0)
        wide = mark in {codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE}
        self._decode = codecs.getincrementaldecoder("utf-16" if wide else "utf-8-sig")("replace")
        self._file = file
        self._seen = seen
        self.text = ""
        self.at = 0
        self.ended = False

    def more(self) -> None:
        """Slide on: drop what lies behind, and read at least as much as is pending."""
        block = self._file.read(max(BLOCK_BYTES, len(self.text) - self.at))
        self._seen(block)
        self.ended = not block
        self.text = self.text[self.at :] + self._decode.decode(block, final=not block)
        self.at = 0

    def peek(self) -> str:
        """Skip blanks and give the next character; empty at the end."""
        while True:
            found = SPACE.match(self.text, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.text):
                return self.text[self.at]
            if self.ended:
                return ""
            self.more()

    def value(self) -> Any:
        """Read the value that starts here and step behind it."""
        value, self.at = self._read()
        return value

    def _read(self) -> tuple[Any, int]:
        """Read the value that starts here; gives it with its end and stays where it is."""
        while True:
            try:
                value, end = _DECODER.raw_decode(self.text, self.at)
            except RecursionError:
                raise BrokenValue("it is nested too deeply") from None
            except ValueError as error:
                if not self.ended and self._is_cut(error):
                    self.more()
                    continue
                raise BrokenValue(self._words(error)) from None
            if end < len(self.text) or self.ended:
                return value, end
            self.more()  # a number may go on in the next block

    def _is_cut(self, error: ValueError) -> bool:
        """Say whether only the window's edge is in the way of reading on."""
        if not isinstance(error, json.JSONDecodeError):
            return False
        pending = len(self.text) - self.at
        near_the_edge = error.pos >= len(self.text) - 16
        return pending < LONGEST_VALUE and (
            near_the_edge or error.msg.startswith("Unterminated string")
        )

    def _words(self, error: ValueError) -> str:
        if self.ended and self._is_cut(error):
            return ENDS_EARLY
        if isinstance(error, json.JSONDecodeError):
            return f"broken JSON ({error.msg})"
        return "a number has too many digits"

    def seek(self, pattern: re.Pattern[str]) -> bool:
        """Step behind the next place that matches; False at the end of the file."""
        while True:
            if found := pattern.search(self.text, self.at):
                self.at = found.end()
                return True
            if self.ended:
                self.at = len(self.text)
                return False
            self.at = max(self.at, len(self.text) - 64)  # a match may lie across the edge
            self.more()

    def next_message(self) -> dict[str, Any] | None:
        """Find the next object that is a message, behind a damaged place; None at the end."""
        self.at += 1
        while self.seek(OBJECT_START):
            while self.text[self.at] != "{":  # `seek` stands behind the quote of the first name
                self.at -= 1
            try:
                value, end = self._read()
            except BrokenValue:
                value, end = None, self.at + 1
            if isinstance(value, dict) and looks_like_message(value):
                self.at = end
                return value
            self.at += 1
        return None
