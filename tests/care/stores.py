"""Make Chronicle stores by hand, byte by byte from the format's description, for the reader."""

import json
import struct
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

STAMP = 1_600_000_000_000_000


def pack(value: Any) -> bytes:
    """Encode as MessagePack; a map is a dict, whose keys may be tuples."""
    if value is None:
        return b"\xc0"
    if isinstance(value, bool):
        return b"\xc3" if value else b"\xc2"
    if isinstance(value, int):
        return _pack_int(value)
    if isinstance(value, bytes):
        return _sized(len(value), (), b"\xc4", b"\xc5", b"\xc6") + value
    if isinstance(value, str):
        raw = value.encode()
        return _sized(len(raw), (0xA0, 32), b"\xd9", b"\xda", b"\xdb") + raw
    if isinstance(value, Mapping):
        inside = b"".join(pack(k) + pack(v) for k, v in value.items())
        return _sized(len(value), (0x80, 16), b"", b"\xde", b"\xdf") + inside
    return _sized(len(value), (0x90, 16), b"", b"\xdc", b"\xdd") + b"".join(map(pack, value))


def _pack_int(value: int) -> bytes:
    if value < 0:
        return b"\xd3" + struct.pack(">q", value)
    if value < 128:
        return bytes([value])
    for mark, form, above in (
        (b"\xcc", ">B", 1 << 8),
        (b"\xcd", ">H", 1 << 16),
        (b"\xce", ">I", 1 << 32),
    ):
        if value < above:
            return mark + struct.pack(form, value)
    return b"\xcf" + struct.pack(">Q", value)


def _sized(size: int, small: tuple[int, ...], one: bytes, two: bytes, four: bytes) -> bytes:
    if small and size < small[1]:
        return bytes([small[0] | size])
    if one and size < 1 << 8:
        return one + struct.pack(">B", size)
    return two + struct.pack(">H", size) if size < 1 << 16 else four + struct.pack(">I", size)


def canonical(value: Any) -> bytes:
    """Give JSON as the store writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()


def frame(
    number: int, sequence: int, kind: str, encoding: int, payload: bytes, **rest: Any
) -> bytes:
    """Frame one record."""
    raw = kind.encode()
    head = struct.pack("<4sBB", b"REC\0", 1, 0)
    head += struct.pack("<QQQq", number, sequence, rest.get("branch", 1), rest.get("stamp", STAMP))
    head += struct.pack("<H", len(raw)) + raw + struct.pack("<BI", encoding, len(payload))
    links = b""
    for name in ("causes", "links"):
        ids = rest.get(name, ())
        links += struct.pack(f"<H{len(ids)}Q", len(ids), *ids)
    return head + payload + links + struct.pack("<I", zlib.crc32(payload))


@dataclass
class Made:
    """A store being made; `packed`: updates are MessagePack, else JSON with encoding 2."""

    root: Path
    packed: bool = False
    log: bytearray = field(default_factory=bytearray)
    number: int = 0
    branch: int = 1
    sequences: dict[int, int] = field(default_factory=lambda: {1: 0})
    heads: dict[tuple[int, str], list[Any]] = field(default_factory=dict)
    strategies: dict[str, Any] = field(default_factory=dict)
    branches: dict[int, list[Any]] = field(
        default_factory=lambda: {1: [1, "main", 0, None, None, STAMP]}
    )
    blobs: dict[str, bytes] = field(default_factory=dict)

    def record(self, kind: str, encoding: int, payload: bytes, stamp: int = STAMP) -> int:
        """Append a record; gives its offset."""
        self.number += 1
        self.sequences[self.branch] += 1
        offset = len(self.log)
        sequence = self.sequences[self.branch]
        self.log += frame(
            self.number, sequence, kind, encoding, payload, branch=self.branch, stamp=stamp
        )
        return offset

    def update(self, slot: str, operation: Mapping[str, Any], stamp: int = STAMP) -> None:
        """Append an update of a slot and move its head."""
        key = (self.branch, slot)
        previous = self.heads[key][0] if key in self.heads else None
        body = {
            "record_id": 0,
            "global_sequence": self.sequences[self.branch] + 1,
            "state_id": slot,
            "prev_update_offset": previous,
            "operation": operation,
            "timestamp": stamp,
        }
        if self.packed:
            offset = self.record("state_update", 1, pack(body), stamp)
        else:
            text = json.dumps(plain(body), separators=(",", ":"), ensure_ascii=False)
            offset = self.record("state_update", 2, text.encode(), stamp)
        self.heads[key] = [offset, 1, 0, None, None, False, 0]
        self.strategies.setdefault(slot, {"AppendLog": [50, 10]})

    def append(self, slot: str, items: Iterable[Any]) -> None:
        """Append items."""
        for item in items:
            self.update(slot, {"Append": canonical(item)})

    def snapshot(self, slot: str, value: Any) -> None:
        """Restate a slot whole."""
        self.update(slot, {"Snapshot": canonical(value)})

    def fork(self, name: str) -> int:
        """Make a child of the current branch, with copies of its heads, and go there."""
        child = max(self.branches) + 1
        point = self.sequences[self.branch]
        self.branches[child] = [child, name, point, self.branch, point, STAMP]
        for (branch, slot), head in list(self.heads.items()):
            if branch == self.branch:
                self.heads[child, slot] = list(head)
        self.sequences[child] = point
        self.branch = child
        return child

    def blob(self, content: bytes, kind: str = "text/plain") -> str:
        """Add a blob; gives its hash."""
        digest = sha256(content).hexdigest()
        self.blobs[digest] = blob_file(content, kind)
        return digest

    def write(self, heads: Mapping[tuple[int, str], list[Any]] | None = None) -> Path:
        """Write the folder."""
        (self.root / "blobs").mkdir(parents=True, exist_ok=True)
        (self.root / "MANIFEST").write_bytes(b"RST\0\1")
        (self.root / "records.log").write_bytes(self.log)
        state = pack([self.heads if heads is None else heads, self.strategies])
        (self.root / "state.bin").write_bytes(b"STI\0\2" + struct.pack("<Q", len(state)) + state)
        for number, branch in self.branches.items():
            branch[2] = self.sequences[number]
        names = {branch[1]: number for number, branch in self.branches.items()}
        body = pack([self.branches, names, max(self.branches) + 1])
        (self.root / "branches.bin").write_bytes(
            b"BRI\0\1" + struct.pack("<QQ", self.branch, len(body)) + body
        )
        for digest, whole in self.blobs.items():
            path = self.root / "blobs" / digest[:2] / digest
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(whole)
        return self.root


def blob_file(content: bytes, kind: str) -> bytes:
    """Give a blob's file."""
    head = b"BLB\0\1" + struct.pack("<H", len(kind)) + kind.encode()
    return head + struct.pack("<Q", len(content)) + content + struct.pack("<I", zlib.crc32(content))


