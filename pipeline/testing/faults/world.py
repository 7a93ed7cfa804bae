"""
A healthy pyramid over invented talk, of any size: each memory retells its own stretch.

It holds what looks like faults and is none: an event that truly recurs, a song quoted each time
it was sung, formal sentences, two evenings alike, thin stubs, a true short memory.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from pipeline.memory.findings import ClosedChunk, Item, View
from pipeline.memory.records import FoldedChunk, FoldedItem, Memory
from pipeline.testing.faults.words import (
    FORMAL,
    JAPANESE,
    KANA,
    PEOPLE,
    RITUAL_MEMORY,
    RITUAL_TALK,
    SONG_MEMORY,
    SONG_TALK,
    SYLLABLES,
    TONGUES,
    Tongue,
)

AGENT = "Quill"
FAN_IN = 6
START = datetime(2025, 3, 3, 17, 0, tzinfo=UTC)
PERSONA = (
    "You are Quill, the club's scribe. You guard the brass compass that Pilar entrusted to you. "
    "You answer warmly and in few words."
)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some talk and how it is remembered."""

    lines: tuple[tuple[str, str], ...]  # who, what
    memory: tuple[str, ...]
    tongue: Tongue


def healthy(count: int, seed: int) -> View:
    """Give a pyramid of about `count` memories on all its levels, in minting order."""
    chance = random.Random(f"world {seed}")  # noqa: S311 - invented talk
    stretches = [stretch(chance, number) for number in range(max(1, round(count * 5 / 6)))]
    items: list[Item] = []
    chunks: list[FoldedChunk] = []
    for number, made in enumerate(stretches):
        own = items_of(made, number, len(items))
        items += own
        folded = tuple(FoldedItem(i.item_id, i.sent_at, i.text) for i in own)
        chunks.append(FoldedChunk(f"c-{number}", number, "gap", folded))
    memories = fold(chance, stretches, chunks)
    return View(
        memories=memories,
        chunks=chunks,
        items=items,
        closed=[ClosedChunk(c.chunk_id, c.ordinal, c.item_ids, c.closed_by) for c in chunks],
        state={"counter": str(len(memories))},
        persona=PERSONA,
        agent=AGENT,
    )


def stretch(chance: random.Random, number: int) -> Stretch:
    """Invent the talk of one evening."""
    tongue = chance.choices(TONGUES, weights=(6, 2, 1))[0]
    lines: list[tuple[str, str]] = []
    memory: list[str] = []
    for _ in range(chance.randint(5, 9)):
        kind, who = chance.randrange(len(tongue.talk)), chance.choice(PEOPLE)
        words = {
            "x": thing(chance, tongue),
            "y": thing(chance, tongue),
            "n": chance.randint(3, 980),
        }
        lines.append((who, tongue.talk[kind].format(**words)))
        lines.append((chance.choice(PEOPLE), chance.choice(tongue.chatter)))
        memory.append(tongue.memory[kind].format(who=who, **words))
        if chance.random() < 0.4:
            place = chance.randrange(len(tongue.own))
            lines.append((AGENT, tongue.own[place].format(**words)))
            memory.append(tongue.own[place].format(**words))
    if tongue.name == "english":
        if number % 5 == 1:
            lines.append(("Wanda", RITUAL_TALK))
            memory.insert(1, RITUAL_MEMORY)
        if number % 7 == 3:
            lines.append((chance.choice(PEOPLE), SONG_TALK))
            memory.append(SONG_MEMORY)
        if number % 3 == 0:
            memory.insert(0, FORMAL[number % 2])
    return Stretch(tuple(lines), tuple(memory), tongue)


def thing(chance: random.Random, tongue: Tongue) -> str:
    """Invent the name of a thing."""
    if tongue is JAPANESE:
        return "".join(chance.choices(KANA, k=4))
    sounds = [chance.choice("bdfghjklmnprstvwz") + chance.choice("aeiou") for _ in range(3)]
    word = "".join(sounds) + chance.choice(SYLLABLES)
    return word.capitalize() if tongue.name == "german" else word


