"""A model's answer as it is kept in the record of calls, and back again."""

import json
from dataclasses import asdict, replace

from pipeline.memory.records import Call
from pipeline.models.seam import Answer, Stop, ToolCall, Usage

STOPS: dict[str, Stop] = {stop: stop for stop in ("end", "length", "refusal", "tool", "other")}


def answered(call: Call, answer: Answer, cost: float | None, currency: str) -> Call:
    """
    Give a call with what came back; `cost` is null where it is not known.

    An answer that wishes for tools is kept as JSON in the call's text.
    """
    used = answer.usage
    return replace(
        call,
        attempt=answer.attempts,
        latency_ms=answer.latency_ms,
        stop_reason=answer.stop,
        text=_kept(answer),
        reasoning=answer.reasoning,
        input_tokens=used.input,
        cached_tokens=used.cached,
        cache_write_tokens=used.cache_write,
        output_tokens=used.output,
        reasoning_tokens=used.reasoning,
        cost=cost,
        currency=None if cost is None else currency,
    )


def recall(call: Call) -> Answer:
    """Give the answer that a call on record got."""
    text = call.text
    calls: tuple[ToolCall, ...] = ()
    if call.stop_reason == "tool" and text.startswith('{"text":'):
        held = json.loads(text)
        text, calls = held["text"], tuple(ToolCall(**entry) for entry in held["calls"])
    return Answer(
        model=call.model,
        text=text,
        stop=STOPS.get(call.stop_reason or "", "other"),
        reasoning=call.reasoning,
        usage=Usage(
            call.input_tokens,
            call.cached_tokens,
            call.cache_write_tokens,
            call.output_tokens,
            call.reasoning_tokens,
        ),
        latency_ms=call.latency_ms,
        attempts=call.attempt,
        calls=calls,
    )


def _kept(answer: Answer) -> str:
    if not answer.calls:
        return answer.text
    calls = [asdict(call) for call in answer.calls]
    return json.dumps({"text": answer.text, "calls": calls}, ensure_ascii=False)
