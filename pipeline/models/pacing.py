"""
When the next request may go, and how long to wait for its answer.

Both are shared by all callers of one model, also parallel ones; clock and sleep come in as
arguments.
"""

import threading
from collections import deque
from collections.abc import Callable

Clock = Callable[[], float]
Sleep = Callable[[float], None]

SLOWER = 5.0  # times the slowest of the last answers: a long answer, a busy hour
REMEMBERED = 20  # answers; enough to hold a few long merges beside many short L1s


class Pacer:
    """Let requests through one by one: at most so many a minute, none while one pause lasts."""

    def __init__(self, clock: Clock, sleep: Sleep, per_minute: float | None = None) -> None:
        self._clock = clock
        self._sleep = sleep
        self._gap = 60.0 / per_minute if per_minute else 0.0
        self._next = float("-inf")
        self._lock = threading.Lock()

    def wait_turn(self) -> float:
        """Return when this caller may send; the seconds that it waited."""
        waited = 0.0
        while True:
            with self._lock:
                now = self._clock()
                rest = self._next - now
                if rest <= 0:
                    self._next = now + self._gap
                    return waited
            # Another pause may be set meanwhile, so the caller asks again when it wakes.
            self._sleep(rest)
            waited += rest

    def pause(self, seconds: float) -> None:
        """Hold everyone back for so many seconds from now; a shorter pause changes nothing."""
        with self._lock:
            self._next = max(self._next, self._clock() + seconds)


class Pace:
    """
    How long a model may take, learnt from its own answers.

    Until the first answer it is `first` seconds; then five times the slowest of the last twenty,
    within `least` and `most`. Each time-out in a row doubles it, so that a model which has become
    slow is caught up with instead of being cut off for ever.
    """

    def __init__(self, first: float = 300.0, least: float = 30.0, most: float = 1800.0) -> None:
        self._first, self._least, self._most = first, least, most
        self._seen: deque[float] = deque(maxlen=REMEMBERED)
        self._timeouts = 0
        self._lock = threading.Lock()

    def limit(self) -> float:
        """Give the seconds that the next answer may take."""
        with self._lock:
            usual = SLOWER * max(self._seen) if self._seen else self._first
            return min(max(usual, self._least) * 2.0**self._timeouts, self._most)

    def saw(self, seconds: float) -> None:
        """Note how long a whole answer took."""
        with self._lock:
            self._seen.append(seconds)
            self._timeouts = 0

    def timed_out(self) -> None:
        """Note that no whole answer came within the limit."""
        with self._lock:
            self._timeouts = min(self._timeouts + 1, 8)
