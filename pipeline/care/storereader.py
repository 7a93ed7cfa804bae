"""
Read a Chronicle store from its files up, and never touch it: no LOCK, no write, no repair.

Written from the format's description alone and sharing no code with whatever writes stores,
so that it may judge them. `open_store` reads in place; `hot_copy` first takes a copy of a
store that lives: small files first, then the log, then the blobs.
"""

import hashlib
import shutil
import struct
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from pipeline.care.storereader_log import Log, Record
from pipeline.care.storereader_state import Branch, Head, State, read_state
from pipeline.care.storereader_values import UPDATE, Update, Value, rebuild, update_of
from pipeline.errors import SourceError
from pipeline.files import make_folder

SMALL_FILES = ("MANIFEST", "state.bin", "branches.bin")


@dataclass(frozen=True, slots=True)
class Blob:
    """A blob, checked by its checksum and its hash."""

    content_type: str
    content: bytes


@dataclass(slots=True)
class Store:
    """An open store; slots are read on its current branch unless another is named."""

    root: Path
    state: State
    log: Log
    records: Counter[str]  # how many of each type
    last_id: int
    replayed: int  # updates that the log has and state.bin does not know yet
    notes: tuple[str, ...]

    @property
    def branch(self) -> Branch:
        """Give the current branch."""
        return self.state.branches[self.state.current]

    def slots(self, branch_id: int | None = None) -> list[str]:
        """Name the slots that hold a value on a branch, in alphabetical order."""
        wanted = self.state.current if branch_id is None else branch_id
        return sorted(slot for branch, slot in self.state.heads if branch == wanted)

    def value(self, slot: str, branch_id: int | None = None) -> Any:
        """Give a slot's value, decoded; None where the slot holds none."""
        held = self._held(slot, branch_id)
        if held is None:
            return None
        if isinstance(held, list):
            return [msgspec.json.decode(item) for item in held]
        return held if isinstance(held, dict) else self._decoded(slot, held, Any)

    def items(self, slot: str, kind: Any = Any, branch_id: int | None = None) -> Iterator[Any]:
        """Give the items of an array slot one by one, so that only their JSON is held at once."""
        held = self._held(slot, branch_id)
        if isinstance(held, bytes):
            held = self._decoded(slot, held, list[msgspec.Raw])
        if isinstance(held, dict):
            raise SourceError(f"slot {slot} holds a tree, not an array")
        decoder = msgspec.json.Decoder(kind)
        for place, item in enumerate(held or ()):
            try:
                yield decoder.decode(item)
            except msgspec.DecodeError as error:
                raise SourceError(f"slot {slot}: item {place} is odd: {error}") from None

    def blob(self, digest: str) -> Blob:
        """Give a blob by its SHA-256, or say what is wrong with it."""
        return read_blob(self.root / "blobs" / digest[:2] / digest, digest)

    def _held(self, slot: str, branch_id: int | None) -> Value:
        head = self.state.heads.get((self.state.current if branch_id is None else branch_id, slot))
        return None if head is None else rebuild(slot, self._update(head.offset), self._update)

    def _update(self, offset: int) -> Update:
        record = self.log.at(offset)
        if record.type != UPDATE:
            raise SourceError(f"{self.log.path}: byte {offset} begins a {record.type}, no update")
        return update_of(record)

    def _decoded(self, slot: str, held: bytes, kind: Any) -> Any:
        try:
            return msgspec.json.decode(held, type=kind)
        except msgspec.DecodeError as error:
            raise SourceError(f"slot {slot}: its value is not as expected: {error}") from None


def open_store(root: Path) -> Store:
    """
    Open a store to read, in place; its small files are read before its log.

    Every record is walked and its checksum tried; a torn tail is left out. Updates that lie
    behind every head of state.bin are followed where they continue a known chain.
    """
    state = read_state(root)
    log = Log(root / "records.log")
    heads = dict(state.heads)
    covered = max((head.offset for head in heads.values()), default=-1)
    counts: Counter[str] = Counter()
    notes = list(state.notes)
    last_id = replayed = 0
    for record in log.records():
        counts[record.type] += 1
        last_id = max(last_id, record.record_id)
        if record.offset > covered and record.type == UPDATE:
            if _follow(heads, record, state):
                replayed += 1
            else:
                notes.append(f"the update at byte {record.offset} continues no known chain")
    for (_, slot), head in heads.items():
        if head.offset >= log.end:
            raise SourceError(f"{root}: the head of {slot} is byte {head.offset}, past the log")
    if log.torn_bytes:
        notes.append(f"a torn tail of {log.torn_bytes} bytes is left out")
    return Store(root, replace(state, heads=heads), log, counts, last_id, replayed, tuple(notes))


def _follow(heads: dict[tuple[int, str], Head], record: Record, state: State) -> bool:
    update = update_of(record)
    key = (record.branch_id, update.slot)
    known = heads[key].offset if key in heads else None
    if known is None and update.previous is not None:  # a child's first update, made since
        branch = state.branches.get(record.branch_id)
        above = heads.get((branch.parent_id or 0, update.slot)) if branch else None
        known = above.offset if above else None
    if update.previous != known:
        return False
    heads[key] = Head(record.offset, -1)
    return True


def hot_copy(store: Path, target: Path) -> Path:
    """
    Copy a store that may be living into a new folder, 0700; the original is only read.

    Small files first, then the log (so that it holds whatever they point at), then the blobs.
    """
    if target.exists():
        raise SourceError(f"{target} is there already")
    make_folder(target)
    for name in (*SMALL_FILES, "records.log"):
        if (store / name).is_file():
            shutil.copyfile(store / name, target / name)
            (target / name).chmod(0o600)
    make_folder(target / "blobs")
    for path in sorted((store / "blobs").glob("??/*")):
        if path.is_file() and not path.is_symlink():
            make_folder(target / "blobs" / path.parent.name)
            shutil.copyfile(path, target / "blobs" / path.parent.name / path.name)
            (target / "blobs" / path.parent.name / path.name).chmod(0o600)
    return target


def read_blob(path: Path, digest: str) -> Blob:
    """Read a blob's file and prove it (format §6)."""
    try:
        whole = path.read_bytes()
    except FileNotFoundError:
        raise SourceError(f"blob {digest}: not there") from None
    try:
        (type_size,) = struct.unpack_from("<H", whole, 5)
        (size,) = struct.unpack_from("<Q", whole, 7 + type_size)
        at = 15 + type_size
        content = whole[at : at + size]
        (checksum,) = struct.unpack_from("<I", whole, at + size)
        kind = whole[7 : 7 + type_size].decode()
    except (struct.error, UnicodeDecodeError):
        raise SourceError(f"blob {digest}: cut off or damaged") from None
    if whole[:5] != b"BLB\0\1" or zlib.crc32(content) != checksum:
        raise SourceError(f"blob {digest}: another version, or its checksum fails")
    if hashlib.sha256(content).hexdigest() != digest:
        raise SourceError(f"blob {digest}: its content has another hash")
    return Blob(kind, content)
