"""Tags and metadata of a stored message, for both lanes (§8)."""

from functools import lru_cache
from typing import Any

from pipeline.chat.text import id_time, js_time
from pipeline.chat.wire.attachments import Attached
from pipeline.chat.wire.facts import Facts
from pipeline.chat.wire.profile import WireSettings
from pipeline.chat.wire.world import Room

Metadata = dict[str, Any]

OPEN_LANE = "channels/incoming"
CLOSED_LANE = "push/event"
FEATURE_SET = "discord.messaging"
KINDS = ("chat:has-image", "chat:has-audio", "chat:has-file")


def tags_of(
    facts: Facts, room: Room, attached: list[Attached], *, threads: bool
) -> tuple[str, ...]:
    """Give a message's tags in the adapter's order; `threads`: the profile tags them."""
    return _tags(
        facts.is_explicit_mention,
        facts.is_reply_to_bot,
        room.is_dm,
        facts.is_bot,
        threads and room.is_thread,
        frozenset(one.tag for one in attached) if attached else frozenset(),
    )


@lru_cache(maxsize=512)  # 2⁵ flags by 8 sets of kinds are all there are
def _tags(
    is_mention: bool,
    is_reply: bool,
    is_dm: bool,
    is_bot: bool,
    is_thread: bool,
    kinds: frozenset[str],
) -> tuple[str, ...]:
    is_addressed = is_mention or is_reply or is_dm
    return (
        *(("chat:mention",) if is_mention else ()),
        *(("chat:reply",) if is_reply else ()),
        *(("chat:dm", "chat:private") if is_dm else ()),
        "chat:addressed" if is_addressed else "chat:ambient",
        "chat:from-bot" if is_bot else "chat:from-human",
        *(("chat:thread",) if is_thread else ()),
        *(kind for kind in KINDS if kind in kinds),
    )


def handed_over(facts: Facts, room: Room, body: str, lane: str, *, under_parents: bool) -> Metadata:
    """Give the metadata as the adapter hands it to the host, without its envelope."""
    if lane == OPEN_LANE:
        return {
            "mentions": facts.mention_ids,
            **_reply(facts),
            **_place(room, under_parents=under_parents),
            "rawContent": body,
            **_flags(facts, room),
        }
    return {
        "source": "discord",
        "messageId": facts.message_id,
        "guildId": room.guild_id,
        "channelId": room.channel_id,
        "mcplChannelId": room.wire_id,
        **_place(room, under_parents=under_parents),
        "authorId": facts.author_id,
        "authorName": facts.author_name,
        **_reply(facts),
        **_flags(facts, room),
    }


def envelope_of(facts: Facts, room: Room, lane: str) -> Metadata:
    """Give what the adapter sends around the metadata: ids, and the time that the id holds."""
    timestamp = None if facts.message_id is None else js_time(id_time(facts.message_id))
    if lane == CLOSED_LANE:
        return {"timestamp": timestamp, "eventId": event_id(facts)}
    return {
        "channelId": room.wire_id,
        "messageId": facts.message_id,
        "author": {"id": facts.author_id, "name": facts.author_name},
        "timestamp": timestamp,
    }


def stored(
    facts: Facts,
    room: Room,
    body: str,
    lane: str,
    *,
    tags: tuple[str, ...],
    is_triggered: bool,
    settings: WireSettings,
) -> Metadata:
    """Give the metadata as the host stores it; Discord's time is not in it."""
    under_parents = settings.profile.names_parents
    metadata = handed_over(facts, room, body, lane, under_parents=under_parents)
    if lane == OPEN_LANE:
        metadata = {
            "channelId": room.wire_id,
            "messageId": facts.message_id,
            "author": {"id": facts.author_id, "name": facts.author_name},
            **metadata,
        }
    else:
        metadata["channelId"] = room.wire_id  # the host puts the composite for the raw id
        metadata["featureSet"] = FEATURE_SET
        metadata["eventId"] = event_id(facts)
    metadata["serverId"] = settings.server_id
    metadata["triggered"] = is_triggered
    metadata["tags"] = tags
    return metadata


def event_id(facts: Facts) -> str:
    """Name a pushed event by its message."""
    return f"discord_msg_{facts.message_id}"


def _reply(facts: Facts) -> Metadata:
    if facts.reply_to_id is None:
        return {}
    reply: Metadata = {"replyTo": facts.reply_to_id}
    if facts.reply_author_name is not None:
        reply["replyToAuthorId"] = facts.reply_author_id
        reply["replyToAuthorName"] = facts.reply_author_name
    return reply


def _place(room: Room, *, under_parents: bool) -> Metadata:
    if under_parents and room.is_thread:
        thread = room.name or room.channel_id
        return {
            "channelName": room.parent_name,
            "guildName": room.guild_name,
            "threadName": thread,
        }
    return {"channelName": room.name, "guildName": room.guild_name}


def _flags(facts: Facts, room: Room) -> Metadata:
    return {
        "isMention": facts.is_mention,
        "isExplicitMention": facts.is_explicit_mention,
        "isReplyToBot": facts.is_reply_to_bot,
        "isBot": facts.is_bot,
        "isDM": room.is_dm,
    }
