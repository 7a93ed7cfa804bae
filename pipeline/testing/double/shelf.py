"""One channel's messages, found by id and handed out as the bytes they lie in."""

import json
import mmap
from array import array
from bisect import bisect_left, bisect_right
from pathlib import Path
from typing import Any

import msgspec

from pipeline.errors import SourceError


class _Head(msgspec.Struct):
    """The little of a message that an index needs; all else is skipped unread."""

    id: str
    pinned: bool = False


_decode = msgspec.json.Decoder(_Head).decode


def _head(line: bytes, where: str) -> _Head:
    try:
        return _decode(line)
    except msgspec.MsgspecError:  # also for a lone surrogate, which json takes
        try:
            return msgspec.convert(json.loads(line), _Head)
        except (ValueError, msgspec.ValidationError) as error:
            raise SourceError(f"{where} are no message ({error}); mend the corpus") from None


def encode(message: dict[str, Any]) -> bytes:
    """Give a message's line: ASCII, without blanks, so that lone surrogates survive."""
    return json.dumps(message, separators=(",", ":")).encode("ascii")


class Shelf:
    """
    The messages of one channel in id order, whatever their order in the file.

    The file is mapped, not read: an index of (id, start, end) points into it, so that a page
    of a long channel is a few slices joined. What a test adds or changes lies in `changed`
    above the file, which is never written. Where an id stands twice the last line wins.
    """

    def __init__(self, path: Path | None) -> None:
        self.changed: dict[int, bytes] = {}
        self.pinned: set[int] = set()
        self._ids = array("Q")
        self._starts = array("Q")
        self._ends = array("Q")
        self._map: mmap.mmap | bytes = b""
        if path is not None and path.exists() and path.stat().st_size:
            with path.open("rb") as file:
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._index(path)

    def _index(self, path: Path) -> None:
        found: list[tuple[int, int, int]] = []
        start, size = 0, len(self._map)
        while start < size:
            end = self._map.find(b"\n", start)
            end = size if end < 0 else end
            if end > start:
                head = _head(self._map[start:end], f"{path}: bytes {start} to {end}")
                found.append((int(head.id), start, end))
                if head.pinned:
                    self.pinned.add(int(head.id))
            start = end + 1
        found.sort()  # by id, then by place: the last of a repeated id is the newest line
        last_of = {row[0]: row for row in found}
        for number, begin, end in last_of.values():
            self._ids.append(number)
            self._starts.append(begin)
            self._ends.append(end)

    def __len__(self) -> int:
        return len(self._ids)

    def __contains__(self, message_id: int) -> bool:
        at = bisect_left(self._ids, message_id)
        return at < len(self._ids) and self._ids[at] == message_id

    @property
    def ids(self) -> "array[int]":
        """The ids in ascending order; not to be changed."""
        return self._ids

    def line(self, message_id: int) -> bytes:
        """Give the bytes of one message; KeyError where the shelf has it not."""
        if self.changed and (line := self.changed.get(message_id)) is not None:
            return line
        at = bisect_left(self._ids, message_id)
        if at == len(self._ids) or self._ids[at] != message_id:
            raise KeyError(message_id)
        return self._map[self._starts[at] : self._ends[at]]

    def message(self, message_id: int) -> dict[str, Any]:
        """Give one message decoded."""
        found: dict[str, Any] = json.loads(self.line(message_id))
        return found

    def newest_below(self, before: int | None, limit: int) -> list[int]:
        """Give up to `limit` ids under `before` (None: from the top), newest first."""
        stop = len(self._ids) if before is None else bisect_left(self._ids, before)
        return self._ids[max(0, stop - limit) : stop][::-1].tolist()

    def oldest_above(self, after: int, limit: int) -> list[int]:
        """Give the `limit` oldest ids above `after`, listed newest first as Discord does."""
        start = bisect_right(self._ids, after)
        return self._ids[start : start + limit][::-1].tolist()

    def around(self, middle: int, limit: int) -> list[int]:
        """Give up to `limit` ids with `middle` in their midst, newest first."""
        at = bisect_left(self._ids, middle)
        start = max(0, at - limit // 2)
        return self._ids[start : start + limit][::-1].tolist()

    def put(self, message: dict[str, Any]) -> None:
        """Add a message, or take it in place of the one with its id."""
        number = int(message["id"])
        if number not in self:
            at = bisect_left(self._ids, number)
            for column, value in ((self._ids, number), (self._starts, 0), (self._ends, 0)):
                column.insert(at, value)
        self.changed[number] = encode(message)
        (self.pinned.add if message.get("pinned") else self.pinned.discard)(number)

    def remove(self, message_id: int) -> None:
        """Take a message away; KeyError where the shelf has it not."""
        if message_id not in self:
            raise KeyError(message_id)
        at = bisect_left(self._ids, message_id)
        for column in (self._ids, self._starts, self._ends):
            del column[at]
        self.changed.pop(message_id, None)
        self.pinned.discard(message_id)

    def naming(self, text: str) -> list[int]:
        """Give the ids of the messages whose line holds `text` (an id, mostly)."""
        needle = text.encode("ascii")
        in_file = self._map.find(needle) >= 0
        if not in_file and not any(needle in line for line in self.changed.values()):
            return []
        return [number for number in self._ids if needle in self.line(number)]

    def close(self) -> None:
        """Let the file go."""
        if isinstance(self._map, mmap.mmap):
            self._map.close()
