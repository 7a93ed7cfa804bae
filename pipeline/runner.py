"""Run stages in order: what is fresh is left alone, what is stale says why, what ran is noted."""

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from pipeline.adopted import WRITTEN_BY_ADOPT, refuse_adopted, why_moved_on
from pipeline.config import Agent, build, load_agent, told_where
from pipeline.errors import BackfoldError, StageError, UsageError
from pipeline.files import make_folder
from pipeline.ledger import Ledger, Run, code_digest, why_stale
from pipeline.raw import Raw
from pipeline.registry import STAGES, chain_above, load_stages
from pipeline.stage import Context, Stage, utc_now
from pipeline.terminal import to_stderr, to_stdout
from pipeline.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Wish:
    """What somebody asked to be run, and how."""

    stages: tuple[str, ...] = ()
    only: bool = False  # leave the stages above alone
    force: bool = False  # run the named ones though they are fresh
    dry_run: bool = False
    apply: bool = False
    verify: bool = False
    sets: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class House:
    """One agent's folder, opened: facts, stages, ledger, and the ways to speak."""

    folder: Workspace
    agent: Agent
    stages: list[Stage]
    ledger: Ledger
    raw: Raw
    env: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    now: Callable[[], datetime] = utc_now
    out: Callable[[str], None] = to_stdout
    err: Callable[[str], None] = to_stderr

    def stage(self, name: str) -> Stage:
        """Give a stage by name, or say which there are."""
        for s in self.stages:
            if s.name == name:
                return s
        raise UsageError(f"no stage called {name}; there are {', '.join(STAGES)}")

    def knobs(self, s: Stage) -> Any:
        """Give a stage's knobs as agent.toml sets them."""
        return build(s.knobs, s.name, dict(self.agent.stages.get(s.name, {})))

    def state(self, s: Stage) -> Run:
        """Describe a stage as it would run now."""
        knobs = {**flat(asdict(self.knobs(s))), **facts_for(self.agent)}
        return Run(
            stage=s.name,
            knobs=that_matter(knobs, s),
            inputs=self.ledger.digests((*s.reads, *s.reads_if_there)),
            outputs=self.ledger.digests(s.writes),
            code=code_digest(s.module),
        )

    def stale(self, s: Stage) -> str | None:
        """Say why a stage is stale; None where it is fresh."""
        if self.agent.facts.source == "store" and s.name in WRITTEN_BY_ADOPT:
            return why_moved_on(self.folder.root)
        last = self.ledger.last(s.name)
        if last is not None:
            last = replace(last, knobs=that_matter(last.knobs, s))
        return why_stale(last, self.state(s))


def open_house(
    folder: Workspace, *, sets: Mapping[str, Any] | None = None, verify: bool = False
) -> House:
    """Open an agent's folder: read agent.toml, find raw, load the stages."""
    stages = load_stages()
    for place in sets or {}:
        section = place.split(".")[0]
        if section not in (*STAGES, "agent", "self", "scope"):
            raise UsageError(f"--set {place}: no section {section}; there are {', '.join(STAGES)}")
    agent = load_agent(folder.root, STAGES, sets or {})
    raw_root = Path(agent.facts.raw).expanduser() if agent.facts.raw else folder.root / "raw"
    if not raw_root.is_absolute() and agent.facts.raw:
        raw_root = folder.root / raw_root
    house = House(
        folder=folder,
        agent=agent,
        stages=stages,
        ledger=Ledger(folder.root, raw_root, verify=verify),
        raw=Raw(raw_root),
    )
    with told_where(folder.config_path, sets or {}):
        for s in stages:
            house.knobs(s)  # every knob is checked before anything runs
    return house


