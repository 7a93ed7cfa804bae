"""The two protocols: what a request says, and how an answer to it is written."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pipeline.testing.prefixcache import tokens_in

Protocol = Literal["openai", "anthropic"]
Piece = tuple[str, bool]  # text of one block, and whether a cache mark stands on it


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as the double understood it; `pieces` are all texts in order, system first."""

    protocol: Protocol
    model: str
    pieces: tuple[Piece, ...]
    roles: tuple[str, ...]
    max_tokens: int
    body: Mapping[str, Any] = field(repr=False)
    cached: int = 0
    written: int = 0

    @property
    def prompt(self) -> str:
        """The whole prompt as one text: what a cache compares."""
        return "\0".join(text for text, _ in self.pieces)

    @property
    def digest(self) -> str:
        """Name the prompt by its content, in hex."""
        return hashlib.sha256(self.prompt.encode(errors="replace")).hexdigest()

    @property
    def tokens(self) -> int:
        """Tokens of the prompt."""
        return tokens_in(sum(len(text) for text, _ in self.pieces))


@dataclass(frozen=True, slots=True)
class Wish:
    """A tool that the answer asks for, with its arguments."""

    name: str = "lookup"
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """An answer before it is written down in a protocol."""

    text: str
    stop: Literal["end", "length", "refusal", "tool"] = "end"
    reasoning: str = ""
    with_usage: bool = True
    wish: Wish = Wish()


OPENAI_STOPS = {
    "end": "stop",
    "length": "length",
    "refusal": "content_filter",
    "tool": "tool_calls",
}
ANTHROPIC_STOPS = {
    "end": "end_turn",
    "length": "max_tokens",
    "refusal": "refusal",
    "tool": "tool_use",
}


def read_request(protocol: Protocol, body: Mapping[str, Any]) -> Asked:
    """Read a request of either protocol; a shape that it does not know raises KeyError or so."""
    system = blocks(body["system"]) if body.get("system") else []
    limit = body.get("max_tokens") or body.get("max_completion_tokens") or 0
    pieces = [*system]
    roles = ["system"] * len(system)
    for message in body["messages"]:
        said = blocks(message["content"])
        pieces += said
        roles += [message["role"]] * len(said)
    return Asked(protocol, body["model"], tuple(pieces), tuple(roles), int(limit), body)


def blocks(content: str | Sequence[Mapping[str, Any]] | None) -> list[Piece]:
    """Give the text blocks of a content with their cache marks."""
    if content is None or isinstance(content, str):
        return [(content or "", False)]
    return [(text_in(block), "cache_control" in block) for block in content]


def text_in(block: Mapping[str, Any]) -> str:
    """Give the text of a block: its own, what a tool gave, or the wish for one."""
    kind = block.get("type", "text")
    if kind == "tool_result":
        return str(block["content"])
    return json.dumps(block["input"]) if kind == "tool_use" else str(block["text"])


def write_answer(asked: Asked, told: Told) -> dict[str, Any]:
    """Write an answer in the protocol of its request."""
    return openai_answer(asked, told) if asked.protocol == "openai" else message(asked, told)


def openai_answer(asked: Asked, told: Told) -> dict[str, Any]:
    """Write a chat completion; the server calls itself by the path of a file, as some do."""
    said: dict[str, Any] = {"role": "assistant", "content": told.text}
    if told.reasoning:
        said["reasoning_content"] = told.reasoning
    if told.stop == "tool":
        call = {"name": told.wish.name, "arguments": json.dumps(dict(told.wish.arguments))}
        said["tool_calls"] = [{"id": "call_1", "type": "function", "function": call}]
    choice = {"index": 0, "message": said, "finish_reason": OPENAI_STOPS[told.stop]}
    answer: dict[str, Any] = {
        "id": f"chatcmpl-{asked.digest[:12]}",
        "object": "chat.completion",
        "created": 0,
        "model": "/models/double.gguf",
        "choices": [choice],
    }
    if told.with_usage:
        thought = tokens_in(len(told.reasoning))
        answer["usage"] = {
            "prompt_tokens": asked.tokens,
            "completion_tokens": tokens_in(len(told.text)) + thought,
            "prompt_tokens_details": {"cached_tokens": asked.cached},
            "completion_tokens_details": {"reasoning_tokens": thought},
        }
    return answer


def message(asked: Asked, told: Told) -> dict[str, Any]:
    """Write a message of the Messages API."""
    content: list[dict[str, Any]] = []
    if told.reasoning:
        content.append({"type": "thinking", "thinking": told.reasoning, "signature": "c2ln"})
    if told.text:
        content.append({"type": "text", "text": told.text})
    if told.stop == "tool":
        wish = {"name": told.wish.name, "input": dict(told.wish.arguments)}
        content.append({"type": "tool_use", "id": "toolu_1", **wish})
    answer: dict[str, Any] = {
        "id": f"msg_{asked.digest[:12]}",
        "type": "message",
        "role": "assistant",
        "model": "/models/double.gguf",
        "content": content,
        "stop_reason": ANTHROPIC_STOPS[told.stop],
        "stop_sequence": None,
    }
    if told.with_usage:
        answer["usage"] = {
            "input_tokens": max(asked.tokens - asked.cached - asked.written, 0),
            "cache_read_input_tokens": asked.cached,
            "cache_creation_input_tokens": asked.written,
            "output_tokens": tokens_in(len(told.text) + len(told.reasoning)),
        }
    return answer


def write_error(protocol: Protocol, kind: str, said: str) -> dict[str, Any]:
    """Write an error body in the given protocol."""
    if protocol == "openai":
        return {"error": {"message": said, "type": kind, "param": None, "code": kind}}
    return {"type": "error", "error": {"type": kind, "message": said}}
