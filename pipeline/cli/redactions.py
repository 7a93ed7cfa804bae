"""`backfold redactions`: what was replaced, where, and its shape; never the value."""

import click

from pipeline.cli.options import agent_option, open_agent
from pipeline.errors import UsageError
from pipeline.terminal import harmless


@click.command()
@agent_option
@click.option("--rule", metavar="NAME", help="Only what this rule found.")
def redactions(agent: str | None, rule: str | None) -> None:
    """Show every redaction: rule, message, five words each side, shape; never the value."""
    from pipeline.artifacts import read_table
    from pipeline.schemas import REDACTIONS

    house = open_agent(agent)
    frame = read_table(house.folder.root, REDACTIONS)
    rules = sorted(set(frame["rule"]))
    if rule is not None and rule not in rules:
        raise UsageError(
            f"no redaction by a rule called {rule}; there are {', '.join(rules) or 'none'}"
        )
    rows = [r for r in frame.iter_rows(named=True) if rule in (None, r["rule"])]
    for row in rows:
        place = row["message_id"] or row["item_id"]
        words = f"{row['before']} [{row['mask']}] {row['after']}".strip()
        told = f"{row['rule']:20} {place}  {row['field']:8} {' '.join(words.split())}"
        click.echo(harmless(told))
    if not rows:
        click.echo("no redactions: no rule found a secret", err=True)
        return
    click.echo(
        f"{len(rows):,} redaction{'s' * (len(rows) != 1)}; one that is none: "
        f"add it to keep under [curate.redact]",
        err=True,
    )
