"""One item of the agent's store while it is made: the raw messages of it, and what they become."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from stages.curate.surroundings import Place

Object = Mapping[str, Any]

USER = "user"


class Entry(msgspec.Struct):
    """One item of the store before it has a position."""

    item_id: str
    kind: str
    participant: str
    is_self: bool
    addressed: bool
    sent_ms: int
    place: Place
    blocks: list[dict[str, Any]]
    body: str
    metadata: dict[str, Any]
    message_ids: list[str] = msgspec.field(default_factory=list)
    author_id: str | None = None
    author_name: str | None = None
    reply_to_id: str | None = None
    edited_at: str | None = None
    absent_since: str | None = None


@dataclass(frozen=True, slots=True)
class Bundle:
    """The raw messages of one item to be, all in one room and in order."""

    messages: Sequence[Object]
    place: Place
    sent_ms: int
    is_self: bool
    addressed: bool
    is_folded: bool = False
