"""
Read an export once without keeping it: what it claims, what it holds, where it is damaged.

The second reading then maps row by row, knowing everything that may stand behind a row:
lookup tables, the speakers whom replies name, whether the text is raw.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from stages.dump.files.dce import Tables, keys, message_ids, sent_at
from stages.dump.files.people import Cast, is_webhook, user
from stages.dump.files.terms import (
    CHANNEL_TYPES,
    THREADS,
    LostRow,
    id_text,
    is_snowflake,
    mapping,
    moment,
    objects,
    stable_id,
    time_text,
    type_number,
    words,
)
from stages.dump.files.walk import Damage, Root, walk

RAW_MARKUP = re.compile(r"<@[!&]?\d+>|<#\d+>|<a?:\w+:\d+>|<t:-?\d+")
KEPT_ROOTS = ("guild", "channel", "dateRange", "exportedAt", "messageCount", "mod")
TABLES = ("users", "members", "roles", "emojis", "stickers")
PART = re.compile(r"^(?P<stem>.*?) \[part (?P<number>\d+)\]$")
Object = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Head:
    """What an export says of itself before its messages."""

    path: Path
    roots: Mapping[str, Any]
    has_rows: bool

    @property
    def channel(self) -> Mapping[str, Any]:
        """The channel object; empty where there is none."""
        return mapping(self.roots.get("channel"))

    @property
    def guild(self) -> Mapping[str, Any]:
        """The guild object; empty where there is none."""
        return mapping(self.roots.get("guild"))

    @property
    def channel_id(self) -> str | None:
        """The channel's id as raw holds it; null: this is no export of a channel."""
        return stable_id(self.channel.get("id"))

    @property
    def guild_id(self) -> str | None:
        """The guild's id; null in a DM."""
        found = stable_id(self.guild.get("id"))
        return None if found in {None, "0"} or self.channel_type in {1, 3} else found

    @property
    def channel_type(self) -> int:
        """The channel's type as Discord numbers it."""
        return type_number(self.channel.get("type"), CHANNEL_TYPES)

    @property
    def parent_id(self) -> str | None:
        """The category, or for a thread the room under which it hangs."""
        return stable_id(self.channel.get("categoryId"))

    @property
    def is_thread(self) -> bool:
        """Whether the channel is a thread or a forum post."""
        return self.channel_type in THREADS

    @property
    def part(self) -> int:
        """The part number in the file's name; the first has none (spec dce-json, 2e.12)."""
        found = PART.match(self.path.stem)
        return int(found["number"]) if found else 1


@dataclass(slots=True)
class Survey:
    """What one export holds."""

    head: Head
    sha256: str = ""
    rows: int = 0
    damages: list[str] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)
    lowest: int | None = None
    highest: int | None = None
    last_at: datetime | None = None
    rendered: bool | None = None
    cast: Cast = field(default_factory=lambda: Cast(in_guild=True))
    speakers: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    wanted: set[str] = field(default_factory=set)
    made: dict[str, str] = field(default_factory=dict)
    tables: Tables | None = None

    @property
    def exported_at(self) -> str:
        """When it was exported; where it does not say, the time of the last thing in it."""
        told = moment(self.head.roots.get("exportedAt")) or self.last_at
        return time_text(told or datetime.fromtimestamp(0, UTC)) or ""

    @property
    def claimed(self) -> int | None:
        """How many rows it says it holds; null where it does not say."""
        count = self.head.roots.get("messageCount")
        return count if isinstance(count, int) and not isinstance(count, bool) else None

    @property
    def is_whole(self) -> bool:
        """Whether nothing in the file itself speaks against it."""
        return not self.damages and self.claimed in {None, self.rows} and not self.lost

    def reach(self, number: int) -> None:
        """Widen the stretch of ids by one."""
        self.lowest = number if self.lowest is None else min(self.lowest, number)
        self.highest = number if self.highest is None else max(self.highest, number)

    def reply_speakers(self) -> dict[str, Object]:
        """Give the authors of messages that were replied to, by the message's id in raw."""
        found = {}
        for text in self.wanted & self.speakers.keys():
            person = self.speakers[text]
            if id_text(person.get("id")):
                key = text if is_snowflake(text) else self.made[text]
                found[key] = user(person, in_guild=self.cast.in_guild)
        return found


def read_head(path: Path) -> tuple[Head | None, str]:
    """
    Give what an export says of itself, or None and why it is no export.

    Stops at the first message if the channel was named before it, else reads on to the end.
    """
    roots: Object = {}
    has_rows = False
    reason = ""
    for found in walk(path):
        if isinstance(found, Root):
            if found.name in KEPT_ROOTS:
                roots[found.name] = found.value
            elif found.name == "messages":
                reason = reason or "its messages are no list"
        elif isinstance(found, Damage):
            reason = reason or found.reason
        else:
            has_rows = True
            if "channel" in roots:
                break
    head = Head(path, roots, has_rows)
    try:
        if head.channel_id is None:
            return None, reason or "it names no channel, so it is no export of one"
    except LostRow as error:
        return None, f"its channel: {error}; export again with ids as text"
    return head, reason


