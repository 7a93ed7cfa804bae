"""A model that remembers: each answer is on disk before anybody sees it, and is asked for once."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from pipeline.errors import Unfinished
from pipeline.memory.calls import answered, recall
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import Call
from pipeline.models.prices import Prices
from pipeline.models.seam import Answer, Model, Request


@dataclass(slots=True)
class Journal:
    """A model whose calls stand in the pyramid's `calls`; the same method as the one it wraps."""

    model: Model
    pyramid: Pyramid
    prices: Prices
    now: Callable[[], datetime]
    max_calls: int | None = None
    max_cost: float | None = None
    sent: int = 0
    spent: float = 0.0

    @property
    def name(self) -> str:
        """The name of the model that answers."""
        return self.model.name

    @property
    def reads_material(self) -> bool:
        """As the model that answers."""
        return self.model.reads_material

    def answer(self, request: Request) -> Answer:
        """Give the answer on record, or ask, write it down, and give it."""
        if known := self.pyramid.answered(request.digest):
            return recall(known)
        if self.max_calls is not None and self.sent >= self.max_calls:
            raise OutOfBudgetError(f"max_calls {self.max_calls} is reached")
        if self.max_cost is not None and self.spent >= self.max_cost:
            raise OutOfBudgetError(f"max_cost {self.max_cost} is reached")
        asked_at = self.now()
        answer = self.model.answer(request)
        self.sent += 1
        cost = self.prices.cost(self.name, answer.usage)
        self.spent += cost.amount if cost else 0.0
        call = Call(
            request_digest=request.digest,
            purpose="probe",
            target="",
            level=0,
            model=self.name,
            asked_at=asked_at,
            outcome="accepted",
        )
        amount = cost.amount if cost else None
        self.pyramid.note_call(answered(call, answer, amount, self.prices.currency))
        return answer


class OutOfBudgetError(Unfinished):
    """What the owner allows to be spent is spent; what was answered stays on record."""
