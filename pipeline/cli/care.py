"""Commands that look after an agent: doctor."""

import json
import os
from dataclasses import asdict

import click

from pipeline.cli.options import agent_option, open_agent


@click.command()
@agent_option
@click.option("--json", "as_json", is_flag=True, help="Give the findings as JSON.")
def doctor(agent: str | None, *, as_json: bool) -> int:
    """Say whether this machine and the agent's folder are ready; exit 3 where they are not."""
    from pipeline.care.doctor import examine, lines, worst

    found = examine(open_agent(agent) if agent else None, os.environ)
    if as_json:
        click.echo(json.dumps([asdict(f) for f in found], indent=1, ensure_ascii=False))
    else:
        for line in lines(found):
            click.echo(line)
    return worst(found)
