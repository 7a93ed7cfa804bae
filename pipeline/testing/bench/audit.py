"""A full audit of 900 memories: all rules, over an invented pyramid and its talk."""

from collections.abc import Iterable

from pipeline.memory.checks import all_rules, check
from pipeline.testing.bench import Row, median_cost
from pipeline.testing.faults import healthy


def rows() -> Iterable[Row]:
    """Give the cost of all rules together and of the dearest ones."""
    check(healthy(50, seed=2))  # compiles
    # another view each time: nothing that an earlier audit made may help
    views = iter([healthy(900, seed) for seed in (1, 2, 3)])
    cost = median_cost(lambda: check(next(views)))
    yield Row("audit of 900 memories, all rules", cost, None, "CPU s", None, "≤ 5", cost <= 5)
    view = healthy(900, seed=4)
    for rule in all_rules():
        own = median_cost(lambda rule=rule: list(rule(view)), runs=1)  # type: ignore[misc]
        if own > 0.1:
            yield Row(f"… {rule.__name__}", own, None, "CPU s", None, "")
