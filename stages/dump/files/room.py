"""
One room of raw as files are merged into it: what is new, what changed, what is gone.

The newest export wins for each message; Discord's own objects stand above every export.
A changed object is appended, never written over (design rule 1).
"""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pipeline.raw import Page, Raw

BATCH_BYTES = 4 << 20
# The signature of a CDN link is new in every export and says nothing about the message.
SIGNATURE = re.compile(r"(?<=[?&])(?:ex|is|hm)=[0-9a-fA-F]*&?")
_encode = json.JSONEncoder(separators=(",", ":")).encode
Object = dict[str, Any]
Fate = Literal["fresh", "changed", "same", "older"]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of ids that an export taken earlier covers."""

    low: int
    high: int
    exported_at: str


@dataclass(slots=True)
class Room:
    """
    What raw holds of a channel, by id, and the rows about to join it.

    `held` gives for an id the object's digest and when it was exported (null: it is
    Discord's own). `stretches` keep an old export, imported late, from winning.
    """

    raw: Raw
    channel_id: str
    now: datetime
    stretches: Sequence[Stretch] = ()
    held: dict[int, tuple[int, str | None]] = field(default_factory=dict)
    speakers: dict[str, Object] = field(default_factory=dict)
    changed: bool = False
    _lines: list[bytes] = field(default_factory=list)
    _ids: list[int] = field(default_factory=list)
    _bytes: int = 0
    _fresh: int = 0

    def load(self, wanted: frozenset[str] | set[str] = frozenset()) -> "Room":
        """Read what raw holds already; notes who wrote the `wanted` messages."""
        stamps: dict[str, str] = {}
        path = self.raw.messages_path(self.channel_id)
        if not path.exists():
            return self
        with path.open("rb") as file:
            for line in file:
                try:
                    found = json.loads(line)
                    number = int(found["id"])
                except (ValueError, KeyError, TypeError, RecursionError):
                    continue  # a damaged line is curate's to name; it holds back nothing here
                told = found.get("dce")
                stamp = told.get("exported_at") if isinstance(told, dict) else None
                self.held[number] = (
                    digest_of(text_of(found)),
                    stamps.setdefault(stamp, stamp) if stamp is not None else None,
                )
                if found["id"] in wanted:
                    self.speakers[found["id"]] = found.get("author") or {}
        return self

    def take(self, found: Object, exported_at: str, how: str) -> Fate:
        """Put an object in if it is new or newer than what stands; says what became of it."""
        number = int(found["id"])
        bare = text_of(found)
        own = digest_of(bare)
        known = self.held.get(number)
        if known is None:
            fate: Fate = "fresh"
        elif known[1] is None:
            return "older"
        elif known[0] == own:
            self.held[number] = (own, max(known[1], exported_at))
            return "same"
        elif self._newest(number, known[1]) >= exported_at:
            return "older"
        else:
            fate = "changed"
        self.held[number] = (own, exported_at)
        self._ids.append(number)
        self._fresh += known is None
        kept = _encode(found["dce"])
        line = f'{bare[:-1]},"dce":{kept}}}'.encode("ascii")
        self._lines.append(line)
        self._bytes += len(line)
        if self._bytes >= BATCH_BYTES:
            self.flush(how)
        return fate

    def flush(self, how: str, *, closed: bool = False) -> None:
        """Make the rows so far durable as one page, `how` naming the file they came from."""
        if not self._lines:
            return
        page = Page(
            channel_id=self.channel_id,
            how=how,
            direction="file",
            count=len(self._lines),
            fresh=self._fresh,
            fetched_at=self.now.isoformat(),
            lowest_id=str(min(self._ids)),
            highest_id=str(max(self._ids)),
            closed=closed,
        )
        self.raw.append_messages(self.channel_id, self._lines, page)
        self.changed = True
        self._lines, self._ids, self._bytes, self._fresh = [], [], 0, 0

    def missing(self, seen: set[int], exported_at: str) -> tuple[list[int], int]:
        """
        Give the ids that older exports hold in the stretch of `seen` and this one does not.

        Also gives how many ids of that stretch were held: with many gone the file is
        filtered or short, and proves nothing (known-faults B030, B038).
        """
        low, high = min(seen, default=0), max(seen, default=-1)
        older = [
            number
            for number, (_, stamp) in self.held.items()
            if low <= number <= high and (number in seen or (stamp or "~") < exported_at)
        ]
        return sorted(number for number in older if number not in seen), len(older)

    def _newest(self, number: int, stamp: str) -> str:
        covering = (s.exported_at for s in self.stretches if s.low <= number <= s.high)
        return max(stamp, *covering, "")


def text_of(found: Object) -> str:
    """Write an object as its line has it, `dce` left out."""
    bare = {name: value for name, value in found.items() if name != "dce"}
    return _encode(bare)


def digest_of(text: str) -> int:
    """Give a number that is the same for equal objects, whatever their links are signed with."""
    return hash(SIGNATURE.sub("", text) if "hm=" in text else text)


def absences(
    raw: Raw, channel_id: str, gone: Iterable[int], seen: set[int], exported_at: str
) -> int:
    """Note messages that a newer export of their stretch does not bring, once each."""
    noted = {
        int(row["message_id"]) for row in raw.rows("absences") if row["channel_id"] == channel_id
    }
    fresh = [number for number in gone if number not in noted]
    raw.append_rows(
        "absences",
        [
            {
                "channel_id": channel_id,
                "message_id": str(number),
                "absent_since": exported_at,
                "low_id": str(min(seen)),
                "high_id": str(max(seen)),
            }
            for number in fresh
        ],
    )
    return len(fresh)
