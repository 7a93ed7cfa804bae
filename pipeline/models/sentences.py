"""
Sentences worth quoting: split in any script, freed of greetings and nods, and their clauses.

"Yeah Mara, I painted it last year, and it still hangs there." offers itself whole and as "I
painted it last year." Every offer reads as a sentence by itself; nothing is reworded but the
first letter and the final stop.
"""

import re
from collections.abc import Iterator
from itertools import islice

SHORTEST_WORDS = 4  # a clause below that says too little to stand alone
LONGEST_CHARACTERS = 240  # a longer one is offered cut too
CUT_CHARACTERS = 160
ENDLESS_CHARACTERS = 400  # nobody says a sentence of that length
MOST_JOINTS = 8  # offers grow with the square

_NODS = (
    "wow|whoa|woah|hey|hi|hello|oh|ah|aha|aww?|haha|lol|hmm+|yeah|yea|yep|yup|yes|no|nah|nope|"
    "well|sure|ok|okay|thanks|thank you|thx|definitely|absolutely|totally|exactly|agreed|right|"
    "so|and|but|also|anyway|btw|by the way|honestly|actually|of course|indeed|true|cool|nice"
)
_STANDS = "I|we|it|they|he|she|my|our|his|her|their|there|this|that|I'm|we're|it's|that's"
CLAUSE = re.compile(
    r"\s+[-–—]+\s+|[;；]\s*|——|(?<=[\w'])\s*--+\s*"
    r"|, (?=(?:and|but|so|because|since|which|who|where|when|while|although|though|as|like|"
    r"especially|plus|then|it|that|they|we|I|he|she|hoping|making|giving)\b)"
    r"| (?=(?:because|since|although|while|but|(?:so|and|when) (?:I|we|it|they))\b)"
)
SUBJECT = re.compile(rf"(?:(?:and|but|so|then|plus|because) )?(?:{_STANDS})\b", re.IGNORECASE)
JOINT = re.compile(r"(?:and|but|so|then|plus|because) ", re.IGNORECASE)
REASON = re.compile(r"(?:for|to)\b", re.IGNORECASE)
BLANKS = re.compile(r"\s+")


def split(text: str) -> list[str]:
    """Split a message into sentences; a line break always ends one."""
    import sentencex

    lines = (BLANKS.sub(" ", line).strip() for line in text.splitlines())
    return [
        sentence.strip()
        for line in lines
        if line
        for found in sentencex.segment("en", line)
        for sentence in broken(found.strip())
        if sentence
    ]


def broken(sentence: str) -> Iterator[str]:
    """Break what never ends (a pasted log, a list) into pieces of a line or two, at blanks."""
    while len(sentence) > ENDLESS_CHARACTERS:
        piece = cut(sentence)
        yield piece
        sentence = sentence[len(piece) - 1 :].lstrip()
    yield sentence


class Openers:
    """Takes nods and names off the ends of a sentence, for one set of speakers."""

    def __init__(self, names: frozenset[str]) -> None:
        named = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True)) or "(?!)"
        nod = rf"(?:(?:and|but|so|oh|well) )?(?:{_NODS})(?: (?:a lot|so much|{named}))?"
        self._head = re.compile(rf"(?:{nod}|{named})(?:[,!–—]+ *| - )", re.IGNORECASE)
        self._names = names

    def trim(self, sentence: str) -> str:
        """Give the sentence without "Thanks, Mara!" in front and ", Mara" behind."""
        start = 0
        while found := self._head.match(sentence, start):
            start = found.end()
        if REASON.match(sentence, start):
            start = 0  # "Thanks, Mara, for the soup" is one thought
        rest = sentence[start:]
        said = rest.rstrip(".!?")
        before, _, last = said.rpartition(" ")
        if before and len(said) < len(rest) and last.lower() in self._names:
            rest = before.rstrip(",") + rest[len(said) :]
        return capital(rest)


def offers(sentence: str) -> Iterator[str]:
    """Offer a sentence whole, then the runs of its clauses that can stand alone."""
    yield stopped(sentence)
    if len(sentence) > LONGEST_CHARACTERS:
        yield cut(sentence)
    joints = list(islice(CLAUSE.finditer(sentence), MOST_JOINTS))
    if not joints:
        return
    starts = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(sentence)]
    last = len(ends) - 1
    for first, start in enumerate(starts):
        if first and not SUBJECT.match(sentence, start):
            continue
        for final in range(first, len(ends)):
            if (first, final) != (0, last):
                piece = sentence[start : ends[final]].strip(" ,;")
                piece = JOINT.sub("", piece, count=1) if first and JOINT.match(piece) else piece
                if piece.count(" ") >= SHORTEST_WORDS - 1:
                    yield stopped(capital(piece))


def cut(sentence: str) -> str:
    """Give the beginning of a sentence that never ends, broken at a blank where there is one."""
    head = sentence[:CUT_CHARACTERS]
    blank = head.rfind(" ")
    return (head[:blank] if blank > CUT_CHARACTERS // 2 else head).rstrip() + "…"


def capital(text: str) -> str:
    """Begin a text with a capital, unless it begins with a link."""
    return text if text.startswith("http") else text[:1].upper() + text[1:]


def stopped(text: str) -> str:
    """End a text with a stop, where it ends with a letter, a digit, a bracket or a colon."""
    if text.endswith(":"):
        return text[:-1] + "."
    return text + "." if text and (text[-1].isalnum() or text[-1] == ")") else text
