"""
One or two blocks for every attachment (§4).

Fetching is not done here: what came of each fetch is handed in by attachment id. Where nothing is
handed in, the history speaks: the success form's text, without the bytes.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from pipeline.chat.text import MIB, size_text, text_id, unsigned_url, whole
from pipeline.chat.wire.profile import WireSettings
from pipeline.chat.wire.world import Object

Block = dict[str, Any]

MESSAGE_BUDGET_BYTES = 40 * MIB
IMAGE_LIMIT_BYTES = 25 * MIB
UNTYPED_TEXT_LIMIT_BYTES = 262_144  # without a content type, what is this small is tried as text

_TEXT_NAME = re.compile(
    r"\.(?:txt|md|markdown|json|jsonl|csv|tsv|log|yaml|yml|xml|htm|html|css|js|mjs|cjs|ts|tsx|jsx"
    r"|py|rb|go|rs|java|kt|c|h|cpp|hpp|sh|bash|zsh|toml|ini|cfg|conf|sql|diff|patch|env)\Z",
    re.IGNORECASE,
)


class KeptImage(msgspec.Struct, frozen=True):
    """An image that was fetched and can be shown."""

    media_type: str
    sha256: str
    size: int | None = None  # bytes, as fetched; None: as declared


class KeptText(msgspec.Struct, frozen=True):
    """A text file that was fetched."""

    data: bytes


class NotUsable(msgspec.Struct, frozen=True):
    """Bytes that came and are no image that can be shown."""


class FetchFailed(msgspec.Struct, frozen=True):
    """A fetch that the agent saw fail; `why` is the error's own words, `HTTP 404`."""

    why: str


Outcome = KeptImage | KeptText | NotUsable | FetchFailed
Outcomes = Mapping[str, Outcome]
"""Attachment id → what came of its fetch; an id that is missing was not kept."""


class Attached(msgspec.Struct, frozen=True):
    """An attachment with all that a line says of it."""

    attachment_id: str
    name: str
    media_type: str  # lower case, empty where unknown
    size: int
    url: str
    mark: str  # "", " (forwarded)", " (forwarded #2)"

    @property
    def is_image(self) -> bool:
        """An image by its content type alone."""
        return self.media_type.startswith("image/")

    @property
    def is_text(self) -> bool:
        """Text by its type, by its name, or for want of a type and small."""
        if self.media_type.startswith("text/") or _TEXT_NAME.search(self.name):
            return True
        return not self.media_type and 0 < self.size <= UNTYPED_TEXT_LIMIT_BYTES

    @property
    def tag(self) -> str:
        """The tag of its kind; a video is a file (§8)."""
        if self.is_image:
            return "chat:has-image"
        return "chat:has-audio" if self.media_type.startswith("audio/") else "chat:has-file"


def attached_of(message: Object, *, strip_signed: bool = False) -> list[Attached]:
    """List a message's own attachments, then those of its snapshots, every id once."""
    found: dict[str, Attached] = {}
    for attachment, mark in _marked(message):
        attachment_id = text_id(attachment.get("id"))
        if attachment_id not in found:
            url = whole(attachment.get("url") or "")
            found[attachment_id] = Attached(
                attachment_id=attachment_id,
                name=whole(attachment.get("filename") or attachment_id),
                media_type=whole(attachment.get("content_type") or "").lower(),
                size=attachment.get("size") or 0,
                url=unsigned_url(url) if strip_signed else url,
                mark=mark,
            )
    return list(found.values())


def _marked(message: Object) -> Iterator[tuple[Object, str]]:
    for attachment in message.get("attachments") or ():
        yield attachment, ""
    snapshots = [
        (place, (snapshot.get("message") or {}).get("attachments") or ())
        for place, snapshot in enumerate(message.get("message_snapshots") or (), start=1)
    ]
    carriers = sum(1 for _, attachments in snapshots if attachments)
    for place, attachments in snapshots:
        for attachment in attachments:
            yield attachment, " (forwarded)" if carriers == 1 else f" (forwarded #{place})"


def attachment_blocks(
    attached: list[Attached], outcomes: Outcomes, settings: WireSettings
) -> list[Block]:
    """Give the blocks of all attachments, in order, within the message's budget of bytes."""
    blocks: list[Block] = []
    left = MESSAGE_BUDGET_BYTES
    for one in attached:
        outcome = outcomes.get(one.attachment_id)
        text = _refusal(one, left, settings.inline_cap_bytes)
        if text is None:
            left -= _cost(one, outcome)
            if one.is_image and isinstance(outcome, KeptImage):
                blocks.append(_image_block(one, outcome))
            text = _fetched(one, outcome, settings.inline_cap_bytes)
        blocks.append({"type": "text", "text": text})
    return blocks


def _refusal(one: Attached, left: int, cap: int) -> str | None:
    """Say why the adapter would not even fetch this; None: it would."""
    size = size_text(one.size)
    if one.is_text and not one.is_image and one.size > cap:
        return (
            f"[attachment: {one.name}{one.mark} ({size}) over the {size_text(cap)} inline cap"
            f" — not inlined: {one.url}]"
        )
    if not one.is_image and not one.is_text:
        kind = one.media_type or "unknown type"
        return f"[attachment: {one.name}{one.mark} ({kind}, {size}) — not inlined: {one.url}]"
    if one.size > left:
        return (
            f"[attachment: {one.name}{one.mark} ({size}) not inlined"
            f" — message attachment budget exhausted: {one.url}]"
        )
    if one.is_image and one.size > IMAGE_LIMIT_BYTES:
        return f'[image attachment "{one.name}"{one.mark} ({size}) too large to fetch — {one.url}]'
    return None


def _fetched(one: Attached, outcome: Outcome | None, cap: int) -> str:
    """Say what came of the fetch; bytes that were not kept read as a success without them."""
    size = size_text(one.size)
    if isinstance(outcome, FetchFailed):
        return f"[attachment: {one.name} — could not fetch ({outcome.why}); {one.url}]"
    if one.is_image:
        if isinstance(outcome, NotUsable | KeptText):
            return (
                f'[image attachment "{one.name}"{one.mark} ({size}) could not be inlined'
                f" — {one.url}]"
            )
        return f"[image attachment: {one.name}{one.mark}]"
    header = f"[attachment: {one.name}{one.mark} ({size})]"
    if not isinstance(outcome, KeptText):
        return header
    if len(outcome.data) > cap:
        return (
            f"[attachment: {one.name}{one.mark} (over the {size_text(cap)} inline cap;"
            f" declared {size}) — not inlined: {one.url}]"
        )
    return f"{header}\n{outcome.data.decode('utf-8', 'replace')}"


def _cost(one: Attached, outcome: Outcome | None) -> int:
    """Count what a fetch took from the budget."""
    if isinstance(outcome, FetchFailed):
        return 0
    if isinstance(outcome, KeptText):
        return len(outcome.data)
    fetched = outcome.size if isinstance(outcome, KeptImage) else None
    return one.size if fetched is None else fetched


def _image_block(one: Attached, image: KeptImage) -> Block:
    return {
        "type": "image",
        "attachment_id": one.attachment_id,
        "media_type": image.media_type,
        "sha256": image.sha256,
    }
