"""Tables on disk: checked against their declaration, sorted, written beside and renamed."""

from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import ArtifactError
from pipeline.files import beside
from pipeline.schemas import Table

if TYPE_CHECKING:
    import polars as pl


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


def read_table(root: Path, table: Table, columns: list[str] | None = None) -> "pl.DataFrame":
    """Read a table, or some of its columns; says which stage to run where it is missing."""
    import polars as pl

    path = root / table.path
    if not path.exists():
        raise ArtifactError(
            f"{table.path} is not there yet; run the stage that writes {table.name}"
        )
    try:
        frame = pl.read_parquet(path, columns=columns, use_pyarrow=False, memory_map=False)
    except (pl.exceptions.PolarsError, OSError) as error:
        first = str(error).splitlines()[0]
        raise ArtifactError(
            f"{table.path} cannot be read ({first}); run the stage that writes {table.name} again"
        ) from error
    want = dtypes(table)
    held = {name: t for name, t in frame.schema.items() if name in want and want[name] != t}
    absent = [name for name in (columns or want) if name not in frame.columns]
    if held or absent:
        raise ArtifactError(
            f"{table.path} was written by another version (missing {absent}, other types "
            f"{sorted(held)}); run the stage that writes {table.name} again"
        )
    return frame
