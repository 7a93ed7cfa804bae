"""
What a text is to Discord and to the live adapter: ids, tokens, lengths, sizes, links.

Nothing here knows names or rooms. The adapter runs on JavaScript, so lengths count UTF-16 units,
white space is JavaScript's, and halves round up.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from pipeline.errors import SourceError

Resolve = Callable[[str, str], str | None]
"""(kind, id) → the visible name; kind is `@`, `@&` or `#`; None leaves the token as typed."""

# `<@ID>` `<@!ID>` `<@&ID>` `<#ID>`, `</name sub:ID>`, `<:name:ID>` `<a:name:ID>`. Command names may
# hold letters and digits of any script; the marks of Devanagari and Thai are no word characters to
# `re`, so they are named. Emoji names and ids are plain ASCII.
_COMMAND = r"[-\w \u0900-\u0950\u0955-\u0963\u0966-\u097f\ua8e0-\ua8ff\u0e01-\u0e3a\u0e40-\u0e5b]+"
_EMOJI = r"[A-Za-z0-9_]+"
_ID = r"[0-9]{17,19}"
TOKEN = re.compile(rf"<(?:(@[!&]?|#)|/({_COMMAND}):|a?:({_EMOJI}):)({_ID})>")
EMOJI_TOKEN = re.compile(rf"<a?:({_EMOJI}):{_ID}>")
USER_TOKEN = re.compile(rf"<@!?({_ID})>")

JS_SPACES = re.compile(r"[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")

_CDN_LINK = re.compile(
    r"(https?://(?:cdn|media|images-ext-\d+)\.discordapp\.(?:com|net)/[^\s?<>\"]*)"
    r"\?([\w=&%;.~+-]*)"
)
_SIGNED_PAIR = re.compile(r"(?:^|&)(?:amp;)?(?:ex|is|hm)=[0-9A-Fa-f]*(?=[^0-9A-Za-z_%]|$)")
_LOOSE_ENDS = re.compile(r"^(?:&(?:amp;)?)+|(?:&(?:amp;)?)+$")

DISCORD_EPOCH = datetime(2015, 1, 1, tzinfo=UTC)
KIB = 1024
MIB = 1024 * 1024


def text_id(value: object) -> str:
    """Give an id as text; whole numbers become digits, a float has lost some and is refused."""
    if type(value) is str:
        return value
    if type(value) is int:
        return str(value)
    if isinstance(value, float):
        raise SourceError(
            f"the id {value!r} is a float and has lost digits; write ids as text or whole numbers"
        )
    raise SourceError(f"an id is {type(value).__name__}; write ids as text or whole numbers")


def id_time(snowflake: str) -> datetime:
    """Give the time that a snowflake holds, to the millisecond; the adapter takes no other."""
    return DISCORD_EPOCH + timedelta(milliseconds=int(snowflake) >> 22)


def js_time(moment: datetime) -> str:
    """Write a UTC time as JavaScript's `toISOString` does: milliseconds and `Z`."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def whole(text: str) -> str:
    """Give the text with every lone surrogate as U+FFFD, so that it can be written as UTF-8."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub("\ufffd", text)
    return text


def utf16_length(text: str) -> int:
    """Count UTF-16 units, as JavaScript's `length` does."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_cut(text: str, units: int) -> str:
    """Keep the first `units` UTF-16 units; half of a pair at the cut becomes U+FFFD."""
    if text.isascii():
        return text[:units]
    kept = text.encode("utf-16-le", "surrogatepass")[: 2 * units]
    return kept.decode("utf-16-le", "replace")


def one_spaced(text: str) -> str:
    """Run every stretch of JavaScript white space to one space, and trim."""
    return JS_SPACES.sub(" ", text).strip(" ")


def size_text(size: int) -> str:
    """Say a size as the adapter does: `12B`, `3KB`, `1.3MB`; halves round up (§4)."""
    if size < KIB:
        return f"{size}B"
    if size < MIB:
        return f"{(size + KIB // 2) // KIB}KB"
    tenths = (20 * size + MIB) // (2 * MIB)
    return f"{tenths // 10}.{tenths % 10}MB"


def clean_tokens(text: str, resolve: Resolve) -> str:
    """Replace Discord's tokens by what people see, in one pass (§3); unknown ones stay raw."""
    if "<" not in text:
        return text

    def seen(match: re.Match[str]) -> str:
        kind, command, emoji, target = match.groups()
        if command is not None:
            return f"/{command}"
        if emoji is not None:
            return f":{emoji}:"
        sign = "@" if kind == "@!" else kind
        name = resolve(sign, target)
        return match.group() if name is None else f"{sign[0]}{name}"

    return TOKEN.sub(seen, text)


def clean_emoji(text: str) -> str:
    """Rewrite custom emoji to `:name:` and leave mentions raw, as forwards do (§3)."""
    return EMOJI_TOKEN.sub(r":\1:", text) if "<" in text else text


def name_users(text: str, resolve: Callable[[str], str | None]) -> str:
    """Turn `<@ID>` back into `@name`; a user without a name stays raw (§7.1)."""
    if "<@" not in text:
        return text

    def named(match: re.Match[str]) -> str:
        name = resolve(match.group(1))
        return match.group() if name is None else f"@{name}"

    return USER_TOKEN.sub(named, text)


def unsigned(text: str) -> str:
    """Take the signature (`ex`, `is`, `hm`) out of every CDN link in the text."""
    if "discordapp" not in text or "?" not in text:
        return text
    return _CDN_LINK.sub(lambda match: match.group(1) + _query(match.group(2)), text)


def unsigned_url(url: str) -> str:
    """Take the signature out of one attachment's link, whatever its host."""
    path, mark, query = url.partition("?")
    return path + _query(query) if mark else url


def _query(query: str) -> str:
    """Give what stays of a query with its question mark; empty where only a signature stood."""
    rest = _SIGNED_PAIR.sub("", query)
    if rest == query:
        return f"?{query}"
    rest = _LOOSE_ENDS.sub("", rest)
    return f"?{rest}" if "=" in rest else rest
