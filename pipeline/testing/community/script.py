"""
Scenes as written, and as spoken: the notation, and how its slots are filled.

    # torn paper                      a scene begins
    A: one wording | another          A, B, C, D: people of the scene; T: the agent; W: a webhook
      goes on here                    an indented line goes on; it may begin with `|`
    B>A+pic: look                     a reply to A's last line, with a picture
    ?C: @T maybe                      a line that may be left out; @T, @A mention somebody

Slots stand in braces: {A} is a person's short name, the others are drawn from the lexicon and
stay the same throughout the scene. Tags: pic, txt, voice, sticker (what hangs on it), `fact`
(evidence of a planted fact; never edited away), `key` (a planted credential follows).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random

from pipeline.testing.community.lexicon import draw

LINE = re.compile(r"^(\?)?([A-DTW])(?:>([A-DTW]))?((?:\+\w+)*):\s*(.*)$", re.DOTALL)
SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a scene: who speaks, to whom it replies, what hangs on it, its wordings."""

    speaker: str
    reply_to: str | None
    tags: tuple[str, ...]
    wordings: tuple[str, ...]
    is_optional: bool


@dataclass(frozen=True, slots=True)
class Scene:
    """A small conversation that can be had by anybody, again and again."""

    name: str
    lines: tuple[Line, ...]

    @property
    def roles(self) -> list[str]:
        """Give the letters of the people in it, without the agent, in order of appearance."""
        seen = [line.speaker for line in self.lines]
        named = [n for line in self.lines for w in line.wordings for n in SLOT.findall(w)]
        mentioned = re.findall(r"@([A-D])\b", " ".join(w for x in self.lines for w in x.wordings))
        wanted = dict.fromkeys([*seen, *named, *mentioned])
        return [role for role in wanted if role in ("A", "B", "C", "D")]


@dataclass(frozen=True, slots=True)
class Spoken:
    """One line as it will be said; mentions still stand as @T, @A."""

    speaker: str
    reply_to: str | None
    tags: tuple[str, ...]
    text: str


@cache
def scenes(text: str) -> tuple[Scene, ...]:
    """Read the scenes of a module's text."""
    parts = re.split(r"^# (.+)$", text, flags=re.MULTILINE)[1:]
    return tuple(
        Scene(name.strip(), tuple(_line(raw) for raw in _raw_lines(body)))
        for name, body in zip(parts[::2], parts[1::2], strict=True)
    )


def _raw_lines(body: str) -> list[str]:
    raw: list[str] = []
    for line in body.split("\n"):
        if line.startswith("  "):
            raw[-1] += " " + line.strip()
        elif line.strip():
            raw.append(line)
    return raw


def _line(raw: str) -> Line:
    found = LINE.match(raw)
    if found is None:
        raise ValueError(f"scene: {raw!r} is no line; write `A: words`")
    optional, speaker, reply_to, tags, text = found.groups()
    wordings = tuple(part.strip() for part in text.split(" | "))
    names = tuple(tags.split("+")[1:]) if tags else ()
    return Line(speaker, reply_to, names, wordings, optional is not None)


def speak(scene: Scene, names: Mapping[str, str], rng: Random) -> list[Spoken]:
    """Say a scene once: choose wordings, leave out some optional lines, fill all slots."""
    filled = dict(names)
    spoken = []
    for line in scene.lines:
        if line.is_optional and rng.random() < 0.4:
            continue
        wording = rng.choice(line.wordings)
        for slot in SLOT.findall(wording):
            if slot not in filled:
                filled[slot] = draw(slot, rng, set(filled.values()))
        text = SLOT.sub(lambda m: filled[m[1]], wording)
        if line.speaker == "T":  # the others write as they like; she begins with a capital
            text = text[:1].upper() + text[1:]
        spoken.append(Spoken(line.speaker, line.reply_to, line.tags, text))
    return spoken
