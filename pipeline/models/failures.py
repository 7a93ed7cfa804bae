"""
What can go wrong between a request and its answer.

ModelError
├── WrongKeyError          the key is missing, refused, or may not use this model
├── WrongModelError        the server knows no model of that name
├── NoCreditError          the account has no money or quota left
├── ContextTooLongError    the request does not fit into the model's window
├── BadRequestError        the server refuses the request as such
└── PassingError           may be gone at the next attempt; the only kind that is tried again
    ├── RateLimitedError       too many requests; `retry_after` seconds if the server said so
    ├── ServerDownError        the server failed or is overloaded
    ├── ConnectionBrokenError  no connection, or it broke before the answer was whole
    ├── TimedOutError          no whole answer within the time that this model usually needs
    └── MalformedError         an answer that is not what the protocol says

No message holds a key or words of the request: `scrub` takes keys out, `server_words` withholds
what quotes the request.
"""

import re
from collections.abc import Iterable

from pipeline.errors import ModelError

KEY_SHAPES = re.compile(
    r"(?i:bearer)\s+[\w.~+/=-]{6,}|\b(?:sk|pk|rk|gsk|xai|key|or)-[\w*-]{6,}|\bAIza[\w-]{20,}"
)
QUOTE_LENGTH = 20  # characters in a row that count as words of the request
LONGEST_WORDS = 200


class WrongKeyError(ModelError):
    """The key is missing, refused, or may not use this model."""


class WrongModelError(ModelError):
    """The server knows no model of that name."""


class NoCreditError(ModelError):
    """The account has no money or quota left."""


class ContextTooLongError(ModelError):
    """The request does not fit into the model's window."""


class BadRequestError(ModelError):
    """The server refuses the request as such."""


class PassingError(ModelError):
    """May be gone at the next attempt; `retry_after` in seconds where the server said so."""

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class RateLimitedError(PassingError):
    """Too many requests."""


class ServerDownError(PassingError):
    """The server failed or is overloaded."""


class ConnectionBrokenError(PassingError):
    """No connection, or it broke before the answer was whole."""


class TimedOutError(PassingError):
    """No whole answer within the time that this model usually needs."""


class MalformedError(PassingError):
    """An answer that is not what the protocol says."""


def scrub(text: str, keys: Iterable[str]) -> str:
    """Take every key out of a text: the known ones by value, others by their shape."""
    for key in keys:
        if len(key) >= 4:
            text = text.replace(key, "[key]")
    return KEY_SHAPES.sub("[key]", text)


def server_words(said: str, keys: Iterable[str], asked: Iterable[str]) -> str:
    """
    Make the server's own words fit for an error line: one short line, no key, no chat text.

    `asked` are the texts of the request; where the server quotes 20 characters of them in a
    row, its words are withheld.
    """
    line = " ".join(scrub(said, keys).split())
    texts = [" ".join(text.split()) for text in asked]
    for start in range(max(len(line) - QUOTE_LENGTH + 1, 0)):
        piece = line[start : start + QUOTE_LENGTH]
        if any(piece in text for text in texts):
            return "(its words quote the request and are withheld)"
    return line if len(line) <= LONGEST_WORDS else line[: LONGEST_WORDS - 1] + "…"
