"""Credentials: gone from every derived place, told by shape, never by value."""

import json
import random
import string

from tests.curate.build import ANN, BO, CHANNELS, GUILD, ME, YARD, message, run


def secret(seed=1):
    """Make a token of a known kind at run time: nothing of the sort is ever stored."""
    rng = random.Random(seed)
    return "ghp_" + "".join(rng.choices(string.ascii_letters + string.digits, k=36))


def everything(root):
    """All bytes of all derived files, Parquet decoded."""
    import polars as pl

    frames = [str(pl.read_parquet(p).to_dicts()) for p in (root / "tables").glob("*.parquet")]
    texts = [p.read_text() for p in (root / "tables").glob("*.jsonl")]
    return "\n".join([*frames, *texts, *(p.read_text() for p in (root / "reports").glob("*"))])


def test_a_secret_stands_nowhere_in_what_is_derived(tmp_path):
    """Text, body, blocks, metadata, JSONL, report, stdout: the span alone is replaced."""
    token = secret()
    talk = [message(0, ANN, f"use {token} for now", to_me=True), message(60, ME, f"ok: {token}")]
    found = run(tmp_path, {YARD: talk})
    assert token not in everything(tmp_path)
    assert token not in "\n".join(found.said)
    assert found.texts[0] == "[#yard in Lantern Yard] ann: use [redacted-secret] for now"
    metadata = json.loads(found.transcript["metadata"][0])
    assert metadata["rawContent"] == "use [redacted-secret] for now"
    assert found.transcript["body"][0] == "use [redacted-secret] for now"
    assert token in (tmp_path / "raw" / "messages" / f"{YARD}.jsonl").read_text()


def test_a_redaction_is_told_by_rule_place_words_and_shape(tmp_path):
    """REDACTIONS: where it stood before redaction, five words each side, a mask."""
    token = secret(2)
    found = run(tmp_path, {YARD: [message(0, ANN, f"a b c d e f {token} g", to_me=True)]})
    row = found.redactions.row(0, named=True)
    assert row["field"] == "text"
    before = "[#yard in Lantern Yard] ann: a b c d e f "
    assert (row["start"], row["end"]) == (len(before), len(before) + len(token))
    assert (row["before"], row["after"]) == ("b c d e f", "g")
    assert row["message_id"] == row["item_id"]
    assert row["mask"]
    assert row["mask"] not in token
    assert any(row["rule"] in line for line in found.said)


def test_names_are_redacted_too(tmp_path):
    """A secret in a room's or a person's name is in metadata and tables of names as well."""
    token = secret(3)
    named = CHANNELS | {YARD: {"id": YARD, "type": 0, "name": f"x {token}", "guild_id": GUILD}}
    by = message(0, ANN, to_me=True)
    by["author"] = {"id": ANN, "username": f"key {secret(4)}"}
    run(tmp_path, {YARD: [by, message(60, ME)]}, raw={"channels": named})
    assert token not in everything(tmp_path)
    assert secret(4) not in everything(tmp_path)


def test_a_text_file_is_redacted_in_its_block(tmp_path):
    """Blocks are cut where the joined text was hit, each in its own place."""
    import hashlib

    token = secret(5)
    data = f"one\nTOKEN {token}\nthree".encode()
    digest = hashlib.sha256(data).hexdigest()
    path = tmp_path / "raw" / "attachments" / digest[:2] / digest
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    file = {"id": "5", "filename": "n.txt", "content_type": "text/plain", "size": len(data)}
    row = {"attachment_id": "5", "state": "kept", "sha256": digest, "content_type": "text/plain"}
    talk = [message(0, ANN, f"see {token}", to_me=True, attachments=[{**file, "url": "u"}])]
    found = run(tmp_path, {YARD: talk}, raw={"attachments": [row]})
    blocks = [b["text"] for b in found.transcript["blocks"][0].to_list()]
    assert blocks[0].endswith("see [redacted-secret]")
    assert blocks[1].endswith("one\nTOKEN [redacted-secret]\nthree")
    assert "\n".join(blocks) == found.texts[0]
    assert found.redactions.height == 2


def test_the_owner_keeps_and_adds(tmp_path):
    """`keep` lets a value stand; `extra` takes what the owner says, anywhere."""
    token = secret(6)
    talk = {YARD: [message(0, ANN, f"{token} and moonstone-7", to_me=True)]}
    found = run(tmp_path, talk, redact={"keep": [token], "extra": [r"moonstone-\d"]})
    assert found.texts[0].endswith(f"{token} and [redacted-secret]")


def test_addresses_are_no_credentials_unless_asked(tmp_path):
    """Mail addresses stay; a knob takes them."""
    talk = {YARD: [message(0, BO, "write to quill@example.org", to_me=True)]}
    assert "quill@example.org" in run(tmp_path, talk).texts[0]
    assert "quill@" not in run(tmp_path, redact={"addresses": True}).texts[0]


def test_thousands_of_secrets_in_one_message_are_replaced_at_once(tmp_path):
    """Each has its row and its words; a copy that no rule would find goes too."""
    words = [f"Kuh{number:03}glocke" for number in range(300)]
    text = "\n".join(f"password={word}" for word in words) + f"\nand {words[7]} again"
    found = run(tmp_path, {YARD: [message(0, ME, text)]})
    assert found.redactions.height == len(words)
    assert not any(word in everything(tmp_path) for word in words)
    assert found.transcript["body"][0].endswith("and [redacted-secret] again")
    row = found.redactions.row(150, named=True)
    assert row["before"].endswith("password=[redacted-secret] password=")
    assert row["after"].startswith("password=[redacted-secret]")
