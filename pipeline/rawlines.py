"""
Lines of raw as records: groups of lines in one call, one by one where something is wrong.

A line that is no message is named and counted, and the lines around it are read all the same.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.rawblocks import Block, odd_lines
from pipeline.rawmend import TOO_DEEP, mended_object

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

Id = str | int
HIGHEST_ID = 2**63 - 1
ID_DIGITS = 19  # of the highest
GROUP_LINES = 512  # decoded in one call: few enough to stay in the processor's cache
PARTS = 8  # a group with a bad line is cut into so many
FEW_LINES = 8  # and so few are decoded one by one


class Named(msgspec.Struct, frozen=True, gc=False):
    """An object of which only the id matters."""

    id: Id | None = None


class Thing(msgspec.Struct, frozen=True, gc=False):
    """An object of which only its presence matters."""


class Author(msgspec.Struct, frozen=True, gc=False):
    """Who wrote a message."""

    id: Id | None = None
    username: str | None = None
    bot: bool | None = None


class Reference(msgspec.Struct, frozen=True, gc=False):
    """Which message another one answers, pins or forwards."""

    message_id: Id | None = None
    type: int | None = None


class Original(msgspec.Struct, frozen=True, gc=False):
    """A message that came along with its answer."""

    author: Named | None = None


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line that is no message: its number in the file (from 1), its first byte, and why."""

    line: int
    offset: int
    reason: str


@dataclass(frozen=True, slots=True)
class Found:
    """Records of a block, their ids, and the numbers of their lines; and what was none."""

    records: list[Any]
    ids: "Array"  # int64
    lines: "Array"
    bad: list[BadLine]
    mended: int = 0

    def places(self, block: Block) -> "tuple[Array, Array]":
        """Give where each record's line begins in the file, and its length."""
        return block.starts[self.lines] + block.offset, block.lengths[self.lines]


def decode(block: Block, decoder: "msgspec.json.Decoder[Any]") -> Found:
    """Decode a block's lines; name those that are no message. Blank lines are nothing."""
    begins = block.starts.tolist()
    lines = Lines(block, begins, (block.starts + block.lengths).tolist(), decoder)
    first = 0
    for odd in [*odd_lines(block), len(begins)]:
        for at in range(first, odd, GROUP_LINES):
            lines.decode(at, min(at + GROUP_LINES, odd))
        if odd < len(begins):
            lines.decode_one(odd)
        first = odd + 1
    return lines.found()


def decode_some(
    block: Block, decoder: "msgspec.json.Decoder[Any]", numbers: Iterable[int]
) -> Found:
    """Decode some of a block's lines, one by one."""
    lines = Lines(block, block.starts.tolist(), (block.starts + block.lengths).tolist(), decoder)
    for number in numbers:
        lines.decode_one(number)
    return lines.found()


@dataclass(slots=True)
class Lines:
    """The lines of a block while they are decoded."""

    block: Block
    begins: list[int]
    ends: list[int]
    decoder: "msgspec.json.Decoder[Any]"
    records: list[Any] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    mended: int = 0

    def decode(self, first: int, last: int) -> None:
        """Decode lines in one call; where one of them is bad, in smaller and smaller groups."""
        try:
            group = self.decoder.decode_lines(
                self.block.data[self.begins[first] : self.ends[last - 1]]
            )
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            group = []
        if len(group) == last - first:
            self.records += group
            self.numbers += range(first, last)
        elif last - first <= FEW_LINES:
            for number in range(first, last):
                self.decode_one(number)
        else:
            step = -(-(last - first) // PARTS)
            for at in range(first, last, step):
                self.decode(at, min(at + step, last))

    def decode_one(self, number: int) -> None:
        """Decode a line, after repair if it must be."""
        line = self.block.data[self.begins[number] : self.ends[number]]
        try:
            record = self.decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            record = _mended(bytes(line), error, self.decoder.type)
            if record is None:
                return  # a blank line is nothing
            if isinstance(record, str):
                self.refuse(number, record)
                return
            self.mended += 1
        self.records.append(record)
        self.numbers.append(number)

    def refuse(self, number: int, reason: str) -> None:
        """Name a line by its number and first byte; the reason quotes nothing of it."""
        place = self.block.offset + self.begins[number]
        self.bad.append(BadLine(self.block.first_line + number, place, reason))

    def found(self) -> Found:
        """Give the records whose ids are ids; the others are bad lines as well."""
        import numpy as np

        ids = _ids_of(self.records)
        if ids is None:
            good = [
                (record, number, found)
                for record, number in zip(self.records, self.numbers, strict=True)
                if (found := self.id_of(record, number)) is not None
            ]
            self.records, self.numbers = [r for r, _, _ in good], [n for _, n, _ in good]
            ids = np.array([i for _, _, i in good], np.int64)
        self.bad.sort(key=lambda one: one.line)
        return Found(self.records, ids, np.array(self.numbers, np.int64), self.bad, self.mended)

    def id_of(self, record: Any, number: int) -> int | None:
        """Give a record's id, which may be text or number; null where its line is refused."""
        value = record.id
        if isinstance(value, str) and not (value.isascii() and value.isdigit()):
            self.refuse(number, "its id is not decimal digits")
            return None
        found = id_number(value)
        if found is None:
            self.refuse(number, "its id does not fit 64 bits")
        return found


def id_number(value: Id | None) -> int | None:
    """Give an id as a number; null where it is none, or one of more than 63 bits."""
    if isinstance(value, str):
        digits = value.lstrip("0") or value[:1]
        # its length first: Python refuses to read numbers of thousands of digits
        if len(digits) > ID_DIGITS or not (digits.isascii() and digits.isdigit()):
            return None
        value = int(digits)
    return value if value is not None and 0 <= value <= HIGHEST_ID else None


def _mended(line: bytes, error: Exception, kind: Any) -> Any:
    """Decode a line after repair; gives the reason where that does not help, null for a blank."""
    if isinstance(error, RecursionError):
        return TOO_DEEP
    if isinstance(error, msgspec.ValidationError):
        return str(error)
    if not line.strip():
        return None
    try:
        return msgspec.convert(mended_object(line), kind)
    except json.JSONDecodeError as broken:
        return f"no JSON: {broken.msg} at character {broken.pos + 1}"
    except msgspec.ValidationError as invalid:
        return str(invalid)
    except RecursionError:
        return TOO_DEEP


def _ids_of(records: list[Any]) -> "Array | None":
    """Give the ids of records; null where one of them is a number or no id at all."""
    import pyarrow as pa

    try:
        ids: Array = pa.array([one.id for one in records], pa.string()).cast(pa.int64()).to_numpy()
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return None
    return ids if not len(ids) or ids.min() >= 0 else None
