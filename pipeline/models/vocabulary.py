"""
How much a word tells: names and numbers most, function words nothing, small talk little.

The two lists are English, the language in which most of this talk is held. In other languages a
word counts as common if it stands in many messages of the stretch, and scripts without blanks are
read in pairs of characters.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import log2


def listed(words: str) -> frozenset[str]:
    """Read a list of words set off by blanks."""
    return frozenset(words.split())


FUNCTION_WORDS = listed(
    """
    the a an and or but of to in on at for with by from as is are was were be been being it its
    that this these those he she they his her hers their theirs them him i you we my mine your
    yours our ours me us so not do does did done has have had having will would can could should
    may might must shall if then than when where which who whom whose what why how there here just
    too very also only even still about into over after before up down out off again more most
    some any all no because while really am get got s t m re ve ll d o y isn wasn aren weren don
    doesn didn hasn haven won wouldn couldn shouldn ain im ive id youre thats dont cant didnt
    between through during without within against both each few other such own same until upon
    """
)
SMALL_TALK = listed(
    """
    wow hey hi hello thanks thank thx yeah yep yup nope oh ah aw haha lol ok okay sure totally
    definitely absolutely exactly certainly great awesome amazing cool nice good wonderful
    incredible lovely fantastic super glad happy proud excited exciting sounds sound looks look
    love loved fun true right well keep keeping going go bye see talk chat catch soon later take
    care please sorry congrats congratulations best luck inspiring inspired inspiration inspire
    appreciate appreciated mean means lot lots much big part always never thing things stuff
    something anything everything someone anyone everyone people way kind let lets make makes made
    making feel feels feeling felt think thinking thought know knew want wanted need needed like
    liked try tried trying start started new time times one ones bit agree important special
    support supportive supporting encouragement encourage hope hoping hear heard wait say said
    saying tell told come came coming give gives gave giving share shared sharing kept find found
    help helps helped helping work working pic pics photo picture gonna wanna guess maybe bet
    """
)
PAIRED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
WORD = re.compile(rf"https?://\S+|[{PAIRED}]+|[^\W{PAIRED}]+")
FIRST_PAIRED = "\u0e00"
PAIR = re.compile(f"[{PAIRED}]")
NUMBER_WEIGHT, NAME_WEIGHT, PAIR_WEIGHT = 1.5, 1.5, 0.5
# As they stand in a sentence, so that no word needs lowering to be looked up.
SPEAKERS = listed("i me my mine we us our im ive I Me My Mine We Us Our Im Ive")
HEARERS = listed("you your yours youre You Your Yours Youre")
SMALL_TALK_WEIGHT = 0.1
SPEAKER_FACTOR = 0.1


def words(text: str) -> list[str]:
    """Cut a text into words, links and runs of scripts without blanks, as they stand."""
    return WORD.findall(text)


def weigh(found: list[str], factors: Mapping[str, float]) -> dict[str, float]:
    """
    Weigh each word of a sentence, keyed in lower case; the first word's capital means nothing.

    `factors` scale the words that they hold: those common in the stretch, and names of speakers,
    which stand in the attribution anyway.
    """
    weights: dict[str, float] = {}
    for place, word in enumerate(found):
        for key, weight in parts(word) if place else parts(word.lower()):
            if key in factors:
                weight *= factors[key]
            if weight > weights.get(key, 0.0):
                weights[key] = weight
    return weights


@lru_cache(maxsize=100_000)
def parts(word: str) -> tuple[tuple[str, float], ...]:
    """Give a word's keys and weights: one, none, or one a pair in scripts without blanks."""
    key = word.lower()
    if word[0] >= FIRST_PAIRED and PAIR.match(word):
        return tuple((word[at : at + 2], PAIR_WEIGHT) for at in range(max(len(word) - 1, 1)))
    if key in FUNCTION_WORDS or (len(word) == 1 and not word.isdigit()):
        return ()
    if word[0].isdigit():
        return ((key, NUMBER_WEIGHT),)
    if key in SMALL_TALK:
        return ((key, SMALL_TALK_WEIGHT),)
    return ((key, NAME_WEIGHT if word[0].isupper() else 1.0),)


def damping_over(texts: Sequence[Iterable[str]]) -> dict[str, float]:
    """Give the damping of each word that is common among the texts; of others there is none."""
    counts = Counter(
        key
        for pieces in texts
        for key in {key for text in pieces for word in words(text) for key, _ in parts(word)}
    )
    usual = max(len(texts) / 10, 2.0)
    return {key: 1 / (1 + log2(n / usual)) for key, n in counts.items() if n > usual}
