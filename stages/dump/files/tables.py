"""
Side tables out of an export: guild, room and its parent, roles, members, users.

What Discord itself said of an object stands above what an export shows. An older state
that comes late is put under the newer one, so that the last line still wins and the
history of names is whole (known-faults B022).
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pipeline.raw import Envelope, Raw
from stages.dump.files.people import Cast, user
from stages.dump.files.survey import Head, Survey
from stages.dump.files.terms import words

Object = dict[str, Any]
Key = tuple[str | None, str]
CATEGORY, TEXT_ROOM, NEWS_ROOM, NEWS_THREAD, DM, GROUP_DM = 4, 0, 5, 10, 1, 3


@dataclass(slots=True)
class Tables:
    """The side tables of raw while files are taken in; each is read once."""

    raw: Raw
    _latest: dict[str, dict[Key, Envelope]] = field(default_factory=dict)
    _past: set[tuple[str, Key, str]] = field(default_factory=set)  # older states told already
    _rooms: dict[str, Key] = field(default_factory=dict)

    def put(
        self, table: str, objects: Iterable[Object], guild_id: str | None, at: datetime
    ) -> None:
        """Append what is new or newer than what stands."""
        latest = self._table(table)
        self._rooms = {}
        fresh, under = [], []
        for item in objects:
            key = (guild_id, Envelope(guild_id, "", item).object_id)
            known = latest.get(key)
            if known is not None and _stands(known.object, item):
                continue
            if known is not None and known.object == item:
                continue
            late = known is not None and not _is_guess(known.object)
            if known is not None and late and datetime.fromisoformat(known.fetched_at) > at:
                if (past := (table, key, json.dumps(item))) not in self._past:
                    self._past.add(past)
                    under.append((item, known))
                continue
            fresh.append(item)
            latest[key] = Envelope(guild_id, at.isoformat(), item)
        if fresh:
            self.raw.append(table, fresh, guild_id=guild_id, now=at)
        for item, known in under:
            self.raw.append(table, [item], guild_id=guild_id, now=at)
            again = datetime.fromisoformat(known.fetched_at)
            self.raw.append(table, [known.object], guild_id=guild_id, now=again)

    def global_names(self) -> dict[str, str]:
        """Give the global names that raw knows, by user id."""
        return {
            user_id: str(envelope.object["global_name"])
            for (_, user_id), envelope in self._table("users").items()
            if envelope.object.get("global_name")
        }

    def room(self, channel_id: str) -> tuple[Mapping[str, Any], str | None]:
        """Give what is known of a channel, empty if nothing is, and its guild."""
        if not self._rooms:
            self._rooms = {own: (guild_id, own) for guild_id, own in self._table("channels")}
        key = self._rooms.get(channel_id)
        return ({}, None) if key is None else (self._table("channels")[key].object, key[0])

    def forget(self) -> None:
        """Read the tables anew when they are asked for, as others wrote to them."""
        self._latest, self._rooms = {}, {}

    def _table(self, table: str) -> dict[Key, Envelope]:
        if table not in self._latest:
            self._latest[table] = self.raw.envelopes(table)
        return self._latest[table]


def put_export(tables: Tables, found: Survey) -> None:
    """Put in everything that one export tells beside its messages."""
    head, cast = found.head, found.cast
    guild_id, at = head.guild_id, datetime.fromisoformat(found.exported_at)
    if guild_id is not None:
        tables.put("guilds", [guild_object(head)], guild_id, at)
        tables.put("roles", cast.role_objects(guild_id), guild_id, at)
    tables.put("channels", [*above(head), channel_object(head, cast)], guild_id, at)
    global_names = tables.global_names()
    tables.put("users", cast.users(global_names), None, at)
    if guild_id is not None:
        tables.put("members", cast.members(global_names), guild_id, at)


def guild_object(head: Head) -> Object:
    """Give the guild as far as an export knows it: neither owner nor what roles allow."""
    return {
        "id": head.guild_id,
        "name": words(head.guild.get("name")) or "",
        "icon": None,
        "dce": {"row": head.guild},
    }


def channel_object(head: Head, cast: Cast) -> Object:
    """Give the room as far as an export knows it: not who may view it."""
    found: Object = {"id": head.channel_id, "type": head.channel_type}
    if head.guild_id is not None:
        found |= {"guild_id": head.guild_id, "parent_id": head.parent_id}
    if head.channel_type in {DM, GROUP_DM}:
        found["recipients"] = recipients(head, cast)
    if head.channel_type != DM:
        found["name"] = words(head.channel.get("name")) or ""
    found["topic"] = words(head.channel.get("topic"))
    return {**found, "dce": {"row": head.channel}}


def recipients(head: Head, cast: Cast) -> list[Object]:
    """
    Give the people of a DM: those whose names the room's name is made of, else who spoke.

    The export lists nobody; the room is called by the people other than the exporting account.
    """
    called = {part.strip() for part in str(head.channel.get("name") or "").split(",")}
    people = [cast.people[key] for key in cast.authors]
    named = [p for p in people if {words(p.get("nickname")), words(p.get("name"))} & called]
    meant = named or [p for p in people if p.get("isBot") is not True]
    return sorted((user(p, in_guild=False) for p in meant), key=lambda one: int(one["id"]))


def above(head: Head) -> list[Object]:
    """
    Give what stands above a room: its category, or the room under which a thread hangs.

    Of a thread's parent an export has id and name only, so its type is a guess, which any
    better word replaces.
    """
    if head.guild_id is None or head.parent_id is None:
        return []
    kind = CATEGORY
    if head.is_thread:
        kind = NEWS_ROOM if head.channel_type == NEWS_THREAD else TEXT_ROOM
    found: Object = {"id": head.parent_id, "type": kind, "guild_id": head.guild_id}
    return [{**found, "name": words(head.channel.get("category")) or "", "dce": {"guess": True}}]


def _is_guess(item: Mapping[str, Any]) -> bool:
    told = item.get("dce")
    return isinstance(told, Mapping) and told.get("guess") is True


def _stands(known: Mapping[str, Any], item: Mapping[str, Any]) -> bool:
    """Say whether what is known outranks a new word about it, whenever that was said."""
    return "dce" not in known or (_is_guess(item) and not _is_guess(known))
