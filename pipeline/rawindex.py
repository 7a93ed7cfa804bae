"""
What stands where in a channel's file: id, time and author of every line, and little else.

Most of a history is never perceived, and of most lines nothing more is asked. Skipping a key
costs a fifth of reading it, so a line is first indexed, and only the lines that could matter
are read as columns: those that hold one of some `needles` (the agent's ids), and what the
caller then asks for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.rawlines import Author, Id, Reference, careful_lines, read_by_line
from pipeline.rawread import BadLine, blocks, line_bounds, read_by_arrow, times

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    Array = np.ndarray[Any, Any]

INDEX_BYTES = 2 << 20  # as fast as larger slices, and a quarter of their memory
GROUP_LINES = 2048  # decoded in one call; a group with a bad line is read line by line


class _Original(msgspec.Struct, frozen=True, gc=False):
    """A message that came along with its answer; only its presence matters here."""


class _Line(msgspec.Struct, frozen=True, gc=False):
    """What the index holds of a line."""

    id: Id
    timestamp: str | None = None
    author: Author | None = None
    webhook_id: Id | None = None
    message_reference: Reference | None = None
    referenced_message: _Original | None = None


class _SpokenLine(_Line, frozen=True, gc=False):
    """A line with its words."""

    content: str | None = None


@dataclass(frozen=True, slots=True)
class IndexSlice:
    """
    Some whole lines of one file, one entry a line that is a message, in file order.

    `author` is as the line has it, equal ones equal; `is_webhook` says who posted through one;
    `reply_to` is the id answered where the original
    did not come along, else 0; `holds` says which lines hold a needle; `content` is null unless
    asked for. `offset` and `length` place the line in the file.
    """

    message_id: "Array"
    sent_at: "pa.Array"
    author: list[Author | None]
    is_webhook: "Array"
    reply_to: "Array"
    holds: "Array"
    offset: "Array"
    length: "Array"
    content: "pa.Array | None"
    block: memoryview
    block_offset: int
    bad: tuple[BadLine, ...] = ()
    mended: int = 0

    def lines(self, which: "Array") -> list[memoryview]:
        """Give the lines of some entries."""
        starts = (self.offset[which] - self.block_offset).tolist()
        sizes = self.length[which].tolist()
        return [self.block[s : s + n] for s, n in zip(starts, sizes, strict=True)]


def index_slices(
    path: Path,
    needles: Sequence[bytes] = (),
    *,
    with_content: bool = False,
    slice_bytes: int = INDEX_BYTES,
) -> Iterator[IndexSlice]:
    """Index a channel's file slice by slice; lines that are no message are named."""
    first_line = 1
    for offset, block in blocks(path, slice_bytes):
        starts, lengths = line_bounds(block)
        yield _index(block, starts, lengths, needles, with_content, offset, first_line)
        first_line += len(starts)


def _index(
    block: memoryview,
    starts: "Array",
    lengths: "Array",
    needles: Sequence[bytes],
    with_content: bool,
    offset: int,
    first_line: int,
) -> IndexSlice:
    import numpy as np
    import pyarrow as pa

    decoder = msgspec.json.Decoder(_SpokenLine if with_content else _Line)
    found: list[Any] = []
    places: list[int] = []
    ids: list[Array] = []
    bad: list[BadLine] = []
    mended = 0
    begins, ends = starts.tolist(), (starts + lengths).tolist()
    for first in range(0, len(begins), GROUP_LINES):
        last = min(first + GROUP_LINES, len(begins))
        group = _group(decoder, block[begins[first] : ends[last - 1]])
        if group is not None and len(group[0]) == last - first:
            found += group[0]
            ids.append(group[1])
            places += range(first, last)
            continue
        careful = careful_lines(block, starts, lengths, range(first, last), offset, first_line)
        found += careful.messages
        ids.append(np.array([int(one.id) for one in careful.messages], np.int64))
        places += careful.lines
        bad += careful.bad
        mended += careful.mended
    at = np.array(places, np.int64)
    return IndexSlice(
        message_id=np.concatenate(ids),
        sent_at=times(pa.array([one.timestamp for one in found], pa.string())),
        author=[one.author for one in found],
        is_webhook=np.array([one.webhook_id is not None for one in found], bool),
        reply_to=_unknown_originals(found),
        holds=_holds(block, starts, needles)[at],
        offset=starts[at] + offset,
        length=lengths[at],
        content=pa.array([o.content for o in found], pa.string()) if with_content else None,
        block=block,
        block_offset=offset,
        bad=tuple(bad),
        mended=mended,
    )


def _group(
    decoder: "msgspec.json.Decoder[Any]", lines: memoryview
) -> "tuple[list[Any], Array] | None":
    """Decode lines in one call, with their ids; None where one of them needs a closer look."""
    import pyarrow as pa

    try:
        found: list[Any] = decoder.decode_lines(lines)
        ids: Array = pa.array([one.id for one in found], pa.string()).cast(pa.int64()).to_numpy()
    except (msgspec.DecodeError, UnicodeDecodeError, pa.ArrowInvalid, pa.ArrowTypeError):
        return None
    return (found, ids) if not len(ids) or ids.min() >= 0 else None


def _unknown_originals(found: list[Any]) -> "Array":
    """Give the id answered where the answer alone is there; a forward answers nothing."""
    import numpy as np

    reply_to = np.zeros(len(found), np.int64)
    for place, one in enumerate(found):
        reference = one.message_reference
        if reference is None or one.referenced_message is not None or reference.type:
            continue
        target = str(reference.message_id)
        if target.isascii() and target.isdigit() and len(target) < 20:
            reply_to[place] = min(int(target), 2**63 - 1)
    return reply_to


def _holds(block: memoryview, starts: "Array", needles: Sequence[bytes]) -> "Array":
    """Say which lines hold one of the needles anywhere."""
    import numpy as np

    held = np.zeros(len(starts), bool)
    data = block.obj if isinstance(block.obj, bytes) else bytes(block)
    end = len(block)
    for needle in needles:
        hits = []
        at = data.find(needle, 0, end)
        while at >= 0:
            hits.append(at)
            at = data.find(needle, at + len(needle), end)
        held[np.searchsorted(starts, np.array(hits, np.int64), side="right") - 1] = True
    return held


def read_lines(
    lines: Sequence[bytes | memoryview], columns: Sequence[str]
) -> "tuple[pa.Table, Array]":
    """
    Read some lines as columns (`rawread.FIELDS`); gives the table and which line each row is.

    A line that is no message has no row.
    """
    import numpy as np
    import pyarrow as pa

    if not lines:
        return pa.table({}), np.zeros(0, np.int64)
    block = memoryview(b"\n".join(lines) + b"\n")
    table = read_by_arrow(block, len(lines), columns)
    if table is not None:
        return table, np.arange(len(lines))
    starts, lengths = line_bounds(block)
    part = read_by_line(block, starts, lengths, columns, 0, 1)
    return part.rows, np.searchsorted(starts, part.rows["offset"].to_numpy())
