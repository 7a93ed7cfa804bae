"""
How fast we may ask: one pace for everything, Discord's buckets, waits that it imposes.

The living agent shares these limits and this address, so we stay well below them. Every
wait is ours (the library never sleeps), so it can be shown, and tests need not wait.
"""

import asyncio
import math
import random
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

SHOWN_SECONDS = 10.0  # a longer wait is told
SLICE_SECONDS = 600.0  # and told again this often
INVALID_WINDOW_SECONDS = 600.0
LONGEST_RESET_SECONDS = 3_600.0  # a bucket that says more is asked again by then
INVALID_LIMIT = 5_000  # Discord blocks an address at 10,000; half is left to the agent


@dataclass(frozen=True, slots=True)
class Clock:
    """Time as the limiter uses it; tests bring their own."""

    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    jitter: Callable[[], float] = random.random


@dataclass(slots=True)
class Limiter:
    """
    The one gate that every request passes.

    `per_second` 0 is no pace of our own (loopback only). A lane is route × resource; once
    an answer names its bucket, lanes of one bucket and resource share their state.
    """

    per_second: float
    clock: Clock
    tell: Callable[[str], None]
    next_at: float = 0.0
    global_until: float = 0.0
    buckets: dict[str, str] = field(default_factory=dict)  # route → bucket hash
    until: dict[str, float] = field(default_factory=dict)  # lane or bucket → when it reopens
    invalid_at: deque[float] = field(default_factory=deque)

    async def ready(self, route: str, resource: str) -> None:
        """Wait until one more request of this route and resource may leave."""
        while (wait := self._wait_for(route, resource)) > 0:
            await self.wait(wait, "Discord's rate limit")
        if self.per_second > 0:
            self.next_at = max(self.next_at, self.clock.monotonic()) + 1.0 / self.per_second

    def _wait_for(self, route: str, resource: str) -> float:
        now = self.clock.monotonic()
        while self.invalid_at and self.invalid_at[0] <= now - INVALID_WINDOW_SECONDS:
            self.invalid_at.popleft()
        room_at = 0.0
        if len(self.invalid_at) >= INVALID_LIMIT:
            room_at = self.invalid_at[0] + INVALID_WINDOW_SECONDS
        keys = (f"{route}:{resource}", f"{self.buckets.get(route)}:{resource}")
        gates = [self.until.get(key, 0.0) for key in keys]
        pace = self.next_at if self.per_second > 0 else 0.0
        return max(pace, self.global_until, room_at, *gates) - now

    def learn(self, route: str, resource: str, status: int, headers: Mapping[str, str]) -> None:
        """Take from an answer what it says about its bucket, and count it if it was invalid."""
        scope = headers.get("X-RateLimit-Scope")
        if status in {401, 403} or (status == 429 and scope != "shared"):
            self.invalid_at.append(self.clock.monotonic())
        if bucket := headers.get("X-RateLimit-Bucket"):
            self.buckets[route] = bucket
        remaining = number(headers.get("X-RateLimit-Remaining"))
        reset_after = number(headers.get("X-RateLimit-Reset-After"))
        if remaining is not None and reset_after is not None and remaining <= 0:
            key = f"{self.buckets.get(route, route)}:{resource}"
            self.until[key] = self.clock.monotonic() + min(reset_after, LONGEST_RESET_SECONDS)

    def refused(self, route: str, resource: str, seconds: float, *, everywhere: bool) -> None:
        """Close a lane, or everything, for as long as a 429 says."""
        at = self.clock.monotonic() + seconds
        if everywhere:
            self.global_until = max(self.global_until, at)
        else:
            key = f"{route}:{resource}"
            self.until[key] = max(self.until.get(key, 0.0), at)

    async def wait(self, seconds: float, why: str) -> None:
        """Sleep; a long wait is told first and again now and then (state is on disk)."""
        left = seconds
        while left > 0:
            if left > SHOWN_SECONDS:
                self.tell(
                    f"dump: waiting {duration(left)} ({why}); what is read so far is on disk, "
                    f"and the run may be stopped and resumed"
                )
            part = min(left, SLICE_SECONDS)
            await self.clock.sleep(part)
            left -= part


def number(text: str | None) -> float | None:
    """Read a header's number; null where there is none, or one that nothing can be done with."""
    try:
        value = None if text is None else float(text)
    except ValueError:
        return None
    return value if value is not None and math.isfinite(value) else None


def duration(seconds: float) -> str:
    """Say a time span in words: `45 s`, `12 min`, `2 h 05 min`."""
    whole = round(seconds)
    if whole < 90:
        return f"{whole} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60:02d} min"
