"""The words of a message as the agent sees them: cleaned content, system text, forwards (§3)."""

from pipeline.chat.text import Resolve, clean_emoji, clean_tokens, text_id, unsigned, whole
from pipeline.chat.wire.world import Object, Room, World, shown_name

NO_OP = "m continue"  # a message that begins so never reaches the agent (§1)

FORWARD = 1  # message_reference.type of a forward

SYSTEM_TEXTS = {
    1: "[added someone to the group]",
    2: "[removed someone from the group]",
    4: "[changed the channel name]",
    6: "[pinned a message to this channel]",
    7: "[joined the server]",
    8: "[boosted the server]",
    9: "[boosted the server to a new tier]",
    10: "[boosted the server to a new tier]",
    11: "[boosted the server to a new tier]",
    12: "[followed a channel into this one]",
    18: "[started a thread]",
    24: "[automod action]",
}


def body_of(message: Object, world: World, room: Room, *, strip_signed: bool = False) -> str:
    """Give the cleaned content, else what the adapter says of a system message, with forwards."""
    body: str = message.get("content") or ""
    if body:
        body = whole(body)
        if "<" in body:
            body = clean_tokens(body, resolver(message, world, room))
    else:
        body = system_text(message)
    if message.get("message_snapshots"):
        lines = "\n".join(forward_lines(message))
        body = f"{body}\n{lines}" if body.strip() else lines
    return unsigned(body) if strip_signed else body


def system_text(message: Object) -> str:
    """Say what a message without content is by its type; empty for an ordinary one."""
    kind = message.get("type")
    if not kind:
        return ""
    return SYSTEM_TEXTS.get(kind) or f"[system message: type {kind}]"


def forward_lines(message: Object) -> list[str]:
    """Give one line for every forwarded message: its text, its attachments, its embed."""
    return [_forward_line(s.get("message") or {}) for s in message.get("message_snapshots") or ()]


def _forward_line(snapshot: Object) -> str:
    text = clean_emoji(whole(snapshot.get("content") or ""))
    parts = [text] if text else []
    if attached := len(snapshot.get("attachments") or ()):
        parts.append("[1 attachment]" if attached == 1 else f"[{attached} attachments]")
    if snapshot.get("embeds") and not text:
        parts.append("[embed]")
    return f"[forwarded message] {' '.join(parts) or '[no text content]'}"


def resolver(message: Object, world: World, room: Room) -> Resolve:
    """
    Name the targets of tokens as this message's room shows them.

    Members by nickname, everybody else whom the adapter knew by global name or username: that is
    the world's people and those the message itself carries. A DM shows no roles.
    """
    members = world.member_names.get(room.guild_id or "", {})
    roles = world.role_names.get(room.guild_id or "", {})

    def name_of(kind: str, target: str) -> str | None:
        if kind == "@":
            name = members.get(target) or world.user_names.get(target)
            return name or carried_names(message).get(target)
        if kind == "#":
            named = world.rooms.get(target)
            return None if named is None or named.is_dm else named.name or target
        return roles.get(target)

    return name_of


def carried_names(message: Object) -> dict[str, str]:
    """Name the people whom a message carries with it: mentioned, author, replied-to author."""
    answered = message.get("referenced_message") or {}
    people = [*(message.get("mentions") or ()), message.get("author"), answered.get("author")]
    return {text_id(p["id"]): shown_name(p) for p in people if p and p.get("id") is not None}
