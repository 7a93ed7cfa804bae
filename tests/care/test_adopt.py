"""A folder filled from a store: what comes over, who may write there, when it is stale."""

from datetime import UTC, datetime
from pathlib import Path

import polars as pl
import pytest
from click.testing import CliRunner

from pipeline.care.adopt import Adoption, adopt_store
from pipeline.care.adopt_rows import transcript_rows
from pipeline.care.storereader_session import Message
from pipeline.cli import main
from pipeline.errors import SourceError, StageError, UsageError
from pipeline.memory.pyramid import Pyramid
from pipeline.runner import Wish, open_house, run
from pipeline.workspace import Workspace
from tests.care.stores import memory_store, summary

NOW = datetime(2026, 12, 1, tzinfo=UTC)


def adopted(root: Path, *, packed: bool = False) -> tuple[Workspace, Adoption]:
    """Adopt a sound store."""
    store = root / "store"
    if not store.exists():
        memory_store(store, packed=packed).write()
    folder = Workspace(root / "tilly")
    return folder, adopt_store(store, folder, agent=None, now=lambda: NOW)


@pytest.mark.parametrize("packed", [False, True])
def test_transcript_chunks_and_pyramid_come_over(tmp_path: Path, *, packed: bool) -> None:
    """Everything that the store says stands in the folder, sound, in store order."""
    folder, done = adopted(tmp_path, packed=packed)
    assert (done.items, done.chunks, done.memories) == (48, 12, 14)
    assert (done.notes, done.breaches) == ((), ())
    rows = pl.read_parquet(folder.root / "tables/transcript.parquet")
    assert rows["position"].to_list() == list(range(48))
    assert rows["item_id"][0] == "1700000000000000000"
    assert rows["body"][0] == "the bell rang 0"
    chunks = pl.read_parquet(folder.root / "tables/chunks.parquet")
    assert chunks["messages"].to_list() == [4] * 12
    with Pyramid(folder.root / "pyramid.sqlite", read_only=True) as pyramid:
        memories = {m.memory_id: m for m in pyramid.memories()}
        assert pyramid.counter() == 14
    assert memories["L1-0"].parent_id == "L2-6"
    assert memories["L1-0"].source_ids == tuple(rows["item_id"][:4])
    assert memories["L2-6"].text == "I heard the bell, L2-6."


@pytest.mark.parametrize("stage", ["dump", "curate", "segment", "warmup"])
def test_the_stages_that_adopt_stands_for_refuse(tmp_path: Path, stage: str) -> None:
    """Adopt is the one writer of such a folder."""
    folder, _ = adopted(tmp_path)
    with pytest.raises(StageError, match="adopt alone"):
        run(open_house(folder), Wish(stages=(stage,)))
    with pytest.raises(StageError, match="adopt alone"):
        run(open_house(folder), Wish(stages=(stage,), dry_run=True))


def test_staleness_is_judged_against_the_store(tmp_path: Path) -> None:
    """A store that was written since makes the folder stale; adopting again mends it."""
    folder, _ = adopted(tmp_path)
    house = open_house(folder)
    assert house.stale(house.stage("curate")) is None
    made = memory_store(tmp_path / "other", items=52)
    (tmp_path / "store" / "records.log").write_bytes(bytes(made.log))
    assert "moved on" in str(house.stale(house.stage("curate")))
    made.root = tmp_path / "store"
    made.write()
    _, done = adopted(tmp_path)
    assert done.items == 52
    assert house.stale(house.stage("curate")) is None


def test_an_imported_agent_is_never_written_over(tmp_path: Path) -> None:
    """A folder that came from Discord stays what it is."""
    (tmp_path / "tilly").mkdir()
    (tmp_path / "tilly" / "agent.toml").write_text('[agent]\nname = "tilly"\n')
    with pytest.raises(UsageError, match="imported, not adopted"):
        adopted(tmp_path)


def test_whose_memory_is_asked_where_there_are_two(tmp_path: Path) -> None:
    """Nothing is guessed: two agents in one store need a name."""
    made = memory_store(tmp_path / "store")
    made.snapshot("agents/oona/autobio:summaries", [])
    made.snapshot("agents/tilly/novelty", 1)
    made.write()
    with pytest.raises(SourceError, match="oona, tilly"):
        adopted(tmp_path)
    folder = Workspace(tmp_path / "tilly")
    done = adopt_store(tmp_path / "store", folder, agent="tilly", now=lambda: NOW)
    assert "slot agents/tilly/novelty is not known here" in done.notes


def test_the_command_tells_what_breaks(tmp_path: Path) -> None:
    """Breaches are told by rule and subject, and errors make the exit code 1."""
    made = memory_store(tmp_path / "store")
    made.snapshot("agents/tilly/autobio:counter", 2)
    made.write()
    result = CliRunner().invoke(
        main, ["adopt", str(tmp_path / "store"), "--agent", str(tmp_path / "tilly")]
    )
    assert result.exit_code == 1
    assert "error I1 counter" in result.output


def test_a_turn_stands_in_the_room_that_its_receipt_names() -> None:
    """A store gives turns no room; the receipt behind it does, and is called after it."""
    room = "discord:1100000000000000001:1200000000000000002"
    told = [
        ("tilly", "Lit.", {"messageIds": ["1700000000000000007", "1700000000000000008"]}),
        ("user", f"[delivered] plain speech → #shed (Yard) ({room})", {"kind": "delivery-receipt"}),
    ]
    rows = transcript_rows(
        [
            Message(str(n), who, [{"type": "text", "text": text}], 1_780_000_000_000, n, meta)
            for n, (who, text, meta) in enumerate(told)
        ],
        "tilly",
    )
    assert [row["channel_id"] for row in rows] == ["1200000000000000002"] * 2
    assert [row["item_id"] for row in rows] == [
        "1700000000000000007",
        "1700000000000000007/receipt",
    ]
    assert rows[0]["message_ids"] == ["1700000000000000007", "1700000000000000008"]


def test_a_memory_on_nothing_is_told_and_left_out(tmp_path: Path) -> None:
    """A foreign store with a missing child costs that memory, with a line, and no more."""
    made = memory_store(tmp_path / "store")
    made.append("agents/tilly/autobio:summaries", [summary("L2-90", 2, ["L1-77"], ["1"])])
    made.write()
    folder, done = adopted(tmp_path)
    assert {(b.rule, b.subject) for b in done.breaches} >= {("I2", "L2-90")}
    with Pyramid(folder.root / "pyramid.sqlite", read_only=True) as pyramid:
        assert len(pyramid.memories()) == 14
