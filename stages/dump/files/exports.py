"""
Take in the exports of one room: the oldest first, so that the newest word on each message wins.

Every file has its own fate: one that is damaged gives what it holds, and says what it lost.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from stages.dump.files.dce import Export, message
from stages.dump.files.desk import Desk, counts, stamp
from stages.dump.files.media import attached, locate
from stages.dump.files.room import Room, absences
from stages.dump.files.starters import part_starter
from stages.dump.files.survey import Head, Survey, survey
from stages.dump.files.tables import put_export
from stages.dump.files.terms import LostRow, words
from stages.dump.files.walk import Damage, Root, walk

Object = dict[str, Any]
MANY_GONE = 5
MUCH_GONE = 0.1  # of a stretch: deletions do not come like this, filters and cut files do


def import_room(desk: Desk, heads: Sequence[tuple[Head, Path]]) -> None:
    """Take in all exports of one room; each comes with the folder that its links may not leave."""
    surveys: list[tuple[Survey, Path]] = []
    for head, root in heads:
        found = survey(head, desk.tick)
        if not _is_known(desk, found, [other for other, _ in surveys]):
            surveys.append((found, root))
    if not surveys:
        return
    surveys.sort(key=lambda pair: (pair[0].exported_at, str(pair[0].head.path)))
    channel_id = surveys[0][0].head.channel_id
    assert channel_id is not None
    wanted = frozenset[str]().union(*(found.wanted for found, _ in surveys))
    room = Room(desk.raw, channel_id, desk.now, desk.stretches(channel_id)).load(wanted)
    for found, _ in surveys:
        room.speakers |= found.reply_speakers()
    for found, root in surveys:
        _import_file(desk, room, found, root)
        put_export(desk.tables, found)
    _note_room(desk, room, surveys[-1][0].head)


def _import_file(desk: Desk, room: Room, found: Survey, root: Path) -> None:
    head, exported_at = found.head, found.exported_at
    export = Export(
        room.channel_id,
        head.guild_id,
        exported_at,
        found.rendered,
        room.speakers,
        found.made,
        found.tables,
    )
    fates: Counter[str] = Counter()
    beside = desk.media.beside
    seen: set[int] = set()
    for row in walk(head.path, lambda block: desk.tick(len(block))):
        if isinstance(row, Root | Damage):
            continue
        try:
            mapped = message(row, export)
        except LostRow as error:
            found.lost[f"rows: {error}"] += 1
            continue
        seen.add(int(mapped["id"]))
        mapped = part_starter(desk, head, mapped, exported_at)
        fates[room.take(mapped, exported_at, head.path.name)] += 1
        for file in attached(mapped):
            source = locate(file["url"], head.path.parent, root)
            desk.media.take(room.channel_id, mapped["id"], file, source)
    gone = _note_absences(desk, room, found, seen)
    room.flush(head.path.name, closed=True)
    desk.media.flush()
    desk.fates.update(fates)
    _note_file(desk, found, export, len(seen), gone)["beside"] = desk.media.beside - beside


def _note_absences(desk: Desk, room: Room, found: Survey, seen: set[int]) -> str:
    """Note what a whole newer export no longer has; gives a remark where that proves nothing."""
    gone, held = room.missing(seen, found.exported_at)
    if not gone:
        return ""
    if not found.is_whole:
        return f"{len(gone)} messages of an older export are not in it"
    if len(gone) > MANY_GONE and len(gone) > MUCH_GONE * held:
        return (
            f"{len(gone)} of {held} messages that an older export has are not in it: "
            "it is filtered or short"
        )
    absences(desk.raw, room.channel_id, gone, seen, found.exported_at)
    return ""


def _note_file(desk: Desk, found: Survey, export: Export, taken: int, gone: str) -> Object:
    """Give an export its row, and say what it lost."""
    head = found.head
    reasons = list(dict.fromkeys(found.damages))
    if found.claimed not in {None, found.rows}:
        reasons.append(f"it says {found.claimed} messages and holds {found.rows}")
    reasons += [reason for reason in found.lost if found.lost[reason]]
    unfinished = bool(reasons)
    reasons += [gone] if gone else []
    status = "salvaged" if found.damages or found.lost else "read"
    row = desk.note(
        head.path,
        status,
        "; ".join(reasons),
        channel_id=export.channel_id,
        messages=taken,
        salvaged=taken if status == "salvaged" else 0,
        lost=counts(export.lost, found.lost),
        noted=counts(export.noted),
        unfinished=unfinished,
        claimed=found.claimed,
        exported_at=found.exported_at,
        rendered=found.rendered,
        part=head.part,
        limited=_limits(head),
        sha256=found.sha256,
        lowest_id=None if found.lowest is None else str(found.lowest),
        highest_id=None if found.highest is None else str(found.highest),
    )
    told = [f"{count} {reason}" for reason, count in {**row["lost"], **row["noted"]}.items()]
    said = "; ".join([f"{taken} messages", *reasons, *told])
    desk.say(f"{head.path.name}: {said}")
    return row


def _note_room(desk: Desk, room: Room, head: Head) -> None:
    """Give the room its row in the manifest, unless Discord itself told of it."""
    desk.touched.add(room.channel_id)
    if room.channel_id in desk.discord_rooms:
        return
    against = why_incomplete(desk, room.channel_id)
    last = desk.tables.room(room.channel_id)[0].get("last_message_id")
    highest = max(room.held, default=None)
    if last and (highest is None or int(last) > highest):
        against.append(f"Discord named {last} as its last message, which is not here")
    row = desk.rooms.get(room.channel_id) or {}
    desk.rooms[room.channel_id] = {
        "channel_id": room.channel_id,
        "guild_id": head.guild_id,
        "parent_id": head.parent_id,
        "type": head.channel_type,
        "name": words(head.channel.get("name")) or "",
        "status": "partial" if against else "complete" if room.held else "empty",
        "reason": "; ".join(against),
        "messages": len(room.held),
        "lowest_id": str(min(room.held)) if room.held else None,
        "highest_id": None if highest is None else str(highest),
        "last_message_id": last,
        "complete": not against,
        "attempted_at": desk.now.isoformat(),
        "from": "files",
        **({"starter": row["starter"]} if "starter" in row else {}),
    }


def why_incomplete(desk: Desk, channel_id: str) -> list[str]:
    """
    Say what speaks against a room's files being the whole of it.

    Nothing can speak for it: an export that was cut or filtered can look whole (2e.10, 2e.15).
    """
    rows = [
        row
        for row in desk.files.values()
        if row["channel_id"] == channel_id and Path(row["path"]).suffix.lower() == ".json"
    ]
    against = [f"{Path(row['path']).name}: {row['reason']}" for row in rows if row["reason"]]
    against += part_gaps(rows)
    if rows and all(row.get("limited") for row in rows):
        against.append("every export of it was limited to a range of dates")
    return against


def part_gaps(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name the parts that are missing between the parts that are there (known-faults B060)."""
    sets: dict[str, set[int]] = {}
    for row in rows:
        path = Path(row["path"])
        stem = path.stem.removesuffix(f" [part {row.get('part')}]")
        sets.setdefault(str(path.with_name(stem)), set()).add(row.get("part") or 1)
    return [
        f"part {number} of {Path(stem).name} is missing"
        for stem, parts in sorted(sets.items())
        for number in range(1, max(parts))
        if number not in parts
    ]


def _limits(head: Head) -> bool:
    limits = head.roots.get("dateRange")
    return isinstance(limits, Mapping) and bool(limits.get("after") or limits.get("before"))


def _is_known(desk: Desk, found: Survey, others: Sequence[Survey]) -> bool:
    """Say whether these very bytes were read before, here or in a copy; notes it if so."""
    path = found.head.path
    before = desk.files.get(str(path))
    facts = stamp(path)
    is_same = before and before.get("sha256") == found.sha256
    if before and is_same and before["stamp"][2:] == facts[2:] and not desk.chooses_anew(before):
        before["stamp"] = facts  # only touched; the media folder beside it stands too
        return True
    twins = [
        Path(row["path"]).name
        for row in desk.files.values()
        if row.get("sha256") == found.sha256 and row["status"] == "read" and row is not before
    ]
    twins += [other.head.path.name for other in others if other.sha256 == found.sha256]
    if not twins or len(facts) > 2:  # a copy with media may bring what the first one lacked
        return False
    desk.note(path, "same", f"byte for byte {twins[0]}", sha256=found.sha256)
    return True
