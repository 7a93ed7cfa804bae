"""One bar for everything that takes long: tqdm on a terminal's stderr, silent elsewhere."""

import sys
from types import TracebackType
from typing import Any


class Progress:
    """A bar that may be moved, renamed and closed; it writes to stderr only."""

    def __init__(self, *, total: int | None = None, unit: str = "it", label: str = "") -> None:
        self._bar: Any = None
        if sys.stderr is not None and sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(total=total, unit=unit, desc=label, leave=False, file=sys.stderr)

    def step(self, count: int = 1) -> None:
        """Move on by `count` units."""
        if self._bar is not None:
            self._bar.update(count)

    def expect(self, total: int) -> None:
        """Correct how many units there will be."""
        if self._bar is not None:
            self._bar.total = total
            self._bar.refresh()

    def tell(self, words: str) -> None:
        """Show a few words behind the bar."""
        if self._bar is not None:
            self._bar.set_postfix_str(words)

    def close(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.close()

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
