"""The records of a store's log: framed, checksummed, and where a torn tail begins (format §2)."""

import mmap
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import SourceError

MAGIC = b"REC\0"
_FRONT = struct.Struct("<4sBBQQQqH")  # magic, version, flags, id, sequence, branch, time, T
_SHORTEST = 53


@dataclass(frozen=True, slots=True)
class Record:
    """A record: its place and end in bytes, `stamped_at` in microseconds since 1970."""

    offset: int
    end: int
    record_id: int
    sequence: int
    branch_id: int
    stamped_at: int
    type: str
    encoding: int  # 0 JSON, 1 MessagePack, anything else raw
    payload: memoryview
    caused_by: tuple[int, ...]
    linked_to: tuple[int, ...]


class Log:
    """An open log, read through the page cache; what lies behind `end` was torn and counts not."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._bytes = _mapped(path)
        self.view = memoryview(self._bytes)
        self.end = len(self.view)
        self.torn_bytes = 0

    def at(self, offset: int) -> Record:
        """Give the record that begins at a byte."""
        found = self._record(offset) if 0 <= offset < self.end else None
        if found is None:
            raise SourceError(f"{self.path}: no sound record begins at byte {offset}")
        return found

    def records(self) -> Iterator[Record]:
        """
        Give every record in file order and find where the sound ones end.

        A bad record that a sound one with a higher id follows is damage inside the log, and
        raises SourceError; without one it is a torn tail, which is dropped and counted.
        """
        offset, highest = 0, 0
        while offset < self.end:
            found = self._record(offset)
            if found is None:
                self._tear(offset, highest)
                return
            highest = max(highest, found.record_id)
            yield found
            offset = found.end

    def _tear(self, offset: int, highest: int) -> None:
        at = self._bytes.find(MAGIC, offset + 1)
        while at != -1:
            later = self._record(at)
            if later is not None and later.record_id > highest:
                raise SourceError(
                    f"{self.path}: the record at byte {offset} is damaged and record "
                    f"{later.record_id} at byte {at} is sound; take a copy from a backup"
                )
            at = self._bytes.find(MAGIC, at + 1)
        self.torn_bytes = self.end - offset
        self.end = offset

    def _record(self, offset: int) -> Record | None:
        view, end = self.view, self.end
        if offset + _SHORTEST > end:
            return None
        magic, version, _, number, sequence, branch, stamp, type_size = _FRONT.unpack_from(
            view, offset
        )
        at = offset + 40 + type_size
        if magic != MAGIC or version != 1 or at + 13 > end:
            return None
        encoding, size = struct.unpack_from("<BI", view, at)
        start = at + 5
        at = start + size
        links: list[tuple[int, ...]] = []
        for _ in range(2):
            if at + 2 > end:
                return None
            (count,) = struct.unpack_from("<H", view, at)
            if at + 2 + 8 * count > end:
                return None
            links.append(struct.unpack_from(f"<{count}Q", view, at + 2))
            at += 2 + 8 * count
        if at + 4 > end:
            return None
        payload = view[start : start + size]
        if zlib.crc32(payload) != struct.unpack_from("<I", view, at)[0]:
            return None
        try:
            kind = str(view[offset + 40 : offset + 40 + type_size], "utf-8")
        except UnicodeDecodeError:
            return None
        return Record(
            offset, at + 4, number, sequence, branch, stamp, kind, encoding, payload, *links
        )


def _mapped(path: Path) -> mmap.mmap | bytes:
    try:
        with path.open("rb") as file:
            if path.stat().st_size == 0:
                return b""
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError:
        return b""  # a store may have no log yet (format §1)
