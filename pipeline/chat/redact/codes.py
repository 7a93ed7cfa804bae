"""Read what is neither password nor key: pins, one-time and spare codes, seeds, wallet words."""

import base64
import binascii
import re

from pipeline.chat.redact.judge import is_placeholder
from pipeline.chat.redact.values import read_value
from pipeline.chat.redact.words import NO_SECRET

_FIGURES = re.compile(
    r"(?:[0-9]{3}[ -][0-9]{3}|[0-9]{4}[ -][0-9]{4})(?![0-9A-Za-z-])"
    r"|(?:[A-Z]-)?[0-9]{3,8}(?![0-9A-Za-z%€$]|[.,:/-][0-9])"
)
_SPARE = r"(?:[0-9a-zA-Z]{4,10}(?:-[0-9a-zA-Z]{4,10}){1,5}|[0-9]{4} ?[0-9]{4}|[0-9a-z]{8,12})"
_SPARES = re.compile(rf"{_SPARE}(?:(?:[\s,;]|[0-9]{{1,2}}[.)]\s){{1,4}}{_SPARE})*")
_BASE32 = re.compile(r"[A-Z2-7]{16,128}|(?:[a-z2-7]{4} ){3,15}[a-z2-7]{4}")
_BLOCKS = re.compile(r"(?:[a-z]{4}[ -]){3}[a-z]{4}(?![A-Za-z-])")
_NUMBER = r"(?:[0-9]{1,2}[.):]?\s{0,2})?"
_WORDS = re.compile(
    rf"(?:{_NUMBER}[a-z]{{3,8}}[\s,]{{1,3}}){{11,24}}{_NUMBER}[a-z]{{3,8}}(?![A-Za-z]|['’][a-z])"
)
_APART = (r" {1,2}", r"\s{1,2}")
_RUNS = tuple(
    re.compile(
        rf"(?:{_NUMBER}[a-z]{{3,8}}{apart}){{11,27}}{_NUMBER}[a-z]{{3,8}}(?![A-Za-z]|['’][a-z])"
    )
    for apart in _APART
)
# Words of nearly every sentence that no English wallet list holds: small words, and inflected ones.
# A run of twelve without one of them is hardly ever talk. Lists in other languages are found only
# by the word "seed" before them.
_SMALL_WORDS = """
actually added ago aint along amongst and anybody anymore anyone anything anyway anywhere are
arent asked back bad been being big bit both bro btw but called came cant care changed comes
could couldnt days depends did didn didnt does doesn doesnt doing don done dont down dude each
easier even ever every everyone exactly far feels for friends from gave get gets getting gives
giving goes going gone gonna got gotta guys had happen happened happens has hasnt havent having
heard helps her here hers herself hes hey him himself his hmm hours how however idk isn isnt its
itself ive keeps kept kinda knows last latest least less let lets likes lmao lol longer look
looking looks lot lots made makes making many may maybe meant might minutes missing months most
nah needed needs new nobody nope nor not omg ones onto others our ours out per perhaps pls plz
quite reading really recently running runs said saying says see seeing seems seen she shes
should shouldnt simply some somebody sooner sorta started stop takes talking tells than thanks
thats the their theirs them theres these theyre things think thinking those though through thx
times told too took tough towards tried trying unless using usually wallet wanna wanted wants
was wasn wasnt week weeks went were werent whatever whats whenever wherever whether which while
who whole whom whose why with without wont words working works would wouldnt yea yeah years yep
yes yet your youre yours yourself
"""
_NEVER_IN_A_SEED = frozenset(_SMALL_WORDS.split())


def figures(text: str, at: int) -> tuple[int, int] | None:
    """Read three to eight figures, also in two groups."""
    start, _stop, _quoted = read_value(text, at)
    found = _FIGURES.match(text, start)
    return found.span() if found else None


def spare_codes(text: str, at: int) -> tuple[int, int] | None:
    """Read the list of codes after "backup codes:"."""
    start, _stop, _quoted = read_value(text, at)
    codes = _SPARES.match(text, start)
    return codes.span() if codes and any(c.isdigit() for c in codes.group()) else None


def shared_seed(text: str, at: int) -> tuple[int, int] | None:
    """Read the base32 seed of a one-time-code generator."""
    start, _stop, _quoted = read_value(text, at)
    seed = _BASE32.match(text, start)
    return seed.span() if seed and any(c.isdigit() for c in seed.group()) else None


def four_blocks(text: str, at: int) -> tuple[int, int] | None:
    """Read four blocks of four letters, a mail provider's password for one app."""
    start, _stop, _quoted = read_value(text, at)
    blocks = _BLOCKS.match(text, start)
    if not blocks:
        return None
    common = sum(
        word in NO_SECRET or word in _NEVER_IN_A_SEED for word in re.split("[ -]", blocks.group())
    )
    return blocks.span() if common < 2 else None


def seed_named(text: str, at: int) -> tuple[int, int] | None:
    """
    Read the wallet words after "seed phrase".

    Where their number is none that wallets use, one word in eight may be a common one.
    """
    start, _stop, _quoted = read_value(text, at)
    if exact := seed_alone(text, start, start):
        return exact
    found = _WORDS.match(text, start)
    if not found:
        return None
    words = re.findall(r"[a-z]{3,8}", found.group())
    common = sum(word in _NEVER_IN_A_SEED for word in words)
    return found.span() if common <= len(words) // 8 else None


def seed_alone(text: str, start: int, _: int) -> tuple[int, int] | None:
    """
    Take 12, 15, 18, 21 or 24 short plain words in a row without the words that talk is made of.

    This knows wallet words by what they are not, so that no list ships; it finds English lists in
    small letters, with spaces, line ends, commas or numbers between.
    """
    for pattern in _RUNS:
        found = pattern.match(text, start)
        if not found:
            continue
        words = list(re.finditer(r"[a-z]{3,8}", found.group()))
        first = 0
        while words and (
            words[0].group() in _NEVER_IN_A_SEED or text[start + words[0].start() - 1] in "@#"
        ):
            words = words[1:]
            first = words[0].start() if words else 0
        while words and words[-1].group() in _NEVER_IN_A_SEED:
            words = words[:-1]
        if is_seed([word.group() for word in words]):
            return start + first, start + words[-1].end()
    return None


def is_seed(words: list[str]) -> bool:
    """Tell a wallet's words by their number, and by what they are not: small or inflected words."""
    if len(words) not in (12, 15, 18, 21, 24) or len(set(words)) < len(words) // 2:
        return False
    inflected = sum(word.endswith(("ing", "ed", "ies", "ly", "s")) for word in words)
    return inflected <= len(words) // 4 and not any(word in _NEVER_IN_A_SEED for word in words)


def name_and_password(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Take base64 that holds a name, a colon and a password."""
    value = text[start:end]
    try:
        clear = base64.b64decode(value + "=" * (-len(value) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None
    is_pair = b":" in clear and clear.isascii() and clear.decode("ascii").isprintable()
    return (start, end) if is_pair and not is_placeholder(clear.decode("ascii")) else None
