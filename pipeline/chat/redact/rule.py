"""What a redaction rule is: a pattern that finds, and a function that decides."""

from collections.abc import Callable
from dataclasses import dataclass

from pipeline.chat.redact.judge import is_placeholder

# Hints that count from every word's beginning. They stand in a second set, since one automaton for
# both kinds would need a state for each pair of theirs.
LONG_RUN = "[A-Za-z0-9+/]{40}"
SHORT_WORDS = r"(?:^|[^a-z])(?:(?:[0-9]{1,2}[.):]?\s{0,2})?[a-z]{3,8}\s{1,2}){11}"
COUNTING = (LONG_RUN, SHORT_WORDS)

Take = Callable[[str, int, int], "tuple[int, int] | None"]


@dataclass(frozen=True, slots=True)
class Rule:
    """
    A name, a pattern, what to take of a hit, and how to notice it cheaply.

    The pattern keeps to the syntax that `re` and RE2 share (no look-around, no back-reference),
    with ASCII classes. The hit is its first group where it has one, else the whole match. `take`
    gets the text and the hit's bounds, and gives the bounds of the secret, or None if it is none.

    `hint` fits wherever the pattern fits, and perhaps elsewhere; the sets are made of hints. A
    pattern that counts from every word's beginning needs one that begins at something rare (or one
    of `COUNTING`), or else the set's automaton grows with every text it reads. Empty: the pattern.
    `needs` must fit somewhere in the message, or the rule is not run: "key" is a common word, but
    no key goes without a digit.
    """

    name: str
    pattern: str
    take: Take
    hint: str = ""
    needs: str = ""


def whole(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take a token as it stands, unless it goes on beside the hit or is a placeholder."""
    if start and is_alnum(text[start - 1]):
        return None
    if end < len(text) and is_alnum(text[end]):
        return None
    return None if is_placeholder(text[start:end]) else (start, end)


def plain(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take what the pattern's group holds, unless it is a placeholder."""
    return None if is_placeholder(text[start:end]) else (start, end)


def when(check: Callable[[str], bool]) -> Take:
    """Take a token as `whole` does, if its text also passes a check."""

    def take(text: str, start: int, end: int) -> tuple[int, int] | None:
        return whole(text, start, end) if check(text[start:end]) else None

    return take


def is_alnum(char: str) -> bool:
    """Tell an ASCII letter or digit; next to other scripts a token ends."""
    return char.isascii() and char.isalnum()


def token(name: str, body: str, take: Take = whole, hint: str = "") -> Rule:
    """
    Make a rule for a token with a shape of its own, which begins at a word's beginning.

    An underscore may stand before it: in chat, `_word_` is italics.
    """
    return Rule(name, rf"(?:\b|_)({body})", take, hint or body)
