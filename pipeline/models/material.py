"""What a model that quotes is given: the talk of one chunk, or the memories under a merge."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, tzinfo
from typing import Any

TALK = frozenset({"message", "turn"})  # kinds of items that somebody said
NOBODY = "someone"


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message or turn: who said it, where, and when in local time (aware of its zone)."""

    author: str
    text: str
    at: datetime
    room: str
    is_self: bool = False
    is_private: bool = False


@dataclass(frozen=True, slots=True)
class Material:
    """
    The stretch to remember: what was spoken, oldest first, or the children's texts, oldest first.

    Notices (receipts, routing) and blank items are left out by whoever gathers it.
    `target_characters` is an upper limit; the model may have a tighter one of its own.
    """

    spoken: tuple[Spoken, ...] = ()
    memories: tuple[str, ...] = ()
    target_characters: int | None = None

    def content(self) -> Mapping[str, Any]:
        """Give the material as JSON values, for the digest of the request that carries it."""
        return {
            "spoken": [{**asdict(s), "at": s.at.isoformat()} for s in self.spoken],
            "memories": list(self.memories),
            "target_characters": self.target_characters,
        }


def talk_of(
    rows: Iterable[Mapping[str, Any]],
    rooms: Mapping[str, str],
    zone: tzinfo,
    target_characters: int | None = None,
) -> Material:
    """
    Gather the talk of a chunk from its rows of the transcript, in store order.

    `rooms` names channels by id as a reader knows them ("#general", "DM with mara"). Notices and
    items without words are left out.
    """
    spoken = tuple(
        Spoken(
            author=row["author_name"] or NOBODY,
            text=row["body"],
            at=row["sent_at"].astimezone(zone),
            room=rooms.get(row["channel_id"], row["channel_id"]),
            is_self=row["is_self"],
            is_private=row["is_private"],
        )
        for row in rows
        if row["kind"] in TALK and row["body"].strip()
    )
    return Material(spoken, target_characters=target_characters)
