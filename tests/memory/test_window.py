"""The next context is what the host would send: priced, picked, laid out, or refused."""

import random
from dataclasses import replace
from datetime import UTC, datetime

import polars as pl
import pytest

from pipeline.artifacts import empty
from pipeline.errors import UsageError
from pipeline.memory.folding import Cut
from pipeline.memory.history import COLUMNS, read_history
from pipeline.memory.layout import Rules, lay_out, pair_tokens, raw_prices, salience
from pipeline.memory.picker import age_cap
from pipeline.memory.records import Memory
from pipeline.memory.rulers import IMAGE_TOKENS
from pipeline.memory.window import Budget, compose, lowest_budget, next_context
from pipeline.schemas import TRANSCRIPT
from tests.memory.talk import make_history

START = datetime(2026, 1, 1, tzinfo=UTC)
LABEL = 12  # what the question of a recall pair costs
RULES = Rules(cut=Cut(head_tokens=100, tail_tokens=200), fan_in=2)


def make_memory(name, *source_ids, tokens=8, parent=None):
    """Give a memory called like L1-0 whose pair costs `tokens` and the question."""
    return Memory(
        memory_id=name,
        level=int(name[1]),
        text="a" * int(tokens * 2.9),
        tokens=tokens,
        source_ids=source_ids,
        first_item_id=source_ids[0],
        last_item_id=source_ids[-1],
        started_at=START,
        ended_at=START,
        minted_at=START,
        model="scripted",
        prompt_version="1",
        parent_id=parent,
    )


def make_talk(chunks, *, opened=0):
    """Give a head of one item, chunks of five with an L1 each, open items, a tail of two."""
    history = make_history([100] * (1 + 5 * chunks + opened + 2))
    l1s = [
        make_memory(f"L1-{c}", *(f"m{at}" for at in range(1 + 5 * c, 6 + 5 * c)))
        for c in range(chunks)
    ]
    return history, l1s


def merge(number, *children):
    """Give a memory over these, and these under it."""
    name = f"L{children[0].level + 1}-{number}"
    parent = make_memory(name, *(child.memory_id for child in children))
    return [*(replace(child, parent_id=name) for child in children), parent]


def make_budget(window, **ratios):
    """Give a budget with this window and nothing for the answer."""
    return Budget(max_tokens=window, reserve_tokens=0, **ratios)


def told(context):
    """Give the segments as words, with their items."""
    return [(s.memory_id or s.kind, s.items) for s in context.segments]


# -- budget (§8.1) and prices (§8.2) -------------------------------------------------------------


def test_the_default_budget_refuses_above_97_920():
    """W 96,000, T a tenth lower, R two hundredths higher."""
    budget = Budget()
    assert (budget.window, budget.target, budget.refusal) == (96_000, 86_400, 97_920)


def test_a_budget_that_the_answer_eats_up_is_refused():
    """Usage error with both numbers."""
    with pytest.raises(UsageError, match="9,000 leaves nothing beside the 16,384"):
        Budget(max_tokens=9_000, reserve_tokens=16_384)


def test_a_recall_pair_costs_its_question_and_its_answer():
    """The question is 12 tokens; each block is calibrated by itself."""
    assert pair_tokens("hello", Rules()) == LABEL + 2
    assert pair_tokens("hello", Rules(calibration=1.5)) == 18 + 3


def test_a_long_message_is_cut_off():
    """At maxMessageTokens and the 50 of the note; 0 leaves it whole."""
    history = make_history([12_000, 10_049])
    assert raw_prices(history, Rules()) == [10_050, 10_049]
    assert raw_prices(history, Rules(max_message_tokens=0)) == [12_000, 10_049]


def test_only_the_newest_images_are_paid_for():
    """Of seven items with a picture the oldest shows its stand-in."""
    history = make_history([IMAGE_TOKENS] * 7, images=[1] * 7)
    prices = raw_prices(history, Rules())
    assert prices[0] < 20
    assert prices[1:] == [IMAGE_TOKENS] * 6


# -- the picker (§8.4) ---------------------------------------------------------------------------


def test_with_room_for_everything_nothing_is_folded():
    """All raw stays below the target."""
    history, l1s = make_talk(4)
    context = compose(lay_out(history, l1s, RULES), make_budget(10_000))
    assert told(context) == [("head", 1), ("raw", 20), ("tail", 2)]
    assert context.tokens == 2_300


def test_the_oldest_is_folded_first_and_only_until_the_target():
    """2,300 tokens, target 1,400: two chunks go, 480 less each, and the third stays."""
    history, l1s = make_talk(4)
    context = compose(lay_out(history, l1s, RULES), make_budget(1_400, slack_ratio=0.0))
    assert told(context) == [("head", 1), ("L1-0", 5), ("L1-1", 5), ("raw", 10), ("tail", 2)]
    assert context.tokens == 2_300 - 2 * 480


