"""The transcript's texts, read where they are needed: a few windows of it are held at a time."""

from collections import OrderedDict
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import ArtifactError

if TYPE_CHECKING:
    import polars as pl

ROWS = 1_024  # of a window
HELD = 3  # windows; a merge looks back upon few chunks


class Pages:
    """The rows of a table in its own order; memory does not grow with its length."""

    def __init__(self, path: Path, columns: list[str]) -> None:
        self._path, self._columns = path, columns
        self._held: OrderedDict[int, pl.DataFrame] = OrderedDict()

    def slice(self, start: int, end: int) -> "pl.DataFrame":
        """Give the rows from one position up to another."""
        import polars as pl

        first, last = start // ROWS, max(end - 1, start) // ROWS
        found = [
            self._window(n).slice(max(start - n * ROWS, 0), end - max(start, n * ROWS))
            for n in range(first, last + 1)
        ]
        return pl.concat(found)

    def _window(self, number: int) -> "pl.DataFrame":
        if number not in self._held:
            while len(self._held) >= HELD:
                self._held.popitem(last=False)
            self._held[number] = self._read(number)
        self._held.move_to_end(number)
        return self._held[number]

    def _read(self, number: int) -> "pl.DataFrame":
        import polars as pl

        try:
            whole = pl.scan_parquet(self._path, cache=False, low_memory=True)
            return whole.select(self._columns).slice(number * ROWS, ROWS).collect()
        except (pl.exceptions.PolarsError, OSError) as error:
            first = str(error).splitlines()[0]
            raise ArtifactError(
                f"{self._path.name} cannot be read ({first}); run curate again"
            ) from error
