"""What the schedule speaks of: chunks, steps to take, memories that stand, and their ids."""

from collections.abc import Sequence
from typing import NamedTuple


class Slot(NamedTuple):
    """A chunk as the schedule sees it: its id and how many messages it holds."""

    chunk_id: str
    messages: int


class Step(NamedTuple):
    """A memory to be made: an L1 of one chunk, or a merge of memories of the level below."""

    level: int
    child_ids: tuple[str, ...]  # level 1: the chunk's id


class Standing(NamedTuple):
    """A memory that stands, with what it was made of."""

    memory_id: str
    level: int
    child_ids: tuple[str, ...]  # level 1: the chunk's id


def number_of(memory_id: str) -> int:
    """Give the number in an id such as L2-17; the numbers are one count over all levels."""
    return int(memory_id.rpartition("-")[2])


def spans_of(chunks: Sequence[Slot]) -> dict[str, tuple[int, int]]:
    """Give each chunk's first and last owned place."""
    spans, place = {}, 0
    for slot in chunks:
        spans[slot.chunk_id] = (place, place + slot.messages - 1)
        place += slot.messages
    return spans
