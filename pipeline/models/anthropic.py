"""
The Messages API with cache breakpoints, through the official client (extra `anthropic`).

Adjacent messages of one role become blocks side by side. At most four prefixes can be marked for
the cache: of more, the first (head and instruction, which never change) and the newest three
(where the next request will go on) are kept.
"""

import importlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from pipeline.errors import UsageError
from pipeline.models import keys
from pipeline.models.acceptance import part_reasoning
from pipeline.models.calling import FilteredError, Heard, Line, Reply, call
from pipeline.models.failures import MalformedError
from pipeline.models.openai import runs
from pipeline.models.pacing import Clock, Pace
from pipeline.models.seam import Answer, Message, Request, Stop, ToolCall, Usage
from pipeline.models.shapes import count, listing, mapping, text_of, without_surrogates

BASE_URL = "https://api.anthropic.com"
MOST_BREAKPOINTS = 4
OPENING = "(The record begins here.)"  # the first message has to be the user's
STOPS: Mapping[str, Stop] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
    "tool_use": "tool",
}


@dataclass
class Anthropic:
    """Answer through the Messages API; one attempt a request, see `retrying` for more."""

    name: str
    line: Line
    client: Any = field(repr=False)
    reads_material: bool = False

    def answer(self, request: Request) -> Answer:
        """Send one request; raises one of `failures`."""
        asked = [request.system, *(message.text for message in request.messages)]
        try:
            heard = call(self.line, lambda limit: self._send(request, limit), asked)
        except FilteredError as error:
            return Answer(self.name, "", "refusal", "content_filter", reasoning=str(error))
        return read_message(self.line.who, self.name, heard)

    def close(self) -> None:
        """Let go of the connection."""
        self.client.close()

    def _send(self, request: Request, limit: float) -> AbstractContextManager[Reply]:
        # In `extra_body` messages go as they are: the client's own way to look through hundreds of
        # them costs more than everything else about a call; and newer ones name no temperature.
        body: dict[str, Any] = {"messages": lay_out(request)}
        if request.system.strip():
            body["system"] = without_surrogates(request.system)
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.tools:
            body["tools"] = [
                {"name": t.name, "description": t.says, "input_schema": dict(t.arguments)}
                for t in request.tools
            ]
        reply: AbstractContextManager[Reply] = self.client.messages.with_streaming_response.create(
            model=self.name,
            max_tokens=request.max_tokens,
            messages=[],
            extra_body=body,
            timeout=limit,
        )
        return reply


def connect(
    name: str,
    env: Mapping[str, str],
    clock: Clock,
    base_url: str | None = None,
    key_variable: str = "ANTHROPIC_API_KEY",
    pace: Pace | None = None,
) -> Anthropic:
    """Make a client for a model by name; the key is read from the environment given."""
    sdk = load_sdk()
    url = base_url or BASE_URL
    key = keys.find_key(env, key_variable, url)
    client = sdk.Anthropic(api_key=key, base_url=url, max_retries=0)
    return Anthropic(name, Line(keys.host(url), name, sdk, (key,), pace or Pace(), clock), client)


def load_sdk() -> ModuleType:
    """Import the official client, or say how to get it."""
    try:
        return importlib.import_module("anthropic")
    except ModuleNotFoundError:
        raise UsageError(
            "the anthropic client is not installed; run: pip install 'backfold[anthropic]'"
        ) from None


def lay_out(request: Request) -> list[dict[str, Any]]:
    """Write the request as messages of text blocks, with cache marks at kept breakpoints."""
    grouped = runs(request.messages)
    marked = [m for _, texts in grouped for m in texts if m.breakpoint]
    kept = {id(message) for message in keep_breakpoints(marked)}
    messages: list[dict[str, Any]] = []
    if grouped and grouped[0][0] != "user":
        messages.append({"role": "user", "content": [{"type": "text", "text": OPENING}]})
    for role, texts in grouped:
        blocks: list[dict[str, Any]] = []
        for message in texts:
            mark = {"cache_control": {"type": "ephemeral"}} if id(message) in kept else {}
            blocks += [{**block, **mark} for block in lay_out_blocks(message)]
        messages.append({"role": role, "content": blocks})
    return messages


def lay_out_blocks(message: Message) -> Iterator[dict[str, Any]]:
    """Write a message as blocks: its text, what a tool gave, the tools that it wishes for."""
    if message.answers_call is not None:
        said = {"tool_use_id": message.answers_call, "content": message.text}
        yield {"type": "tool_result", **said}
    elif message.text.strip():
        yield {"type": "text", "text": message.text}
    for wish in message.calls:
        named = {"id": wish.call_id, "name": wish.name, "input": dict(wish.arguments)}
        yield {"type": "tool_use", **named}


def keep_breakpoints(marked: Sequence[Message]) -> list[Message]:
    """Keep what the API allows: the first and the newest three."""
    if len(marked) <= MOST_BREAKPOINTS:
        return list(marked)
    return [marked[0], *marked[-(MOST_BREAKPOINTS - 1) :]]


def read_message(who: str, name: str, heard: Heard) -> Answer:
    """Read text, reasoning, stop and usage out of a message, whatever it leaves out."""
    content = heard.body.get("content")
    if not isinstance(content, list | str):
        raise MalformedError(f"{who}: the answer has no content")
    inner, text = part_reasoning(text_of(content, "text"))
    outcome = str(heard.body.get("stop_reason") or "")
    stop = STOPS.get(outcome, "other")
    if any(mapping(block).get("type") == "tool_use" for block in listing(content)):
        stop = "tool"
    thinking = text_of(content, "thinking")
    return Answer(
        model=name,
        text=text,
        stop=stop,
        outcome=outcome,
        reasoning="\n\n".join(part for part in (thinking, inner) if part),
        usage=read_usage(mapping(heard.body.get("usage"))),
        latency_ms=heard.latency_ms,
        calls=tuple(
            ToolCall(
                str(use.get("id") or ""), str(use.get("name") or ""), mapping(use.get("input"))
            )
            for use in map(mapping, listing(content))
            if use.get("type") == "tool_use"
        ),
    )


def read_usage(said: Mapping[str, Any]) -> Usage:
    """Read usage; the API's `input_tokens` leaves out what was cached, ours does not."""
    plain = count(said.get("input_tokens"))
    cached = count(said.get("cache_read_input_tokens"))
    written = count(said.get("cache_creation_input_tokens"))
    details = mapping(said.get("output_tokens_details"))
    return Usage(
        input=None if plain is None else plain + (cached or 0) + (written or 0),
        cached=cached,
        cache_write=written,
        output=count(said.get("output_tokens")),
        reasoning=count(details.get("thinking_tokens")),
    )
