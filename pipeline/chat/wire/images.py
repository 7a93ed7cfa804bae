"""
Tell by its bytes whether a kept image is one that the agent could have seen (§4).

The adapter shrinks and converts; here the bytes stay what they are and only the verdict is taken:
what is no image, or moves and is too large to pass untouched, had the "could not be inlined" line.
"""

from pipeline.chat.text import MIB
from pipeline.chat.wire.attachments import KeptImage, NotUsable, Outcome

MOVING_LIMIT_BYTES = 7 * MIB // 2  # 3.5 MiB
_SVG_HEAD_BYTES = 1024

_SIGNATURES = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (8, b"WEBP", "image/webp"),
    (4, b"ftypavif", "image/avif"),
    (4, b"ftypavis", "image/avif"),
    (4, b"ftypheic", "image/heic"),
    (4, b"ftypmif1", "image/heif"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"BM", "image/bmp"),
)
_FRAME = b"\x21\xf9\x04"  # a GIF's graphic control: one before every frame
_WEBP_FLAGS = 20  # the byte of an extended WebP that says whether it moves
_WEBP_MOVES = 0x02


def media_type_of(data: bytes) -> str | None:
    """Name an image's type by how it begins; None for what is no image."""
    for place, signature, media_type in _SIGNATURES:
        if data.startswith(signature, place):
            return media_type
    return "image/svg+xml" if b"<svg" in data[:_SVG_HEAD_BYTES] else None


def moves(data: bytes) -> bool:
    """Tell an animated GIF or WebP from a still one."""
    if data.startswith(b"GIF8"):
        return data.count(_FRAME) > 1
    is_extended = data[12:16] == b"VP8X" and len(data) > _WEBP_FLAGS
    return is_extended and bool(data[_WEBP_FLAGS] & _WEBP_MOVES)


def image_outcome(data: bytes, sha256: str) -> Outcome:
    """Give what the adapter made of an image's bytes; the type is the bytes' own."""
    media_type = media_type_of(data)
    if media_type is None or (len(data) > MOVING_LIMIT_BYTES and moves(data)):
        return NotUsable()
    return KeptImage(media_type, sha256, len(data))
