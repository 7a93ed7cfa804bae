"""
Take in a corpus: `guild.json` with self, guilds and DMs, and `messages/<channel>.jsonl`.

Its objects are Discord's own and go into raw as they are.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from pipeline.raw import Page
from stages.dump.files.desk import Desk, counts
from stages.dump.files.lines import Copy, Lines, copy_lines, held_lines, is_prefix
from stages.dump.files.media import attached

Object = dict[str, Any]
INNER = ("channels", "threads", "members")  # of a guild; tables of their own in raw
NOT_SENT = ("member_ids",)  # a double's own mark on a thread, which Discord never sends


class _File(msgspec.Struct):
    """An attachment, as far as its bytes are looked for."""

    id: str
    filename: str | None = None
    content_type: str | None = None
    size: int | None = None


class _Snapshot(msgspec.Struct):
    attachments: list[_File] = []


class _Forward(msgspec.Struct):
    message: _Snapshot | None = None


class _WithFiles(msgspec.Struct):
    """A message, as far as its attachments go."""

    id: str
    attachments: list[_File] = []
    message_snapshots: list[_Forward] = []


_decode_files = msgspec.json.Decoder(_WithFiles).decode_lines


def import_corpus(desk: Desk, folder: Path) -> Mapping[str, Any]:
    """Take in a corpus folder; gives its bot, as far as it names one."""
    facts = import_guilds(desk, folder / "guild.json")
    for path in sorted((folder / "messages").glob("*.jsonl")):
        if path.stem.isascii() and path.stem.isdigit():
            import_lines(desk, path, folder / "files")
        else:
            desk.skip(path, "its name is no channel id")
    return facts


def import_guilds(desk: Desk, path: Path) -> Mapping[str, Any]:
    """Put guilds, rooms, roles and people of `guild.json` in their tables; gives its bot."""
    if desk.is_unchanged(path):
        return desk.files[str(path)].get("bot") or {}
    try:
        facts = json.loads(path.read_bytes())
        if not isinstance(facts, dict):
            raise ValueError("it is no object")
    except ValueError as error:
        reason = f"no readable JSON ({error}); its rooms have no names and no rights"
        desk.skip(path, reason, unfinished=True)
        return {}
    for guild in _objects(facts.get("guilds")):
        _put_guild(desk, guild)
    dms = _objects(facts.get("dms"))
    people = [user for dm in dms for user in _objects(dm.get("recipients"))]
    people += _objects(facts.get("users")) + _objects([facts.get("self")])
    desk.raw.append("channels", dms, guild_id=None, now=desk.now)
    desk.raw.append("users", people, guild_id=None, now=desk.now)
    desk.tables.forget()
    bot = facts.get("self") or {}
    desk.note(path, "read", bot=bot)
    return bot if isinstance(bot, dict) else {}


def import_lines(desk: Desk, path: Path, files: Path) -> None:
    """Take over one room's message file; `files` may hold attachments by their id."""
    if desk.is_unchanged(path):
        return
    if not os.access(path, os.R_OK):
        desk.skip(path, "it cannot be opened", unfinished=True)
        return
    channel_id = path.stem
    before = desk.files.get(str(path)) or {}
    target = desk.raw.messages_path(channel_id)
    size = (before.get("stamp") or [0])[0]
    fixed = channel_id in desk.discord_rooms
    beside = desk.media.beside
    grown = (
        target.exists()
        and not fixed
        and before.get("status") == "read"
        and is_prefix(path, size, str(before.get("sha256")))
    )
    empty = not (target.exists() and target.stat().st_size)
    held = None if grown or empty else held_lines(target)
    lines = Lines(channel_id)
    done = copy_lines(
        desk.raw,
        path,
        lines,
        start=size if grown else 0,
        held=held,
        fixed=fixed,
        fetched_at=desk.now.isoformat(),
        tick=desk.tick,
        look=_attachments(desk, channel_id, files) if files.is_dir() else None,
    )
    desk.media.flush()
    desk.touched.add(channel_id)
    desk.fates["fresh"] += done.fresh
    desk.fates["changed"] += done.count - done.fresh
    _strays(desk, lines, path)
    _note(desk, path, lines, _joined(done, before if grown else {}, held))
    desk.files[str(path)]["beside"] = desk.media.beside - beside


