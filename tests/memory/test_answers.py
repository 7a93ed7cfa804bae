"""Whether a text holds an answer, in whatever spelling, and no other."""

import pytest

from pipeline.errors import UsageError
from pipeline.memory.answers import Expected, find_dates, find_numbers, holds

HELD = [
    ("fact", "Aldous Penn, a ferryman", "The club was founded by a ferryman named Aldous Penn."),
    ("fact", "柿渋", "雨に強くするために柿渋を塗った。"),
    ("fact", "мельница", "Мы встретились у старой мельницы."),
    ("number", "7", "Seven parts of water to one of flour."),
    ("number", "7", "水は七、粉は一。"),
    ("number", "1384", "There were 1,384 in the box."),
    ("number", "1384", "In der Kasse lagen 1.384 Euro."),
    ("number", "1.85 metres", "Above 1,85 m nothing goes on the water."),
    ("date", "17 July 2026", "On July 17th we surprised him."),
    ("date", "17 July 2026", "Friday 2026-07-17: the surprise."),
    ("date", "3 August 2026", "Am 3. August wird sie operiert."),
    ("date", "3 August 2026", "8月3日に手術がある。"),
    ("date", "April 2027", "She moves on 4 April 2027."),
    ("date", "7 May 2023", "It was on May 7, 2023."),
    ("date", "2022", "She painted it in 2022."),
    ("changed", "the old mill", "Since 3 May we meet at the old mill."),
]
NOT_HELD = [
    ("fact", "Aldous Penn, a ferryman", "The club was founded by a ferryman."),
    ("number", "7", "17 parts of water, 70 of flour."),
    ("number", "1384", "There were 1,383 in the box."),
    ("number", "1.85", "Above 185 nothing goes on the water."),
    ("date", "17 July 2026", "On July 18th we surprised him."),
    ("date", "17 July 2026", "On 17 July 2025 we surprised him."),
    ("date", "17 July 2026", "It was in July 2026."),
    ("date", "2 May 2023", "You may take two of them."),
]


@pytest.mark.parametrize(("kind", "answer", "text"), HELD)
def test_an_answer_is_held_in_any_spelling(kind, answer, text):
    """Words in any order, numbers in any notation, dates as people write them."""
    assert holds(text, Expected(kind, (answer,)))


@pytest.mark.parametrize(("kind", "answer", "text"), NOT_HELD)
def test_something_close_is_no_answer(kind, answer, text):
    """A neighbour of the number, another day, half of the words."""
    assert not holds(text, Expected(kind, (answer,)))


def test_any_of_several_answers_is_enough_and_a_pattern_stands_for_itself():
    """Owners may allow several wordings, or write a pattern."""
    assert holds("We call it Bertram.", Expected("fact", ("the kettle", "Bertram")))
    assert holds("We call it BERTRAM.", Expected("fact", pattern=r"\bbertram\b"))
    assert not holds("We call it Bert.", Expected("fact", pattern=r"\bbertram\b"))


def test_of_a_changed_thing_the_old_value_must_be_dated():
    """The newest value counts; the old one may stand beside it where its time is told."""
    expected = Expected("changed", ("the old mill",), old=("ferry house",))
    assert holds("Until 2 May it was the ferry house. Now it is the old mill.", expected)
    assert not holds("It is the old mill. We meet at the ferry house.", expected)
    assert not holds("We meet at the ferry house.", expected)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"kind": "colour", "answers": ("red",)}, "colour"),
        ({"kind": "fact"}, "neither answer nor pattern"),
        ({"kind": "fact", "pattern": "("}, "no pattern"),
    ],
)
def test_what_cannot_be_checked_is_refused(wrong, says):
    """A question that no answer could satisfy is told before anything is asked."""
    with pytest.raises(UsageError, match=says):
        Expected(**wrong)


def test_small_words_are_no_dates():
    """ "may", "mar" and clock times stand in every text."""
    assert not list(find_dates("You may come on mar 10:30 or march on."))
    assert [d.day for d in find_dates("2 May, May 3, mai 4")] == [2, 3, 4]


def test_a_number_is_read_in_every_notation_that_it_can_mean():
    """1.234 is a thousand or one and a bit; both are tried."""
    assert set(find_numbers("1.234")) == {"1234", "1.234"}
    assert set(find_numbers("1.234.567,5")) == {"1234567.5"}
    assert set(find_numbers("1 234 567")) == {"1234567"}
