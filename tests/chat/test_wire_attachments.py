"""What stands under a message for every file, by what came of its fetch."""

import pytest

from pipeline.chat.wire import FetchFailed, KeptImage, KeptText, NotUsable, message_item
from pipeline.chat.wire.images import image_outcome, media_type_of, moves
from tests.chat.yard import HALL, attachment, forward, message, settings, yard

WORLD = yard()
MIB = 1024 * 1024
URL = "https://cdn.discordapp.com/attachments/1/2/"
SIGN = "?ex=6a1&is=6a0&hm=bc12&"
PNG = b"\x89PNG\r\n\x1a\n" + b"x" * 20


def render(raw, outcomes=None, **more):
    return message_item(raw, WORLD, settings(**more), HALL, outcomes or {})


def under(*attachments, outcomes=None, **more):
    """Give the blocks under a message that carries these."""
    return render(message("", attachments=list(attachments)), outcomes, **more).blocks[1:]


def said(*attachments, **more):
    return [block.get("text") for block in under(*attachments, **more)]


def test_a_kept_image_stands_before_its_line():
    """The block names attachment, type and bytes; the joined text leaves it out."""
    raw = message("look", attachments=[attachment("a.png", "image/png")])
    got = render(raw, {"31": KeptImage("image/png", "ab12", 300)})
    assert got.blocks == [
        {"type": "text", "text": "wren_: look"},
        {"type": "image", "attachment_id": "31", "media_type": "image/png", "sha256": "ab12"},
        {"type": "text", "text": "[image attachment: a.png]"},
    ]
    assert got.text == "wren_: look\n[image attachment: a.png]"


def test_what_was_not_kept_reads_as_a_success_without_bytes():
    """History's links are dead, and the agent saw the file: the header line stays."""
    assert said(
        attachment("a.png", "image/png"), attachment("n.txt", size=40, attachment_id="2")
    ) == [
        "[image attachment: a.png]",
        "[attachment: n.txt (40B)]",
    ]


def test_kept_text_follows_its_header():
    """Bytes that are no UTF-8 are replaced; the size is the declared one."""
    outcomes = {"31": KeptText(b"one\ntwo \xff")}
    assert said(attachment("n.md", size=999), outcomes=outcomes) == [
        "[attachment: n.md (999B)]\none\ntwo \ufffd"
    ]


def test_text_over_the_cap_is_not_inlined():
    """Declared over it, it is not fetched; found over it, the line says so."""
    assert said(attachment("n.txt", size=5121)) == [
        f"[attachment: n.txt (5KB) over the 5KB inline cap — not inlined: {URL}n.txt{SIGN}]"
    ]
    found = {"31": KeptText(b"x" * 5121)}
    assert said(attachment("n.txt", size=10), outcomes=found) == [
        (
            "[attachment: n.txt (over the 5KB inline cap; declared 10B)"
            f" — not inlined: {URL}n.txt{SIGN}]"
        )
    ]
    assert said(attachment("n.txt", size=5120)) == ["[attachment: n.txt (5KB)]"]
    assert (
        "over the 2KB inline cap" in said(attachment("n.txt", size=3000), inline_cap_bytes=2048)[0]
    )


@pytest.mark.parametrize(
    ("name", "media_type", "size", "is_text"),
    [
        ("a.bin", "text/csv; charset=utf-8", 10, True),
        ("a.PY", "application/octet-stream", 10, True),
        (".env", None, 0, True),
        ("a.bin", None, 4000, True),
        ("a.bin", "", 4000, True),
        ("a.bin", None, 0, False),
        ("a.bin", None, 262145, False),
        ("a.pyc", "application/octet-stream", 10, False),
        ("apy", "application/x", 10, False),
    ],
)
def test_text_is_told_by_type_name_or_want_of_both(name, media_type, size, is_text):
    """Without a type, whatever is small and not empty is tried as text."""
    line = said(attachment(name, media_type, size))[0]
    assert ("not inlined" not in line) == is_text


