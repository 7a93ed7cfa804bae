"""`make bench`: print every figure, or those of the benches that are named."""

import os
import platform
import sys
from importlib import import_module
from pathlib import Path

from pipeline.testing.bench import table


def main(names: list[str]) -> int:
    """Run the benches; gives 1 where a bar was missed."""
    here = Path(__file__).parent
    known = sorted(p.stem for p in here.glob("[a-z]*.py"))
    if unknown := sorted(set(names) - set(known)):
        sys.stderr.write(f"no bench called {unknown[0]}; there are {', '.join(known)}\n")
        return 2
    load = os.getloadavg()[0]
    sys.stdout.write(f"{platform.machine()}, Python {platform.python_version()}, load {load:.1f}\n")
    missed = False
    for name in names or known:
        sys.stdout.write(f"\n{name}\n")
        rows = list(import_module(f"pipeline.testing.bench.{name}").rows())
        missed |= any(row.holds is False for row in rows)
        for line in table(iter(rows)):
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    return int(missed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
