"""Figures for reports: what they count; that they are pictures, the same for the same numbers."""

from datetime import date

from pipeline.pictures import by_day, cost_over_run, memories_by_level, messages_per_day
from tests.explore.small import MINUTE, talk

PNG = b"\x89PNG\r\n\x1a\n"
DAY = 24 * 60 * MINUTE


def call(cost, tokens):
    """Give a call of a model with what it cost."""
    return {"cost": cost, "currency": "EUR", "input_tokens": tokens, "output_tokens": 1}


def test_days_without_talk_stand_in_the_row_and_notices_do_not_count():
    """A silent day is a zero, not left out; what is no message is no talk."""
    told = {"t": [0, DAY * 2, DAY * 2], "r": [0, 0, 0], "notice": [0, 0, 1], "rooms": ["yard"]}
    assert by_day(told) == (
        [("yard", [1, 0, 1])],
        [date(1970, 1, 1), date(1970, 1, 2), date(1970, 1, 3)],
    )


def test_rooms_beyond_the_busiest_are_told_together():
    """Seven rooms are six and the others."""
    rooms = [f"room {n}" for n in range(8)]
    told = {"t": [0] * 8, "r": list(range(8)), "notice": [0] * 8, "rooms": rooms}
    named, _days = by_day(told)
    assert [name for name, _ in named] == [*rooms[:6], "others"]
    assert named[-1][1] == [2]


def test_the_figures_are_pictures_and_the_same_each_time():
    """PNG, with any script in the names, with nothing to show, and without a day inside."""
    for draw in (
        lambda: messages_per_day(talk(200, 5)),
        lambda: messages_per_day({"t": [], "r": [], "notice": [], "rooms": []}),
        lambda: memories_by_level([1, 1, 1, 2]),
        lambda: cost_over_run([call(0.5, 10), call(None, 0)]),
        lambda: cost_over_run([call(None, None)]),
        lambda: cost_over_run([]),
    ):
        assert draw().startswith(PNG)
        assert draw() == draw()
