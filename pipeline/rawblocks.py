"""
Files of raw in pieces: blocks of whole lines, and single lines by their places.

Lines end at the newline byte and nowhere else (known-faults B061).
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.rawmend import DEEPEST, is_too_deep

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

SLICE_BYTES = 2 << 20  # as fast as larger slices, and a fraction of their memory
NEAR_BYTES = 4096  # reading so much more is cheaper than another call


@dataclass(frozen=True, slots=True)
class Block:
    """Some whole lines of a file: where they lie in it, and where each begins here."""

    data: memoryview
    offset: int  # of the first byte, in the file
    first_line: int  # its number in the file, from 1
    starts: "Array"
    lengths: "Array"  # newline left out


def blocks(path: Path, block_bytes: int) -> Iterator[Block]:
    """
    Cut a file into blocks that end with a newline; the last may lack it.

    A block's bytes hold until the next one is asked for: all of them share one buffer, as fresh
    memory for every block costs a tenth of the whole reading.
    """
    offset, first_line = 0, 1
    buffer = bytearray(block_bytes)
    with path.open("rb", buffering=0) as file:
        while size := file.readinto(buffer):
            end = buffer.rfind(b"\n", 0, size) + 1
            if not end and size == len(buffer):
                buffer = bytearray(2 * len(buffer))  # one line larger than a block
            else:
                # what stands behind the last newline is read again: cheaper than a copy
                block = block_of(memoryview(buffer)[: end or size], offset, first_line)
                yield block
                offset += len(block.data)
                first_line += len(block.starts)
            file.seek(offset)


def block_of(data: memoryview, offset: int = 0, first_line: int = 1) -> Block:
    """Find the lines of a piece of a file."""
    import numpy as np

    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("\n")).astype(np.int64)
    if data[-1] != ord("\n"):
        ends = np.append(ends, len(data))
    starts = np.concatenate(([0], ends[:-1] + 1)).astype(np.int64)
    return Block(data, offset, first_line, starts, ends - starts)


def lines_at(handle: int, offsets: "Array", lengths: "Array") -> list[memoryview]:
    """Read lines of an open file by their places; neighbours come in one call."""
    import numpy as np

    if not len(offsets):
        return []
    ends = offsets + lengths
    apart = (offsets[1:] < ends[:-1]) | (offsets[1:] > ends[:-1] + NEAR_BYTES)
    firsts = [0, *(np.flatnonzero(apart) + 1).tolist()]
    begins, stops = offsets.tolist(), ends.tolist()
    found: list[memoryview] = []
    for first, last in zip(firsts, [*firsts[1:], len(begins)], strict=True):
        start = begins[first]
        data = memoryview(os.pread(handle, stops[last - 1] - start, start))
        found += [data[begins[n] - start : stops[n] - start] for n in range(first, last)]
    return found


def odd_lines(block: Block) -> list[int]:
    """
    Name the lines that do not begin and end as an object does: torn ones, blank ones.

    No JSON holds `}` and `{` with only a newline between them. So where all lines of a group
    are none of these, a decoder that finds as many objects as lines found one in each.
    """
    import numpy as np

    data = np.frombuffer(block.data, np.uint8)
    whole = (data[block.starts] == ord("{")) & (data[block.starts + block.lengths - 1] == ord("}"))
    odd: list[int] = np.flatnonzero(~whole).tolist()
    return odd


def without(block: Block, numbers: list[int]) -> Block:
    """Give a block without some of its lines; where a line begins is told of the new bytes."""
    import numpy as np

    if not numbers:
        return block
    ends = block.starts + block.lengths
    pieces, at = [], 0
    for number in numbers:
        pieces.append(block.data[at : block.starts[number]])
        at = ends[number] + 1
    data = memoryview(b"".join([*pieces, block.data[at:]]))
    lengths = np.delete(block.lengths, numbers)
    starts = np.cumsum(lengths + 1) - lengths - 1
    return Block(data, block.offset, block.first_line, starts, lengths)


def deep_lines(block: Block) -> list[int]:
    """Name the lines that are nested too deep (`is_too_deep`)."""
    import numpy as np

    data = np.frombuffer(block.data, np.uint8)
    opened = np.flatnonzero((data == ord("{")) | (data == ord("[")))
    before = np.searchsorted(opened, np.append(block.starts, len(data)))
    many = np.flatnonzero(np.diff(before) > DEEPEST).tolist()
    return [
        number
        for number in many
        if is_too_deep(block.data[block.starts[number] :][: block.lengths[number]])
    ]
