"""
A message of the history as the store would hold it, had it arrived live.

This is the path that a whole import takes: a plain message costs a few look-ups and no regular
expression.
"""

from collections.abc import Mapping

import msgspec

from pipeline.chat.wire.attachments import Block, Outcomes, attached_of, attachment_blocks
from pipeline.chat.wire.body import body_of
from pipeline.chat.wire.facts import Facts, facts_of
from pipeline.chat.wire.metadata import CLOSED_LANE, OPEN_LANE, Metadata, stored, tags_of
from pipeline.chat.wire.profile import WireSettings
from pipeline.chat.wire.source import source_line, unimitated
from pipeline.chat.wire.world import Object, Room, World

NOT_KEPT: Outcomes = {}


class Item(msgspec.Struct, frozen=True):
    """One stored item: what the agent reads, and what the host notes beside it."""

    room: Room
    facts: Facts
    blocks: list[Block]  # {"type": "text", "text"} | {"type": "image", "attachment_id", …}
    body: str  # the cleaned content alone
    metadata: Metadata
    tags: tuple[str, ...]
    lane: str
    is_addressed: bool
    last_channel_id: str  # the room tracker after it

    @property
    def text(self) -> str:
        """All text blocks joined by a newline."""
        return joined(self.blocks)


def message_item(
    message: Object,
    world: World,
    settings: WireSettings,
    last_channel_id: str | None,
    outcomes: Outcomes = NOT_KEPT,
    *,
    prefix: str = "",
    lane: str | None = None,
    is_triggered: bool | None = None,
) -> Item:
    """
    Render one raw message; `last_channel_id` is the room tracker before it (§2.2).

    Nobody's message is dropped here: what becomes an item is the caller's choice. Rooms take the
    open lane and DMs the closed one unless `lane` says otherwise; what is addressed has triggered
    unless `is_triggered` says otherwise. `prefix` is that of a first DM (§2.1).
    """
    room = world.room_of(message)
    facts = facts_of(message, world)
    strip = settings.strip_signed_links
    body = body_of(message, world, room, strip_signed=strip)
    line = message_line(facts, room, body, last_channel_id, settings)
    blocks: list[Block] = [{"type": "text", "text": prefix + line if prefix else line}]
    attached = []
    if message.get("attachments") or message.get("message_snapshots"):
        attached = attached_of(message, strip_signed=strip)
        blocks += attachment_blocks(attached, outcomes, settings)
    tags = tags_of(facts, room, attached, threads=settings.profile.names_parents)
    lane = lane or (CLOSED_LANE if room.is_dm else OPEN_LANE)
    is_addressed = facts.is_explicit_mention or facts.is_reply_to_bot or room.is_dm
    metadata = stored(
        facts,
        room,
        body,
        lane,
        tags=tags,
        is_triggered=is_addressed if is_triggered is None else is_triggered,
        settings=settings,
    )
    if settings.profile.names_sources:
        blocks = sourced(blocks, metadata, room, facts, settings)
    return Item(room, facts, blocks, body, metadata, tags, lane, is_addressed, room.channel_id)


def message_line(
    facts: Facts,
    room: Room,
    body: str,
    last_channel_id: str | None,
    settings: WireSettings,
) -> str:
    """Give the visible line: reply marker, location at a change of room, username, body."""
    return f"{message_head(facts, room, last_channel_id, settings)}{facts.author_name}: {body}"


def message_head(
    facts: Facts, room: Room, last_channel_id: str | None, settings: WireSettings
) -> str:
    """Give what stands before the author: the marker on its own line, then the location."""
    head = ""
    if room.channel_id != last_channel_id:
        head = room.parent_location if settings.profile.names_parents else room.location
    if facts.reply_to_id is None:
        return head
    if facts.reply_author_name is None:
        return f"[replying to unknown author]\n{head}"
    return f"[replying to @{facts.reply_author_name}]\n{head}"


def sourced(
    blocks: list[Block], metadata: Metadata, room: Room, facts: Facts, settings: WireSettings
) -> list[Block]:
    """Put the host's source block first, guard the others, and note the line in the metadata."""
    line = source_line(settings.server_id, room.wire_id, room.label, reply_to_id=facts.reply_to_id)
    metadata["sourceHeader"] = line
    return [{"type": "text", "text": line}, *map(_guarded, blocks)]


def _guarded(block: Block) -> Block:
    return {**block, "text": unimitated(block["text"])} if block["type"] == "text" else block


def joined(blocks: list[Block]) -> str:
    """Join the text blocks by a newline; images have no text (§1)."""
    if len(blocks) == 1:
        text: str = blocks[0]["text"]
        return text
    return "\n".join(block["text"] for block in blocks if block["type"] == "text")


def invited(item: Item, text: str, metadata: Mapping[str, object]) -> Item:
    """Add an invitation block to an item, with what the host notes about it (§5.7)."""
    return msgspec.structs.replace(
        item,
        blocks=[*item.blocks, {"type": "text", "text": text}],
        metadata={**item.metadata, **metadata},
    )
