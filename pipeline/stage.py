"""
What a stage is, and what it may ask for while it runs.

A stage says what it reads, writes and respects; the runner hands it a `Context`, which is
the one way in and out: tables, raw, knobs, clock, progress, words for people.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pipeline.config import Agent
from pipeline.errors import StageError
from pipeline.files import beside, write_whole
from pipeline.progress import Progress
from pipeline.raw import Raw
from pipeline.schemas import Artifact, Place, Table
from pipeline.terminal import agreed, to_stderr, to_stdout
from pipeline.workspace import Workspace

if TYPE_CHECKING:
    import polars as pl

K = TypeVar("K")
StageFunction = Callable[["Context[Any]"], None]


@dataclass(frozen=True, slots=True)
class Stage:
    """
    A stage as it is wired.

    `respects` are artifacts of later stages that it honours (what is folded stays where it
    is) and that neither order it nor make it stale; `free` stages touch no network, model
    or money and are brought up to date when a stage below them is named.
    """

    name: str
    run: StageFunction
    reads: tuple[Artifact, ...]
    writes: tuple[Artifact, ...]
    amends: tuple[Artifact, ...]
    respects: tuple[Artifact, ...]
    reads_if_there: tuple[Artifact, ...]
    knobs: type[Any]
    free: bool
    module: str


def stage(
    *,
    knobs: type[Any],
    reads: Sequence[Artifact] = (),
    writes: Sequence[Artifact] = (),
    amends: Sequence[Artifact] = (),
    respects: Sequence[Artifact] = (),
    reads_if_there: Sequence[Artifact] = (),
    free: bool = True,
) -> Callable[[StageFunction], Stage]:
    """Wire a function as a stage of the same name."""

    def wire(run: StageFunction) -> Stage:
        return Stage(
            name=run.__name__,
            run=run,
            reads=tuple(reads),
            writes=tuple(writes),
            amends=tuple(amends),
            respects=tuple(respects),
            reads_if_there=tuple(reads_if_there),
            knobs=knobs,
            free=free,
            module=run.__module__,
        )

    return wire


def utc_now() -> datetime:
    """Give the time, with its zone."""
    return datetime.now(UTC)


@dataclass(slots=True)
class Context(Generic[K]):
    """What one run of one stage may use."""

    stage: Stage
    folder: Workspace
    agent: Agent
    knobs: K
    raw: Raw
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    dry_run: bool = False
    apply: bool = False
    options: Mapping[str, Any] = field(default_factory=dict)
    now: Callable[[], datetime] = utc_now
    out: Callable[[str], None] = to_stdout
    err: Callable[[str], None] = to_stderr
    left: list[str] = field(default_factory=list)
    written: set[str] = field(default_factory=set)

    def read(self, table: Table, columns: list[str] | None = None) -> "pl.DataFrame":
        """Read a table that this stage declared, or some of its columns."""
        from pipeline.artifacts import read_table

        known = (*self.stage.reads, *self.stage.reads_if_there, *self.stage.respects)
        if table not in (*known, *self.stage.writes):
            raise StageError(f"{self.stage.name} reads {table.name} without declaring it")
        return read_table(self.folder.root, table, columns)

    def read_parts(self, table: Table, columns: list[str]) -> "Iterator[pl.DataFrame]":
        """Read some columns of a table that this stage declared, some thousand rows at a time."""
        from pipeline.artifacts import read_parts

        if table not in (*self.stage.reads, *self.stage.reads_if_there, *self.stage.respects):
            raise StageError(f"{self.stage.name} reads {table.name} without declaring it")
        return read_parts(self.folder.root, table, columns)

    def has(self, artifact: Artifact) -> bool:
        """Say whether an artifact is there."""
        return (self.folder.root / artifact.path).exists()

    def write(self, table: Table, frame: "pl.DataFrame") -> None:
        """Check and write a table; in a dry run only check it."""
        from pipeline.artifacts import check, write_table

        self._may_write(table)
        if self.dry_run:
            check(table, frame)
            return
        write_table(self.folder.root, table, frame)
        self.written.add(table.name)

    def write_lines(self, place: Place, lines: Iterable[bytes]) -> None:
        """Write a line file in one step; nothing in a dry run."""
        self._may_write(place)
        if self.dry_run:
            return
        with beside(self.folder.root / place.path) as temporary, temporary.open("wb") as file:
            file.writelines(lines)
        self.written.add(place.name)

    @contextlib.contextmanager
    def write_parts(self, table: Table) -> "Iterator[Callable[[pl.DataFrame], None]]":
        """Lend a function that takes a large table part by part; in a dry run parts are checked."""
        from pipeline.artifacts import PartsCheck, write_parts

        self._may_write(table)
        if self.dry_run:
            unique = PartsCheck(table)

            def add(frame: "pl.DataFrame") -> None:
                unique.check(frame)

            yield add
            unique.close()
            return
        with write_parts(self.folder.root, table) as write:
            yield write
        self.written.add(table.name)

    @contextlib.contextmanager
    def line_parts(self, place: Place) -> Iterator[Callable[[Iterable[bytes]], None]]:
        """Lend a function that takes a line file part by part; nothing is written in a dry run."""
        self._may_write(place)
        if self.dry_run:
            yield lambda lines: None
            return
        with beside(self.folder.root / place.path) as temporary, temporary.open("wb") as file:
            yield file.writelines
        self.written.add(place.name)

    def path(self, artifact: Artifact) -> Path:
        """Where an artifact lies; raw may be a folder that several agents share."""
        if artifact.name == "raw":
            return self.raw.root
        return self.folder.root / artifact.path

    def report(self, name: str, text: str | bytes) -> None:
        """Write a report for people under reports/; nothing in a dry run."""
        if not self.dry_run:
            data = text if isinstance(text, bytes) else text.encode("utf-8", "replace")
            write_whole(self.folder.root / "reports" / name, data)

    def say(self, line: str) -> None:
        """Tell the result, on stdout."""
        self.out(line)

    def note(self, line: str) -> None:
        """Tell what happens meanwhile, on stderr."""
        self.err(line)

    def progress(self, *, total: int | None = None, unit: str = "it", label: str = "") -> Progress:
        """Show a bar on stderr; silent where stderr is no terminal."""
        return Progress(total=total, unit=unit, label=label)

    def unfinished(self, reason: str) -> None:
        """Note that something in scope is left; the command then ends with exit 3."""
        self.left.append(reason)

    def agree(self, question: str) -> bool:
        """Say whether the plan just shown may be carried out; see `terminal.agreed`."""
        return agreed(question, self.note, apply=self.apply, dry_run=self.dry_run)

    def _may_write(self, artifact: Artifact) -> None:
        if artifact not in (*self.stage.writes, *self.stage.amends):
            raise StageError(f"{self.stage.name} writes {artifact.name} without declaring it")
