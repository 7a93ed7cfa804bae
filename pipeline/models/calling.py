"""
One HTTP exchange through an official client, and what its failures mean.

The clients differ in their requests and replies, not in how they fail: both raise the same three
kinds of errors, and both can hand out the body byte by byte, so that a server that drips is cut
off in time. Their own retries are off; `retrying` does that.
"""

import importlib
import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from importlib.util import find_spec
from types import ModuleType
from typing import Any, Protocol

from pipeline.errors import ModelError
from pipeline.models import failures
from pipeline.models.pacing import Clock, Pace

LONGEST_BODY = 64 * 1024 * 1024  # bytes; a memory is a few kilobytes
TOO_LONG = re.compile(
    r"context_length|exceed_context|context (?:size|length|window)|prompt is too long|"
    r"too many (?:input )?tokens|request_too_large|input is too long",
    re.IGNORECASE,
)
NO_MODEL = re.compile(
    r"model_not_found|invalid model|unknown model|not a valid model|"
    r"model\b.{0,60}\b(?:does not exist|not (?:exist|found|available|supported))",
    re.IGNORECASE,
)
NO_CREDIT = re.compile(r"insufficient_quota|credit balance|billing|payment|spend.?limit", re.I)
FILTERED = re.compile(r"content_filter|content_policy|moderation|flagged", re.IGNORECASE)


class FilteredError(failures.BadRequestError):
    """The provider's filter refuses the request's content: to a caller, a refusal."""


class Reply(Protocol):
    """A response whose body is still on its way."""

    def iter_bytes(self) -> Iterable[bytes]:
        """Give the body piece by piece."""


@dataclass(frozen=True, slots=True)
class Line:
    """Everything about one client that a call needs: whom it reaches, how it fails, its pace."""

    who: str  # host, for error lines
    model: str
    sdk: ModuleType
    keys: tuple[str, ...] = field(repr=False)
    pace: Pace
    clock: Clock


@dataclass(frozen=True, slots=True)
class Heard:
    """A whole body as JSON, and how long it took."""

    body: Mapping[str, Any]
    latency_ms: int


def call(
    line: Line,
    send: Callable[[float], AbstractContextManager[Reply]],
    asked: Iterable[str],
) -> Heard:
    """
    Send a request, wait for its whole body within the model's pace, and parse it.

    `send` takes the seconds that the answer may take; `asked` are the texts of the request, which
    no error may quote. Raises one of `failures`.
    """
    limit = line.pace.limit()
    start = line.clock()
    try:
        with send(limit) as reply:
            raw = gather(line, reply, start, limit)
    except line.sdk.APITimeoutError:
        raise timed_out(line, limit) from None
    except line.sdk.APIStatusError as error:
        raise failure_of(
            line, error.status_code, error.body, error.response.headers, asked
        ) from None
    except (line.sdk.APIConnectionError, *transport_errors()) as error:
        if is_timeout(error):
            raise timed_out(line, limit) from None
        kind = type(error.__cause__ or error).__name__
        raise failures.ConnectionBrokenError(
            f"{line.who}: the connection failed or broke off ({kind}); is the address right?"
        ) from None
    seconds = line.clock() - start
    body = parse(line, raw, asked)
    line.pace.saw(seconds)
    return Heard(body, round(seconds * 1000))


def gather(line: Line, reply: Reply, start: float, limit: float) -> bytes:
    """Collect the body; give up when the limit has passed, however steadily it drips."""
    pieces: list[bytes] = []
    size = 0
    for piece in reply.iter_bytes():
        pieces.append(piece)
        size += len(piece)
        if line.clock() - start > limit:
            raise timed_out(line, limit)
        if size > LONGEST_BODY:
            raise failures.MalformedError(f"{line.who}: the answer is longer than any memory")
    return b"".join(pieces)


def parse(line: Line, raw: bytes, asked: Iterable[str]) -> Mapping[str, Any]:
    """Read the body as a JSON object; some servers report errors under status 200."""
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise failures.MalformedError(f"{line.who}: the answer is no JSON") from None
    if not isinstance(body, dict):
        raise failures.MalformedError(f"{line.who}: the answer is no JSON object")
    error = body.get("error")
    if error and not body.get("choices") and not body.get("content"):
        code = error.get("code") if isinstance(error, dict) else None
        raise failure_of(line, code if isinstance(code, int) else 500, body, {}, asked)
    return body


def timed_out(line: Line, limit: float) -> failures.TimedOutError:
    """Note a time-out in the model's pace and give the error that says so."""
    line.pace.timed_out()
    return failures.TimedOutError(f"{line.who}: {line.model} gave no whole answer in {limit:.0f} s")


def failure_of(
    line: Line, status: int, body: object, headers: Mapping[str, str], asked: Iterable[str]
) -> ModelError:
    """Turn an HTTP error into one of ours: what, which value, what to do next."""
    said = error_words(body)
    words = failures.server_words(said, line.keys, asked)
    told = f"{line.who} answers {status}" + (f": {words}" if words else "")
    wait = retry_after(headers)
    if status == 402 or (status in {400, 403, 429} and NO_CREDIT.search(said)):
        return failures.NoCreditError(f"{told}; no money or quota is left on this account")
    if FILTERED.search(said) and status in {400, 403, 422}:
        return FilteredError(told)
    if status in {401, 403}:
        return failures.WrongKeyError(f"{told}; check the key and what it may use")
    if status in {400, 413, 422} and (status == 413 or TOO_LONG.search(said)):
        return failures.ContextTooLongError(
            f"{told}; the request does not fit into {line.model}: lower the recall budget or the "
            f"chunk size, or take a model with a longer window"
        )
    if status == 404 or (status == 400 and NO_MODEL.search(said)):
        return failures.WrongModelError(
            f"{told}; check the model's name ({line.model}) and the base URL"
        )
    if status == 429:
        return failures.RateLimitedError(told, wait)
    if status in {408, 409, 425} or status >= 500:
        return failures.ServerDownError(told, wait)
    return failures.BadRequestError(told)


def error_words(body: object) -> str:
    """Find what a server says about an error in any of the shapes in use: kind and message."""
    if isinstance(body, dict):
        error = body.get("error", body)
        if isinstance(error, dict):
            parts = [error.get(name) for name in ("type", "code", "message", "detail")]
            said = [str(part) for part in parts if isinstance(part, str | int) and part]
            return " ".join(dict.fromkeys(said))
        return str(error)
    return body if isinstance(body, str) and not body.lstrip().startswith("<") else ""


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Read how many seconds the server asks to wait: milliseconds, seconds or a date."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        said = headers.get(name)
        if said is None:
            continue
        try:
            seconds = float(said) * scale
        except ValueError:
            return until(said, headers.get("date"))
        return seconds if seconds >= 0 and math.isfinite(seconds) else None
    return None


def until(said: str, now: str | None) -> float | None:
    """Measure from the server's own clock to the date that it names; null where either is bad."""
    try:
        asked = parsedate_to_datetime(said)
        return max((asked - parsedate_to_datetime(now or "")).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None


def transport_errors() -> tuple[type[Exception], ...]:
    """Give what the clients' HTTP libraries raise while a body is read (they differ by version)."""
    found = [name for name in ("httpx", "httpx2") if find_spec(name)]
    return tuple(importlib.import_module(name).RequestError for name in found)


def is_timeout(error: BaseException) -> bool:
    """Tell a read that took too long from a connection that broke."""
    return "Timeout" in type(error).__name__ or "Timeout" in type(error.__cause__).__name__
