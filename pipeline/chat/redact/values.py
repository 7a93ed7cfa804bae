"""Read the value that follows "the password is", and decide whether it is one."""

import re

from pipeline.chat.redact.judge import (
    MARK,
    has_digit_and_letter,
    is_code,
    is_placeholder,
    is_random,
    kinds,
)
from pipeline.chat.redact.words import NO_SECRET

CLOSERS = {
    '"': '"',
    "'": "'",
    "`": "`",
    "“": "”",
    "„": "“”",
    "«": "»",
    "‘": "’",
    "「": "」",
    "『": "』",
    "*": "*",
    "|": "|",
    "_": "_",
}
_OPENING = re.compile(r"[ \t\u3000]{0,4}(?:```[a-z]{0,10}\n?|\|\||\*\*|__|[\"'`“„«‘「『*])*")
_UNQUOTED = re.compile(r"[^\s，。、；！？「」『』（）：“”«»…\u3000]{1,128}")
_CJK = re.compile(r"[\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_UNITS = re.compile(
    r"^(?:[0-9]+(?:st|nd|rd|th|bits?|[kmgt]i?b|x|ms|s|h|min|d|y|yrs?|k|m|%|€|\$|\+|-?bit|-?chars?|-?digits?|er|te|ème)"
    r"|sha-?[0-9]+|md[45]|base(?:32|58|64)|utf-?(?:8|16)|aes-?[0-9]*|x509|oauth2?|2fa|mfa|wpa[23]?|ipv[46]|argon2(?:id|i|d)?"
    r"|pbkdf2|bcrypt|rsa-?[0-9]*|ed25519|h26[45]|mp[34]|v?[0-9]+(?:\.[0-9]+)+|#[0-9]+|[0-9]+/[0-9]+)$",
    re.IGNORECASE,
)
_ADDRESS = re.compile(
    r"^(?:https?://|www\.|/|~/|\./|<[@#:]|[\w.+-]+@[\w-]+\.[\w.]+$)", re.IGNORECASE
)

Found = "tuple[int, int] | None"


def read_value(text: str, at: int) -> tuple[int, int, bool]:
    """Give the bounds of the value that begins after `at`, and whether quotes hold it."""
    opening = _OPENING.match(text, at)
    start = opening.end() if opening else at
    opened = text[at:start].strip()
    while text.startswith(MARK, start):  # what clings to a mark may be the rest of a value
        start += len(MARK)
        if not text[start : start + 1].isalnum():
            return start, start, False
    if opened:
        closing = opened[-1]
        line_end = text.find("\n", start)
        limit = min(len(text) if line_end < 0 else line_end, start + 200)
        ends = [
            end
            for c in CLOSERS.get(closing, closing)
            if (end := text.find(c, start, limit)) > start
        ]
        if ends:
            return start, min(ends), True
    value = _UNQUOTED.match(text, start)
    if not value or _CJK.match(text, start):  # passwords are not written in ideographs
        return start, start, False
    return start, _trimmed(text, start, value.end()), False


def _trimmed(text: str, start: int, end: int) -> int:
    """Cut from an unquoted value what belongs to the sentence, the markup or the next field."""
    value = text[start:end]
    if value[:1].isascii():
        other = _CJK.search(value)
        value = value[: other.start()] if other else value
    field = re.search(r"[;&](?=[A-Za-z_ ]{2,40}=)|;+$|[\"'`](?=[,}\])]|$)|,(?=\"|'|\S+[:=])", value)
    value = value[: field.start()] if field and field.start() else value
    while value and _closes(value):
        value = value[:-1]
    return start + len(value)


def _closes(value: str) -> bool:
    """Tell whether the last sign is the sentence's; a bracket that the value opened is its own."""
    last = value[-1]
    if last in ")]}>":
        return value.count({")": "(", "]": "[", "}": "{", ">": "<"}[last]) < value.count(last)
    return last in ".,;:\"'`”»?" or value.endswith(("||", "**", "__"))


def looks_made(value: str) -> bool:
    """Tell a password from a word: digits among letters, signs within, or capitals inside."""
    if _UNITS.match(value) or _ADDRESS.match(value) or value.lower() in NO_SECRET:
        return False
    if value.isdigit():
        return len(value) >= 4
    if has_digit_and_letter(value):
        return len(value) >= 4
    letters = re.sub(r"[-'’./,]", "", value)
    if not letters.isalpha():
        return len(value) >= 5 and any(c.isalnum() for c in value)
    if letters != value:  # hyphens, apostrophes and dots alone make compound words
        return len(re.findall(r"[a-zA-Z]{4,}(?=-|$)", value)) >= 3 and value.count("-") >= 2
    return len(value) >= 8 and kinds(value[1:]) >= 2


