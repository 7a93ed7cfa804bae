"""What an agent's memory keeps in a store: messages, records, summaries (folding §1, §4, §7)."""

from dataclasses import dataclass
from typing import Any

import msgspec

from pipeline.care.storereader import Store
from pipeline.errors import SourceError

SUMMARIES, CHUNKS = "/autobio:summaries", "/autobio:chunks"
KNOWN = (
    *("context", "autobio:summaries", "autobio:chunks", "autobio:counter", "autobio:mergeQueue"),
    *("autobio:merge-quarantine", "autobio:pins", "autobio:calibration", "autobio:resolutions"),
    *("autobio:locks", "autobio:compression-refusal-quarantine-events"),
    *("autobio:compression-refusal-quarantine", "kvunified:presentation-receipt"),
)


class Message(msgspec.Struct, frozen=True):
    """A stored item; `timestamp` in milliseconds since 1970, as it stands there."""

    id: str
    participant: str
    content: list[dict[str, Any]]
    timestamp: Any = None
    sequence: int | None = None
    metadata: dict[str, Any] | None = None
    causedBy: list[str] | None = None  # noqa: N815 - the store's own name


class ChunkRecord(msgspec.Struct, frozen=True, rename="camel"):
    """A closed chunk; without id or sources the host ignores it."""

    id: str = ""
    source_ids: list[str] = []
    compressed: bool = False
    summary_id: str | None = None


class Range(msgspec.Struct, frozen=True):
    """First and last leaf of a summary."""

    first: str = ""
    last: str = ""


class Summary(msgspec.Struct, frozen=True, rename="camel"):
    """A memory as the store holds it; `created` in milliseconds since 1970."""

    id: str
    level: int
    content: Any
    source_ids: list[str]
    source_range: Range = Range()
    source_level: int | None = None
    tokens: int = 0
    merged_into: str | None = None
    parent_id: str | None = None
    created: int | float = 0
    witnessed: bool = False
    response_content: Any = None
    provenance: dict[str, Any] | None = None

    @property
    def parent(self) -> str | None:
        """Give the parent's id under either of its names."""
        return self.merged_into or self.parent_id


@dataclass(frozen=True, slots=True)
class Session:
    """One agent's memory in a store; `strange` names the slots that are not known here."""

    agent: str
    messages: tuple[Message, ...]
    chunks: tuple[ChunkRecord, ...]
    summaries: tuple[Summary, ...]
    counter: int | None
    merge_queue: Any
    merge_quarantine: Any
    chunk_quarantine: tuple[Any, ...]
    strange: tuple[str, ...]


def agents_of(store: Store) -> list[str]:
    """Name the agents that keep summaries or chunk records in a store."""
    names = {
        slot[len("agents/") : -len(end)]
        for slot in store.slots()
        for end in (SUMMARIES, CHUNKS)
        if slot.startswith("agents/") and slot.endswith(end)
    }
    return sorted(names)


def read_session(store: Store, agent: str | None = None) -> Session:
    """Read one agent's memory; where a store holds several, `agent` says whose."""
    names = agents_of(store)
    if agent is None:
        if len(names) != 1:
            held = ", ".join(names) or "none"
            raise SourceError(f"{store.root}: whose memory? it holds those of: {held}")
        agent = names[0]
    elif names and agent not in names:
        raise SourceError(f"{store.root}: no memory of {agent}; it holds those of {names}")
    space = f"agents/{agent}/"
    known = {"messages", *(space + name for name in KNOWN)}
    quarantine = f"{space}autobio:compression-refusal-quarantine-events"
    return Session(
        agent=agent,
        messages=tuple(store.items("messages", Message)),
        chunks=tuple(store.items(space + "autobio:chunks", ChunkRecord)),
        summaries=tuple(store.items(space + "autobio:summaries", Summary)),
        counter=store.value(space + "autobio:counter"),
        merge_queue=store.value(space + "autobio:mergeQueue"),
        merge_quarantine=store.value(space + "autobio:merge-quarantine"),
        chunk_quarantine=tuple(store.items(quarantine)),
        strange=tuple(slot for slot in store.slots() if slot not in known),
    )
