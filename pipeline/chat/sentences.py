"""
Sentences with their places: where in a text each one begins and ends, in any script.

A line break always ends one; marks of lists and headings in front belong to none.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

LIST_MARK = re.compile(r"[ \t]*(?:(?:[-*+•–—>#]+|\d{1,3}[.)]|\[[ xX]\])[ \t]+)*[*_ \t]*")
# Ends that the splitter takes for abbreviations ("me. I"): a longer word in small letters, no
# usual abbreviation, before a capital.
_SHORT = "bzw|usw|etc|vgl|evtl|ggf|inkl|approx|resp|vs|ca|nr|str|pp|al|cf|eg|ie|fig|vol"
MISSED = re.compile(
    rf"(?<=[a-zà-ÿ]{{2}}[.!?])(?<!\b(?:{'|'.join(w for w in _SHORT.split('|') if len(w) == 2)})\.)"
    rf"(?<!\b(?:{'|'.join(w for w in _SHORT.split('|') if len(w) == 3)})\.)(?= [A-ZÀ-Þ])"
)


class Sentence(NamedTuple):
    """One sentence: its first character, the one behind it, and its words as they stand."""

    start: int
    end: int
    text: str


def sentences_of(text: str) -> Iterator[Sentence]:
    """Give the sentences of a text in order, without the blanks around them."""
    import sentencex

    at = 0
    for line in text.splitlines(keepends=True):
        if not line.isspace():
            mark = LIST_MARK.match(line)
            begun = mark.end() if mark else 0
            place = at + begun
            found = sentencex.segment("en", line[begun:])
            for piece in (part for whole in found for part in MISSED.split(whole)):
                bare = piece.rstrip()
                lead = len(bare) - len(bare.lstrip())
                if any(map(str.isalnum, bare)):
                    yield Sentence(place + lead, place + len(bare), bare[lead:])
                place += len(piece)
        at += len(line)
