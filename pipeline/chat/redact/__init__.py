"""
Replace credentials in chat by `[redacted-secret]`, the span only.

Named rules know the formats of providers; context rules know how people give a password away, in
many languages. Mail and network addresses, telephone numbers and public keys are no credentials,
unless asked for. Signed query strings of Discord's own CDN are another room's work.
"""

from collections.abc import Sequence
from typing import Any

from pipeline.chat.redact.engine import Redactor, Span, cut_out
from pipeline.chat.redact.judge import MARK
from pipeline.chat.redact.mask import mask
from pipeline.chat.redact.rule import Rule
from pipeline.errors import UsageError

__all__ = ["MARK", "Redactor", "Rule", "Span", "compile_rules", "cut_out", "mask"]


def compile_rules(
    extra: Sequence[str] = (), keep: Sequence[str] = (), *, addresses: bool = False
) -> Redactor:
    """
    Give a redactor with the rules of the house, the owner's own and the owner's exceptions.

    `extra` holds patterns in RE2 syntax; a hit is the first group where there is one. `keep` holds
    exact values or patterns that fit a whole value. `addresses` also takes mail and network
    addresses, telephone numbers and public keys. An extra pattern that does not compile, or that
    fits the empty text, is a UsageError.
    """
    from pipeline.chat.redact.rules import ADDRESSES, RULES  # hundreds of patterns: not at import

    own = tuple(
        Rule(f"extra-{number}", _checked("redact.extra", pattern).pattern, plain_as_given)
        for number, pattern in enumerate(extra, 1)
    )
    rules = (*RULES, *(ADDRESSES if addresses else ()), *own)
    return Redactor(rules, frozenset(keep), tuple(p for value in keep if (p := _pattern(value))))


def plain_as_given(_: str, start: int, end: int) -> tuple[int, int] | None:
    """Take what the owner's pattern found, whatever it is."""
    return (start, end) if end > start else None


def _pattern(pattern: str) -> Any:
    """Compile a pattern, or give None where it is none (an exact value may hold any sign)."""
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error:
        return None


def _checked(knob: str, pattern: str) -> Any:
    """Compile an owner's pattern or say why it cannot be taken."""
    compiled = _pattern(pattern)
    if compiled is None:
        raise UsageError(
            f"{knob}: {pattern!r} is no pattern that RE2 takes (it has no look-around and no"
            " back-references); mend or remove it in agent.toml"
        )
    if compiled.search(""):
        raise UsageError(
            f"{knob}: {pattern!r} fits the empty text, so it would hit everywhere; make it longer"
        )
    return compiled
