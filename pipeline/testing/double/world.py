"""A corpus folder as a world that can be asked, and that can change while it is asked."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline.errors import SourceError
from pipeline.testing.double import rights
from pipeline.testing.double.shelf import Shelf
from pipeline.testing.double.times import iso, made_at, snowflake

# The flags of an application in fewer than 100 guilds with all three privileged intents on.
ALL_INTENTS = 1 << 13 | 1 << 15 | 1 << 19
FORUM_KINDS = {15, 16}
Object = dict[str, Any]


class World:
    """
    Everything that the double knows: guilds, channels, threads, people, messages.

    Objects are those of the corpus; keys that Discord would not send (`member_ids` of a
    thread) are taken out where they leave, in `sendable`.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self.clock = clock
        self.skew_seconds = 0.0
        self.lock = threading.RLock()  # held while an answer is made and while a test changes
        corpus = _read(folder)
        self.me: Object = {"avatar": None, "discriminator": "0", **corpus["self"]}
        self.application: Object = corpus.get("application") or {}
        self.application.setdefault("flags", ALL_INTENTS)
        self.guilds: dict[str, Object] = {g["id"]: g for g in corpus.get("guilds", [])}
        self.dms: dict[str, Object] = {d["id"]: d for d in corpus.get("dms", [])}
        self.users: dict[str, Object] = {u["id"]: u for u in corpus.get("users", [])}
        self.pins: dict[str, list[Object]] = corpus.get("pins", {})
        self.reactors: dict[str, dict[str, list[str]]] = corpus.get("reactors", {})
        self.voters: dict[str, dict[str, list[str]]] = corpus.get("voters", {})
        self._shelves: dict[str, Shelf] = {}
        self._members: dict[str, dict[str, Object]] = {}

    def now(self) -> float:
        """Give the double's time in epoch seconds; a test moves it by `skew_seconds`."""
        return self.clock() + self.skew_seconds

    # Places

    def channel(self, channel_id: str) -> tuple[Object, Object | None] | None:
        """Find a channel, thread or DM with its guild (None for a DM)."""
        if dm := self.dms.get(channel_id):
            return dm, None
        for guild in self.guilds.values():
            for found in (*guild.get("channels", []), *guild.get("threads", [])):
                if found["id"] == channel_id:
                    return found, guild
        return None

    def parent(self, thread: Object, guild: Object) -> Object:
        """Give the channel that a thread hangs under."""
        for channel in guild.get("channels", []):
            if channel["id"] == thread.get("parent_id"):
                return dict(channel)
        raise SourceError(f"corpus: thread {thread['id']} has no parent {thread.get('parent_id')}")

    def member(self, guild: Object, user_id: str) -> Object | None:
        """Find a member; kept by id, for a large guild is asked at every page."""
        members = guild.get("members", [])
        known = self._members.get(guild["id"])
        if known is None or len(known) != len(members):
            known = {member["user"]["id"]: member for member in members}
            self._members[guild["id"]] = known
        return known.get(user_id)

    def my_roles(self, guild: Object) -> list[str]:
        """Give the ids of the bot's own roles; a corpus need not list it as a member."""
        me = self.member(guild, self.me["id"])
        return list(me.get("roles", [])) if me else []

    def my_rights(self, channel: Object, guild: Object) -> int:
        """Give the bot's rights in a channel, or in the parent of a thread."""
        if channel["type"] in rights.THREAD_KINDS:
            channel = self.parent(channel, guild)
        return rights.channel_rights(guild, channel, self.me["id"], self.my_roles(guild))

    def i_see(self, channel: Object, guild: Object) -> bool:
        """Say whether the bot sees a channel or thread."""
        held = self.my_rights(channel, guild)
        if channel["type"] in rights.THREAD_KINDS:
            return rights.may_see_thread(held, channel, self.me["id"])
        return bool(held & rights.VIEW_CHANNEL)

    # People

    def user(self, user_id: str) -> Object | None:
        """Find a user among self, the listed, the members and the DMs."""
        if user_id == self.me["id"]:
            return self.me
        if found := self.users.get(user_id):
            return found
        for guild in self.guilds.values():
            if member := self.member(guild, user_id):
                return dict(member["user"])
        recipients = (r for dm in self.dms.values() for r in dm.get("recipients", []))
        return next((user for user in recipients if user["id"] == user_id), None)

    # Messages

    def shelf(self, channel_id: str) -> Shelf:
        """Give a channel's messages; they are indexed when first asked for."""
        if channel_id not in self._shelves:
            path = self.folder / "messages" / f"{channel_id}.jsonl"
            self._shelves[channel_id] = Shelf(path)
        return self._shelves[channel_id]

    def add_message(self, channel_id: str, **given: Any) -> Object:
        """
        Post a message now, filling what is not given, and give it back.

        The id is made from the double's time and lies above all that the channel holds; the
        channel's `last_message_id` follows; an archived thread wakes, as on Discord.
        """
        with self.lock:
            place = self._known(channel_id)[0]
            shelf = self.shelf(channel_id)
            fresh = max([snowflake(self.now()), *(i + 1 for i in shelf.ids[-1:])])
            number = int(given.get("id") or fresh)
            message = _filled(number, channel_id, self.me, given)
            shelf.put(message)
            place["last_message_id"] = str(max(number, int(place.get("last_message_id") or 0)))
            if place["type"] in rights.THREAD_KINDS:
                for key in ("message_count", "total_message_sent"):
                    place[key] = place.get(key, 0) + 1
                if place["thread_metadata"]["archived"]:
                    self.archive_thread(channel_id, archived=False)
            return message

    def edit_message(self, channel_id: str, message_id: str, **changes: Any) -> Object:
        """Change a message; `edited_timestamp` is now unless given. Replies show the new text."""
        with self.lock:
            edited = {"edited_timestamp": iso(self.now()), **changes}
            message = {**self.shelf(channel_id).message(int(message_id)), **edited}
            self.shelf(channel_id).put(message)
            self._tell_replies(message_id, _without(message, "referenced_message"))
            return message

    def delete_message(self, channel_id: str, message_id: str) -> None:
        """Delete a message; `last_message_id` keeps pointing at it, replies hold null."""
        with self.lock:
            self.shelf(channel_id).remove(int(message_id))
            self._tell_replies(message_id, None)

    def _tell_replies(self, message_id: str, target: Object | None) -> None:
        for channel_id in self.channel_ids():
            shelf = self.shelf(channel_id)
            for number in shelf.naming(f'"{message_id}"'):
                reply = shelf.message(number)
                named = (reply.get("message_reference") or {}).get("message_id")
                if named == message_id and "referenced_message" in reply:
                    shelf.put({**reply, "referenced_message": target})

    def channel_ids(self) -> list[str]:
        """List every channel, thread and DM."""
        ids = list(self.dms)
        for guild in self.guilds.values():
            ids += [c["id"] for c in (*guild.get("channels", []), *guild.get("threads", []))]
        return ids

    # Threads

    def archive_thread(self, thread_id: str, *, archived: bool = True) -> None:
        """Archive a thread now, or wake it; either moves its archive time."""
        with self.lock:
            metadata = self._known(thread_id)[0]["thread_metadata"]
            metadata.update(archived=archived, archive_timestamp=iso(self.now()))

    def add_thread(self, parent_id: str, thread: Object) -> Object:
        """Hang a new thread under a channel; `thread` needs `id` and `name`."""
        with self.lock:
            parent, guild = self._known(parent_id)
            if guild is None:
                raise SourceError(f"corpus: {parent_id} is a DM, and DMs have no threads")
            fresh = {"archived": False, "archive_timestamp": iso(self.now()), "locked": False,
                     "auto_archive_duration": 1440}  # fmt: skip
            made: Object = {
                "type": 10 if parent["type"] == 5 else 11, "last_message_id": None,
                "message_count": 0, "member_count": 1, "total_message_sent": 0,
                "owner_id": self.me["id"], "thread_metadata": fresh, **thread,
                "parent_id": parent_id, "guild_id": guild["id"],
            }  # fmt: skip
            guild.setdefault("threads", []).append(made)
            if parent["type"] in FORUM_KINDS:
                parent["last_message_id"] = made["id"]  # a forum's newest post, not a message
            return made

    def open_dm(self, user_id: str) -> Object:
        """Give the DM with a user, opening one if there is none."""
        with self.lock:
            for dm in self.dms.values():
                if any(r["id"] == user_id for r in dm.get("recipients", [])):
                    return dm
            user = self.user(user_id)
            if user is None:
                raise SourceError(f"corpus: no user {user_id}; a DM needs one")
            made = str(snowflake(self.now()))
            self.dms[made] = {"id": made, "type": 1, "recipients": [user], "last_message_id": None}
            return self.dms[made]

    def _known(self, channel_id: str) -> tuple[Object, Object | None]:
        if found := self.channel(channel_id):
            return found
        raise SourceError(f"corpus: no channel {channel_id}; it has {len(self.channel_ids())}")

    def close(self) -> None:
        """Let the mapped files go."""
        for shelf in self._shelves.values():
            shelf.close()


def _filled(number: int, channel_id: str, author: Object, given: Object) -> Object:
    return {
        "type": 0, "content": "", "mentions": [], "mention_roles": [], "mention_everyone": False,
        "attachments": [], "embeds": [], "timestamp": iso(made_at(number)),
        "edited_timestamp": None, "flags": 0, "components": [], "author": author,
        "pinned": False, "tts": False, **given, "id": str(number), "channel_id": channel_id,
    }  # fmt: skip


def _without(given: Object, key: str) -> Object:
    return {k: v for k, v in given.items() if k != key}


def sendable(channel: Object, guild: Object | None = None) -> Object:
    """Give a channel or thread as Discord sends it: without the corpus's own keys."""
    sent = _without(channel, "member_ids")
    if guild is not None:
        sent.setdefault("guild_id", guild["id"])
    return sent


def _read(folder: Path) -> Object:
    path = folder / "guild.json"
    try:
        corpus: Object = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise SourceError(f"{folder}: no guild.json in it; a corpus folder has one") from None
    except json.JSONDecodeError as error:
        raise SourceError(f"{path}: not JSON ({error}); write it anew") from None
    if "self" not in corpus:
        raise SourceError(f"{path}: has no `self`; it says who the bot is")
    return corpus
