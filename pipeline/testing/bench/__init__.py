"""
Figures that anybody can print: ours against a peer or a limit, in the same run.

Each module here has `rows()`, which yields a `Row` for each figure. Costs are CPU-seconds of
the process and its children, the median of several runs: wall time says more about who else
uses the machine.
"""

import resource
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """
    One figure: `ours` against `peer` in `unit`, their ratio, and the bar that it should clear.

    `bar` is written as people read it (`≥ 10 ×`, `≤ 1.5 ×`); `holds` says whether it does.
    """

    name: str
    ours: float
    peer: float | None
    unit: str
    ratio: float | None
    bar: str
    holds: bool | None = None
    said: str = ""


def cpu_seconds() -> float:
    """Give what this process and its finished children have used, in seconds of CPU."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    theirs = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + theirs.ru_utime + theirs.ru_stime


def median_cost(work: Callable[[], object], *, runs: int = 3) -> float:
    """Give the median CPU-seconds of `work` over some runs, after none to warm up."""
    costs = []
    for _ in range(runs):
        before = cpu_seconds()
        work()
        costs.append(cpu_seconds() - before)
    return statistics.median(costs)


def table(rows: Iterator[Row]) -> Iterator[str]:
    """Write rows as lines for a terminal."""
    yield f"{'figure':52} {'ours':>12} {'peer':>12} {'unit':10} {'ratio':>8}  bar"
    for row in rows:
        peer = "" if row.peer is None else f"{row.peer:,.4g}"
        ratio = "" if row.ratio is None else f"{row.ratio:.2f}"
        mark = {True: "holds", False: "MISSED", None: ""}[row.holds]
        said = f"  ({row.said})" if row.said else ""
        figures = f"{row.ours:>12,.4g} {peer:>12} {row.unit:10} {ratio:>8}"
        yield f"{row.name:52} {figures}  {row.bar} {mark}{said}"
