"""Invented histories as the tables that warmup reads, and a run of the stage with any model."""

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from unittest.mock import patch

import polars as pl

import stages.warmup.again  # noqa: F401 - takes the real open_model before `mint` lends another
from pipeline.artifacts import dtypes, write_table
from pipeline.memory.prompts import MARKER
from pipeline.memory.pyramid import Pyramid
from pipeline.models.scripted import Scripted, recite
from pipeline.runner import Wish, open_house, run
from pipeline.schemas import CHUNKS, ROOMS, TRANSCRIPT
from pipeline.workspace import Workspace

BEGAN = datetime(2025, 3, 1, 9, tzinfo=UTC)
LATER = datetime(2026, 1, 1, tzinfo=UTC)
MODEL = "double"  # a name that is not free, so that halts apply
PRICES = f'[prices."{MODEL}"]\ninput = 1.0\noutput = 2.0\n'
TALK = "the lamp by the garden gate was mended and everybody had soup until late in the rain "


def item(number, at, *, own, text):
    """Give one row of the transcript."""
    item_id = str(10_000 + at)
    return {
        "position": at,
        "item_id": item_id,
        "kind": "turn" if own else "message",
        "participant": "tilly" if own else "user",
        "is_self": own,
        "addressed": True,
        "sent_at": BEGAN + timedelta(hours=number, minutes=at % 2),
        "edited_at": None,
        "absent_since": None,
        "channel_id": "1",
        "guild_id": "9",
        "is_private": False,
        "author_id": "7" if own else "8",
        "author_name": "tilly" if own else "mara",
        "message_ids": [item_id],
        "reply_to_id": None,
        "text": text,
        "body": text,
        "blocks": [{"type": "text", "text": text, "attachment_id": None,
                    "media_type": None, "sha256": None}],
        "metadata": "{}",
    }  # fmt: skip


def chunk(number, rows):
    """Give the row of a closed chunk over rows of the transcript."""
    size = sum(len(row["text"]) for row in rows) // 4
    return {
        "chunk_id": f"c-{number}",
        "ordinal": number,
        "item_ids": [row["item_id"] for row in rows],
        "first_position": rows[0]["position"],
        "last_position": rows[-1]["position"],
        "started_at": rows[0]["sent_at"],
        "ended_at": rows[-1]["sent_at"],
        "closed_by": "gap",
        "messages": len(rows),
        "own_turns": sum(row["is_self"] for row in rows),
        "tokens_chunk": size,
        "tokens_store": size,
        "tokens_exact": None,
        "rooms": ["1"],
        "private_share": 0.0,
        "source_digest": f"{number:064}",
    }


ROOM = {
    "channel_id": "1", "guild_id": "9", "name": "workbench", "guild_name": "town",
    "parent_id": None, "type": 0, "is_private": False, "messages": 1, "selected": 1,
    "first_at": None, "last_at": None, "last_raw_id": None, "raw_bytes": 1,
}  # fmt: skip


def write_history(root, chunks, *, thin=(), words=4, settings="", **knobs):
    """
    Write an agent's folder with so many chunks of two items each; again with more it goes on.

    `words` is how often a stock sentence of 17 words is said in each item; chunks in `thin` say
    next to nothing.
    """
    root.mkdir(exist_ok=True)
    told = {"model": MODEL, "max_calls": 10_000, **knobs}
    told = {name: value for name, value in told.items() if value is not None}
    (root / "agent.toml").write_text(
        '[agent]\nname = "tilly"\nsource = "files"\nfiles = ["nowhere"]\n[self]\nusers = ["7"]\n'
        f"{PRICES}{settings}[warmup]\n"
        + "".join(f"{name} = {json.dumps(value)}\n" for name, value in told.items())
    )
    items, closed = [], []
    for number in range(chunks):
        said = "hm" if number in thin else f"stretch {number:04}: {TALK * words}"
        rows = [
            item(number, 2 * number + own, own=bool(own), text=f"{said} ({own})") for own in (0, 1)
        ]
        items += rows
        closed.append(chunk(number, rows))
    for table, rows in ((TRANSCRIPT, items), (CHUNKS, closed), (ROOMS, [ROOM])):
        write_table(root, table, pl.DataFrame(rows, schema=dtypes(table)))
    (root / "tables/curated.json").write_text('{"settings": "as they are"}')


@dataclass
class Run:
    """What a run said, what it left, and whom it asked."""

    said: list
    left: list
    model: Scripted

    @property
    def calls(self):
        return len(self.model.asked)


def mint(root, script=recite, *, name=MODEL, now=None, sets=None, **options):
    """Run the stage with a scripted model of that name; raises what the run raises."""
    model = script if isinstance(script, Scripted) else Scripted(script, name=name)
    said = []
    house = open_house(Workspace(root), sets=sets or {})
    house.out = house.err = said.append
    house.now = now or (lambda: LATER)
    with patch("stages.warmup.running.open_model", lambda *_: model):
        left = run(house, Wish(stages=("warmup",), only=True, force=True, options=options))
    return Run(said, left, model)


def stretches(request):
    """Give the numbers of the chunks whose talk a request shows behind its marker."""
    behind = [m.text for m in request.messages]
    last = max(at for at, text in enumerate(behind) if MARKER in text)
    shown = "\n".join([behind[last].rpartition(MARKER)[2], *behind[last + 1 :]])
    return sorted({int(hit) for hit in re.findall(r"stretch (\d{4}):", shown)})


def is_merge(request):
    """Say whether a request asks for a merge."""
    return "Now make one memory" in request.messages[-1].text


def held(root):
    """Open the pyramid of a folder to read it."""
    return Pyramid(root / "pyramid.sqlite", read_only=True)


def memories(root):
    """Give the memories, in minting order."""
    with held(root) as pyramid:
        return pyramid.memories()


def calls(root):
    """Give the calls on record, oldest first."""
    with held(root) as pyramid:
        return pyramid.calls()


def shape(root):
    """Give what must not depend on how often a run was stopped."""
    return [
        (m.memory_id, m.level, m.text, m.source_ids, m.parent_id, m.shown_ids, m.request_digest)
        for m in memories(root)
    ]


def ladder(root):
    """Count memories by level, lowest first."""
    levels = [m.level for m in memories(root)]
    return [levels.count(level) for level in sorted(set(levels))]
