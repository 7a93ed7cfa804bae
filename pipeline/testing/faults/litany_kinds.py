"""Kinds of faults that repeat: litanies exact, reworded, listed, at the end; copied neighbours."""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from pipeline.memory.findings import View
from pipeline.memory.records import Memory

Told = Iterable[tuple[str, str, str]]
EXACT = (
    "Above everything stands my promise that Pilar's orchard key never leaves the blue drawer.",
    "Nobody but Teodor knows why the northern greenhouse has stayed locked since the flood.",
    "Über allem steht mein Versprechen, dass Pilars Gartenschlüssel in der blauen Lade bleibt.",
    "私はいつまでも、青い引き出しの果樹園の鍵を守るとピラールに約束している。",
)
# Each line is one fact with its wordings.
REWORDED = (
    (
        "Sunniva trusts me with the lighthouse ledger because I never once lost a page of it.",
        "Sunniva trusts me with the lighthouse ledger since I never once lost a page of it.",
        "As ever, Sunniva trusts me with the lighthouse ledger because I never lost a page of it.",
        "Sunniva still trusts me with that lighthouse ledger because I never once lost any page.",
        "Because I never once lost a page of it, Sunniva trusts me with the lighthouse ledger.",
    ),
    (
        "Kasimir's old accordion is waiting in my workshop until his shoulder has healed.",
        "Kasimir's old accordion waits in my workshop until his shoulder is healed.",
        "The old accordion of Kasimir is waiting in my workshop until his shoulder has healed.",
        "Kasimir's old accordion is still waiting in my workshop until the shoulder has healed.",
        "Until his shoulder has healed, Kasimir's old accordion is waiting in my workshop.",
    ),
    (
        "Mein größter Schatz bleibt der rostige Kompass, den Bram mir am Leuchtturm geschenkt hat.",
        "Mein größter Schatz ist der rostige Kompass, den Bram mir beim Leuchtturm geschenkt hat.",
        "Der rostige Kompass, den Bram mir am Leuchtturm gab, bleibt mein größter Schatz.",
        "Wie immer bleibt mein größter Schatz der rostige Kompass, den Bram mir am Leuchtturm gab.",
    ),
)


def litany_exact(chance: random.Random, memories: list[Memory], view: View) -> Told:
    """One sentence, word for word, inside many memories of two levels."""
    for sentence in EXACT:
        yield from spread(chance, memories, [sentence], inside)


def litany_last(chance: random.Random, memories: list[Memory], view: View) -> Told:
    """One sentence as the last paragraph of many memories."""
    sentence = (
        "And through all of it the ember jar of the old mill stays mine to tend, day and night."
    )
    yield from spread(chance, memories, [sentence], behind)


def litany_listed(chance: random.Random, memories: list[Memory], view: View) -> Told:
    """One sentence as a point of a list."""
    sentence = "Odile's silver thimble is hidden under the third plank of the boathouse."
    yield from spread(chance, memories, [sentence], as_point)


def litany_reworded(chance: random.Random, memories: list[Memory], view: View) -> Told:
    """Facts told in changing words."""
    for wordings in REWORDED:
        yield from spread(chance, memories, wordings, inside)


def litany_of_persona(chance: random.Random, memories: list[Memory], view: View) -> Told:
    """A sentence of the persona, told again as if it had happened."""
    sentence = "I guard the brass compass that Pilar entrusted to me."
    yield from spread(chance, memories, [sentence], inside, is_first_true=False)


def copy_exact(chance: random.Random, memories: list[Memory], view: View) -> Told:
    """A memory that is its neighbour, word for word."""
    yield from copied(chance, memories, changed_each=0)


def copy_near(chance: random.Random, memories: list[Memory], view: View) -> Told:
    """A memory that is its neighbour with a word changed here and there."""
    yield from copied(chance, memories, changed_each=70)


def copied(chance: random.Random, memories: list[Memory], *, changed_each: int) -> Told:
    """Copy some memories over the next one of their level, changing one word in so many."""
    free = [n for n in untouched(memories, 1) if n % 4 == 2]
    for at in sorted(chance.sample(range(1, len(free)), k=max(1, len(free) // 60))):
        source, target = free[at - 1], free[at]
        words = memories[source].text.split(" ")
        for place in range(changed_each, len(words), changed_each or len(words)):
            words[place] += "o"
        memories[target] = touched(memories[target], " ".join(words))
        yield "copy", memories[target].memory_id, ""


def spread(
    chance: random.Random,
    memories: list[Memory],
    wordings: Sequence[str],
    put: Callable[[random.Random, str, str], str],
    *,
    is_first_true: bool = True,
) -> Told:
    """Put a fact into many memories; all but the first of each level must be found."""
    for level in (1, 2):
        free = untouched(memories, level)
        wanted = max(2 + len(wordings), len(free) // 40) if level == 1 else 3
        chosen = sorted(chance.sample(free, k=min(len(free), wanted)))
        for turn, at in enumerate(chosen):
            wording = wordings[turn % len(wordings)]
            memories[at] = touched(memories[at], put(chance, memories[at].text, wording))
            if turn or not is_first_true:
                yield "litany", memories[at].memory_id, wording


def untouched(memories: Sequence[Memory], level: int) -> list[int]:
    """Give the places of memories of a level that no fault stands in yet."""
    return [n for n, m in enumerate(memories) if m.level == level and m.prompt_version == "1"]


def touched(memory: Memory, text: str) -> Memory:
    """Give a memory another text, marked so that no second fault is put into it."""
    return replace(memory, text=text, prompt_version="touched")


def inside(chance: random.Random, text: str, sentence: str) -> str:
    """Put a sentence between two of the text's lines or sentences."""
    if "\n" in text:
        lines = text.split("\n")
        mark = "- " if lines[0].startswith("- ") else ""
        lines.insert(chance.randint(1, len(lines)), mark + sentence)
        return "\n".join(lines)
    places = [at + 1 for at, sign in enumerate(text) if sign == "." and text[at + 1 :][:1] == " "]
    at = chance.choice([*places, len(text)])
    return f"{text[:at]} {sentence}{text[at:]}"


def behind(chance: random.Random, text: str, sentence: str) -> str:
    """Put a sentence behind everything as a paragraph."""
    return f"{text}\n\n{sentence}"


def as_point(chance: random.Random, text: str, sentence: str) -> str:
    """Put a sentence behind everything as a point of a list."""
    return f"{text}\n\n* {sentence}"


KINDS = {
    "litany exact": litany_exact,
    "litany last paragraph": litany_last,
    "litany in a list": litany_listed,
    "litany reworded": litany_reworded,
    "litany of the persona": litany_of_persona,
    "copy word for word": copy_exact,
    "copy with words changed": copy_near,
}
