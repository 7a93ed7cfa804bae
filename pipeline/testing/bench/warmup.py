"""
What warmup itself costs beside the model: a call, a commit, a whole fold, memory by length.

The tables are invented and the answers scripted, so that what is measured is ours: writing the
request, looking it up, noting the call, judging, committing, and what comes next.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import FoldedChunk, FoldedItem, Memory
from pipeline.models.scripted import guess_usage, recite_digest
from pipeline.models.seam import Answer, Request
from pipeline.runner import Wish, open_house, run
from pipeline.testing.bench import Row
from pipeline.workspace import Workspace

CALL_MS, FOLD_SECONDS, COMMIT_TIMES, GROWTH = 10.0, 30.0, 3.0, 1.25
EACH = 20  # items of a chunk
FIRST_ID = 10**18  # ids are snowflakes: of one length, and growing
BEGAN = datetime(2024, 1, 1, tzinfo=UTC)
SAID = "the lamp by the garden gate was mended and everybody had soup until late in the rain "


def rows() -> Iterator[Row]:
    """Give every figure of warmup's own cost."""
    for memories in (100, 5_000):
        cost = call_cost(memories)
        yield Row(
            f"warmup: own cost of a call at {memories:,} memories", cost, None, "CPU ms",
            None, f"≤ {CALL_MS:.0f}", cost <= CALL_MS,
        )  # fmt: skip
    with tempfile.TemporaryDirectory(prefix="backfold-bench-") as folder:
        ours, peer = commit_cost(Path(folder))
    ratio = ours / peer
    yield Row(
        "warmup: a commit against a bare append + fsync", ours, peer, "wall ms",
        ratio, f"≤ {COMMIT_TIMES:.0f} ×", ratio <= COMMIT_TIMES,
    )  # fmt: skip
    seconds = fold_seconds(800)
    yield Row(
        "warmup: 800 chunks with a scripted model", seconds, None, "s",
        None, f"≤ {FOLD_SECONDS:.0f}", seconds <= FOLD_SECONDS,
    )  # fmt: skip
    short, long = peak_megabytes(400), peak_megabytes(1_600)
    yield Row(
        "warmup: peak memory, 1,600 chunks against 400", long, short, "MB",
        long / short, f"≤ {GROWTH} ×", long / short <= GROWTH,
    )  # fmt: skip


@dataclass
class Reciter:
    """Answer from the request's digest, at once; what the answers themselves cost is kept apart."""

    name: str = "reciter"  # no free model: every watch is on
    reads_material: bool = False
    seconds: float = 0.0
    asked: int = 0

    def answer(self, request: Request) -> Answer:
        """Give a memory of some 2,000 characters."""
        began = time.process_time()
        digest = request.digest
        turned = (digest[n:] + digest[:n] for n in range(0, 64, 8))
        text = " ".join(recite_digest(part, sentences=4) for part in turned)
        answer = Answer(request.model, text, usage=guess_usage(request, text))
        self.asked += 1
        self.seconds += time.process_time() - began
        return answer


def call_cost(memories: int, calls: int = 60) -> float:
    """Give CPU milliseconds a call where so many memories stand, the model's own left out."""
    chunks = memories * 5 // 6
    with tempfile.TemporaryDirectory(prefix="backfold-bench-") as folder:
        root = Path(folder)
        write_history(root, chunks)
        fold(root, Reciter())
        write_history(root, chunks + calls)
        with counted_advance() as spent:
            fold(root, model := Reciter())
        return (sum(spent) - model.seconds) / model.asked * 1000


class counted_advance:  # noqa: N801 - used as a function is
    """Sum the CPU-seconds that the loop takes, without what a run does once."""

    def __enter__(self) -> list[float]:
        spent: list[float] = []
        loop = import_module("stages.warmup.minting").Minting
        whole = loop.advance

        def advance(minting: Any) -> bool:
            began = time.process_time()
            try:
                return bool(whole(minting))
            finally:
                spent.append(time.process_time() - began)

        self._patch = patch.object(loop, "advance", advance)
        self._patch.start()
        return spent

    def __exit__(self, *_: object) -> None:
        self._patch.stop()


def commit_cost(folder: Path, commits: int = 200) -> tuple[float, float]:
    """
    Give the median milliseconds of taking a memory into the pyramid, and of a bare append.

    They take turns, so that whatever else the disk does hits both; the append writes the same
    texts and syncs them.
    """
    ours, peer = [], []
    with (
        Pyramid(folder / "pyramid.sqlite") as pyramid,
        (folder / "appended").open("ab", buffering=0) as file,
    ):
        for number in range(commits):
            memory, chunk = invented(number)
            began = time.perf_counter()
            pyramid.accept(memory, chunk)
            ours.append(time.perf_counter() - began)
            line = (memory.text + "".join(item.text for item in chunk.items)).encode()
            began = time.perf_counter()
            file.write(line)
            os.fsync(file.fileno())
            peer.append(time.perf_counter() - began)
    return statistics.median(ours) * 1000, statistics.median(peer) * 1000


