"""
Local dates in a question: "last Tuesday", "7 May 2023", "im März", "3月", "в мае".

A day or month without a year is the last one that has begun; nothing is read out of a word that
is no date. Times come in and go out in the zone of the question.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime, timedelta

Span = tuple[datetime, datetime]

MONTHS = (
    "january jan enero januar janvier январ", "february feb febrero februar février феврал",
    "march marzo märz mars март", "april apr abril avril апрел", "mayo mai мая мае май",
    "june jun junio juni juin июн", "july jul julio juli juillet июл",
    "august aug agosto août август", "september sep sept septiembre septembre сентябр",
    "october oct octubre oktober octobre октябр", "november nov noviembre novembre ноябр",
    "december dec diciembre dezember décembre декабр",
)  # fmt: skip
WEEKDAYS = (
    "monday lunes montag lundi понедельник 月曜 星期一 周一",
    "tuesday martes dienstag mardi вторник 火曜 星期二 周二",
    "wednesday miércoles mittwoch mercredi сред 水曜 星期三 周三",
    "thursday jueves donnerstag jeudi четверг 木曜 星期四 周四",
    "friday viernes freitag vendredi пятниц 金曜 星期五 周五",
    "saturday sábado samstag samedi суббот 土曜 星期六 周六",
    "sunday domingo sonntag dimanche воскресень 日曜 星期日 周日",
)
DAYS_AGO = {
    0: "today hoy heute сегодня 今日 今天",
    1: "yesterday ayer gestern hier вчера 昨日 昨天",
    2: "vorgestern anteayer позавчера 一昨日 前天",
}
WEEKS = r"last week|semana pasada|letzte woche|прошл\w+ недел\w+|先週|上周"
LAST_MONTH = r"last month|mes pasado|letzten monat|прошл\w+ месяц\w*|先月|上个月"
# Compiled where they may fit: a question without digits need not wait for those with them.
ISO = r"\b(\d{4})-(\d\d)-(\d\d)\b"
CJK = r"(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})日)?"
YEAR = r"\b(?:in|en|im jahr|в|since)\s+((?:19|20)\d\d)\b"
MAY = r"(?:\b(?:in|last|since|on|of)\s+may\b|\bmay\s+\d|\d\s+(?:of\s+)?may\b)"
AROUND = (
    r"(?:(\d{{1,2}})\.?(?:st|nd|rd|th)?\s+(?:of\s+|de\s+)?)?\b({}|(?:{})\w{{0,3}})\b"
    r"(?:\s+(\d{{1,2}})(?:st|nd|rd|th)?\b)?(?:,?\s*(?:de\s+)?(\d{{4}}))?"
)


def read_span(question: str, now: datetime) -> Span | None:
    """Give the span of time that a question names, as [start, end); None where it names none."""
    text = unicodedata.normalize("NFKC", question).casefold()
    today = now.replace(hour=0, minute=0, second=0, microsecond=0)
    return _exact(text, today) or _relative(text, today) or _month(text, today)


def _exact(text: str, today: datetime) -> Span | None:
    if "-" in text and (found := re.search(ISO, text)):
        return _day(today, *(int(part) for part in found.groups()))
    if "月" in text and (found := re.search(CJK, text)):
        year, month, day = found.groups()
        return _calendar(today, year, int(month), day)
    return None


def _relative(text: str, today: datetime) -> Span | None:
    for days, names in DAYS_AGO.items():
        if _named(text, (names,)) is not None:
            start = today - timedelta(days=days)
            return start, start + timedelta(days=1)
    if re.search(WEEKS, text):
        start = today - timedelta(days=today.weekday() + 7)
        return start, start + timedelta(days=7)
    if re.search(LAST_MONTH, text):
        end = today.replace(day=1)
        return (end - timedelta(days=1)).replace(day=1), end
    weekday = _named(text, WEEKDAYS)
    if weekday is None:
        return None
    start = today - timedelta(days=(today.weekday() - weekday - 1) % 7 + 1)
    return start, start + timedelta(days=1)


def _month(text: str, today: datetime) -> Span | None:
    for number, names in enumerate(MONTHS, 1):
        stems = names.split() + (["may"] if number == 5 and re.search(MAY, text) else [])
        if not any(stem in text for stem in stems):
            continue
        plain = [stem for stem in stems if stem.isascii()]
        bent = [stem for stem in stems if not stem.isascii()]  # Russian months have cases
        pattern = AROUND.format("|".join(plain), "|".join(bent) or "(?!)")
        if (found := re.search(pattern, text)) and (
            len(found[2]) > 3 or found[1] or found[3] or found[4] or not found[2].isascii()
            or found[2] == "may" or found[2] == "mai"
        ):  # fmt: skip
            return _calendar(today, found[4], number, found[1] or found[3])
    if re.search("[0-9]{4}", text) and (found := re.search(YEAR, text)):
        start = today.replace(year=int(found[1]), month=1, day=1)
        return start, start.replace(year=start.year + 1)
    return None


def _named(text: str, rows: Sequence[str]) -> int | None:
    for number, names in enumerate(rows):
        for name in names.split():
            is_word = name.isascii() or "á" in name or "é" in name
            if name in text and (not is_word or re.search(rf"\b{name}\b", text)):
                return number
    return None


def _calendar(today: datetime, year: str | None, month: int, day: str | None) -> Span | None:
    if not 1 <= month <= 12:
        return None
    which = int(year) if year else today.year - (month > today.month)
    if day:
        return _day(today, which, month, int(day))
    start = today.replace(year=which, month=month, day=1)
    return start, (start + timedelta(days=32)).replace(day=1)


def _day(today: datetime, year: int, month: int, day: int) -> Span | None:
    try:
        start = today.replace(year=year, month=month, day=day)
    except ValueError:
        return None  # there is no such day
    return start, start + timedelta(days=1)
