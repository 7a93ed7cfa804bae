"""
What an answer must look like before anything is done with it, route by route.

Only what we rely on is looked at: ids are digits, kinds are whole numbers, lists are lists.
Everything else of an object stays as Discord sent it.
"""

import json
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Annotated, Any

import msgspec

from stages.dump.discord.faults import GarbledError

Id = Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{1,19}\Z")]
Bits = Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{1,40}\Z")]
Count = Annotated[int, msgspec.Meta(ge=0)]
Moment = Annotated[datetime, msgspec.Meta(tz=True)]


class User(msgspec.Struct):
    """A person, a bot or a webhook; `bot` is missing where it is a person."""

    id: Id
    username: str | None = None
    bot: bool | None = None


class Member(msgspec.Struct):
    """A user in a guild."""

    user: User
    roles: list[Id] = []
    joined_at: Moment | None = None


class Role(msgspec.Struct):
    """What a role allows, as a number in digits."""

    id: Id
    permissions: Bits | None = None


class Overwrite(msgspec.Struct):
    """What a channel allows and denies to one role or member."""

    id: Id
    allow: Bits | None = None
    deny: Bits | None = None


class Guild(msgspec.Struct):
    """A guild, with its roles where it was asked for alone."""

    id: Id
    roles: list[Role] = []


class Place(msgspec.Struct):
    """A channel, thread or DM."""

    id: Id
    type: int
    name: str | None = None
    guild_id: Id | None = None
    parent_id: Id | None = None
    last_message_id: Id | None = None
    permission_overwrites: list[Overwrite] | None = None
    recipients: list[User] = []
    message_count: Count | None = None
    total_message_sent: Count | None = None


class ArchiveFacts(msgspec.Struct):
    """When a thread was archived."""

    archive_timestamp: Moment


class Archived(Place, kw_only=True):
    """A thread of a listing that is paged by archive time."""

    thread_metadata: ArchiveFacts


class File(msgspec.Struct):
    """An attachment; its id becomes part of a file's name."""

    id: Id
    filename: str = ""
    size: Count = 0
    url: str = ""
    content_type: str | None = None


class Forwarded(msgspec.Struct):
    """The part of a forwarded message that holds files."""

    attachments: list[File] = []


class Snapshot(msgspec.Struct):
    """A forwarded message."""

    message: Forwarded | None = None


class Message(msgspec.Struct):
    """A message, as far as cursors, people and files go."""

    id: Id
    author: User | None = None
    webhook_id: Id | None = None
    attachments: list[File] = []
    message_snapshots: list[Snapshot] = []


class Listing(msgspec.Struct):
    """A page of threads; each is looked at by itself."""

    threads: list[Any] = []
    has_more: bool | None = None


class Application(msgspec.Struct):
    """The bot's application."""

    id: Id | None = None


# Lists whose entries are looked at one by one stand as lists of anything: see `sorted_out`.
SHAPES: dict[str, Any] = {
    "me": User,
    "application": Application,
    "guilds": list[Any],
    "guild": Guild,
    "channels": list[Any],
    "members": list[Member],
    "member": Member,
    "user": User,
    "channel": Place,
    "messages": list[Message],
    "message": Message,
    "active threads": Listing,
    "archived threads": Listing,
    "archived private threads": Listing,
    "joined private threads": Listing,
    "open dm": Place,
}


def fault_of(thing: Any, shape: Any) -> str | None:
    """Say what of a decoded thing is not as documented; null where all is well."""
    try:
        msgspec.convert(thing, shape)
    except msgspec.ValidationError as error:
        return str(error)
    except RecursionError:
        return "it is nested too deep"
    return None


def checked(route: str, what: str, answer: Any) -> Any:
    """Give an answer unchanged if it has its route's shape; else raise `GarbledError`."""
    fault = fault_of(answer, SHAPES[route])
    if fault is None and route != "messages":  # those are looked at line by line, on the way to raw
        fault = unwritable(answer)
    if fault:
        raise GarbledError(
            f"{what}: the answer is not what Discord documents ({fault}); nothing of it was "
            f"kept: see what dump.api_base leads to, run dump again"
        )
    return answer


def unwritable(answer: Any) -> str | None:
    """Say why an answer cannot be kept as JSON that every reader takes; null where it can."""
    try:
        json.dumps(answer, allow_nan=False)
    except (ValueError, RecursionError) as error:
        return str(error)
    return None


def asked_for(thing: dict[str, Any], thing_id: str) -> dict[str, Any]:
    """Give an object if it is the one that was asked for by id."""
    if thing["id"] != thing_id:
        raise GarbledError(f"{thing_id}: another object came, {thing['id']}; run dump again")
    return thing


def sorted_out(
    things: Iterable[Any], shape: Any, complain: Callable[[Any, str], None]
) -> list[dict[str, Any]]:
    """Give the entries of a list that have a shape; `complain` is told of each other one."""
    good: list[dict[str, Any]] = []
    for thing in things:
        if fault := fault_of(thing, shape):
            complain(thing, fault)
        else:
            good.append(thing)
    return good


def name_of(thing: Any) -> str | None:
    """Give what a garbled object calls its id, in short; null where it is no text at all."""
    given = thing.get("id") if isinstance(thing, dict) else None
    return given[:40] if isinstance(given, str) and given else None
