"""Tables on disk: checked against their declaration, sorted, written beside and renamed."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import ArtifactError
from pipeline.files import beside
from pipeline.schemas import Table

PART_ROWS = 8_192

if TYPE_CHECKING:
    import polars as pl


WRITERS = {
    "chunks": "segment",
    "memories": "warmup",
    "calls": "warmup",
    "findings": "audit",
    "probes": "probe",
}


def writer_of(table: Table) -> str:
    """Name the stage that writes a table; all that is not listed comes from curate."""
    return WRITERS.get(table.name, "curate")


def dtypes(table: Table) -> "dict[str, pl.DataType]":
    """Give the polars type of each column, in declared order."""
    import polars as pl

    text = pl.String()
    block = pl.Struct(
        dict.fromkeys(("type", "text", "attachment_id", "media_type", "sha256"), text)
    )
    by_name: dict[str, pl.DataType] = {
        "str": text,
        "int": pl.Int64(),
        "float": pl.Float64(),
        "bool": pl.Boolean(),
        "datetime": pl.Datetime("ms", "UTC"),
        "list[str]": pl.List(text),
        "list[block]": pl.List(block),
    }
    return {name: by_name[column.type] for name, column in table.columns.items()}


def empty(table: Table) -> "pl.DataFrame":
    """Give the table without rows."""
    import polars as pl

    return pl.DataFrame(schema=dtypes(table))


def check(table: Table, frame: "pl.DataFrame") -> "pl.DataFrame":
    """Return `frame` in declared column order, sorted, or say what is wrong with it."""
    want = dtypes(table)
    missing = [name for name in want if name not in frame.columns]
    extra = [name for name in frame.columns if name not in want]
    if missing or extra:
        raise ArtifactError(f"{table.name}: missing columns {missing}, unknown columns {extra}")
    wrong = {name: str(frame.schema[name]) for name, t in want.items() if frame.schema[name] != t}
    if wrong:
        asked = {name: str(want[name]) for name in wrong}
        raise ArtifactError(f"{table.name}: wrong types {wrong}, want {asked}")
    nulls = [
        name
        for name, column in table.columns.items()
        if not column.nullable and frame[name].null_count()
    ]
    if nulls:
        raise ArtifactError(f"{table.name}: nulls in {nulls}, where every row needs a value")
    if repeats := frame.height - frame.select(table.key).n_unique():
        raise ArtifactError(f"{table.name}: {repeats} rows repeat the key {table.key}")
    return frame.select(list(want)).sort(list(table.sort or table.key))


def write_table(root: Path, table: Table, frame: "pl.DataFrame") -> Path:
    """Check a frame against its table, then put it in place in one step."""
    path = root / table.path
    checked = check(table, frame)
    with beside(path) as temporary:
        checked.write_parquet(temporary, compression="zstd")
    return path


@contextlib.contextmanager
def write_parts(root: Path, table: Table) -> "Iterator[Callable[[pl.DataFrame], None]]":
    """
    Lend a function that takes a table part by part, then put the whole in place in one step.

    For a table that would not fit in memory twice. Parts come in the table's order; each is
    checked like a whole table, and the key over all of them.
    """
    import pyarrow.parquet as parquet

    path = root / table.path
    unique = PartsCheck(table)
    with beside(path) as temporary:
        schema = empty(table).to_arrow().schema
        with parquet.ParquetWriter(temporary, schema, compression="zstd") as writer:

            def add(frame: "pl.DataFrame") -> None:
                writer.write_table(unique.check(frame).to_arrow().cast(schema))

            yield add
        unique.close()


class PartsCheck:
    """Checks parts of one table: order and key hold over all of them, not only within each."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.hashes: list[pl.Series] = []
        self.last: tuple[object, ...] | None = None

    def check(self, frame: "pl.DataFrame") -> "pl.DataFrame":
        """Return a part checked and sorted; raise where it lies before the part above it."""
        checked = check(self.table, frame)
        if checked.height:
            order = checked.select(list(self.table.sort or self.table.key))
            if self.last is not None and order.row(0) < self.last:
                raise ArtifactError(
                    f"{self.table.name}: a part begins at {order.row(0)}, behind {self.last}"
                )
            self.last = order.row(-1)
            self.hashes.append(checked.select(self.table.key).hash_rows())
        return checked

    def close(self) -> None:
        """Raise where two parts hold the same key; 64-bit hashes are enough to tell."""
        import polars as pl

        if not self.hashes:
            return
        hashes = pl.concat(self.hashes)
        if repeats := hashes.len() - hashes.n_unique():
            raise ArtifactError(
                f"{self.table.name}: {repeats} rows repeat the key {self.table.key}"
            )


def read_parts(root: Path, table: Table, columns: list[str]) -> "Iterator[pl.DataFrame]":
    """Read some columns of a table in parts of `PART_ROWS` rows: texts need not all stay."""
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as parquet

    want = dtypes(table)
    try:
        with parquet.ParquetFile(root / table.path) as file:
            for batch in file.iter_batches(PART_ROWS, columns=columns):
                frame = pl.from_arrow(batch)
                if not isinstance(frame, pl.DataFrame):
                    raise TypeError(f"{table.name}: a batch of rows is a {type(frame).__name__}")
                yield frame.select(pl.col(name).cast(want[name]) for name in columns)
    except (pa.ArrowException, pl.exceptions.PolarsError, OSError) as error:
        first = str(error).splitlines()[0]
        raise ArtifactError(
            f"{table.path} cannot be read ({first}); run: backfold run {writer_of(table)} --force"
        ) from error


def read_table(root: Path, table: Table, columns: list[str] | None = None) -> "pl.DataFrame":
    """Read a table, or some of its columns; says which stage to run where it is missing."""
    import polars as pl

    path = root / table.path
    if not path.exists():
        raise ArtifactError(f"{table.path} is not there yet; run: backfold run {writer_of(table)}")
    try:
        frame = pl.read_parquet(path, columns=columns, use_pyarrow=False, memory_map=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        first = str(error).splitlines()[0]
        raise ArtifactError(
            f"{table.path} cannot be read ({first}); run: backfold run {writer_of(table)} --force"
        ) from error
    want = dtypes(table)
    held = {name: t for name, t in frame.schema.items() if name in want and want[name] != t}
    absent = [name for name in (columns or want) if name not in frame.columns]
    if held or absent:
        raise ArtifactError(
            f"{table.path} was written by another version (missing {absent}, other types "
            f"{sorted(held)}); run: backfold run {writer_of(table)} --force"
        )
    return frame
