"""Mint memories again in place: same ids, the old texts as revisions, recall as it was then."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from pipeline.errors import UsageError
from pipeline.memory.records import Memory
from pipeline.memory.schedule import Step
from stages.warmup.minting import Minting

Wanted = Callable[[Memory], bool]
FIELDS: dict[str, Callable[[Memory], str]] = {
    "model": lambda memory: memory.model,
    "level": lambda memory: str(memory.level),
    "prompt": lambda memory: memory.prompt_version,
    "persona": lambda memory: (memory.persona_digest or "none")[:8],
    "id": lambda memory: memory.memory_id,
}


def wanted_by(said: str) -> Wanted:
    """
    Read which memories are meant.

    `model=extractive`, `level=2`, `prompt=1`, `persona=63ad01a0`, `id=L1-22`; several, joined by
    commas, have all to hold. Raises UsageError for anything else.
    """
    asked: list[tuple[str, str]] = []
    for part in said.split(","):
        name, sign, value = part.strip().partition("=")
        if name not in FIELDS or not sign or not value.strip():
            raise UsageError(
                f"--remint {said!r}: {part!r} names no memories; give one of "
                f"{', '.join(f'{known}=…' for known in FIELDS)}"
            )
        asked.append((name, value.strip()))
    return lambda memory: (
        not memory.is_stub and all(FIELDS[name](memory) == value for name, value in asked)
    )


def remint(minting: Minting, memories: Iterable[Memory], wanted: Wanted) -> Iterator[Memory]:
    """
    Ask again for every wanted memory, in the order in which they were minted; gives the new ones.

    Each is shown the frontier as it was at that moment, with the texts as they now read.
    """
    for memory in sorted(memories, key=lambda m: m.number):
        now = memory
        if wanted(memory):
            children = (memory.chunk_id or "",) if memory.level == 1 else memory.source_ids
            now = minting.again(Step(memory.level, children), memory)
            if now.text != memory.text or now.model != memory.model:
                yield now
        minting.stand(replace(now, parent_id=None))
