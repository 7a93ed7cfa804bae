"""
The message that a thread was started from: in its parent's room, or fetched, or gone.

The first row of such a thread (type 21) is only a pointer. It mostly brings its source
along; where it does not and the parent was not read, the source is fetched by id.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.raw import Page
from stages.dump.discord.faults import DeniedError
from stages.dump.discord.harvest import lines_between
from stages.dump.discord.reach import Reach
from stages.dump.discord.rights import NEWS_THREAD, PUBLIC_THREAD
from stages.dump.discord.rooms import Room
from stages.dump.discord.routes import ask
from stages.dump.discord.shapes import asked_for
from stages.dump.discord.walk import Trip, line_of

POINTER = 21
DELETED = "the message that started it is deleted"


async def find_starter(
    trip: Trip, room: Room, pages: Mapping[str, Sequence[Page]], parent: Reach
) -> str:
    """Make sure that a thread's starter is in raw where it exists; gives a note, or nothing."""
    if room.kind not in {NEWS_THREAD, PUBLIC_THREAD} or room.parent_id is None:
        return ""
    pointer = pointer_of(trip, room, pages.get(room.channel_id, ()))
    if pointer is None:
        return ""
    if "referenced_message" in pointer:
        return DELETED if pointer["referenced_message"] is None else ""
    starter_id = int(room.channel_id)
    if parent.covers(starter_id, starter_id):
        return ""
    how = f"/channels/{room.parent_id}/messages/{room.channel_id}"
    asked = [page for page in pages.get(room.parent_id, ()) if page.how == how]
    if asked:
        return "" if asked[-1].count else DELETED
    return await fetch_starter(trip, room, how)


async def fetch_starter(trip: Trip, room: Room, how: str) -> str:
    """
    Fetch one starter into its parent's room; a page notes it, found or not.

    Raises `UnreachableError` where no usable answer came: then no page is noted.
    """
    assert room.parent_id is not None, "a thread has a parent"
    found: list[bytes] = []
    try:
        wish = ask("message", channel_id=room.parent_id, message_id=room.channel_id)
        found = [line_of(asked_for(await trip.client.ask(wish), room.channel_id))]
    except DeniedError as denied:
        if not denied.is_gone:
            return f"the message that started it cannot be read ({denied.code})"
    page = Page(
        channel_id=room.parent_id,
        how=how,
        direction="window",
        count=len(found),
        fetched_at=trip.now().isoformat(),
        fresh=len(found),
        lowest_id=room.channel_id if found else None,
        highest_id=room.channel_id if found else None,
    )
    trip.moved(trip.raw.append_messages(room.parent_id, found, page))
    return "" if found else DELETED


def pointer_of(trip: Trip, room: Room, pages: Sequence[Page]) -> dict[str, Any] | None:
    """Give the thread's first row if it is a pointer to the message that started it."""
    start = 0
    for page in pages:
        if page.direction == "down" and page.closed:
            path = trip.raw.messages_path(room.channel_id)
            for line in lines_between(path, start, page.ends_at):
                row: dict[str, Any] = json.loads(line)
                if row.get("type") == POINTER:
                    return row
        start = page.ends_at
    return None
