"""The table of routes: what each is called, how its path looks, who answers it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pipeline.testing.double.answers import Answer, bad_form
from pipeline.testing.double.world import World


@dataclass(frozen=True, slots=True)
class Ask:
    """A request as a route sees it: the ids in its path, its query, its body, our address."""

    path: Mapping[str, str]
    query: Mapping[str, str]
    body: Any
    base: str  # "http://127.0.0.1:PORT", for links into our own CDN


Handler = Callable[[World, Ask], Answer]


@cache
def _regex(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", pattern))


@dataclass(frozen=True, slots=True)
class Route:
    """One route: its name in faults and records, its method and pattern, and who answers."""

    name: str
    method: str
    pattern: str
    handler: Handler

    def match(self, path: str) -> dict[str, str] | None:
        """Give the variables in a path if it is this route's, else None."""
        found = _regex(self.pattern).fullmatch(path)
        return found.groupdict() if found else None

    def resource(self, variables: Mapping[str, str]) -> str:
        """Name the top-level resource that splits this route's bucket (discord-rest §3)."""
        return variables.get("channel") or variables.get("guild") or ""


def route(
    table: list[Route], name: str, pattern: str, method: str = "GET"
) -> Callable[[Handler], Handler]:
    """Enter a function into a table of routes."""

    def enter(handler: Handler) -> Handler:
        table.append(Route(name, method, pattern, handler))
        return handler

    return enter


def number(query: Mapping[str, str], key: str, default: int, low: int, high: int) -> int | Answer:
    """Read a bounded number from a query, or answer 400 50035 naming it."""
    text = query.get(key, str(default))
    if not re.fullmatch(r"-?\d+", text):
        return bad_form(key, "NUMBER_TYPE_COERCE", f'Value "{text}" is not int.')
    if int(text) < low:
        return bad_form(
            key, "NUMBER_TYPE_MIN", f"int value should be greater than or equal to {low}."
        )
    if int(text) > high:
        return bad_form(
            key, "NUMBER_TYPE_MAX", f"int value should be less than or equal to {high}."
        )
    return int(text)


def snowflake(query: Mapping[str, str], key: str) -> int | Answer | None:
    """Read an id from a query, None where there is none, or answer 400 50035 naming it."""
    text = query.get(key)
    if text is None:
        return None
    if not text.isascii() or not text.isdigit() or int(text) >= 1 << 63:
        return bad_form(key, "NUMBER_TYPE_COERCE", f'Value "{text}" is not snowflake.')
    return int(text)
