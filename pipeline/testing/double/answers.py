"""What the double sends back: a body, its headers, and Discord's own error bodies."""

import json
from dataclasses import dataclass, field
from typing import Any

JSON = "application/json"  # exactly: discord.py takes the body for text when a charset follows

# The codes that discord-rest §3 counts as answers, with Discord's own words and their status.
ERRORS: dict[int, tuple[int, str]] = {
    0: (404, "404: Not Found"),
    10003: (404, "Unknown Channel"),
    10004: (404, "Unknown Guild"),
    10007: (404, "Unknown Member"),
    10008: (404, "Unknown Message"),
    10013: (404, "Unknown User"),
    10014: (400, "Unknown Emoji"),
    20001: (403, "Bots cannot use this endpoint"),
    40333: (429, "internal network error"),
    50001: (403, "Missing Access"),
    50007: (403, "Cannot send messages to this user"),
    50013: (403, "Missing Permissions"),
    50024: (403, "Cannot execute action on this channel type"),
    50035: (400, "Invalid Form Body"),
    110000: (202, "Index not yet available. Try again later"),
}


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer as it would go over the wire, before rate limits and faults touch it."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = JSON


def plain(value: Any, status: int = 200) -> Answer:
    """Answer with a JSON value; lone surrogates stay as the escapes they came as."""
    return Answer(json.dumps(value, separators=(",", ":")).encode("ascii"), status)


def listed(lines: list[bytes]) -> Answer:
    """Answer with a JSON list of objects that are encoded already."""
    return Answer(b"[" + b",".join(lines) + b"]")


def refusal(code: int, **more: Any) -> Answer:
    """Answer with one of Discord's error bodies: `{"message", "code"}` and its status."""
    status, message = ERRORS[code]
    return plain({"message": message, "code": code, **more}, status)


def bad_form(field_name: str, kind: str, message: str) -> Answer:
    """Answer 400 50035, naming the field that was out of bounds."""
    errors = {field_name: {"_errors": [{"code": kind, "message": message}]}}
    return refusal(50035, errors=errors)


UNAUTHORIZED = plain({"message": "401: Unauthorized", "code": 0}, 401)
NOT_FOUND = refusal(0)
NOT_ALLOWED = plain({"message": "405: Method Not Allowed", "code": 0}, 405)
EDGE_PAGE = (
    b"<!DOCTYPE html><html><head><title>Access denied | discord.com used Cloudflare to restrict "
    b"access</title></head><body><h1>Error 1015</h1><p>You are being rate limited.</p></body>"
    b"</html>"
)
