"""Rate limits as Discord counts them: buckets by route and resource, one global, one blacklist."""

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """
    How much the double lets through.

    `per_bucket` requests in `window_seconds` for each route × resource, `per_second` over all
    (None: no such limit). After `invalid` answers of 401, 403 or 429 in ten minutes, shared
    ones left out, the edge closes for `edge_seconds`.
    """

    per_bucket: int = 1_000_000
    window_seconds: float = 1.0
    per_second: float | None = None
    invalid: int = 10_000
    edge_seconds: float = 600.0


@dataclass(slots=True)
class _Window:
    ends_at: float
    used: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the buckets say to one request: its headers, and the wait if it is refused."""

    headers: dict[str, str]
    wait_seconds: float | None = None
    scope: str = "user"


class Buckets:
    """The state of all limits of one double; `now` comes in with every question."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._windows: dict[tuple[str, str], _Window] = {}
        self._invalid_at: list[float] = []
        self._edge_until = 0.0

    def take(self, route: str, resource: str, now: float) -> Verdict:
        """Count one request against its bucket and the global limit."""
        if self.limits.per_second is not None:
            whole = self._window("", "", now, 1.0)
            if whole.used >= self.limits.per_second:
                return Verdict(self._headers(route, resource, now), whole.ends_at - now, "global")
            whole.used += 1
        own = self._window(route, resource, now, self.limits.window_seconds)
        if own.used >= self.limits.per_bucket:
            return Verdict(self._headers(route, resource, now), own.ends_at - now)
        own.used += 1
        return Verdict(self._headers(route, resource, now))

    def _window(self, route: str, resource: str, now: float, seconds: float) -> _Window:
        window = self._windows.get((route, resource))
        if window is None or now >= window.ends_at:
            window = self._windows[route, resource] = _Window(now + seconds)
        return window

    def _headers(self, route: str, resource: str, now: float) -> dict[str, str]:
        own = self._window(route, resource, now, self.limits.window_seconds)
        name = hashlib.sha256(route.encode()).hexdigest()[:32]
        return {
            "X-RateLimit-Limit": str(self.limits.per_bucket),
            "X-RateLimit-Remaining": str(max(0, self.limits.per_bucket - own.used)),
            "X-RateLimit-Reset": f"{own.ends_at:.3f}",
            "X-RateLimit-Reset-After": f"{own.ends_at - now:.3f}",
            "X-RateLimit-Bucket": name,
        }

    def note_invalid(self, now: float) -> None:
        """Count an answer of 401, 403 or 429 towards the blacklist of the edge."""
        self._invalid_at = [t for t in self._invalid_at if t > now - 600.0]
        self._invalid_at.append(now)
        if len(self._invalid_at) > self.limits.invalid:
            self._edge_until = now + self.limits.edge_seconds

    def is_blocked(self, now: float) -> bool:
        """Say whether the edge answers instead of Discord."""
        return now < self._edge_until
