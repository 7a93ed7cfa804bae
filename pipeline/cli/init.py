"""`backfold init`: at most eight questions, each of which may be answered by a flag."""

import sys
from pathlib import Path

import click

from pipeline.errors import UsageError
from pipeline.workspace import DATA, Workspace


@click.command()
@click.option("--agent", "-a", help="Folder: a name under data/, or a path.")
@click.option("--name", help="1. The agent's name, as in the host's recipe.")
@click.option("--self", "self_ids", multiple=True, metavar="USER_ID", help="2. Accounts that are it.")
@click.option("--webhook", "webhooks", multiple=True, metavar="ID", help="2. Webhooks that are it.")
@click.option("--application", "applications", multiple=True, metavar="ID", help="2. Its applications.")
@click.option("--guild", "guilds", multiple=True, metavar="ID", help="3. Guilds in scope (none: all).")
@click.option("--channel", "channels", multiple=True, metavar="ID", help="3. Rooms in scope (none: all).")
@click.option("--dm", "dms", multiple=True, metavar="CHANNEL_ID", help="3. DM channels.")
@click.option("--since", help="3. Nothing older than this.")
@click.option("--until", help="3. Nothing newer than this: the cutover.")
@click.option("--timezone", help="4. IANA zone in which people read.")
@click.option("--shown", help="5. What the old harness showed: messages (23), all, or tokens=N.")
@click.option("--file", "files", multiple=True, type=click.Path(path_type=Path), help="6. Export files or folders.")
@click.option("--raw", help="6. A raw folder shared with other agents.")
@click.option("--recipe", type=click.Path(path_type=Path), help="7. The host's recipe.")
@click.option("--model", help="8. The model that mints memories (extractive: none, offline).")
def init(agent: str | None, files: tuple[Path, ...], recipe: Path | None, **given: str | None) -> None:
    """Make an agent's folder with its agent.toml, from at most eight questions or flags."""
    from pipeline.care.begin import Beginning, write_beginning
    from pipeline.recipe import read_recipe

    read = read_recipe(recipe) if recipe else None
    name = given.pop("name") or (read.name if read else None)
    name = name or ask("1. name of the agent, as in the host's recipe", None if agent is None else Path(agent).name)
    folder = folder_for(agent or name)
    if not files and not given.get("raw"):
        answer = ask("6. source: discord, or paths of export files", "discord")
        files = () if answer == "discord" else tuple(Path(p) for p in answer.split())
    for path in files:
        if not path.exists():
            raise UsageError(f"--file {path} is not there")
    zone = given.get("timezone") or (read.values["agent.timezone"][0] if read and "agent.timezone" in read.values else None)
    wish = Beginning(
        name=name,
        self_ids=lists(given["self_ids"]),
        webhooks=lists(given["webhooks"]),
        applications=lists(given["applications"]),
        guilds=lists(given["guilds"]),
        channels=lists(given["channels"]),
        dms=lists(given["dms"]),
        since=given["since"],
        until=given["until"],
        timezone=zone or ask("4. time zone (IANA)", "UTC"),
        shown=given["shown"] or ask("5. what the old harness showed: messages, all, or tokens=N", "23"),
        source="files" if files else "discord",
        files=tuple(str(path.resolve()) for path in files),
        raw=given["raw"],
        recipe=recipe.resolve() if recipe else None,
        model=given["model"] or ask("8. model that mints memories", "extractive"),
    )
    for line in write_beginning(folder, wish, read):
        click.echo(line)
    settle_self(folder, asked=bool(wish.self_ids or wish.webhooks or wish.applications))


def folder_for(agent: str) -> Workspace:
    """Give the folder for a name (under data/) or a path."""
    path = Path(agent)
    return Workspace(path if path.is_absolute() or len(path.parts) > 1 else DATA / agent)


def ask(question: str, default: str | None) -> str:
    """Ask at a terminal; elsewhere take the default, or say which flag is missing."""
    if sys.stdin is not None and sys.stdin.isatty():
        return str(click.prompt(question, default=default, err=True)).strip()
    if default is None:
        raise UsageError(f"{question}: give it as a flag, no terminal to ask at")
    return default


def lists(value: object) -> tuple[str, ...]:
    """Give a repeatable option's values."""
    return tuple(value) if isinstance(value, tuple) else ()
