"""Knobs of `curate`: what counts as perceived, what is left out, how turns and notices read."""

import re
from dataclasses import dataclass, field

from pipeline.config import moment
from pipeline.errors import UsageError

ROUTINGS = ("locus", "hybrid", "explicit")
CLOCKS = ("none", "hourly")


@dataclass(frozen=True, slots=True)
class Perceived:
    """What the agent saw around what was meant for it, for some rooms and some time."""

    rooms: tuple[str, ...] = ()  # channel ids; empty: every room that no entry above names
    since: str | None = None  # hits from here on (a date or time, UTC unless it says otherwise)
    until: str | None = None  # hits before this
    messages: int | None = None  # this many before each hit; 23 where nothing is said
    tokens: int | None = None  # or as many as hold this many tokens (characters / 4)
    all: bool = False  # or everything, as in a room that the agent had open
    resets: tuple[str, ...] = ()  # patterns; a message that matches one cuts the window behind it

    def __post_init__(self) -> None:
        chosen = [self.messages is not None, self.tokens is not None, self.all]
        if sum(chosen) > 1:
            raise UsageError("curate.perceived: give one of messages, tokens and all, not several")
        for name, value in (("messages", self.messages), ("tokens", self.tokens)):
            if value is not None and value < 0:
                raise UsageError(f"curate.perceived.{name} is {value}; it counts from 0 up")
        moment(self.since, "curate.perceived.since")
        moment(self.until, "curate.perceived.until")
        check_patterns("curate.perceived.resets", self.resets)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A habit of the agent's that reads differently in the transcript; raw stays as it was."""

    reason: str  # why, for the report
    replacement: str  # what stands there instead; \\1 is the pattern's first group
    pattern: str | None = None  # a regular expression; every match in a turn of its own is replaced
    ids: tuple[str, ...] = ()  # or the turns that hold these messages, replaced as a whole

    def __post_init__(self) -> None:
        check_habit("curate.rewrite", self.pattern, self.ids)
        if self.pattern is not None:
            try:
                re.sub(self.pattern, self.replacement, "")
            except re.error as error:
                raise UsageError(
                    f"curate.rewrite: replacement {self.replacement!r} does not fit the pattern "
                    f"({error})"
                ) from error


@dataclass(frozen=True, slots=True)
class LeaveOut:
    """Posts of the agent's own that are no speech: they go to rejects with this reason."""

    reason: str  # why, as it stands in rejects
    pattern: str | None = None  # a regular expression found anywhere in the post
    ids: tuple[str, ...] = ()  # or these messages

    def __post_init__(self) -> None:
        check_habit("curate.leave_out", self.pattern, self.ids)


@dataclass(frozen=True, slots=True)
class Redact:
    """Which credentials are replaced by [redacted-secret]."""

    keep: tuple[str, ...] = ()  # rule names or literal texts that stay as they are
    extra: tuple[str, ...] = ()  # patterns of your own, RE2 syntax; the whole match goes
    addresses: bool = False  # also mail and network addresses, phone numbers and public keys

    def __post_init__(self) -> None:
        check_patterns("curate.redact.extra", self.extra)


@dataclass(frozen=True, slots=True)
class CurateKnobs:
    """Knobs of `curate`."""

    profile: str = "2026-09"  # month of the wire format: 2026-08, 2026-09 or 2026-10
    routing: str | None = None  # locus, hybrid or explicit; null: as in the recipe, else locus
    perceived: tuple[Perceived, ...] = ()  # what it saw, by period and room; the first that fits
    names: tuple[str, ...] = ()  # patterns, case ignored; who says this talks to the agent
    commands: tuple[str, ...] = ()  # words at the start of a message that call the agent (!tilly)
    blocked: tuple[str, ...] = ()  # user ids that the agent never saw
    noop_prefix: str = "m continue"  # messages that begin so never reached the agent; "": none
    keep_embed_only: bool = False  # keep others' messages that hold nothing but embeds or buttons
    keep_sticker_only: bool = False  # keep others' messages that hold nothing but stickers
    burst_seconds: float = 10.0  # the agent's own posts closer than this are one turn
    routing_notices: bool = False  # write the [routing] line where the agent's room changed
    channel_notices: bool = False  # write the [channels] line where its words opened a room
    dm_prefix: bool = False  # write the <system> lines on the first message of a DM
    invitations: bool = False  # write the invitation where a room was still closed
    clock: str = "none"  # none, or hourly: a [clock] line at most once an hour
    head_from: str | None = None  # message id with which the history begins; null: the first
    rewrite: tuple[Rewrite, ...] = ()  # habits of its own turns that read differently
    leave_out: tuple[LeaveOut, ...] = ()  # posts of its own that are no speech
    redact: Redact = field(default_factory=Redact)  # credentials: keep, extra, addresses

    def __post_init__(self) -> None:
        from pipeline.chat.wire.profile import profile_of

        profile_of(self.profile)
        if self.routing is not None and self.routing not in ROUTINGS:
            raise UsageError(f"curate.routing is {self.routing!r}; it is {', '.join(ROUTINGS)}")
        if self.clock not in CLOCKS:
            raise UsageError(f"curate.clock is {self.clock!r}; it is {' or '.join(CLOCKS)}")
        if self.burst_seconds < 0:
            raise UsageError(f"curate.burst_seconds is {self.burst_seconds}; it counts from 0 up")
        check_patterns("curate.names", self.names)
        for name in ("blocked",):
            check_ids(f"curate.{name}", getattr(self, name))
        if self.head_from is not None:
            check_ids("curate.head_from", (self.head_from,))


def check_patterns(place: str, patterns: tuple[str, ...]) -> None:
    """Raise UsageError for what is no regular expression, naming it."""
    for pattern in patterns:
        try:
            re.compile(pattern)
        except re.error as error:
            raise UsageError(f"{place}: {pattern!r} is no regular expression ({error})") from error


def check_ids(place: str, ids: tuple[str, ...]) -> None:
    """Raise UsageError for what is no Discord id."""
    for value in ids:
        if not (value.isascii() and value.isdigit()):
            raise UsageError(f"{place}: {value!r} is no Discord id; ids are digits only")


def check_habit(place: str, pattern: str | None, ids: tuple[str, ...]) -> None:
    """Raise UsageError unless a habit says which turns it means, in one way."""
    if (pattern is None) == (not ids):
        raise UsageError(f"{place}: give either pattern or ids, and one of them")
    check_patterns(place, (pattern,) if pattern is not None else ())
    check_ids(f"{place}.ids", ids)
