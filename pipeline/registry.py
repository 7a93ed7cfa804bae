"""Which stages there are, and in which order; the one place that knows their names."""

from graphlib import CycleError, TopologicalSorter
from importlib import import_module

from pipeline.errors import StageError, UsageError
from pipeline.stage import Stage

STAGES = ("dump", "curate", "segment", "warmup", "audit", "probe", "explore")


def load_stages() -> list[Stage]:
    """Import every stage and give them in the order in which they run."""
    return in_order([load_stage(name) for name in STAGES])


def load_stage(name: str) -> Stage:
    """Import one stage by name."""
    if name not in STAGES:
        raise UsageError(f"no stage called {name}; there are {', '.join(STAGES)}")
    found = getattr(import_module(f"stages.{name}"), name, None)
    if not isinstance(found, Stage):
        raise StageError(f"stages.{name} has no stage called {name}")
    return found


def in_order(stages: list[Stage]) -> list[Stage]:
    """Sort stages so that each comes after those that write what it reads."""
    writer: dict[str, Stage] = {}
    for s in stages:
        for artifact in s.writes:
            if artifact.name in writer:
                raise StageError(
                    f"{artifact.name}: both {writer[artifact.name].name} and {s.name} write it"
                )
            writer[artifact.name] = s
    graph = {s.name: [w.name for w in writers_above(s, stages)] for s in stages}
    by_name = {s.name: s for s in stages}
    try:
        return [by_name[name] for name in TopologicalSorter(graph).static_order()]
    except CycleError as error:
        raise StageError(f"stages go in a circle: {' → '.join(error.args[1])}") from error


def writers_above(s: Stage, stages: list[Stage]) -> list[Stage]:
    """Give the stages that write what `s` reads, in the order given."""
    wanted = {a.name for a in (*s.reads, *s.reads_if_there, *s.amends)}
    return [w for w in stages if w is not s and wanted & {a.name for a in w.writes}]


def chain_above(s: Stage, stages: list[Stage]) -> list[Stage]:
    """Give every stage above `s`, nearest last."""
    above: list[Stage] = []
    for w in writers_above(s, stages):
        for further in (*chain_above(w, stages), w):
            if further not in above:
                above.append(further)
    return above
