"""A whole warmup, rows in and rows out: the ladder, stubs, what stands, what comes later."""

from tests.warmup.history import calls, is_merge, ladder, memories, mint, shape, write_history


def test_a_history_of_751_chunks_folds_as_the_live_strategy_would(tmp_path):
    """751 L1s, 125 L2s, 20 L3s and 3 L4s, through the stage itself."""
    write_history(tmp_path, 751, model="scripted", words=2)
    run = mint(tmp_path, name="scripted")
    assert ladder(tmp_path) == [751, 125, 20, 3]
    assert run.calls == 751 + 125 + 20 + 3
    assert run.left == []


def test_every_memory_stands_on_neighbours_and_sees_nothing_later(tmp_path):
    """Children are consecutive; a recall pair is always of a memory that stands before."""
    write_history(tmp_path, 40)
    mint(tmp_path)
    by_id = {m.memory_id: m for m in memories(tmp_path)}
    for memory in by_id.values():
        assert all(by_id[i].ended_at < memory.started_at for i in memory.shown_ids)
        assert all(by_id[i].number < memory.number for i in memory.shown_ids)
        if memory.level > 1:
            assert [by_id[i].parent_id for i in memory.source_ids] == [memory.memory_id] * 6


def test_a_thin_chunk_gets_its_stub_without_a_call(tmp_path):
    """It costs nothing, is marked, and is no recall of anything else."""
    write_history(tmp_path, 5, thin={2})
    run = mint(tmp_path)
    assert run.calls == 4
    stub = memories(tmp_path)[2]
    assert (stub.is_stub, stub.model, stub.tokens, stub.shown_ids) == (True, "stub", 40, ())
    assert "hardly anything was said" in stub.text


def test_what_is_minted_is_never_asked_for_again(tmp_path):
    """A second run sends nothing and changes nothing."""
    write_history(tmp_path, 14)
    mint(tmp_path)
    before = shape(tmp_path)
    assert mint(tmp_path).calls == 0
    assert shape(tmp_path) == before


def test_later_chunks_cost_themselves_and_the_runs_that_they_complete(tmp_path):
    """Ten chunks, then four more: four L1s, and the one merge that now has its six."""
    write_history(tmp_path, 10)
    mint(tmp_path)
    before = shape(tmp_path)
    write_history(tmp_path, 14)
    run = mint(tmp_path)
    assert [is_merge(request) for request in run.model.asked] == [False] * 4 + [True]
    assert [row[:4] for row in shape(tmp_path)[: len(before)]] == [row[:4] for row in before]
    assert ladder(tmp_path) == [14, 2]


def test_growing_in_steps_gives_the_same_levels_as_at_once(tmp_path):
    """The number of calls is that of one run over everything."""
    whole, grown = tmp_path / "whole", tmp_path / "grown"
    write_history(whole, 44)
    once = mint(whole).calls
    stepwise = 0
    for chunks in (3, 11, 12, 30, 44):
        write_history(grown, chunks)
        stepwise += mint(grown).calls
    assert (ladder(grown), stepwise) == (ladder(whole), once)


def test_each_call_is_on_record_with_what_it_used_and_cost(tmp_path):
    """One row a call, accepted, with usage and price; none is left unjudged."""
    write_history(tmp_path, 7)
    run = mint(tmp_path)
    noted = calls(tmp_path)
    assert [call.outcome for call in noted] == ["accepted"] * run.calls
    assert [call.purpose for call in noted].count("merge") == 1
    assert all(call.cost > 0 and call.currency == "EUR" and call.text for call in noted)
