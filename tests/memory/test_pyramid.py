"""The pyramid loses nothing: one step, one transaction; ids are issued once; old texts stay."""

import sqlite3
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.errors import ArtifactError
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.pyramid_file import rows_digest
from pipeline.memory.records import Call, FoldedChunk, FoldedItem, Memory, Quarantined, headline

START = datetime(2026, 1, 1, tzinfo=UTC)


def make_chunk(ordinal):
    """Give a chunk of two items."""
    items = tuple(
        FoldedItem(f"{ordinal}{k}", START + timedelta(hours=ordinal, minutes=k), f"line {k}")
        for k in range(2)
    )
    return FoldedChunk(f"c-{ordinal}", ordinal, "gap", items)


def make_l1(number, ordinal):
    """Give the memory of a chunk."""
    chunk = make_chunk(ordinal)
    return Memory(
        memory_id=f"L1-{number}",
        level=1,
        text=f"I remember stretch {ordinal}.",
        tokens=5,
        source_ids=chunk.item_ids,
        first_item_id=chunk.item_ids[0],
        last_item_id=chunk.item_ids[-1],
        started_at=START,
        ended_at=START,
        minted_at=START,
        model="scripted",
        prompt_version="1",
        chunk_id=chunk.chunk_id,
        rooms=("general",),
    )


def make_l2(number, *children):
    """Give the parent of these."""
    return replace(
        make_l1(number, 0), memory_id=f"L2-{number}", level=2, source_ids=children, chunk_id=None
    )


def make_call(outcome="accepted", digest="d1"):
    return Call(
        request_digest=digest,
        purpose="mint",
        target="c-0",
        level=1,
        model="scripted",
        asked_at=START,
        outcome=outcome,
        text="words",
    )


def filled(path):
    """Give a pyramid of two L1s and their parent."""
    pyramid = Pyramid(path)
    for number in range(2):
        pyramid.accept(make_l1(number, number), make_chunk(number))
    pyramid.accept(make_l2(2, "L1-0", "L1-1"))
    return pyramid


def test_what_was_accepted_comes_back_equal(tmp_path):
    """Records round-trip, children know their parent, the file is private."""
    with filled(tmp_path / "p.sqlite"):
        pass
    with Pyramid(tmp_path / "p.sqlite", read_only=True) as pyramid:
        first, _second, parent = pyramid.memories()
        assert first == replace(make_l1(0, 0), parent_id="L2-2")
        assert parent.source_ids == ("L1-0", "L1-1")
        assert [c.items for c in pyramid.chunks()] == [make_chunk(0).items, make_chunk(1).items]
    assert stat.S_IMODE((tmp_path / "p.sqlite").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "bad",
    [
        make_l2(5, "L1-0", "L1-9"),
        make_l2(5, "L1-0", "L1-1"),
        make_l2(2, "L1-1"),
        replace(make_l2(5, "L2-2"), memory_id="L4-5", level=4),
    ],
    ids=["missing child", "child has a parent", "number taken", "wrong level"],
)
def test_a_refused_step_leaves_nothing(tmp_path, bad):
    """All of a step or none of it."""
    with filled(tmp_path / "p.sqlite") as pyramid:
        before = rows_digest(tmp_path / "p.sqlite")
        with pytest.raises(ArtifactError):
            pyramid.accept(bad)
        assert rows_digest(tmp_path / "p.sqlite") == before
        assert pyramid.counter() == 3


def test_the_counter_never_goes_back(tmp_path):
    """Not even when the state is behind the memories."""
    with filled(tmp_path / "p.sqlite") as pyramid:
        pyramid.set_state("counter", "0")
        assert pyramid.counter() == 3


def test_a_complete_answer_is_found_and_a_failed_attempt_is_not(tmp_path):
    """Rejected ones count as answered: they are paid."""
    with Pyramid(tmp_path / "p.sqlite") as pyramid:
        pyramid.note_call(make_call("failed: connection reset"))
        assert pyramid.answered("d1") is None
        call_id = pyramid.note_call(make_call("answered"))
        pyramid.judge_call(call_id, "rejected: refusal")
        assert pyramid.answered("d1").outcome == "rejected: refusal"
        assert pyramid.answered("d2") is None


