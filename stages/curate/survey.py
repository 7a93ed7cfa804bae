"""Go through every room of raw once: what is selected and rejected, who spoke, what is broken."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.progress import Progress
from pipeline.rawlines import BadLine
from stages.curate.arrange import Selection, join_rooms, select_room
from stages.curate.authors import Authors
from stages.curate.folded import Folded
from stages.curate.gather import Gathered, gather_room
from stages.curate.judge import Judge, Room
from stages.curate.lines import Source
from stages.curate.people import Head, RoomCount, count_authors, count_room

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

    Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class Broken:
    """A line of raw that is no message."""

    path: Path
    line: BadLine


@dataclass(slots=True)
class Rejects:
    """Messages left out, column by column."""

    channel_id: list[str] = field(default_factory=list)
    message_id: list[str] = field(default_factory=list)
    reason: list[str] = field(default_factory=list)
    sent_ms: list[int] = field(default_factory=list)
    author_id: list[str | None] = field(default_factory=list)

    def add(
        self,
        channel_id: str,
        ids: "Array",
        reasons: Sequence[str],
        sent_ms: "Array",
        author_ids: Sequence[str | None],
    ) -> None:
        """Add messages of one room."""
        self.channel_id += [channel_id] * len(reasons)
        self.message_id += [str(i) for i in ids.tolist()]
        self.reason += reasons
        self.sent_ms += sent_ms.tolist()
        self.author_id += author_ids

    def frame(self) -> "pl.DataFrame":
        """Give them as REJECTS."""
        import polars as pl

        from pipeline.artifacts import dtypes
        from pipeline.schemas import REJECTS

        columns = {
            "channel_id": self.channel_id,
            "message_id": self.message_id,
            "reason": self.reason,
            "sent_at": pl.Series(self.sent_ms, dtype=pl.Int64),
            "author_id": self.author_id,
        }
        types = dtypes(REJECTS)
        frame = pl.DataFrame(columns, schema_overrides={**types, "sent_at": pl.Int64()})
        return frame.with_columns(pl.col("sent_at").cast(types["sent_at"]))

    def counts(self) -> Counter[str]:
        """Count them by reason."""
        return Counter(self.reason)


@dataclass(slots=True)
class Survey:
    """What came of all rooms; rooms are numbered in the order of `sources`."""

    sources: list[Source]
    authors: Authors = field(default_factory=Authors)
    parts: list[Selection] = field(default_factory=list)
    rooms: list[RoomCount] = field(default_factory=list)
    heads: dict[int, Head] = field(default_factory=dict)
    rejects: Rejects = field(default_factory=Rejects)
    broken: list[Broken] = field(default_factory=list)
    mended: int = 0
    hits: int = 0

    @property
    def selection(self) -> Selection:
        """The selected messages of all rooms."""
        return join_rooms(self.parts)

    def author_ids(self) -> list[str | None]:
        """Give the id of each author by number; null where raw has none."""
        return [author_id or None for author_id, _ in self.authors.numbers]

    def take(
        self, number: int, one: Gathered, reasons: Sequence[str], folded: Folded | None
    ) -> None:
        """Keep what is needed of a room; its rows are then let go."""
        source = self.sources[number]
        self.parts.append(select_room(number, one, folded))
        self.rooms.append(count_room(one, source.place))
        count_authors(self.heads, one)
        left = one.rows.at(one.rejected)
        author_ids = self.author_ids()
        self.rejects.add(
            source.place.channel_id,
            left.message_id,
            [reasons[number] for number in left.reason.tolist()],
            left.sent_ms,
            [author_ids[number] for number in left.author.tolist()],
        )
        self.broken += [Broken(source.path, line) for line in one.bad]
        self.mended += one.mended
        self.hits += int(one.hit.sum())

    def drop(self, rows: Selection, reason: str) -> None:
        """Reject messages after all."""
        author_ids = self.author_ids()
        for number, source in enumerate(self.sources):
            own = rows.at(rows.room == number)
            self.rejects.add(
                source.place.channel_id,
                own.message_id,
                [reason] * len(own.room),
                own.sent_ms,
                [author_ids[n] for n in own.author.tolist()],
            )


def survey(
    sources: list[Source],
    rooms: Sequence[Room],
    judge: Judge,
    *,
    folded: Folded | None,
    progress: Progress,
) -> Survey:
    """Read every room, one at a time."""
    import numpy as np

    found = Survey(sources)
    folded_ids = np.array(folded.discord_ids(), np.int64) if folded else None
    for number, (source, room) in enumerate(zip(sources, rooms, strict=True)):
        one = gather_room(source.path, room, judge, found.authors, folded_ids=folded_ids)
        found.take(number, one, judge.reasons.texts, folded)
        progress.step(one.raw_bytes)
    return found


def utc(milliseconds: int) -> datetime:
    """Give UTC milliseconds as a time."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