def plain(value: Any) -> Any:
    """Give bytes as lists of integers, as JSON updates hold them."""
    if isinstance(value, bytes):
        return list(value)
    if isinstance(value, Mapping):
        return {name: plain(inner) for name, inner in value.items()}
    return [plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def memory_store(
    root: Path, *, items: int = 48, per_chunk: int = 4, packed: bool = False
) -> "Made":
    """Make a store with an agent's memory: chunks of a few messages, six L1s under each L2."""
    made = Made(root, packed=packed)
    space, ids = "agents/tilly/autobio:", []
    for place in range(items):
        made.update("messages", {"Append": canonical(message(str(made.number + 1), place))})
        ids.append(str(made.number))
    records, summaries, number = [], [], 0
    for start in range(0, items - per_chunk + 1, per_chunk):
        held = ids[start : start + per_chunk]
        made_id = f"L1-{number}"
        records.append(
            {"id": f"c-{len(records)}", "sourceIds": held, "compressed": True, "summaryId": made_id}
        )
        summaries.append(summary(made_id, 1, held, held))
        number += 1
        free = [s for s in summaries if s["level"] == 1 and "mergedInto" not in s]
        if len(free) == 6:
            leaves = [leaf for s in free for leaf in s["sourceIds"]]
            for child in free:
                child["mergedInto"] = f"L2-{number}"
            summaries.append(summary(f"L2-{number}", 2, [s["id"] for s in free], leaves))
            number += 1
    made.append(space + "chunks", records)
    made.snapshot(space + "chunks", records)
    made.snapshot(space + "summaries", summaries)
    made.snapshot(space + "counter", number)
    return made


def message(number: str, place: int, **rest: Any) -> dict[str, Any]:
    """Give a stored message: every fourth one is the agent's own."""
    own = place % 4 == 3
    item = {
        "id": number,
        "sequence": int(number),
        "participant": "tilly" if own else "user",
        "content": [
            {"type": "text", "text": "Noted." if own else f"marrow: the bell rang {place}"}
        ],
        "timestamp": 1_780_000_000_000 + place * 60_000,
    }
    if not own:
        item["metadata"] = {
            "channelId": "discord:1100000000000000001:1200000000000000001",
            "messageId": str(1_700_000_000_000_000_000 + place),
            "author": {"id": "1300000000000000011", "name": "marrow"},
            "channelName": "general",
            "guildName": "Yard",
        }
    return item | rest


def summary(name: str, level: int, sources: list[str], leaves: list[str]) -> dict[str, Any]:
    """Give a stored memory."""
    return {
        "id": name,
        "level": level,
        "content": f"I heard the bell, {name}.",
        "tokens": 9,
        "sourceLevel": level - 1,
        "sourceIds": sources,
        "sourceRange": {"first": leaves[0], "last": leaves[-1]},
        "created": 1_790_000_000_000,
    }
