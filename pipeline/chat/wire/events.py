"""Reactions, edits and deletes: items without a location that leave the room tracker alone (§5)."""

from typing import Any

import msgspec

from pipeline.chat.text import one_spaced, text_id, utf16_cut, utf16_length, whole
from pipeline.chat.wire.body import body_of
from pipeline.chat.wire.facts import is_self
from pipeline.chat.wire.metadata import CLOSED_LANE
from pipeline.chat.wire.profile import Profile
from pipeline.chat.wire.world import Object, World, username_of

SNIPPET_UNITS = 80


class Event(msgspec.Struct, frozen=True):
    """An item that a live event made."""

    text: str
    tags: tuple[str, ...] = ()
    metadata: dict[str, Any] = msgspec.field(default_factory=dict)
    lane: str = CLOSED_LANE


def edit_event(channel_id: str, content: str, author_name: str | None, profile: Profile) -> Event:
    """Tell an edit; the new text is raw, its mentions unresolved (§5.3, §5.4)."""
    metadata = {"source": "discord", "channelId": channel_id}
    if not profile.names_editors:
        return Event(f"[message edited] {content}", (), metadata)
    author = f"{author_name}: " if author_name else ""
    return Event(f"[message edited] {author}{content}", ("chat:edited",), metadata)


def is_real_edit(before: Object | None, after: Object) -> bool:
    """Tell a changed text from a link preview that loaded; only 2026-08 passed those on too."""
    if not after.get("edited_timestamp"):
        return False
    return before is None or before.get("content") != after.get("content")


def coalesced_edit(head: str, author_name: str, clean_content: str) -> Event:
    """Give the item that takes an unread create's place; `head` is the create's own (§5.4)."""
    return Event(f"{head}{author_name}: {clean_content} [edited]", ("chat:edited",))


def delete_event(
    channel_id: str, message_id: str, author_name: str | None, profile: Profile
) -> Event:
    """Tell a deletion by the message's id."""
    metadata = {"source": "discord", "channelId": channel_id}
    if not profile.names_editors:
        return Event(f"[message deleted] {message_id}", (), metadata)
    author = f" by @{author_name}" if author_name else ""
    return Event(f"[message deleted] {message_id}{author}", ("chat:deleted",), metadata)


def reaction_event(
    event: Object, message: Object, world: World, *, is_removal: bool = False
) -> Event | None:
    """
    Tell a reaction on `message`; None for the agent's own (§5.1).

    `event` is the gateway's: `user_id`, `emoji`, `member` where the guild sent it.
    """
    user_id = text_id(event.get("user_id"))
    if user_id in world.self_ids:
        return None
    user = (event.get("member") or {}).get("user")
    name = username_of(user) if user else world.usernames.get(user_id, user_id)
    room = world.room_of(message)
    message_id = text_id(message.get("id"))
    on_own = is_self(message, world)
    target = "your message" if on_own else f"message {message_id}"
    snippet = snippet_of(message, world)
    emoji = event.get("emoji") or {}
    shown = emoji_text(emoji)
    verb = "removed a reaction" if is_removal else "reacted"
    said = f' — "{snippet}"' if snippet else ""
    return Event(
        f"[reaction] @{name} {verb} {shown} on {target}{said}",
        ("chat:reaction-remove" if is_removal else "chat:reaction",),
        {
            "source": "discord",
            "channelId": room.channel_id,
            "messageId": message_id,
            "guildId": room.guild_id,
            "reactorId": user_id,
            "reactorName": name,
            "emoji": shown,
            "emojiToken": emoji_token(emoji),
            "onOwnMessage": on_own,
            "action": "remove" if is_removal else "add",
        },
    )


def snippet_of(message: Object, world: World) -> str:
    """Give a message's clean text on one line, at most 80 UTF-16 units, the last an ellipsis."""
    text = one_spaced(body_of(message, world, world.room_of(message)))
    if utf16_length(text) <= SNIPPET_UNITS:
        return text
    return f"{utf16_cut(text, SNIPPET_UNITS - 1)}…"


def emoji_text(emoji: Object) -> str:
    """Show an emoji: itself, or `:name:`; a removed one by its id, else `unknown`."""
    name, emoji_id = emoji.get("name"), emoji.get("id")
    if emoji_id is None:
        return whole(name) if name else "unknown"
    return f":{whole(name) if name else text_id(emoji_id)}:"


def emoji_token(emoji: Object) -> str:
    """Write an emoji as Discord's text does."""
    emoji_id = emoji.get("id")
    if emoji_id is None:
        return emoji_text(emoji)
    return f"<{'a' if emoji.get('animated') else ''}{emoji_text(emoji)}{text_id(emoji_id)}>"
