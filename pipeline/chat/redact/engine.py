"""
Find secrets in messages, fast where there are none and exactly where there are.

RE2 sets read each message and name the rules that may hit, in time linear in the message, whatever
it holds. Only those rules then run, and their Python checks decide.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter, itemgetter
from typing import Any

from pipeline.chat.redact.judge import MARK
from pipeline.chat.redact.rule import COUNTING, Rule

SET_MEMORY = 256 << 20  # room for the automaton's states; it takes what it needs, a few MB on chat
COUNTED = 40  # bytes; no counting hint fits into less
ROUNDS = 8  # how often redacted text is read again; two are enough for anything but an attack
REACH = 400  # characters looked at for that
WIDTH = 80  # characters shown on each side of a secret, at most


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Characters `[start, end)` of a message that are secret, and the rule that says so."""

    start: int
    end: int
    rule: str


@dataclass(frozen=True)
class Redactor:
    """Rules compiled together, and what the owner says is no secret."""

    rules: tuple[Rule, ...]
    kept_values: frozenset[str] = frozenset()
    kept_patterns: tuple[Any, ...] = ()

    @cached_property
    def _patterns(self) -> list[Any]:
        import re2

        options = re2.Options()
        options.log_errors = False
        return [re2.compile(rule.pattern.encode(), options) for rule in self.rules]

    @cached_property
    def _needs(self) -> list["re.Pattern[str] | None"]:
        return [re.compile(rule.needs) if rule.needs else None for rule in self.rules]

    @cached_property
    def _sets(self) -> tuple["_Hints", "_Hints"]:
        """The set of hints, and the small one of those that count."""
        hints: dict[str, list[int]] = {}
        for number, rule in enumerate(self.rules):
            hints.setdefault(rule.hint or rule.pattern, []).append(number)
        counting = {hint: numbers for hint, numbers in hints.items() if hint in COUNTING}
        others = {hint: numbers for hint, numbers in hints.items() if hint not in COUNTING}
        return _hints(others), _hints(counting)

    def _noticed(self, data: bytes) -> list[int]:
        """Give the numbers of the rules that may hit."""
        first, second = self._sets
        return first.rules(first.match(data)) + second.rules(second.match(data))

    def spans(self, text: str) -> list[Span]:
        """
        Give the secrets of a message, in order, none touching another.

        Where hits overlap, one span covers them, named after the longest. Redacting the result once
        more finds nothing: what only shows up beside a redaction is found here already.
        """
        return self._settled(text, self._noticed(_encoded(text)))

    def find(self, texts: Iterable[str | None]) -> Iterator[tuple[int, list[Span]]]:
        """Give number and secrets of each message that holds any; null and clean ones give none."""
        first, second = self._sets
        one, two = first.match, second.match
        for index, text in enumerate(texts):
            if not text:
                continue
            data = text.encode("utf-8", "replace")
            fits, counted = one(data), (two(data) if len(data) >= COUNTED else None)
            if fits or counted:
                hits = first.rules(fits) + second.rules(counted)
                if found := self._settled(text, hits):
                    yield index, found

    def redact(self, text: str) -> str:
        """Give the message with every secret replaced by the mark."""
        return cut_out(text, self.spans(text))

    def around(
        self, text: str, span: Span, words: int = 5, *, spans: Sequence[Span] | None = None
    ) -> tuple[str, str]:
        """
        Give up to `words` words before and after a secret, any other secret in them redacted too.

        `spans` are those of the text, where they are known already. Each side has at most 80
        characters.
        """
        others = self.spans(text) if spans is None else spans
        left = _shown_before(text, span, others).split()[-words:] if words else []
        right = _shown_behind(text, span, others).split()[:words]
        return _clipped(" ".join(left), -WIDTH), _clipped(" ".join(right), WIDTH)

    def _settled(self, text: str, hits: Sequence[int]) -> list[Span]:
        """Find spans, then look at the redacted text until it holds nothing new."""
        found: list[Span] = []
        shown = text
        for _ in range(ROUNDS):
            fresh = self._raw_spans(shown, hits)
            if not fresh:
                break
            found = _joined([*found, *_back(fresh, found)])
            shown = cut_out(text, found)
            hits = self._noticed(_encoded(shown))
        return found

    def _raw_spans(self, text: str, hits: Sequence[int]) -> list[Span]:
        """Run the rules that may hit; what they find outside of marks counts."""
        data = _encoded(text)
        spans: list[Span] = []
        for number in sorted(hits):  # where two take the same, the named one names it
            needed = self._needs[number]
            if needed and not needed.search(text):
                continue
            rule = self.rules[number]
            for start, end in _bounds(
                self._patterns[number], data, is_ascii=len(data) == len(text)
            ):
                taken = rule.take(text, start, end)
                if taken and not self._is_kept(text[taken[0] : taken[1]]):
                    spans.append(Span(*taken, rule.name))
        if not spans:
            return spans
        marks = _marks(text)
        return _joined([piece for span in spans for piece in _outside(span, marks)])

    def _is_kept(self, value: str) -> bool:
        """Tell whether the owner named this value as no secret, with or without a closing sign."""
        bare = value.rstrip("!?.,")
        if value in self.kept_values or bare in self.kept_values:
            return True
        written, short = _encoded(value), _encoded(bare)
        return any(p.fullmatch(written) or p.fullmatch(short) for p in self.kept_patterns)


