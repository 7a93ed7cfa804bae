"""What an answer that is no success means: an answer after all, a wait, a retry, the end."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from pipeline.errors import BackfoldError, NetworkError
from stages.dump.discord.limits import number

Kind = Literal["answer", "limit", "edge", "again", "stop"]
RETRIED = {408, 500, 502, 503, 504}  # and 52x, which the edge makes up
TRIES = 7
LIMIT_TRIES = 50  # a limit that holds after so many waits is none
LONGEST_WAIT_SECONDS = 86_400.0  # what asks for more is not waited for
MESSAGE_LENGTH = 80
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 60.0
EDGE_PAUSES_SECONDS = (60.0, 180.0, 540.0)


class DeniedError(BackfoldError):
    """Discord's answer is no: gone, forbidden or not possible; a fact about the thing asked for."""

    def __init__(self, status: int, code: int, message: str, what: str) -> None:
        super().__init__(f"{what}: Discord answers {status} ({code}: {message})")
        self.status = status
        self.code = code

    @property
    def is_gone(self) -> bool:
        """Say whether the thing does not exist (any more)."""
        return self.status == 404


class UnreachableError(NetworkError):
    """One request got no usable answer within its tries; others may still."""


class GarbledError(UnreachableError):
    """An answer came, but not in its route's shape; says nothing about other requests."""


class StuckError(NetworkError):
    """A page brought nothing new though more was promised; going on would loop."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do about one answer."""

    kind: Kind
    status: int = 0
    wait_seconds: float = 0.0
    everywhere: bool = False
    code: int = 0
    message: str = ""


def judge(status: int, headers: Mapping[str, str], body: bytes) -> Verdict:
    """
    Decide what an answer other than 2xx means (discord-rest §3).

    No JSON, or a 429 without `Via`, is the edge and not a route's limit. 401 is the end.
    """
    if status == 401:
        return Verdict("stop", status)
    if status in RETRIED or 520 <= status <= 529:
        return Verdict("again", status)
    content = read_json(body)
    if status == 429:
        wait = _retry_after(headers, content)
        if content is None or "Via" not in headers:
            return Verdict("edge", status, wait)
        everywhere = bool(content.get("global")) or headers.get("X-RateLimit-Scope") == "global"
        return Verdict("limit", status, wait, everywhere)
    if content is None:
        return Verdict("edge" if status in {200, 400, 403} else "again", status)
    code = content.get("code")
    return Verdict(
        "answer",
        status,
        code=code if isinstance(code, int) else 0,
        message=str(content.get("message", "")),
    )


def read_json(body: bytes) -> dict[str, Any] | None:
    """Read an error's body; null where it is no JSON object."""
    try:
        content = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _retry_after(headers: Mapping[str, str], content: Mapping[str, Any] | None) -> float:
    """Give the longer of the two waits that a 429 names; a second where it names none to use."""
    told = [number(headers.get("Retry-After"))]
    if content is not None:
        told.append(number(str(content.get("retry_after"))))
    known = [seconds for seconds in told if seconds is not None and seconds > 0]
    return max(known) if known else 1.0


def pause_seconds(tries: int, jitter: float) -> float:
    """Give the pause behind the n-th failure (from 1): doubling, bounded, spread by `jitter`."""
    full = min(LONGEST_PAUSE_SECONDS, FIRST_PAUSE_SECONDS * 2.0 ** (tries - 1))
    return full * (0.5 + jitter / 2)


def broken_words(error: BaseException) -> str:
    """Say why a request came to nothing: no name, no connection, no answer in time."""
    import socket

    import aiohttp

    if isinstance(error, aiohttp.ClientConnectorError):
        nameless = getattr(aiohttp, "ClientConnectorDNSError", socket.gaierror)
        if isinstance(error.os_error, socket.gaierror) or isinstance(error, nameless):
            why = "name not resolved"
        elif isinstance(error.os_error, ConnectionRefusedError):
            why = "connection refused"
        else:
            why = error.os_error.strerror or type(error.os_error).__name__
        return f"cannot reach {error.host} ({why}); is the network up?"
    if isinstance(error, TimeoutError):
        return f"no answer in time ({type(error).__name__})"
    return type(error).__name__