def test_the_age_cap_grows_by_one_for_each_fan_in():
    """None below the flat number, then one, one more at each power, at most the highest."""
    assert [age_cap(age, 3, 2, 3) for age in (2, 3, 5, 6, 11, 12, 24)] == [0, 1, 1, 2, 2, 3, 3]


def test_what_is_too_young_stays_raw_while_it_fits_the_window():
    """A tail of eight makes the chunk's youngest item younger than the flat part."""
    history = make_history([100] * 14)
    memory = make_memory("L1-0", *(f"m{at}" for at in range(1, 6)), tokens=428)  # saves 60
    layout = lay_out(history, [memory], replace(RULES, cut=Cut(head_tokens=100, tail_tokens=800)))
    held = compose(layout, make_budget(1_500))  # above the target of 1,350, below the window
    assert held.tokens == 1_400
    pressed = compose(layout, make_budget(1_399))
    assert pressed.tokens == 1_340


def test_a_group_waits_for_its_youngest_item():
    """One leaf under the cap keeps the whole memory from folding."""
    history, l1s = make_talk(1)
    layout = lay_out(history, l1s, RULES)  # 8 items: ages 6 to 2 in the chunk, flat 3
    assert layout.branches["L1-0"].cap == 0
    assert compose(layout, make_budget(800)).tokens == 800


def test_higher_levels_are_taken_only_when_lower_ones_are_spent():
    """Four L1s under two L2s: first L1s, then the older L2."""
    history, (a, b, c, d) = make_talk(4)
    memories = [*merge(4, a, b), *merge(5, c, d)]
    layout = lay_out(history, memories, RULES)
    flat = 300
    low = compose(layout, make_budget(flat + 90, slack_ratio=0.0))
    assert told(low)[1:-1] == [(f"L1-{at}", 5) for at in range(4)]
    lower = compose(layout, make_budget(flat + 79, slack_ratio=0.0))
    assert told(lower)[1:-1] == [("L2-4", 10), ("L1-2", 5), ("L1-3", 5)]


def test_an_opened_memory_shows_those_one_level_under_it():
    """Folding an L2 of two dear L1s overshoots by 170; opening it again is 10 off."""
    history, l1s = make_talk(4)
    a, b, c, d = (replace(memory, text="a" * 255) for memory in l1s)  # pairs of 100
    layout = lay_out(history, [*merge(4, a, b), *merge(5, c, d)], RULES)
    context = compose(layout, make_budget(767))  # target 690; the L1s come to 700
    assert told(context)[1:-1] == [(f"L1-{at}", 5) for at in range(4)]
    tight = compose(layout, make_budget(690, slack_ratio=0.0))
    assert told(tight)[1:-1] == [("L2-4", 10), ("L1-2", 5), ("L1-3", 5)]


def test_the_newest_is_opened_before_the_older():
    """Two L2s come to 340; of the target's 503 there is room to open one: the newer."""
    history, l1s = make_talk(4)
    a, b, c, d = (replace(memory, text="a" * 255) for memory in l1s)  # pairs of 100
    layout = lay_out(history, [*merge(4, a, b), *merge(5, c, d)], RULES)
    context = compose(layout, make_budget(530, slack_ratio=0.05))
    assert told(context)[1:-1] == [("L2-4", 10), ("L1-2", 5), ("L1-3", 5)]
    assert context.tokens == 520


def test_nothing_is_opened_that_leads_away_from_the_target():
    """440 is 10 off the target; opened it would be 500, which fits and is 50 off."""
    history = make_history([100] + [30] * 5 + [10] * 5 + [100] * 2)
    memory = make_memory("L1-0", *(f"m{at}" for at in range(1, 6)), tokens=78)
    context = compose(lay_out(history, [memory], RULES), make_budget(563, slack_ratio=0.2))
    assert told(context)[1:-1] == [("L1-0", 5), ("open", 5)]


def test_opening_may_pass_the_target_but_not_the_window():
    """At target 90 % a group is opened where that comes closer and still fits."""
    history = make_history([100] + [100] * 5 + [30] * 5 + [100] * 2)
    l1s = make_talk(2)[1]
    layout = lay_out(history, l1s, RULES)  # raw 950; L1-0 saves 480, L1-1 saves 130
    context = compose(layout, make_budget(510, slack_ratio=0.1))  # target 459
    assert context.tokens == 470  # L1-1 was folded to 340, then opened: 11 off instead of 119
    assert told(context)[1:-1] == [("L1-0", 5), ("raw", 5)]
    tight = compose(layout, make_budget(469, slack_ratio=0.0))
    assert told(tight)[1:-1] == [("L1-0", 5), ("L1-1", 5)]


