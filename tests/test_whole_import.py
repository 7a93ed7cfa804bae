"""The main job: the same history over the wire and from files becomes the same tables."""

from pathlib import Path

import pytest

from pipeline.runner import Wish, open_house, run
from pipeline.testing.community import write_community
from pipeline.testing.double import Double
from pipeline.workspace import Workspace
from tests.real import SHARED, needs_real

STAGES = ("dump", "curate", "segment")
SAME = ("transcript.parquet", "transcript.jsonl", "chunks.parquet")
UBOTTU = "1300081208136407413"


def import_into(root, agent_toml, env):
    """Run the import in a folder of its own; gives what was said."""
    root.mkdir()
    (root / "agent.toml").write_text(agent_toml, encoding="utf-8")
    house = open_house(Workspace(root))
    said = []
    house.env, house.out, house.err = env, said.append, said.append
    assert run(house, Wish(stages=STAGES)) == []
    return said


def both_ways(tmp_path, corpus, name, own_ids, extra=""):
    """Import a corpus over the wire and from files; gives the two folders."""
    facts = f'[agent]\nname = "{name}"\n'
    own = f"[self]\nusers = {list(own_ids)!r}\n".replace("'", '"')
    with Double(Path(corpus)) as double:
        wire = f'[dump]\napi_base = "{double.url}"\nmax_requests_per_second = 0\n'
        import_into(tmp_path / "wire", facts + own + wire + extra, {"DISCORD_TOKEN": double.token})
        assert double.writes() == []
        again = [r for r in double.repeated() if r.route == "messages"]
        assert {r.query for r in again} <= {"limit=100"}  # the plan looks at a room's newest page
    files = f'source = "files"\nfiles = ["{corpus}"]\n'
    import_into(tmp_path / "files", facts + files + own + extra, {})
    return tmp_path / "wire", tmp_path / "files"


def differing(one, other):
    """Name the tables that are not the same bytes."""
    return [
        name
        for name in SAME
        if (one / "tables" / name).read_bytes() != (other / "tables" / name).read_bytes()
    ]


@pytest.mark.real
@pytest.mark.slow
@needs_real
def test_ubuntu_irc_over_the_wire_is_ubuntu_irc_from_files(tmp_path):
    """To the byte, and with one request for each page."""
    wire, files = both_ways(tmp_path, SHARED / "data/ubuntu-irc", "ubottu", [UBOTTU])
    assert differing(wire, files) == []


@pytest.mark.real
@needs_real
def test_a_dm_over_the_wire_is_the_dm_from_files(tmp_path):
    """A locomo history is one DM, named in [scope]."""
    corpus = SHARED / "data/locomo/conv-26"
    own, dm = "1300036125627949029", "1500000000000000026"
    wire, files = both_ways(tmp_path, corpus, "melanie", [own], f'[scope]\ndms = ["{dm}"]\n')
    assert differing(wire, files) == []


def test_an_unread_room_is_all_that_the_wire_lacks(tmp_path):
    """Of the invented community the wire gives what the bot may read; the rest is the same text."""
    import polars as pl

    community = write_community(tmp_path / "corpus")
    dms = list(community.dm_channel_ids)
    extra = f"[scope]\ndms = {dms!r}\n".replace("'", '"')
    wire, files = both_ways(
        tmp_path, community.folder, community.agent, community.self_user_ids, extra
    )
    ours = pl.read_parquet(wire / "tables/transcript.parquet", columns=["item_id", "body"])
    theirs = pl.read_parquet(files / "tables/transcript.parquet", columns=["item_id", "body"])
    both = ours.join(theirs, on="item_id", how="inner", suffix="_files")
    assert both.height > 4_000
    assert both.filter(pl.col("body") != pl.col("body_files")).height == 0