def run(house: House, wish: Wish) -> list[str]:
    """
    Run what was asked for; gives what was left unfinished, in words.

    Naming a stage first brings the stale free stages above it up to date. Without names
    every stale free stage runs. Stages that are not free run only when named.
    """
    named = [house.stage(name) for name in wish.stages]
    queue = named if wish.only or wish.dry_run else with_those_above(named, house.stages)
    if not wish.stages:
        queue = [s for s in house.stages if s.free]
    for s in named:
        refuse_adopted(house.agent.facts.source, s.name)
    adopted = WRITTEN_BY_ADOPT if house.agent.facts.source == "store" else ()
    queue = [s for s in house.stages if s in queue and s.name not in adopted]
    if wish.dry_run:
        return [reason for s in queue for reason in run_one(house, s, wish)]
    left: list[str] = []
    with ExitStack() as held:
        held.enter_context(house.folder.locked(f"run {' '.join(s.name for s in queue)}"))
        if any(a.name == "raw" for s in queue for a in (*s.reads, *s.writes)):
            make_folder(house.raw.root)
            held.enter_context(Workspace(house.raw.root).locked("work on this raw folder"))
        for s in queue:
            is_named = s in named
            why = house.stale(s)
            if s.free and why is None and not (is_named and wish.force):
                if is_named or not wish.stages:
                    house.err(f"{s.name:9} fresh")
                continue
            if why == "never ran" and not s.free and not is_named:
                continue
            house.err(f"{s.name:9} running ({why or 'named'})")
            left += run_one(house, s, wish)
    return left


def with_those_above(named: Sequence[Stage], stages: list[Stage]) -> list[Stage]:
    """Give the named stages and the free ones above them."""
    above = [a for s in named for a in chain_above(s, stages) if a.free]
    return [*above, *named]


def run_one(house: House, s: Stage, wish: Wish) -> list[str]:
    """Run one stage and note it; gives what it left unfinished."""
    ctx: Context[Any] = Context(
        stage=s,
        folder=house.folder,
        agent=house.agent,
        knobs=house.knobs(s),
        raw=house.raw,
        env=house.env,
        dry_run=wish.dry_run,
        apply=wish.apply,
        options=dict(wish.options) if s.name in wish.stages else {},
        now=house.now,
        out=house.out,
        err=house.err,
    )
    if wish.dry_run:
        missing = [a.name for a in s.reads if not (ctx.path(a)).exists()]
        if missing:
            raise StageError(
                f"{s.name}: {missing[0]} is not there yet, and a dry run runs nothing above; "
                f"run without --dry-run first"
            )
        s.run(ctx)
        return ctx.left
    before = replace(house.state(s), started_at=house.now().isoformat(timespec="seconds"))
    outcome = "failed"
    try:
        s.run(ctx)
        outcome = "unfinished" if ctx.left else "done"
    except KeyboardInterrupt:
        outcome = "interrupted"
        raise
    except BackfoldError as error:
        if error.exit_code == 3:
            outcome = "unfinished"
            ctx.left.append(str(error))
        else:
            raise
    finally:
        house.ledger.note(
            replace(
                before,
                outputs=house.ledger.digests(s.writes),
                ended_at=house.now().isoformat(timespec="seconds"),
                outcome=outcome,
                left=tuple(ctx.left),
            )
        )
    return ctx.left


def facts_for(agent: Agent) -> dict[str, Any]:
    """Give the facts of agent.toml that any stage may build on, flat."""
    facts = {
        "agent": {k: v for k, v in asdict(agent.facts).items() if k != "raw"},
        "self": asdict(agent.self),
        "scope": asdict(agent.scope),
        "people": [asdict(person) for person in agent.people],
    }
    return flat(facts)


def that_matter(knobs: Mapping[str, Any], s: Stage) -> dict[str, Any]:
    """Leave out knobs and facts (or sections of them) to which a stage's output is indifferent."""
    indifferent = getattr(s.knobs, "INDIFFERENT", ())
    return {
        name: value
        for name, value in knobs.items()
        if not any(name == other or name.startswith(f"{other}.") for other in indifferent)
    }


def flat(nested: Mapping[str, Any], above: str = "") -> dict[str, Any]:
    """Flatten records to `a.b` names; lists stay whole, tuples become lists as in JSON."""
    found: dict[str, Any] = {}
    for name, value in nested.items():
        place = f"{above}{name}"
        if isinstance(value, Mapping):
            found.update(flat(value, f"{place}."))
        else:
            found[place] = plain(value)
    return found


def plain(value: Any) -> Any:
    """Give a value as JSON would give it back."""
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(entry) for entry in value]
    return value
