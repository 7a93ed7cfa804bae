"""
What calls cost: the price list of agent.toml applied to usage.

A price is money for a million tokens. A model without a price costs an unknown sum (null), never
nothing; the models that cost nothing are named in `FREE`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pipeline.models.seam import Usage

FREE = frozenset({"extractive", "scripted"})
MILLION = 1_000_000


class Rates(Protocol):
    """Money for a million tokens of one model, as agent.toml gives it."""

    @property
    def input(self) -> float:
        """Tokens read."""

    @property
    def output(self) -> float:
        """Tokens written, reasoning included."""

    @property
    def cached(self) -> float | None:
        """Tokens read from a cache; null: as input."""

    @property
    def cache_write(self) -> float | None:
        """Tokens written to a cache; null: as input."""

    @property
    def currency(self) -> str:
        """How sums are labelled."""


@dataclass(frozen=True, slots=True)
class Money:
    """A sum in one currency."""

    amount: float
    currency: str

    def __str__(self) -> str:
        digits = 2 if self.amount >= 1 or self.amount == 0 else 4
        return f"{self.currency} {self.amount:.{digits}f}"


@dataclass(frozen=True, slots=True)
class Prices:
    """The price list: rates by the name under which a model is asked for."""

    rates: Mapping[str, Rates]

    def of(self, model: str) -> Rates | None:
        """Give the rates of a model, null where the list has none."""
        return self.rates.get(model)

    def cost(self, model: str, usage: Usage) -> Money | None:
        """
        Price one call, real or planned; null where the model has no price or usage is unknown.

        A plan is priced by a `Usage` of estimates.
        """
        if model in FREE:
            return Money(0.0, self.currency)
        rates = self.of(model)
        if rates is None or usage.input is None or usage.output is None:
            return None
        return Money(price(rates, usage), rates.currency)

    @property
    def currency(self) -> str:
        """The currency of the list, that of its first entry; EUR where it is empty."""
        return next((rates.currency for rates in self.rates.values()), "EUR")


def price(rates: Rates, usage: Usage) -> float:
    """Multiply usage by rates: what was cached or written to a cache is not priced as input too."""
    cached = usage.cached or 0
    written = usage.cache_write or 0
    plain = max((usage.input or 0) - cached - written, 0)
    cached_rate = rates.input if rates.cached is None else rates.cached
    written_rate = rates.input if rates.cache_write is None else rates.cache_write
    sums = (
        plain * rates.input
        + cached * cached_rate
        + written * written_rate
        + (usage.output or 0) * rates.output
    )
    return sums / MILLION
