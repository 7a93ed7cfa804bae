"""What the page shows comes from the folder's tables and pyramid; a deleted page is made again."""

import polars as pl
import pytest

from pipeline.artifacts import dtypes, write_table
from pipeline.config import load_agent
from pipeline.raw import Raw
from pipeline.runner import open_house
from pipeline.schemas import EXPLORER, PROBES, ROOMS
from pipeline.stage import Context
from pipeline.workspace import Workspace
from stages.explore import ExploreKnobs, explore
from stages.explore.gathering import gather
from tests.probe.small import ROOM, write_agent

TALK = [("bram", "the kettle sings"), ("tilly", "I hear it."), *[("bram", "tea")] * 18]


@pytest.fixture
def folder(tmp_path):
    """Give an agent with twenty items, two rows of rooms and one memory over the first ten."""
    memories = [("L1-0", [f"i{n}" for n in range(10)], "I heard the kettle at the gate. Then tea.")]
    root = write_agent(tmp_path / "tilly", TALK, memories)
    room = dict.fromkeys(ROOMS.columns) | {
        "channel_id": ROOM, "name": "yard", "is_private": False, "messages": 20,
        "selected": 20, "raw_bytes": 1,
    }  # fmt: skip
    write_table(root, ROOMS, pl.DataFrame([room], schema=dtypes(ROOMS)))
    return root


def context(root, **options):
    """Give what the stage gets, its words thrown away."""
    agent = load_agent(root, ("explore",), {})
    return Context(
        stage=explore, folder=Workspace(root), agent=agent, knobs=ExploreKnobs(),
        raw=Raw(root / "raw"), options=options, out=lambda _line: None, err=lambda _line: None,
    )  # fmt: skip


def test_gather_gives_talk_memories_and_next_context(folder):
    """Names for rooms and people, places for memories, the context as it is now first."""
    data = gather(context(folder))
    assert len(data["t"]) == 20
    assert data["x"][0] == "the kettle sings"
    assert [data["rooms"][place] for place in data["r"]] == ["yard"] * 20
    assert data["people"] == ["bram", "tilly"]
    assert data["notice"] == [0] * 20
    (memory,) = data["memories"]
    assert (memory["id"], memory["first"], memory["last"]) == ("L1-0", 0, 9)
    assert memory["headline"] == "I heard the kettle at the gate."
    assert data["contexts"][0]["refusal"] is None
    assert sum(segment[2] for segment in data["contexts"][0]["segments"]) >= 20


def test_gather_needs_no_pyramid(tmp_path, folder):
    """Before the first warmup the page shows the talk alone."""
    (folder / "pyramid.sqlite").unlink()
    data = gather(context(folder))
    assert data["memories"] == []
    assert len(data["t"]) == 20


def test_the_stage_writes_page_and_figures(folder):
    """One page, a figure of the talk and of the levels; none of cost where nothing was asked."""
    explore.run(context(folder))
    assert (folder / EXPLORER.path).read_text("utf-8").startswith("<!doctype html>")
    names = {path.name for path in (folder / "reports").glob("*.png")}
    assert names == {"messages-per-day.png", "memories-by-level.png"}


def test_a_deleted_page_is_stale(folder):
    """The page is an artifact like any other: its digest goes with it."""
    explore.run(context(folder))
    house = open_house(Workspace(folder))
    assert house.state(explore).outputs["explorer"] is not None
    (folder / EXPLORER.path).unlink()
    assert house.state(explore).outputs == {"explorer": None}


def test_what_a_probe_found_lost_is_told_at_its_memory(folder):
    """Once for each question and memory, however many ways of asking there were."""
    row = dict.fromkeys(PROBES.columns) | {
        "question_id": "q1", "ask": "Which pot sings?", "kind": "fact", "is_private": False,
        "evidence_ids": ["m0"], "missing_ids": [], "held_ids": [], "lost_ids": ["L1-0"],
    }  # fmt: skip
    rows = [row | {"way": way} for way in ("search", "a model")]
    write_table(folder, PROBES, pl.DataFrame(rows, schema=dtypes(PROBES)))
    (found,) = gather(context(folder))["findings"]
    assert (found["rule"], found["subject"]) == ("probe", "L1-0")
    assert found["message"].endswith("Which pot sings?")
