"""A small agent's folder with a history, chunks and a pyramid, without running the stages above."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import polars as pl

from pipeline.artifacts import dtypes, write_table
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import Memory
from pipeline.schemas import CHUNKS, TRANSCRIPT

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
ROOM = "500"
BLOCK = ("type", "text", "attachment_id", "media_type", "sha256")


def write_agent(root, talk, memories=(), chunk_items=10, chunk_ids=()):
    """
    Write a folder: `talk` is (author, text) a message, `memories` (id, sources, text) each.

    Item ids are i0, i1 …, message ids m0, m1 …; chunks take ten items each. `chunk_ids` are
    those of the memories, where they matter.
    """
    root.mkdir(parents=True, exist_ok=True)
    (root / "agent.toml").write_text('[agent]\nname = "tilly"\ntimezone = "UTC"\n')
    rows = [row_of(at, author, text) for at, (author, text) in enumerate(talk)]
    frame = pl.DataFrame(rows, schema=dtypes(TRANSCRIPT), orient="row")
    write_table(root, TRANSCRIPT, frame)
    (root / "tables/transcript.jsonl").write_text("".join(map(line_of, rows)))
    chunks = [
        chunk_of(n, rows[at : at + chunk_items])
        for n, at in enumerate(range(0, len(rows), chunk_items))
    ]
    write_table(root, CHUNKS, pl.DataFrame(chunks, schema=dtypes(CHUNKS), orient="row"))
    if memories:
        with Pyramid(root / "pyramid.sqlite") as pyramid:
            for at, (memory_id, sources, text) in enumerate(memories):
                chunk_id = chunk_ids[at] if at < len(chunk_ids) else None
                pyramid.accept(replace(memory_of(memory_id, sources, text), chunk_id=chunk_id))
    return root


def row_of(at, author, text):
    """Give a row of the transcript."""
    is_self = author == "tilly"
    return {
        "position": at, "item_id": f"i{at}", "kind": "turn" if is_self else "message",
        "participant": author if is_self else "user", "is_self": is_self, "addressed": True,
        "sent_at": START + timedelta(minutes=at), "edited_at": None, "absent_since": None,
        "channel_id": ROOM, "guild_id": None, "is_private": False, "author_id": "9",
        "author_name": author, "message_ids": [f"m{at}"], "reply_to_id": None, "text": text,
        "body": text, "metadata": "{}",
        "blocks": [dict.fromkeys(BLOCK) | {"type": "text", "text": text}],
    }  # fmt: skip


def line_of(row):
    """Give a row as a line of transcript.jsonl."""
    meta = {"author": {"name": row["author_name"]}, "messageIds": row["message_ids"],
            "channelId": f"discord:1:{ROOM}", "channelName": "yard"}  # fmt: skip
    line = {
        "id": row["item_id"], "participant": row["participant"], "metadata": meta,
        "content": [{"type": "text", "text": row["text"]}],
        "timestamp": round(row["sent_at"].timestamp() * 1000),
    }  # fmt: skip
    return json.dumps(line) + "\n"


def chunk_of(n, rows):
    """Give a chunk over some rows."""
    return {
        "chunk_id": f"c-{n}", "ordinal": n, "item_ids": [row["item_id"] for row in rows],
        "first_position": rows[0]["position"], "last_position": rows[-1]["position"],
        "started_at": rows[0]["sent_at"], "ended_at": rows[-1]["sent_at"], "closed_by": "gap",
        "messages": len(rows), "own_turns": 0, "tokens_chunk": 100, "tokens_store": 200,
        "tokens_exact": None, "rooms": [ROOM], "private_share": 0.0, "source_digest": "d",
    }  # fmt: skip


def memory_of(memory_id, sources, text):
    """Give a memory over items (L1) or memories."""
    level = int(memory_id[1])
    return Memory(
        memory_id=memory_id, level=level, text=text, tokens=len(text) // 4,
        source_ids=tuple(sources), first_item_id="i0", last_item_id="i9",
        started_at=START, ended_at=START + timedelta(minutes=9), minted_at=START,
        model="scripted", prompt_version="1",
    )  # fmt: skip
