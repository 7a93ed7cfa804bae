"""Finished items as rows of the transcript, and as lines of the JSONL dataset."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.rawmend import read_time
from stages.curate.entry import Entry
from stages.curate.hide import joined

if TYPE_CHECKING:
    import polars as pl

BLOCK_FIELDS = ("type", "text", "attachment_id", "media_type", "sha256")


def metadata_of(entries: Sequence[Entry]) -> list[bytes]:
    """Give each entry's metadata as JSON; table and dataset both hold it."""
    return [msgspec.json.encode(entry.metadata) for entry in entries]


def transcript_frame(
    entries: Sequence[Entry], metadata: Sequence[bytes], first_position: int
) -> "pl.DataFrame":
    """
    Give entries as rows of TRANSCRIPT, positions counted from `first_position`.

    Columns are built in Arrow: nested Python lists cost polars several times as much.
    """
    import polars as pl
    import pyarrow as pa

    count = len(entries)
    stamp = pa.timestamp("ms", "UTC")
    columns: dict[str, Any] = {
        "position": pa.array(range(first_position, first_position + count), pa.int64()),
        "item_id": _texts(e.item_id for e in entries),
        "kind": _texts(e.kind for e in entries),
        "participant": _texts(e.participant for e in entries),
        "is_self": pa.array([e.is_self for e in entries], pa.bool_()),
        "addressed": pa.array([e.addressed for e in entries], pa.bool_()),
        "sent_at": pa.array([e.sent_ms for e in entries], pa.int64()).cast(stamp),
        "edited_at": pa.array([_time(e.edited_at) for e in entries], stamp),
        "absent_since": pa.array([_time(e.absent_since) for e in entries], stamp),
        "channel_id": _texts(e.place.channel_id for e in entries),
        "guild_id": _texts(e.place.guild_id for e in entries),
        "is_private": pa.array([e.place.is_private for e in entries], pa.bool_()),
        "author_id": _texts(e.author_id for e in entries),
        "author_name": _texts(e.author_name for e in entries),
        "message_ids": pa.array([e.message_ids for e in entries], pa.list_(pa.string())),
        "reply_to_id": _texts(e.reply_to_id for e in entries),
        "text": _texts(joined(e) for e in entries),
        "body": _texts(e.body for e in entries),
        "blocks": _blocks(entries),
        "metadata": pa.array(metadata, pa.binary()).cast(pa.string()),
    }
    frame = pl.from_arrow(pa.table(columns))
    assert isinstance(frame, pl.DataFrame)
    return frame


def dataset_lines(entries: Sequence[Entry], metadata: Sequence[bytes]) -> Iterator[bytes]:
    """Give one JSON line an item: id, participant, content blocks, timestamp (ms), metadata."""
    encode = msgspec.json.encode
    for entry, noted in zip(entries, metadata, strict=True):
        line = {
            "id": entry.item_id,
            "participant": entry.participant,
            "content": entry.blocks,
            "timestamp": entry.sent_ms,
            "metadata": msgspec.Raw(noted),
        }
        yield encode(line) + b"\n"


def _texts(values: "Iterator[str | None]") -> Any:
    import pyarrow as pa

    return pa.array(list(values), pa.string())  # a generator costs Arrow twice as much


def _time(value: str | None) -> datetime | None:
    """Read a time of Discord's; null where there is none or it cannot be read."""
    found = read_time(value)
    return None if found is None else found.astimezone(UTC)


def _blocks(entries: Sequence[Entry]) -> Any:
    """Build the list column of blocks from flat values and offsets."""
    import numpy as np
    import pyarrow as pa

    flat = [block for entry in entries for block in entry.blocks]
    offsets = np.zeros(len(entries) + 1, np.int32)
    np.cumsum([len(entry.blocks) for entry in entries], out=offsets[1:])
    fields = [pa.array([block.get(name) for block in flat], pa.string()) for name in BLOCK_FIELDS]
    return pa.ListArray.from_arrays(
        pa.array(offsets), pa.StructArray.from_arrays(fields, list(BLOCK_FIELDS))
    )
