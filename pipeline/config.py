"""
agent.toml: who the agent is, and the knobs of each stage.

An unknown section or knob is an error that lists the known ones; a value of the wrong kind
is named with its place. Keys and tokens never stand here: they come from the environment.
"""

import contextlib
import re
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pipeline.errors import UsageError
from pipeline.knobs import nearest, wrong_kind
from pipeline.recipe import read_recipe

K = TypeVar("K")
SECRET_NAMES = re.compile(r"(token|secret|password|api_?key)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AgentFacts:
    """Who the agent is."""

    name: str  # participant of its own turns, byte for byte the name in the host's recipe
    timezone: str = "UTC"  # IANA name; days, prompts and pictures are told in it
    source: str = "discord"  # discord, files or store
    files: tuple[str, ...] = ()  # export files or folders, for source = "files"
    raw: str | None = None  # a raw folder shared with other agents; null: the agent's own
    recipe: str | None = None  # the host's recipe, for numbers and routing

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise UsageError("agent.name is blank; give the name that the host's recipe uses")
        if self.source not in {"discord", "files", "store"}:
            raise UsageError(f"agent.source is {self.source!r}; it is discord, files or store")
        zone(self.timezone)


@dataclass(frozen=True, slots=True)
class SelfFacts:
    """Which accounts are the agent: everything by any of them is its own speech."""

    users: tuple[str, ...] = ()  # user ids, former accounts included
    webhooks: tuple[str, ...] = ()  # webhook ids through which it spoke
    applications: tuple[str, ...] = ()  # application ids of its slash commands


@dataclass(frozen=True, slots=True)
class ScopeFacts:
    """What of Discord is looked at."""

    guilds: tuple[str, ...] = ()  # guild ids; empty: every guild the bot is in
    channels: tuple[str, ...] = ()  # channel ids; empty: every room
    leave_out_channels: tuple[str, ...] = ()  # channel ids never looked at
    dms: tuple[str, ...] = ()  # ids of DM channels; a bot cannot list its own
    since: str | None = None  # nothing older (a date or time, UTC unless it says otherwise)
    until: str | None = None  # nothing newer: the cutover

    def __post_init__(self) -> None:
        for name in ("since", "until"):
            moment(getattr(self, name), f"scope.{name}")


@dataclass(frozen=True, slots=True)
class Person:
    """One person under several ids and names, for reports, audit and purge."""

    name: str  # what reports call them
    ids: tuple[str, ...] = ()  # user ids, old accounts included
    webhooks: tuple[str, ...] = ()  # names under which they speak through webhooks
    names: tuple[str, ...] = ()  # old user names


@dataclass(frozen=True, slots=True)
class Price:
    """Money for a million tokens of one model."""

    input: float  # per million tokens read
    output: float  # per million tokens written
    cached: float | None = None  # per million tokens read from a cache; null: as input
    cache_write: float | None = None  # per million tokens written to a cache; null: as input
    currency: str = "EUR"  # how sums are labelled


@dataclass(frozen=True, slots=True)
class Agent:
    """Everything that agent.toml says, sections of stages still raw."""

    root: Path
    facts: AgentFacts
    self: SelfFacts = field(default_factory=SelfFacts)
    scope: ScopeFacts = field(default_factory=ScopeFacts)
    people: tuple[Person, ...] = ()
    prices: Mapping[str, Price] = field(default_factory=dict)
    stages: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The agent's name, byte for byte."""
        return self.facts.name

    @property
    def timezone(self) -> str:
        """The IANA name of the zone in which people read."""
        return self.facts.timezone

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which people read."""
        return zone(self.facts.timezone)

    @property
    def persona(self) -> str | None:
        """The agent's system prompt from persona.md; null where there is none."""
        path = self.root / "persona.md"
        if not path.is_file():
            return None
        try:
            return path.read_text(encoding="utf-8-sig").strip() or None
        except UnicodeDecodeError as error:
            raise UsageError(f"{path}: not UTF-8 ({error.reason}); save it as UTF-8") from error


FACTS: dict[str, Any] = {"agent": AgentFacts, "self": SelfFacts, "scope": ScopeFacts}
LISTS: dict[str, Any] = {"people": Person}


def load_agent(root: Path, stage_names: tuple[str, ...], sets: Mapping[str, Any]) -> Agent:
    """Read agent.toml; `sets` maps `section.knob` to a value that overrules it for this run."""
    path = root / "agent.toml"
    try:
        data = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError as error:
        raise UsageError(f"{path} is not there; make it with: backfold init") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UsageError(f"{path}: {error}") from error
    for place, value in sets.items():
        section, _, knob = place.partition(".")
        if not knob:
            raise UsageError(f"--set {place}: give it as section.knob=value")
        data.setdefault(section, {})[knob] = value
    if "recipe" in data.get("agent", {}) and data["agent"]["recipe"]:
        lay_recipe_under(data, root / Path(data["agent"]["recipe"]).expanduser(), stage_names)
    with told_where(path, sets):
        return agent_from(root, data, stage_names)


def agent_from(root: Path, data: Mapping[str, Any], stage_names: tuple[str, ...]) -> Agent:
    """Build an agent from what agent.toml holds; sections of stages stay raw."""
    known = (*FACTS, *LISTS, "prices", *stage_names)
    if unknown := sorted(set(data) - set(known)):
        near = nearest(unknown[0], known)
        raise UsageError(f"no section [{unknown[0]}]{near}; it may have {', '.join(known)}")
    if "agent" not in data:
        raise UsageError('no [agent] section; give at least: [agent] name = "…"')
    return Agent(
        root=root,
        facts=build(AgentFacts, "agent", data["agent"]),
        self=build(SelfFacts, "self", data.get("self", {})),
        scope=build(ScopeFacts, "scope", data.get("scope", {})),
        people=tuple(
            build(Person, f"people[{number}]", entry)
            for number, entry in enumerate(data.get("people", []))
        ),
        prices={
            name: build(Price, f"prices.{name}", entry)
            for name, entry in data.get("prices", {}).items()
        },
        stages={name: data[name] for name in stage_names if name in data},
    )


@contextlib.contextmanager
def told_where(path: Path, sets: Mapping[str, Any]) -> Iterator[None]:
    """Add to what is wrong with a knob where it stands: on the command line, or in this file."""
    try:
        yield
    except UsageError as error:
        is_set = any(str(error).startswith(place) for place in sets)
        raise UsageError(f"{error} ({'--set' if is_set else path})") from error


def lay_recipe_under(data: dict[str, Any], path: Path, stage_names: tuple[str, ...]) -> None:
    """Fill in what the recipe says; a value that stands in both places and differs stops us."""
    for place, (value, where) in read_recipe(path).values.items():
        section, _, knob = place.partition(".")
        if section not in ("agent", *stage_names):
            continue
        own = data.setdefault(section, {})
        if knob in own and own[knob] != value:
            raise UsageError(
                f"{place} is {own[knob]!r} in agent.toml and {value!r} in {path.name} ({where}); "
                f"make them equal, or take it out of agent.toml"
            )
        own[knob] = value


def build(kind: type[K], place: str, data: Any) -> K:
    """Fill a record from TOML; an unknown knob or a value of the wrong kind is named."""
    import msgspec

    if not isinstance(data, dict):
        raise UsageError(f"{place} is {data!r}; it should be a section of knobs")
    refuse_unknown(kind, place, data)
    try:
        return msgspec.convert(data, kind, strict=True)
    except msgspec.ValidationError as error:
        raise UsageError(wrong_kind(place, data, str(error))) from error


def refuse_unknown(kind: Any, place: str, data: Any) -> None:
    """Raise for a key that `kind`, or a record nested in it, does not have."""
    if not is_dataclass(kind) or not isinstance(data, dict):
        return
    known = {f.name for f in fields(kind)}
    if unknown := sorted(set(data) - known):
        names = ", ".join(f.name for f in fields(kind))
        secret = (
            " (secrets come from the environment only)" if SECRET_NAMES.search(unknown[0]) else ""
        )
        near = nearest(unknown[0], known)
        raise UsageError(f"{place}: no knob called {unknown[0]}{secret or near}; it has {names}")
    hints = typing.get_type_hints(kind)
    for name, value in data.items():
        for inner in _records(hints[name]):
            entries = value if isinstance(value, list) else [value]
            for number, entry in enumerate(entries):
                refuse_unknown(inner, f"{place}.{name}[{number}]", entry)


def _records(hint: Any) -> Iterator[type]:
    """Walk a type hint for the dataclasses in it."""
    if is_dataclass(hint):
        yield typing.cast(type, hint)
    for inner in typing.get_args(hint):
        if not isinstance(inner, types.EllipsisType):
            yield from _records(inner)


def zone(name: str) -> ZoneInfo:
    """Give the zone of an IANA name, or say that there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(f"timezone {name!r} is no IANA name; for example Europe/Berlin") from error


def moment(value: str | None, place: str) -> datetime | None:
    """Read a date or time; without an offset it is UTC."""
    if value is None or value == "":
        return None
    try:
        read = datetime.fromisoformat(value)
    except ValueError as error:
        raise UsageError(
            f"{place} is {value!r}; give it like 2026-01-31 or 2026-01-31T20:00Z"
        ) from error
    return read if read.tzinfo else read.replace(tzinfo=UTC)
