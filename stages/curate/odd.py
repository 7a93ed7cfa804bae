"""Judge lines of which a field is of the wrong kind: whose they are counts all the same."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.rawfields import TYPES
from pipeline.rawread import read_lines, whole_object
from stages.curate.judge import BLANK, COLUMNS, UNREADABLE, Judge, Judged, Room

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

Line = bytes | memoryview


def judge_lines(lines: Sequence[Line], room: Room, judge: Judge) -> Judged:
    """
    Judge lines of one room, one entry a line.

    A line that cannot be taken as it stands is judged by its sound fields and left out as
    `UNREADABLE`, unless those are reason enough. It is still the agent's own, or meant for it.
    """
    import numpy as np

    unreadable = judge.reasons.number(UNREADABLE)
    count = len(lines)
    found = Judged(
        np.zeros(count, bool), np.zeros(count, bool), np.full(count, unreadable, np.int16)
    )
    table, row = read_lines(lines, COLUMNS)
    if len(row):
        _lay(found, row, judge.judge(table, room))
    odd = np.ones(count, bool)
    odd[row] = False
    where = np.flatnonzero(odd)
    sound = [(at, part) for at in where.tolist() if (part := sound_part(bytes(lines[at])))]
    found.reason[where] = unreadable
    if sound:
        table, row = read_lines([part for _, part in sound], COLUMNS)
        at = np.array([at for at, _ in sound])[row]
        _lay(found, at, judge.judge(table, room))
        poor = [0, *(judge.reasons.number(reason) for reason in BLANK)]
        found.reason[at] = np.where(np.isin(found.reason[at], poor), unreadable, found.reason[at])
    return found


def _lay(found: Judged, at: "Array", judged: Judged) -> None:
    found.is_self[at], found.addressed[at] = judged.is_self, judged.addressed
    found.reason[at] = judged.reason


def sound_part(line: bytes) -> bytes:
    """Give what of a line is as Discord says, as a line; empty where it cannot be read at all."""
    try:
        whole = whole_object(line)
    except (ValueError, RecursionError):
        return _shallow_part(line)
    return json.dumps(_sound(whole)).encode("ascii")


def _sound(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out fields of the wrong kind, and of lists only the wrong elements."""
    kept = {"id": whole.get("id")}
    for key, kind in TYPES.items():
        value = whole.get(key)
        if isinstance(value, list) and _fits([], kind):
            kept[key] = [part for part in value if _fits([part], kind)]
        elif _fits(value, kind):
            kept[key] = value
    return kept


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _shallow_part(line: bytes) -> bytes:
    """Give the fields that can be read of a line that cannot be read whole, one by one."""
    try:
        fields = msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (ValueError, RecursionError):
        return b""
    kept = {}
    for key, kind in {"id": str | int, **TYPES}.items():
        try:
            kept[key] = msgspec.json.decode(fields[key], type=kind)
        except (KeyError, ValueError, RecursionError):
            continue
    return json.dumps(msgspec.to_builtins(kept)).encode("ascii")