@dataclass(frozen=True, slots=True)
class _Hints:
    """A compiled set: `match` gives the hints that fit, `rules` the rules behind them."""

    match: Callable[[bytes], list[int] | None]
    numbers: list[list[int]]

    def rules(self, fits: list[int] | None) -> list[int]:
        """Name the rules behind hints."""
        return [number for fit in fits for number in self.numbers[fit]] if fits else []


def _hints(hints: Mapping[str, list[int]]) -> _Hints:
    """Compile hints into one set."""
    import re2

    options = re2.Options()
    options.max_mem = SET_MEMORY
    options.log_errors = False
    patterns = re2.Set.SearchSet(options)
    for hint in hints:
        patterns.Add(hint)
    patterns.Compile()
    return _Hints(patterns.Match, list(hints.values()))


def _encoded(text: str) -> bytes:
    """Encode; a lone surrogate becomes one question mark, so that characters still count alike."""
    return text.encode("utf-8", "replace")


def _bounds(pattern: Any, data: bytes, *, is_ascii: bool) -> Iterator[tuple[int, int]]:
    """Give the bounds, in characters, of each match's first group, or of the match, in order."""
    group = 1 if pattern.groups else 0
    at_byte = at_char = 0
    for match in pattern.finditer(data):
        start, end = match.span(group)
        if is_ascii:
            yield start, end
        elif start >= 0:
            at_char += len(data[at_byte:start].decode("utf-8"))
            at_byte = start
            yield at_char, at_char + len(data[start:end].decode("utf-8"))


def _marks(text: str) -> list[tuple[int, int]]:
    """Give the bounds of every redaction mark that already stands in a text."""
    marks, at = [], text.find(MARK)
    while at >= 0:
        marks.append((at, at + len(MARK)))
        at = text.find(MARK, at + len(MARK))
    return marks


def _outside(span: Span, marks: Sequence[tuple[int, int]]) -> Iterator[Span]:
    """Give what of a span lies outside of marks, if it is more than a sign or two."""
    at = span.start
    first = bisect_right(marks, at, key=itemgetter(1))  # marks may be as many as spans
    for number in range(first, len(marks)):
        start, end = marks[number]
        if start >= span.end:
            break
        if start - at >= 3:
            yield Span(at, start, span.rule)
        at = max(at, end)
    if span.end - at >= (3 if at > span.start else 1):
        yield Span(at, span.end, span.rule)


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Join spans that overlap or touch into one, named after the longest of them."""
    joined: list[Span] = []
    longest = 0
    for span in sorted(spans, key=lambda s: (s.start, -s.end)):
        if joined and span.start <= joined[-1].end:
            last = joined[-1]
            length = span.end - span.start
            name = span.rule if length > longest else last.rule
            longest = max(longest, length)
            joined[-1] = Span(last.start, max(last.end, span.end), name)
        else:
            joined.append(span)
            longest = span.end - span.start
    return joined


def _back(fresh: Sequence[Span], found: Sequence[Span]) -> Iterator[Span]:
    """Give the places in the original text of spans in the redacted one (they touch no mark)."""
    shift = at = 0
    for span in fresh:
        while at < len(found) and found[at].start + shift < span.end:
            shift += len(MARK) - (found[at].end - found[at].start)
            at += 1
        yield Span(span.start - shift, span.end - shift, span.rule)


def _shown_before(text: str, span: Span, others: Sequence[Span]) -> str:
    """Give the last of what is shown before a secret: never the whole, which may be long."""
    pieces: list[str] = []
    end, left = span.start, REACH
    number = bisect_right(others, span.start, key=attrgetter("end"))
    while left > 0:
        number -= 1
        start = others[number].end if number >= 0 else 0
        pieces.append(text[max(start, end - left) : end])
        left -= end - start
        if number < 0:
            break
        if left > 0:
            pieces.append(MARK)
            left -= len(MARK)
            end = others[number].start
    return "".join(reversed(pieces))


def _shown_behind(text: str, span: Span, others: Sequence[Span]) -> str:
    """Give the first of what is shown behind a secret."""
    pieces: list[str] = []
    start, left = span.end, REACH
    number = bisect_left(others, span.end, key=attrgetter("start"))
    while left > 0:
        end = others[number].start if number < len(others) else len(text)
        pieces.append(text[start : min(end, start + left)])
        left -= end - start
        if number >= len(others):
            break
        if left > 0:
            pieces.append(MARK)
            left -= len(MARK)
            start = others[number].end
            number += 1
    return "".join(pieces)


def cut_out(text: str, spans: Sequence[Span]) -> str:
    """Replace each span by the mark."""
    pieces, at = [], 0
    for span in spans:
        pieces += [text[at : span.start], MARK]
        at = span.end
    return "".join([*pieces, text[at:]])


def _clipped(text: str, width: int) -> str:
    """Cut a line to its last (negative width) or first characters."""
    if len(text) <= abs(width):
        return text
    return "…" + text[width + 1 :] if width < 0 else text[: width - 1] + "…"
