"""What a slot holds: its updates, walked back to the last snapshot and applied (format §3)."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from pipeline.care.storereader_log import Record
from pipeline.errors import SourceError

UPDATE = "state_update"
DELTAS = ("DeltaSnapshot", "TreeDeltaSnapshot")
_STRIDE = 1 << 20  # bytes of an integer list that are decoded at a time

# An array slot is a list of its items' JSON, a tree a dict by path, anything else JSON text.
Items = list[msgspec.Raw]
Value = Items | dict[str, Any] | bytes | None


class Body(msgspec.Struct, frozen=True):
    """The payload of an update, its operation still undecoded."""

    state_id: str
    prev_update_offset: int | None
    operation: msgspec.Raw
    timestamp: int = 0


@dataclass(frozen=True, slots=True)
class Coding:
    """How one record's payload is decoded."""

    decode: Callable[..., Any]
    name: str


_JSON = Coding(msgspec.json.decode, "JSON")
_PACK = Coding(msgspec.msgpack.decode, "MessagePack")


@dataclass(frozen=True, slots=True)
class Update:
    """One update of a slot: an operation by name, and its argument, undecoded."""

    record: Record
    slot: str
    previous: int | None
    name: str
    argument: msgspec.Raw
    coding: Coding

    def take(self, kind: Any) -> Any:
        """Decode the argument."""
        return _decode(self.coding, self.argument, kind, self)


def update_of(record: Record) -> Update:
    """Read an update's payload; MessagePack where the encoding says so, else JSON."""
    coding = _PACK if record.encoding == 1 else _JSON
    try:
        body = coding.decode(record.payload, type=Body)
        name, argument = _only(coding.decode(body.operation, type=dict[str, msgspec.Raw]))
    except (msgspec.DecodeError, ValueError) as error:
        raise SourceError(
            f"the update at byte {record.offset} of the log is no readable {coding.name}: {error}"
        ) from error
    return Update(record, body.state_id, body.prev_update_offset, name, argument, coding)


def rebuild(slot: str, newest: Update, before: Callable[[int], Update]) -> Value:
    """
    Give a slot's value from its newest update; `before` gives the update at an offset.

    The format's own reader: back to the last full snapshot, deltas on the way replace
    everything older than them that is no snapshot, then all that was kept, oldest first.
    """
    kept: list[Update] = []
    skipping = False
    for update in chain(slot, newest, before):
        if update.name == "Snapshot" or (update.name in ("Set", "Delta") and not skipping):
            kept.append(update)
            break
        if update.name in DELTAS:
            kept.append(update)
            skipping = True
        elif not skipping:
            kept.append(update)
    value: Value = None
    for update in reversed(kept):
        value = apply(value, update)
    return value


def chain(slot: str, newest: Update, before: Callable[[int], Update]) -> Iterator[Update]:
    """Walk a slot's updates from the newest to the oldest."""
    update = newest
    while True:
        if update.slot != slot:
            raise SourceError(
                f"slot {slot}: the update at byte {update.record.offset} is one of {update.slot}"
            )
        yield update
        if update.previous is None:
            return
        if update.previous >= update.record.offset:
            raise SourceError(
                f"slot {slot}: the update at byte {update.record.offset} points forward"
            )
        update = before(update.previous)


def apply(value: Value, update: Update) -> Value:
    """Apply one update to a value; raises SourceError on an operation that is not known."""
    name = update.name
    if name in ("Set", "Snapshot"):
        return content(update, update.argument)
    if name == "Delta":
        return content(update, update.take(dict[str, msgspec.Raw])["new_value"])
    if name == "Append":
        value = items_of(value, update)
        value.append(msgspec.Raw(content(update, update.argument)))
        return value
    if name == "DeltaSnapshot":
        value = items_of(value, update)
        value.extend(items_of(content(update, update.argument), update))
        return value
    if name in ("Edit", "Redact"):
        return _mended(items_of(value, update), update)
    if name.startswith("Tree"):
        return _tree(value, update)
    if name == "Field":
        return _field(value, update)
    raise SourceError(
        f"slot {update.slot}: the operation {name} at byte {update.record.offset} is not known here"
    )


