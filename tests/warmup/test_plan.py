"""The plan of a warmup in words: calls, tokens, money, minutes, and who reads whose talk."""

from types import SimpleNamespace

from pipeline.models.prices import Prices
from stages.warmup.planning import Plan, Told, spell_plan
from stages.warmup.telling import Spent, against

PLAN = Plan(mints=60, merges=11, input=1_000_000, cached=700_000, output=40_000, levels={1: 60})
RATES = SimpleNamespace(input=1.0, output=10.0, cached=0.1, cache_write=None, currency="EUR")
PRICES = Prices({"m": RATES})


def told(**more):
    """Give what else a plan says."""
    facts = {
        "model": "m", "reader": "api.example.org", "is_free": False, "dms": 3,
        "private_rooms": 2, "people": 22, "exact_ratio": 0.5,
    }  # fmt: skip
    return Told(**facts | more)


def said(**more):
    """Give the plan as one text."""
    return "\n".join(spell_plan(PLAN, PRICES, told(**more)))


def test_tokens_are_those_of_a_real_tokenizer():
    """Half of what the ruler counts; the ratio stands beside it."""
    assert "about 500,000 tokens in (0.50 × the ruler), 70% of them from a cache" in said()
    assert "by the ruler, no tokenizer at hand" in said(exact_ratio=None)


def test_a_ruler_that_counts_too_little_is_warned_of():
    """Above 1.5, budgets hold less than they say."""
    assert "warning" not in said(exact_ratio=1.5)
    assert "warning: a real tokenizer counts 1.51 times" in said(exact_ratio=1.51)


def test_money_is_told_with_a_cache_and_without():
    """0.15 + 0.035 + 0.2, and 0.5 + 0.2."""
    assert "about EUR 0.3850, at most EUR 0.7000 without any caching" in said()


def test_it_says_who_reads_whose_talk_and_how_to_leave_some_out():
    """Host, DMs, private rooms, people."""
    assert (
        "api.example.org will read the talk: 3 DMs, 2 private rooms, the words of 22 people; "
        "rooms that it shall not read belong into [scope] leave_out_channels"
    ) in said()
    assert "the talk stays on this machine: 3 DMs" in said(reader=None)


def test_minutes_are_told_one_by_one_and_side_by_side():
    """71 answers of 20 seconds; waves of six take less than half."""
    assert "about 24 minutes one by one, 10 at parallel = 6" in said()


def test_a_free_model_is_told_in_two_lines():
    """Nothing to pay, nobody reads."""
    assert len(said(is_free=True).splitlines()) == 2


def test_the_report_holds_the_plans_share_against_what_was_used():
    """Half of the memories were made, for half of the plan's money and a tenth more tokens."""
    made = [None] * 35 + [None]
    rows = list(against(PLAN, told(), PRICES, made, Spent(36, 280_000, 0, 20_000, 0.48, "EUR")))
    assert rows[2].startswith("| tokens in | 253,521 | 280,000 | 110% |")
    assert rows[3].endswith("| 0 | 0% |")
