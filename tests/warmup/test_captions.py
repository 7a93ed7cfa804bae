"""What an attachment shows, told behind its line and nowhere else."""

import json

from pipeline.raw import Raw
from stages.warmup.captions import NO_CAPTIONS, read_captions

PICTURE = "[image attachment: image.png]"


def text(words):
    """Give a text block."""
    return {"type": "text", "text": words, "attachment_id": None}


def row(*blocks, message="500"):
    """Give a row of the transcript with these blocks after its line."""
    whole = [text("ann: look"), *blocks]
    words = "\n".join(block["text"] for block in whole if block["type"] == "text")
    return {"text": words, "blocks": whole, "message_ids": [message]}


def read(root, captions, *messages):
    """Write captions and raw messages, each with the ids of its attachments, and read them."""
    (root / "raw/messages").mkdir(parents=True)
    with (root / "raw/messages/1.jsonl").open("w") as file:
        for message_id, ids in messages:
            attached = [{"id": one, "filename": "image.png"} for one in ids]
            file.write(json.dumps({"id": message_id, "attachments": attached}) + "\n")
        file.write('{"id": "9", "attachments": [{"filename"\n{"filename": torn')
    (root / "captions").mkdir()
    for attachment_id, words in captions.items():
        (root / f"captions/{attachment_id}.txt").write_text(words)
    return read_captions(root / "captions", Raw(root / "raw"))


def test_a_caption_stands_behind_the_line_of_its_picture(tmp_path):
    """On one line; fetched or not, and of two with one name behind the right one."""
    captions = read(tmp_path, {"21": "a bell\non a rope\n"}, ("500", ["20", "21", "22"]))
    image = {"type": "image", "text": None, "attachment_id": "20"}
    other = text("[attachment: c.pdf (x, 1B) — not inlined: u]")
    found = captions.text_of(row(image, text(PICTURE), text(PICTURE), other))
    assert found.splitlines() == [
        "ann: look", PICTURE, PICTURE, "[what it shows: a bell on a rope]", other["text"],
    ]  # fmt: skip


def test_a_changed_message_has_the_attachments_of_its_last_line(tmp_path):
    """As curate reads it."""
    captions = read(tmp_path, {"21": "a bell"}, ("500", ["20", "21"]), ("500", ["21"]))
    assert captions.text_of(row(text(PICTURE))).endswith("[what it shows: a bell]")


def test_a_caption_reaches_no_message_but_its_own(tmp_path):
    """Not even one that writes the id down."""
    captions = read(tmp_path, {"21": "a bell"}, ("500", ["21"]), ("600", ["22"]))
    other = row(text("[attachment: a.png (x) — not inlined: https://a/21/a.png]"), message="600")
    assert captions.text_of(other) == other["text"]


def test_blank_captions_and_no_folder_change_nothing(tmp_path):
    """Then raw is not even opened."""
    assert read(tmp_path, {"21": " \n"}, ("500", ["21"])) == NO_CAPTIONS
    assert read_captions(tmp_path / "missing", raw=None) == NO_CAPTIONS
