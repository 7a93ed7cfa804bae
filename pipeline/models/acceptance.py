"""
Whether an answer may become a memory (folding-strategy 5.3).

It must be finished and not empty, neither a refusal nor a tool call; and whatever part of it is
reasoning never becomes memory text.
"""

import re
from dataclasses import dataclass
from typing import Literal

from pipeline.models.refusals import is_refusal
from pipeline.models.seam import Answer

Fault = Literal["unfinished", "empty", "only reasoning", "refusal", "tool call"]

TAGS = r"think|thinking|thought|thoughts|reasoning|reflection"
OPENED = re.compile(rf"\s*<({TAGS})>", re.IGNORECASE)
CLOSED_LINE = re.compile(rf"</(?:{TAGS})>[ \t]*(?:\n|\Z)", re.IGNORECASE)
TOOL_CALL = re.compile(
    r"\s*(?:```\w*\s*)?(?:<\|?(?:tool_call|function_calls?|invoke|tool_use)\b|\[TOOL_CALLS\])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Accepted:
    """An answer that may become a memory; `text` is free of reasoning and outer blanks."""

    text: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """An answer that may not, the kind of fault, and the reason in words."""

    fault: Fault
    reason: str


def judge(answer: Answer) -> Accepted | Rejected:
    """Accept an answer as memory text, or say why not; the order of faults is that of the spec."""
    reasoning, text = part_reasoning(answer.text)
    text = text.strip()
    if answer.stop == "tool" or TOOL_CALL.match(text):
        return Rejected("tool call", f"it called a tool ({answer.outcome or answer.stop})")
    if answer.stop == "refusal":
        return Rejected("refusal", f"the model refused ({answer.outcome or answer.stop})")
    if answer.stop == "length":
        return Rejected("unfinished", f"cut at the token limit ({answer.outcome or answer.stop})")
    if answer.stop != "end":
        return Rejected("unfinished", f"it did not end by itself ({answer.outcome or answer.stop})")
    if not has_words(text):
        if reasoning or answer.reasoning:
            return Rejected("only reasoning", "reasoning and no text")
        return Rejected("empty", "no text")
    if is_refusal(text):
        return Rejected("refusal", "it begins as a refusal")
    return Accepted(text)


def part_reasoning(text: str) -> tuple[str, str]:
    """
    Part leading `<think>…</think>` blocks (and their like) from what follows: (reasoning, text).

    A block that is never closed takes all the rest. A closing tag at the end of a line without an
    opening one ends reasoning too: some servers swallow the opening tag with the prompt.
    """
    taken: list[str] = []
    while opened := OPENED.match(text):
        closing = re.search(rf"</{opened[1]}>", text[opened.end() :], re.IGNORECASE)
        if closing is None:
            return join(taken, text[opened.end() :]), ""
        taken.append(text[opened.end() : opened.end() + closing.start()])
        text = text[opened.end() + closing.end() :]
    closing = CLOSED_LINE.search(text)
    if closing and not re.search(rf"<(?:{TAGS})>", text[: closing.start()], re.IGNORECASE):
        taken.append(text[: closing.start()])
        text = text[closing.end() :]
    return join(taken), text if not taken else text.lstrip()


def has_words(text: str) -> bool:
    """Tell whether a text says anything: a letter or a digit in any script."""
    return any(character.isalnum() for character in text)


def join(taken: list[str], *more: str) -> str:
    """Join pieces of reasoning, one after the other."""
    return "\n\n".join(piece.strip() for piece in (*taken, *more) if piece.strip())
