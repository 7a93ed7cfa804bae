"""How far a room is read: two cursors, taken from the pages that stand in raw."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from pipeline.raw import Page


@dataclass(frozen=True, slots=True)
class Reach:
    """
    The stretch of ids of one room that raw holds without a hole, ends included.

    `low` is where the walk down stands, `high` where the walk up does; null: never asked.
    """

    low: int | None = None
    high: int | None = None
    messages: int = 0
    lowest_id: int | None = None
    highest_id: int | None = None
    ends_at: int = 0

    def covers(self, floor: int, target: int) -> bool:
        """Say whether everything from `floor` to `target` was read."""
        return self.low is not None and self.high is not None and (
            self.low <= floor and target <= self.high
        )  # fmt: skip

    def after(self, page: Page) -> "Reach":
        """Give the reach with one more page."""
        lows = [n for n in (self.low, as_int(page.from_id)) if n is not None]
        highs = [n for n in (self.high, as_int(page.to_id)) if n is not None]
        lowest = [n for n in (self.lowest_id, as_int(page.lowest_id)) if n is not None]
        highest = [n for n in (self.highest_id, as_int(page.highest_id)) if n is not None]
        return replace(
            self,
            low=min(lows, default=None),
            high=max(highs, default=None),
            messages=self.messages + page.fresh,
            lowest_id=min(lowest, default=None),
            highest_id=max(highest, default=None),
            ends_at=page.ends_at,
        )


def reaches(pages: Iterable[Page]) -> dict[str, Reach]:
    """Give each room's reach from its pages; later pages only ever widen it."""
    found: dict[str, Reach] = {}
    for page in pages:
        found[page.channel_id] = found.get(page.channel_id, Reach()).after(page)
    return found


def as_int(text: str | None) -> int | None:
    """Read an id; null stays null."""
    return None if text is None else int(text)
