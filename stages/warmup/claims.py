"""What an answer names that nothing it was shown has: people and dates, by the audit's rules."""

from collections.abc import Sequence

from pipeline.memory.findings import View
from pipeline.memory.records import FoldedChunk, Memory
from pipeline.memory.requests import Scene


def unsourced(scene: Scene, memory: Memory, chunk: FoldedChunk, shown: Sequence[str]) -> list[str]:
    """
    Give the names and dates of an L1 that neither its chunk nor what else was `shown` has.

    Head and persona count as shown. Only whole words of a rule's finding are looked for there.
    """
    from pipeline.memory.textfacts import invented_dates, invented_names

    view = View(
        memories=(memory,),
        chunks=(chunk,),
        persona=scene.persona,
        agent=scene.agent_name,
        zone=scene.zone,
        other_names=frozenset((*memory.people, *scene.rooms.values())),
    )
    found = [f.evidence for rule in (invented_names, invented_dates) for f in rule(view)]
    if not found:
        return []
    known = [text.lower() for text in (*shown, *(item.text for item in scene.head))]
    return [name for name in found if not any(name.lower() in text for text in known)]
