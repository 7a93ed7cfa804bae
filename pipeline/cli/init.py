"""`backfold init`: at most eight questions, each of which may be answered by a flag."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.errors import UsageError
from pipeline.terminal import harmless
from pipeline.workspace import DATA, Workspace

if TYPE_CHECKING:
    from pipeline.care.begin import Beginning
    from pipeline.recipe import Recipe


@click.command()
@click.option("--agent", "-a", help="Folder: a name under data/, or a path.")
@click.option("--name", help="1. The agent's name, as in the host's recipe.")
@click.option("--self", "self_ids", multiple=True, metavar="ID", help="2. User ids that are it.")
@click.option("--webhook", "webhooks", multiple=True, metavar="ID", help="2. Webhooks that are it.")
@click.option("--application", "applications", multiple=True, metavar="ID", help="2. Its apps.")
@click.option("--guild", "guilds", multiple=True, metavar="ID", help="3. Guilds (none: all).")
@click.option("--channel", "channels", multiple=True, metavar="ID", help="3. Rooms (none: all).")
@click.option("--dm", "dms", multiple=True, metavar="CHANNEL_ID", help="3. DM channels.")
@click.option("--since", help="3. Nothing older than this.")
@click.option("--until", help="3. Nothing newer than this: the cutover.")
@click.option("--timezone", help="4. IANA zone in which people read.")
@click.option("--shown", help="5. What the old harness showed: messages (23), all, or tokens=N.")
@click.option("--file", "files", multiple=True, type=click.Path(path_type=Path), help="6. Exports.")
@click.option("--raw", help="6. A raw folder shared with other agents.")
@click.option("--recipe", type=click.Path(path_type=Path), help="7. The host's recipe.")
@click.option("--model", help="8. The model that mints memories (extractive: none, offline).")
def init(
    agent: str | None, files: tuple[Path, ...], recipe: Path | None, **given: str | None
) -> int:
    """
    Make an agent's folder with its agent.toml, from at most eight questions or flags.

    For a folder that is there already it only asks who of raw is the agent.
    """
    from pipeline.care.begin import write_beginning
    from pipeline.recipe import read_recipe

    if agent and folder_for(agent).config_path.exists() and not any(given.values()) and not files:
        return settle_self(folder_for(agent))
    read = read_recipe(recipe) if recipe else None
    given["name"] = (
        given["name"]
        or (read.name if read else None)
        or ask("1. name of the agent, as in the host's recipe", Path(agent).name if agent else None)
    )
    folder = folder_for(agent or str(given["name"]))
    wish = wish_from(given, files, recipe, read)
    for line in write_beginning(folder, wish, read):
        click.echo(line)
    asked = wish.self_ids or wish.webhooks or wish.applications
    return 0 if asked else settle_self(folder)


def wish_from(
    given: Mapping[str, Any], files: tuple[Path, ...], recipe: Path | None, read: "Recipe | None"
) -> "Beginning":
    """Gather the answers: flags first, then the recipe, then questions."""
    from pipeline.care.begin import Beginning

    if not files and not given["raw"]:
        answer = ask("6. source: discord, or paths of export files", "discord")
        files = () if answer == "discord" else tuple(Path(p) for p in answer.split())
    for path in files:
        if not path.exists():
            raise UsageError(f"--file {path} is not there")
    zone = given["timezone"] or (read.values.get("agent.timezone", (None,))[0] if read else None)
    return Beginning(
        name=given["name"],
        self_ids=tuple(given["self_ids"]),
        webhooks=tuple(given["webhooks"]),
        applications=tuple(given["applications"]),
        guilds=tuple(given["guilds"]),
        channels=tuple(given["channels"]),
        dms=tuple(given["dms"]),
        since=given["since"],
        until=given["until"],
        timezone=zone or ask("4. time zone (IANA)", "UTC"),
        shown=given["shown"]
        or ask("5. what the old harness showed: messages, all, or tokens=N", "23"),
        source="files" if files else "discord",
        files=tuple(str(path.resolve()) for path in files),
        raw=given["raw"],
        recipe=recipe.resolve() if recipe else None,
        model=given["model"] or ask("8. model that mints memories", "extractive"),
    )


def settle_self(folder: Workspace) -> int:
    """
    Find out who of raw is the agent; exit 3 where the owner must still say.

    Export files are read for it (no network). One candidate is taken, and told; between two
    nothing is guessed.
    """
    from pipeline.care.begin import write_self
    from pipeline.care.candidates import candidates
    from pipeline.runner import Wish, open_house, run

    house = open_house(folder)
    if house.agent.facts.source == "files":
        run(house, Wish(stages=("dump",)))
    found = candidates(house.raw)
    if not found:
        click.echo("2. who is the agent: the bot whose token dumps; add former accounts to [self]")
        return 0
    click.echo("2. who of these is the agent?")
    for number, candidate in enumerate(found, 1):
        click.echo(harmless(f"  {number}  {candidate.line()}"))
    sure = [c for c in found if c.is_the_dumping_bot] or (found if len(found) == 1 else [])
    numbers = ask("numbers, with blanks between", "1" if sure else "") if is_asked() else ""
    chosen = [
        found[int(n) - 1] for n in numbers.split() if n.isdigit() and 0 < int(n) <= len(found)
    ]
    if not (chosen := chosen or sure):
        click.echo(
            f"put the ids of those that are it into [self] of {folder.config_path}", err=True
        )
        return 3
    write_self(folder, chosen)
    for candidate in chosen:
        click.echo(f"[self] has {candidate.kind} {candidate.account_id} ({candidate.name})")
    return 0


def folder_for(agent: str) -> Workspace:
    """Give the folder for a name (under data/) or a path."""
    path = Path(agent)
    return Workspace(path if path.is_absolute() or len(path.parts) > 1 else DATA / agent)


def is_asked() -> bool:
    """Say whether there is somebody at a terminal to ask."""
    return sys.stdin is not None and sys.stdin.isatty()


def ask(question: str, default: str | None) -> str:
    """Ask at a terminal; elsewhere take the default, or say which flag is missing."""
    if is_asked():
        return str(click.prompt(question, default=default, err=True)).strip()
    if default is None:
        raise UsageError(f"{question}: give it as a flag, there is no terminal to ask at")
    return default
