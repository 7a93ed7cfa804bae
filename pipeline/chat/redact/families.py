"""What to do at a word like "password" or "pin": try each way in which a value stands by it."""

import re
from collections.abc import Callable, Iterable

from pipeline.chat.redact import codes, links, values, words
from pipeline.chat.redact.judge import has_digit_and_letter, is_code, is_placeholder

Found = tuple[int, int] | None
Read = Callable[[str, int], Found]

_MY = (
    "the|a|my|our|your|das|mein|unser|dein|ein|le|mon|notre|votre|ton|la|mi|tu|su|a|minha|sua|il|mio|мой|твой"
    "|de|het|mijn|mitt|min|moje|to"
)
_IS_MY = re.compile(
    rf"\s(?:is|ist|est|es|é|è|это|är|—|as|als|como|comme|for)\s(?:(?:{_MY})\s)?(?:[^\s.!?]{{1,20}}\s){{0,3}}$",
    re.IGNORECASE,
)
_IS_MY_CJK = re.compile(r"\s?(?:是|が|は)(?:我的|我们的|私の|うちの)?[^\s]{0,6}$")
_OPEN_CODE = re.compile(rf"(?:^|[^A-Za-z])(?:{words.OPEN_CODE})[-_ ]?$", re.IGNORECASE)
_GOES_ON = re.compile(r"(?!s[^a-z])[a-z]")  # keyboard, pinned, tokenizer
_OPAQUE_NEAR = re.compile(r"[^\n]{0,160}?\n?[^\n]{0,8}?[A-Za-z0-9_.~+/=%-]{12}")
_OPEN_WORD = re.compile(
    rf"(?:^|[^A-Za-z])(?:{words.OPEN}"
    r"|(?:public|öffentlich[a-z]*|publique|pública)(?:\s[\w-]{1,20}){1,2})[-_ ]?$",
    re.IGNORECASE,
)


def password(text: str, start: int, end: int) -> Found:
    """Take the password after (or before) a word for one."""
    if links.is_about(text, end):
        return None
    if text[start:end].lower().endswith(("phrase", "phrases")):
        for after in (links.after_sign, links.after_verb):
            if found := _first(text, after(text, end), values.words_told):
                return found
    signed = _first(text, links.after_sign(text, end), codes.four_blocks, values.assigned)
    return signed or _told_or_beside(text, start, end)


def short_password(text: str, start: int, end: int) -> Found:
    """Take the password after "pw"; after "pass" or "clave", which mean more, only a made one."""
    name = text[_word(text, start) : end].rstrip(" :=-").lower()
    if name.startswith(("clave", "parol", "pass")):
        end = end if text[end - 1].isalpha() else end - 1
        return _first(text, links.after_sign(text, end), values.told) or _told_or_beside(
            text, start, end
        )
    return password(text, _word(text, start), end if text[end - 1].isalpha() else end - 1)


def _told_or_beside(text: str, start: int, end: int) -> Found:
    """Take what "is" tells, what just stands there, or what stands before."""
    return (
        _first(text, links.after_verb(text, end), codes.four_blocks, values.told)
        or _first(text, links.after_sign(text, end), values.after_name)
        or _first(text, links.after_verb(text, end), values.after_name)
        or _first(text, links.after_space(text, end), codes.four_blocks, values.beside)
        or _before(text, _word(text, start))
    )


def key(text: str, start: int, end: int) -> Found:
    """Take the drawn value after "api key", unless the word before says that it is public."""
    if _GOES_ON.match(text, end) or not _OPAQUE_NEAR.match(text, end):
        return None
    at = _word(text, start)
    if _OPEN_WORD.search(text[max(0, at - 24) : at]) or links.is_about(text, end):
        return None
    return (
        _first(text, links.after_sign(text, end), values.opaque)
        or _first(text, links.after_verb(text, end), values.opaque)
        or _first(text, links.after_space(text, end), values.opaque)
    )


def code(text: str, start: int, end: int) -> Found:
    """Take the figures after "pin:" or "2fa code is", or before "is your login code"."""
    if _GOES_ON.match(text, end):
        return None
    return (
        _first(text, links.after_sign(text, end), codes.figures)
        or _first(text, links.after_verb(text, end), codes.figures)
        or _figures_beside(text, start, end)
        or _figures_before(text, _word(text, start))
    )


