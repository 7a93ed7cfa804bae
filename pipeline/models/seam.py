"""
The one seam to whoever writes memories: a request goes in, an answer comes out.

Both are values. A request is named by its content (`digest`): what is stored under that name is
never asked for again. Whether an answer is fit to become a memory is judged in `acceptance`;
what can go wrong on the way is drawn in `failures`.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from pipeline.models.material import Material

Role = Literal["user", "assistant"]
Stop = Literal["end", "length", "refusal", "tool", "other"]


@dataclass(frozen=True, slots=True)
class Tool:
    """Something that a model may ask for: its name, its use, its arguments as JSON schema."""

    name: str
    says: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One wish of a model to use a tool; `call_id` is the server's name for it."""

    call_id: str
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Message:
    """
    One message of a request; `breakpoint` marks the end of a prefix worth caching.

    `calls` are the tools that the assistant wished for in it; a user's message that brings what
    a tool gave names the call in `answers_call`.
    """

    role: Role
    text: str
    breakpoint: bool = False
    calls: tuple[ToolCall, ...] = ()
    answers_call: str | None = None

    @property
    def is_plain(self) -> bool:
        """Whether it is text and nothing else."""
        return not self.calls and self.answers_call is None

    def content(self) -> list[Any]:
        """Give the message as JSON values, for a digest; plain ones are role and text."""
        if self.is_plain:
            return [self.role, self.text]
        calls = [[call.call_id, call.name, dict(call.arguments)] for call in self.calls]
        return [self.role, self.text, calls, self.answers_call]


@dataclass(frozen=True, slots=True)
class Request:
    """
    A question as it goes to a model; equal questions have equal digests.

    `material` is what a model reads that quotes instead of writing (`reads_material`); a request
    to any other model carries none, so that its digest names exactly what is sent and paid.
    `extra` is whatever else changes the answer (take, language, prompt version). Breakpoints
    only steer a cache and are no part of the digest.
    """

    model: str
    system: str
    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float | None = None
    extra: Mapping[str, str] = field(default_factory=dict)
    material: Material | None = None
    tools: tuple[Tool, ...] = ()

    @property
    def digest(self) -> str:
        """Name this request by its content: sha256 of its canonical JSON, in hex."""
        content = {
            "model": self.model,
            "system": self.system,
            "messages": [m.content() for m in self.messages],
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            "extra": dict(self.extra),
            "material": self.material.content() if self.material else None,
        }
        if self.tools:
            content["tools"] = [[t.name, t.says, dict(t.arguments)] for t in self.tools]
        return hashlib.sha256(canonical(content)).hexdigest()


@dataclass(frozen=True, slots=True)
class Usage:
    """
    Tokens of one call as the server counted them; null where it did not say.

    `input` is the whole prompt, tokens read from a cache and written to it included;
    `output` is everything generated, reasoning included.
    """

    input: int | None = None
    cached: int | None = None
    cache_write: int | None = None
    output: int | None = None
    reasoning: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """
    What came back: `text` without any reasoning, why it stopped, what it used.

    `model` is the name that was asked for; `outcome` is the stop reason in the server's own
    word; `attempts` counts the requests that were sent for it. `calls` are the tools that the
    model wishes to use before it answers (`stop` is then `tool`).
    """

    model: str
    text: str
    stop: Stop = "end"
    outcome: str = ""
    reasoning: str = ""
    usage: Usage = Usage()
    latency_ms: int = 0
    attempts: int = 1
    calls: tuple[ToolCall, ...] = ()


class Model(Protocol):
    """Whoever answers: a client of a server, the extractive model, a script, or a wrapper."""

    @property
    def name(self) -> str:
        """The name by which the model is asked for."""

    @property
    def reads_material(self) -> bool:
        """Whether it answers from `material` and not from the messages."""

    def answer(self, request: Request) -> Answer:
        """Answer one request, or raise one of `failures`."""


def for_model(model: Model, request: Request) -> Request:
    """Fit a request to a model: its name, and material only if the model reads it."""
    material = request.material if model.reads_material else None
    return replace(request, model=model.name, material=material)


def canonical(content: Any) -> bytes:
    """Write JSON of which equal content has equal bytes; a lone surrogate stays an escape."""
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
