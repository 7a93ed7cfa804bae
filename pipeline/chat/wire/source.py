"""
The host's source block before every message, from 2026-10 on (§6).

A name that could be mistaken for the block's own grammar is written as a JSON string, and the
adapter's text may not imitate the block.
"""

import json
import re
import unicodedata
from functools import lru_cache

_GRAMMAR = re.compile(r'[\[\]·"\\\x00-\x1f\x7f-\x9f\u2028\u2029]|\s/\s')
_LABEL_WORDS = re.compile(r"(?:thread|reply to|unscoped)\b", re.IGNORECASE)
_IMITATION = re.compile(r"\[(?=\s*source\s*[:\]])", re.IGNORECASE)

_JOINER = "\u200d"
_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
_BLANK_LETTERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
_FLAG = "\U0001f3f4"  # the flags of regions are this one and invisible tag letters
_TAGS = range(0xE0020, 0xE0080)
_KEYCAPS = frozenset("0123456789#*")


def source_line(
    server_id: str,
    channel_id: str | None,
    label: str | None = None,
    *,
    thread: str | None = None,
    reply_to_id: str | None = None,
) -> str:
    """Give the source block's text; parts that are not known are left out."""
    server = quoted(server_id)
    if channel_id is None:
        return f"[source: {server} · unscoped]"
    parts = [f"{server} / {quoted(channel_id)}"]
    if label:
        parts.append(quoted(label, is_label=True))
    if thread:
        parts.append(f"thread {quoted(thread)}")
    if reply_to_id:
        parts.append(f"reply to {quoted(reply_to_id)}")
    return f"[source: {' · '.join(parts)}]"


@lru_cache(maxsize=4096)  # rooms recur, and so do their labels
def quoted(value: str, *, is_label: bool = False) -> str:
    """Write a value plainly where it cannot be mistaken, else as a JSON string."""
    if (
        _GRAMMAR.search(value)
        or (is_label and _LABEL_WORDS.match(value))
        or (not value.isascii() and _hides(value))
    ):
        return json.dumps(value, ensure_ascii=False)
    return value


def unimitated(text: str) -> str:
    """Put a backslash before every `[source:` and `[source]` of the adapter's own text."""
    return _IMITATION.sub(r"\\[", text) if "[" in text else text


def _hides(value: str) -> bool:
    """Tell whether a value holds an odd space, or what cannot be seen outside an emoji."""
    for place, char in enumerate(value):
        category = unicodedata.category(char)
        if category == "Zs" and char != " ":
            return True
        unseen = category == "Cf" or char in _SELECTORS or char in _BLANK_LETTERS
        if unseen and not _in_emoji(value, place):
            return True
    return False


def _in_emoji(value: str, place: int) -> bool:
    """Tell whether the unseen character at `place` belongs to an emoji sequence."""
    char = value[place]
    before = value[place - 1] if place else ""
    after = value[place + 1 : place + 2]
    if ord(char) in _TAGS or char == "\U000e007f":
        return _FLAG in value[:place] and all(
            ord(c) in _TAGS for c in value[value.rindex(_FLAG, 0, place) + 1 : place]
        )
    if char in _SELECTORS:
        return _is_emoji(before) or before in _KEYCAPS
    if char == _JOINER:
        return (_is_emoji(before) or before in _SELECTORS) and _is_emoji(after)
    return False


def _is_emoji(char: str) -> bool:
    """Take symbols and skin tones for emoji; the standard library knows no better."""
    return bool(char) and not char.isascii() and unicodedata.category(char) in {"So", "Sk", "Sm"}