def test_an_old_text_stays_as_a_revision(tmp_path):
    """The id, the chunk and the place stay; the digest changes."""
    with filled(tmp_path / "p.sqlite") as pyramid:
        before = rows_digest(tmp_path / "p.sqlite")
        new = replace(pyramid.memory("L1-0"), text="Other words.", tokens=3)
        pyramid.revise(new, run="r1", rule="litany", reason="said again", now=START)
        assert pyramid.memory("L1-0").text == "Other words."
        assert [r.text for r in pyramid.revisions("L1-0")] == ["I remember stretch 0."]
        assert rows_digest(tmp_path / "p.sqlite") != before


def test_the_digest_is_that_of_rows_and_not_of_the_file(tmp_path):
    """A copy whose pages lie otherwise has the same digest; calls do not count."""
    with filled(tmp_path / "p.sqlite") as pyramid:
        pyramid.back_up(tmp_path / "copy.sqlite")
        pyramid.note_call(make_call())
    with sqlite3.connect(tmp_path / "copy.sqlite") as db:
        db.execute("vacuum")
    db.close()
    assert rows_digest(tmp_path / "p.sqlite") == rows_digest(tmp_path / "copy.sqlite")


def test_quarantine_is_left_when_the_memory_comes(tmp_path):
    """What was set aside is no longer there once it is accepted."""
    with Pyramid(tmp_path / "p.sqlite") as pyramid:
        pyramid.set_aside(Quarantined("c-0", 1, "refusal", 3, START))
        assert [q.target for q in pyramid.quarantined()] == ["c-0"]
        pyramid.accept(make_l1(0, 0), make_chunk(0))
        assert pyramid.quarantined() == []


def test_a_file_of_a_newer_schema_is_refused_with_a_word(tmp_path):
    """Nothing is guessed."""
    path = tmp_path / "p.sqlite"
    with sqlite3.connect(path) as db:
        db.execute("pragma user_version = 99")
    db.close()
    with pytest.raises(ArtifactError, match="schema 99"):
        Pyramid(path)


def test_a_file_that_is_no_database_is_told_in_one_line(tmp_path):
    """With what to do."""
    path = tmp_path / "p.sqlite"
    path.write_bytes(b"not a database at all" * 100)
    with pytest.raises(ArtifactError, match="backups/"):
        Pyramid(path)


def test_headlines_are_short_and_whole():
    """The first sentence that says something, without the extractive mark."""
    assert headline("[extractive memory]\nWe mended the lantern by the gate. Then tea.") == (
        "We mended the lantern by the gate."
    )
    assert len(headline("word " * 100)) <= 120
    assert headline("") == ""


def test_reading_leaves_the_folder_as_it_was(tmp_path):
    """No log and no index of it beside the file, before and after."""
    filled(tmp_path / "p.sqlite").close()
    before = {p.name: p.read_bytes() for p in tmp_path.iterdir()}
    with Pyramid(tmp_path / "p.sqlite", read_only=True) as pyramid:
        assert len(pyramid.memories()) == 3
    rows_digest(tmp_path / "p.sqlite")
    assert {p.name: p.read_bytes() for p in tmp_path.iterdir()} == before
    assert list(before) == ["p.sqlite"]


def test_a_heading_is_joined_by_the_sentence_behind_it():
    """A day and a room alone tell nothing; what was said there does, within the same length."""
    day = "[extractive memory]\nTuesday 30 June 2026, #workbench:\n"
    assert headline(day + "Bellringer: doors at half past six. Bring oil.") == (
        "Tuesday 30 June 2026, #workbench: Bellringer: doors at half past six."
    )
    assert headline(day + "word " * 100).startswith("Tuesday 30 June 2026, #workbench: word word")
    assert len(headline(day + "word " * 100)) <= 120
    assert headline("Tuesday:") == "Tuesday:"