def survey(head: Head, tick: Callable[[int], None] = lambda count: None) -> Survey:
    """Read the whole export once; `tick` gets the bytes as they pass."""
    digest = sha256()

    def seen(block: bytes) -> None:
        digest.update(block)
        tick(len(block))

    found = Survey(head, cast=Cast(in_guild=head.guild_id is not None))
    roots: Object = {}
    strange: dict[str, datetime] = {}
    evidence = _Evidence()
    for part in walk(head.path, seen):
        if isinstance(part, Root):
            if part.name in KEPT_ROOTS or part.name in TABLES:
                roots[part.name] = part.value
        elif isinstance(part, Damage):
            found.damages.append(part.reason)
        else:
            _look(part, found, strange, evidence)
    found.head = Head(head.path, {**head.roots, **roots}, found.rows > 0)
    found.tables = _tables(roots)
    found.made = message_ids(strange)
    for number in map(int, found.made.values()):
        found.reach(number)
    found.rendered = evidence.verdict()
    found.sha256 = digest.hexdigest()
    if found.tables:
        _cast_from_tables(found)
    return found


@dataclass(slots=True)
class _Evidence:
    """Signs of raw or rendered text: the file does not say which it holds (2e.1)."""

    raw: bool = False
    rendered: bool = False

    def hear(self, row: Mapping[str, Any]) -> None:
        """Weigh one row; raw markup anywhere settles it."""
        text = row.get("content")
        if self.raw or not isinstance(text, str):
            return
        if "<" in text and RAW_MARKUP.search(text):
            self.raw = True
        elif "@" in text and not self.rendered:
            named = objects(row.get("mentions"))
            shown = {words(m.get(k)) for m in named for k in ("nickname", "name")} - {None}
            self.rendered = any(f"@{name}" in text for name in shown)

    def verdict(self) -> bool | None:
        """True: rendered; False: raw; None: cannot be told."""
        return False if self.raw else (True if self.rendered else None)


def _look(
    row: Mapping[str, Any], found: Survey, strange: dict[str, datetime], evidence: _Evidence
) -> None:
    found.rows += 1
    try:
        text = id_text(row.get("id"))
        at = sent_at(row)
        target = id_text(mapping(row.get("reference")).get("messageId"))
        author = row.get("author")
        if isinstance(author, Mapping):
            id_text(author.get("id"))
    except LostRow:
        return  # counted when the row is mapped
    if text is None:
        return
    edited = moment(row.get("timestampEdited"))
    found.last_at = max(filter(None, (found.last_at, at, edited)))
    if is_snowflake(text):
        found.reach(int(text))
    else:
        strange.setdefault(text, at)
    if target is not None:
        found.wanted.add(target)
    if isinstance(author, Mapping):
        known = found.cast.people.get(str(author.get("id")))
        # one object for all rows of a person, unless it is a webhook of many names
        found.speakers[text] = author if known is None or is_webhook(author) else known
        found.cast.see(author, spoke=True)
    elif "authorId" in row:
        found.speakers[text] = {"id": row["authorId"]}
    for person in objects(row.get("mentions")):
        found.cast.see(person)
    if isinstance(asked := row.get("interaction"), Mapping):
        found.cast.see(asked.get("user"))
    for reaction in objects(row.get("reactions")):
        for person in objects(reaction.get("users")):
            found.cast.see(person)
    evidence.hear(row)


def _tables(roots: Mapping[str, Any]) -> Tables | None:
    if not any(isinstance(roots.get(name), list) for name in TABLES):
        return None

    def by(name: str, key: str = "id") -> dict[str, Mapping[str, Any]]:
        return {str(row.get(key)): row for row in objects(roots.get(name))}

    roles = by("roles")
    members = by("members", "userId")
    users = {}
    for key, person in by("users").items():
        whole = {**person, **({"member": members.get(key)} if members else {})}
        worn = keys(whole, "roleIds") or keys(mapping(whole.get("member")), "roleIds")
        users[key] = {**whole, "roles": [roles.get(str(r), {"id": r}) for r in worn]}
    return Tables(users, by("emojis", "key"), by("stickers"), roles)


def _cast_from_tables(found: Survey) -> None:
    assert found.tables
    for person in found.tables.users.values():
        found.cast.see(person, spoke=True)
    for role in found.tables.roles.values():
        found.cast.roles.setdefault(str(role.get("id")), role)
    found.speakers = {
        text: found.tables.users.get(str(author.get("id")), author)
        for text, author in found.speakers.items()
    }
