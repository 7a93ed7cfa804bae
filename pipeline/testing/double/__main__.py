"""`python -m pipeline.testing.double CORPUS`: serve a corpus folder as Discord would."""

from pathlib import Path

import click

from pipeline.testing.double import TOKEN, read_faults, serve


@click.command()
@click.argument("corpus", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--port", default=0, help="0 takes a free one")
@click.option("--token", default=TOKEN, show_default=True, help="the one token that is taken")
@click.option("--faults", type=click.Path(exists=True, path_type=Path), help="JSON list of faults")
@click.option("--requests-per-second", type=float, help="answer 429 beyond this")
def main(
    corpus: Path, port: int, token: str, faults: Path | None, requests_per_second: float | None
) -> None:
    """Serve CORPUS on 127.0.0.1; print the API's base address, then answer until Ctrl-C."""
    serve(
        corpus,
        say=click.echo,
        token=token,
        port=port,
        faults=read_faults(faults) if faults else (),
        requests_per_second=requests_per_second,
    )


if __name__ == "__main__":
    main()
