"""What no pattern can say of a value: whether it is random, a stand-in, code, a card number."""

import math
import re
from collections import Counter

MARK = "[redacted-secret]"

# Words that authors of manuals put where a secret goes. Short ones count only as words of their
# own, since a long random value may hold four letters by chance.
_STAND_INS = (
    "example|placeholder|changeme|change_me|change-me|replaceme|replace_me|redacted|foobar|censored|removed|lorem"
    "|secret_here|token_here|key_here|goes_here|goes-here|goeshere|your_|your-|yourtoken|yourkey|yourpass"
)
_SHORT_STAND_INS = (
    "your|todo|fixme|dummy|sample|insert|put|enter|fake|hidden"
    "|my[-_](?:token|key|secret|pass|password)"
)
_PLACEHOLDER = re.compile(
    rf"{_STAND_INS}|{_STAND_INS.upper()}"
    rf"|(?i:(?:^|[-_ .<\[({{])(?:{_SHORT_STAND_INS})(?:$|[-_ .>\])}}]))"
    r"|x{5,}|X{5,}|^[xX]{3,}$|\*{3,}|•{2,}|\.{3,}|…|_{4,}|-{6,}|#{4,}|\?{3,}"
    r"|^[<\[({].*[>\])}]$|^\$[A-Za-z_({]|\$\{|\{\{|%\(|^%[A-Za-z_]+%$|^@[A-Za-z_.]+@?$"
    r"|0123456789|1234567890|abcdefgh|ABCDEFGH|(?:deadbeef){2}"
)
_CODE = re.compile(
    r"\(|\)$|\[['\"]|process\.env|os\.environ|getenv|^self\.|^this\.|^config[.\[]|^settings\.|^env\."
    r"|^ctx\.|^args\.|^opts?\.|^req(?:uest)?\.|^[a-z_]+\.[a-z_]+(?:\.[a-z_]+)*[,;]?$|^\{|^!(?:vault|secret|env|ref|sub)|=>|^\$|::|^&|->"
)


def is_placeholder(value: str) -> bool:
    """Tell a stand-in (`<token>`, `${PASS}`, `sk-xxxxx`, `changeme`, one sign repeated)."""
    if _PLACEHOLDER.search(value):
        return True
    return len(value) >= 8 and len(set(value[-24:])) <= 3


def is_code(value: str) -> bool:
    """Tell an expression (`os.environ["X"]`, `self.token`, `hash(x)`) from a value."""
    return bool(_CODE.search(value))


def entropy(value: str) -> float:
    """Give the bits a character carries, by the value's own frequencies."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values()) if total else 0.0


def kinds(value: str) -> int:
    """Count how many of lower case, upper case, digits and other signs a value holds."""
    return (
        any(c.islower() for c in value)
        + any(c.isupper() for c in value)
        + any(c.isdigit() for c in value)
        + any(not c.isalnum() for c in value)
    )


def has_digit_and_letter(value: str) -> bool:
    """Tell whether a value mixes digits and letters."""
    return any(c.isdigit() for c in value) and any(c.isalpha() for c in value)


def is_random(value: str) -> bool:
    """Tell whether a token looks drawn: digits and letters, near the entropy that it can have."""
    value = value.replace("-", "")
    if not has_digit_and_letter(value):
        return False
    room = min(len(value), 16 if re.fullmatch(r"[0-9a-fA-F]+", value) else 40)
    return entropy(value) >= 0.72 * math.log2(room)


def passes_luhn(digits: str) -> bool:
    """Check a card number's last digit."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
