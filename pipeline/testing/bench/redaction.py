"""
Redaction against the plain loop: every rule's `re` pattern over every message.

Same rules, same finds. Ours is timed from nothing: compiling the rules and warming the automaton
are part of it. The loop is timed on a part of the corpus, already compiled.
"""

import random
import re
from collections.abc import Iterable, Sequence

from pipeline.chat.redact import MARK, Redactor, Rule
from pipeline.chat.redact.rules import RULES
from pipeline.testing.bench import Row, median_cost
from pipeline.testing.secrets_set import secrets

MESSAGES, LOOPED = 300_000, 3_000
PLANTED = 0.001  # share of messages with a credential
FORTY = 40  # as many as the loop that the bar was taken from
BAR = 40.0

Compiled = list[tuple[Rule, "re.Pattern[str]"]]


def rows() -> Iterable[Row]:
    """Yield the ratio for all rules and for forty of the named ones; raises where finds differ."""
    texts = corpus(MESSAGES)
    yield _figure("redaction, all rules, against the re loop", RULES, texts)
    yield _figure("redaction, 40 named rules, against the re loop", RULES[:FORTY], texts)


def _figure(name: str, rules: tuple[Rule, ...], texts: Sequence[str]) -> Row:
    """Measure one set of rules both ways."""
    compiled = [(rule, re.compile(rule.pattern, re.ASCII)) for rule in rules]
    part = texts[:LOOPED]
    _same_finds(Redactor(rules), compiled, part)
    ours = _megabytes(texts) / median_cost(lambda: list(Redactor(rules).find(texts)))
    peer = _megabytes(part) / median_cost(lambda: [looped(compiled, text) for text in part])
    hits = sum(1 for _ in Redactor(rules).find(texts))
    said = (
        f"{len(rules)} rules, {_megabytes(texts):.0f} MB, {hits:,} of {len(texts):,} messages hit"
    )
    return Row(name, ours, peer, "MB/cpu-s", ours / peer, f"≥ {BAR:g} ×", ours / peer >= BAR, said)


def corpus(messages: int, seed: int = 7) -> list[str]:
    """
    Draw running English of 5 to 60 words a message, a credential in one of a thousand.

    The English is a programmer's manual: "key", "code" and "pass" stand in every fifth message,
    five times as often as in talk.
    """
    dice = random.Random(seed)  # noqa: S311 - a bench, no secret
    words = manual()
    planted = [case.text for case in secrets(seed)]
    texts = []
    for _ in range(messages):
        count = dice.randint(5, 60)
        place = dice.randrange(len(words) - count)
        text = " ".join(words[place : place + count])
        texts.append(f"{text} {dice.choice(planted)}" if dice.random() < PLANTED else text)
    return texts


def manual() -> list[str]:
    """Give Python's own manual word by word, without code."""
    from pydoc_data.topics import topics

    running = " ".join(str(topics[name]) for name in sorted(topics))
    return [word for word in running.split() if re.fullmatch(r"[A-Za-z',.;:?!()-]{1,14}", word)]


def looped(compiled: Compiled, text: str) -> set[tuple[int, int]]:
    """Find with every rule's `re` pattern, one after the other: the peer."""
    found = set()
    for rule, pattern in compiled:
        group = 1 if pattern.groups else 0
        for match in pattern.finditer(text):
            if taken := rule.take(text, *match.span(group)):
                found.add(taken)
    return found


def _megabytes(texts: Sequence[str]) -> float:
    return sum(len(text.encode()) for text in texts) / 1e6


def _same_finds(redactor: Redactor, compiled: Compiled, texts: Sequence[str]) -> None:
    """Hold the two against each other: the same characters covered in the same messages."""
    ours = dict(redactor.find(texts))
    for index, text in enumerate(texts):
        theirs = {at for start, end in looped(compiled, text) for at in range(start, end)}
        mine = {at for span in ours.get(index, ()) for at in range(span.start, span.end)}
        if MARK not in text and not theirs <= mine:
            raise RuntimeError(f"the loop found more than ours in message {index} of the bench")