def one_time(text: str, start: int, end: int) -> Found:
    """Take the seed or code after "2fa", "otp" or "cvv", also with nothing between."""
    told = code(text, start, end)
    if told:
        return told
    name = re.compile(r"[- _]?(?:secret|seed|key|setup key|code)", re.IGNORECASE).match(text, end)
    at = name.end() if name else end
    seed = (
        _first(text, links.after_sign(text, at), codes.shared_seed)
        or _first(text, links.after_verb(text, at), codes.shared_seed)
        or _first(text, links.after_space(text, at), codes.shared_seed)
    )
    if seed:
        return seed
    found = _first(text, links.after_space(text, at), codes.figures)
    wanted = 3 if "cv" in text[start:end].lower() else 5
    return found if found and found[1] - found[0] >= wanted else None


def some_code(text: str, start: int, end: int) -> Found:
    """Take six figures after "the code is"; without a word for its use, only six will do."""
    if _OPEN_CODE.search(text[max(0, start - 24) : start]):
        return None
    found = code(text, start, end)
    return found if found and sum(c.isdigit() for c in text[found[0] : found[1]]) == 6 else None


def spare_codes(text: str, _: int, end: int) -> Found:
    """Take the list after "backup codes"."""
    return (
        _first(text, links.after_sign(text, end), codes.spare_codes)
        or _first(text, links.after_verb(text, end), codes.spare_codes)
        or _first(text, links.after_space(text, end), codes.spare_codes)
    )


def seed(text: str, _: int, end: int) -> Found:
    """Take the wallet words after "seed phrase", also a few words later."""
    for after in (links.after_sign, links.after_verb, links.after_space):
        if found := _first(text, after(text, end), codes.seed_named):
            return found
    later = re.compile(r"[^\n]{0,60}?[:=\n]\s{0,3}").match(text, end)
    return codes.seed_named(text, later.end()) if later else None


def rest(read: Read) -> Callable[[str, int, int], Found]:
    """Make a taker of a reader: the value stands right after the hit."""
    return lambda text, _, end: read(text, end)


def link(pattern: str, read: Read) -> Callable[[str, int, int], Found]:
    """Make a taker of a reader: between the hit and the value stands what `pattern` says."""
    compiled = re.compile(pattern, re.IGNORECASE)

    def take(text: str, _: int, end: int) -> Found:
        between = compiled.match(text, end)
        return read(text, between.end()) if between else None

    return take


def _first(text: str, places: Iterable[int], *reads: Read) -> Found:
    """Give the first value that a reader finds at one of the places."""
    for at in places:
        for read in reads:
            if found := read(text, at):
                return found
    return None


def _before(text: str, start: int) -> Found:
    """Take the word before "is my password": it must mix digits and letters."""
    floor = max(0, start - 160)
    head = text[floor:start]
    between = _IS_MY.search(head) or _IS_MY_CJK.search(head)
    if not between:
        return None
    said = head[: between.start()].rstrip()
    blocks = re.search(r"(?:[a-z]{4}[ -]){3}[a-z]{4}$", said[-20:])
    if blocks and (found := codes.four_blocks(text, floor + len(said) - len(blocks.group()))):
        return found
    last = re.split(r"[\s「『“：，。]", said)[-1]
    bare = last.lstrip("`'\"|*(").rstrip("`'\"|」』”,)")
    begin = floor + len(said) - len(last) + last.find(bare)
    is_one = 5 <= len(bare) <= 64 and has_digit_and_letter(bare) and values.looks_made(bare)
    if not is_one or is_placeholder(bare) or is_code(bare):
        return None
    return begin, begin + len(bare)


def _figures_beside(text: str, start: int, end: int) -> Found:
    """Take the figures right after "door code" (four and more) or "pin" (four or six)."""
    name = text[_word(text, start) : end].lower()
    found = _first(text, links.after_space(text, end), codes.figures)
    is_named = name == "pin" or (
        re.search("[ -]", name) and not name.startswith(("pin c", "pin-c"))
    )
    if not found or not is_named:  # "pin code" is also how India says postcode
        return None
    length = found[1] - found[0]
    return found if length in (4, 6) or (length > 4 and name != "pin") else None


def _word(text: str, start: int) -> int:
    """Give where the word begins; a hit may begin with the sign before it."""
    return start if text[start : start + 1].isalnum() else start + 1


def _figures_before(text: str, start: int) -> Found:
    """Take the figures before "is your login code"."""
    floor = max(0, start - 80)
    head = text[floor:start]
    between = re.search(
        rf"\s(?:is|ist|est|es|é|—|-)\s(?:(?:{_MY}|dein|ihr)\s)(?:[^\s.!?]{{1,20}}\s){{0,3}}$",
        head,
        re.IGNORECASE,
    )
    if not between:
        return None
    found = re.search(r"(?:\b[A-Z]-)?\b[0-9]{3}[ -]?[0-9]{1,5}$", head[: between.start()])
    return (floor + found.start(), floor + found.end()) if found else None
