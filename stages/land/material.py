"""
What every target gets, and what it gives back.

`Material` is read once, from the agent's folder alone; a target is a function
`land(material, into, options) -> Landed` that writes its files below `into`, an empty folder of
its own beside the place for which they are meant. The shell moves them there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.memory.folding import Cut
from pipeline.memory.merging import MergeRules
from pipeline.memory.records import FoldedChunk, Memory

if TYPE_CHECKING:
    import polars as pl

    from pipeline.config import Agent


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """
    An agent's past, ready to be landed; nothing in it is ever changed.

    Frames are the tables of the same names, rows in store order; `memories` stand in minting
    order; `attachments` maps the SHA-256 of a kept attachment to its file in raw.
    """

    agent: "Agent"
    transcript: "pl.DataFrame"
    chunks: "pl.DataFrame"
    rooms: "pl.DataFrame"
    people: "pl.DataFrame"
    memories: tuple[Memory, ...]
    folded: tuple[FoldedChunk, ...]
    counter: int  # next number of a memory
    attachments: Mapping[str, Path]
    dm_ids: tuple[str, ...]  # every DM channel of the dump, with or without messages
    watermarks: Mapping[str, str]  # room -> last raw message at or before the cutoff
    settings: Mapping[str, Any]  # knobs of other stages: segment, warmup, curate …
    cut: Cut = field(default_factory=Cut)
    rules: MergeRules = field(default_factory=MergeRules)

    @property
    def extractive(self) -> int:
        """How many memories no model wrote."""
        return sum(memory.model == "extractive" for memory in self.memories)


@dataclass(frozen=True, slots=True, eq=False)
class Options:
    """
    What the owner asked for, beside the material.

    `place` is where the files will stand in the end (absolute paths in them name it); `is_home`
    says that this is the agent's own `landed/<target>/`. `before` is what an earlier landing
    of this target noted about itself; blank where there was none.
    """

    place: Path
    knobs: Any
    now: datetime
    is_home: bool = True
    trial: bool = False
    new_session: bool = False
    activate: bool = False
    before: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Landed:
    """
    What a target wrote, or in a plan would write.

    `rows` counts what came along by kind, `left_behind` what did not, by reason. `wholes` are
    folders that are moved in one step, or swapped for what stood there; `extends` are files that
    may stand there already and whose new text holds the old. `noted` is for the next landing.
    """

    files: int = 0
    bytes: int = 0
    rows: Mapping[str, int] = field(default_factory=dict)
    left_behind: Mapping[str, int] = field(default_factory=dict)
    said: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    wholes: tuple[str, ...] = ()
    extends: tuple[str, ...] = ()
    noted: Mapping[str, Any] = field(default_factory=dict)
    nothing_new: bool = False  # what stands at the place is this already
