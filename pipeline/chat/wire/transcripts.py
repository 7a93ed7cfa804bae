"""
Several messages in one item, with times: what a first DM brings, what passed during downtime.

These two blocks are the only texts of the adapter that print a time (§5.5, §5.6).
"""

from collections.abc import Sequence
from datetime import datetime, tzinfo

import msgspec

from pipeline.chat.text import text_id, whole
from pipeline.chat.wire.body import NO_OP, body_of
from pipeline.chat.wire.events import emoji_text
from pipeline.chat.wire.facts import facts_of, is_self
from pipeline.chat.wire.world import Object, Room, World

BACKSCROLL_LINES = 80
MENTION_REACH = 7  # lines either side of a mention in a room that is not open


class Line(msgspec.Struct, frozen=True):
    """One message as such a block prints it."""

    message_id: str
    author_name: str
    text: str
    sent_at: datetime
    is_mention: bool = False
    file_names: tuple[str, ...] = ()
    reactions: tuple[tuple[str, int, bool], ...] = ()  # emoji, count, the agent's among them


def line_of(message: Object, world: World) -> Line:
    """Take a line from a raw message."""
    facts = facts_of(message, world)
    return Line(
        message_id=text_id(message.get("id")),
        author_name=facts.author_name,
        text=body_of(message, world, world.room_of(message)),
        sent_at=datetime.fromisoformat(message["timestamp"]),
        is_mention=facts.is_mention,
        file_names=tuple(
            whole(one.get("filename") or text_id(one.get("id")))
            for one in message.get("attachments") or ()
        ),
        reactions=tuple(
            (emoji_text(one.get("emoji") or {}), one.get("count") or 0, bool(one.get("me")))
            for one in message.get("reactions") or ()
        ),
    )


def stamp(sent_at: datetime, zone: tzinfo) -> str:
    """Say a time in the adapter's default style: local time, offset, name of the zone."""
    local = sent_at.astimezone(zone)
    name = getattr(zone, "key", None) or local.tzname()
    return f"{local.isoformat(timespec='seconds')} [{name}]"


def _said(line: Line) -> str:
    text = line.text
    if line.file_names:
        text += f" [attachments: {', '.join(line.file_names)}]"
    if line.reactions:
        shown = ", ".join(
            f"{emoji} x{count}{' (incl. me)' if mine else ''}"
            for emoji, count, mine in line.reactions
        )
        text += f" [reactions: {shown}]"
    return text


def dm_prefix(
    username: str, user_id: str, earlier: Sequence[Line] = (), zone: tzinfo | None = None
) -> str:
    """
    Give what stands before the first item ever from a DM (§2.1); it ends in a newline.

    `earlier` are the lines of that DM before it, oldest first (see `backscroll_lines`); without a
    `zone` they carry no time.
    """
    head = (
        f"<system>Direct message from @{username} (user id {user_id}). To reply, use"
        f' send_dm("{username}") — or send_dm("{user_id}") if the name is ambiguous. DMs always'
        " reach you; there is nothing to subscribe to.</system>\n"
    )
    if not earlier:
        return head
    lines = [
        f"{f'[{stamp(line.sent_at, zone)}] ' if zone else ''}{line.author_name}: {_said(line)}\n"
        for line in earlier
    ]
    return f'{head}<backscroll dm="true" count="{len(lines)}">\n{"".join(lines)}</backscroll>\n'


def backscroll_lines(messages: Sequence[Object], world: World) -> list[Line]:
    """Take the last lines that a first DM brings: not the agent's own, no no-ops, at most 80."""
    heard = [m for m in messages if not is_self(m, world)]
    lines = [line for line in (line_of(m, world) for m in heard) if not line.text.startswith(NO_OP)]
    return lines[-BACKSCROLL_LINES:]


def missed_block(
    lines: Sequence[Line], room: Room, zone: tzinfo | None, *, is_open: bool = True
) -> str:
    """
    Tell what passed in a room during downtime (§5.6).

    In a room that is not open only mentions are told, with seven lines either side.
    """
    mentions = [place for place, line in enumerate(lines) if line.is_mention]
    if room.is_dm:
        head = f'<missed channelId="{room.channel_id}" dm="true" count="{len(lines)}" reason="dm">'
        return _block(head, lines, zone)
    named = f'<missed channel="#{room.name or room.channel_id}" channelId="{room.channel_id}"'
    if room.guild_name:
        named += f' guild="{room.guild_name}"'
    if is_open:
        reason = "mention" if mentions else "backscroll"
        return _block(f'{named} count="{len(lines)}" reason="{reason}">', lines, zone)
    near = [
        line
        for place, line in enumerate(lines)
        if any(abs(place - mention) <= MENTION_REACH for mention in mentions)
    ]
    head = f'{named} count="{len(mentions)}" lines="{len(near)}" reason="mention">'
    return _block(head, near, zone)


def _block(head: str, lines: Sequence[Line], zone: tzinfo | None) -> str:
    told = "".join(
        f"[{f'{stamp(line.sent_at, zone)} ' if zone else ''}id={line.message_id}]"
        f" {line.author_name}{' (mention)' if line.is_mention else ''}: {_said(line)}\n"
        for line in lines
    )
    return f"{head}\n{told}</missed>"
