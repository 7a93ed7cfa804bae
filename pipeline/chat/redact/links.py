"""The small words between "password" and the password: `:`, "is", "for the wifi is", or nothing."""

import re
from collections.abc import Iterator

from pipeline.chat.redact import words

_QUOTE = r"[\"'`*_)\]|]{0,3}"
_FOR = rf"(?:\s(?:{words.FOR})(?:\s[^\s.,;:!?=]{{1,24}}){{1,5}}?)?"
_ASIDE = r"(?:\s?\([^()\n]{1,40}\))?"
_SIGN = rf"{_ASIDE}{_QUOTE}[ \t\u3000]{{0,3}}(?:=>|:=|={{1,2}}|:|：|->|→)\s{{0,2}}"
_VERB = (
    rf"{_QUOTE}(?:\s(?:has been |was |is |wurde )?(?:changed to|set to|reset to|auf)"
    rf"|['’]s|\s(?:{words.IS})|\s?[–—]|\s-)"
    rf"(?:\s(?:{words.NOW})){{0,2}}\s?:?\s{{1,2}}"
)
_CJK = rf"(?:[ぁ-ヿ一-鿿가-힣]{{1,6}}?)?\s?(?:{words.CJK_IS})\s?"

SUFFIX = re.compile(r"s?[A-Za-z0-9_]{0,20}")
SIGN = re.compile(
    rf"{_SIGN}|{_FOR}(?:{_QUOTE}\s?[:：]\s{{0,2}}|\s(?:=>|:=|=|->|→)\s)", re.IGNORECASE
)
VERB = re.compile(rf"{_FOR}{_VERB}|{_CJK}", re.IGNORECASE)
NEXT = re.compile(rf"{_QUOTE}[ \t]{{1,2}}")
LATER = re.compile(rf"{_FOR}{_QUOTE}[ \t]{{1,2}}", re.IGNORECASE)

# What makes PASSWORD_… or TOKEN_… a setting about secrets, not one.
_ABOUT = re.compile(
    r"(?i)(?:_|^)(?:reset|timeout|ttl|length|len|min|max|hash|field|policy|expir\w*|url|uri|file|path|count|limit"
    r"|validator|rounds|iterations|algorithm|type|name|prompt|input|label|hint|required|enabled|strength|size|manager"
    r"|id|ids|version|format|regex|rotation|provider|store|bucket|usage|cost|budget)"
)


def is_about(text: str, end: int) -> bool:
    """Tell whether the name goes on to say that it holds a setting (`PASSWORD_MIN_LENGTH`)."""
    suffix = SUFFIX.match(text, end)
    return bool(suffix and _ABOUT.search(suffix.group()))


def after_sign(text: str, end: int) -> Iterator[int]:
    """Give where a value begins that a sign assigns; the name may go on (`PASS_PROD=`)."""
    suffix = SUFFIX.match(text, end)
    link = SIGN.match(text, suffix.end() if suffix else end)
    if link:
        yield link.end()


def after_verb(text: str, end: int) -> Iterator[int]:
    """Give where a value begins that "is", or its like, tells."""
    plural = end + (text[end : end + 1] in ("s", "S"))
    for at in {end, plural}:
        if link := VERB.match(text, at):
            yield link.end()


def after_space(text: str, end: int) -> Iterator[int]:
    """Give where a value begins that just stands there, or after "for the wifi"."""
    if end and not text[end - 1].isascii():
        yield end
    for link in (NEXT.match(text, end), LATER.match(text, end)):
        if link:
            yield link.end()
