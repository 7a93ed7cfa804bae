"""Commands to try backfold without a Discord of one's own: demo, double."""

import time
from pathlib import Path

import click

from pipeline.workspace import DATA


@click.command()
@click.option("--into", type=click.Path(path_type=Path), default=DATA / "demo", show_default=True)
@click.option("--seed", default=7, show_default=True, help="Another seed invents other evenings.")
def demo(into: Path, seed: int) -> int:
    """Run the whole flow on an invented community: no key, no network."""
    from pipeline.testing.demo import run_demo

    started = time.monotonic()
    left = run_demo(into, click.echo, seed=seed)
    for reason in left:
        click.echo(f"unfinished: {reason}", err=True)
    click.echo(f"\n{time.monotonic() - started:.0f} s; look around: backfold status --agent {into}")
    return 3 if left else 0


@click.command()
@click.argument("corpus", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--port", default=0, type=click.IntRange(0, 65_535), help="0 takes a free one.")
@click.option("--faults", type=click.Path(exists=True, path_type=Path), help="Faults as JSON.")
@click.option("--requests-per-second", type=float, help="Answer 429 beyond this.")
def double(corpus: Path, port: int, faults: Path | None, requests_per_second: float | None) -> None:
    """Serve a corpus folder on loopback as Discord would, to try `dump` on it."""
    from pipeline.testing.double import read_faults, serve

    serve(
        corpus,
        say=click.echo,
        port=port,
        faults=read_faults(faults) if faults else (),
        requests_per_second=requests_per_second,
    )