def test_other_files_tell_type_and_size():
    """Type lower-cased, or unknown."""
    assert said(
        attachment("a.pdf", "Application/PDF", 1572864),
        attachment("b.bin", None, 300000, attachment_id="2"),
    ) == [
        f"[attachment: a.pdf (application/pdf, 1.5MB) — not inlined: {URL}a.pdf{SIGN}]",
        f"[attachment: b.bin (unknown type, 293KB) — not inlined: {URL}b.bin{SIGN}]",
    ]


def test_failures_that_the_agent_saw_keep_their_words():
    """No mark of a forward in that form; bytes that are no image have a form of their own."""
    one = attachment("a.png", "image/png")
    failed, odd = {"31": FetchFailed("HTTP 404")}, {"31": NotUsable()}
    line = f"[attachment: a.png — could not fetch (HTTP 404); {URL}a.png{SIGN}]"
    assert said(one, outcomes=failed) == [line]
    assert render(forward(attachments=[one]), failed).blocks[1]["text"] == line
    assert said(one, outcomes=odd) == [
        f'[image attachment "a.png" (300B) could not be inlined — {URL}a.png{SIGN}]'
    ]
    assert said(attachment("n.txt", size=9), outcomes=failed)[0].startswith("[attachment: n.txt —")


def test_large_images_are_not_fetched():
    """25 MiB each, and 40 MiB a message, in order; what failed costs nothing."""
    big = attachment("a.png", "image/png", 25 * MIB + 1)
    assert said(big) == [
        f'[image attachment "a.png" (25.0MB) too large to fetch — {URL}a.png{SIGN}]'
    ]
    three = [attachment("a.png", "image/png", 15 * MIB, str(n)) for n in range(3)]
    assert said(*three) == [
        "[image attachment: a.png]",
        "[image attachment: a.png]",
        (
            "[attachment: a.png (15.0MB) not inlined"
            f" — message attachment budget exhausted: {URL}a.png{SIGN}]"
        ),
    ]
    kept = {str(n): KeptImage("image/png", "ab", 1000) for n in range(2)}
    assert said(*three, outcomes=kept)[-1] == "[image attachment: a.png]"
    assert said(*three, outcomes={"0": FetchFailed("x")})[-1] == "[image attachment: a.png]"


def test_forwarded_files_are_marked_and_every_id_stands_once():
    """Own first; several carriers are numbered."""
    one = attachment("a.png", "image/png")
    other = attachment("b.pdf", "application/pdf", attachment_id="32")
    raw = forward(attachments=[one, other])
    raw["attachments"] = [one]
    assert [b["text"] for b in render(raw).blocks[1:]] == [
        "[image attachment: a.png]",
        f"[attachment: b.pdf (forwarded) (application/pdf, 300B) — not inlined: {URL}b.pdf{SIGN}]",
    ]
    two = forward()
    two["message_snapshots"] = [
        {"message": {"attachments": [one]}},
        {"message": {"content": "none"}},
        {"message": {"attachments": [{**one, "id": "33"}]}},
    ]
    assert [b["text"] for b in render(two).blocks[1:]] == [
        "[image attachment: a.png (forwarded #1)]",
        "[image attachment: a.png (forwarded #3)]",
    ]


def test_every_kind_has_one_tag_in_fixed_order():
    """A video is a file; a forwarded image counts."""
    raw = forward(attachments=[attachment("z.png", "image/png", attachment_id="9")])
    raw["attachments"] = [
        attachment("c.mp4", "video/mp4", attachment_id="1"),
        attachment("v.ogg", "audio/ogg", attachment_id="2"),
        attachment("d.mp4", "video/mp4", attachment_id="3"),
    ]
    assert render(raw).tags[2:] == ("chat:has-image", "chat:has-audio", "chat:has-file")


def test_missing_fields_do_not_stop_a_message():
    """No name: the id; no size, no link, ids as numbers."""
    raw = message("", attachments=[{"id": 31, "filename": None, "content_type": "audio/ogg"}])
    assert render(raw).blocks[1]["text"] == "[attachment: 31 (audio/ogg, 0B) — not inlined: ]"


