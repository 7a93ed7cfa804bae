"""`backfold waive`: live with a finding, and say why."""

import json

import click

from pipeline.cli.options import agent_option, open_agent
from pipeline.errors import UsageError


@click.command()
@agent_option
@click.argument("finding_ids", nargs=-1, required=True, metavar="FINDING...")
@click.option("--because", help="Why it may stay; kept with the time.")
@click.option("--withdraw", is_flag=True, help="Take an earlier waiver back.")
def waive(
    agent: str | None, finding_ids: tuple[str, ...], because: str | None, withdraw: bool
) -> None:
    """Waive findings of the last audit by their names; a waiver is a row with reason and time."""
    from pipeline.artifacts import read_table
    from pipeline.schemas import FINDINGS, WAIVERS

    if not withdraw and not (because or "").strip():
        raise UsageError("waive: say why with --because")
    house = open_agent(agent)
    known = set(read_table(house.folder.root, FINDINGS, ["finding_id"])["finding_id"])
    if unknown := sorted(set(finding_ids) - known):
        raise UsageError(f"no finding called {unknown[0]} in the last audit; see reports/audit.md")
    at = house.now().isoformat(timespec="milliseconds")
    path = house.folder.root / WAIVERS.path
    before = path.read_bytes() if path.is_file() else b""
    rows = [
        {"finding_id": name, "waived_at": at, "because": because or "", "withdrawn": withdraw}
        for name in finding_ids
    ]
    from pipeline.files import write_whole

    mended = before if before.endswith(b"\n") or not before else before + b"\n"
    write_whole(path, mended + "".join(json.dumps(row) + "\n" for row in rows).encode())
    verb = "withdrawn" if withdraw else "waived"
    click.echo(f"{len(rows)} {verb}; the next audit counts them so")
