"""Invented talk to put a secret into, and invented passwords as people make them."""

from collections.abc import Callable
from random import Random

from pipeline.testing.secrets_set.dice import ALNUM, DIGITS, HEX, LOWER, Draw, Planted, mixed, run

AROUND = (
    ("", ""),
    ("", " there you go"),
    ("here, use mine for now ", ""),
    ("ok this one should work: ", " but please don't share it"),
    ("oh no I think I just committed ", " to the public repo 😱"),
    ("try with `", "` and tell me what it says"),
    ("```\n", "\n```"),
    ("```env\nVALUE=", "\n```\nthat's all I have in there"),
    ("**", "** <- that one"),
    ('"', '"'),
    ("||", "||"),
    ("it prints (", ") and then dies"),
    ("hast du den hier schon probiert? ", " sonst mach ich einen neuen"),
    ("nimm den: ", " und lösch das danach bitte"),
    ("tiens, ", " je le supprime ce soir"),
    ("prueba con ", " a ver si funciona"),
    ("usa esse aqui ", " por enquanto"),
    ("вот держи ", " только никому не показывай"),
    ("用这个", "，别发给别人"),
    ("これ使って：", "。あとで消すね"),
    ("> ", "\nis that the right one?"),
    ("1) ", "\n2) restart the bot"),
)
AFTERTHOUGHTS = (
    "",
    "",
    "",
    " lol",
    ", delete this later",
    " (sorry)",
    "\nping me when it works",
    " 🙏",
)
FORETHOUGHTS = ("", "", "", "hey, ", "ok so ", "btw ", "hi all!\n", "@maren ")
_WORDS = """
marmot lantern pickle harbor thistle copper willow biscuit falcon meadow tundra velvet pepper
cobalt walnut glacier bramble saffron otter canyon Blumenkohl Regenschirm Apfelbaum citron
montagne chaton girasol lobo castelo pastel
"""
WORDS = _WORDS.split()
SYMBOLS = "!#$%&*+-_?@^~="


def into_talk(dice: Random, planted: Planted) -> Planted:
    """Put a token into a sentence around it."""
    before, after = dice.choice(AROUND)
    return Planted(before + planted.before, planted.secret, planted.after + after)


def with_thoughts(dice: Random, planted: Planted) -> Planted:
    """Put small talk before and after a phrase that speaks for itself."""
    before, after = dice.choice(FORETHOUGHTS), dice.choice(AFTERTHOUGHTS)
    return Planted(before + planted.before, planted.secret, planted.after + after)


def password(dice: Random) -> str:
    """Make a password as people do: a word with figures, words joined, or line noise."""
    word = dice.choice(WORDS)
    return dice.choice(
        (
            f"{word}{run(dice, 2, DIGITS)}{dice.choice('!#$*')}",
            f"{word.capitalize()}{run(dice, 4, DIGITS)}",
            word.replace("e", "3").replace("o", "0").replace("a", "4") + run(dice, 2, DIGITS),
            f"{word}-{dice.choice(WORDS)}-{run(dice, 2, DIGITS)}",
            f"{dice.choice(WORDS)}_{run(dice, 3, DIGITS)}_{word}",
            noise(dice, dice.randrange(9, 17)),
            mixed(dice, dice.randrange(10, 20)),
        )
    )


def url_password(dice: Random) -> str:
    """Make a password that may stand unescaped in an address."""
    return "".join(c for c in password(dice) if c not in "#?@&%/:") + run(dice, 2, LOWER)


def noise(dice: Random, length: int) -> str:
    """Draw letters, digits and a few signs, as a password manager does."""
    body = mixed(dice, length - 2)
    at = dice.randrange(1, length - 2)
    return body[:at] + dice.choice(SYMBOLS) + body[at:] + dice.choice(ALNUM)


def said(*frames: str, value: Callable[[Random], str] = password) -> Draw:
    """Give a draw of one of the frames with its `{}` filled."""

    def draw(dice: Random) -> Planted:
        before, after = dice.choice(frames).split("{}")
        return Planted(before, value(dice), after)

    return draw


def hexes(length: int) -> Callable[[Random], str]:
    """Give a draw of lower-case hex digits."""
    return lambda dice: run(dice, length, HEX)


def opaque(length: int, alphabet: str = ALNUM) -> Callable[[Random], str]:
    """Give a draw of a mixed token."""
    return lambda dice: mixed(dice, length, alphabet)


def figures(*lengths: int) -> Callable[[Random], str]:
    """Give a draw of that many digits."""
    return lambda dice: run(dice, dice.choice(lengths), DIGITS)
