"""Head, tail and chunks lie where the live host would put them; each rule has its own test."""

import json
from datetime import UTC, datetime

import polars as pl
import pytest

from pipeline.artifacts import dtypes
from pipeline.memory.folding import (
    Cut,
    Record,
    Windows,
    close_chunks,
    head_end,
    head_start,
    held_back,
    is_broken,
    open_frontier,
    open_places,
    tail_start,
    windows,
)
from pipeline.memory.history import History, read_history, source_digest, spell
from pipeline.memory.merging import MergeRules
from pipeline.memory.rulers import (
    IMAGE_GONE,
    IMAGE_TOKENS,
    chunk_tokens,
    silence_tokens,
    store_tokens,
    text_tokens,
)
from pipeline.memory.schedule import Fold, Slot, run_out
from pipeline.schemas import TRANSCRIPT
from tests.memory.talk import make_history
from tests.real import SHARED, needs_spec

VECTORS = SHARED / "spec" / "folding-vectors.jsonl"
LINES = VECTORS.read_text().splitlines() if VECTORS.is_file() else []
CASES = [json.loads(line) for line in LINES]


def cuts(history, places=None, **knobs):
    """Give (first, last, why) of the chunks; without places everything may be folded."""
    places = range(len(history)) if places is None else places
    cut = Cut(**{"target_chunk_tokens": 1_000, "gap_min_tokens": 0, **knobs})
    return [(c.first, c.last, c.closed_by) for c in close_chunks(history, places, cut)]


# -- the recorded histories ---------------------------------------------------------------------


def of_case(case):
    """Measure a recorded history by the exact rulers."""
    items = [[{"type": "text", "text": message["text"]}] for message in case["messages"]]
    return History(
        item_ids=[str(at) for at in range(len(items))],
        sent_at_ms=[message["timestamp_ms"] for message in case["messages"]],
        store_tokens=[store_tokens(item) for item in items],
        chunk_tokens=[chunk_tokens(item) for item in items],
        silence_tokens=[silence_tokens(item) for item in items],
        is_private=[False] * len(items),
        images=[0] * len(items),
    )


@needs_spec
def test_the_recorded_histories_are_there():
    """Twelve cases, so that the test below cannot pass by testing nothing."""
    assert len(CASES) == 12


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["case"])
def test_recorded_histories_fold_as_written(case):
    """Head, tail, chunks, open remainder, minting order and parents are those of the vectors."""
    history, want, numbers = of_case(case), case["expected"], dict(case["settings"])
    rules = MergeRules(
        numbers.pop("fan_in"),
        numbers.pop("max_speculative_l1s"),
        numbers.pop("merge_max_source_span_messages"),
    )
    cut = Cut(**numbers)
    zone = windows(history, cut)
    chunks = close_chunks(history, open_places(zone), cut)
    assert (zone.head_end, zone.tail_start) == (want["head_end"], want["tail_start"])
    told = [{"first": c.first, "last": c.last, "closed_by": c.closed_by} for c in chunks]
    assert told == want["chunks"]
    assert min(open_frontier(zone, (), chunks), default=None) == want["open_from"]
    fold = Fold([Slot(f"c{at}", len(c)) for at, c in enumerate(chunks)], rules)
    minted = [{"id": m, "level": n, "sources": list(of)} for m, n, of in run_out(fold)]
    assert minted == want["minted_in_order"]
    assert fold.parents == want["parents"]


# -- head ---------------------------------------------------------------------------------------


def test_the_item_that_passes_the_limit_is_outside_the_head():
    """A sum equal to the limit is still inside."""
    history = make_history([10, 10, 10, 10])
    assert head_end(history, 20) == 2
    assert head_end(history, 19) == 1
    assert head_end(history, 40) == 4
    assert head_end(history, 39) == 3


def test_no_head_without_a_limit():
    """Zero keeps nothing, though the first item is empty."""
    assert head_end(make_history([0, 10]), 0) == 0


def test_the_head_does_not_end_on_a_tool_call():
    """A call whose result would fall outside is left to the middle with it."""
    assert head_end(make_history([10, 10, 10, 10], calls=[1]), 20) == 1


