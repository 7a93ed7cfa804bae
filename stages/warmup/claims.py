"""What an answer names that nothing it was shown has: people and dates, by the audit's rules."""

from collections.abc import Sequence

from pipeline.memory.findings import View
from pipeline.memory.records import FoldedChunk, Memory
from pipeline.memory.requests import Scene


def unsourced(scene: Scene, memory: Memory, chunk: FoldedChunk, shown: Sequence[str]) -> list[str]:
    """
    Give the names and dates of an L1 that neither its chunk nor what else was `shown` has.

    Head and persona count as shown. A rule is asked only where there is something to judge.
    """
    from pipeline.memory.textfacts import CAPITALISED, DATE, invented_dates, invented_names

    known = [text.lower() for text in (*shown, *(item.text for item in scene.head))]
    talk = "\n".join(item.text for item in chunk.items).lower()
    names = {hit[1].lower() for hit in CAPITALISED.finditer(memory.text)}
    rules = [
        *([invented_names] if any(name not in talk for name in names) else []),
        *([invented_dates] if DATE.search(memory.text) else []),
    ]
    view = View(
        memories=(memory,),
        chunks=(chunk,),
        persona=scene.persona,
        agent=scene.agent_name,
        zone=scene.zone,
        other_names=frozenset((*memory.people, *scene.rooms.values())),
    )
    found = [finding.evidence for rule in rules for finding in rule(view)]
    return [name for name in found if not any(name.lower() in text for text in known)]
