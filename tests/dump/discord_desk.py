"""Builders for tests of the dump from Discord: an agent's folder, a context, an invented corpus."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path

from pipeline.config import Agent, AgentFacts, ScopeFacts
from pipeline.raw import Raw
from pipeline.stage import Context
from pipeline.testing.double import Double
from pipeline.workspace import Workspace
from stages.dump import DumpKnobs, dump
from stages.dump.discord import dump_discord
from stages.dump.discord.limits import Clock

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ME = {"id": "300", "username": "wren", "discriminator": "0", "global_name": "Wren", "avatar": None,
      "bot": True}  # fmt: skip
GUILD = "100"
VIEW, HISTORY, CONNECT, MANAGE_THREADS = 1 << 10, 1 << 16, 1 << 20, 1 << 34


class StillClock:
    """A clock that stands still but for sleeping; each sleep moves it, and the double with it."""

    def __init__(self, double=None):
        self.at = 1_000.0
        self.slept = []
        self.double = double

    def monotonic(self):
        return self.at

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.at += seconds
        if self.double is not None:
            self.double.world.skew_seconds += seconds
        await asyncio.sleep(0)

    def clock(self):
        return Clock(self.monotonic, self.sleep, lambda: 0.5)


def snowflake(minute, since="2026-01-01"):
    """Give an id made `minute` minutes after a day."""
    start = datetime.fromisoformat(since).replace(tzinfo=UTC).timestamp() * 1000
    return (int(start) + minute * 60_000 - 1_420_070_400_000) << 22


def user(number, name=None):
    return {"id": str(number), "username": name or f"u{number}", "discriminator": "0",
            "global_name": None, "avatar": None}  # fmt: skip


def message(message_id, channel_id, text="hello", author=None, **more):
    sent_ms = (int(message_id) >> 22) + 1_420_070_400_000
    sent_at = datetime.fromtimestamp(sent_ms / 1000, UTC).isoformat(timespec="microseconds")
    return {"id": str(message_id), "channel_id": str(channel_id), "type": 0, "content": text,
            "author": author or user(71), "timestamp": sent_at, "edited_timestamp": None,
            "attachments": [], "embeds": [], "mentions": [], "mention_roles": [],
            "mention_everyone": False, "flags": 0, "components": [], "pinned": False,
            "tts": False, **more}  # fmt: skip


def channel(channel_id, kind=0, name=None, deny=0, **more):
    overwrites = [{"id": GUILD, "type": 0, "allow": "0", "deny": str(deny)}] if deny else []
    return {"id": str(channel_id), "type": kind, "name": name or f"room-{channel_id}",
            "parent_id": None, "last_message_id": None, "permission_overwrites": overwrites,
            **more}  # fmt: skip


def thread(thread_id, parent_id, kind=11, archived=None, **more):
    stamp = archived or "2026-01-01T00:00:00.000000+00:00"
    return {"id": str(thread_id), "type": kind, "name": f"thread-{thread_id}", "guild_id": GUILD,
            "parent_id": str(parent_id), "last_message_id": None, "owner_id": "71",
            "thread_metadata": {"archived": archived is not None, "archive_timestamp": stamp,
                                "auto_archive_duration": 1440, "locked": False},
            **more}  # fmt: skip


def corpus(folder, channels, rooms, threads=(), *, dms=(), members=None, application=None, **more):
    """Write a corpus folder; `rooms` maps a channel id to its messages, oldest first."""
    for place in (*channels, *threads, *dms):
        rows = rooms.get(int(place["id"]), ())
        if rows and place.get("last_message_id") is None:
            place["last_message_id"] = max((r["id"] for r in rows), key=int)
    everyone = {"id": GUILD, "name": "@everyone", "permissions": str(VIEW | HISTORY | CONNECT)}
    own = {"user": ME, "nick": None, "roles": [], "joined_at": "2026-01-02T00:00:00.000000+00:00"}
    guild = {"id": GUILD, "name": "Orchard", "owner_id": "1", "roles": [everyone],
             "channels": list(channels), "threads": list(threads),
             "members": [own] if members is None else members} | more  # fmt: skip
    world = {"self": ME, "guilds": [guild], "dms": list(dms)}
    if application is not None:
        world["application"] = application
    (folder / "messages").mkdir(parents=True, exist_ok=True)
    (folder / "guild.json").write_text(json.dumps(world))
    for channel_id, rows in rooms.items():
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (folder / "messages" / f"{channel_id}.jsonl").write_text(lines)
    return folder


def one_room(folder, count, channel_id=700, **more):
    """Write a corpus with one room of `count` messages, a minute apart."""
    rows = [message(snowflake(i), channel_id, f"line {i}") for i in range(count)]
    return corpus(folder, [channel(channel_id)], {channel_id: rows}, **more)


def context(root, double, *, dry_run=False, apply=False, options=None, scope=None, now=NOW,
            token=None, raw=None, **knobs):  # fmt: skip
    """Give a context of `dump` that talks to the double, without a limit of our own."""
    said, noted = [], []
    given = {"api_base": double.url, "max_requests_per_second": 0.0, "reread_days": 0.0} | knobs
    ctx = Context(
        stage=dump,
        folder=Workspace(Path(root)),
        agent=Agent(Path(root), AgentFacts("wren"), scope=ScopeFacts(**(scope or {}))),
        knobs=DumpKnobs(**given),
        raw=Raw(Path(raw or Path(root) / "raw")),
        env={"DISCORD_TOKEN": token or double.token},
        dry_run=dry_run,
        apply=apply,
        options=options or {},
        now=lambda: now,
        out=said.append,
        err=noted.append,
    )
    return ctx, said, noted


def go(root, double, clock=None, **more):
    """Dump, and give what was said, noted and left."""
    ctx, said, noted = context(root, double, **more)
    dump_discord(ctx, (clock or StillClock(double)).clock())
    return said, noted, ctx.left


def lines(root, channel_id):
    """Give the rows of a room in raw as they stand."""
    path = Path(root) / "raw" / "messages" / f"{channel_id}.jsonl"
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def ids(root, channel_id):
    """Give the ids of a room in raw as they stand, repeats included."""
    return [int(row["id"]) for row in lines(root, channel_id)]


def manifest(root):
    return json.loads((Path(root) / "raw" / "manifest.json").read_text())


def row(root, channel_id):
    """Give a room's row of the manifest."""
    return next(r for r in manifest(root)["channels"] if r["channel_id"] == str(channel_id))


def asked(double, route):
    """Give the queries that came for a route, in order."""
    return [r.query for r in double.requests if r.route == route]


__all__ = ["Double", "StillClock", "asked", "channel", "context", "corpus", "go", "ids", "lines",
           "manifest", "message", "one_room", "row", "snowflake", "thread", "user"]  # fmt: skip
