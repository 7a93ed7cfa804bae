"""What strict readers refuse and a careful one still understands: odd Unicode, odd times."""

import json
import re
from datetime import UTC, datetime
from typing import Any

DEEPEST = 100  # levels of lists and objects; Discord sends a dozen
MOST_DIGITS = 4_000  # Python reads no longer numbers, lest it take for ever
TOO_DEEP = f"nested deeper than {DEEPEST} levels"
_STRING_OR_BRACKET = re.compile(rb'"(?:[^"\\]|\\.)*+"|[\[\]{}]', re.DOTALL)


def mended_object(line: bytes) -> Any:
    """
    Decode a line that strict readers refuse; what is no Unicode becomes U+FFFD.

    Takes lone surrogate escapes, invalid UTF-8 and raw control characters; raises ValueError
    where the line is no JSON even so.
    """
    text = line.decode("utf-8", "replace").lstrip("\ufeff")
    return _without_surrogates(json.loads(text, strict=False, parse_int=_number))


def _number(digits: str) -> int | None:
    """Read a number; one that Python refuses to read is none."""
    return int(digits) if len(digits) <= MOST_DIGITS else None


def is_too_deep(line: bytes | memoryview) -> bool:
    """
    Say whether a line is nested deeper than anybody means it.

    Readers stop at different depths, and so may one and the same that is called from deeper in.
    """
    line = bytes(line)
    if line.count(b"[") + line.count(b"{") <= DEEPEST:
        return False
    depth = 0
    for found in _STRING_OR_BRACKET.finditer(line):
        sign = found[0]
        if sign in b"[{":
            depth += 1
            if depth > DEEPEST:
                return True
        elif sign in b"]}":
            depth -= 1
    return False


def read_time(value: str | None) -> datetime | None:
    """Read one ISO time as UTC, no offset meaning UTC; None where it is none."""
    if value is None:
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    try:
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except OverflowError:  # the year 1 in a zone east of Greenwich
        return None


def _without_surrogates(part: Any) -> Any:
    if isinstance(part, str):
        if part.isascii():
            return part
        return part.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(part, list):
        return [_without_surrogates(item) for item in part]
    if isinstance(part, dict):
        return {key: _without_surrogates(item) for key, item in part.items()}
    return part
