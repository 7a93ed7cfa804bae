"""The block that comes with a message addressed to the agent in a closed room (§5.7)."""

from typing import Any

import msgspec

from pipeline.chat.wire.world import Room

BACKSCROLL_MAX = 80


class Missed(msgspec.Struct, frozen=True):
    """What passed in a closed room while the host kept a tally."""

    messages: int
    characters: int


def invitation(
    room: Room,
    author_name: str,
    message_id: str,
    *,
    server_id: str = "discord",
    backscroll_max: int = BACKSCROLL_MAX,
    missed: Missed | None = None,
) -> str:
    """Give the invitation block's text; it starts with a newline."""
    name = f"#{(room.label if room.is_dm else room.name) or room.channel_id}"
    where = f'{name} in "{room.guild_name}"' if room.guild_name and not room.is_dm else name
    call = f'channelId "{room.wire_id}"'
    return (
        f"\n[Channel invitation] {author_name} addressed you in {where} — a channel you haven't"
        " joined. Only messages that address you directly (an @-mention or a reply to one of your"
        " messages) reach you from it; the rest of its traffic is invisible to you."
        f" {_tally(missed)}Your options:\n"
        f'1. Reply without joining — write your reply this turn prefixed with ">>{name}"; it will'
        " be delivered there. Note: follow-ups to your reply will NOT reach you unless they"
        " @-mention you or use the reply feature on your message.\n"
        f'2. Join the channel — call channel_open with {call} and serverId "{server_id}"; to also'
        f" read recent history, add backscroll (a number up to {backscroll_max}) and"
        f' beforeMessageId "{message_id}".\n'
        f'3. Stay out — call channel_decline with {call}, serverId "{server_id}", and messageId'
        f' "{message_id}" (optionally set acknowledge to an emoji like 👀 so {author_name} isn\'t'
        " left hanging).\nDoing nothing is also fine."
    )


def invitation_metadata(
    room: Room, message_id: str, missed: Missed | None = None
) -> dict[str, Any]:
    """Give what the host notes beside an invited message."""
    metadata: dict[str, Any] = {
        "channelInvitation": True,
        "channelOpen": False,
        "channelId": room.wire_id,
        "invitationMessageId": message_id,
    }
    if missed is not None:
        metadata["missedMessages"] = missed.messages
        metadata["missedCharacters"] = missed.characters
    return metadata


def _tally(missed: Missed | None) -> str:
    if missed is None or missed.messages == 0:
        return ""
    noun = "message" if missed.messages == 1 else "messages"
    return (
        f"While closed, {missed.messages} {noun} (~{missed.characters} chars) have passed there"
        " without you. "
    )
