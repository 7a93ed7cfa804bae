"""
Write the items of the agent's store, one after the other, as it would have read them live.

The scribe remembers what a live adapter and host remember between two messages: the room of the
last message, where speech was last said to land, which rooms are open, when the clock was shown.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from pipeline.chat.wire import (
    Destination,
    Notice,
    Outcome,
    Room,
    WireSettings,
    channel_opened,
    delivery_receipt,
    destination_of,
    invited,
    message_item,
    own_turn,
    reply_target,
    routing_notice,
    target_of,
)
from pipeline.chat.wire.history import NOT_KEPT
from pipeline.chat.wire.invitation import invitation, invitation_metadata
from pipeline.chat.wire.metadata import CLOSED_LANE
from pipeline.chat.wire.transcripts import dm_prefix
from pipeline.chat.wire.world import username_of
from pipeline.errors import SourceError
from stages.curate.entry import USER, Bundle, Entry, Object
from stages.curate.judge import EMPTY, UNREADABLE
from stages.curate.knobs import CurateKnobs, Rewrite
from stages.curate.notices import clock_text, notice_entry
from stages.curate.surroundings import Place, Surroundings

COMMAND_ANSWERS = (20, 23)
SKIP_REPLY = ">>skip_reply"
ENVELOPE = re.compile(r">>\S")
# What a part of the wrong kind makes of code that reads Discord's objects as they are documented.
ODD = (AttributeError, KeyError, TypeError, ValueError, SourceError)
CLOCK_EVERY = timedelta(hours=1)


@dataclass(slots=True)
class Scribe:
    """Turns bundles into entries; `left_out` and `counts` say what became of the rest."""

    agent_name: str
    zone: ZoneInfo
    knobs: CurateKnobs
    routing: str
    settings: WireSettings
    around: Surroundings
    left_out: list[tuple[Bundle, str]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    rewritten: Counter[str] = field(default_factory=Counter)
    last_channel_id: str | None = None
    announced: Destination | None = None
    open_rooms: set[str] = field(default_factory=set)
    known_dms: set[str] = field(default_factory=set)
    heard_since: dict[str, bool] = field(default_factory=dict)
    clock_at: datetime | None = None
    receipts: dict[str, Notice | None] = field(default_factory=dict)

    def write(self, bundle: Bundle) -> list[Entry]:
        """
        Give the entries of one bundle: the item itself and the notices around it.

        Messages with something odd deep inside, which no column showed, are left out.
        """
        try:
            return self._own(bundle) if bundle.is_self else self._heard(bundle)
        except ODD:
            odd = [message for message in bundle.messages if self._is_odd(message)]
            odd = odd or list(bundle.messages)
            self.left_out.append((replace(bundle, messages=odd), UNREADABLE))
            sound = [message for message in bundle.messages if message not in odd]
            return self.write(replace(bundle, messages=sound)) if sound else []

    def _is_odd(self, message: Object) -> bool:
        """Say whether a message of the agent's own cannot be written even alone."""
        try:
            own_turn([message], self.around.world, self.settings)
        except ODD:
            return True
        return False

    def _heard(self, bundle: Bundle) -> list[Entry]:
        """Give a message by somebody else, with its clock line."""
        message, place = bundle.messages[0], bundle.place
        is_closed = self.knobs.invitations and place.channel_id not in self.open_rooms
        is_invited = is_closed and bundle.addressed
        item = message_item(
            message,
            self.around.world,
            self.settings,
            self.last_channel_id,
            self._outcomes(message) if _carries(message) else NOT_KEPT,
            prefix=self._prefix(message, place),
            lane=CLOSED_LANE if is_invited else None,
            is_triggered=bundle.addressed,
        )
        message_id = str(message["id"])
        if is_invited:
            item = invited(
                item,
                invitation(
                    item.room,
                    item.facts.author_name,
                    message_id,
                    server_id=self.settings.server_id,
                ),
                invitation_metadata(item.room, message_id),
            )
        self.last_channel_id = item.last_channel_id
        self.heard_since[place.channel_id] = True
        entry = Entry(
            item_id=message_id,
            kind="message",
            participant=USER,
            is_self=False,
            addressed=bundle.addressed,
            sent_ms=bundle.sent_ms,
            place=place,
            blocks=item.blocks,
            body=item.body,
            metadata=item.metadata,
            message_ids=[message_id],
            author_id=item.facts.author_id,
            author_name=item.facts.author_name,
            reply_to_id=item.facts.reply_to_id,
            edited_at=message.get("edited_timestamp"),
            absent_since=self._absence(place, [message_id]),
        )
        if self.knobs.clock == "none":
            return [entry]
        return [*self._clock(bundle, message_id), entry]

    def _own(self, bundle: Bundle) -> list[Entry]:
        """Give a turn of the agent's own, with what the host says before and after it."""
        place, first = bundle.place, bundle.messages[0]
        turn = own_turn(bundle.messages, self.around.world, self.settings)
        body, habit = self._rewrite(turn.body, turn.message_ids)
        self.counts["unknown components"] += turn.unknown_components
        self.counts["attachments of its own"] += len(turn.attached)
        if not body.strip() and not bundle.is_folded:
            self.left_out.append((bundle, habit or EMPTY))
            return []
        room = self.around.world.room_of({**first, "channel_id": place.channel_id})
        self._ask(bundle)
        author = first.get("author") or {}
        entry = Entry(
            item_id=turn.message_ids[0],
            kind="turn",
            participant=self.agent_name,
            is_self=True,
            addressed=False,
            sent_ms=bundle.sent_ms,
            place=place,
            blocks=[{"type": "text", "text": self._envelope(body, room)}],
            body=body,
            metadata={"channelId": room.wire_id, "messageIds": turn.message_ids},
            message_ids=turn.message_ids,
            author_id=None if author.get("id") is None else str(author["id"]),
            author_name=username_of(author),
            reply_to_id=reply_target(first),
            edited_at=max(
                filter(None, (m.get("edited_timestamp") for m in bundle.messages)), default=None
            ),
            absent_since=self._absence(place, turn.message_ids),
        )
        before, after = self._around_turn(bundle, body, room, turn.message_ids[0])
        return [*before, entry, *after]

    def _around_turn(
        self, bundle: Bundle, body: str, room: Room, first_id: str
    ) -> tuple[list[Entry], list[Entry]]:
        """Give the notices before and after a turn; speech that stays private has none."""
        if body.startswith(SKIP_REPLY):
            return [], []
        to = destination_of(room, self.settings.server_id)
        before: list[Notice | None] = []
        after: list[tuple[str, Notice | None]] = []
        if self.knobs.routing_notices and self.routing != "explicit":
            before.append(routing_notice(self.announced, to, self.settings.profile))
            self.announced = to
        if self.knobs.channel_notices and room.channel_id not in self.open_rooms:
            after.append(("channels", channel_opened(to)))
        self.open_rooms.add(room.channel_id)
        after.append(("receipt", self._receipt(room, to)))
        return (
            [notice_entry(bundle, first_id, "routing", notice) for notice in before if notice],
            [notice_entry(bundle, first_id, kind, notice) for kind, notice in after if notice],
        )

    def _receipt(self, room: Room, to: Destination) -> Notice | None:
        """Give a room's receipt, which is always the same."""
        if room.channel_id not in self.receipts:
            self.receipts[room.channel_id] = delivery_receipt(
                [to], self.settings.profile, routing=self.routing
            )
        return self.receipts[room.channel_id]

    def _envelope(self, body: str, room: Room) -> str:
        """Put the destination before a turn in explicit routing, unless it names one itself."""
        if self.routing != "explicit" or ENVELOPE.match(body):
            return body
        return f">>{target_of(room, self.around.world)}\n{body}"

    def _rewrite(self, body: str, message_ids: Sequence[str]) -> tuple[str, str | None]:
        """Apply the owner's habits; gives the words and the last habit that changed them."""
        changed = None
        for habit in self.knobs.rewrite:
            after = _rewritten(habit, body, message_ids)
            if after != body:
                self.rewritten[habit.reason] += 1
                body, changed = after, habit.reason
        return body, changed

    def _ask(self, bundle: Bundle) -> None:
        """Count turns to which no question can be seen."""
        if any(m.get("type") in COMMAND_ANSWERS for m in bundle.messages):
            self.counts["answers to commands"] += 1
        elif not self.heard_since.get(bundle.place.channel_id):
            self.counts["turns that nobody spoke before"] += 1
        self.heard_since[bundle.place.channel_id] = False

    def _outcomes(self, message: Object) -> dict[str, Outcome]:
        """Give what came of the fetch of a message's attachments; counts what is not kept."""
        found: dict[str, Outcome] = {}
        own = list(message.get("attachments") or ())
        for snapshot in message.get("message_snapshots") or ():
            own += (snapshot.get("message") or {}).get("attachments") or ()
        for attachment in own:
            attachment_id = str(attachment.get("id"))
            if outcome := self.around.outcome(attachment_id):
                found[attachment_id] = outcome
                self.counts["attachments kept"] += 1
            else:
                self.counts["attachments without bytes"] += 1
        return found

    def _prefix(self, message: Object, place: Place) -> str:
        """Give the <system> lines of the first message of a DM, where they are wanted."""
        if not (self.knobs.dm_prefix and place.is_dm) or place.channel_id in self.known_dms:
            return ""
        self.known_dms.add(place.channel_id)
        author = message.get("author") or {}
        return dm_prefix(username_of(author), str(author.get("id", "")))

    def _absence(self, place: Place, message_ids: Sequence[str]) -> str | None:
        """Give when the first of these messages was missed."""
        if not self.around.absent_since:
            return None
        found = (self.around.absent_since.get((place.channel_id, i)) for i in message_ids)
        return min(filter(None, found), default=None)

    def _clock(self, bundle: Bundle, message_id: str) -> list[Entry]:
        """Give a clock line at most once an hour and at a new day, when somebody talks."""
        now = datetime.fromtimestamp(bundle.sent_ms / 1000, UTC).astimezone(self.zone)
        last = self.clock_at
        if last is not None and now - last < CLOCK_EVERY and now.date() == last.date():
            return []
        self.clock_at = now
        notice = Notice(clock_text(now), {"system": True, "kind": "clock"})
        return [notice_entry(bundle, message_id, "clock", notice)]


def _carries(message: Object) -> bool:
    """Say whether a message carries files, its own or forwarded."""
    return bool(message.get("attachments") or message.get("message_snapshots"))


def _rewritten(habit: Rewrite, body: str, message_ids: Sequence[str]) -> str:
    if habit.pattern is not None:
        return re.sub(habit.pattern, habit.replacement, body)
    return habit.replacement if set(habit.ids) & set(message_ids) else body
