"""The smaller parts of an exported row as Discord's own objects: files, embeds, emoji, buttons."""

import re
from collections.abc import Mapping
from typing import Any

from stages.dump.files.people import color_number
from stages.dump.files.terms import (
    STICKER_FORMATS,
    content_type,
    mapping,
    moment,
    objects,
    stable_id,
    time_text,
    type_number,
)

Object = dict[str, Any]
# The names that .NET gives to message flags, without case and underscores, and their bits.
FLAG_BITS = {
    "crossposted": 0,
    "iscrosspost": 1,
    "crosspost": 1,
    "suppressembeds": 2,
    "sourcemessagedeleted": 3,
    "urgent": 4,
    "hasthread": 5,
    "ephemeral": 6,
    "loading": 7,
    "failedtomentionsomerolesinthread": 8,
    "suppressnotifications": 12,
    "isvoicemessage": 13,
    "voicemessage": 13,
    "hassnapshot": 14,
    "iscomponentsv2": 15,
    "componentsv2": 15,
}


def attachments(listed: object) -> list[Object]:
    """Give attachments; the content type is a guess by name, for an export has none."""
    found = []
    for given in objects(listed):
        name = given.get("fileName")
        name = name if isinstance(name, str) and name else "file"
        size = given.get("fileSizeBytes")
        one: Object = {
            "id": stable_id(given.get("id")) or stable_id(f"{given.get('url')}"),
            "filename": name,
            "size": size if isinstance(size, int) else 0,
            "url": given.get("url") if isinstance(given.get("url"), str) else "",
        }
        if guess := content_type(name):
            one["content_type"] = guess
        found.append(one)
    return found


def embeds(listed: object) -> list[Object]:
    """Give embeds; further images of a folded one become embeds of their own, as Discord has it."""
    found = []
    for given in objects(listed):
        images = [_media(image) for image in objects(given.get("images"))]
        one = _embed(given)
        if images and "image" not in one:
            one["image"] = images[0]
        found.append(one)
        rest = [image for image in images if image != one.get("image")]
        found += [{"type": "rich", "url": given.get("url"), "image": image} for image in rest]
    return found


def stickers(listed: object) -> list[Object]:
    """Give stickers; a format that nobody knows passes as null (known-faults B014)."""
    return [
        {
            "id": stable_id(given.get("id")),
            "name": given.get("name") or "",
            "format_type": _format(given.get("format")),
        }
        for given in objects(listed)
    ]


def reactions(listed: object) -> list[Object]:
    """Give reactions as counts; an emoji keeps whatever it has (known-faults B015)."""
    found = []
    for given in objects(listed):
        emoji = mapping(given.get("emoji"))
        own = {"id": stable_id(emoji.get("id")), "name": emoji.get("name")}
        if own["id"]:
            own["animated"] = emoji.get("isAnimated") is True
        found.append({"count": given.get("count") or 0, "emoji": own})
    return found


def components(part: Any) -> Any:
    """Give components with the API's own key names; a fork writes `customId` for `custom_id`."""
    if isinstance(part, list):
        return [components(item) for item in part]
    if isinstance(part, Mapping):
        return {_snake(key): components(value) for key, value in part.items()}
    return part


def flag_bits(flags: list[Any]) -> int:
    """Give the bits of flag names; what nobody knows as a name is taken as a number."""
    bits = 0
    for flag in flags:
        text = str(flag).replace("_", "").lower()
        if text in FLAG_BITS:
            bits |= 1 << FLAG_BITS[text]
        elif text.isdigit():
            bits |= int(text)
    return bits


def _embed(given: Mapping[str, Any]) -> Object:
    found: Object = {"type": "rich"}
    for name in ("title", "url", "description"):
        if given.get(name):
            found[name] = given[name]
    if at := moment(given.get("timestamp")):
        found["timestamp"] = time_text(at)
    if (color := color_number(given.get("color"))) is not None:
        found["color"] = color
    if isinstance(author := given.get("author"), Mapping):
        icon = author.get("iconCanonicalUrl") or author.get("iconUrl")
        found["author"] = _filled(name=author.get("name"), url=author.get("url"), icon_url=icon)
    if isinstance(footer := given.get("footer"), Mapping):
        icon = footer.get("iconCanonicalUrl") or footer.get("iconUrl")
        found["footer"] = _filled(text=footer.get("text"), icon_url=icon)
    for name in ("thumbnail", "image", "video"):
        if isinstance(media := given.get(name), Mapping):
            found[name] = _media(media)
    if fields := objects(given.get("fields")):
        found["fields"] = [
            {
                "name": field.get("name") or "",
                "value": field.get("value") or "",
                "inline": field.get("isInline") is True,
            }
            for field in fields
        ]
    return found


def _media(given: Mapping[str, Any]) -> Object:
    return _filled(
        url=given.get("canonicalUrl") or given.get("url"),
        width=given.get("width"),
        height=given.get("height"),
    )


def _filled(**parts: Any) -> Object:
    return {name: value for name, value in parts.items() if value is not None}


def _format(value: object) -> int | None:
    number = type_number(value, STICKER_FORMATS) if value is not None else None
    return None if number is not None and number < 0 else number


def _snake(name: str) -> str:
    return re.sub(r"[A-Z]", lambda found: "_" + found[0].lower(), name)
