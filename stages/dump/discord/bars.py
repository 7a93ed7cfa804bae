"""Bars for people: one over all, one for the room that is being read."""

from dataclasses import dataclass
from typing import Any

from pipeline.progress import Progress
from pipeline.raw import Page
from pipeline.stage import Context
from stages.dump.discord.plan import Forecast

SETTLED_PAGES = 5  # before these, how far they reach says little


@dataclass(slots=True)
class Bars:
    """Two bars that count pages; `total` and `room_total` are estimates that get corrected."""

    ctx: Context[Any]
    total: int
    room_done: int = 0
    room_total: int = 0
    newest: int = 0
    starts_at: int = 0
    whole: Progress | None = None
    room: Progress | None = None

    def open(self) -> None:
        """Show the bar over all."""
        self.whole = self.ctx.progress(total=self.total, unit="page", label="dump")

    def enter(self, cost: Forecast) -> None:
        """Show the bar of one room."""
        self.leave()
        self.room_done, self.room_total = 0, cost.requests
        self.newest, self.starts_at = cost.ends_at, cost.starts_at
        label = cost.room.name[:24]
        self.room = self.ctx.progress(total=cost.requests, unit="page", label=label)

    def step(self, page: Page) -> None:
        """Move both on by a page, and correct the estimate by the part of the time that is read."""
        self.room_done += 1
        if not page.closed:
            self._expect(max(self.room_done + 1, self._likely(page)) - self.room_total)
        for bar in (self.whole, self.room):
            if bar is not None:
                bar.step()

    def _likely(self, page: Page) -> int:
        """Give how many pages the room likely has, from how far down its time they reached."""
        if page.direction != "down" or page.from_id is None or self.room_done < SETTLED_PAGES:
            return self.room_total
        read, span = self.newest - int(page.from_id), self.newest - self.starts_at
        if read <= 0 or span <= 0:
            return self.room_total
        return round(self.room_done * max(1.0, span / read))

    def leave(self) -> None:
        """Take the room's bar away; pages that it did not need are taken off the whole."""
        if self.room is not None:
            self._expect(min(0, self.room_done - self.room_total))
            self.room.close()
            self.room = None

    def close(self) -> None:
        """Take all bars away."""
        self.leave()
        if self.whole is not None:
            self.whole.close()

    def _expect(self, more: int) -> None:
        self.room_total, self.total = self.room_total + more, self.total + more
        if self.room is not None:
            self.room.expect(self.room_total)
        if self.whole is not None:
            self.whole.expect(self.total)
