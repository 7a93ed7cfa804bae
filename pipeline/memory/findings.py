"""
What an audit finds, and what its rules may look at.

A rule is a pure function from a `View` to findings. Nothing of a `View` is changed; rules share
no state, so that each can be run, tested and taken out alone.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal

from pipeline.memory.records import FoldedChunk, Memory, Quarantined

Severity = Literal["error", "warning", "note"]
Action = Literal[
    "cut",
    "remint",
    "edit",
    "canon",
    "adopt",
    "detach",
    "rebuild",
    "merge",
    "renumber",
    "retry",
    "rewrite",
    "leave_out",
    "refold",
    "look",
]
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "note")  # gravest first
EXTRACTIVE_MARK = "[extractive memory]"


@dataclass(frozen=True, slots=True)
class Finding:
    """
    One thing that is wrong, where it stands, and what would mend it.

    `subject` is what the finding is about: a memory id, an item id of the transcript, a chunk id,
    or blank for the pyramid as a whole. `start` and `end` count characters in that subject's
    text, null where the whole is meant. `evidence` is the text that is wrong, `source_ids` are
    items or memories that show it, `family` names findings that are decided together.
    `action` is the proposal: `cut` the span, `remint`, `edit`, for structure `adopt`, `detach`,
    `rebuild`, `merge`, `renumber`, `retry`; for talk `rewrite` or `leave_out` (lines for
    agent.toml); `look` where only a reader can tell.
    """

    rule: str
    severity: Severity
    subject: str
    message: str
    level: int | None = None  # of the memory; null: it is about talk, a chunk or the whole
    start: int | None = None
    end: int | None = None
    evidence: str = ""
    source_ids: tuple[str, ...] = ()
    action: Action = "look"
    family: str | None = None

    @property
    def finding_id(self) -> str:
        """Name it by what it says, so that the same finding keeps its name in the next audit."""
        told = "\n".join((self.rule, self.subject, self.family or "", self.evidence))
        if not self.evidence and self.start is None:
            told += "\n" + self.message
        return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Item:
    """One item of the transcript as the rules see it; fields are those of that table."""

    position: int
    item_id: str
    kind: str  # message, turn, receipt, routing, clock or channels
    participant: str
    is_self: bool
    sent_at: datetime
    channel_id: str
    is_private: bool
    author_id: str | None
    author_name: str | None
    reply_to_id: str | None
    message_ids: tuple[str, ...]
    text: str
    body: str


@dataclass(frozen=True, slots=True)
class ClosedChunk:
    """One row of the table of chunks: what segment would fold today."""

    chunk_id: str
    ordinal: int
    item_ids: tuple[str, ...]
    closed_by: str


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """
    Everything that an audit looks at, as plain records.

    `memories` come in minting order, `chunks` are those that the pyramid recorded (the texts that
    were folded), `closed` those of the table of today, `items` the transcript in store order.
    `state` is the pyramid's own (counter, queue, settings), `settings` the numbers of agent.toml
    by stage (`{"segment": {...}, "warmup": {...}}`), for the rules of structure and fit.
    """

    memories: Sequence[Memory] = ()
    chunks: Sequence[FoldedChunk] = ()
    items: Sequence[Item] = ()
    closed: Sequence[ClosedChunk] = ()
    quarantined: Sequence[Quarantined] = ()
    state: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    persona: str = ""
    agent: str = ""
    zone: tzinfo = UTC
    other_names: frozenset[str] = frozenset()  # names that people bear beside those in talk

    def by_id(self) -> dict[str, Memory]:
        """Give the memories by id; of an id that stands twice, the first."""
        found: dict[str, Memory] = {}
        for memory in self.memories:
            found.setdefault(memory.memory_id, memory)
        return found

    def by_level(self) -> dict[int, list[Memory]]:
        """Give the memories of each level, in minting order."""
        found: dict[int, list[Memory]] = {}
        for memory in self.memories:
            found.setdefault(memory.level, []).append(memory)
        return found

    def items_by_id(self) -> dict[str, Item]:
        """Give the items of the transcript by id."""
        return {item.item_id: item for item in self.items}


Rule = Callable[[View], Iterable[Finding]]


def is_written(memory: Memory) -> bool:
    """Say whether a model wrote it freely: neither a thin stub nor quoted by the extractive one."""
    return not memory.is_stub and not memory.text.startswith(EXTRACTIVE_MARK)


def prose(memory: Memory) -> str:
    """
    Give the text that text rules look at: without the mark in the first line, same length kept.

    A stub is all mark. The mark is blanked out, so that places in the text stay what they are.
    """
    if memory.is_stub:
        return ""
    if memory.text.startswith(EXTRACTIVE_MARK):
        return " " * len(EXTRACTIVE_MARK) + memory.text[len(EXTRACTIVE_MARK) :]
    return memory.text


def gravest_first(findings: Iterable[Finding]) -> list[Finding]:
    """Sort findings: gravest first, then by rule, subject and place."""
    return sorted(
        findings,
        key=lambda f: (SEVERITIES.index(f.severity), f.rule, f.subject, f.start or 0, f.message),
    )
