"""Commands that put an agent's folder into one file, and take it out again."""

from pathlib import Path

import click

from pipeline.cli.options import agent_option


@click.command()
@agent_option
@click.argument("target", type=click.Path(path_type=Path))
def pack(agent: str | None, target: Path) -> None:
    """Put what can be rebuilt nowhere else into one file, without keys."""
    from pipeline.care.pack import pack as write
    from pipeline.workspace import find_workspace

    click.echo(f"{target}: {write(find_workspace(agent), target)} files, read again and whole")


@click.command()
@click.argument("source", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--agent", "-a", required=True, help="New folder: a name under data/, or a path.")
def unpack(source: Path, agent: str) -> None:
    """Lay a packed agent out in a new folder, after every file in it was checked."""
    from pipeline.care.pack import unpack as lay_out
    from pipeline.workspace import DATA

    root = Path(agent) if "/" in agent else DATA / agent
    click.echo(f"{root}: {lay_out(source, root)} files, checked; next: backfold run")
