"""
A history as the fold sees it: one entry an item, in store order, sizes and times only.

The fold never looks at words. What it needs of an item is how big it is by each ruler, when
it was, whether it stands in a private room, and a few marks that live stores may hold.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from pipeline.memory.rulers import measure

if TYPE_CHECKING:
    import polars as pl

TOPIC_SIGN = "[Topic Transition]"  # how the host's manager opens a new head (folding §3)
MANAGER = "Context Manager"
BLOCK_FIELDS = ("type", "text", "attachment_id", "media_type", "sha256")
COLUMNS = ["item_id", "participant", "sent_at", "is_private", "text", "blocks"]


@dataclass(frozen=True, slots=True)
class History:
    """
    Items by place, 0 the oldest; the sequences are equally long, the sets hold places.

    `store_tokens`, `chunk_tokens` and `silence_tokens` are sizes by the three rulers, `images`
    counts image blocks, `sent_at_ms` are milliseconds since 1970.
    """

    item_ids: Sequence[str]
    sent_at_ms: Sequence[int]
    store_tokens: Sequence[int]
    chunk_tokens: Sequence[int]
    silence_tokens: Sequence[int]
    is_private: Sequence[bool]
    images: Sequence[int]
    tool_calls: frozenset[int] = field(default_factory=frozenset)
    tool_results: frozenset[int] = field(default_factory=frozenset)
    topics: frozenset[int] = field(default_factory=frozenset)

    def __len__(self) -> int:
        return len(self.item_ids)

    def places(self, item_ids: Iterable[str]) -> list[int]:
        """Give the places of those of `item_ids` that still exist, in their order."""
        place = {item_id: at for at, item_id in enumerate(self.item_ids)}
        return [place[item_id] for item_id in item_ids if item_id in place]


def read_history(transcript: "pl.DataFrame", calibration: float = 1.0) -> History:
    """Measure a transcript (columns as in COLUMNS, rows in store order)."""
    import polars as pl

    sizes = measure(transcript["blocks"], calibration)
    is_topic = (pl.col("participant") == MANAGER) & pl.col("text").str.starts_with(TOPIC_SIGN)
    topics = transcript.select(is_topic.arg_true()).to_series()
    return History(
        item_ids=transcript["item_id"].to_list(),
        sent_at_ms=transcript["sent_at"].dt.epoch("ms").to_list(),
        store_tokens=sizes.store.tolist(),
        chunk_tokens=sizes.chunk.tolist(),
        silence_tokens=sizes.silence.tolist(),
        is_private=transcript["is_private"].to_list(),
        images=sizes.images.tolist(),
        tool_calls=places_with(transcript, "tool_use"),
        tool_results=places_with(transcript, "tool_result"),
        topics=frozenset(topics.to_list()),
    )


def join_histories(parts: Iterable[History]) -> History:
    """Lay parts of one history end to end."""
    marks = ("tool_calls", "tool_results", "topics")
    lists: dict[str, list[Any]] = {one.name: [] for one in fields(History)}
    for part in parts:
        before = len(lists["item_ids"])
        for name, values in lists.items():
            found = getattr(part, name)
            values += (before + place for place in found) if name in marks else found
    joined: dict[str, Any] = {
        name: frozenset(values) if name in marks else values for name, values in lists.items()
    }
    return History(**joined)


def places_with(transcript: "pl.DataFrame", kind: str) -> frozenset[int]:
    """Give the places of the items that hold a block of this kind."""
    import polars as pl

    kinds = pl.col("blocks").list.eval(pl.element().struct.field("type") == kind)
    return frozenset(transcript.select(kinds.list.any().arg_true()).to_series().to_list())


def spell(transcript: "pl.DataFrame") -> "pl.Series":
    """
    Write each item (`item_id`, `blocks`) as one string that no other item has.

    Every part stands behind its length in bytes, so that nothing in a text can pass for
    the end of it. Equal spelling means: the agent reads the same.
    """
    import polars as pl

    parts = [pl.element().struct.field(name) for name in BLOCK_FIELDS]
    told = [pl.format("{}:{}", p.str.len_bytes(), p).fill_null("-") for p in parts]
    blocks = pl.col("blocks").list.eval(pl.concat_str(told, separator="|")).list.join("\n")
    return transcript.select(pl.concat_str("item_id", blocks, separator="\n")).to_series()


def source_digest(spelled: Iterable[str]) -> str:
    """Hash a chunk's items as `spell` writes them: SHA-256, in hex."""
    whole = hashlib.sha256()
    for item in spelled:
        whole.update(item.encode())
        whole.update(b"\n\n")
    return whole.hexdigest()
