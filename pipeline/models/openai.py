"""
Any OpenAI-compatible chat endpoint, through the official client.

Adjacent messages of one role are joined by a line break, since some servers insist that roles
alternate. Breakpoints are not sent: these servers cache prefixes by themselves.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from pipeline.models import keys
from pipeline.models.acceptance import part_reasoning
from pipeline.models.calling import FilteredError, Heard, Line, Reply, call
from pipeline.models.failures import BadRequestError, MalformedError
from pipeline.models.pacing import Clock, Pace
from pipeline.models.seam import Answer, Message, Request, Stop, Tool, ToolCall, Usage
from pipeline.models.shapes import count, listing, mapping, text_of, without_surrogates

BASE_URL = "https://api.openai.com/v1"
STOPS: Mapping[str, Stop] = {
    "stop": "end",
    "length": "length",
    "content_filter": "refusal",
    "tool_calls": "tool",
    "function_call": "tool",
}


@dataclass
class OpenAI:
    """Answer through chat completions; one attempt a request, see `retrying` for more."""

    name: str
    line: Line
    client: Any = field(repr=False)
    limit_field: str = "max_tokens"  # OpenAI's own newer models know only max_completion_tokens
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    reads_material: bool = False

    def answer(self, request: Request) -> Answer:
        """Send one request; raises one of `failures`."""
        asked = [request.system, *(message.text for message in request.messages)]
        try:
            heard = call(self.line, lambda limit: self._send(request, limit), asked)
        except FilteredError as error:
            return Answer(self.name, "", "refusal", "content_filter", reasoning=str(error))
        except BadRequestError as error:
            if self.limit_field == "max_tokens" and "max_completion_tokens" in str(error):
                self.limit_field = "max_completion_tokens"
                return self.answer(request)
            raise
        return read_completion(self.line.who, self.name, heard)

    def close(self) -> None:
        """Let go of the connection."""
        self.client.close()

    def _send(self, request: Request, limit: float) -> AbstractContextManager[Reply]:
        # In `extra_body` they go as they are: the client's own way to look through hundreds of
        # messages costs far more than everything else about a call.
        body: dict[str, Any] = {"messages": lay_out(request), self.limit_field: request.max_tokens}
        if request.temperature is not None:
            body["temperature"] = request.temperature
        if request.tools:
            body["tools"] = [lay_out_tool(tool) for tool in request.tools]
        reply: AbstractContextManager[Reply] = (
            self.client.chat.completions.with_streaming_response.create(
                model=self.name,
                messages=[],
                extra_body=body | dict(self.extra_body),
                timeout=limit,
            )
        )
        return reply


def connect(
    name: str,
    env: Mapping[str, str],
    clock: Clock,
    base_url: str | None = None,
    key_variable: str = "OPENAI_API_KEY",
    pace: Pace | None = None,
) -> OpenAI:
    """Make a client for a model by name; the key is read from the environment given."""
    import openai

    url = base_url or BASE_URL
    key = keys.find_key(env, key_variable, url)
    client = openai.OpenAI(api_key=key, base_url=url, max_retries=0)
    line = Line(keys.host(url), name, openai, (key,), pace or Pace(), clock)
    field_name = "max_completion_tokens" if url == BASE_URL else "max_tokens"
    return OpenAI(name, line, client, field_name)


def lay_out(request: Request) -> list[dict[str, Any]]:
    """Write the request as chat messages: system first if any, adjacent roles joined."""
    system = [{"role": "system", "content": without_surrogates(request.system)}]
    messages: list[dict[str, Any]] = system if request.system.strip() else []
    for role, texts in runs(request.messages):
        for is_plain, some in groupby(texts, key=lambda message: message.is_plain):
            if is_plain:
                messages.append({"role": role, "content": "\n".join(m.text for m in some)})
            else:
                messages += map(lay_out_use, some)
    return messages


def lay_out_use(message: Message) -> dict[str, Any]:
    """Write a message that wishes for tools, or one that brings what a tool gave."""
    if message.answers_call is not None:
        return {"role": "tool", "tool_call_id": message.answers_call, "content": message.text}
    calls = [
        {
            "id": call.call_id,
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments))},
        }
        for call in message.calls
    ]
    return {"role": message.role, "content": message.text or None, "tool_calls": calls}


def lay_out_tool(tool: Tool) -> dict[str, Any]:
    """Write a tool as a function that may be called."""
    said = {"name": tool.name, "description": tool.says, "parameters": dict(tool.arguments)}
    return {"type": "function", "function": said}


def runs(messages: tuple[Message, ...]) -> list[tuple[str, list[Message]]]:
    """Group adjacent messages of one role; blank ones are left out, surrogates mended."""
    grouped: list[tuple[str, list[Message]]] = []
    for message in messages:
        if message.is_plain and not message.text.strip():
            continue
        whole = replace(message, text=without_surrogates(message.text))
        if grouped and grouped[-1][0] == whole.role:
            grouped[-1][1].append(whole)
        else:
            grouped.append((whole.role, [whole]))
    return grouped


def read_completion(who: str, name: str, heard: Heard) -> Answer:
    """Read text, reasoning, stop and usage out of a chat completion, whatever it leaves out."""
    choices = listing(heard.body.get("choices"))
    if not choices or not isinstance(choices[0], dict):
        raise MalformedError(f"{who}: the answer has no choices")
    choice: Mapping[str, Any] = choices[0]
    message = mapping(choice.get("message"))
    inner, text = part_reasoning(text_of(message.get("content"), "text"))
    outcome = str(choice.get("finish_reason") or "")
    stop = STOPS.get(outcome, "other")
    if message.get("refusal"):
        stop, text = "refusal", text or str(message["refusal"])
    elif listing(message.get("tool_calls")) or message.get("function_call"):
        stop = "tool"
    told = (
        text_of(message.get("reasoning_content"), "text"),
        text_of(message.get("reasoning"), "text"),
        text_of(message.get("content"), "thinking"),
        inner,
    )
    return Answer(
        model=name,
        text=text,
        stop=stop,
        outcome=outcome,
        reasoning="\n\n".join(dict.fromkeys(part for part in told if part)),
        usage=read_usage(mapping(heard.body.get("usage"))),
        latency_ms=heard.latency_ms,
        calls=tuple(read_calls(listing(message.get("tool_calls")))),
    )


def read_calls(said: Sequence[Any]) -> Iterator[ToolCall]:
    """Read the tools that are wished for; arguments that are no JSON object are none."""
    for entry in map(mapping, said):
        function = mapping(entry.get("function"))
        try:
            arguments = json.loads(str(function.get("arguments") or "{}"))
        except ValueError:
            arguments = {}
        name, call_id = str(function.get("name") or ""), str(entry.get("id") or "")
        yield ToolCall(call_id, name, arguments if isinstance(arguments, dict) else {})


def read_usage(said: Mapping[str, Any]) -> Usage:
    """Read usage as OpenAI, DeepSeek and llama.cpp write it; null where nothing is said."""
    cached = count(mapping(said.get("prompt_tokens_details")).get("cached_tokens"))
    return Usage(
        input=count(said.get("prompt_tokens")),
        cached=count(said.get("prompt_cache_hit_tokens")) if cached is None else cached,
        cache_write=count(mapping(said.get("prompt_tokens_details")).get("cache_write_tokens")),
        output=count(said.get("completion_tokens")),
        reasoning=count(mapping(said.get("completion_tokens_details")).get("reasoning_tokens")),
    )
