"""Read what is neither password nor key: one-time codes and pins, wallet words, values told backwards."""

import base64
import binascii
import re

from pipeline.chat.redact.judge import has_digit_and_letter, is_placeholder
from pipeline.chat.redact.values import looks_made, read_value
from pipeline.chat.redact.words import NO_SECRET, OPEN

_DIGITS = re.compile(r"(?:[A-Z]-)?[0-9]{3,8}(?![0-9A-Za-z%€$])|[0-9]{3}[ -][0-9]{3}(?![0-9A-Za-z])|[0-9]{4}[ -][0-9]{4}(?![0-9A-Za-z])")
_CODES = re.compile(
    r"(?:[0-9a-zA-Z]{4,10}(?:-[0-9a-zA-Z]{4,10}){1,5}|[0-9]{4}[ ]?[0-9]{4}|[0-9a-z]{8,12})"
    r"(?:(?:[\s,;]|\d{1,2}[.)]\s){1,4}(?:[0-9a-zA-Z]{4,10}(?:-[0-9a-zA-Z]{4,10}){1,5}|[0-9]{4}[ ]?[0-9]{4}|[0-9a-z]{8,12}))*"
)
_BASE32 = re.compile(r"[A-Z2-7]{16,128}|(?:[a-z2-7]{4} ){3,15}[a-z2-7]{4}")
_BLOCKS = re.compile(r"(?:[a-z]{4}[ -]){3}[a-z]{4}(?![A-Za-z])")
_WORDS = re.compile(r"(?:(?:[0-9]{1,2}[.):]?\s{0,2})?[a-z]{3,8}[\s,]{1,3}){11,24}(?:[0-9]{1,2}[.):]?\s{0,2})?[a-z]{3,8}")
# Words in nearly every sentence that no English wallet list holds. A run of twelve short words without
# one of them is hardly ever talk. Lists in other languages are found by the word "seed" before them only.
_NEVER_IN_A_SEED = frozenset(
    """
    the and for are but not was his her had has him she who did its our out how got get let too put
    say says said with from have been were which would their your does don dont isnt cant just like
    some than them these those though through into over here want need know think going much very
    really well only even most then make made come look good time people back first being should
    could because please thanks thank yeah okay hello things thing what when where there they this
    that will work works right never always maybe still also about again after before any all one two
    """.split()
) - frozenset(
    "say just like some only then make come look good time people first what when where there they"
    " this that will work right never always maybe still also about again before any all thank thing"
    " because much into over want need know really over well even most one two though through".split()
)


def code_told(text: str, _: int, end: int) -> tuple[int, int] | None:
    """Take the figures after "pin is" or "2fa code:"."""
    start, _stop, _quoted = read_value(text, end)
    figures = _DIGITS.match(text, start)
    return figures.span() if figures else None


def code_beside(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take the figures right after "otp" or "cvv"; five or more, or three after a card's word."""
    found = code_told(text, start, end)
    if not found:
        return None
    wanted = 3 if "cv" in text[start:end].lower() else 5
    return found if found[1] - found[0] >= wanted else None


def spare_codes(text: str, _: int, end: int) -> tuple[int, int] | None:
    """Take the list of codes after "backup codes:"."""
    start, _stop, _quoted = read_value(text, end)
    codes = _CODES.match(text, start)
    return codes.span() if codes and any(c.isdigit() for c in codes.group()) else None


def shared_seed(text: str, _: int, end: int) -> tuple[int, int] | None:
    """Take the base32 seed of a one-time-code generator."""
    start, _stop, _quoted = read_value(text, end)
    seed = _BASE32.match(text, start)
    return seed.span() if seed and any(c.isdigit() for c in seed.group()) else None


def four_blocks(text: str, _: int, end: int) -> tuple[int, int] | None:
    """Take four blocks of four letters after "app password"."""
    start, _stop, _quoted = read_value(text, end)
    blocks = _BLOCKS.match(text, start)
    if not blocks:
        return None
    common = sum(word in NO_SECRET for word in re.split("[ -]", blocks.group()))
    return blocks.span() if common < 2 else None


def seed_named(text: str, _: int, end: int) -> tuple[int, int] | None:
    """Take the run of wallet words after "seed phrase"; a stray common word may be among them."""
    start, _stop, _quoted = read_value(text, end)
    found = _WORDS.match(text, start)
    if not found:
        return None
    words = re.findall(r"[a-z]{3,8}", found.group())
    common = sum(word in _NEVER_IN_A_SEED for word in words)
    return found.span() if common <= len(words) // 8 else None


def seed_alone(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take 12, 15, 18, 21 or 24 short plain words that are all of a line or of a quote."""
    found = _WORDS.match(text, start)
    if not found:
        return None
    start, end = found.span()
    words = re.findall(r"[a-z]{3,8}", text[start:end])
    if len(words) not in (12, 15, 18, 21, 24) or any(w in _NEVER_IN_A_SEED for w in words):
        return None
    inflected = sum(word.endswith(("ing", "ed", "ies", "ly")) for word in words)
    line_before = text[:start].rpartition("\n")[2].strip(" \t>*`'\"|:-")
    line_after = text[end:].partition("\n")[0].strip(" \t.*`'\"|")
    if line_before or line_after or inflected > len(words) // 6 or "," in text[start:end]:
        return None
    return start, end


def value_before(text: str, start: int, _: int) -> tuple[int, int] | None:
    """Take the word before "is my password"."""
    head = text[max(0, start - 100) : start].rstrip()
    begin = max(0, start - 100) + max(head.rfind(c) for c in " \t\n\u3000「『“\"`'") + 1
    end = max(0, start - 100) + len(head.rstrip("`'\"*|」』”"))
    value = text[begin:end].lstrip("*|`")
    begin = end - len(value)
    if len(value) < 5 or is_placeholder(value) or not looks_made(value):
        return None
    return (begin, end) if has_digit_and_letter(value) else None


def code_before(text: str, start: int, _: int) -> tuple[int, int] | None:
    """Take the figures before "is your verification code"."""
    figures = re.search(r"(?:\b[A-Z]-)?[0-9]{3}[ -]?[0-9]{1,5}$", text[max(0, start - 12) : start].rstrip())
    if not figures:
        return None
    begin = max(0, start - 12) + figures.start()
    return begin, begin + len(figures.group())


def name_and_password(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take base64 that holds a name, a colon and a password."""
    value = text[start:end]
    try:
        clear = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
    return (start, end) if b":" in clear and clear.isascii() and clear.decode("ascii").isprintable() else None


_OPEN_WORD = re.compile(rf"(?:^|[^A-Za-z])(?:{OPEN})[-_ ]?$", re.IGNORECASE)


def is_open(text: str, start: int) -> bool:
    """Tell whether the word before a "key" makes it public, a column or a button."""
    return bool(_OPEN_WORD.search(text[max(0, start - 24) : start]))
