"""
Faults by script: which request is to go wrong, and how.

A fault is a line of data, so that it can stand in a test or in a JSON file:

    {"kind": "limited", "route": "messages", "skip": 2, "retry_after": 0.4, "scope": "shared"}

Kinds, with the fields that each reads:

    status       answer `status` with `code` and `message` as Discord's error body
    limited      429 with `retry_after` and `scope` (user, global, shared), `remaining`
    edge         an HTML page from the edge with `status` (429): no Via, no Retry-After, no JSON
    reset        break the connection after `bytes` of the body (0: before the head)
    slow         send the body in pieces of `bytes` over `seconds`
    stall        wait `seconds`, then answer as usual
    truncated    the body cut after `bytes`, with a length that fits: well-formed HTTP, broken JSON
    wrong type   the right body as `content_type`
    no via       the right answer without its Via header
    answer       `body` (any JSON value, or text with `content_type`) with `status`
    same page    the newest page, whatever cursor was given (B028)
    out of order the right page, shuffled by `seed`
    hook         call `action` with the double, then answer as usual (only from Python)
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from pipeline.errors import UsageError

KINDS = ("status", "limited", "edge", "reset", "slow", "stall", "truncated", "wrong type",
         "no via", "answer", "same page", "out of order", "hook")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fault:
    """
    One rule: the first `skip` matching requests pass, the next `times` (None: all) go wrong.

    `route` is a route's name ("*" any, "file" the CDN); `where` holds path variables, query
    values or `method` that must be equal, such as {"channel": "700", "before": "42"}.
    """

    kind: str
    route: str = "*"
    where: Mapping[str, str] = field(default_factory=dict)
    skip: int = 0
    times: int | None = 1
    status: int | None = None  # by kind: 500 status, 429 edge, 200 answer
    code: int = 0
    message: str = ""
    retry_after: float = 0.5
    scope: str = "user"
    remaining: int = 0
    bytes: int = 0
    seconds: float = 0.5
    content_type: str = ""
    body: Any = None
    seed: int = 1
    action: Callable[[Any], None] | None = None

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"fault: no kind {self.kind!r}; there are {', '.join(KINDS)}")
        if self.scope not in {"user", "global", "shared"}:
            raise UsageError(f"fault: scope {self.scope!r}; it is user, global or shared")


class Faults:
    """The rules of a running double, each with the count of requests that it met."""

    def __init__(self, rules: Iterable[Fault] = ()) -> None:
        self._met: list[tuple[Fault, list[int]]] = [(rule, [0]) for rule in rules]

    def add(self, *rules: Fault) -> None:
        """Let more rules hold from now on; the first that fits a request has it."""
        self._met += [(rule, [0]) for rule in rules]

    def clear(self) -> None:
        """Let nothing go wrong any more."""
        self._met.clear()

    def pick(self, route: str, about: Mapping[str, str]) -> Fault | None:
        """Give the rule for this request, counting it at every rule that matches."""
        chosen = None
        for rule, met in self._met:
            if rule.route not in {"*", route}:
                continue
            if any(about.get(key) != value for key, value in rule.where.items()):
                continue
            met[0] += 1
            spent = rule.times is not None and met[0] > rule.skip + rule.times
            if chosen is None and met[0] > rule.skip and not spent:
                chosen = rule
        return chosen


def read_faults(path: Path) -> list[Fault]:
    """Read rules from a JSON file: a list of objects with the fields of `Fault`."""
    import json

    try:
        rows = json.loads(path.read_bytes())
    except (OSError, json.JSONDecodeError) as error:
        raise UsageError(
            f"{path}: cannot be read as JSON ({error}); give a list of faults"
        ) from None
    known = {f.name for f in fields(Fault)} - {"action"}
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise UsageError(f"{path}: is no list of objects; give a list of faults")
    for row in rows:
        if unknown := sorted(set(row) - known):
            raise UsageError(
                f"{path}: no field {', '.join(unknown)}; it has {', '.join(sorted(known))}"
            )
    return [Fault(**row) for row in rows]
