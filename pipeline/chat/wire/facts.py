"""What a message is to the agent: who wrote it, what it answers, whom it calls."""

import msgspec

from pipeline.chat.text import text_id
from pipeline.chat.wire.world import Object, World, username_of

NOBODY: Object = {}


class Facts(msgspec.Struct, frozen=True):
    """Everything about one message that its line, tags and metadata share."""

    message_id: str | None
    author_id: str | None
    author_name: str
    is_bot: bool
    reply_to_id: str | None  # the message it answers, whether or not that one is known
    reply_author_id: str | None
    reply_author_name: str | None  # None: unknown or deleted
    mention_ids: list[str]
    is_explicit_mention: bool
    is_reply_to_bot: bool

    @property
    def is_mention(self) -> bool:
        """It calls the agent, by name or by answering it."""
        return self.is_explicit_mention or self.is_reply_to_bot


def facts_of(message: Object, world: World) -> Facts:
    """
    Gather the facts of a raw message.

    The marker's rule (§2.2): a reference counts as a reply if it names a message and its type is 0
    or absent. A deleted original (`referenced_message` null) and one that was not sent along read
    the same. Ids that are floats are refused with SourceError.
    """
    author = message.get("author") or NOBODY
    author_id, message_id = author.get("id"), message.get("id")
    reply_to_id = reply_target(message)
    answered = (message.get("referenced_message") or NOBODY) if reply_to_id else NOBODY
    replied = answered.get("author") or NOBODY
    replied_id = replied.get("id")
    mentions, roles = message.get("mentions"), message.get("mention_roles")
    mention_ids = [text_id(user.get("id")) for user in mentions] if mentions else []
    return Facts(
        message_id=None if message_id is None else text_id(message_id),
        author_id=None if author_id is None else text_id(author_id),
        author_name=username_of(author),
        is_bot=bool(author.get("bot") or message.get("webhook_id")),
        reply_to_id=reply_to_id,
        reply_author_id=None if replied_id is None else text_id(replied_id),
        reply_author_name=username_of(replied) if replied else None,
        mention_ids=mention_ids,
        is_explicit_mention=(
            (bool(mention_ids) and not world.self_ids.isdisjoint(mention_ids))
            or (bool(roles) and not world.own_role_ids.isdisjoint(map(text_id, roles or ())))
        ),
        is_reply_to_bot=bool(replied) and is_self(answered, world),
    )


def reply_target(message: Object) -> str | None:
    """Give the id of the message that this one answers; a forward answers nothing."""
    reference = message.get("message_reference")
    if not reference or reference.get("type"):
        return None
    target = reference.get("message_id")
    return None if target is None else text_id(target)


def is_self(message: Object, world: World) -> bool:
    """Tell whether the agent wrote it: as a user, through a webhook, or as an application."""
    author_id = (message.get("author") or NOBODY).get("id")
    for value in (author_id, message.get("webhook_id"), message.get("application_id")):
        if value is not None and text_id(value) in world.self_ids:
            return True
    return False