def test_links_lose_their_signature_where_asked():
    """On the line too."""
    got = said(attachment("a.pdf", "application/pdf"), strip_signed_links=True)
    assert got == [f"[attachment: a.pdf (application/pdf, 300B) — not inlined: {URL}a.pdf]"]


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg"),
        (b"GIF89a", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        (b"\0\0\0\x1cftypavif", "image/avif"),
        (b"<?xml version='1.0'?><svg/>", "image/svg+xml"),
        (b"<html>gone</html>", None),
        (b"", None),
    ],
)
def test_an_image_is_told_by_how_it_begins(data, media_type):
    """Whatever its declared type."""
    assert media_type_of(data) == media_type


def test_bytes_that_could_not_be_shown_are_not_usable():
    """No image, or one that moves and is too large; still ones are shrunk, so size is no bar."""
    large = b"x" * (4 * MIB)
    moving_gif = b"GIF89a" + b"\x21\xf9\x04abc" * 2
    moving_webp = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x02"
    still_webp = b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x10"
    assert image_outcome(PNG, "ab") == KeptImage("image/png", "ab", len(PNG))
    assert image_outcome(b"oops", "ab") == NotUsable()
    for moving in (moving_gif, moving_webp):
        assert isinstance(image_outcome(moving, "ab"), KeptImage)
        assert image_outcome(moving + large, "ab") == NotUsable()
    for still in (PNG, still_webp, b"GIF89a\x21\xf9\x04abc"):
        assert isinstance(image_outcome(still + large, "ab"), KeptImage)


def test_limits_are_inclusive():
    """Exactly the cap, the image limit, and what is left of the budget still pass."""
    assert said(attachment("n.txt", size=9), outcomes={"31": KeptText(b"x" * 5120)}) == [
        f"[attachment: n.txt (9B)]\n{'x' * 5120}"
    ]
    two = [attachment("a.png", "image/png", size * MIB, str(size)) for size in (25, 15)]
    assert said(*two) == ["[image attachment: a.png]"] * 2
    limit = b"GIF89a" + b"\x21\xf9\x04" * 2
    limit += b"x" * (7 * MIB // 2 - len(limit))
    assert isinstance(image_outcome(limit, "ab"), KeptImage)


def test_an_image_is_no_text_whatever_its_name():
    """The type decides before the name does, and a kept image is shown for images only."""
    assert said(attachment("a.txt", "image/png", 9000)) == ["[image attachment: a.txt]"]
    kept = {"31": KeptImage("image/png", "ab")}
    assert [b["type"] for b in under(attachment("n.txt", size=9), outcomes=kept)] == ["text"]


def test_null_lists_are_empty_lists():
    """Other producers write null where Discord writes an empty list."""
    raw = forward(content="x")
    raw["message_snapshots"].append({"message": None})
    assert len(render({**raw, "attachments": None}).blocks) == 1


def test_odd_letters_of_files_become_writable():
    """Name, type and link."""
    one = attachment("a\ud83d.bin", "x/\ud83d", url="u\ud83d")
    assert said(one) == ["[attachment: a\ufffd.bin (x/\ufffd, 300B) — not inlined: u\ufffd]"]


@pytest.mark.parametrize(
    ("media_type", "tag"),
    [
        ("IMAGE/png", "chat:has-image"),
        ("audio/ogg", "chat:has-audio"),
        ("video/mp4", "chat:has-file"),
        (None, "chat:has-file"),
    ],
)
def test_a_kind_is_told_by_its_type(media_type, tag):
    """Without one it is a file."""
    assert render(message("", attachments=[attachment("x", media_type)])).tags[-1] == tag


@pytest.mark.parametrize(
    ("data", "is_moving"),
    [
        (b"GIF87a\x21\xf9\x04", False),
        (b"GIF89a\x21\xf9\x04\x21\xf9\x04", True),
        (b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x12", True),
        (b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\x10", False),
        (b"RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0", False),
        (b"RIFF\0\0\0\0WEBPVP8 \x0a\0\0\0\x02", False),
    ],
)
def test_moving_images_say_so(data, is_moving):
    """More than one frame, or the flag of an extended WebP; a file cut short has none."""
    assert moves(data) == is_moving