def items_of(made: Stretch, number: int, position: int) -> list[Item]:
    """Write the talk of one evening as items."""
    begun = START + timedelta(days=number // 3, hours=5 * (number % 3))
    return [
        Item(
            position=position + at,
            item_id=str(1_000_000 + position + at),
            kind="turn" if who == AGENT else "message",
            participant=AGENT if who == AGENT else "user",
            is_self=who == AGENT,
            sent_at=begun + timedelta(minutes=2 * at),
            channel_id="77",
            is_private=False,
            author_id=str(500 + (PEOPLE.index(who) if who in PEOPLE else 99)),
            author_name=who,
            reply_to_id=None,
            message_ids=(str(1_000_000 + position + at),),
            text=said if who == AGENT else f"{who}: {said}",
            body=said,
        )
        for at, (who, said) in enumerate(made.lines)
    ]


def fold(
    chance: random.Random, stretches: Sequence[Stretch], chunks: Sequence[FoldedChunk]
) -> list[Memory]:
    """Mint a memory for each evening and merge every six of a level as soon as they stand."""
    memories: list[Memory] = []
    told: dict[str, list[str]] = {}
    open_ones: dict[int, list[int]] = {}

    def add(memory: Memory, sentences: list[str]) -> None:
        told[memory.memory_id] = sentences
        memories.append(memory)
        row = open_ones.setdefault(memory.level, [])
        row.append(len(memories) - 1)
        if len(row) == FAN_IN:
            children = [memories[at] for at in row]
            parent, chosen = merge(chance, children, told, len(memories))
            for at in row:
                memories[at] = replace(memories[at], parent_id=parent.memory_id)
            row.clear()
            add(parent, chosen)

    for made, chunk in zip(stretches, chunks, strict=True):
        sentences = list(made.memory)
        text = layout(chance, sentences, made.tongue)
        add(minted(len(memories), 1, text, chunk.item_ids, chunk, chunk), sentences)
    return memories


def merge(
    chance: random.Random, children: list[Memory], told: dict[str, list[str]], number: int
) -> tuple[Memory, list[str]]:
    """Retell six memories by one or two sentences of each."""
    chosen: list[str] = []
    for child in children:
        own = told[child.memory_id]
        picked = sorted(chance.sample(range(len(own)), k=min(len(own), 2)))
        chosen += [own[at] for at in picked if own[at] not in chosen]
    first, last = children[0], children[-1]
    text = "\n\n".join(" ".join(chosen[at : at + 4]) for at in range(0, len(chosen), 4))
    ids = tuple(child.memory_id for child in children)
    memory = minted(number, first.level + 1, text, ids, None, None)
    return (
        replace(
            memory,
            first_item_id=first.first_item_id,
            last_item_id=last.last_item_id,
            started_at=first.started_at,
            ended_at=last.ended_at,
        ),
        chosen,
    )


def layout(chance: random.Random, sentences: list[str], tongue: Tongue) -> str:
    """Write sentences as prose, as paragraphs or as a list."""
    shape = chance.randrange(3)
    if shape == 0:
        return tongue.joint.join(sentences)
    if shape == 1:
        half = len(sentences) // 2
        parts = (sentences[:half], sentences[half:])
        return "\n\n".join(tongue.joint.join(part) for part in parts)
    return "\n".join(f"- {sentence}" for sentence in sentences)


def minted(
    number: int,
    level: int,
    text: str,
    source_ids: tuple[str, ...],
    first: FoldedChunk | None,
    last: FoldedChunk | None,
) -> Memory:
    """Give a memory over a chunk, or over memories whose span is set later."""
    return Memory(
        memory_id=f"L{level}-{number}",
        level=level,
        text=text,
        tokens=len(text) // 3,
        source_ids=source_ids,
        first_item_id=first.items[0].item_id if first else "",
        last_item_id=last.items[-1].item_id if last else "",
        started_at=first.items[0].sent_at if first else START,
        ended_at=last.items[-1].sent_at if last else START,
        minted_at=START + timedelta(days=4000, minutes=number),
        model="invented",
        prompt_version="1",
        chunk_id=first.chunk_id if first else None,
        stop_reason="end",
    )
