"""The ways in which the double lies, one request each."""

import json
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from pipeline.testing.modeldouble.wire import Asked, Told, Wish, write_answer, write_error

LieKind = Literal[
    "rate limit",  # 429, with `retry_after` as the header's text if given
    "server error",  # `status`, 500 unless said otherwise
    "html error",  # `status` with a web page for a body, as a proxy writes it
    "error under 200",  # an error object where an answer should be
    "reset",  # the connection breaks in the middle of the body
    "slow",  # one byte every `seconds`
    "length",  # cut in the middle of a sentence
    "refusal",  # the protocol's own word for it, no text
    "refusal in words",  # a finished answer that says no
    "tool call",
    "empty",
    "only reasoning",
    "leading thinking",  # <thinking>…</thinking> in front of the text
    "malformed",  # not JSON
    "wrong shape",  # JSON without what the protocol promises
    "no usage",
    "newer limit",  # 400: max_tokens is not known, max_completion_tokens is
    "quoting error",  # 400 whose words repeat the request and the key
]
KINDS: tuple[LieKind, ...] = get_args(LieKind)
NO = "I'm sorry, but I can't help with that request."
THOUGHT = "The user wants a memory. I should think about what mattered."


@dataclass(frozen=True, slots=True)
class Lie:
    """One lie: its kind and what that kind needs."""

    kind: LieKind
    status: int = 500
    retry_after: str | None = None
    seconds: float = 0.05


@dataclass(frozen=True, slots=True)
class Reply:
    """What goes over the wire: status, headers, body, and how the body goes."""

    status: int
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()
    breaks: bool = False
    seconds_per_byte: float = 0.0


def honest(asked: Asked, text: str) -> Reply:
    """Answer as asked."""
    return answered(write_answer(asked, Told(text)))


def wished(asked: Asked, wish: Wish) -> Reply:
    """Ask for a tool first."""
    return answered(write_answer(asked, Told("", "tool", wish=wish)))


def refuse(asked: Asked, status: int, kind: str, said: str) -> Reply:
    """Answer with an error of the protocol."""
    return Reply(status, encode(write_error(asked.protocol, kind, said)))


def told_lie(asked: Asked, text: str, lie: Lie) -> Reply:
    """Answer with a lie."""
    if told := spoken_lie(text, lie):
        return answered(write_answer(asked, told))
    whole = honest(asked, text)
    match lie.kind:
        case "rate limit":
            head = () if lie.retry_after is None else (("Retry-After", lie.retry_after),)
            return replace(refuse(asked, 429, "rate_limit_error", "slow down"), headers=head)
        case "html error":
            return Reply(lie.status, b"<html><body>Bad gateway</body></html>")
        case "error under 200":
            return answered(write_error(asked.protocol, "server_error", "upstream failed"))
        case "reset":
            return replace(whole, breaks=True)
        case "slow":
            return replace(whole, seconds_per_byte=lie.seconds)
        case "malformed":
            return Reply(200, whole.body[: len(whole.body) // 2])
        case "wrong shape":
            return answered({"id": "x", "choices": [], "usage": "many"})
        case "newer limit":
            said = "Unsupported parameter: use max_completion_tokens instead of max_tokens"
            return refuse(asked, 400, "unsupported_parameter", said)
        case "quoting error":
            said = f"bad request with key sk-double-000000000000: {asked.prompt[-80:]}"
            return refuse(asked, 400, "invalid_request_error", said)
    return refuse(asked, lie.status, "server_error", "the server is on fire")


def spoken_lie(text: str, lie: Lie) -> Told | None:
    """Give the lies that are whole answers of the protocol; null for the others."""
    spoken: dict[str, Told] = {
        "length": Told(text[: len(text) * 2 // 3], "length"),
        "refusal": Told("", "refusal"),
        "refusal in words": Told(NO),
        "tool call": Told("", "tool"),
        "empty": Told(""),
        "only reasoning": Told("", reasoning=THOUGHT),
        "leading thinking": Told(f"<thinking>{THOUGHT}</thinking>\n\n{text}"),
        "no usage": Told(text, with_usage=False),
    }
    return spoken.get(lie.kind)


def answered(body: dict[str, Any]) -> Reply:
    """Wrap a body that came with status 200."""
    return Reply(200, encode(body))


def encode(body: dict[str, Any]) -> bytes:
    """Write JSON as the wire has it."""
    return json.dumps(body).encode()
