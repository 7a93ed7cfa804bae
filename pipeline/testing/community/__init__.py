"""
An invented community: nine weeks of the Otterby Lantern Club and Tilly, its workshop companion.

    community = write_community(folder)         # a corpus folder that the Discord double serves
    community.facts[0].question                 # what was planted, and where it was said
    community.self_user_ids                     # who the agent is, also in her former account

Twenty people in English, German and Japanese; thirteen rooms (an announcement room, voice text, a
forum, a private one, one that the bot may not see, one without read-back, one without CONNECT);
threads, two of them private; three DMs; three other bots; somebody who speaks by webhook under
two names; a summer break; edits, deletions, polls, forwards, stickers, voice messages, slash
commands, credentials and look-alikes. All of it comes from one seed; nothing is anybody's.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.testing.community.facts import ASKED
from pipeline.testing.community.plan import DAYS, local
from pipeline.testing.community.story import Slip, Story, tell
from pipeline.testing.community.threads import count_up
from pipeline.testing.community.town import (
    AGENT,
    BY_NAME,
    DESK_HOOK,
    DMS,
    EVERYBODY,
    FORMER,
    GUILD_ID,
    PERSONA,
    TIMEZONE,
    guild,
)

__all__ = ["Community", "Fact", "Slip", "write_community"]

Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that was said, and the question that asks for it later."""

    key: str
    kind: str  # fact | date | number | changed (the newest value counts)
    question: str
    answer: str
    message_ids: tuple[str, ...]  # the evidence, oldest first
    channel_id: str
    is_private: bool

    def row(self) -> Object:
        """Give the question as a line of questions.jsonl."""
        return {
            "question": self.question, "answer": self.answer, "kind": self.kind,
            "evidence_message_ids": list(self.message_ids), "private": self.is_private,
        }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Community:
    """What was written, and everything that an agent.toml and a test want to know about it."""

    folder: Path
    facts: tuple[Fact, ...]
    slips: tuple[Slip, ...]  # the planted credentials
    harmless: Mapping[str, str]  # what only looks like one, by kind
    rooms: Mapping[str, str]  # channel and thread ids by name
    deleted_ids: tuple[str, ...]
    messages: int
    agent: str = "tilly"
    timezone: str = TIMEZONE
    persona: str = PERSONA
    guild_id: str = GUILD_ID
    self_user_ids: tuple[str, ...] = (AGENT.user_id, FORMER.user_id)
    self_webhook_ids: tuple[str, ...] = (DESK_HOOK,)
    self_application_ids: tuple[str, ...] = (AGENT.user_id, FORMER.user_id)
    dm_channel_ids: tuple[str, ...] = tuple(DMS.values())
    blocked_user_ids: tuple[str, ...] = (EVERYBODY["luckydrop"].user_id,)
    # the same person behind a webhook under two names: [[people]] of agent.toml
    personas: tuple[tuple[str, tuple[str, ...]], ...] = (("moss", ("Captain Brine", "Old Wick")),)
    break_days: tuple[str, str] = ("2026-07-27", "2026-08-09")

    def questions(self) -> list[Object]:
        """Give the rows of a questions file."""
        return [fact.row() for fact in self.facts]


def write_community(folder: Path, seed: int = 7) -> Community:
    """Write the corpus folder of the invented community; the same seed writes the same bytes."""
    story = tell(seed)
    corpus = _corpus(story)
    for name in ("messages", "files"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    count = 0
    for channel_id, by_id in story.teller.said.items():
        messages = sorted(by_id.values(), key=lambda message: int(message["id"]))
        count += len(messages)
        text = "".join(json.dumps(m, separators=(",", ":")) + "\n" for m in messages)
        (folder / "messages" / f"{channel_id}.jsonl").write_text(text, "ascii")
    for attachment_id, data in story.teller.files.items():
        (folder / "files" / attachment_id).write_bytes(data)
    text = json.dumps(corpus, indent=1)
    (folder / "guild.json").write_text(text + "\n", "ascii")
    return Community(
        folder, _facts(story), story.slips, story.harmless, _rooms(story),
        tuple(story.teller.gone), count,
    )  # fmt: skip


def _facts(story: Story) -> tuple[Fact, ...]:
    return tuple(
        Fact(a.key, a.kind, a.question, a.answer, story.evidence[a.key], story.where[a.key],
             a.is_private)
        for a in ASKED
    )  # fmt: skip


def _rooms(story: Story) -> dict[str, str]:
    rooms = {name: room.channel_id for name, room in BY_NAME.items()}
    threads = {name: thread["id"] for name, thread in story.threads.items()}
    return rooms | threads | {f"dm:{key}": channel_id for key, channel_id in DMS.items()}


def _corpus(story: Story) -> Object:
    club = guild()
    said = {
        room: sorted(by_id.values(), key=lambda message: int(message["id"]))
        for room, by_id in story.teller.said.items()
    }
    for channel in club["channels"]:
        if messages := said.get(channel["id"]):
            channel["last_message_id"] = messages[-1]["id"]
    for thread in story.threads.values():
        count_up(thread, said.get(thread["id"], []))
        club["threads"].append(thread)
    forum = next(channel for channel in club["channels"] if channel["type"] == 15)
    posts = [int(t["id"]) for t in club["threads"] if t["parent_id"] == forum["id"]]
    forum["last_message_id"] = str(max(posts))  # a forum points at its newest post
    dms = [
        {"id": channel_id, "type": 1, "recipients": [EVERYBODY[key].user()],
         "last_message_id": said[channel_id][-1]["id"]}
        for key, channel_id in DMS.items()
    ]  # fmt: skip
    return {
        "self": AGENT.user(), "guilds": [club], "dms": dms,
        "users": [p.user() for p in EVERYBODY.values() if p.has_left],
        "reactors": story.teller.reactors, "voters": story.voters,
    }  # fmt: skip


def span() -> tuple[float, float]:
    """Give the epoch seconds between which everything is said."""
    return local(0, "00:00"), local(DAYS, "00:00")
