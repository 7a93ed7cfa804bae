"""Draws that every invented credential is put together from: alphabets, runs, ids."""

import base64
import string
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

DIGITS = string.digits
LOWER = string.ascii_lowercase
UPPER = string.ascii_uppercase
ALNUM = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
URLSAFE = ALNUM + "-_"
BASE64 = ALNUM + "+/"
BASE32 = UPPER + "234567"
BASE58 = "".join(c for c in ALNUM if c not in "0OIl")


@dataclass(frozen=True, slots=True)
class Planted:
    """A secret and the text right around it that belongs to its form (a URL's host, a header)."""

    before: str
    secret: str
    after: str = ""


Draw = Callable[[Random], Planted]


def run(dice: Random, length: int, alphabet: str = ALNUM) -> str:
    """Draw `length` characters."""
    return "".join(dice.choices(alphabet, k=length))


def mixed(dice: Random, length: int, alphabet: str = ALNUM) -> str:
    """Draw `length` characters, a lower, an upper and a digit among them, ends alphanumeric."""
    while True:
        text = run(dice, length, alphabet)
        kinds = (str.islower, str.isupper, str.isdigit)
        if all(any(map(kind, text)) for kind in kinds) and text[0].isalnum() and text[-1].isalnum():
            return text


def tail(head: str, length: int, alphabet: str = ALNUM, end: str = "") -> Draw:
    """Give a draw of `head`, then `length` characters, then `end`."""
    draw = mixed if alphabet in (ALNUM, URLSAFE, BASE64) else run
    return lambda dice: Planted("", head + draw(dice, length, alphabet) + end)


def uuid(dice: Random) -> str:
    """Draw a version 4 UUID."""
    digits = run(dice, 32, HEX)
    variant = dice.choice("89ab")
    return f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


def b64url(data: bytes) -> str:
    """Encode without padding."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def snowflake(dice: Random) -> str:
    """Draw an id as Discord numbers things, 17 to 19 digits."""
    return str(dice.randrange(81_000_000_000_000_000, 1_450_000_000_000_000_000))
