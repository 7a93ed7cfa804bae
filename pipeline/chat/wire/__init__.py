"""
How the agent perceives Discord, to the byte.

Everything is a pure function of raw API objects, a `World` of names, and what came of fetches.
The history needs `build_world`, `message_item`, `own_turn` and `delivery_receipt`; the rest is
what else a live agent sees.
"""

from pipeline.chat.wire.attachments import (
    FetchFailed,
    KeptImage,
    KeptText,
    NotUsable,
    Outcome,
    Outcomes,
)
from pipeline.chat.wire.body import NO_OP, body_of
from pipeline.chat.wire.facts import facts_of, is_self, reply_target
from pipeline.chat.wire.history import Item, invited, message_item
from pipeline.chat.wire.notices import (
    ROUTINGS,
    Destination,
    Notice,
    channel_opened,
    delivery_receipt,
    destination_of,
    routing_notice,
)
from pipeline.chat.wire.own import OwnWords, Turn, own_turn, own_words, target_of
from pipeline.chat.wire.profile import DEFAULT_MONTH, PROFILES, Profile, WireSettings, profile_of
from pipeline.chat.wire.world import Room, World, build_world

__all__ = [
    "DEFAULT_MONTH",
    "NO_OP",
    "PROFILES",
    "ROUTINGS",
    "Destination",
    "FetchFailed",
    "Item",
    "KeptImage",
    "KeptText",
    "NotUsable",
    "Notice",
    "Outcome",
    "Outcomes",
    "OwnWords",
    "Profile",
    "Room",
    "Turn",
    "WireSettings",
    "World",
    "body_of",
    "build_world",
    "channel_opened",
    "delivery_receipt",
    "destination_of",
    "facts_of",
    "invited",
    "is_self",
    "message_item",
    "own_turn",
    "own_words",
    "profile_of",
    "reply_target",
    "routing_notice",
    "target_of",
]
