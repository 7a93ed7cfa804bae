"""`backfold init`: at most six questions, each of which may be answered by a flag."""

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pipeline.errors import UsageError
from pipeline.terminal import harmless
from pipeline.workspace import DATA, Workspace

if TYPE_CHECKING:
    from pipeline.care.begin import Beginning
    from pipeline.care.candidates import Candidate
    from pipeline.recipe import Recipe


@click.command()
@click.option("--agent", "-a", metavar="NAME|PATH", help="Folder: a name under data/, or a path.")
@click.option("--name", metavar="NAME", help="1. The agent's name, as in the host's recipe.")
@click.option("--self", "self_ids", multiple=True, metavar="ID", help="6. User ids that are it.")
@click.option("--webhook", "webhooks", multiple=True, metavar="ID", help="6. Webhooks that are it.")
@click.option("--application", "applications", multiple=True, metavar="ID", help="6. Its apps.")
@click.option("--guild", "guilds", multiple=True, metavar="ID", help="Guilds (none: all).")
@click.option("--channel", "channels", multiple=True, metavar="ID", help="Rooms (none: all).")
@click.option("--dm", "dms", multiple=True, metavar="CHANNEL_ID", help="DM channels.")
@click.option("--since", metavar="DATE", help="Nothing older than this.")
@click.option("--until", metavar="DATE", help="Nothing newer: the cutover.")
@click.option("--timezone", metavar="ZONE", help="3. IANA zone in which people read.")
@click.option(
    "--shown", metavar="N|all|tokens=N", help="4. What the old harness showed (23 messages)."
)
@click.option("--file", "files", multiple=True, type=click.Path(path_type=Path), help="2. Exports.")
@click.option("--raw", metavar="FOLDER", help="2. A raw folder shared with other agents.")
@click.option("--recipe", type=click.Path(path_type=Path), help="The host's recipe.")
@click.option(
    "--model", metavar="NAME", help="5. What mints memories (extractive: no model, offline)."
)
def init(
    agent: str | None, files: tuple[Path, ...], recipe: Path | None, **given: str | None
) -> int:
    """
    Make an agent's folder with its agent.toml, from at most six questions or flags.

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
    from pipeline.care.begin import Beginning, perceived_lines
    from pipeline.config import zone as zone_called

    if not files and not given["raw"]:
        answer = ask("2. source: discord, or paths of export files", "discord", source_paths)
        files = source_paths(answer)
    for path in files:
        if not path.exists():
            raise UsageError(f"--file {path} is not there; give the path of an export or a folder")
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
        timezone=zone or ask("3. time zone (IANA)", "UTC", zone_called),
        shown=given["shown"]
        or ask("4. what the old harness showed: messages, all, or tokens=N", "23", perceived_lines),
        source="files" if files else "discord",
        files=tuple(str(path.resolve()) for path in files),
        raw=given["raw"],
        recipe=recipe.resolve() if recipe else None,
        model=given["model"] or ask("5. model that mints memories", "extractive"),
    )


def source_paths(answer: str) -> tuple[Path, ...]:
    """Read the answer to where history lies: none for Discord, else paths that are there."""
    if answer.strip().lower() in {"discord", ""}:
        return ()
    try:
        paths = tuple(Path(word).expanduser() for word in shlex.split(answer))
    except ValueError as error:
        raise UsageError(f"{answer}: {error}; close the quotes") from None
    for path in paths:
        if not path.exists():
            raise UsageError(f"{path} is not there; give paths of exports, or discord")
    return paths


def settle_self(folder: Workspace) -> int:
    """
    Find out who of raw is the agent; exit 3 where the owner must still say.

    Export files are read for it (no network). At a terminal the owner chooses; elsewhere only
    what is certain is taken, and told.
    """
    from pipeline.care.begin import write_self
    from pipeline.care.candidates import candidates, certain
    from pipeline.runner import Wish, open_house, run

    house = open_house(folder)
    is_files = house.agent.facts.source == "files"
    left = run(house, Wish(stages=("dump",))) if is_files else []
    for reason in left:
        click.echo(f"unfinished: {reason}", err=True)
    found = candidates(house.raw)
    if not found:
        who = "nobody speaks in the exports yet" if is_files else "the bot whose token dumps"
        click.echo(f"6. who is the agent: {who}; add former accounts to [self]")
        return 3 if left else 0
    click.echo("6. who of these is the agent?")
    for number, candidate in enumerate(found, 1):
        click.echo(harmless(f"  {number}  {candidate.line()}"))
    sure = certain(found, house.agent.name)
    chosen = choose(found, sure) if is_asked() else sure
    if not chosen:
        click.echo(
            f"put the ids of those that are it into [self] of {folder.config_path}", err=True
        )
        return 0 if is_asked() and not left else 3
    write_self(folder, chosen)
    for candidate in chosen:
        click.echo(
            harmless(f"[self] has {candidate.kind} {candidate.account_id} ({candidate.name})")
        )
    return 3 if left else 0


def choose(found: "Sequence[Candidate]", sure: "Sequence[Candidate]") -> "list[Candidate]":
    """Let the owner choose from the list that was just shown."""
    held = " ".join(str(found.index(candidate) + 1) for candidate in sure) or "0"
    answer = ask(
        "numbers, with blanks between, 0 for none", held, lambda said: numbers_in(said, len(found))
    )
    return [found[number - 1] for number in numbers_in(answer, len(found))]


def numbers_in(answer: str, most: int) -> list[int]:
    """Read numbers of a list from 1, each once; `0` and `none` are none of it."""
    words = answer.replace(",", " ").lower().split()
    if words in (["0"], ["none"]):
        return []
    for word in words or [answer]:
        if not (word.isascii() and word.isdigit() and 0 < int(word) <= most):
            raise UsageError(f"{word} is not on the list (1–{most}); 0 for none")
    return list(dict.fromkeys(map(int, words)))


def folder_for(agent: str) -> Workspace:
    """Give the folder for a name (under data/) or a path."""
    path = Path(agent)
    return Workspace(path if path.is_absolute() or len(path.parts) > 1 else DATA / agent)


def is_asked() -> bool:
    """Say whether there is somebody at a terminal to ask."""
    return sys.stdin is not None and sys.stdin.isatty()


def ask(question: str, default: str | None, check: Callable[[str], object] | None = None) -> str:
    """
    Ask at a terminal until `check` takes the answer.

    Elsewhere take the default, or say which flag is missing.
    """
    while is_asked():
        answer = str(click.prompt(question, default=default, err=True)).strip()
        try:
            if check:
                check(answer)
        except UsageError as error:
            click.echo(error, err=True)
        else:
            return answer
    if default is None:
        raise UsageError(f"{question}: give it as a flag, there is no terminal to ask at")
    return default
