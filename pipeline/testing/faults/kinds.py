"""
The kinds of faults that can be planted, and what an audit should then say.

A kind takes the memories and gives back those it changed, and what must be found: which rule,
in which memory, and the words at the place.
"""

import hashlib
import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from pipeline.memory.findings import View
from pipeline.memory.records import Memory
from pipeline.testing.faults import litany_kinds, text_kinds


@dataclass(frozen=True, slots=True)
class Expected:
    """What must be found: a rule's name, a memory, and words inside the place (blank: anywhere)."""

    rule: str
    memory_id: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Planted:
    """A pyramid with faults, and all of them."""

    view: View
    truth: tuple[Expected, ...] = field(default=())


Kind = Callable[[random.Random, list[Memory], View], Iterable[tuple[str, str, str]]]
KINDS: dict[str, Kind] = {**litany_kinds.KINDS, **text_kinds.KINDS}


def held_out(kind: str) -> bool:
    """Say whether a kind is one of the third that rules are judged by and not written by."""
    return hashlib.sha256(kind.encode()).digest()[0] % 3 == 0


def plant(view: View, kinds: Sequence[str], seed: int) -> Planted:
    """Plant each kind into a pyramid; a kind changes memories in place and tells what to find."""
    chance = random.Random(f"faults {seed}")  # noqa: S311 - invented faults
    memories = list(view.memories)
    truth = [Expected(*told) for kind in kinds for told in KINDS[kind](chance, memories, view)]
    return Planted(replace(view, memories=memories), tuple(truth))
