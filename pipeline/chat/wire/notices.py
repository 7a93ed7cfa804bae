"""What the host tells the agent about its own speech: receipts, routing, bounces (§7.2–7.6)."""

from collections.abc import Sequence
from typing import Any

import msgspec

from pipeline.chat.text import utf16_length
from pipeline.chat.wire.profile import Profile
from pipeline.chat.wire.world import Room

ROUTINGS = ("locus", "hybrid", "explicit", "disabled")
WITH_RECEIPTS = frozenset({"locus", "hybrid"})


class Notice(msgspec.Struct, frozen=True):
    """A `user` item that the host wrote."""

    text: str
    metadata: dict[str, Any]


class Destination(msgspec.Struct, frozen=True):
    """Where speech went: the room's wire id, and its label where one is known."""

    wire_id: str
    label: str | None = None
    server_id: str | None = None  # shown from 2026-10 on
    thread: str | None = None


def destination_of(room: Room, server_id: str | None = None) -> Destination:
    """Give a room as a destination; name the server for the receipts of 2026-10."""
    return Destination(room.wire_id, room.label, server_id)


def delivery_receipt(
    destinations: Sequence[Destination],
    profile: Profile,
    *,
    routing: str = "locus",
    suppressed: int = 0,
    drafts: Sequence[str] = (),
    kept_private: int = 0,
) -> Notice | None:
    """
    Tell where plain speech went, each place once; None where the host says nothing.

    Explicit routing gives no receipt on success. From 2026-10 on suppressed speech is held in
    `drafts`, and speech kept by `skip_reply` is told too.
    """
    if routing == "explicit":
        return None
    aside = []
    if suppressed:
        aside.append(_suppressed(suppressed, drafts, profile, routing))
    if kept_private and profile.names_sources:
        aside.append(f"{kept_private} plain-speech segment(s) kept private (skip_reply)")
    places = dict.fromkeys(place(one, profile) for one in destinations)
    if places:
        text = f"[delivered] plain speech → {' · '.join([*places, *aside])}"
    elif aside:
        text = f"[delivered] nothing — {' · '.join(aside)}"
    else:
        return None
    return _notice(text, "delivery-receipt")


def _suppressed(count: int, drafts: Sequence[str], profile: Profile, routing: str) -> str:
    segments = f"{count} plain-speech segment(s)"
    if routing == "disabled":
        why = "proseRouting=disabled — publish only with an explicit send tool"
    elif profile.names_sources:
        return (
            f"{segments} held as draft(s) {', '.join(drafts)}"
            " (not sent — drafts can resend them unchanged, or dismiss them)"
        )
    else:
        why = (
            "explicit send in the same round — resend with a send tool if it was meant to be heard"
        )
    return f"{segments} suppressed ({why})"


def place(one: Destination, profile: Profile) -> str:
    """Name a destination: label with its `#` and id, or the bare id."""
    if not one.label or one.label == one.wire_id:
        return one.wire_id
    label = one.label if one.label.startswith("#") else f"#{one.label}"
    where = one.wire_id
    if profile.names_sources and one.server_id:
        where = f"{one.server_id} / {where}"
        if one.thread:
            where = f"{where}, thread {one.thread}"
    return f"{label} ({where})"


def routing_notice(
    previous: Destination | None, now: Destination | None, profile: Profile
) -> Notice | None:
    """Tell where plain speech lands from this turn on; None where that has not moved."""
    if (previous and previous.wire_id) == (now and now.wire_id):
        return None
    if now is None:
        text = (
            "[routing] Your plain speech currently has no channel — it stays in your archive."
            " Use an explicit send tool to reach a channel."
        )
    else:
        text = (
            f"[routing] Your plain speech now lands in {place(now, profile)}."
            " Other channels need an explicit send tool."
        )
    return _notice(text, "routing-notice")


def prose_bounce(text: str) -> Notice:
    """Tell that speech in explicit routing had no destination."""
    return _notice(
        f"[prose-routing] Your text ({utf16_length(text)} chars) was not delivered — no destination"
        " prefix and no destination set yet this turn. The text is retained; nothing is lost. To"
        " deliver it unchanged, reply with a destination plus the token {{unsent}}, e.g."
        ' ">>#channel {{unsent}}" or ">>@person {{unsent}}". ">>skip_reply {{unsent}}" keeps it in'
        " context only. The prose_help tool shows the full syntax.",
        "prose-bounce",
    )


def prose_primer() -> Notice:
    """Tell an agent at its first turn in explicit routing how to speak."""
    return _notice(
        "[prose-routing] Output mode changed: plain text is delivered only with a destination"
        ' prefix line, e.g. ">>#channel-name your text". The prose_help tool shows the full'
        " syntax.",
        "prose-routing-primer",
    )


def send_failed(to: Destination, reason: str, chars: int, profile: Profile) -> Notice:
    """Tell that a reply of so many UTF-16 units did not arrive."""
    return _notice(
        f"[discord-send-failed] Your previous reply ({chars} chars) could not be delivered to"
        f" {place(to, profile)} ({reason}). It was saved to your archive but the human did not"
        " receive it.",
        "discord-send-failed",
        channelId=to.wire_id,
        reason=reason,
    )


def channel_opened(where: Destination) -> Notice:
    """Tell that own words opened a closed channel; labels here get no `#`."""
    named = f"{where.label} ({where.wire_id})" if where.label else where.wire_id
    return _notice(
        f"[channels] Now open: {named} — your own message into the closed channel engaged it."
        " Ongoing traffic from this channel will reach you. If you don't want it, use channel_close"
        " — your choice sticks; neither policy nor a later send will silently reopen it.",
        "channel-notice",
    )


def _notice(text: str, kind: str, **more: str) -> Notice:
    return Notice(text, {"system": True, "kind": kind, **more})
