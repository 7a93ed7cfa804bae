"""The three small files of a store: MANIFEST, state.bin, branches.bin (format §1, §4, §5)."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from pipeline.errors import SourceError

MAIN = 1
STRATEGIES = {"Snapshot": 0, "AppendLog": 2, "Tree": 2, "Delta": 1, "Struct": 1}


@dataclass(frozen=True, slots=True)
class Head:
    """Where a slot's newest update lies in the log, and what was counted of it."""

    offset: int
    items: int


@dataclass(frozen=True, slots=True)
class Branch:
    """A branch; `created_at` in microseconds since 1970."""

    branch_id: int
    name: str
    head_sequence: int
    parent_id: int | None
    branch_point: int | None
    created_at: int


@dataclass(frozen=True, slots=True)
class State:
    """What the small files say; `strategies` gives each slot's strategy as it stands there."""

    heads: Mapping[tuple[int, str], Head]
    strategies: Mapping[str, Any]
    branches: Mapping[int, Branch]
    current: int
    notes: tuple[str, ...]


def read_state(root: Path) -> State:
    """Read the small files; a missing state.bin or branches.bin is told in `notes`."""
    _check_manifest(root / "MANIFEST")
    notes: list[str] = []
    heads: dict[tuple[int, str], Head] = {}
    strategies: dict[str, Any] = {}
    body = _body(root / "state.bin", b"STI\0", 2, 5)
    if body is None:
        notes.append("state.bin is missing: slots are followed through the log alone")
    else:
        heads, strategies = _state(root / "state.bin", body[1], notes)
    branches, current = {MAIN: Branch(MAIN, "main", 0, None, None, 0)}, MAIN
    body = _body(root / "branches.bin", b"BRI\0", 1, 13)
    if body is None:
        notes.append("branches.bin is missing: only main is known")
    else:
        branches, current = _branches(root / "branches.bin", body[1]), body[0]
    if current not in branches:
        raise SourceError(f"{root}/branches.bin: the current branch {current} is none of its own")
    return State(heads, strategies, branches, current, tuple(notes))


def _check_manifest(path: Path) -> None:
    try:
        head = path.read_bytes()[:5]
    except (FileNotFoundError, NotADirectoryError):
        raise SourceError(f"{path.parent}: no MANIFEST, so no Chronicle store") from None
    if head[:4] != b"RST\0" or len(head) < 5:
        raise SourceError(f"{path}: begins with {head.hex(' ')}, not with RST; no Chronicle store")
    if head[4] != 1:
        raise SourceError(f"{path}: version {head[4]} is not known here, only version 1")


def _body(path: Path, magic: bytes, version: int, size_at: int) -> tuple[int, bytes] | None:
    """Give the number before the size (branches.bin: the current branch) and the content."""
    try:
        whole = path.read_bytes()
    except FileNotFoundError:
        return None
    if len(whole) < size_at + 8 or whole[:4] != magic:
        raise SourceError(f"{path}: too short, or not what its name says")
    if whole[4] != version:
        raise SourceError(f"{path}: version {whole[4]} is not known here, only version {version}")
    before = struct.unpack_from("<Q", whole, 5)[0]
    (size,) = struct.unpack_from("<Q", whole, size_at)
    body = whole[size_at + 8 : size_at + 8 + size]
    if len(body) < size:
        raise SourceError(f"{path}: {size} bytes are told, {len(body)} are there")
    return before, body


def _state(
    path: Path, body: bytes, notes: list[str]
) -> tuple[dict[tuple[int, str], Head], dict[str, Any]]:
    try:
        told, strategies = msgspec.msgpack.decode(
            body, type=tuple[dict[tuple[int, str], Any], dict[str, Any]]
        )
    except msgspec.DecodeError as error:
        raise SourceError(f"{path}: not decodable: {error}") from error
    heads = {key: _head(path, key, value) for key, value in told.items()}
    for slot, strategy in strategies.items():
        name = strategy if isinstance(strategy, str) else next(iter(strategy or {}), "nothing")
        if name not in STRATEGIES:
            notes.append(f"slot {slot}: the strategy {name} is not known here")
    return heads, strategies


def _head(path: Path, key: tuple[int, str], value: Any) -> Head:
    if not isinstance(value, list) or not 5 <= len(value) <= 8:
        size = f"{len(value)} elements" if isinstance(value, list) else type(value).__name__
        raise SourceError(f"{path}: the head of {key[1]} has {size}; 5 to 8 are known")
    if not all(isinstance(part, int | None) for part in value):
        raise SourceError(f"{path}: the head of {key[1]} holds what is no number")
    return Head(value[0], value[6] if len(value) > 6 else -1)


def _branches(path: Path, body: bytes) -> dict[int, Branch]:
    kind = tuple[dict[int, tuple[int, str, int, int | None, int | None, int]], dict[str, int], int]
    try:
        told, _, _ = msgspec.msgpack.decode(body, type=kind)
    except msgspec.DecodeError as error:
        raise SourceError(f"{path}: not decodable: {error}") from error
    return {number: Branch(*fields) for number, fields in told.items()}
