"""Attachments that lie beside an export or a corpus."""

import hashlib
import json

import pytest

from pipeline.testing import dce
from stages.dump.files import import_files
from stages.dump.files.media import Wanted, locate
from tests.dump.files_small import NOW, ROOM_ID, take

BODY = b"not really a picture"
SIZE = len(BODY)


def with_file(url, size=SIZE, name="bell.png"):
    """Give an export of one message with one attachment."""
    file = {"id": "1600000000000000001", "url": url, "fileName": name, "fileSizeBytes": size}
    return dce.document([dce.row(1, "look", attachments=[file])])


def put(tmp_path, relative, body=BODY):
    """Write a file beside the exports."""
    path = tmp_path / "in" / relative
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)


def states(raw):
    """Give the last state of each attachment."""
    return {row["attachment_id"]: row for row in raw.rows("attachments")}


@pytest.mark.parametrize(
    "url",
    ["a.json_Files/bell-1234567890abcdef.png", "a.json_Files\\bell-1234567890abcdef.png",
     "./a.json_Files/bell%2D1234567890abcdef.png"],
)  # fmt: skip
def test_a_file_in_the_media_folder_is_kept_under_its_digest(tmp_path, url):
    """Windows' slashes and percent signs too (2e.14)."""
    put(tmp_path, "a.json_Files/bell-1234567890abcdef.png")
    dce.write_export(tmp_path / "in", with_file(url), name="a.json")
    raw, _ = take(tmp_path, tmp_path / "in")
    (row,) = states(raw).values()
    digest = hashlib.sha256(BODY).hexdigest()
    assert (row["state"], row["sha256"], row["bytes"]) == ("kept", digest, len(BODY))
    assert row["content_type"] == "image/png"
    assert raw.attachment_path(digest).read_bytes() == BODY


@pytest.mark.parametrize("body", [b"", b"half"])
def test_a_file_of_the_wrong_size_is_not_taken(tmp_path, body):
    """An interrupted download leaves such files for ever (B066)."""
    put(tmp_path, "a.json_Files/77-a.png", body)
    dce.write_export(tmp_path / "in", with_file("a.json_Files/77-a.png", 2048), name="a.json")
    raw, _ = take(tmp_path, tmp_path / "in")
    (row,) = states(raw).values()
    assert row["state"] == "failed"
    assert f"the file has {len(body)} bytes, the message says 2048" in row["reason"]
    assert not (raw.root / "attachments").exists()


def test_a_link_is_noted_as_not_asked(tmp_path):
    """An import from files asks nobody."""
    dce.write_export(tmp_path / "in", with_file("https://cdn.discordapp.com/attachments/1/2/a.png"))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert [row["state"] for row in states(raw).values()] == ["not asked"]


def test_a_file_that_is_not_there_is_told(tmp_path):
    """The folder was not copied along."""
    dce.write_export(tmp_path / "in", with_file("a.json_Files/a.png"))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert [row["state"] for row in states(raw).values()] == ["failed"]


@pytest.mark.parametrize(
    "url", ["../secret.txt", "/etc/hostname", "a/../../secret.txt", "..\\secret.txt", "link.txt"]
)
def test_no_path_of_an_export_leads_out_of_the_named_folder(tmp_path, url):
    """Dumped text is data: not even through a symbolic link."""
    put(tmp_path, "a.txt")
    (tmp_path / "secret.txt").write_bytes(BODY)
    (tmp_path / "in" / "link.txt").symlink_to(tmp_path / "secret.txt")
    dce.write_export(tmp_path / "in", with_file(url, name="a.txt"), name="a.json")
    raw, _ = take(tmp_path, tmp_path / "in")
    assert [row["state"] for row in states(raw).values()] == ["failed"]


def test_names_of_any_length_are_only_names(tmp_path):
    """Bytes are stored by digest (B067)."""
    name = "a." + "x" * 300
    put(tmp_path, "a.json_Files/a.bin")
    dce.write_export(tmp_path / "in", with_file("a.json_Files/a.bin", name=name), name="a.json")
    dce.write_export(tmp_path / "in", with_file("b/" + "y" * 5000), name="b.json")
    raw, _ = take(tmp_path, tmp_path / "in")
    assert states(raw)["1600000000000000001"]["state"] == "kept"


def test_a_media_folder_that_comes_later_is_taken(tmp_path):
    """The export itself stands as it stood."""
    dce.write_export(tmp_path / "in", with_file("a.json_Files/a.png"), name="a.json")
    take(tmp_path, tmp_path / "in")
    put(tmp_path, "a.json_Files/a.png")
    raw, done = take(tmp_path, tmp_path / "in")
    assert states(raw)["1600000000000000001"]["state"] == "kept"
    assert (done.fresh, done.changed) == (0, 0)


def test_unwanted_files_are_not_kept(tmp_path):
    """The knobs for attachments hold here too."""
    from pipeline.raw import Raw

    put(tmp_path, "a.json_Files/a.png")
    dce.write_export(tmp_path / "in", with_file("a.json_Files/a.png"), name="a.json")
    raw = Raw(tmp_path / "raw")
    small = Wanted("small", lambda row: ("too large", "over 3 bytes"))
    import_files(raw, [tmp_path / "in"], now=NOW, wanted=small)
    assert states(raw)["1600000000000000001"]["state"] == "too large"
    import_files(raw, [tmp_path / "in"], now=NOW, wanted=small)
    assert len(list(raw.rows("attachments"))) == 1
    done = import_files(raw, [tmp_path / "in"], now=NOW)  # another choice looks again
    assert states(raw)["1600000000000000001"]["state"] == "kept"
    assert (done.fresh, done.changed) == (0, 0)


def test_a_corpus_may_have_its_files_by_id(tmp_path):
    """`files/<attachment id>`, also of what was forwarded."""
    folder = tmp_path / "in"
    file = {"filename": "a.txt", "size": len(BODY), "content_type": "text/plain", "url": "u"}
    row = {"id": "1", "channel_id": ROOM_ID, "type": 0, "content": "", "author": {"id": "2"},
           "timestamp": "2026-01-01T00:00:00+00:00", "attachments": [{"id": "71", **file}],
           "message_snapshots": [{"message": {"attachments": [{"id": "72", **file}]}}]}  # fmt: skip
    (folder / "messages").mkdir(parents=True)
    (folder / "guild.json").write_text('{"guilds": []}')
    (folder / "messages" / f"{ROOM_ID}.jsonl").write_text(json.dumps(row) + "\n")
    put(tmp_path, "files/71")
    raw, _ = take(tmp_path, folder)
    found = states(raw)
    assert {key: row["state"] for key, row in found.items()} == {"71": "kept", "72": "not asked"}
    assert found["71"]["filename"] == "a.txt"


def test_locate_gives_nothing_for_the_outside(tmp_path):
    """Links with a scheme are no paths; everything else is one, there or not."""
    assert locate("https://x.invalid/a.png", tmp_path, tmp_path) is None
    assert locate("", tmp_path, tmp_path) is None
    assert locate("a\x00b", tmp_path, tmp_path) is not None
