"""A model that remembers: each answer is on disk before anybody sees it, and is asked for once."""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime

from pipeline.errors import ModelError
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import Call
from pipeline.models.prices import Prices
from pipeline.models.seam import Answer, Model, Request, Stop, ToolCall, Usage

STOPS: dict[str, Stop] = {stop: stop for stop in ("end", "length", "refusal", "tool", "other")}


@dataclass(slots=True)
class Journal:
    """
    A model whose calls stand in the pyramid's `calls`; the same method as the model it wraps.

    An answer that wishes for tools is kept as JSON in the call's text.
    """

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
            return recalled(known)
        if self.max_calls is not None and self.sent >= self.max_calls:
            raise OutOfBudgetError(f"max_calls {self.max_calls} is reached")
        if self.max_cost is not None and self.spent >= self.max_cost:
            raise OutOfBudgetError(f"max_cost {self.max_cost} is reached")
        asked_at = self.now()
        answer = self.model.answer(request)
        self.sent += 1
        cost = self.prices.cost(self.name, answer.usage)
        self.spent += cost.amount if cost else 0.0
        self.pyramid.note_call(
            Call(
                request_digest=request.digest,
                purpose="probe",
                target="",
                level=0,
                model=self.name,
                asked_at=asked_at,
                outcome="accepted",
                attempt=answer.attempts,
                latency_ms=answer.latency_ms,
                stop_reason=answer.stop,
                text=kept(answer),
                reasoning=answer.reasoning,
                input_tokens=answer.usage.input,
                cached_tokens=answer.usage.cached,
                cache_write_tokens=answer.usage.cache_write,
                output_tokens=answer.usage.output,
                reasoning_tokens=answer.usage.reasoning,
                cost=cost.amount if cost else None,
                currency=cost.currency if cost else None,
            )
        )
        return answer


class OutOfBudgetError(ModelError):
    """What the owner allows to be spent is spent; what was answered stays on record."""


def kept(answer: Answer) -> str:
    """Give the text to keep: the answer's own, or its wishes beside it as JSON."""
    if not answer.calls:
        return answer.text
    calls = [asdict(call) for call in answer.calls]
    return json.dumps({"text": answer.text, "calls": calls}, ensure_ascii=False)


def recalled(call: Call) -> Answer:
    """Give an answer back from its record."""
    text = call.text
    calls: tuple[ToolCall, ...] = ()
    if call.stop_reason == "tool" and text.startswith("{"):
        held = json.loads(text)
        text, calls = held["text"], tuple(ToolCall(**entry) for entry in held["calls"])
    return Answer(
        call.model, text, STOPS.get(call.stop_reason or "", "other"), reasoning=call.reasoning,
        usage=Usage(call.input_tokens, call.cached_tokens, call.cache_write_tokens,
                    call.output_tokens, call.reasoning_tokens),
        latency_ms=call.latency_ms, calls=calls,
    )  # fmt: skip