def test_the_head_begins_at_the_newest_topic():
    """What lay before it may be folded then."""
    history = make_history([10] * 8, topics=[1, 3])
    assert head_start(history) == 3
    assert head_end(history, 20) == 5
    zone = windows(history, Cut(head_tokens=20, tail_tokens=10))
    assert list(open_places(zone)) == [0, 1, 2, 5, 6]


def test_the_head_is_anchored_to_what_is_owned():
    """When prices rise the head keeps its end, or a few old items would be folded last of all."""
    owned = range(8, 48)
    dear = make_history([16] * 48)
    assert head_end(make_history([10] * 48), 80, owned) == 8
    assert head_end(dear, 80, owned) == 8
    assert head_end(dear, 80) == 5


def test_the_anchor_reaches_to_twice_the_limit_and_no_further():
    """At exactly twice the limit the head still grows; one token more and it stays short."""
    owned = [8, 9]
    assert head_end(make_history([20] * 10), 80, owned) == 8
    assert head_end(make_history([20] * 7 + [21, 20, 20]), 80, owned) == 4


def test_the_anchor_only_repairs_shrinkage():
    """A head that ends inside what is owned stays where it ends."""
    assert head_end(make_history([10] * 10), 50, owned=range(3, 10)) == 5


# -- tail ---------------------------------------------------------------------------------------


def test_the_tail_holds_what_fits():
    """A sum equal to the limit fits; a history that fits as a whole is all tail."""
    history = make_history([10, 10, 10, 10])
    assert tail_start(history, 20) == 2
    assert tail_start(history, 19) == 3
    assert tail_start(history, 40) == 0
    assert tail_start(history, 0) == 4


def test_the_tail_does_not_begin_on_a_tool_result():
    """The call before it comes along."""
    assert tail_start(make_history([10, 10, 10, 10], calls=[1], results=[2]), 20) == 1


def test_images_beyond_the_six_newest_are_priced_as_their_stand_in():
    """The window drops them, so they leave room for more talk."""
    gone = text_tokens(IMAGE_GONE)
    history = make_history([IMAGE_TOKENS] * 10, images=[1] * 10)
    assert tail_start(history, 6 * IMAGE_TOKENS + 2 * gone) == 2
    assert tail_start(history, 6 * IMAGE_TOKENS + 2 * gone - 1) == 3


def test_images_deep_in_the_window_are_priced_as_their_stand_in():
    """Behind 30,000 tokens of newer talk not even the newest image is kept."""
    gone = text_tokens(IMAGE_GONE)
    history = make_history([1, IMAGE_TOKENS, 30_001], images=[0, 1, 0])
    assert tail_start(history, 30_001 + gone) == 1
    shallow = make_history([1, IMAGE_TOKENS, 30_000], images=[0, 1, 0])
    assert tail_start(shallow, 30_001 + gone) == 2


# -- what may be folded -------------------------------------------------------------------------


def test_between_head_and_tail_lies_what_may_be_folded():
    """Head and tail may meet or overlap; then nothing is left."""
    assert list(open_places(Windows(0, 2, 5))) == [2, 3, 4]
    assert list(open_places(Windows(0, 5, 5))) == []
    assert list(open_places(Windows(0, 6, 3))) == []
    assert list(open_places(Windows(0, 2, 6), owned={3, 4})) == [2, 5]


def test_without_a_head_a_topic_sets_nothing_apart():
    """With no head window everything before the tail may be folded."""
    assert list(open_places(Windows(3, 0, 5))) == [0, 1, 2, 3, 4]


# -- chunks -------------------------------------------------------------------------------------


def test_size_closes_behind_the_item_that_reaches_the_target():
    """Equality counts, and the item is inside."""
    assert cuts(make_history([250] * 9)) == [(0, 3, "size"), (4, 7, "size")]
    assert cuts(make_history([249] * 9)) == [(0, 4, "size")]


def test_no_chunk_of_fewer_than_four():
    """Three huge items wait for a fourth."""
    assert cuts(make_history([5_000] * 7)) == [(0, 3, "size")]
    assert cuts(make_history([5_000] * 3)) == []


