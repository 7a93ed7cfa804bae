"""
The adapter's ears: which messages become items, and what moves the room tracker (§1, §2.2).

An import decides by its own table what was perceived; this is the rule that held live.
"""

from collections.abc import Sequence
from datetime import tzinfo

import msgspec

from pipeline.chat.text import text_id
from pipeline.chat.wire.attachments import Outcomes
from pipeline.chat.wire.body import NO_OP, body_of
from pipeline.chat.wire.facts import facts_of, is_self
from pipeline.chat.wire.history import NOT_KEPT, Item, message_item
from pipeline.chat.wire.metadata import CLOSED_LANE, OPEN_LANE
from pipeline.chat.wire.profile import WireSettings
from pipeline.chat.wire.transcripts import Line, dm_prefix
from pipeline.chat.wire.world import Object, Room, World

SEND_TOOLS = frozenset({"send_message", "reply_message", "send_dm"})


class Ears(msgspec.Struct, frozen=True):
    """What the adapter remembers between two messages."""

    last_channel_id: str | None = None
    seen_dm_ids: frozenset[str] = frozenset()
    open_ids: frozenset[str] | None = None  # None: every guild room and no DM
    muted_ids: frozenset[str] = frozenset()

    def hears(self, room: Room) -> bool:
        """Tell whether a room is open."""
        return (not room.is_dm) if self.open_ids is None else room.channel_id in self.open_ids


def why_unheard(message: Object, world: World, ears: Ears) -> str | None:
    """Say why a message becomes no item; None: it becomes one."""
    if is_self(message, world):
        return "the agent's own"
    room = world.room_of(message)
    if body_of(message, world, room).startswith(NO_OP):
        return "begins with the no-op words"
    if room.channel_id in ears.muted_ids:
        return "its room is muted"
    if room.is_dm or ears.hears(room) or facts_of(message, world).is_mention:
        return None
    return "not addressed, and its room is not open"


def hear(
    message: Object,
    world: World,
    settings: WireSettings,
    ears: Ears,
    outcomes: Outcomes = NOT_KEPT,
    *,
    earlier: Sequence[Line] = (),
    zone: tzinfo | None = None,
) -> tuple[Item | None, Ears]:
    """
    Give the item that a live message becomes, or None, and what the adapter then remembers.

    `earlier` are the lines that a first DM brings, in the adapter's time `zone`.
    """
    if why_unheard(message, world, ears):
        return None, ears
    room = world.room_of(message)
    prefix = ""
    if room.is_dm and room.channel_id not in ears.seen_dm_ids:
        facts = facts_of(message, world)
        prefix = dm_prefix(facts.author_name, facts.author_id or "", earlier, zone)
        ears = msgspec.structs.replace(ears, seen_dm_ids=ears.seen_dm_ids | {room.channel_id})
    item = message_item(
        message,
        world,
        settings,
        ears.last_channel_id,
        outcomes,
        prefix=prefix,
        lane=OPEN_LANE if ears.hears(room) else CLOSED_LANE,
    )
    return item, msgspec.structs.replace(ears, last_channel_id=item.last_channel_id)


def after_tool_call(ears: Ears, tool: str, channel_id: object) -> Ears:
    """Move the tracker to where a successful send tool spoke; plain speech never moves it."""
    if tool not in SEND_TOOLS:
        return ears
    return msgspec.structs.replace(ears, last_channel_id=text_id(channel_id))
