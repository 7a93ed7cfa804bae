"""What a run has spent and may spend, and the word that ends it where that is too much."""

from dataclasses import dataclass

from pipeline.errors import ModelError, Unfinished
from pipeline.models.prices import Prices
from pipeline.models.scripted import guess_usage
from pipeline.models.seam import Answer, Request

FIRST_CALLS = 10  # after so many the plan is held against what was paid
DEARER = 1.3  # times the plan


class HaltError(Unfinished):
    """The run stops here, for a reason that it tells."""


@dataclass(slots=True)
class Purse:
    """What a run has spent, and may spend."""

    prices: Prices
    max_calls: int | None = None
    max_cost: float | None = None
    failures_in_a_row: int = 3
    planned: float | None = None  # money for a call, by the plan
    calls: int = 0
    cost: float = 0.0
    input: int = 0
    cached: int = 0
    output: int = 0
    failed: int = 0
    has_looked: bool = False

    def check(self) -> None:
        """Stop before a call that the limits do not allow."""
        if self.max_calls is not None and self.calls >= self.max_calls:
            raise HaltError(f"max_calls = {self.max_calls} is reached; raise it to go on")
        if self.max_cost is not None and self.cost >= self.max_cost:
            raise HaltError(
                f"max_cost = {self.max_cost} is reached ({self.cost:.4f} spent); raise it to go on"
            )

    def left(self, wanted: int) -> int:
        """Say how many of some calls the limits still allow at once."""
        if self.max_cost is not None and self.cost >= self.max_cost:
            return 0
        return wanted if self.max_calls is None else min(wanted, self.max_calls - self.calls)

    def pay(self, request: Request, answer: Answer) -> float | None:
        """
        Count a call; gives its price, null where it is not known.

        Where the server did not say what it used, a guess counts against `max_cost`.
        """
        used = answer.usage
        self.calls += 1
        self.failed = 0
        self.input += used.input or 0
        self.cached += used.cached or 0
        self.output += used.output or 0
        money = self.prices.cost(request.model, used)
        counted = money or self.prices.cost(request.model, guess_usage(request, answer.text))
        self.cost += counted.amount if counted else 0.0
        return money.amount if money else None

    def look_again(self) -> None:
        """After the first ten calls, hold what they cost against the plan."""
        if self.has_looked or self.calls < FIRST_CALLS:
            return
        self.has_looked = True
        each = self.cost / self.calls
        if self.planned and each > DEARER * self.planned:
            raise HaltError(
                f"{self.calls} calls cost {each:.4f} each where the plan said "
                f"{self.planned:.4f}, more than {DEARER} times; look at reports/warmup.md, run "
                f"again to go on"
            )

    def fail(self, error: ModelError) -> None:
        """Count a request that got no answer; too many in a row stop the run."""
        self.failed += 1
        if self.failed >= self.failures_in_a_row:
            raise HaltError(
                f"{self.failed} requests in a row got no answer, the last: {error}; run again "
                f"when the server answers"
            )
