"""
Look at a store that already lives: fill a new agent's folder from a copy of it.

The folder's agent.toml says `source = "store"`: there this is the one writer of transcript,
chunks and pyramid. The store itself is only read.
"""

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.adopted import NOTE, fingerprint
from pipeline.care.adopt_rows import people_rows, room_rows, transcript_rows
from pipeline.care.storecheck import Breach, check_session
from pipeline.care.storereader import hot_copy, open_store
from pipeline.care.storereader_session import Session, Summary, read_session
from pipeline.errors import UsageError
from pipeline.files import beside, write_whole
from pipeline.memory.folded import Noted, note_history
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import FoldedChunk, FoldedItem, Memory, Quarantined
from pipeline.schemas import (
    CALLS,
    CHUNKS,
    CURATED,
    MEMORIES,
    PEOPLE,
    PYRAMID,
    REDACTIONS,
    REJECTS,
    ROOMS,
    TRANSCRIPT,
    TRANSCRIPT_LINES,
)
from pipeline.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Adoption:
    """What was taken over, and what is to be told about it."""

    agent: str
    items: int
    chunks: int
    memories: int
    notes: tuple[str, ...]
    breaches: tuple[Breach, ...]


def adopt_store(
    store: Path, folder: Workspace, *, agent: str | None, now: Callable[[], datetime]
) -> Adoption:
    """Fill a new folder, or one that was adopted before, from a hot copy of a store."""
    if folder.config_path.exists() and not (folder.root / NOTE).is_file():
        raise UsageError(
            f"{folder.root} is an agent that was imported, not adopted; choose another --agent"
        )
    stamp = fingerprint(store)
    with tempfile.TemporaryDirectory(prefix="backfold-adopt-") as scratch:
        copy = open_store(hot_copy(store, Path(scratch) / "store"))
        session = read_session(copy, agent)
        notes = (*copy.notes, *(f"slot {slot} is not known here" for slot in session.strange))
    folder.make()
    with folder.locked("adopt"):
        write_folder(folder, session, now())
        if not folder.config_path.exists():
            write_whole(folder.config_path, _config(session.agent).encode())
        source = {"store": str(store.resolve()), "fingerprint": stamp, "agent": session.agent}
        write_whole(folder.root / NOTE, json.dumps(source).encode())
    return Adoption(
        session.agent,
        len(session.messages),
        len(session.chunks),
        len(session.summaries),
        notes,
        tuple(check_session(session)),
    )


def _config(agent: str) -> str:
    return f'[agent]\nname = {json.dumps(agent, ensure_ascii=False)}\nsource = "store"\n'


def write_folder(folder: Workspace, session: Session, now: datetime) -> None:
    """Write the tables and the pyramid of a session."""
    import polars as pl

    from pipeline.artifacts import dtypes, empty, write_table

    rows = transcript_rows(session.messages, session.agent)
    by_id = dict(zip((m.id for m in session.messages), rows, strict=True))
    chunks = [
        _chunk(n, r.id, [by_id[i] for i in r.source_ids]) for n, r in _records(session, by_id)
    ]
    with beside(folder.root / PYRAMID.path) as path:
        path.unlink()
        with Pyramid(path) as pyramid:
            fill_pyramid(pyramid, session, by_id, chunks, now)
            note_history(pyramid, _history(rows, chunks))
            memories = pyramid.memories()
    told = [memory.row() for memory in memories]
    for table, held in (
        (TRANSCRIPT, rows),
        (ROOMS, room_rows(rows)),
        (PEOPLE, people_rows(rows)),
        (CHUNKS, [{k: v for k, v in c.items() if k != "rows"} for c in chunks]),
        (MEMORIES, told),
    ):
        schema = dtypes(table)
        columns = {name: [row[name] for row in held] for name in schema}
        write_table(folder.root, table, pl.DataFrame(columns, schema=schema, strict=False))
    for table in (REJECTS, REDACTIONS, CALLS):
        write_table(folder.root, table, empty(table))
    write_whole(folder.root / CURATED.path, b'{"settings": "adopted"}')
    write_whole(folder.root / TRANSCRIPT_LINES.path, b"".join(_lines(rows, session)))


def _lines(rows: Sequence[Mapping[str, Any]], session: Session) -> Iterator[bytes]:
    for row, message in zip(rows, session.messages, strict=True):
        line = {
            "id": row["item_id"],
            "participant": message.participant,
            "content": message.content,
            "timestamp": message.timestamp,
            "metadata": message.metadata or {},
        }
        yield json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _records(session: Session, by_id: Mapping[str, Any]) -> list[tuple[int, Any]]:
    kept = [r for r in session.chunks if r.id and r.source_ids]
    kept = [r for r in kept if all(i in by_id for i in r.source_ids)]
    kept.sort(key=lambda r: by_id[r.source_ids[0]]["position"])
    return list(enumerate(kept))


