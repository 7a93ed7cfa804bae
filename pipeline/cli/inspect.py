"""Commands that only look: status, stages, show, knobs."""

from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from pipeline.cli.options import agent_option, open_agent
from pipeline.errors import BackfoldError, UsageError
from pipeline.terminal import harmless

if TYPE_CHECKING:
    from pipeline.runner import House


@click.command()
@agent_option
@click.option("--verify", is_flag=True, help="Hash every file again instead of trusting its time.")
def status(agent: str | None, *, verify: bool) -> int:
    """Say for each stage whether it is fresh, and if not why; without an agent, for all."""
    from pipeline.runner import open_house
    from pipeline.workspace import all_workspaces

    if agent:
        tell_status(open_agent(agent, verify=verify))
        return 0
    folders = all_workspaces()
    if not folders:
        click.echo("no agents under data/ yet; make one with: backfold init")
    worst = 0
    for folder in folders:
        try:
            tell_status(open_house(folder, verify=verify))
        except BackfoldError as error:  # one bad folder hides none of the others
            click.echo(harmless(f"{folder.root.name}  {' '.join(str(error).split())}"), err=True)
            worst = max(worst, error.exit_code)
        except PermissionError as error:
            click.echo(f"{folder.root.name}  {error.filename}: no right to read it", err=True)
            worst = max(worst, 1)
    return worst


def tell_status(house: "House") -> None:
    """Print an agent's stages, and how its pyramid stands."""
    click.echo(f"{house.agent.name}  ({house.folder.root})")
    for s in house.stages:
        why = house.stale(s)
        last = house.ledger.last(s.name)
        when = f"  last {last.ended_at}" if last else ""
        click.echo(f"  {s.name:9} {'fresh' if why is None else why}{when}")
    for line in pyramid_lines(house):
        click.echo(f"  {line}")
    house.ledger.save_seen()


def pyramid_lines(house: "House") -> Iterator[str]:
    """Say what the pyramid was minted under, and by how much it is behind the closed chunks."""
    from pipeline.memory.standing import behind, minted_under, quarantined, spent_for_a_call
    from pipeline.schemas import CHUNKS, PYRAMID

    path = house.folder.root / PYRAMID.path
    if path.is_file():
        yield from minted_under(path)
        if waiting := quarantined(path):
            yield f"{waiting:,} in quarantine: backfold run warmup --retry"
    if not (house.folder.root / CHUNKS.path).is_file():
        return
    from pipeline.artifacts import read_table

    knobs = house.knobs(house.stage("warmup"))
    chunks = read_table(house.folder.root, CHUNKS, ["ordinal", "chunk_id", "messages"])
    rows = chunks.sort("ordinal").select("chunk_id", "messages").rows()
    late = behind(path, rows, knobs.holdback)
    if late.chunks:
        calls = late.chunks + late.chunks // knobs.fan_in
        spent = spent_for_a_call(path, knobs.model) if path.is_file() else None
        money = f", {spent[1]} {spent[0] * calls:.2f}" if spent else ""
        need = f"about {calls:,} calls{money}"
        yield f"pyramid is {late.messages:,} messages behind, {need}: make warmup"


@click.command("stages")
def stages() -> None:
    """Show the stages in the order they run, with what each reads and writes."""
    from pipeline.registry import load_stages

    for s in load_stages():
        reads = ", ".join(a.name for a in (*s.reads, *s.reads_if_there)) or "the outside world"
        writes = ", ".join(a.name for a in (*s.writes, *s.amends))
        click.echo(f"{s.name:9} {reads} → {writes}{'' if s.free else '   (only when named)'}")


@click.command()
@click.argument("artifact")
@agent_option
@click.option("--schema", is_flag=True, help="Show columns, types and grain instead of rows.")
@click.option(
    "--rows",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="How many rows to show.",
)
def show(artifact: str, agent: str | None, *, schema: bool, rows: int) -> None:
    """Show a table's first rows, or with --schema what its columns mean."""
    from pipeline.schemas import TABLES

    if artifact not in TABLES:
        raise UsageError(f"no table called {artifact}; there are {', '.join(TABLES)}")
    table = TABLES[artifact]
    if schema:
        click.echo(f"{table.name}  {table.path}\n{table.grain}; key: {', '.join(table.key)}")
        for name, column in table.columns.items():
            null = " or null" if column.nullable else ""
            click.echo(f"  {name:16} {column.type + null:20} {column.says}")
        return
    from pipeline.artifacts import read_table

    house = open_agent(agent)
    frame = read_table(house.folder.root, table)
    click.echo(f"{table.name}: {frame.height:,} rows, {table.grain}")
    for row in frame.head(rows).iter_rows(named=True):
        click.echo("")
        for name, value in row.items():
            click.echo(f"  {name:16} {shown(value)}")


def shown(value: Any) -> str:
    """Give a value on one line, short enough to be read."""
    if isinstance(value, datetime):
        return value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, list):
        listed = ", ".join(map(shown, value[:6]))
        return f"{listed}, … {len(value):,} in all" if len(value) > 6 else listed or "–"
    line = harmless(" ".join(str("–" if value is None else value).split()))
    return line if len(line) <= 160 else line[:159] + "…"


@click.command()
@agent_option
@click.argument("stage", required=False)
def knobs(agent: str | None, stage: str | None) -> None:
    """List every knob with its default; with an agent, also what agent.toml sets it to."""
    from pipeline.config import FACTS
    from pipeline.knobs import knobs_of, nested_in
    from pipeline.knobs import show as show_value
    from pipeline.registry import load_stages

    house = open_agent(agent) if agent else None
    sections = {**FACTS, **{s.name: s.knobs for s in load_stages()}}
    if stage and stage not in sections:
        raise UsageError(f"no section called {stage}; there are {', '.join(sections)}")
    for section, kind in sections.items():
        if stage and section != stage:
            continue
        click.echo(f"[{section}]")
        values = None
        if house:
            facts = {
                "agent": house.agent.facts,
                "self": house.agent.self,
                "scope": house.agent.scope,
            }
            values = facts.get(section) or house.knobs(house.stage(section))
        for knob in knobs_of(section, kind):
            now = show_value(getattr(values, knob.name)) if values else knob.default
            changed = f"  (default {knob.default})" if values and now != knob.default else ""
            click.echo(f"  {knob.name} = {now}{changed}   # {knob.says}")
        for heading, inner in nested_in(section, kind):
            click.echo(f"  {heading}")
            for knob in knobs_of(section, inner):
                click.echo(f"    {knob.name} = {knob.default}   # {knob.says}")
