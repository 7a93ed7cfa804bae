"""Recall and false alarms on a set made at run time, three seeds; held-out kinds on their own."""

import pytest

from pipeline.chat.redact import compile_rules
from pipeline.chat.redact.rules import RULES
from pipeline.testing.secrets_set import (
    LOOKALIKES,
    PHRASES,
    SETTINGS,
    TOKENS,
    lookalikes,
    score,
    secrets,
)

SEEDS = (1, 2, 3)
ALWAYS = (
    "discord bot token",
    "discord mfa token",
    "discord webhook",
    "database url",
    "queue url",
    "basic auth url",
    "file server url",
    "git url",
    "telegram url",
)


@pytest.fixture(scope="module")
def find():
    redactor = compile_rules()
    return lambda text: [(span.start, span.end) for span in redactor.spans(text)]


def shown(cases):
    return [f"{case.kind}: {case.text!r}" for case in cases[:9]]


def test_the_set_is_wide_enough():
    """At least 80 kinds of secrets and 50 of look-alikes, a part of each held out by its name."""
    assert len({*TOKENS, *PHRASES, *SETTINGS}) >= 80
    assert len(LOOKALIKES) >= 50
    for cases in (secrets(1, 1), lookalikes(1, 1)):
        assert 0.2 < sum(case.is_held_out for case in cases) / len(cases) < 0.5


def test_equal_seeds_give_equal_messages_and_other_seeds_others():
    """The set can be made again, and is not one fixed list."""
    assert secrets(5) == secrets(5)
    assert secrets(5) != secrets(6)
    assert lookalikes(5) == lookalikes(5)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("is_held_out", [False, True], ids=["seen", "held out"])
def test_recall_is_at_least_95_percent(find, seed, is_held_out):
    """Every character of at least 95 of 100 secrets is covered, on kinds seen and held out."""
    result = score(find, [c for c in secrets(seed) if c.is_held_out is is_held_out])
    assert result.recall >= 0.95, shown(result.missed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("is_held_out", [False, True], ids=["seen", "held out"])
def test_false_alarms_are_at_most_1_percent(find, seed, is_held_out):
    """At most one look-alike in a hundred has anything covered."""
    result = score(find, [c for c in lookalikes(seed) if c.is_held_out is is_held_out])
    assert result.alarm_rate <= 0.01, shown(result.alarms)


@pytest.mark.parametrize("kind", ALWAYS)
def test_discord_tokens_webhooks_and_passwords_in_addresses_are_always_found(find, kind):
    """These may never be missed: 60 draws of each kind, all found."""
    cases = [case for seed in range(20) for case in secrets(seed) if case.kind == kind]
    result = score(find, cases)
    assert result.secrets == 60
    assert not result.missed, shown(result.missed)


def test_only_the_span_is_covered(find):
    """Beyond the secrets themselves hardly anything is covered, headers of keys set aside."""
    cases = [case for case in secrets(4) if "PRIVATE KEY" not in case.text]
    result = score(find, cases)
    assert result.spilled < len(cases) / 5


def test_the_generator_shares_no_table_with_the_rules():
    """The set imports nothing of the rules, nor they of the set."""
    import pipeline.testing.secrets_set as package

    rooms = [package, *(getattr(package, name) for name in dir(package) if not name[0].isupper())]
    names = {getattr(room, "__module__", "") or getattr(room, "__name__", "") for room in rooms}
    assert not any("chat.redact" in name for name in names)
    assert all(type(rule).__module__ == "pipeline.chat.redact.rule" for rule in RULES)
