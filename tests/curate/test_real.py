"""The real inputs: counts that anybody can check. No word of them stands here."""

import json
import shutil

import polars as pl
import pytest

from tests.curate.build import run
from tests.real import SHARED, needs_real

pytestmark = [pytest.mark.real, needs_real]


def as_raw(corpus, root):
    """Lay a corpus folder out as a raw folder; gives agent.toml's text."""
    told = json.loads((corpus / "guild.json").read_text())
    (root / "raw").mkdir(parents=True)
    shutil.copytree(corpus / "messages", root / "raw" / "messages")
    tables = {"guilds": [], "channels": [], "members": []}
    for guild in told["guilds"]:
        tables["guilds"].append((None, {k: guild[k] for k in ("id", "name", "roles")}))
        tables["channels"] += [(guild["id"], channel) for channel in guild["channels"]]
        tables["members"] += [(guild["id"], member) for member in guild["members"]]
    tables["channels"] += [(None, dm) for dm in told.get("dms", ())]
    for name, pairs in tables.items():
        lines = [json.dumps({"guild_id": g, "fetched_at": "", "object": o}) for g, o in pairs]
        (root / "raw" / f"{name}.jsonl").write_text("".join(line + "\n" for line in lines))
    name, own = told["self"]["username"], told["self"]["id"]
    return f'[agent]\nname = "{name}"\n[self]\nusers = ["{own}"]\n'


@pytest.mark.slow
def test_ubuntu_irc(tmp_path):
    """25,712 messages selected, 4 of them blank and so left out; receipts are items too."""
    found = run(tmp_path, agent=as_raw(SHARED / "data/ubuntu-irc", tmp_path))
    assert found.said[0].startswith(
        "69,898 messages in 1 room: 25,712 selected, 4 of them left out; 44,186 not perceived "
        "(3,068 messages by the agent"
    )
    assert found.rejects["reason"].to_list() == ["no text, attachment or forward"] * 4
    kinds = dict(found.transcript["kind"].value_counts().iter_rows())
    assert kinds["turn"] == kinds["receipt"]
    assert found.transcript["position"].equals(pl.Series("position", range(sum(kinds.values()))))
    assert found.transcript["sent_at"].is_sorted()
    assert sum(len(ids) for ids in found.transcript["message_ids"].to_list()) == 25_708


@pytest.mark.parametrize("conversation", ["26", "41", "43", "47", "49"])
def test_locomo(tmp_path, conversation):
    """A DM is kept in full; the first line alone names the room."""
    corpus = SHARED / f"data/locomo/conv-{conversation}"
    found = run(tmp_path, agent=as_raw(corpus, tmp_path))
    lines = sum(p.read_bytes().count(b"\n") for p in (corpus / "messages").iterdir())
    assert sum(len(ids) for ids in found.transcript["message_ids"].to_list()) == lines
    assert found.rejects.height == 0
    heard = found.transcript.filter(pl.col("kind") == "message")["text"].to_list()
    assert [text.startswith("[DM] ") for text in heard] == [True] + [False] * (len(heard) - 1)
