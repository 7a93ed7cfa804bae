"""
What stands where in a channel's file: id, time and author of every line, and little else.

Most of a history is never perceived, and of most lines nothing more is asked. So a file is
first indexed, and only the lines that could matter are read as columns: those that hold one of
some `needles` (the agent's ids), and what the caller then asks for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pipeline.rawblocks import SLICE_BYTES, Block, blocks
from pipeline.rawfields import times
from pipeline.rawlines import Author, BadLine, Id, Reference, Thing, decode, id_number

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    Array = np.ndarray[Any, Any]


class _Line(msgspec.Struct, frozen=True, gc=False):
    """What the index holds of a line."""

    id: Id
    timestamp: str | None = None
    author: Author | None = None
    webhook_id: Id | None = None
    message_reference: Reference | None = None
    referenced_message: Thing | None = None


class _SpokenLine(_Line, frozen=True, gc=False):
    """A line with its words."""

    content: str | None = None


@dataclass(frozen=True, slots=True)
class IndexSlice:
    """
    Some whole lines of one file, one entry a line that is a message, in file order.

    `author` is as the line has it, equal ones equal; `is_webhook` says who posted through one;
    `reply_to` is the id answered where the original did not come along, else 0; `holds` says
    which lines hold a needle; `content` is null unless asked for. `offset` and `length` place
    the line in the file. The lines themselves can be had until the next slice is asked for.
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
    block: Block
    bad: tuple[BadLine, ...] = ()
    mended: int = 0

    def lines(self, which: "Array") -> list[memoryview]:
        """Give the lines of some entries."""
        starts = (self.offset[which] - self.block.offset).tolist()
        sizes = self.length[which].tolist()
        return [self.block.data[s : s + n] for s, n in zip(starts, sizes, strict=True)]


def index_slices(
    path: Path,
    needles: Sequence[bytes] = (),
    *,
    with_content: bool = False,
    slice_bytes: int = SLICE_BYTES,
) -> Iterator[IndexSlice]:
    """Index a channel's file slice by slice; lines that are no message are named."""
    decoder: msgspec.json.Decoder[Any] = msgspec.json.Decoder(
        _SpokenLine if with_content else _Line
    )
    for block in blocks(path, slice_bytes):
        yield _index(block, decoder, needles, with_content=with_content)


def _index(
    block: Block,
    decoder: "msgspec.json.Decoder[Any]",
    needles: Sequence[bytes],
    *,
    with_content: bool,
) -> IndexSlice:
    import numpy as np
    import pyarrow as pa

    found = decode(block, decoder)
    records = found.records
    offset, length = found.places(block)
    return IndexSlice(
        message_id=found.ids,
        sent_at=times(pa.array([one.timestamp for one in records], pa.string())),
        author=[one.author for one in records],
        is_webhook=np.array([one.webhook_id is not None for one in records], bool),
        reply_to=_unknown_originals(records),
        holds=_holds(block, needles)[found.lines],
        offset=offset,
        length=length,
        content=pa.array([one.content for one in records], pa.string()) if with_content else None,
        block=block,
        bad=tuple(found.bad),
        mended=found.mended,
    )


def _unknown_originals(records: list[Any]) -> "Array":
    """Give the id answered where the answer alone is there; a forward answers nothing."""
    import numpy as np

    reply_to = np.zeros(len(records), np.int64)
    for place, one in enumerate(records):
        reference = one.message_reference
        if reference is None or one.referenced_message is not None or reference.type:
            continue
        reply_to[place] = id_number(reference.message_id) or 0
    return reply_to


def _holds(block: Block, needles: Sequence[bytes]) -> "Array":
    """Say which lines hold one of the needles anywhere."""
    import numpy as np

    held = np.zeros(len(block.starts), bool)
    whole = block.data.obj
    data = whole if isinstance(whole, bytes | bytearray) else bytes(block.data)
    end = len(block.data)
    for needle in needles:
        hits = []
        at = data.find(needle, 0, end)
        while at >= 0:
            hits.append(at)
            at = data.find(needle, at + len(needle), end)
        held[np.searchsorted(block.starts, np.array(hits, np.int64), side="right") - 1] = True
    return held
