"""The records of a pyramid: a memory, a call, a recorded chunk, what is in quarantine."""

from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

HEADLINE_CHARACTERS = 120


@dataclass(frozen=True, slots=True)
class Memory:
    """
    One memory; level 1 stands on the items of one chunk, level n+1 on memories of level n.

    `memory_id` is `L<level>-<n>` with n from one counter for all levels (folding §7.1).
    `shown_ids` are the memories whose recall pairs stood in its request; `head_end_id` is the
    first item behind the head at that moment (null: no head). Times are UTC.
    """

    memory_id: str
    level: int
    text: str
    tokens: int
    source_ids: tuple[str, ...]  # item ids (L1) or memory ids, in store order
    first_item_id: str
    last_item_id: str
    started_at: datetime
    ended_at: datetime
    minted_at: datetime
    model: str
    prompt_version: str
    chunk_id: str | None = None
    parent_id: str | None = None
    shown_ids: tuple[str, ...] = ()
    head_end_id: str | None = None
    is_witnessed: bool = False
    is_stub: bool = False
    persona_digest: str | None = None
    stop_reason: str | None = None
    request_digest: str | None = None
    rooms: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    private_share: float = 0.0
    parallel: int = 1

    @property
    def number(self) -> int:
        """The n of `L<level>-<n>`: the place in minting order."""
        return int(self.memory_id.rpartition("-")[2])

    @property
    def headline(self) -> str:
        """The first line or sentence, at most 120 characters; costs no call."""
        return headline(self.text)

    def row(self) -> dict[str, Any]:
        """Give the memory as a row: its fields, with number and headline."""
        return {**row_of(self), "number": self.number, "headline": self.headline}


@dataclass(frozen=True, slots=True)
class Call:
    """
    One answer of a model, or one attempt that got none; tokens are null where not told.

    `outcome` is `accepted`, `rejected: why` (a complete answer that may not become a memory)
    or `failed: why` (no complete answer, so the same request may be sent again).
    """

    request_digest: str
    purpose: str  # mint, merge, remint or probe
    target: str  # chunk id, or child ids joined by a blank
    level: int
    model: str
    asked_at: datetime
    outcome: str
    attempt: int = 1
    latency_ms: int = 0
    stop_reason: str | None = None
    text: str = ""
    reasoning: str = ""
    input_tokens: int | None = None
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost: float | None = None
    currency: str | None = None

    @property
    def is_complete(self) -> bool:
        """Whether the model gave a complete answer, accepted or not: never sent again."""
        return not self.outcome.startswith("failed")


@dataclass(frozen=True, slots=True)
class FoldedItem:
    """An item as it read when a memory was minted over it."""

    item_id: str
    sent_at: datetime
    text: str


@dataclass(frozen=True, slots=True)
class FoldedChunk:
    """A chunk on which a memory stands: its recorded items, never computed anew."""

    chunk_id: str
    ordinal: int
    closed_by: str
    items: tuple[FoldedItem, ...]

    @property
    def item_ids(self) -> tuple[str, ...]:
        """Give its item ids in store order."""
        return tuple(item.item_id for item in self.items)


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A chunk or merge that was given up, and why; it stays so until `--retry` names it."""

    target: str
    level: int
    reason: str
    attempts: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Revision:
    """A text that stood under an id before; `number` counts from 1 for each memory."""

    memory_id: str
    number: int
    text: str
    tokens: int
    model: str
    run: str
    rule: str
    reason: str
    replaced_at: datetime


def row_of(entry: Any) -> dict[str, Any]:
    """Give a record's fields by name; nothing is copied, as nothing in a record changes."""
    return {f.name: getattr(entry, f.name) for f in fields(entry)}


def headline(text: str) -> str:
    """
    Give the first line that says something, cut at a word to 120 characters.

    A heading (a line that ends in a colon) says nothing alone: the sentence behind it joins it.
    """
    lines = (line.strip(" #*-\t") for line in text.splitlines())
    told = [line for line in lines if line and not line.startswith("[extractive")]
    first = told[0] if told else ""
    begins = 0
    if first.endswith((":", "：")) and len(told) > 1:
        begins = len(first) + 1
        first = f"{first} {told[1]}"
    for end in (". ", "! ", "? ", "。", "！", "？"):
        at = first.find(end, begins)
        if max(20, begins) <= at < HEADLINE_CHARACTERS:
            return first[: at + 1]
    if len(first) <= HEADLINE_CHARACTERS:
        return first
    cut = first[: HEADLINE_CHARACTERS - 1]
    return cut.rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
