"""The command that fills an agent's folder from a store that lives."""

from pathlib import Path

import click


@click.command()
@click.argument("store", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--agent", "-a", required=True, help="New folder: a name under data/, or a path.")
@click.option("--of", "of", help="Whose memory, where the store holds several agents'.")
def adopt(store: Path, agent: str, of: str | None) -> int:
    """Look at a Connectome store that lives: fill a new agent's folder from a copy of it."""
    from pipeline.care.adopt import adopt_store
    from pipeline.stage import utc_now
    from pipeline.workspace import DATA, Workspace

    root = Path(agent) if "/" in agent or Path(agent).is_dir() else DATA / agent
    done = adopt_store(store, Workspace(root), agent=of, now=utc_now)
    click.echo(
        f"{done.agent}: {done.items} items, {done.chunks} chunks, {done.memories} memories "
        f"from {store}, which was only read"
    )
    for note in done.notes:
        click.echo(f"  {note}")
    for breach in done.breaches:
        click.echo(f"  {breach.severity} {breach.rule} {breach.subject}: {breach.message}")
    return 1 if any(breach.severity == "error" for breach in done.breaches) else 0
