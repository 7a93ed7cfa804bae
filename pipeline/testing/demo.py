"""
The whole flow on the invented community: no key, no network, nobody's words.

A Discord on loopback serves the community, and every stage runs on it as it would on a real
history. The folder is written anew each time, and only where a demo made it.
"""

import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pipeline.errors import UsageError
from pipeline.files import make_folder, write_whole
from pipeline.registry import STAGES
from pipeline.runner import Wish, open_house, run
from pipeline.testing.community import Community, write_community
from pipeline.testing.double import Double
from pipeline.workspace import Workspace

MARK = "# The demo's agent: this folder is written anew by each demo."


def run_demo(root: Path, say: Callable[[str], None], *, seed: int = 7) -> list[str]:
    """Make the agent's folder anew and run every stage there is; gives what was left."""
    folder = clear(root)
    with tempfile.TemporaryDirectory(prefix="backfold-demo-") as corpus:
        community = write_community(Path(corpus), seed=seed)
        say(
            f"{community.messages:,} invented messages, served by a Discord on loopback; "
            f"the agent is {community.agent}"
        )
        with Double(Path(corpus)) as double:
            settle(folder, community, double.url)
            left = run_stage(folder, "dump", {"DISCORD_TOKEN": double.token}, say)
        for name in STAGES[1:]:
            left += run_stage(folder, name, {}, say)
    return left


def clear(root: Path) -> Workspace:
    """Give an empty folder for the demo; one that no demo made is left alone."""
    folder = Workspace(root)
    if folder.config_path.is_file():
        if not folder.config_path.read_text(encoding="utf-8").startswith(MARK):
            raise UsageError(f"{root} is no demo's folder; choose another with --into")
        shutil.rmtree(root)
    elif root.exists() and any(root.iterdir()):
        raise UsageError(f"{root} is not empty and no demo's folder; choose another with --into")
    folder.make()
    return folder


def settle(folder: Workspace, community: Community, url: str) -> None:
    """Write agent.toml, persona and questions."""
    write_whole(folder.config_path, config_for(community, url).encode())
    write_whole(folder.root / "persona.md", community.persona.encode())
    lines = [json.dumps(row, ensure_ascii=False) for row in community.questions()]
    write_whole(folder.root / "questions.jsonl", ("\n".join(lines) + "\n").encode())
    make_folder(folder.root / "captions")


def config_for(community: Community, url: str) -> str:
    """Write what an owner of this community would write."""
    people = "".join(
        f"\n[[people]]\nname = {quoted(name)}\nwebhooks = {listed(hooks)}\n"
        for name, hooks in community.personas
    )
    return f"""\
{MARK}

[agent]
name = {quoted(community.agent)}
timezone = {quoted(community.timezone)}
source = "discord"

[self]
users = {listed(community.self_user_ids)}
webhooks = {listed(community.self_webhook_ids)}
applications = {listed(community.self_application_ids)}

[scope]
guilds = [{quoted(community.guild_id)}]
dms = {listed(community.dm_channel_ids)}

[dump]
api_base = {quoted(url)}   # the demo's own Discord; it is gone when the demo ends
max_requests_per_second = 0

[curate]
blocked = {listed(community.blocked_user_ids)}
{people}"""


def run_stage(
    folder: Workspace, name: str, env: Mapping[str, str], say: Callable[[str], None]
) -> list[str]:
    """Run one stage, its own words indented under its name."""
    say(f"\n{name}")
    house = open_house(folder)
    house.env = env
    house.out = lambda line: say(f"  {line}")
    return run(house, Wish(stages=(name,), apply=True))


def quoted(value: Any) -> str:
    """Write a value as TOML."""
    return json.dumps(value, ensure_ascii=False)


def listed(values: Any) -> str:
    """Write values as a TOML list."""
    return "[" + ", ".join(quoted(value) for value in values) + "]"