def invented(number: int) -> tuple[Memory, FoldedChunk]:
    """Make an L1 of 2,000 characters over twenty messages."""
    items = tuple(
        FoldedItem(str(FIRST_ID + number * EACH + n), BEGAN + timedelta(hours=number), SAID * 5)
        for n in range(EACH)
    )
    chunk = FoldedChunk(f"c-{number}", number, "gap", items)
    memory = Memory(
        memory_id=f"L1-{number}",
        level=1,
        text=f"{number}: {SAID * 24}",
        tokens=500,
        source_ids=chunk.item_ids,
        first_item_id=items[0].item_id,
        last_item_id=items[-1].item_id,
        started_at=BEGAN,
        ended_at=BEGAN,
        minted_at=BEGAN,
        model="reciter",
        prompt_version="1",
        chunk_id=chunk.chunk_id,
    )
    return memory, chunk


def fold_seconds(chunks: int) -> float:
    """Give the seconds that a whole warmup takes, tables and all."""
    with tempfile.TemporaryDirectory(prefix="backfold-bench-") as folder:
        write_history(Path(folder), chunks)
        began = time.perf_counter()
        fold(Path(folder), Reciter())
        return time.perf_counter() - began


def peak_megabytes(chunks: int) -> float:
    """Give the greatest memory of a process that folds so many chunks."""
    with tempfile.TemporaryDirectory(prefix="backfold-bench-") as folder:
        write_history(Path(folder), chunks)
        code = f"from {__name__} import fold_alone; fold_alone({folder!r})"
        told = subprocess.run(  # noqa: S603 - our own code
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        return int(told.stdout.split()[-1]) / 1024


def fold_alone(folder: str) -> None:
    """Fold a folder and tell the peak of this process in kilobytes; for a process of its own."""
    fold(Path(folder), Reciter())
    sys.stdout.write(f"{peak_kilobytes()}\n")


def peak_kilobytes() -> int:
    """Give this program's own peak; `getrusage` also knows that of whoever started it."""
    told = Path("/proc/self/status")
    if told.is_file():
        line = next(row for row in told.read_text().splitlines() if row.startswith("VmHWM"))
        return int(line.split()[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def fold(root: Path, model: Reciter) -> None:
    """Run the stage with a model of ours."""
    house = open_house(Workspace(root))
    house.out = house.err = lambda _: None
    with patch("stages.warmup.running.open_model", lambda *_: model):
        left = run(house, Wish(stages=("warmup",), only=True, force=True))
    assert not left, left[0]


def write_history(root: Path, chunks: int) -> None:
    """Write an agent's folder with the tables that warmup reads; again with more it goes on."""
    import polars as pl

    from pipeline.artifacts import PART_ROWS, dtypes, write_parts, write_table
    from pipeline.schemas import CHUNKS, ROOMS, TRANSCRIPT

    (root / "agent.toml").write_text(
        '[agent]\nname = "tilly"\nsource = "files"\nfiles = ["nowhere"]\n[self]\nusers = ["7"]\n'
        '[warmup]\nmodel = "reciter"\nmax_calls = 100_000\n'
    )
    items = [item(place) for place in range(chunks * EACH)]
    closed = [chunk(number, items[number * EACH : (number + 1) * EACH]) for number in range(chunks)]
    for table, made in ((CHUNKS, closed), (ROOMS, [ROOM])):
        write_table(root, table, pl.DataFrame(made, schema=dtypes(table)))
    with write_parts(root, TRANSCRIPT) as add:  # as curate writes it
        for at in range(0, len(items), PART_ROWS):
            add(pl.DataFrame(items[at : at + PART_ROWS], schema=dtypes(TRANSCRIPT)))
    (root / "tables/curated.json").write_text('{"settings": "as they are"}')


ROOM: dict[str, Any] = {
    "channel_id": "1", "guild_id": "9", "name": "workbench", "guild_name": "town",
    "parent_id": None, "type": 0, "is_private": False, "messages": 1, "selected": 1,
    "first_at": None, "last_at": None, "last_raw_id": None, "raw_bytes": 1,
}  # fmt: skip


def item(place: int) -> dict[str, Any]:
    """Give one row of the transcript: 430 characters."""
    own = place % 4 == 0
    text = f"{place}: {SAID * 5}"
    block = {"type": "text", "text": text}
    more = dict.fromkeys(("attachment_id", "media_type", "sha256"))
    return {
        "position": place, "item_id": str(FIRST_ID + place), "kind": "turn" if own else "message",
        "participant": "tilly" if own else "user", "is_self": own, "addressed": True,
        "sent_at": BEGAN + timedelta(hours=place // EACH, minutes=place % EACH),
        "edited_at": None, "absent_since": None, "channel_id": "1", "guild_id": "9",
        "is_private": False, "author_id": "7" if own else "8",
        "author_name": "tilly" if own else "mara", "message_ids": [str(FIRST_ID + place)],
        "reply_to_id": None, "text": text, "body": text, "blocks": [block | more],
        "metadata": "{}",
    }  # fmt: skip


def chunk(number: int, items: list[dict[str, Any]]) -> dict[str, Any]:
    """Give the row of a closed chunk."""
    size = sum(len(row["text"]) for row in items) // 3
    return {
        "chunk_id": f"c-{number}", "ordinal": number,
        "item_ids": [row["item_id"] for row in items],
        "first_position": items[0]["position"], "last_position": items[-1]["position"],
        "started_at": items[0]["sent_at"], "ended_at": items[-1]["sent_at"],
        "closed_by": "gap", "messages": len(items), "own_turns": len(items) // 4,
        "tokens_chunk": size, "tokens_store": size, "tokens_exact": None, "rooms": ["1"],
        "private_share": 0.0, "source_digest": f"{number:064}",
    }  # fmt: skip
