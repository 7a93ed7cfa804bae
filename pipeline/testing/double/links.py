"""Attachment links as the CDN signs them: good for a day, worthless once touched."""

import hashlib
import hmac
import re
from collections.abc import Mapping
from typing import Any

LIFETIME_SECONDS = 24 * 3600
_KEY = b"the double signs for itself"
_PLACE = re.compile(r"^https?://[^/]+/(?:ephemeral-)?attachments/(\d+)/(\d+)/([^?#]*)")


def _signature(path: str, issued: str, expires: str) -> str:
    return hmac.new(_KEY, f"{path}\n{issued}\n{expires}".encode(), hashlib.sha256).hexdigest()


def sign(base: str, path: str, now_seconds: float) -> str:
    """Give a fresh link to `path`: `ex` and `is` are hex seconds, `hm` the signature."""
    issued, expires = f"{int(now_seconds):x}", f"{int(now_seconds) + LIFETIME_SECONDS:x}"
    return f"{base}{path}?ex={expires}&is={issued}&hm={_signature(path, issued, expires)}&"


def is_good(path: str, query: Mapping[str, str], now_seconds: float) -> bool:
    """Say whether a link is signed by us and has not run out."""
    expires, issued = query.get("ex", ""), query.get("is", "")
    if not hmac.compare_digest(query.get("hm", ""), _signature(path, issued, expires)):
        return False
    return int(expires, 16) > now_seconds


def refresh(
    message: dict[str, Any], base: str, now_seconds: float, folder: str | None = None
) -> dict[str, Any]:
    """Give every attachment in a message, its snapshots and its reply target a fresh link."""
    fresh = dict(message)
    folder = folder or str(message.get("channel_id", "0"))
    if message.get("attachments"):
        fresh["attachments"] = [
            _relink(a, folder, base, now_seconds) for a in message["attachments"]
        ]
    if isinstance(target := message.get("referenced_message"), dict):
        fresh["referenced_message"] = refresh(target, base, now_seconds)
    if "message_snapshots" in message:
        origin = (message.get("message_reference") or {}).get("channel_id", folder)
        fresh["message_snapshots"] = [
            {**s, "message": refresh(s["message"], base, now_seconds, origin)}
            for s in message["message_snapshots"]
        ]
    return fresh


def _relink(
    attachment: dict[str, Any], channel_id: str, base: str, now_seconds: float
) -> dict[str, Any]:
    place = _PLACE.match(attachment.get("url") or "")
    folder, name = (place[1], place[3]) if place else (channel_id, attachment["filename"])
    link = sign(base, f"/attachments/{folder}/{attachment['id']}/{name}", now_seconds)
    return {**attachment, "url": link, "proxy_url": link}
