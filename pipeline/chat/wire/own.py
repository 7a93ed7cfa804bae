"""
The agent's own speech: its words, its turns, and the envelope that explicit routing wants (§7).

What it typed before the adapter turned `@name` into `<@id>` is not in Discord's data; a mention
is turned back to the username, the name under which the agent reads everybody.
"""

from collections.abc import Iterator, Sequence
from functools import partial

import msgspec

from pipeline.chat.text import JS_SPACES, name_users, text_id, unsigned, whole
from pipeline.chat.wire.attachments import Attached, attached_of
from pipeline.chat.wire.body import forward_lines
from pipeline.chat.wire.profile import WireSettings
from pipeline.chat.wire.world import Object, Room, World, username_of

TEXT_DISPLAY = 10
# Rows, buttons, menus, inputs, sections, galleries, files, separators, containers, labels, uploads.
KNOWN_COMPONENTS = frozenset(range(1, 20)) - {15, 16}


class OwnWords(msgspec.Struct, frozen=True):
    """What the agent said in one post, and where it stood."""

    text: str
    drawn_from: str  # content, embed, components, forward, none
    unknown_components: int = 0


class Turn(msgspec.Struct, frozen=True):
    """The agent's posts of one burst as the one assistant message that made them."""

    text: str  # as stored: with the envelope where routing is explicit
    body: str  # the words alone
    message_ids: list[str]
    attached: list[Attached]  # what it posted beside its words; stored turns do not show it
    unknown_components: int


def own_words(message: Object) -> OwnWords:
    """
    Give the words of an own post: content, else embeds, else components, else what it forwarded.

    An own post is never "embed only": harnesses put speech there. Components of unknown kind are
    counted; whatever words stand inside them are kept.
    """
    content = message.get("content")
    if content:
        return OwnWords(whole(content), "content")
    if text := _embed_words(message.get("embeds") or ()):
        return OwnWords(whole(text), "embed")
    texts: list[str | None] = []
    unknown = 0
    for component in _components(message):
        kind = component.get("type")
        if kind == TEXT_DISPLAY:
            texts.append(component.get("content"))
        elif kind not in KNOWN_COMPONENTS:
            unknown += 1
    if any(texts):
        return OwnWords(whole("\n".join(filter(None, texts))), "components", unknown)
    if forwards := forward_lines(message):
        return OwnWords("\n".join(forwards), "forward", unknown)
    return OwnWords("", "none", unknown)


def _embed_words(embeds: Sequence[Object]) -> str:
    """Join what embeds say; their author and footer are labels, taken only for want of words."""
    said: list[str | None] = []
    labels: list[str | None] = []
    for embed in embeds:
        said += [embed.get("title"), embed.get("description")]
        for field in embed.get("fields") or ():
            said += [field.get("name"), field.get("value")]
        labels += [
            (embed.get("author") or {}).get("name"),
            (embed.get("footer") or {}).get("text"),
        ]
    return "\n".join(filter(None, said)) or "\n".join(filter(None, labels))


def _components(message: Object) -> Iterator[Object]:
    """Walk a message's components in reading order, however deep they nest."""
    waiting = list(reversed(message.get("components") or ()))
    while waiting:
        component = waiting.pop()
        yield component
        inside = [*(component.get("components") or ()), component.get("component")]
        waiting += [one for one in reversed(inside) if one]


def own_turn(
    messages: Sequence[Object], world: World, settings: WireSettings, *, is_explicit: bool = False
) -> Turn:
    """
    Join the posts of one burst, all in one room and in order, to the turn that they were.

    A turn without any word shows the names of what it posted, so that it is not empty.
    """
    strip = settings.strip_signed_links
    words = [own_words(message) for message in messages]
    texts = [
        name_users(one.text, partial(_handle, message, world))
        for one, message in zip(words, messages, strict=True)
        if one.text
    ]
    attached = [one for m in messages for one in attached_of(m, strip_signed=strip)]
    body = "\n".join(texts) or "\n".join(
        f"[{'image attachment' if one.is_image else 'attachment'}: {one.name}]" for one in attached
    )
    if strip:
        body = unsigned(body)
    return Turn(
        text=f">>{target_of(world.room_of(messages[0]), world)}\n{body}" if is_explicit else body,
        body=body,
        message_ids=[text_id(message.get("id")) for message in messages],
        attached=attached,
        unknown_components=sum(one.unknown_components for one in words),
    )


def _handle(message: Object, world: World, user_id: str) -> str | None:
    """Name a mentioned user by username: from the message itself, else from the world."""
    for user in message.get("mentions") or ():
        if text_id(user.get("id")) == user_id:
            return username_of(user)
    return world.usernames.get(user_id)


def target_of(room: Room, world: World) -> str:
    """
    Give the target that an explicit envelope takes (§7.3): `#room`, `@user`, else the full id.

    A target is one run of non-space characters and must mean one place only.
    """
    name, shared = room.name, world.shared_room_names
    if room.is_dm:
        name, shared = room.partner_name, world.shared_handles
    if not name or JS_SPACES.search(name) or name.lower() in shared:
        return room.wire_id
    return f"@{name}" if room.is_dm else f"#{name}"
