"""
Whether a text holds an answer: its words, its number, its date, in whatever spelling.

A fact is held where all its telling words stand in the text; a number where its value stands
there as digits, in another notation or as a word; a date where the same day (or month) is named,
without a year too. A changed thing counts by its newest value, and an old one has to be dated.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.errors import UsageError
from pipeline.memory.search_dates import MONTHS
from pipeline.memory.search_words import question_words, words

KINDS = ("fact", "date", "number", "changed")
_LOW = (
    "zero|one eins un uno один|two zwei deux dos два|three drei trois tres три|"
    "four vier quatre cuatro четыре|five fünf cinq cinco пять|six sechs seis шесть|"
    "seven sieben sept siete семь|eight acht huit ocho восемь|nine neun neuf nueve девять|"
    "ten zehn dix diez десять|eleven elf onze once одиннадцать|twelve zwölf douze doce двенадцать"
)
NUMBER_WORDS = {w: str(n) for n, line in enumerate(_LOW.split("|")) for w in line.split()}
NUMBER = re.compile(r"\d+(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?")
CJK_DIGITS = re.compile("[〇一二三四五六七八九十]+")
ISO = re.compile(r"\b(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\b")
CJK_DATE = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})日)?")
STEMS = {stem: n for n, names in enumerate(MONTHS, 1) for stem in names.split()} | {"may": 5}
NEED_MORE = frozenset({"may", "march", "mars"})  # words too, unless a day or year stands by
_NAMES = "|".join(sorted(STEMS, key=len, reverse=True))
NAMED = re.compile(
    rf"(?:\b(\d{{1,2}})(?:st|nd|rd|th|\.|º)?\s+(?:of\s+|de\s+)?)?\b({_NAMES})\w{{0,3}}\b\.?"
    r"(?:\s+(\d{1,2})(?:st|nd|rd|th)?\b(?!:))?(?:,?\s*(?:de\s+)?(\d{4})\b)?"
)
SENTENCE = re.compile(r"[^.!?。！？\n]+[.!?。！？]*")


@dataclass(frozen=True, slots=True)
class Day:
    """A date as it is named: the year or the day may be missing."""

    year: int | None
    month: int
    day: int | None

    def means(self, other: "Day") -> bool:
        """Whether the two can be the same; a day is needed where `self` names one."""
        years = self.year is None or other.year is None or self.year == other.year
        return years and self.month == other.month and self.day in (None, other.day)


@dataclass(frozen=True, slots=True)
class Expected:
    """What an answer must hold; any one of `answers` is enough, `old` are outdated values."""

    kind: str
    answers: tuple[str, ...] = ()
    pattern: str | None = None
    old: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise UsageError(f"kind is {self.kind!r}; it is one of {', '.join(KINDS)}")
        if not self.pattern and not any(answer.strip() for answer in self.answers):
            raise UsageError("neither answer nor pattern says what is expected")
        if self.pattern is not None:
            try:
                re.compile(self.pattern)
            except re.error as error:
                raise UsageError(f"pattern {self.pattern!r} is no pattern: {error}") from None


def holds(text: str, expected: Expected) -> bool:
    """Say whether a text holds what is expected."""
    if expected.pattern is not None:
        return re.search(expected.pattern, text, re.IGNORECASE) is not None
    if expected.kind == "changed" and not _old_is_dated(text, expected.old):
        return False
    return any(_says(text, answer, expected.kind) for answer in expected.answers)


def _says(text: str, answer: str, kind: str) -> bool:
    wanted_days = list(find_dates(answer)) if kind in {"date", "changed"} else []
    if wanted_days:
        told = list(find_dates(text))
        return all(any(day.means(other) for other in told) for day in wanted_days)
    if kind == "number" and (wanted := set(find_numbers(answer))):
        return wanted <= set(find_numbers(text))
    return has_words(text, answer)


def has_words(text: str, answer: str) -> bool:
    """Say whether all telling words of an answer stand in a text; a number in any notation."""
    wanted = question_words(answer) or list(words(answer))
    if not wanted:
        return False
    told, numbers = set(words(text)), set(find_numbers(text))
    return all(word in told or NUMBER_WORDS.get(word, word) in numbers for word in wanted)


def _old_is_dated(text: str, old: tuple[str, ...]) -> bool:
    """Say whether each sentence that tells an outdated value also tells a date."""
    for sentence in SENTENCE.findall(text):
        if any(has_words(sentence, value) for value in old):
            dated = next(find_dates(sentence), None) or re.search(r"\b(?:19|20)\d\d\b", sentence)
            if not dated:
                return False
    return True


def find_dates(text: str) -> Iterator[Day]:
    """Give the dates that a text names, in any of the notations that people use."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    for year, month, day in ISO.findall(folded):
        yield from _day(year, int(month), day)
    for year, month, day in CJK_DATE.findall(folded):
        yield from _day(year, int(month), day)
    for found in NAMED.finditer(folded):
        before, name, behind, year = found.groups()
        day = before or behind
        is_word = name in NEED_MORE or (len(name) <= 3 and name.isascii())
        if day or year or not is_word:
            yield from _day(year, STEMS[name], day)


def _day(year: str | None, month: int, day: str | None) -> Iterator[Day]:
    if 1 <= month <= 12 and (not day or 1 <= int(day) <= 31):
        yield Day(int(year) if year else None, month, int(day) if day else None)


def find_numbers(text: str) -> Iterator[str]:
    """Give the numbers of a text, each in every plain notation that it can mean."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    for found in NUMBER.findall(folded):
        yield from _notations(found)
    for word in re.findall(r"[^\W\d_]+", folded):
        if word in NUMBER_WORDS:
            yield NUMBER_WORDS[word]
    for run in CJK_DIGITS.findall(folded):
        if len(run) == 1:
            yield str(int(unicodedata.numeric(run)))


def _notations(said: str) -> Iterator[str]:
    """Read digits with points, commas and blanks as thousands and as decimals."""
    bare = re.sub(r"['’\s]", "", said)
    whole = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", bare)
    for reading in {whole.replace(",", "."), bare.replace(",", ".")}:
        try:
            yield f"{float(reading):.6f}".rstrip("0").rstrip(".")
        except ValueError:
            continue  # 1.234.567 is no decimal; its reading as a whole number stands
