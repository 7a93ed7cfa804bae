"""
Read the last days of a room again: for edits, and for what is there no more.

A changed object is appended (the last per id wins). A message is noted as absent only when
the whole stretch was read again and did not bring it; anything less proves nothing (B038).
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pipeline.raw import Page, Raw
from stages.dump.discord.reach import Reach, as_int
from stages.dump.discord.rooms import Room
from stages.dump.discord.routes import PAGE_SIZE
from stages.dump.discord.walk import Trip, fetch, guard, id_of, keep, page_of, within

# The signature of a CDN link is new in every answer and says nothing about the message.
SIGNATURE = re.compile(rb"\?ex=[0-9a-f]+&is=[0-9a-f]+&hm=[0-9a-f]+&?")


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of ids of one room that is read again, and what raw holds of it."""

    low: int
    high: int
    held: Mapping[int, bytes]  # id → its object, in a form that can be compared


def window_of(raw: Raw, room: Room, pages: Sequence[Page], reach: Reach, low: int) -> Window | None:
    """Give the stretch from `low` to the highest id held; null where nothing is held there."""
    if reach.low is None or reach.highest_id is None:
        return None
    low = max(low, reach.low)
    if reach.highest_id < low:
        return None
    held = dict(held_since(raw.messages_path(room.channel_id), pages, low))
    return Window(low, reach.highest_id, held) if held else None


def held_since(path: Path, pages: Sequence[Page], low: int) -> Iterable[tuple[int, bytes]]:
    """Read the objects of a room from `low` on; only the parts of its file that can hold any."""
    start = 0
    with path.open("rb") as file:
        for page in pages:
            if (as_int(page.highest_id) or -1) >= low:
                file.seek(start)
                for line in file.read(page.ends_at - start).split(b"\n"):
                    if line and (row := json.loads(line)) and id_of(row) >= low:
                        yield id_of(row), comparable(row)
            start = page.ends_at


def comparable(row: Mapping[str, Any]) -> bytes:
    """Give an object so that equal ones are equal bytes, whatever their links are signed with."""
    return SIGNATURE.sub(b"", json.dumps(row, sort_keys=True, separators=(",", ":")).encode())


async def reread(trip: Trip, room: Room, window: Window) -> Reach:
    """Read a stretch again; appends what changed, notes what is gone once all of it was read."""
    seen: set[int] = set()
    cursor = max(0, window.low - 1)
    reach = Reach()
    while cursor < window.high:
        rows = await fetch(trip, room, {"after": cursor})
        above = [row for row in rows if id_of(row) > cursor]
        guard(room, rows, above, f"after={cursor}")
        inside = [row for row in above if id_of(row) <= window.high and within(row, trip.scope)]
        changed = [row for row in inside if window.held.get(id_of(row)) != comparable(row)]
        seen.update(map(id_of, inside))
        top = max(map(id_of, above), default=cursor)
        closed = len(rows) < PAGE_SIZE or top >= window.high
        page = page_of(room, "window", cursor, rows, changed, trip)
        page = replace(
            page, closed=closed, fresh=sum(id_of(row) not in window.held for row in changed)
        )
        reach = reach.after(keep(trip, room, changed, page))
        cursor = window.high if closed else top
    note_absent(trip.raw, room, window, seen, trip.now())
    return reach


def note_absent(raw: Raw, room: Room, window: Window, seen: set[int], now: datetime) -> None:
    """Note the messages of a stretch that a complete re-read did not bring, once each."""
    missing = sorted(window.held.keys() - seen)
    if not missing:
        return
    known = {
        int(row["message_id"]) for row in raw.rows("absences")
        if row["channel_id"] == room.channel_id
    }  # fmt: skip
    raw.append_rows(
        "absences",
        [
            {
                "channel_id": room.channel_id,
                "message_id": str(message_id),
                "absent_since": now.isoformat(),
                "low_id": str(window.low),
                "high_id": str(window.high),
            }
            for message_id in missing
            if message_id not in known
        ],
    )
