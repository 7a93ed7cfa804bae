"""`backfold run`: bring stages up to date, or run those that are named."""

from typing import Any

import click

from pipeline.cli.options import agent_option, open_agent, set_option
from pipeline.errors import UsageError

# Options that belong to one stage; they reach it as ctx.options.
STAGE_OPTIONS = {
    "compare": "segment",
    "open_dm": "dump",
    "retry": "warmup",
    "refold": "warmup",
    "remint": "warmup",
    "ask_model": "probe",
    "anonymize": "explore",
}

LONGEST_ID = 20
HELP = """
Run stages, after the stale free ones above them; without names, all that are free and stale.

\b
backfold run dump curate segment --agent tilly
backfold run segment --set segment.gap_minutes=90
"""


@click.command(help=HELP)
@click.argument("stages", nargs=-1, metavar="[STAGE]...")
@agent_option
@set_option
@click.option("--only", is_flag=True, help="Leave the stages above alone.")
@click.option("--force", is_flag=True, help="Run the named stages though they are fresh.")
@click.option("--dry-run", is_flag=True, help="Show the plan; write nothing at all.")
@click.option("--apply", is_flag=True, help="Carry out a plan that spends, opens or removes.")
@click.option("--verify", is_flag=True, help="Hash every file again instead of trusting its time.")
@click.option("--compare", is_flag=True, help="segment: try gaps and targets side by side.")
@click.option(
    "--refold", is_flag=True, help="warmup: fold a changed history again (plan, then --apply)."
)
@click.option(
    "--remint", metavar="WHICH", help="warmup: mint these again in place, say model=extractive."
)
@click.option("--retry", is_flag=True, help="warmup: ask again for what is in quarantine.")
@click.option("--anonymize", is_flag=True, help="explore: names and words masked, to share.")
@click.option("--ask-model", is_flag=True, help="probe: ask the model too (plan, then --apply).")
@click.option(
    "--open-dm", multiple=True, metavar="USER_ID", help="dump: open this DM (the one POST)."
)
def run(
    stages: tuple[str, ...],
    agent: str | None,
    sets: tuple[str, ...],
    **flags: bool | tuple[str, ...],
) -> int:
    """Run stages, after the stale free ones above them; gives the exit code."""
    from pipeline.runner import Wish
    from pipeline.runner import run as run_stages

    options: dict[str, Any] = {name: flags[name] for name in STAGE_OPTIONS if flags[name]}
    for name in options:
        if STAGE_OPTIONS[name] not in stages:
            owner = STAGE_OPTIONS[name]
            raise UsageError(f"--{name.replace('_', '-')} belongs to {owner}: name that stage too")
    for user_id in options.get("open_dm") or ():
        if not (user_id.isascii() and user_id.isdigit() and len(user_id) <= LONGEST_ID):
            raise UsageError(f"--open-dm {user_id}: an id is digits only; copy it from Discord")
    house = open_agent(agent, sets, verify=bool(flags["verify"]))
    if options.get("open_dm") and house.agent.facts.source != "discord":
        raise UsageError(
            f"--open-dm belongs to Discord, and agent.source is {house.agent.facts.source!r}; "
            f"leave it out"
        )
    wish = Wish(
        stages=stages,
        only=bool(flags["only"]),
        force=bool(flags["force"]) or bool(options),
        dry_run=bool(flags["dry_run"]),
        apply=bool(flags["apply"]),
        verify=bool(flags["verify"]),
        options=options,
    )
    if options.get("refold"):
        from pipeline.care.refold import refold

        if not refold(house, apply=wish.apply, dry_run=wish.dry_run):
            return 0
    left = run_stages(house, wish)
    for reason in left:
        house.err(f"unfinished: {reason}")
    return 3 if left else 0
