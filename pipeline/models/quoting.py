"""From talk or memories to offers: each sentence, who said it, where it stands, what it tells."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.models import sentences, vocabulary
from pipeline.models.dates import MONTHS, WEEKDAYS, long_day, resolve
from pipeline.models.material import Spoken
from pipeline.models.picking import Offer

QUESTION, ABOUT_YOU = 0.4, 0.6  # what such a sentence is worth beside another
QUESTION_MARKS = ("?", "？", "؟")
MY_SPEECH = "I said: "
OWN_SEED = 0
ELSEWHERE = "Also"  # heading of what has no day and room

DAY = re.compile(rf"(?:{'|'.join(WEEKDAYS)}) \d+ (?:{'|'.join(MONTHS)}) \d+")
SPEECH = re.compile(r"[^\s:][^:]{0,40}: ")


def offers_of_talk(spoken: Sequence[Spoken]) -> list[Offer]:
    """Offer the sentences of messages and turns, oldest first; one of the agent's own is a seed."""
    names = names_of(spoken)
    openers = sentences.Openers(names)
    factors = vocabulary.damping_over([[said.text] for said in spoken])
    factors |= dict.fromkeys(names, vocabulary.SPEAKER_FACTOR)
    offers: list[Offer] = []
    place = 0
    for said in spoken:
        day, room = long_day(said.at.date()), room_of(said)
        speech = MY_SPEECH if said.is_self else f"{said.author}: "
        seed = OWN_SEED if said.is_self else None
        for sentence in sentences.split(resolve(said.text, said.at.date())):
            place += 1
            for text in sentences.offers(openers.trim(sentence)):
                told, worth = tell(text, factors)
                offers.append(Offer(place, day, room, speech, text, told, worth, seed))
    return offers


def offers_of_memories(memories: Sequence[str], mark: str) -> list[Offer]:
    """
    Offer the sentences of memories, oldest first, each memory a seed.

    A memory that begins with `mark` is one of ours and keeps its headings and speakers; any other
    is plain text.
    """
    plain = ELSEWHERE if any(memory.startswith(mark) for memory in memories) else ""
    quotes = [list(quotes_of(memory, mark, plain)) for memory in memories]
    factors = vocabulary.damping_over([[q.text for q in told] for told in quotes])
    offers: list[Offer] = []
    place = 0
    for seed, told_in in enumerate(quotes):
        for quote in told_in:
            place += 1
            for text in sentences.offers(quote.text):
                told, worth = tell(text, factors)
                offers.append(
                    Offer(place, quote.day, quote.room, quote.speech, text, told, worth, seed)
                )
    return offers


@dataclass(frozen=True, slots=True)
class Quote:
    """One sentence of a memory with the heading and the speaker that it stands under."""

    day: str
    room: str
    speech: str
    text: str


def quotes_of(memory: str, mark: str, plain: str) -> Iterator[Quote]:
    """
    Read a memory back: headings, speakers and sentences as `picking.write` wrote them.

    Plain text stands under the heading `plain`, so that it is not taken for the day above it.
    """
    head, _, rest = memory.partition("\n")
    is_ours = head.strip() == mark
    day, room = "", "" if is_ours else plain
    for line in (rest if is_ours else memory).splitlines():
        speech = ""
        if is_ours and line.endswith(":"):
            day, room = read_heading(line, day)
            continue
        if is_ours and (spoken := SPEECH.match(line)):
            speech, line = spoken[0], line[spoken.end() :]
        for sentence in sentences.split(line):
            yield Quote(day, room, speech, sentence)


def read_heading(line: str, day: str) -> tuple[str, str]:
    """Part a heading into day and room; one without a day stands under the last one."""
    if found := DAY.match(line):
        return found[0], line[found.end() : -1].removeprefix(", ")
    return "" if line[:-1] == ELSEWHERE else day, line[:-1]


def tell(text: str, factors: Mapping[str, float]) -> tuple[dict[str, float], float]:
    """Give the weighted words that a sentence tells, and what a sentence of its kind is worth."""
    found = vocabulary.words(text)
    worth = QUESTION if text.endswith(QUESTION_MARKS) else 1.0
    said = set(found)
    if not said.isdisjoint(vocabulary.HEARERS) and said.isdisjoint(vocabulary.SPEAKERS):
        worth *= ABOUT_YOU  # praise and good wishes, mostly
    return vocabulary.weigh(found, factors), worth


def names_of(spoken: Sequence[Spoken]) -> frozenset[str]:
    """Give the names of those who spoke, in lower case, with the short forms people use."""
    whole = {said.author.lower() for said in spoken}
    return frozenset(whole | {name[:3] for name in whole if len(name) > 4 and name.isalpha()})


def room_of(said: Spoken) -> str:
    """Name the room, and say where talk was private."""
    return f"{said.room} (private)".lstrip() if said.is_private else said.room
