"""What search finds for a question, and up to which level the memories still hold its answer."""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pipeline.memory.answers import holds
from pipeline.memory.questions import Question
from pipeline.memory.records import Memory
from pipeline.memory.search import find_places
from pipeline.memory.search_dates import read_span
from pipeline.memory.window import NextContext

CUTS = (5, 10, 25)
CANDIDATES = 400  # messages from which chunks are gathered: 25 chunks need more than 25 messages


@dataclass(frozen=True, slots=True)
class Talk:
    """The talk as a probe walks through it: items, their chunks, and the memories over them."""

    items: Mapping[str, tuple[int, str]]  # item id → place in the transcript, body
    item_of: Mapping[str, str]  # message id → item id
    chunk_of: Mapping[str, str]  # item id → chunk id
    memories: Mapping[str, Memory] = field(default_factory=dict)
    l1_of: Mapping[str, str] = field(default_factory=dict)  # item id → id of its L1

    def line_over(self, item_ids: Iterable[str]) -> list[Memory]:
        """Give the memories over items from L1 upwards, each once."""
        line: dict[str, Memory] = {}
        for item_id in item_ids:
            memory_id = self.l1_of.get(item_id)
            while memory_id and memory_id not in line:
                line[memory_id] = self.memories[memory_id]
                memory_id = line[memory_id].parent_id
        return sorted(line.values(), key=lambda memory: (memory.level, memory.number))


@dataclass(frozen=True, slots=True)
class Scored:
    """
    How search and pyramid do on one question.

    `recall` and `chunk_recall` are shares of evidence found among the first k (null: no evidence
    in a chunk). `lost_at` is the first level of which no memory on the way holds the answer.
    `in_context` is `raw`, the id of a recall pair's memory, or blank: to be searched for.
    """

    question: Question
    missing_ids: tuple[str, ...]
    recall: tuple[float, ...]
    chunk_recall: tuple[float | None, ...]
    held_ids: tuple[str, ...]
    lost_ids: tuple[str, ...]
    top_level: int
    lost_at: int | None
    in_context: str


def read_talk(
    rows: Iterable[Mapping[str, Any]],
    chunks: Iterable[tuple[str, Sequence[str]]],
    memories: Sequence[Memory],
) -> Talk:
    """Gather the maps from transcript rows (position, item_id, message_ids, body) and chunks."""
    items: dict[str, tuple[int, str]] = {}
    item_of: dict[str, str] = {}
    for row in rows:
        items[row["item_id"]] = (row["position"], row["body"])
        item_of.update(dict.fromkeys(row["message_ids"], row["item_id"]))
    chunk_of = {item_id: chunk_id for chunk_id, ids in chunks for item_id in ids}
    l1_of = {i: m.memory_id for m in memories if m.level == 1 for i in m.source_ids}
    return Talk(items, item_of, chunk_of, {m.memory_id: m for m in memories}, l1_of)


def score(
    db: sqlite3.Connection,
    talk: Talk,
    questions: Iterable[Question],
    context: NextContext | None,
    now: datetime,
) -> Iterator[Scored]:
    """Score questions one by one; `now` is in the zone of the reader."""
    ids = dict(db.execute("select place, item_id from items"))
    for question in questions:
        span = read_span(question.ask, now)
        places = find_places(db, question.ask, span, limit=CANDIDATES)
        yield score_one(talk, question, [ids[place] for place in places], context)


def score_one(
    talk: Talk, question: Question, found: Sequence[str], context: NextContext | None
) -> Scored:
    """Score one question by the item ids that search gives, best first."""
    evidence = [i for m in question.evidence_ids if (i := talk.item_of.get(m))]
    missing = tuple(m for m in question.evidence_ids if m not in talk.item_of)
    if not question.evidence_ids:  # the owner does not know where it was said: words have to do
        evidence = [i for i in found[: max(CUTS)] if holds(talk.items[i][1], question.expected)]
        recall = tuple(float(bool(set(evidence) & set(found[:k]))) for k in CUTS)
    else:
        said = [talk.item_of.get(m) for m in question.evidence_ids]
        recall = tuple(sum(i in set(found[:k]) for i in said) / len(said) for k in CUTS)
    line = talk.line_over(evidence)
    held = [m for m in line if holds(m.text, question.expected)]
    levels = sorted({m.level for m in line})
    kept = {m.level for m in held}
    return Scored(
        question,
        missing,
        recall,
        _chunk_recall(talk, evidence, found),
        tuple(m.memory_id for m in held),
        tuple(m.memory_id for m in line if m not in held),
        max(levels, default=0),
        next((level for level in levels if level not in kept), None),
        _in_context(talk, evidence, held, context),
    )


def _chunk_recall(
    talk: Talk, evidence: Sequence[str], found: Sequence[str]
) -> tuple[float | None, ...]:
    wanted = {talk.chunk_of[i] for i in evidence if i in talk.chunk_of}
    if not wanted:
        return (None,) * len(CUTS)
    order = list(dict.fromkeys(talk.chunk_of[i] for i in found if i in talk.chunk_of))
    return tuple(len(wanted & set(order[:k])) / len(wanted) for k in CUTS)


def _in_context(
    talk: Talk, evidence: Sequence[str], held: Sequence[Memory], context: NextContext | None
) -> str:
    """Say how the answer stands in what the model would receive if woken now."""
    if context is None or not context.is_answered:
        return ""
    places = [talk.items[i][0] for i in evidence]
    raw = [s for s in context.segments if s.memory_id is None]
    if any(s.first_place <= place <= s.last_place for s in raw for place in places):
        return "raw"
    shown = {s.memory_id for s in context.segments}
    return next((m.memory_id for m in held if m.memory_id in shown), "")
