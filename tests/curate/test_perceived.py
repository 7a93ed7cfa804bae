"""What counts as perceived: windows before hits, by messages, tokens, resets, rooms and periods."""

import random
from collections import deque

import numpy as np
import pytest

from pipeline.errors import UsageError
from stages.curate.knobs import Perceived
from stages.curate.perceived import RoomRows, mark_perceived, milliseconds


def room(hits, *, rows=None, tokens=None, resets=(), sent_ms=None, channel_id="1"):
    """Build a room of `rows` messages with hits at the places given."""
    count = rows or max(hits, default=0) + 1
    hit = np.zeros(count, bool)
    hit[list(hits)] = True
    return RoomRows(
        channel_id,
        hit,
        np.arange(count) if sent_ms is None else np.array(sent_ms),
        np.ones(count, int) if tokens is None else np.array(tokens),
        resets,
    )


def kept(rows, *table):
    return np.flatnonzero(mark_perceived(rows, table)).tolist()


def by_hand(hit, before=23):
    """The loop that the mask must equal: a deque of the last rows before each hit."""
    last, seen = deque(maxlen=before), set()
    for place, is_hit in enumerate(hit):
        if is_hit:
            seen.update(last, [place])
        last.append(place)
    return sorted(seen)


@pytest.mark.parametrize("seed", range(20))
def test_the_mask_is_the_loop_bit_for_bit(seed):
    """On random rooms with bursts, edges and no hits at all, mask and deque loop agree."""
    rng = random.Random(seed)
    rate = rng.choice([0.0, 0.002, 0.02, 0.2, 1.0])
    hits = [place for place in range(rng.choice([1, 22, 24, 25, 3000])) if rng.random() < rate]
    rows = room(hits, rows=3000)
    assert kept(rows) == by_hand(rows.hit)


def test_a_hit_reveals_itself_and_the_23_before_it():
    """Not 22, not 24, and nothing behind it."""
    assert kept(room([100], rows=200)) == list(range(77, 101))


def test_windows_stop_at_the_first_message_of_the_room():
    """A hit near the beginning reveals what there is."""
    assert kept(room([2], rows=50)) == [0, 1, 2]


def test_a_room_without_hits_is_not_perceived():
    """Silence of the agent is no perception."""
    assert kept(room([], rows=50)) == []


def test_messages_may_be_any_number_and_none():
    """`messages = 0` leaves the hits alone; a larger window reaches further."""
    assert kept(room([40], rows=50), Perceived(messages=0)) == [40]
    assert kept(room([40], rows=50), Perceived(messages=30)) == list(range(10, 41))


def test_a_wide_window_behind_a_narrow_one_is_not_lost():
    """The next hit's window may be the smaller one: the union counts, not the nearest hit."""
    narrow_first = Perceived(messages=1, until="1970-01-01T00:00:00.031Z")
    assert kept(room([30, 40], rows=50), narrow_first) == list(range(17, 41))


def test_tokens_fill_the_window_from_the_hit_backwards():
    """What stands before the hit may hold N tokens; the hit itself is not counted."""
    rows = room([5], tokens=[1, 50, 4, 3, 2, 99])
    assert kept(rows, Perceived(tokens=9)) == [2, 3, 4, 5]
    assert kept(rows, Perceived(tokens=8)) == [3, 4, 5]
    assert kept(rows, Perceived(tokens=0)) == [5]


def test_all_takes_the_room_without_any_hit():
    """`all` says that the agent had the room open."""
    assert kept(room([], rows=5), Perceived(all=True)) == [0, 1, 2, 3, 4]


def test_a_reset_hides_what_stands_above_it():
    """The reset and all before it are not seen by later hits; earlier hits are untouched."""
    reset = np.zeros(50, bool)
    reset[30] = True
    rows = room([20, 40], rows=50, resets=[reset])
    table = Perceived(messages=23, resets=("^!clear",))
    assert kept(rows, table) == [*range(21), *range(31, 41)]


def test_a_reset_that_is_itself_a_hit_is_seen_with_its_window():
    """`@bot reset` was read in its context; only what comes later is cut."""
    reset = np.zeros(60, bool)
    reset[30] = True
    rows = room([30, 40], rows=60, resets=[reset])
    assert kept(rows, Perceived(messages=20, resets=("x",))) == list(range(10, 41))


def test_rooms_and_periods_choose_the_entry():
    """The first entry that fits room and time holds; elsewhere it is 23."""
    mine = Perceived(rooms=("1",), messages=1)
    assert kept(room([40], rows=50), mine) == [39, 40]
    assert kept(room([40], rows=50, channel_id="2"), mine) == list(range(17, 41))
    early = Perceived(until="1970-01-01T00:00:00.020Z", messages=2)
    assert kept(room([10, 40], rows=50), early, Perceived(messages=0)) == [8, 9, 10, 40]


def test_an_entry_says_one_thing():
    """messages, tokens and all exclude each other."""
    with pytest.raises(UsageError, match="one of"):
        Perceived(messages=3, tokens=9)


def test_milliseconds_are_whole():
    """Times become whole UTC milliseconds."""
    from datetime import UTC, datetime

    assert milliseconds(datetime(1970, 1, 1, 0, 0, 1, 5000, tzinfo=UTC)) == 1005