def test_the_least_salient_goes_first():
    """A link in the third chunk sends that one before older talk."""
    history, l1s = make_talk(4)
    saliences = [1.0] * len(history)
    saliences[12] = 0.3
    context = compose(lay_out(history, l1s, RULES, saliences), make_budget(2_100))
    assert told(context)[1:-1] == [("raw", 10), ("L1-2", 5), ("raw", 5)]


# -- layout (§8.3) and floor (§8.5) --------------------------------------------------------------


def test_head_and_tail_stay_raw_under_a_memory_that_reaches_into_them():
    """It counts once, and what the ends hold of it stands twice."""
    history = make_history([100] * 8)
    memory = make_memory("L1-0", *(f"m{at}" for at in range(7)))
    context = compose(lay_out(history, [memory], RULES), make_budget(400))
    assert told(context) == [("head", 1), ("L1-0", 5), ("tail", 2)]
    assert context.floor.tokens == 100 + 200 + LABEL + 8


def test_what_no_memory_holds_stays_raw_and_weighs_on_the_floor():
    """Three open items before the tail."""
    history, l1s = make_talk(3, opened=3)
    context = compose(lay_out(history, l1s, RULES), make_budget(700))
    assert told(context)[-2:] == [("open", 3), ("tail", 2)]
    floor = context.floor
    assert (floor.open_items, floor.open_tokens, floor.roots) == (3, 300, 3)
    assert floor.tokens == 100 + 3 * 20 + 300 + 200


def test_the_floor_counts_roots_alone():
    """An L2 over two of three L1s leaves two roots."""
    history, (a, b, c) = make_talk(3)
    floor = lay_out(history, [*merge(3, a, b), c], RULES).floor
    assert (floor.roots, floor.root_tokens) == (2, 40)


def test_a_parent_that_is_gone_counts_as_none():
    """Its children are roots then; nothing is lost."""
    history, l1s = make_talk(2)
    orphans = [replace(memory, parent_id="L2-9") for memory in l1s]
    assert lay_out(history, orphans, RULES).floor.roots == 2


def test_the_first_memory_of_an_item_owns_it():
    """A second L1 over the same items stands for nothing."""
    history, l1s = make_talk(1)
    again = replace(l1s[0], memory_id="L1-7")
    assert list(lay_out(history, [*l1s, again], RULES).branches) == ["L1-0"]


def test_after_a_topic_transition_the_old_head_is_middle():
    """The new head is sent first, the talk before it behind it in store order."""
    history = make_history([100] * 12, topics=[6])
    memory = make_memory("L1-0", *(f"m{at}" for at in range(5)))
    context = compose(lay_out(history, [memory], RULES), make_budget(900, slack_ratio=0.0))
    assert told(context) == [("head", 1), ("L1-0", 5), ("open", 1), ("open", 3), ("tail", 2)]


def test_what_stands_in_the_head_is_not_sent_again_as_tail():
    """Three items that both would hold."""
    rules = replace(RULES, cut=Cut(head_tokens=1_000, tail_tokens=1_000))
    context = compose(lay_out(make_history([100] * 3), [], rules), make_budget(900))
    assert (told(context), context.tokens) == ([("head", 3)], 300)


def test_without_a_head_the_middle_begins_with_the_first_item():
    """Also where a topic transition is there."""
    history = make_history([100] * 6, topics=[2])
    rules = replace(RULES, cut=Cut(head_tokens=0, tail_tokens=200))
    assert told(compose(lay_out(history, [], rules), make_budget(900))) == [
        ("open", 4),
        ("tail", 2),
    ]


# -- refusal -------------------------------------------------------------------------------------


def test_the_host_refuses_one_token_above_the_line():
    """At the line it answers."""
    history, l1s = make_talk(3)  # floor: 100 + 60 + 200
    layout = lay_out(history, l1s, RULES)
    assert compose(layout, make_budget(360, grace_ratio=0.0)).is_answered
    refused = compose(layout, make_budget(359, grace_ratio=0.0))
    assert refused.refusal == "Adaptive picker exhausted"
    assert refused.room == -1


def test_ends_too_big_for_the_line_are_told_as_such():
    """Whatever is folded between them."""
    history, l1s = make_talk(3)
    refused = compose(lay_out(history, l1s, RULES), make_budget(290, grace_ratio=0.0))
    assert refused.refusal == "Head/tail reservation exceeded budget"


