"""What strict readers refuse and a careful one still understands: odd Unicode, odd times."""

import json
from datetime import UTC, datetime
from typing import Any


def mended_object(line: bytes) -> Any:
    """
    Decode a line that strict readers refuse; what is no Unicode becomes U+FFFD.

    Takes lone surrogate escapes, invalid UTF-8 and raw control characters; raises ValueError
    where the line is no JSON even so.
    """
    found = json.loads(line.decode("utf-8", "replace").lstrip("\ufeff"), strict=False)
    return _without_surrogates(found)


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