def items_of(value: Value, update: Update) -> Items:
    """Give a value as a list of its items' JSON."""
    if isinstance(value, list):
        return value
    if value is None:
        return []
    if isinstance(value, dict):
        raise SourceError(f"slot {update.slot}: {update.name} on a tree")
    found: Items = _decode(_JSON, value, list[msgspec.Raw], update)
    return found


def content(update: Update, argument: msgspec.Raw) -> bytes:
    """Give the bytes of an argument: bin, or a list of integers, decoded stretch by stretch."""
    if update.coding is _PACK:
        if bytes(memoryview(argument)[:1]) in (b"\xc4", b"\xc5", b"\xc6"):
            return bytes(_decode(_PACK, argument, bytes, update))
        return bytes(_decode(_PACK, argument, list[int], update))
    raw = bytes(argument).strip()
    if raw[:1] != b"[" or raw[-1:] != b"]":
        raise SourceError(
            f"slot {update.slot}: the bytes at {update.record.offset} are no list of integers"
        )
    whole = bytearray()
    at = 1
    while at < len(raw) - 1:
        stop = raw.find(b",", min(at + _STRIDE, len(raw) - 1))
        stop = len(raw) - 1 if stop == -1 else stop
        try:
            whole += bytes(_decode(_JSON, b"[" + raw[at:stop] + b"]", list[int], update))
        except ValueError as error:
            raise SourceError(f"slot {update.slot}: no bytes at {update.record.offset}") from error
        at = stop + 1
    return bytes(whole)


def _mended(items: Items, update: Update) -> Items:
    told = update.take(dict[str, msgspec.Raw])
    if update.name == "Edit":
        index = _decode(update.coding, told["index"], int, update)
        if not 0 <= index < len(items):
            raise SourceError(f"slot {update.slot}: an edit of item {index} of {len(items)}")
        items[index] = msgspec.Raw(content(update, told["new_value"]))
        return items
    start, end = (_decode(update.coding, told[name], int, update) for name in ("start", "end"))
    del items[start : max(start, end)]
    return items


def _tree(value: Value, update: Update) -> dict[str, Any]:
    if isinstance(value, bytes):  # a snapshot below
        value = _decode(_JSON, value, dict[str, Any], update)
    tree: dict[str, Any] = value if isinstance(value, dict) else {}
    told = update.take(Any)
    if update.name in ("TreeSet", "TreeRemove"):
        steps: list[Mapping[str, Any]] = [{update.name[4:]: told}]
    elif update.name in ("TreeBatch", "TreeDeltaSnapshot"):
        steps = told["ops"] if isinstance(told, dict) else told
    else:
        raise SourceError(f"slot {update.slot}: the operation {update.name} is not known here")
    for step in steps:
        kind, change = _only(step)
        if kind == "Set":
            tree[change["path"]] = change["entry"]
        elif kind == "Remove":
            tree.pop(change["path"], None)
        else:
            raise SourceError(f"slot {update.slot}: the tree operation {kind} is not known here")
    return tree


def _field(value: Value, update: Update) -> bytes:
    told = update.take(dict[str, msgspec.Raw])
    member = _decode(update.coding, told["name"], str, update)
    name, argument = _only(
        _decode(update.coding, told["operation"], dict[str, msgspec.Raw], update)
    )
    members = (
        {} if value is None else _decode(_JSON, as_json(value), dict[str, msgspec.Raw], update)
    )
    held = bytes(members[member]) if member in members else None
    inner = Update(update.record, update.slot, None, name, argument, update.coding)
    members[member] = msgspec.Raw(as_json(apply(held, inner)))
    return msgspec.json.encode(members)


def as_json(value: Value) -> bytes:
    """Give a value as JSON text."""
    return value if isinstance(value, bytes) else msgspec.json.encode(value)


def _only(told: Mapping[str, Any]) -> tuple[str, Any]:
    if len(told) != 1:
        raise ValueError(f"an operation with {len(told)} names")
    return next(iter(told.items()))


def _decode(coding: Coding, raw: Any, kind: Any, update: Update) -> Any:
    try:
        return coding.decode(raw, type=kind)
    except msgspec.DecodeError as error:
        raise SourceError(
            f"slot {update.slot}: the update at byte {update.record.offset} is odd: {error}"
        ) from error
