"""A new agent's folder: agent.toml with the dozen knobs that matter, persona, private modes."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.care.candidates import Candidate
from pipeline.config import moment, zone
from pipeline.errors import UsageError
from pipeline.files import write_whole
from pipeline.recipe import Recipe
from pipeline.registry import STAGES
from pipeline.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Beginning:
    """The answers to the questions, and the flags."""

    name: str
    self_ids: tuple[str, ...] = ()
    webhooks: tuple[str, ...] = ()
    applications: tuple[str, ...] = ()
    guilds: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    dms: tuple[str, ...] = ()
    since: str | None = None
    until: str | None = None
    timezone: str = "UTC"
    shown: str = "23"  # what the old harness showed: a number of messages, "all", "tokens=N"
    source: str = "discord"
    files: tuple[str, ...] = ()
    raw: str | None = None
    recipe: Path | None = None
    model: str = "extractive"


def write_beginning(folder: Workspace, wish: Beginning, recipe: Recipe | None) -> list[str]:
    """Make the folder with agent.toml and, from the recipe, persona.md; gives what to tell."""
    if folder.config_path.exists():
        raise UsageError(f"{folder.config_path} is there already; edit it, or choose another name")
    check_ids(wish)
    zone(wish.timezone)
    moment(wish.since, "--since")
    moment(wish.until, "--until")
    shown = perceived_lines(wish.shown)
    folder.make()
    folder.root.chmod(0o700)  # a folder that was there already may be open to others
    write_whole(folder.config_path, agent_toml(wish, shown).encode())
    said = [f"{folder.config_path} is written; every other knob: backfold knobs"]
    persona = folder.root / "persona.md"
    if recipe and recipe.prompt and not persona.exists():
        write_whole(persona, recipe.prompt.encode())
        said.append(f"{persona} holds the recipe's system prompt")
    elif not persona.exists():
        said.append(f"put the agent's system prompt into {persona} before warmup")
    said.append(
        f"{folder.root} is closed to others (0700): raw history, pyramid and backups hold private "
        f"talk and secrets in clear; it stays out of git"
    )
    return said


def check_ids(wish: Beginning) -> None:
    """Refuse an id that is no snowflake, before it stands in a file."""
    groups = {
        "--self": (*wish.self_ids, *wish.webhooks, *wish.applications),
        "--guild": wish.guilds,
        "--channel": wish.channels,
        "--dm": wish.dms,
    }
    for flag, ids in groups.items():
        for value in ids:
            if not (value.isascii() and value.isdigit() and len(value) <= 20):
                raise UsageError(f"{flag} {value!r}: an id is digits only; copy it from Discord")


def perceived_lines(shown: str) -> str:
    """Turn what the old harness showed into lines for [[curate.perceived]]."""
    if shown == "23":
        return (
            "# [[curate.perceived]] by period and room: messages = 23 | tokens = N | all = true\n"
        )
    kind, _, number = shown.rpartition("=")
    if shown == "all":
        return "[[curate.perceived]]\nall = true\n"
    if kind in {"", "messages", "tokens"} and number.isdigit():
        return f"[[curate.perceived]]\n{kind or 'messages'} = {number}\n"
    raise UsageError(f"--shown {shown!r}: give a number of messages, all, or tokens=N")


def agent_toml(wish: Beginning, shown: str) -> str:
    """Write agent.toml; what is left at its default stands there as a comment."""
    raw = f"raw = {_text(wish.raw)}" if wish.raw else '# raw = "../shared"   # share one dump'
    since = f"since = {_text(wish.since)}" if wish.since else '# since = "2026-01-01"'
    until = f"until = {_text(wish.until)}" if wish.until else '# until = "2026-12-01"'
    recipe = f"recipe = {_text(str(wish.recipe))}" if wish.recipe else '# recipe = "recipe.json"'
    routing = (
        '# routing = "locus"       # locus | hybrid | explicit; from the recipe where there is one'
    )
    warmup = f"""
[warmup]
model = {_text(wish.model)}        # extractive (free, offline), or the model that mints memories
# max_cost = 5.0                   # money: a limit that is also the yes to spend it
"""
    return f"""\
# {wish.name}: who the agent is, and the knobs that matter (all of them: backfold knobs)

[agent]
name = {_text(wish.name)}          # byte for byte the name in the host's recipe
timezone = {_text(wish.timezone)}  # days, prompts and pictures are told in it; stored times are UTC
source = {_text(wish.source)}      # discord | files
files = {_list(wish.files)}        # export files or folders, for source = "files"
{raw}
{recipe}  # the host's recipe: numbers, routing, zone

[self]                             # everything by any of these is the agent's own speech
users = {_list(wish.self_ids)}
webhooks = {_list(wish.webhooks)}
applications = {_list(wish.applications)}

[scope]
guilds = {_list(wish.guilds)}      # empty: every guild the bot is in
channels = {_list(wish.channels)}  # empty: every room
dms = {_list(wish.dms)}            # ids of DM channels: a bot cannot list its own
{since}   # nothing older; without it the whole history
{until}   # nothing newer: the cutover

# [[people]]                       # one person under several ids and names
# name = "Marrow"
# ids = ["1300000000000000011"]
# webhooks = ["Marrow (mobile)"]

[dump]
# attachments = "images"           # none | text | images | all
# max_requests_per_second = 5      # the living agent shares the limits

[curate]
{routing}
# profile = "2026-09"              # wire format by month: 2026-08 | 2026-09 | 2026-10
# burst_seconds = 10               # own posts closer than this are one turn

{shown}
[segment]
# gap_minutes = 60                 # silence that closes a chunk
# target_chunk_tokens = 3000
# head_tokens = 4000               # always shown whole
# tail_tokens = 30000
{warmup if "warmup" in STAGES else ""}"""


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _list(values: Sequence[str]) -> str:
    return "[" + ", ".join(_text(value) for value in values) + "]"


def write_self(folder: Workspace, chosen: Sequence[Candidate]) -> None:
    """Put the chosen accounts into [self] of agent.toml; everything else stays as it is."""
    import tomlkit

    document = tomlkit.parse(folder.config_path.read_text(encoding="utf-8"))
    section = document.setdefault("self", tomlkit.table())
    for candidate in chosen:
        held = list(section.get(f"{candidate.kind}s", []))
        if candidate.account_id not in held:
            section[f"{candidate.kind}s"] = [*held, candidate.account_id]
    write_whole(folder.config_path, tomlkit.dumps(document).encode())
