"""What calls cost, and that an unknown price is never nothing."""

import pytest

from pipeline.config import Price
from pipeline.models.prices import Money, Prices, price
from pipeline.models.seam import Usage

LIST = Prices({"big": Price(input=3.0, output=15.0, cached=0.3, cache_write=3.75, currency="USD")})


def test_each_kind_of_token_has_its_own_price():
    """A million tokens: half cached, a tenth written to the cache, the rest plain."""
    usage = Usage(input=1_000_000, cached=500_000, cache_write=100_000, output=10_000)
    assert LIST.cost("big", usage) == Money(
        pytest.approx(0.4 * 3 + 0.5 * 0.3 + 0.1 * 3.75 + 0.15), "USD"
    )


def test_without_a_cache_price_cached_tokens_cost_as_input():
    """A list that says nothing of caching must not make it free."""
    plain = Price(input=2.0, output=0.0)
    usage = Usage(input=1_000_000, cached=400_000, cache_write=100_000, output=0)
    assert price(plain, usage) == pytest.approx(2.0)


def test_a_model_without_a_price_has_an_unknown_cost():
    """Null, so that nobody takes it for free."""
    assert LIST.cost("other", Usage(input=1, output=1)) is None


def test_usage_that_the_server_did_not_say_has_an_unknown_cost():
    """A server that hides its counts does not make a call free."""
    assert LIST.cost("big", Usage()) is None


def test_the_embedded_model_costs_nothing_in_the_currency_of_the_list():
    """So that sums over models need no special case."""
    assert LIST.cost("extractive", Usage()) == Money(0.0, "USD")


@pytest.mark.parametrize(
    ("amount", "said"), [(0.0, "EUR 0.00"), (0.0012, "EUR 0.0012"), (12.3, "EUR 12.30")]
)
def test_money_is_told_with_enough_digits(amount, said):
    """Small sums would otherwise read as nothing."""
    assert str(Money(amount, "EUR")) == said
