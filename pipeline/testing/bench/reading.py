"""
Reading raw: columns against pyarrow.json and a json loop, and a whole import against that loop.

The history is invented and lies in the cache folder; BACKFOLD_BENCH_MESSAGES says how large it
is (200,000 unless said otherwise; the bars are meant for 1,000,000, 0.96 GB, and hold for less).
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.testing.bench import Row, cpu_seconds, median_cost
from pipeline.testing.bench._talk import AGENT_ID, write_talk

if TYPE_CHECKING:
    import pyarrow as pa

TWELVE = (
    *("message_id", "channel_id", "type", "content", "sent_at", "edited_at"),
    *("author_id", "author_name", "is_bot", "reply_to_id", "mention_ids", "attachments"),
)
READING_BAR, CAREFUL_BAR, IMPORT_BAR = 0.9, 3.0, 1.5
PEAK_BAR_MB, AGAIN_BAR_SECONDS = 1000, 2.0
BLOCK = 16 << 20
RUN = """
import sys
from pipeline.cli import main
try:
    main()
finally:
    status = open("/proc/self/status").read().split()
    print(status[status.index("VmHWM:") + 1], file=sys.stderr)
"""


def rows() -> Iterable[Row]:
    """Yield the figures of reading and of a whole import."""
    messages = int(os.environ.get("BACKFOLD_BENCH_MESSAGES", "200000"))
    place = Path(os.environ.get("BACKFOLD_BENCH_FOLDER", tempfile.gettempdir()))
    corpus = write_talk(place / f"backfold-talk-{messages}", messages)
    files = sorted((corpus / "messages").glob("*.jsonl"))
    size = sum(path.stat().st_size for path in files) / 1e9
    said = f"{messages:,} messages, {size:.2f} GB"
    ours = median_cost(lambda: _count(_ours(files)))
    peer = median_cost(lambda: _count(_pyarrow(files)))
    yield _faster("raw → 12 columns, against pyarrow.json", messages, ours, peer, READING_BAR, said)
    loop = median_cost(lambda: _count(_loop(files)))
    with tempfile.TemporaryDirectory(prefix="backfold-bench-") as name:
        torn = [_tear(path, Path(name) / path.name) for path in files]
        careful = median_cost(lambda: _count(_ours(torn)))
    name = "… with a torn line in a thousand, against a json loop"
    yield _faster(name, messages, careful, loop, CAREFUL_BAR, said)
    yield from _import(corpus, loop, said)


def _faster(name: str, count: int, ours: float, peer: float, bar: float, said: str) -> Row:
    """Compare rows per CPU-second."""
    ratio = peer / ours
    return Row(
        name, count / ours, count / peer, "rows/cpu-s", ratio, f"≥ {bar} ×", ratio >= bar, said
    )


def _count(tables: Iterator[Any]) -> int:
    """Hold all columns at once, as a reader would who wants the whole."""
    return sum(len(table) for table in list(tables))


def _ours(files: list[Path]) -> "Iterator[pa.Table]":
    from pipeline.rawread import read_slices

    for path in files:
        yield from (part.rows for part in read_slices(path, TWELVE))


def _tear(path: Path, torn: Path) -> Path:
    """Copy a file with a torn line after every thousand."""
    with path.open("rb") as file, torn.open("wb") as copy:
        for number, line in enumerate(file, 1):
            copy.write(line)
            if number % 1000 == 0:
                copy.write(line[: len(line) // 2] + b"\n")
    return torn


def _pyarrow(files: list[Path]) -> "Iterator[pa.Table]":
    """Read the same columns as the anchor does: explicit schema, 16 MB blocks, ids cast behind."""
    import pyarrow as pa
    from pyarrow import compute
    from pyarrow import json as arrow_json

    text, stamp = pa.string(), pa.timestamp("us", "UTC")
    named = pa.list_(pa.struct([("id", text)]))
    author = pa.struct([("id", text), ("username", text), ("bot", pa.bool_())])
    fields = {
        **dict.fromkeys(("id", "channel_id", "content", "timestamp", "edited_timestamp"), text),
        "type": pa.int64(),
        "author": author,
        "message_reference": pa.struct([("message_id", text)]),
        "mentions": named,
        "attachments": named,
    }
    for path in files:
        table = arrow_json.read_json(
            path,
            read_options=arrow_json.ReadOptions(block_size=BLOCK),
            parse_options=arrow_json.ParseOptions(
                explicit_schema=pa.schema(list(fields.items())), unexpected_field_behavior="ignore"
            ),
        )
        author = table["author"].combine_chunks()
        reply = table["message_reference"].combine_chunks()
        yield pa.table(
            {
                "id": table["id"].cast(pa.int64()),
                "channel_id": table["channel_id"].cast(pa.int64()),
                **{name: table[name] for name in ("type", "content")},
                "sent_at": table["timestamp"].cast(stamp),
                "edited_at": table["edited_timestamp"].cast(stamp),
                "author_id": compute.struct_field(author, "id").cast(pa.int64()),
                "author_name": compute.struct_field(author, "username"),
                "is_bot": compute.struct_field(author, "bot"),
                "reply_to_id": compute.struct_field(reply, "message_id").cast(pa.int64()),
                "mention_ids": table["mentions"],
                "attachments": compute.list_value_length(table["attachments"]),
            }
        )


def _loop(files: list[Path]) -> "Iterator[Any]":
    """Read the same columns as anybody would: json.loads, lists, a frame."""
    import polars as pl

    for path in files:
        columns: dict[str, list[Any]] = {name: [] for name in TWELVE}
        add = [column.append for column in columns.values()]
        with path.open("rb") as file:
            for line in file:
                found = json.loads(line)
                author, reference = found["author"], found.get("message_reference")
                values = (
                    int(found["id"]),
                    int(found["channel_id"]),
                    found["type"],
                    found["content"],
                    found["timestamp"],
                    found["edited_timestamp"],
                    int(author["id"]),
                    author["username"],
                    author.get("bot", False),
                    int(reference["message_id"]) if reference else None,
                    [int(user["id"]) for user in found["mentions"]],
                    len(found["attachments"]),
                )
                for put, value in zip(add, values, strict=True):
                    put(value)
        yield pl.DataFrame(columns)


def _import(corpus: Path, loop: float, said: str) -> Iterator[Row]:
    """Import a corpus from files, twice: dump, curate, segment."""
    with tempfile.TemporaryDirectory(prefix="backfold-bench-") as name:
        folder = Path(name)
        (folder / "agent.toml").write_text(
            f'[agent]\nname = "tilly"\nsource = "files"\nfiles = ["{corpus}"]\n'
            f'[self]\nusers = ["{AGENT_ID}"]\n[dump]\nattachments = "none"\n'
        )
        cost, peak = _run(folder, "dump", "curate", "segment")
        ratio = cost / loop
        yield Row(
            "whole import from files, against the json loop",
            cost,
            loop,
            "cpu-s",
            ratio,
            f"≤ {IMPORT_BAR} ×",
            ratio <= IMPORT_BAR,
            said,
        )
        bar = f"≤ {PEAK_BAR_MB} MB"
        yield Row("… its peak", peak, None, "MB", None, bar, peak <= PEAK_BAR_MB, said)
        again, _ = _run(folder, "dump", "curate", "segment")
        bar = f"≤ {AGAIN_BAR_SECONDS} s"
        yield Row(
            "… again, with nothing new", again, None, "cpu-s", None, bar, again <= AGAIN_BAR_SECONDS
        )


def _run(folder: Path, *stages: str) -> tuple[float, float]:
    """
    Run stages in a process of their own; gives CPU-seconds and peak MB.

    The peak is read from /proc: what `getrusage` tells of a child begins with its parent's.
    """
    before = cpu_seconds()
    command = [sys.executable, "-c", RUN, "run", *stages, "--agent", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode not in (0, 3):
        raise RuntimeError(done.stderr[-2000:])
    peak_kb = int(done.stderr.split()[-1])
    return cpu_seconds() - before, peak_kb / 1024
