"""
What a kill, a full disk or a cut file left in a raw folder, put right without losing a line.

A torn last line is cut: it is half of something that will be asked for again. Whole lines
stay, whether a page was noted for them or not. Where lines are gone that a page was noted
for, those pages count no more, so that the same stretch is read again.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import xxhash

from pipeline.files import append_line, cut_torn_line, write_whole
from pipeline.raw import LINE_FILES, Page, Raw

FOUND = "found without a page"


def recover(raw: Raw) -> list[str]:
    """Put a raw folder right; says what was done. Orphaned lines are known to `raw` afterwards."""
    said = [
        f"{name}.jsonl: a torn last line of {cut} bytes was cut"
        for name in LINE_FILES
        if (cut := cut_torn_line(raw.root / f"{name}.jsonl"))
    ]
    ends: dict[str, list[int]] = {}
    for page in raw.pages():
        ends.setdefault(page.channel_id, []).append(page.ends_at)
    short = []
    for channel_id in raw.channel_ids():
        path = raw.messages_path(channel_id)
        if cut := cut_torn_line(path):
            said.append(f"{path.name}: a torn last line of {cut} bytes was cut")
        size = path.stat().st_size
        if size < max(ends.get(channel_id, [0])):
            short.append(channel_id)
            said.append(f"{path.name}: lines that were read once are gone; they are read again")
    short += [
        channel_id
        for channel_id in ends
        if max(ends[channel_id]) and not raw.messages_path(channel_id).exists()
    ]
    if short:
        forget_pages(raw, set(short))
        ends = {c: [] for c in ends}
        for page in raw.pages():
            ends[page.channel_id].append(page.ends_at)
    for channel_id in raw.channel_ids():
        said += adopt(raw, channel_id, max(ends.get(channel_id, []), default=0))
    return said


def adopt(raw: Raw, channel_id: str, noted: int) -> list[str]:
    """Keep the whole lines behind byte `noted`: note them, and remember them for `raw`."""
    path = raw.messages_path(channel_id)
    if path.stat().st_size <= noted:
        return []
    orphans = raw.orphans.setdefault(channel_id, set())
    ids, count = [], 0
    for line in lines_from(path, noted):
        orphans.add(line_hash(line))
        count += 1
        found = id_in(line)
        if found is not None:
            ids.append(found)
    page = Page(
        channel_id=channel_id,
        how=FOUND,
        direction="window",
        count=count,
        fetched_at=datetime.now(UTC).isoformat(),
        lowest_id=str(min(ids)) if ids else None,
        highest_id=str(max(ids)) if ids else None,
    )
    raw.close_page(page, path.stat().st_size)
    return [f"{path.name}: {count} lines of a page that was never noted are kept"]


def forget_pages(raw: Raw, channel_ids: set[str]) -> None:
    """Let the pages behind what these rooms still hold count no more; they stay in a file aside."""
    kept: list[str] = []
    lost: list[str] = []
    for page in raw.pages():
        path = raw.messages_path(page.channel_id)
        size = path.stat().st_size if path.exists() else 0
        is_lost = page.channel_id in channel_ids and page.ends_at > size
        (lost if is_lost else kept).append(json.dumps(asdict(page), separators=(",", ":")))
    append_line(raw.root / "pages.lost.jsonl", "\n".join(lost).encode())
    write_whole(raw.root / "pages.jsonl", "".join(f"{line}\n" for line in kept).encode())
    manifest = raw.read_manifest()
    stale = [f for f in manifest.get("files", []) if f.get("channel_id") in channel_ids]
    for entry in stale:
        entry["stamp"] = None  # an export that did not change is read again all the same
    if stale:
        raw.write_manifest(manifest)


def lines_from(path: Path, start: int) -> Iterator[bytes]:
    """Read whole lines from a byte on, without their newline."""
    with path.open("rb") as file:
        file.seek(start)
        for line in file:
            yield line.rstrip(b"\n")


def line_hash(line: bytes) -> int:
    """Name a line by its content."""
    return int(xxhash.xxh3_64_intdigest(line))


def id_in(line: bytes) -> int | None:
    """Give a message's id; null where the line holds none."""
    try:
        row: Any = json.loads(line)
        return int(row["id"])
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