def test_the_open_remainder_is_no_chunk():
    """However many items it has, it waits for more."""
    assert cuts(make_history([10] * 50)) == []


def test_a_silence_closes_before_the_next_item():
    """An hour exactly is a silence, a minute less is none."""
    at = [0, 1, 2, 3, 63, 64, 65, 66, 125]
    assert cuts(make_history([100] * 9, minutes=at)) == [(0, 3, "gap")]
    assert cuts(make_history([100] * 9, minutes=at), gap_minutes=59)[1:] == [(4, 7, "gap")]


def test_a_silence_needs_four_items_before_it():
    """A short episode glues to the next one."""
    at = [0, 1, 2, 90, 91, 92, 93, 190]
    assert cuts(make_history([100] * 8, minutes=at)) == [(0, 6, "gap")]


def test_a_silence_needs_weight_before_it():
    """500 tokens of text close, 499 do not; the next item does not count."""
    at = [0, 1, 2, 3, 90]
    heavy, light = [200, 100, 100, 100, 9], [200, 100, 100, 99, 900]
    assert cuts(make_history(heavy, minutes=at), gap_min_tokens=500) == [(0, 3, "gap")]
    assert cuts(make_history(light, minutes=at), gap_min_tokens=500) == [(0, 4, "size")]


def test_weight_is_text_alone_and_size_is_not():
    """What counts for size need not count for silence: a tool call is big and says nothing."""
    told = make_history([150] * 5, minutes=[0, 1, 2, 3, 90])
    silent = History(
        **{
            **{name: getattr(told, name) for name in ("item_ids", "sent_at_ms", "store_tokens")},
            **{name: getattr(told, name) for name in ("chunk_tokens", "is_private", "images")},
            "silence_tokens": [10] * 5,
        }
    )
    assert cuts(told, gap_min_tokens=500) == [(0, 3, "gap")]
    assert cuts(silent, gap_min_tokens=500) == []


def test_silence_comes_before_size():
    """The gap closes before the item that would have filled the chunk."""
    history = make_history([200, 200, 200, 200, 900], minutes=[0, 1, 2, 3, 90])
    assert cuts(history) == [(0, 3, "gap")]


def test_a_chunk_does_not_end_on_a_tool_call():
    """Size waits for the result; a silence right behind the call closes nothing."""
    full = make_history([250] * 6, calls=[3])
    assert cuts(full) == [(0, 4, "size")]
    quiet = make_history([100] * 6, calls=[3], minutes=[0, 1, 2, 3, 90, 91])
    assert cuts(quiet) == []


def test_several_tool_calls_put_the_close_off_until_the_last_result():
    """Each call opens anew what the last one left open."""
    assert cuts(make_history([250] * 8, calls=[3, 4, 5])) == [(0, 6, "size")]


def test_a_seam_closes_whatever_is_there():
    """Where the next place is not the next in store order, even one item becomes a chunk."""
    history = make_history([10] * 30)
    assert cuts(history, [0, 5, 6, 9, 10]) == [(0, 0, "seam"), (5, 6, "seam")]


def test_private_talk_is_parted_only_when_asked():
    """Same minima as a silence: four items and the least weight; never behind a tool call."""
    history = make_history([100] * 12, private=range(5, 10))
    assert cuts(history) == [(0, 9, "size")]
    assert cuts(history, split_private=True) == [(0, 4, "privacy"), (5, 9, "privacy")]
    assert cuts(history, split_private=True, gap_min_tokens=501) == [(0, 9, "size")]
    short = make_history([100] * 12, private=range(3))
    assert cuts(short, split_private=True) == [(0, 9, "size")]


def test_a_silence_is_told_before_a_change_of_rooms():
    """Where both would close, the reason is the gap."""
    history = make_history([100] * 5, private=[4], minutes=[0, 1, 2, 3, 90])
    assert cuts(history, split_private=True) == [(0, 3, "gap")]


