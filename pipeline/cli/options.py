"""Options that several commands share, and how an agent's folder is opened from them."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pipeline.errors import UsageError
from pipeline.knobs import read_value
from pipeline.workspace import find_workspace

if TYPE_CHECKING:
    from pipeline.runner import House

F = TypeVar("F", bound=Callable[..., Any])


def agent_option(command: F) -> F:
    """Add --agent, which BACKFOLD_AGENT fills in."""
    option = click.option(
        "--agent",
        "-a",
        envvar="BACKFOLD_AGENT",
        metavar="NAME|PATH",
        help="Agent: a name under data/, or a path.",
    )
    return option(command)


def set_option(command: F) -> F:
    """Add --set section.knob=value."""
    option = click.option(
        "--set",
        "sets",
        multiple=True,
        metavar="STAGE.KNOB=VALUE",
        help="Set a knob for this run only (repeatable).",
    )
    return option(command)


def read_sets(sets: tuple[str, ...]) -> dict[str, Any]:
    """Read `section.knob=value` pairs."""
    found: dict[str, Any] = {}
    for entry in sets:
        place, equals, value = entry.partition("=")
        if not equals or "." not in place:
            raise UsageError(f"--set {entry}: give it as stage.knob=value")
        found[place.strip()] = read_value(value.strip())
    return found


def open_agent(agent: str | None, sets: tuple[str, ...] = (), *, verify: bool = False) -> "House":
    """Open the agent that was named."""
    from pipeline.runner import open_house

    return open_house(find_workspace(agent), sets=read_sets(sets), verify=verify)
