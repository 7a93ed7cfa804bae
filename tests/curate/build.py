"""Small builders: a raw folder of a few messages, and a curation of it."""

import json
from datetime import UTC, datetime, timedelta

import polars as pl

from pipeline.config import build, load_agent
from pipeline.raw import Raw
from pipeline.schemas import TABLES
from pipeline.stage import Context
from pipeline.workspace import Workspace
from stages.curate import curate
from stages.curate.course import carry_out
from stages.curate.knobs import CurateKnobs

START = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)
EPOCH_MS = 1_420_070_400_000
ME = "1300000000000000001"
ANN, BO, CY = "1300000000000000011", "1300000000000000012", "1300000000000000013"
NAMES = {ME: "tilly", ANN: "ann", BO: "bo", CY: "cy"}
GUILD = "1100000000000000001"
YARD, SHED, DM, THREAD = (
    "1200000000000000001",
    "1200000000000000002",
    "1500000000000000001",
    "1200000000000000005",
)
CHANNELS = {
    YARD: {"id": YARD, "type": 0, "name": "yard", "guild_id": GUILD},
    SHED: {"id": SHED, "type": 0, "name": "shed", "guild_id": GUILD},
    DM: {"id": DM, "type": 1, "recipients": [{"id": ANN, "username": "ann"}]},
    THREAD: {"id": THREAD, "type": 12, "name": "nook", "guild_id": GUILD, "parent_id": YARD},
}
ROLE = {"id": "1400000000000000001", "name": "Tilly", "tags": {"bot_id": ME}}
AGENT = f"""
[agent]
name = "tilly"
[self]
users = ["{ME}"]
"""


def snowflake(seconds, low=0):
    """Give the id of a message so many seconds after the start."""
    at = START + timedelta(seconds=seconds)
    return str((round(at.timestamp() * 1000) - EPOCH_MS << 22) + low)


def message(seconds, author=ANN, content="words", *, low=0, **more):
    """Build a message; `to_me` mentions the agent."""
    body = {
        "id": snowflake(seconds, low),
        "type": 0,
        "content": content,
        "timestamp": (START + timedelta(seconds=seconds)).isoformat(),
        "edited_timestamp": None,
        "author": {"id": author, "username": NAMES.get(author, f"user{author}")},
        "mentions": [{"id": ME, "username": "tilly"}] if more.pop("to_me", False) else [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "components": [],
    }
    return {**body, **more}


def reply(seconds, author, to, content="yes", **more):
    """Build a reply to a message; `sent_along = False` leaves the original out."""
    original = {"referenced_message": to} if more.pop("sent_along", True) else {}
    reference = {"type": 0, "message_id": to["id"], "channel_id": YARD}
    return message(
        seconds, author, content, type=19, message_reference=reference, **original, **more
    )


def write_raw(root, rooms, *, manifest=None, channels=CHANNELS, guild=None, **tables):
    """Write a raw folder: `rooms` maps channel ids to messages; more lines are appended."""
    raw = root / "raw"
    (raw / "messages").mkdir(parents=True, exist_ok=True)
    for channel_id, messages in rooms.items():
        with (raw / "messages" / f"{channel_id}.jsonl").open("a", encoding="ascii") as file:
            file.writelines((m if isinstance(m, str) else json.dumps(m)) + "\n" for m in messages)
    lines = {
        "guilds": [(None, guild or {"id": GUILD, "name": "Lantern Yard"})],
        "channels": [(c.get("guild_id"), c) for c in channels.values()],
        "roles": [(GUILD, ROLE)],
    }
    for name, pairs in lines.items():
        (raw / f"{name}.jsonl").write_text(
            "".join(
                json.dumps({"guild_id": g, "fetched_at": "2026-01-06T00:00:00Z", "object": o})
                + "\n"
                for g, o in pairs
            )
        )
    for name, rows in tables.items():
        (raw / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (raw / "manifest.json").write_text(json.dumps({"message_content": "on", **(manifest or {})}))
    return raw


class Run:
    """A curation carried out: its tables by name, and what it said."""

    def __init__(self, root, said=(), left=()):
        self.root, self.said, self.left = root, said, left
        for name, table in TABLES.items():
            if (root / table.path).exists():
                setattr(self, name, pl.read_parquet(root / table.path))

    @property
    def texts(self):
        """The transcript as the agent reads it."""
        return self.transcript["text"].to_list()

    @property
    def why(self):
        """Reason by message id."""
        return dict(self.rejects.select("message_id", "reason").iter_rows())


def context(root, *, agent=AGENT, dry_run=False, said=None, left=None, **knobs):
    """Open a folder for curate with these knobs."""
    (root / "agent.toml").write_text(agent)
    known = load_agent(root, ("curate",), {})
    return Context(
        stage=curate,
        folder=Workspace(root),
        agent=known,
        knobs=build(CurateKnobs, "curate", {**known.stages.get("curate", {}), **knobs}),
        raw=Raw(root / "raw"),
        dry_run=dry_run,
        out=[].append if said is None else said.append,
        err=[].append,
        left=[] if left is None else left,
    )


def run(root, rooms=None, *, raw=None, **how):
    """Write raw where rooms are given, then curate it."""
    if rooms is not None:
        write_raw(root, rooms, **(raw or {}))
    said, left = [], []
    curate.run(context(root, said=said, left=left, **how))
    return Run(root, said, left)


def run_folded(root, folded, **how):
    """Curate with facts about what memories stand on; gives the run and what came of it."""
    ctx = context(root, **how)
    done = carry_out(ctx, folded)
    from pipeline.schemas import REJECTS

    ctx.write(REJECTS, done.rejects)
    return Run(root), done