def test_the_upstream_vectors_of_the_hint():
    """Five and five close once; three and four never; a tool pair is not parted (folding §4.4)."""
    assert cuts(make_history([9] * 10, private=range(5)), split_private=True) == [(0, 4, "privacy")]
    assert cuts(make_history([9] * 7, private=range(3)), split_private=True) == []
    pair = make_history([9] * 12, private=range(4, 8), calls=[3], results=[4])
    assert cuts(pair, split_private=True) == [(0, 7, "privacy")]


def test_the_newest_chunks_may_be_held_back():
    """Holdback keeps the newest out of the queue; more than there are keeps all out."""
    assert list(held_back("abc", 0)) == ["a", "b", "c"]
    assert list(held_back("abc", 1)) == ["a", "b"]
    assert list(held_back("abc", 9)) == []


def test_records_without_messages_stop_the_fold():
    """Three or more records, more than half of them empty: nothing may be folded (§4.1.1)."""
    history = make_history([1] * 4)

    def records(*ids):
        return [Record(f"c-{n}", n, (i,), "gap") for n, i in enumerate(ids)]

    assert is_broken(records("m0", "gone", "gone too"), history)
    assert not is_broken(records("m0", "m1", "gone"), history)
    assert not is_broken(records("m0", "m1", "gone", "gone too"), history)
    assert not is_broken(records("gone", "gone too"), history)


# -- from the transcript ------------------------------------------------------------------------


def make_transcript(*texts, **columns):
    """Give transcript rows with these texts, a minute apart; columns overrule."""
    rows = [
        {
            **dict.fromkeys(TRANSCRIPT.columns),
            "position": at,
            "item_id": f"i{at}",
            "participant": "user",
            "sent_at": datetime(2026, 3, 1, 12, at, tzinfo=UTC),
            "is_private": False,
            "text": words,
            "blocks": [{"type": "text", "text": words}],
        }
        for at, words in enumerate(texts)
    ]
    frame = pl.DataFrame(rows, schema=dtypes(TRANSCRIPT))
    return frame.with_columns(**{n: pl.Series(v, dtype=frame[n].dtype) for n, v in columns.items()})


def test_a_transcript_is_measured_in_store_order():
    """Ids, times in milliseconds and sizes come out of the rows as they stand."""
    history = read_history(make_transcript("word " * 20, "hello"))
    assert history.item_ids == ["i0", "i1"]
    assert history.sent_at_ms == [1_772_366_400_000, 1_772_366_460_000]
    assert (history.store_tokens, history.chunk_tokens) == ([35, 2], [25, 2])
    assert history.places(["i1", "gone", "i0"]) == [1, 0]


def test_marks_of_a_live_store_are_found():
    """Tool blocks and topic transitions of an adopted store steer head, tail and chunks."""
    blocks = [
        [{"type": "text", "text": "[Topic Transition] spring"}],
        [{"type": "text", "text": "let me look"}, {"type": "tool_use"}],
        [{"type": "tool_result"}],
        [{"type": "text", "text": "[Topic Transition] not by the manager"}],
    ]
    texts = ["[Topic Transition] spring", "", "", "[Topic Transition] not by the manager"]
    managers = ["Context Manager", "tilly", "user", "user"]
    history = read_history(make_transcript(*texts, blocks=blocks, participant=managers))
    assert history.topics == {0}
    assert history.tool_calls == {1}
    assert history.tool_results == {2}


def test_a_digest_changes_with_what_the_agent_reads():
    """Texts, block borders, images and order count; nothing in a text passes for a border."""

    def digest(*items):
        frame = make_transcript(*("" for _ in items), blocks=list(items))
        return source_digest(spell(frame).to_list())

    one, two = {"type": "text", "text": "a"}, {"type": "text", "text": "b"}
    forged = {"type": "text", "text": "a|-|-|-\n4:text|1:b"}
    image = {"type": "image", "sha256": "00"}
    lists = [[[one, two]], [[two, one]], [[one], [two]], [[forged]], [[one, image]], [[one]], [[]]]
    assert len({digest(*items) for items in lists}) == len(lists)
    assert digest([one, two]) == digest([one, two])
