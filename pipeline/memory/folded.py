"""
The history as it stood when memories were last made of it: what may not move any more.

Warmup notes it before it mints (`note_history`); curate asks for it (`folded_history`) and
keeps every item up to the end of the last chunk on which a memory stands.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from pipeline.memory.pyramid import Pyramid

STATE = "history"


@dataclass(frozen=True, slots=True)
class FoldedHistory:
    """
    The transcript from position 0 to the end of the last chunk with a memory.

    `message_ids` gives the Discord ids of items that hold several; `raw_bytes` is how far each
    room's raw file went; `chunks` are (chunk id, its last item id); `settings` names what
    decided which items there are.
    """

    item_ids: tuple[str, ...]
    last_sent_at: datetime
    message_ids: Mapping[str, tuple[str, ...]]
    raw_bytes: Mapping[str, int]
    chunks: tuple[tuple[str, str], ...]
    settings: str | None


@dataclass(frozen=True, slots=True)
class Noted:
    """What is kept in the pyramid's state."""

    item_ids: Sequence[str]
    message_ids: Mapping[str, Sequence[str]]
    raw_bytes: Mapping[str, int]
    settings: str | None


def noted(
    items: Iterable[tuple[str, Sequence[str]]],
    raw_bytes: Mapping[str, int],
    settings: str | None,
) -> Noted:
    """Gather what is noted of items (id, Discord ids) up to the end of the last closed chunk."""
    held = [(item_id, list(ids)) for item_id, ids in items]
    several = {item_id: ids for item_id, ids in held if ids not in ([], [item_id])}
    return Noted([item_id for item_id, _ in held], several, raw_bytes, settings)


def note_history(pyramid: Pyramid, noted: Noted) -> None:
    """Note the transcript's items from position 0 to the end of the last closed chunk."""
    pyramid.set_state(STATE, json.dumps(asdict(noted), separators=(",", ":")))


def folded_history(path: Path) -> FoldedHistory | None:
    """Give what stands under the pyramid's memories; None where there are none yet."""
    if not path.is_file():
        return None
    with Pyramid(path, read_only=True) as pyramid:
        state = pyramid.state(STATE)
        chunks = pyramid.chunks()
    if not chunks:
        return None
    kept = json.loads(state) if state else {}
    last = chunks[-1].items[-1]
    item_ids = list(kept.get("item_ids", ()))
    if last.item_id not in item_ids:  # made by another hand: the chunks alone are known
        item_ids = [item_id for chunk in chunks for item_id in chunk.item_ids]
    item_ids = item_ids[: item_ids.index(last.item_id) + 1]
    several = kept.get("message_ids", {})
    return FoldedHistory(
        item_ids=tuple(item_ids),
        last_sent_at=last.sent_at,
        message_ids={i: tuple(several[i]) for i in item_ids if i in several},
        raw_bytes=kept.get("raw_bytes", {}),
        chunks=tuple((chunk.chunk_id, chunk.items[-1].item_id) for chunk in chunks),
        settings=kept.get("settings"),
    )
