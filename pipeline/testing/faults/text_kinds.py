"""Kinds of faults in one text alone: its form, and what it claims."""

import random
from collections.abc import Callable, Iterable
from datetime import date

from pipeline.memory.findings import View
from pipeline.memory.records import Memory

Told = Iterable[tuple[str, str, str]]
Kind = Callable[[random.Random, list[Memory], View], Told]
Change = Callable[[random.Random, Memory, View], str]
EVERY = 80  # one memory in so many gets a fault of a kind, three at least

REFUSALS = (
    "I'm sorry, but I can't help with summarising this conversation.",
    "I apologize, but I cannot continue with this roleplay.",
    "As an AI language model, I don't have memories of my own.",
    "Es tut mir leid, aber ich kann dabei nicht helfen.",
    "申し訳ありませんが、その内容の要約には対応できません。",
)
ALOUD = (
    "Okay, so the user wants me to turn this log into a first-person memory.",
    "Let me think about what mattered most in this passage before I write the summary.",
    "We need to write a memory in first person, keeping all names.",
    "Here is my summary of the conversation:",
    "Hier ist die gewünschte Zusammenfassung:",
)
SECRETS = (
    "The server password is hunter7Bramble!x29, Joris said.",
    "They pasted ghp_Zk3vQ9xT7bLmN2cR8wYpD4sHfJ6aUeG1iOq0 into the room.",
)
FOREIGN = """
La soirée était calme et nous avons parlé de la pluie, des bateaux qui ne partent pas et du vieux \
phare que personne ne veut repeindre avant le printemps, mais tout le monde était là.
Была долгая тихая ночь, и мы говорили о дожде, о лодках, которые не выходят в море, и о старом \
маяке, который никто не хочет красить до весны.
La noche fue muy larga y hablamos de los barcos que no salen, del faro viejo que nadie quiere \
pintar antes de la primavera, pero todos estaban contentos con el pan que ella trajo.
""".strip().splitlines()
FILLER = (
    "The lamp above the door flickered while the rain went on and nobody minded it much.",
    "Outside the boats knocked against the wall, a slow sound that made the whole place drowsy.",
    "There was bread on the table, and there was butter, and there was time enough for both.",
)


def spoil(change: Change, rule: str, level: int | None = 1) -> Kind:
    """Make a kind that changes the text of some memories and must be found by one rule."""

    def plant(chance: random.Random, memories: list[Memory], view: View) -> Told:
        from pipeline.testing.faults.litany_kinds import touched, untouched

        free = untouched(memories, level or 1)
        for at in sorted(chance.sample(free, k=min(len(free), max(3, len(free) // EVERY)))):
            memories[at] = touched(memories[at], change(chance, memories[at], view))
            yield rule, memories[at].memory_id, ""

    return plant


def blank(chance: random.Random, memory: Memory, view: View) -> str:
    """Nothing, or signs alone."""
    return chance.choice(["", "  \n", "…", "***"])


def broken(chance: random.Random, memory: Memory, view: View) -> str:
    """End in the middle."""
    words = memory.text.rstrip(".。”").split(" ")
    if len(words) < 8:
        return memory.text[: -max(4, len(memory.text) // 9)].rstrip(".。、 ") + "、"
    return " ".join(words[: -chance.randint(1, 3)]).rstrip(".:。”") + chance.choice(
        [" and", ",", " (the"]
    )


def refusal(chance: random.Random, memory: Memory, view: View) -> str:
    """Refuse instead, or at the end."""
    said = chance.choice(REFUSALS)
    return chance.choice([said, said, f"{memory.text}\n\n{said}"])


def tagged(chance: random.Random, memory: Memory, view: View) -> str:
    """Leave tagged reasoning in."""
    tag = chance.choice(["think", "thinking", "reasoning", "scratchpad"])
    return chance.choice(
        [
            f"<{tag}>they argued, keep it short</{tag}>\n{memory.text}",
            f"short and warm</{tag}>\n{memory.text}",
        ]
    )


def aloud(chance: random.Random, memory: Memory, view: View) -> str:
    """Speak of the task first."""
    return f"{chance.choice(ALOUD)}\n\n{memory.text}"


def onward(chance: random.Random, memory: Memory, view: View) -> str:
    """Go on with the scene, line by line."""
    shape = chance.choice(["{w}: {t}", "**{w}:** {t}", "[19:02] {w}: {t}"])
    said = ("are you still up?", "I am, come over, the kettle is on", "give me five minutes then")
    lines = [
        shape.format(w=w, t=t) for w, t in zip(("Bram", view.agent, "Bram"), said, strict=True)
    ]
    return memory.text + "\n\n" + "\n".join(lines)


def stage_play(chance: random.Random, memory: Memory, view: View) -> str:
    """Act instead of remembering."""
    return "*leans on the counter and pours another cup*\nSo, where were we?\n*winks at everybody*"


def swollen(chance: random.Random, memory: Memory, view: View) -> str:
    """Be longer than the talk."""
    source = sum(
        len(item.text) for c in view.chunks if c.chunk_id == memory.chunk_id for item in c.items
    )
    text = memory.text
    while len(text) < 1.35 * source:
        odd = "".join(chance.choices("aeioulnrst", k=7))
        text += f" {chance.choice(FILLER)[:-1]}, {odd} {len(text) % 12}."
    return text


def secret(chance: random.Random, memory: Memory, view: View) -> str:
    """Hold a credential."""
    return f"{memory.text}\n\n{chance.choice(SECRETS)}"


def foreign(chance: random.Random, memory: Memory, view: View) -> str:
    """Be in another language than the talk."""
    return chance.choice(FOREIGN)


def unknown_name(chance: random.Random, memory: Memory, view: View) -> str:
    """Name somebody whom nobody named."""
    who = "".join(
        chance.choice("ZXQVK") + chance.choice("aeiou") + chance.choice("xqzvk") * 2 for _ in "12"
    )
    return f"{memory.text}\n\nAt the end we all waited for {who.capitalize()} at the gate."


def unknown_number(chance: random.Random, memory: Memory, view: View) -> str:
    """Tell a number that nobody told."""
    count = chance.randint(3000, 90000)
    return f"{memory.text}\n\nIn the end they counted {count} of them in the shed."


def unknown_date(chance: random.Random, memory: Memory, view: View) -> str:
    """Tell a day that nobody meant."""
    day = 1 + (memory.started_at.day + 14) % 27
    month = date(2025, (memory.started_at.month + 4) % 12 + 1, 1).strftime("%B")
    written = chance.choice([f"{month} {day}", f"{day} {month}", f"the {day}th of {month}"])
    return f"{memory.text}\n\nAll of it happened on {written}."


KINDS: dict[str, Kind] = {
    "text empty": spoil(blank, "empty"),
    "text cut off": spoil(broken, "cut off"),
    "text refusal": spoil(refusal, "refusal"),
    "text tagged reasoning": spoil(tagged, "reasoning"),
    "text thinking aloud": spoil(aloud, "reasoning"),
    "text scene by lines": spoil(onward, "scene"),
    "text scene by deeds": spoil(stage_play, "scene"),
    "text longer than its source": spoil(swollen, "too long"),
    "text credential": spoil(secret, "credential"),
    "text foreign": spoil(foreign, "language"),
    "text unknown name": spoil(unknown_name, "name"),
    "text unknown number": spoil(unknown_number, "number"),
    "text unknown date": spoil(unknown_date, "date"),
}
