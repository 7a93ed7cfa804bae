"""
Tell what day a relative word meant: "yesterday" gets "(7 May)" behind it.

A memory is read long after the talk, when "yesterday" says nothing. Words that name a day, month
or year are resolved; words that name a stretch without saying which ("last Friday", said on a
Friday) only get the day on which they were said: "(before 9 June)". Nothing is ever taken away.
"""

import re
from collections.abc import Callable
from datetime import date, timedelta

MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July", "August"),
    *("September", "October", "November", "December"),
)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_COUNTED = "one two three four five six seven eight nine ten eleven twelve"
NUMBERS = {"a": 1, "an": 1} | {word: n for n, word in enumerate(_COUNTED.split(), start=1)}

_DAY_NAMES = "mon|tues?|wed|thurs?|fri|sat|sun|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_STRETCHES = f"week|weekend|summer|winter|spring|fall|autumn|{_DAY_NAMES}"
_NUMBER = "|".join(NUMBERS) + r"|\d{1,2}"
ENGLISH = re.compile(
    r"(?<!\d[/.,])\b(?:"  # of "3/4 year ago" and "2.5 years ago" no part is a count
    r"(?P<day>the day before yesterday|yesterday|last night|tomorrow|the day after tomorrow)"
    rf"|(?P<count>{_NUMBER}) (?P<unit>day|week|month|year)s? ago"
    r"|(?P<near>last|next|this) (?P<whole>month|year)"
    rf"|(?P<side>last|this past|past|next|this coming) (?P<stretch>{_STRETCHES})"
    r")\b(?!['’]\w)",
    re.IGNORECASE,
)
HINTS = ("yesterday", "tomorrow", " ago", "last ", "next ", "this ", "past ")
DAYS = {
    "the day before yesterday": -2,
    "yesterday": -1,
    "last night": -1,
    "tomorrow": 1,
    "the day after tomorrow": 2,
}
# Words of other languages that can mean only one day or year, by how far it lies away.
OTHER_DAYS = {
    word: step
    for step, listed in (
        (-2, "vorgestern anteayer 一昨日 前天"),
        (-1, "gestern ayer ontem ieri gisteren wczoraj вчера вчора 昨日 昨天 어제"),
        (1, "amanhã domani jutro завтра 明日 明天 내일"),
        (2, "übermorgen послезавтра 明後日 后天"),
    )
    for word in listed.split()
}
OTHER_YEARS = {
    word: step
    for step, listed in (
        (-1, "letztes Jahr|l'année dernière|el año pasado|ano passado|в прошлом году|去年|작년"),
        (1, "nächstes Jahr|l'année prochaine|el año que viene|в следующем году|来年|明年|내년"),
    )
    for word in listed.lower().split("|")
}
OTHER_WORDS = (*OTHER_DAYS, *OTHER_YEARS)
_SPACED = [word for word in OTHER_WORDS if word[0] < "\u2e80"]
_UNSPACED = sorted({*OTHER_WORDS} - {*_SPACED}, key=len, reverse=True)
OTHERS = re.compile(rf"(?<!\w)(?:{'|'.join(_SPACED)})(?!\w)|{'|'.join(_UNSPACED)}", re.IGNORECASE)


def resolve(text: str, said_on: date) -> str:
    """Put the date behind each relative word of `text`, said on a local day."""
    lower = text.lower()
    # Looking for plain words first spares most messages the slow expressions.
    if any(hint in lower for hint in HINTS):
        text = ENGLISH.sub(lambda found: behind(found, english(found, said_on)), text)
    if any(word in lower for word in OTHER_WORDS):
        text = OTHERS.sub(lambda found: behind(found, other(found, said_on)), text)
    return text


def behind(found: re.Match[str], meant: str | None) -> str:
    """Write a date behind what was found; nothing where no date is meant."""
    return found[0] if meant is None else f"{found[0]} ({meant})"


def english(found: re.Match[str], said_on: date) -> str | None:
    """Say which day, month, year or side of today an English phrase means."""
    if phrase := found["day"]:
        return day(said_on + timedelta(days=DAYS[phrase.lower()]), said_on)
    if unit := found["unit"]:
        return ago(number(found["count"]), unit.lower(), said_on)
    if near := found["near"]:
        step = {"last": -1, "this": 0, "next": 1}[near.lower()]
        return whole(found["whole"].lower(), step, said_on)
    side = "after" if found["side"].lower() in {"next", "this coming"} else "before"
    return f"{side} {day(said_on, said_on)}"


def other(found: re.Match[str], said_on: date) -> str:
    """Say which day or year a word of another language means."""
    word = found[0].lower()
    if word in OTHER_DAYS:
        return day(said_on + timedelta(days=OTHER_DAYS[word]), said_on)
    return str(said_on.year + OTHER_YEARS[word])


def ago(count: int, unit: str, said_on: date) -> str:
    """Say when "N units ago" was: a day exactly, weeks about, months and years by name."""
    back: dict[str, Callable[[], str]] = {
        "day": lambda: day(said_on - timedelta(days=count), said_on),
        "week": lambda: "about " + day(said_on - timedelta(weeks=count), said_on),
        "month": lambda: whole("month", -count, said_on),
        "year": lambda: whole("year", -count, said_on),
    }
    return back[unit]()


def whole(unit: str, step: int, said_on: date) -> str:
    """Name the month or year that lies `step` from the one of `said_on`."""
    if unit == "year":
        return str(said_on.year + step)
    years, month = divmod(said_on.month - 1 + step, 12)
    return MONTHS[month] + ("" if years == 0 else f" {said_on.year + years}")


def number(word: str) -> int:
    """Read a small number in words or digits."""
    return NUMBERS.get(word.lower()) or int(word)


def day(meant: date, said_on: date) -> str:
    """Write a day; the year only where it is not that of the talk."""
    return f"{meant.day} {MONTHS[meant.month - 1]}" + (
        "" if meant.year == said_on.year else f" {meant.year}"
    )


def long_day(meant: date) -> str:
    """Write a day with its weekday and year, as a heading has it."""
    return f"{WEEKDAYS[meant.weekday()]} {meant.day} {MONTHS[meant.month - 1]} {meant.year}"