def _put_guild(desk: Desk, guild: Object) -> None:
    guild_id = str(guild.get("id"))
    own = {name: value for name, value in guild.items() if name not in INNER}
    rooms = [
        {name: value for name, value in room.items() if name not in NOT_SENT}
        for room in (*_objects(guild.get("channels")), *_objects(guild.get("threads")))
    ]
    members = _objects(guild.get("members"))
    put = desk.raw.append
    put("guilds", [own], guild_id=guild_id, now=desk.now)
    put("roles", _objects(guild.get("roles")), guild_id=guild_id, now=desk.now)
    put("channels", rooms, guild_id=guild_id, now=desk.now)
    put("members", members, guild_id=guild_id, now=desk.now)
    put("users", [m["user"] for m in members if "user" in m], guild_id=None, now=desk.now)


def _attachments(desk: Desk, channel_id: str, files: Path) -> Callable[[bytes], None]:
    """Give a look at every block that takes the bytes lying beside a corpus."""

    def look(block: bytes) -> None:
        try:
            rows: list[Any] = list(_decode_files(block))
        except msgspec.DecodeError:
            rows = []
            for line in filter(None, block.split(b"\n")):
                rows.append(json.loads(line))
        for row in rows:
            plain = row if isinstance(row, dict) else msgspec.to_builtins(row)
            for file in attached(plain):
                source = files / str(file["id"])
                is_there = str(file["id"]).isdigit() and source.is_file()
                desk.media.take(channel_id, plain["id"], file, source if is_there else None)

    return look


def _strays(desk: Desk, lines: Lines, path: Path) -> None:
    """Bring lines that name another room to that room (known-faults B019)."""
    for channel_id, found in lines.strays.items():
        held = held_lines(desk.raw.messages_path(channel_id))
        fresh = [(n, line) for n, line in found if held.get(n) != hash(line)]
        lines.noted[f"lines of room {channel_id}, brought there"] += len(found)
        if not fresh:
            continue
        page = Page(
            channel_id=channel_id,
            how=path.name,
            direction="file",
            count=len(fresh),
            fresh=sum(number not in held for number, _ in fresh),
            fetched_at=desk.now.isoformat(),
            lowest_id=str(min(number for number, _ in fresh)),
            highest_id=str(max(number for number, _ in fresh)),
            closed=True,
        )
        desk.raw.append_messages(channel_id, [line for _, line in fresh], page)
        desk.touched.add(channel_id)


def _joined(done: Copy, before: Mapping[str, Any], held: Mapping[int, int] | None) -> Copy:
    """Give the copy with what the room held before counted in."""
    if held is not None:
        low, high = min(held, default=None), max(held, default=None)
        return replace(done, total=len(held), lowest=low, highest=high)
    ends = [before.get("lowest_id"), before.get("highest_id"), done.lowest, done.highest]
    ids = [int(end) for end in ends if end is not None]
    total = done.count + int(before.get("messages") or 0)
    return replace(done, total=total, lowest=min(ids, default=None), highest=max(ids, default=None))


def _note(desk: Desk, path: Path, lines: Lines, done: Copy) -> None:
    lost, total = counts(lines.lost), done.total
    row = desk.note(
        path,
        "salvaged" if lost else "read",
        "; ".join(lost),
        channel_id=path.stem,
        messages=total,
        salvaged=total if lost else 0,
        lost=lost,
        unfinished=bool(lost),
        noted=counts(lines.noted),
        sha256=done.sha256,
        lowest_id=None if done.lowest is None else str(done.lowest),
        highest_id=None if done.highest is None else str(done.highest),
    )
    told = [f"{n} {reason}" for reason, n in {**lost, **row["noted"]}.items()]
    desk.say(f"{path.name}: {'; '.join([f'{done.count} messages', *told])}")
    _note_room(desk, path.stem, row)


def _note_room(desk: Desk, channel_id: str, file: Mapping[str, Any]) -> None:
    if channel_id in desk.discord_rooms:
        return
    known, guild_id = desk.tables.room(channel_id)
    last, highest = known.get("last_message_id"), file["highest_id"]
    against = [file["reason"]] if file["reason"] else []
    if last and (highest is None or int(last) > int(highest)):
        against.append(f"Discord named {last} as its last message, which is not here")
    desk.rooms[channel_id] = {
        "channel_id": channel_id,
        "guild_id": guild_id,
        "parent_id": known.get("parent_id"),
        "type": known.get("type", 0),
        "name": known.get("name") or "",
        "status": "partial" if against else "complete" if file["messages"] else "empty",
        "reason": "; ".join(against),
        "messages": file["messages"],
        "lowest_id": file["lowest_id"],
        "highest_id": highest,
        "last_message_id": last,
        "complete": not against,
        "attempted_at": desk.now.isoformat(),
        "from": "files",
    }


def _objects(value: object) -> list[Object]:
    return [v for v in value if isinstance(v, dict) and v] if isinstance(value, list) else []
