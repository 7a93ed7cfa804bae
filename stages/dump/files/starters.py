"""
The first row of a thread that an exporter replaced by its parent's message (2e.4).

Such a row belongs to the parent's room. There it stands once; in the thread stays the
pointer that Discord has there. A forum post's first message is the thread's own and stays.
"""

import json
from typing import Any

from stages.dump.files.desk import Desk
from stages.dump.files.room import Room
from stages.dump.files.survey import Head

Object = dict[str, Any]
STARTER = 21
MERGED = "merged thread starter"


def part_starter(desk: Desk, head: Head, mapped: Object, exported_at: str) -> Object:
    """Give the row as it belongs into the thread; the parent's message is laid by for its room."""
    if not head.is_thread or mapped["id"] != head.channel_id or mapped["type"] == STARTER:
        return mapped
    parent_id = head.parent_id
    if parent_id is None:
        return mapped
    if not desk.has_talk(parent_id):
        # a forum has no talk of its own; for a room whose file may come later see `settle`
        desk.rooms.setdefault(str(head.channel_id), {})["starter"] = "kept"
        return mapped
    desk.starters[parent_id].append(
        ({**mapped, "channel_id": parent_id}, exported_at, head.path.name)
    )
    return pointer(mapped, parent_id, head.guild_id)


def pointer(mapped: Object, parent_id: str, guild_id: str | None) -> Object:
    """Give the row of type 21 that Discord has at the head of a thread."""
    bare = {name: value for name, value in mapped.items() if name != "dce"}
    place = {"type": 0, "message_id": mapped["id"], "channel_id": parent_id}
    return {
        "id": mapped["id"],
        "timestamp": mapped["timestamp"],
        "channel_id": mapped["channel_id"],
        "type": STARTER,
        "content": "",
        "edited_timestamp": None,
        "pinned": False,
        "author": mapped["author"],
        "mentions": [],
        "attachments": [],
        "embeds": [],
        "message_reference": place | ({"guild_id": guild_id} if guild_id else {}),
        "referenced_message": {**bare, "channel_id": parent_id},
        "dce": {**mapped["dce"], "starter": MERGED},
    }


def settle(desk: Desk) -> None:
    """Bring laid-by starters to their rooms, also those kept in threads before the room came."""
    for thread_id, row in desk.rooms.items():
        parent_id = row.get("parent_id")
        if row.get("starter") == "kept" and parent_id in desk.touched and desk.has_talk(parent_id):
            _move(desk, thread_id, parent_id, row)
    for parent_id, starters in desk.starters.items():
        room = Room(desk.raw, parent_id, desk.now, desk.stretches(parent_id)).load()
        for found, exported_at, how in starters:
            fate = room.take(found, exported_at, how)
            desk.fates["starters brought to their room"] += fate == "fresh"
            room.flush(how, closed=True)
        if parent_id in desk.rooms and room.held:
            ids = room.held
            desk.rooms[parent_id] |= {
                "messages": len(ids),
                "lowest_id": str(min(ids)),
                "highest_id": str(max(ids)),
            }


def _move(desk: Desk, thread_id: str, parent_id: str, row: Object) -> None:
    room = Room(desk.raw, thread_id, desk.now).load()
    last = None
    with desk.raw.messages_path(thread_id).open("rb") as file:
        for line in file:
            if thread_id.encode() in line and json.loads(line)["id"] == thread_id:
                last = json.loads(line)
    if last is None or "dce" not in last or last["type"] == STARTER:
        return
    exported_at = last["dce"]["exported_at"]
    desk.starters[parent_id].append(({**last, "channel_id": parent_id}, exported_at, MERGED))
    del room.held[int(thread_id)]  # the pointer takes the place of the row as old as itself
    room.take(pointer(last, parent_id, row.get("guild_id")), exported_at, MERGED)
    room.flush(MERGED, closed=True)
    row["starter"] = "moved"