def test_what_would_not_fit_is_named_from_the_oldest_on():
    """Head and tail take their place first, then the newest."""
    history, l1s = make_talk(3)
    layout = lay_out(history, l1s, RULES)
    refused = compose(layout, make_budget(345, grace_ratio=0.0))
    assert [segment.memory_id for segment in refused.unfit] == ["L1-0"]
    assert compose(layout, make_budget(400)).unfit == ()


def test_of_talk_word_for_word_the_newest_fits():
    """Five open items between the ends; two of them have room, the three oldest have none."""
    history, _ = make_talk(0, opened=5)
    refused = compose(lay_out(history, [], RULES), make_budget(550, grace_ratio=0.0))
    (unfit,) = refused.unfit
    assert (unfit.kind, unfit.first_place, unfit.last_place, unfit.tokens) == ("open", 1, 3, 300)


@pytest.mark.parametrize("reserve", [0, 4_000, 16_384])
def test_the_lowest_budget_is_the_one_at_which_the_floor_just_fits(reserve):
    """One less, and the line lies under the floor."""
    history, l1s = make_talk(6, opened=2)
    layout = lay_out(history, l1s, RULES)
    budget = Budget(max_tokens=100_000, reserve_tokens=reserve)
    lowest = lowest_budget(layout.floor, budget)
    assert compose(layout, replace(budget, max_tokens=lowest)).is_answered
    assert not compose(layout, replace(budget, max_tokens=lowest - 1)).is_answered


# -- the whole -----------------------------------------------------------------------------------


def random_pyramid(seed):
    """Give a history with an L1 on nearly each chunk and merges of two or three above."""
    chance = random.Random(seed)
    chunks = chance.randint(3, 40)
    history, l1s = make_talk(chunks, opened=chance.randint(0, 4))
    history = replace(history, store_tokens=[chance.randint(20, 300) for _ in history.item_ids])
    row = [m for m in l1s if chance.random() < 0.9]
    done, number = [], chunks
    while len(row) > 1:
        above = []
        while len(row) >= 3:
            *children, parent = merge(number, *(row.pop(0) for _ in range(chance.choice([2, 3]))))
            number += 1
            done += children
            above.append(parent)
        done += row
        row = above
    return history, [*done, *row]


@pytest.mark.parametrize("seed", range(40))
def test_every_item_is_told_once_and_every_token_counted(seed):
    """At any budget: raw or under one memory, segments in order, and refused only above R."""
    history, memories = random_pyramid(seed)
    layout = lay_out(history, memories, RULES)
    for window in (400, 700, 1_500, 4_000, 20_000):
        context = compose(layout, make_budget(window))
        assert sum(segment.items for segment in context.segments) == len(history)
        assert [s.first_place for s in context.segments] == sorted(
            s.first_place for s in context.segments
        )
        assert context.is_answered == (context.tokens <= context.budget.refusal)
        assert context.is_answered or context.tokens == layout.floor.tokens
        assert context.is_answered or context.room < 0


def make_transcript(*texts):
    """Give a transcript of text items a minute apart."""
    rows = [
        {
            "item_id": f"m{at}",
            "participant": "user",
            "sent_at": START,
            "is_private": False,
            "text": text,
            "blocks": [{"type": "text", "text": text}] if text else [{"type": "image"}],
        }
        for at, text in enumerate(texts)
    ]
    kinds = empty(TRANSCRIPT).schema
    return pl.DataFrame(rows, schema={name: kinds[name] for name in COLUMNS})


def test_the_estimate_takes_rows_and_memories():
    """A transcript of six lines of 35 tokens, the middle one remembered."""
    transcript = make_transcript(*["word " * 20] * 6)
    memory = make_memory("L1-0", "m1", "m2", "m3")
    rules = replace(RULES, cut=Cut(head_tokens=35, tail_tokens=70))
    context = next_context(transcript, [memory], make_budget(200), rules)
    assert told(context) == [("head", 1), ("L1-0", 3), ("tail", 2)]
    assert context.tokens == 3 * 35 + 20


def test_an_empty_transcript_is_an_empty_context():
    """And is answered."""
    context = next_context(make_transcript(), [], Budget(), RULES)
    assert (context.segments, context.tokens, context.is_answered) == ((), 0, True)


def test_code_links_and_pictures_are_less_salient_than_talk():
    """1 for talk, 0.2 for nothing but noise, between them by share."""
    transcript = make_transcript(
        "so be it", "https://example.org/a", "```\nx = 1\n```", "", "ab ```c```"
    )
    found = salience(transcript, read_history(transcript))
    assert found == pytest.approx([1.0, 0.2, 0.2, 0.2, 1 - 0.8 * 0.7])
