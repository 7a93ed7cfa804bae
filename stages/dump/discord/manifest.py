"""The manifest: a row for every room, read or not and why, and what else a run found out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.raw import UNREAD
from stages.dump.discord.faults import DeniedError, StuckError, UnreachableError
from stages.dump.discord.reach import Reach
from stages.dump.discord.rights import THREADS
from stages.dump.discord.rooms import TO_READ, Room, Scope, Survey
from stages.dump.discord.walk import is_done
from stages.dump.discord.words import GUILD_MEMBERS, MESSAGE_CONTENT, dm_words, intent

VERSION = 1
WRONG_KIND = 50024
UNFINISHED = UNREAD  # a run that leaves one of these ends with exit 3
READ = frozenset({"complete", "empty", "partial"})


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one room in this run."""

    room: Room
    reach: Reach
    error: DeniedError | StuckError | UnreachableError | None = None
    tried_at: str | None = None
    notes: tuple[str, ...] = field(default=())

    def verdict(self, scope: Scope) -> tuple[str, str]:
        """Give status and reason."""
        if self.room.status != TO_READ:
            return self.room.status, self.room.reason
        if isinstance(self.error, DeniedError):
            return self._denied(self.error)
        if self.error is not None:
            return ("partial" if self.reach.messages else "failed"), str(self.error)
        if not is_done(self.room, self.reach, scope):
            begun = self.reach.low is not None
            return ("partial" if begun else "pending"), "the run ended before it was read"
        reason = "; ".join(filter(None, (self.room.reason, *self.notes)))
        if self.reach.messages:
            return "complete", reason
        if self.room.newest >= max(scope.floor, 1):
            deleted = f"its newest message {self.room.newest} is not listed: deleted or withheld"
            reason = "; ".join(filter(None, (reason, deleted)))
        return "empty", reason

    def _denied(self, denied: DeniedError) -> tuple[str, str]:
        if denied.is_gone:
            return "gone", str(denied)
        if denied.status == 403:
            return "forbidden", str(denied)
        return ("no_messages_kind" if denied.code == WRONG_KIND else "failed"), str(denied)

    def row(self, scope: Scope) -> dict[str, Any]:
        """Give the room's row of the manifest."""
        status, reason = self.verdict(scope)
        low, high = self.reach.lowest_id, self.reach.highest_id
        return {
            "channel_id": self.room.channel_id,
            "guild_id": self.room.guild_id,
            "parent_id": self.room.parent_id,
            "type": self.room.kind,
            "name": self.room.name,
            "status": status,
            "reason": reason,
            "messages": self.reach.messages,
            "lowest_id": None if low is None else str(low),
            "highest_id": None if high is None else str(high),
            "last_message_id": self.room.last_message_id,
            "complete": status in {"complete", "empty"},
            "attempted_at": self.tried_at,
        }


def manifest_of(
    old: Mapping[str, Any],
    me: Mapping[str, Any],
    found: Survey,
    fates: Iterable[Fate],
    scope: Scope,
) -> dict[str, Any]:
    """Give what the manifest says of the bot, its rights, every room and DM; times are added."""
    guild_ids = {guild.guild_id for guild in found.guilds}
    return {
        "version": VERSION,
        "source": "discord",
        "bot": {"id": me["id"], "username": me.get("username"),
                "application_id": (found.application or {}).get("id")},
        "message_content": intent(found.application, MESSAGE_CONTENT),
        "members_intent": intent(found.application, GUILD_MEMBERS),
        "since": scope.facts.since,
        "until": scope.facts.until,
        "guilds": [
            {"guild_id": g.guild_id, "name": g.object.get("name"),
             "joined_at": (g.member or {}).get("joined_at")}
            for g in found.guilds
        ],
        "channels": merged(
            old.get("channels", ()), [fate.row(scope) for fate in fates], guild_ids
        ),
        "dms": {
            "searched": False,
            "reason": f"dump never asks for a list of DMs, a bot gets none; {dm_words(scope)}",
            "opened": found.opened,
        },
        "files": old.get("files", []),
    }  # fmt: skip


def merged(
    old: Iterable[Mapping[str, Any]], new: Iterable[dict[str, Any]], seen_guilds: set[str]
) -> list[dict[str, Any]]:
    """
    Give the rows of this run, and those of earlier runs and other agents that it says nothing of.

    A row that was read for somebody else stays although this run's scope leaves it out; a
    channel that its guild no longer lists is gone, and what was read of it stays.
    """
    before = {row["channel_id"]: dict(row) for row in old}
    rows = []
    for row in new:
        earlier = before.pop(row["channel_id"], None)
        keeps = earlier and earlier["status"] in READ and row["status"] == "out_of_scope"
        rows.append(earlier if earlier and keeps else row)
    for row in before.values():
        if row.get("guild_id") in seen_guilds and row["type"] not in THREADS:
            row.update(status="gone", reason="its guild lists it no longer", complete=False)
        rows.append(row)
    return sorted(rows, key=lambda row: (len(row["channel_id"]), row["channel_id"]))
