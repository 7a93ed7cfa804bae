"""The records that a step leaves: the memory, its chunk, and each call with its answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from pipeline.errors import ModelError
from pipeline.memory.records import Call, FoldedChunk, Memory
from pipeline.memory.requests import Heard, Told
from pipeline.memory.schedule import Step
from pipeline.models.seam import Answer, Request
from stages.warmup.source import Closed, Source


class Written(NamedTuple):
    """A text that becomes a memory, with the answer that it came in; a stub has none."""

    text: str
    answer: Answer | None = None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Ground:
    """What a memory stands on: ids in store order, times, rooms, people; its chunk for an L1."""

    source_ids: tuple[str, ...]
    first_item_id: str
    last_item_id: str
    started_at: datetime
    ended_at: datetime
    rooms: tuple[str, ...]
    people: tuple[str, ...]
    private_share: float
    chunk: FoldedChunk | None = None


def ground_of_chunk(source: Source, closed: Closed, items: Sequence[Heard]) -> Ground:
    """Give what an L1 stands on."""
    chunk = source.recorded(closed, items)
    return Ground(
        source_ids=chunk.item_ids,
        first_item_id=chunk.item_ids[0],
        last_item_id=chunk.item_ids[-1],
        started_at=items[0].sent_at,
        ended_at=items[-1].sent_at,
        rooms=tuple(dict.fromkeys(item.channel_id for item in items)),
        people=tuple(dict.fromkeys(item.author_name for item in items if item.author_name)),
        private_share=closed.private_share,
        chunk=chunk,
    )


def ground_of_merge(children: Sequence[Memory]) -> Ground:
    """Give what a merged memory stands on."""
    return Ground(
        source_ids=tuple(child.memory_id for child in children),
        first_item_id=children[0].first_item_id,
        last_item_id=children[-1].last_item_id,
        started_at=children[0].started_at,
        ended_at=children[-1].ended_at,
        rooms=tuple(dict.fromkeys(room for child in children for room in child.rooms)),
        people=tuple(dict.fromkeys(name for child in children for name in child.people)),
        private_share=sum(child.private_share for child in children) / len(children),
    )


def told_of(memory: Memory, first_position: int, last_position: int) -> Told:
    """Give a memory as later requests show it."""
    return Told(
        memory.memory_id,
        memory.level,
        memory.text,
        memory.tokens,
        first_position,
        last_position,
        memory.started_at,
        memory.ended_at,
        memory.source_ids if memory.level > 1 else (),
        memory.is_witnessed,
        memory.rooms,
        memory.people,
    )


def call_of(step: Step, request: Request, digest: str, asked_at: datetime, outcome: str) -> Call:
    """Give the record of a call without what came back."""
    return Call(
        request_digest=digest,
        purpose="mint" if step.level == 1 else "merge",
        target=" ".join(step.child_ids),
        level=step.level,
        model=request.model,
        asked_at=asked_at,
        outcome=outcome,
    )


def failed_call(
    step: Step, request: Request, digest: str, asked_at: datetime, error: ModelError
) -> Call:
    """Give the record of a call that got no answer."""
    return call_of(step, request, digest, asked_at, f"failed: {error}")
