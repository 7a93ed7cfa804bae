"""
Take over a file of Discord's own message objects, one a line, at the speed of a copy.

A block is checked in one pass that decodes nothing but ids; only a block that fails is
looked at line by line, and only damaged lines are lost (known-faults B024, B061, B062).
"""

import json
import os
import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec

from pipeline.files import make_folder, open_append
from pipeline.raw import Page, Raw
from pipeline.rawlines import HIGHEST_ID, ID_DIGITS
from pipeline.rawmend import TOO_DEEP
from stages.dump.files.terms import LostRow, id_text, is_snowflake

BLOCK_BYTES = 512 << 10  # stays in the cache of the CPU; 8 MB cost 1.4 × as much
NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
Object = dict[str, Any]


class _Person(msgspec.Struct, frozen=True, gc=False):
    """The author of a message; nothing but the id is looked at."""

    id: str


class _Line(msgspec.Struct, frozen=True, gc=False):
    """The little of a message that a copy must know; all else is checked and skipped."""

    id: str
    author: _Person
    timestamp: str
    channel_id: str | None = None


_decode_lines = msgspec.json.Decoder(_Line).decode_lines
_decode = msgspec.json.Decoder(_Line).decode


@dataclass(slots=True)
class Block:
    """A stretch of good lines as they go into raw, with their ids in order."""

    body: bytes
    ids: list[int]


@dataclass(slots=True)
class Lines:
    """What one file of lines holds, as far as it was read."""

    channel_id: str
    lost: Counter[str] = field(default_factory=Counter)
    noted: Counter[str] = field(default_factory=Counter)
    strays: dict[str, list[tuple[int, bytes]]] = field(default_factory=dict)  # of other rooms

    def check(self, block: bytes) -> Block:
        """Give a block's good lines; what is not good is counted in `lost`."""
        block = self._ascii(block)
        try:
            rows = _decode_lines(block)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return self._by_line(block)
        ids = [row.id for row in rows]
        whole = (
            len(rows) == _line_count(block)  # else blank lines, or two objects in one
            and "".join(ids).isdigit()
            and {row.channel_id for row in rows} <= {None, self.channel_id}
        )
        if not whole:
            return self._by_line(block)
        sizes = set(map(len, ids))
        if min(sizes, default=1) < 1 or max(sizes, default=1) > ID_DIGITS:
            return self._by_line(block)  # Python reads no numbers of thousands of digits
        numbers = list(map(int, ids))
        if max(numbers, default=0) > HIGHEST_ID:
            return self._by_line(block)
        return Block(block, numbers)

    def _ascii(self, block: bytes) -> bytes:
        """Give the same JSON in ASCII with bare newlines, as raw is kept."""
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n")
        if not block.endswith(b"\n"):
            block += b"\n"
        if block.isascii():
            return block
        text = block.decode("utf-8", "replace").lstrip("\ufeff")
        return NOT_ASCII.sub(lambda found: json.dumps(found[0])[1:-1], text).encode("ascii")

    def _by_line(self, block: bytes) -> Block:
        good, ids = [], []
        for line in block.split(b"\n"):
            if not line.strip():
                continue
            try:
                line, row = self._line(line)
            except LostRow as error:
                self.lost[f"rows: {error}"] += 1
                continue
            except RecursionError:
                self.lost[f"rows: a line is {TOO_DEEP}"] += 1
                continue
            if row.channel_id in {None, self.channel_id}:
                good.append(line + b"\n")
                ids.append(int(row.id))
            else:
                self.strays.setdefault(str(row.channel_id), []).append((int(row.id), line))
        return Block(b"".join(good), ids)

    def _line(self, line: bytes) -> tuple[bytes, _Line]:
        try:
            row = _decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError):
            line = self._mended(line)
            row = msgspec.convert(json.loads(line), _Line)
        for text in (row.id, row.channel_id or "0"):
            if not is_snowflake(text):
                raise LostRow("an id is no decimal number that fits 63 bits")
        return line, row

    def _mended(self, line: bytes) -> bytes:
        """Give a line that strict readers refuse with ids as text; LostRow if it is no message."""
        try:
            found = json.loads(line, strict=False, parse_constant=lambda name: None)
        except ValueError:
            raise LostRow("a line is no JSON") from None
        if not isinstance(found, dict) or not isinstance(found.get("author"), dict):
            raise LostRow("a line is no message")
        author = found["author"]
        for part, name in ((found, "id"), (found, "channel_id"), (author, "id")):
            text = id_text(part.get(name))
            if text is None and name == "id":
                raise LostRow("a message or its author has no id")
            if text != part.get(name):
                self.noted["lines whose ids were numbers, now text"] += 1
                part[name] = text
        if not isinstance(found.get("timestamp"), str):
            raise LostRow("a message has no time")
        return json.dumps(found, separators=(",", ":")).encode("ascii")