def _chunk(ordinal: int, name: str, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    from pipeline.memory.rulers import chunk_tokens, store_tokens

    blocks = [block for row in rows for block in row["blocks"]]
    source = json.dumps([[row["item_id"], row["blocks"]] for row in rows], sort_keys=True)
    return {
        "rows": rows,
        "chunk_id": name,
        "ordinal": ordinal,
        "item_ids": [row["item_id"] for row in rows],
        "first_position": rows[0]["position"],
        "last_position": rows[-1]["position"],
        "started_at": rows[0]["sent_at"],
        "ended_at": rows[-1]["sent_at"],
        "closed_by": "store",
        "messages": len(rows),
        "own_turns": sum(row["is_self"] for row in rows),
        "tokens_chunk": chunk_tokens(blocks),
        "tokens_store": store_tokens(blocks),
        "tokens_exact": None,
        "rooms": list(dict.fromkeys(row["channel_id"] for row in rows)),
        "private_share": sum(row["is_private"] for row in rows) / len(rows),
        "source_digest": hashlib.sha256(source.encode()).hexdigest(),
    }


def fill_pyramid(
    pyramid: Pyramid,
    session: Session,
    by_id: Mapping[str, Mapping[str, Any]],
    chunks: Sequence[Mapping[str, Any]],
    now: datetime,
) -> None:
    """Put summaries and their chunks into an empty pyramid, children before parents."""
    linked = {r.summary_id: r.id for r in session.chunks if r.summary_id}
    by_chunk = {chunk["chunk_id"]: chunk for chunk in chunks}
    leaves: dict[str, list[Mapping[str, Any]]] = {}
    with pyramid.step():
        for summary in sorted(session.summaries, key=lambda s: (s.level, _number(s))):
            below = _below(summary, by_id, leaves)
            if not below or summary.id in leaves:
                continue  # told as a breach: it stands on nothing, or its id is taken
            leaves[summary.id] = below
            chunk = by_chunk.get(linked.get(summary.id, ""))
            memory = _memory(summary, below, chunk["chunk_id"] if chunk else None)
            pyramid.accept(memory, _folded(chunk) if chunk else None)
        pyramid.set_state("counter", str(max(session.counter or 0, pyramid.counter())))
        for entry in (*(session.merge_quarantine or ()), *session.chunk_quarantine):
            known = entry if isinstance(entry, dict) else {}
            target = " ".join(known.get("sourceIds") or ()) or str(known.get("chunkId", "unknown"))
            reason = str(known.get("lastOutcome") or "given up by the host")
            level = int(known.get("level") or 1)
            pyramid.set_aside(
                Quarantined(target, level, reason, int(known.get("attempts") or 0), now)
            )


def _below(
    summary: Summary,
    by_id: Mapping[str, Mapping[str, Any]],
    leaves: Mapping[str, list[Mapping[str, Any]]],
) -> list[Mapping[str, Any]]:
    """Give the items under a summary; none where a source is not there."""
    known: Mapping[str, Any] = by_id if summary.level == 1 else leaves
    if any(source not in known for source in summary.source_ids):
        return []
    if summary.level == 1:
        return [by_id[source] for source in summary.source_ids]
    return [row for child in summary.source_ids for row in leaves[child]]


def _memory(summary: Summary, below: Sequence[Mapping[str, Any]], chunk_id: str | None) -> Memory:
    told = summary.provenance or {}
    sources = [r["item_id"] for r in below] if summary.level == 1 else summary.source_ids
    return Memory(
        memory_id=summary.id,
        level=summary.level,
        text=str(summary.content),
        tokens=summary.tokens,
        source_ids=tuple(sources),
        first_item_id=below[0]["item_id"],
        last_item_id=below[-1]["item_id"],
        started_at=below[0]["sent_at"],
        ended_at=below[-1]["sent_at"],
        minted_at=datetime.fromtimestamp(summary.created / 1_000, UTC),
        model=str(told.get("model") or "unknown"),
        prompt_version="unknown",
        chunk_id=chunk_id,
        is_witnessed=summary.witnessed,
        stop_reason=told.get("stopReason"),
        request_digest=told.get("requestHash"),
        rooms=tuple(dict.fromkeys(row["channel_id"] for row in below)),
        people=tuple(dict.fromkeys(row["author_name"] for row in below if row["author_name"])),
        private_share=sum(row["is_private"] for row in below) / len(below),
    )


def _folded(chunk: Mapping[str, Any]) -> FoldedChunk:
    items = tuple(FoldedItem(r["item_id"], r["sent_at"], r["text"]) for r in chunk["rows"])
    return FoldedChunk(chunk["chunk_id"], chunk["ordinal"], chunk["closed_by"], items)


def _history(rows: Sequence[Mapping[str, Any]], chunks: Sequence[Mapping[str, Any]]) -> Noted:
    last = chunks[-1]["last_position"] if chunks else -1
    return Noted([row["item_id"] for row in rows[: last + 1]], {}, {}, "adopted")


def _number(summary: Summary) -> int:
    tail = summary.id.rpartition("-")[2]
    return int(tail) if tail.isdigit() else 0