def _refused(value: str) -> bool:
    """Tell stand-ins, code, addresses and what is redacted already."""
    return (
        len(value) < 3
        or MARK.strip("[]") in value
        or value.lower() in NO_SECRET
        or is_placeholder(value)
        or is_code(value)
        or bool(_ADDRESS.match(value))
    )


def assigned(text: str, at: int) -> tuple[int, int] | None:
    """Take the value after `password:` or `PASS=`; a plain word only where nothing follows it."""
    start, stop, is_quoted = read_value(text, at)
    value = text[start:stop]
    if _refused(value) or _UNITS.match(value):
        return None
    if " " in value:
        is_mixed = is_quoted and any(map(has_digit_and_letter, value.split()[:3]))
        return (start, stop) if is_mixed or is_passphrase(value) else None
    if looks_made(value):
        return start, stop
    ends_there = not re.match(r"[ \t]*[^\W_]", text[stop : stop + 9].lstrip("\"'`*|,;.!)}"))
    is_word = len(value) >= (4 if is_quoted else 6) and not value.endswith("?")
    return (start, stop) if is_word and ends_there else None


def told(text: str, at: int) -> tuple[int, int] | None:
    """Take the value after "the password is": what looks made, or any word in quotes."""
    start, stop, is_quoted = read_value(text, at)
    value = text[start:stop]
    if _refused(value):
        return None
    if " " in value:
        return (start, stop) if is_quoted and is_passphrase(value) else None
    return (start, stop) if looks_made(value) or (is_quoted and len(value) >= 4) else None


def beside(text: str, at: int) -> tuple[int, int] | None:
    """Take the value right after "pw", without a word between: only what mixes digits in."""
    start, stop, is_quoted = read_value(text, at)
    value = text[start:stop]
    if _refused(value) or " " in value or not looks_made(value) or len(value) < 6:
        return None
    is_strong = has_digit_and_letter(value) or kinds(value) >= 3
    return (start, stop) if is_strong or is_quoted else None


_NAME = re.compile(r"\s?[A-Za-z0-9_.@-]{2,40}\s?[:/|]\s?")


def after_name(text: str, at: int) -> tuple[int, int] | None:
    """Take the second part of "maren / Winter.99"."""
    name = _NAME.match(text, at)
    return beside(text, name.end()) if name else None


def is_passphrase(value: str) -> bool:
    """Tell three to ten words that make no sentence."""
    words = value.split()
    plain = sum(word.lower().strip(",.!?") in NO_SECRET for word in words)
    return 3 <= len(words) <= 10 and plain <= len(words) // 4


def words_told(text: str, at: int) -> tuple[int, int] | None:
    """Take the words after "passphrase:", to the end of the line or the quote."""
    start, stop, is_quoted = read_value(text, at)
    if not is_quoted:
        line = re.compile(r"[^\n.,;!?()]{1,120}").match(text, start)
        stop = start + len(line.group().rstrip()) if line else start
    value = text[start:stop]
    return (start, stop) if not _refused(value) and is_passphrase(value) else None


_OPAQUE = re.compile(r"[A-Za-z0-9_.~+/=%-]{8,600}")


def opaque(text: str, at: int) -> tuple[int, int] | None:
    """Take the drawn value after "api key:" or "token is": long, and no person's writing."""
    start, _stop, _quoted = read_value(text, at)
    run = _OPAQUE.match(text, start)
    if not run:
        return None
    value = run.group().rstrip(".:~%-")
    figures = sum(c.isdigit() for c in value)
    is_long = len(value) >= 16 or (len(value) >= 12 and 3 <= figures <= len(value) - 3)
    return (start, start + len(value)) if is_long and is_opaque(value) else None


def long_opaque(text: str, at: int) -> tuple[int, int] | None:
    """Take a drawn value of 32 characters or more, where only a service's name stands before it."""
    found = opaque(text, at)
    return found if found and found[1] - found[0] >= 32 else None


def is_opaque(value: str) -> bool:
    """Tell a machine's key from names, numbers, paths and digests that say so."""
    if (
        value.lower() in NO_SECRET
        or is_placeholder(value)
        or is_code(value)
        or MARK.strip("[]") in value
    ):
        return False
    if value.isdigit() or re.match(
        r"(?i)sha[0-9]{1,3}[-:]|0x[0-9a-f]{40}$|[a-z]+://|www\.|(?:/[a-z][a-z0-9_.-]*){2,}/?$",
        value,
    ):
        return False
    if re.search(r"[a-z]{12,}|[A-Z]{14,}", value) and not re.search(r"[0-9].*[0-9].*[0-9]", value):
        return False
    return is_random(value.removeprefix("0x"))