@dataclass(slots=True)
class Copy:
    """How a file of lines went over; `sha256` is of the whole file, `total` of the room."""

    sha256: str
    count: int
    fresh: int
    lowest: int | None
    highest: int | None
    total: int = 0


def copy_lines(
    raw: Raw,
    path: Path,
    lines: Lines,
    *,
    start: int = 0,
    held: dict[int, int] | None = None,
    fixed: bool = False,
    fetched_at: str,
    tick: Callable[[int], None] = lambda count: None,
    look: Callable[[bytes], None] | None = None,
) -> Copy:
    """
    Append a file's lines to their room in raw, from byte `start` on, as one page.

    `held` maps ids that raw has to the hash of their line (null: raw has none of them): the
    same line is not appended again, a changed one is unless `fixed`. `look` sees every block.
    """
    digest = sha256()
    target = raw.messages_path(lines.channel_id)
    make_folder(target.parent)
    stretches: list[array[int]] = []
    new = 0
    with open_append(target) as out:
        for block in _blocks(path, start, digest.update):
            tick(len(block))
            found = lines.check(block)
            if look is not None:
                look(found.body)
            if held is not None:
                found, fresh = _unheld(found, held, fixed=fixed)
                new += fresh
            out.write(found.body)
            stretches.append(array("q", found.ids))
        out.flush()
        os.fsync(out.fileno())
        size = os.fstat(out.fileno()).st_size
    done = _sum_up(digest.hexdigest(), stretches, None if held is None else new)
    if done.count:
        raw.close_page(_page(lines.channel_id, path, done, fetched_at), size)
    return done


def _sum_up(digest: str, stretches: "list[array[int]]", fresh: int | None) -> Copy:
    """Count what was copied; with `fresh` null every id is new, and counts once."""
    import numpy as np

    parts = (np.frombuffer(one, np.int64) for one in stretches)
    every = np.concatenate([np.zeros(0, np.int64), *parts])
    every.sort()
    if not len(every):
        return Copy(digest, 0, fresh or 0, None, None)
    ids = 1 + int(np.count_nonzero(every[1:] != every[:-1]))
    low, high = int(every[0]), int(every[-1])
    return Copy(digest, len(every), ids if fresh is None else fresh, low, high)


def _page(channel_id: str, path: Path, done: Copy, fetched_at: str) -> Page:
    return Page(
        channel_id=channel_id,
        how=path.name,
        direction="file",
        count=done.count,
        fresh=done.fresh,
        fetched_at=fetched_at,
        lowest_id=str(done.lowest),
        highest_id=str(done.highest),
        closed=True,
    )


def held_lines(path: Path) -> dict[int, int]:
    """Give for every id that a room holds the hash of its last line."""
    held: dict[int, int] = {}
    if path.exists():
        with path.open("rb") as file:
            for line in file:
                try:
                    held[int(_decode(line).id)] = hash(line.rstrip(b"\n"))
                except (ValueError, RecursionError):
                    continue  # a damaged line is curate's to name
    return held


def is_prefix(path: Path, size: int, digest: str) -> bool:
    """Say whether the first `size` bytes are those read before, and end a line."""
    if path.stat().st_size <= size:
        return False
    found = sha256()
    block = b""
    with path.open("rb") as file:
        while size and (block := file.read(min(size, BLOCK_BYTES))):
            found.update(block)
            size -= len(block)
    return found.hexdigest() == digest and block.endswith(b"\n")


def _unheld(found: Block, held: dict[int, int], *, fixed: bool) -> tuple[Block, int]:
    good, ids, fresh = [], [], 0
    for line, number in zip(found.body.split(b"\n"), found.ids, strict=False):
        known, own = held.get(number), hash(line)
        if known == own or (fixed and known is not None):
            continue
        held[number] = own
        good.append(line + b"\n")
        ids.append(number)
        fresh += known is None
    return Block(b"".join(good), ids), fresh


def _line_count(block: bytes) -> int:
    """Count newlines; bytes.count takes three times as long."""
    import numpy as np

    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == ord("\n")))


def _blocks(path: Path, start: int, update: Callable[[bytes], None]) -> Iterator[bytes]:
    """Give blocks of whole lines from `start` on; `update` sees the whole file's bytes."""
    with path.open("rb", buffering=0) as file:
        while start and (block := file.read(min(start, BLOCK_BYTES))):
            update(block)
            start -= len(block)
        rest = b""
        while block := file.read(BLOCK_BYTES):
            update(block)
            end = block.rfind(b"\n") + 1
            if end:
                yield rest + block[:end]
                rest = block[end:]
            else:
                rest += block  # one line larger than a block
        if rest:
            yield rest
