"""What one import works with: raw, the clock, what was read before, and what is to be told."""

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from pipeline.raw import Raw
from stages.dump.files.media import Media
from stages.dump.files.room import Stretch
from stages.dump.files.tables import Tables

Object = dict[str, Any]
READER = 1  # goes up when files read before must be read again


@dataclass(slots=True)
class Desk:
    """The state of one import; `files` and `rooms` become rows of the manifest."""

    raw: Raw
    now: datetime
    say: Callable[[str], None]
    tick: Callable[[int], None]
    media: Media
    tables: Tables
    files: dict[str, Object]
    rooms: dict[str, Object]
    discord_rooms: frozenset[str] = frozenset()  # dumped from Discord: its objects stand
    bot: Mapping[str, Any] | None = None
    fates: Counter[str] = field(default_factory=Counter)
    touched: set[str] = field(default_factory=set)
    talking: set[str] = field(default_factory=set)  # rooms that hold or are about to hold talk
    starters: dict[str, list[tuple[Object, str, str]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def is_unchanged(self, path: Path) -> bool:
        """Say whether a file was read before and stands as it stood."""
        row = self.files.get(str(path))
        if row is None or row.get("reader") != READER or row.get("stamp") != stamp(path):
            return False
        if self.chooses_anew(row):
            return False
        room = row.get("channel_id")
        return not row.get("messages") or self.raw.messages_path(str(room)).exists()

    def chooses_anew(self, row: Mapping[str, Any]) -> bool:
        """Say whether files lay beside an export that another choice of files may take."""
        return bool(row.get("beside")) and row.get("wanted") != self.media.wanted.name

    def note(self, path: Path, status: str, reason: str = "", **facts: Any) -> Object:
        """Give a file its row; what was known of it before is replaced."""
        row: Object = {
            "path": str(path),
            "status": status,
            "reason": reason,
            "channel_id": None,
            "messages": 0,
            "salvaged": 0,
            "lost": {},
            **facts,
            "wanted": self.media.wanted.name,
            "stamp": stamp(path),
            "reader": READER,
            "read_at": self.now.isoformat(),
        }
        self.files[str(path)] = row
        return row

    def skip(self, path: Path, reason: str, *, unfinished: bool = False) -> None:
        """Note a file that is not taken, and say so; `unfinished` where it ought to have been."""
        self.note(path, "skipped", reason, unfinished=unfinished)
        self.say(f"{path.name}: skipped, {reason}")

    def stretches(self, channel_id: str) -> list[Stretch]:
        """Give the stretches of ids that exports read earlier cover in a room."""
        return [
            Stretch(int(row["lowest_id"]), int(row["highest_id"]), row["exported_at"])
            for row in self.files.values()
            if row["channel_id"] == channel_id and row.get("exported_at") and row.get("lowest_id")
        ]

    def has_talk(self, channel_id: str) -> bool:
        """Say whether a room has messages of its own, now or by the end of this import."""
        path = self.raw.messages_path(channel_id)
        return channel_id in self.talking or (path.exists() and path.stat().st_size > 0)


def stamp(path: Path) -> list[int]:
    """Give what changes when a file, or the media folder beside it, does."""
    facts = [path] if path.is_file() else []
    beside = path.with_name(path.name + "_Files")
    found = []
    for one in (*facts, *([beside] if beside.is_dir() else [])):
        state = one.stat()
        found += [state.st_size, state.st_mtime_ns]
    return found


def counts(*counters: Mapping[str, int]) -> dict[str, int]:
    """Give counters as one, what never happened left out."""
    total: Counter[str] = Counter()
    for counter in counters:
        total.update(counter)
    return {reason: count for reason, count in sorted(total.items()) if count}
