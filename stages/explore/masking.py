"""A page that can be shared: rooms and people renamed, every letter and digit masked."""

import re
from typing import Any

# Beyond ASCII everything goes: vowel signs and emoji would tell words too.
LETTER = re.compile(r"[^\W\d_]|[^\x00-\x7f]")
DIGIT = re.compile(r"[0-9]")


def masked(data: dict[str, Any]) -> dict[str, Any]:
    """Give the same object without a word or a name of it; times, sizes and shapes stay."""
    rooms = [f"room {n}" for n in range(1, len(data["rooms"]) + 1)]
    return data | {
        "agent": "the agent",
        "x": [mask(text) for text in data["x"]],
        "rooms": rooms,
        "room_ids": rooms,
        "people": [f"person {n}" for n in range(1, len(data["people"]) + 1)],
        "memories": [_memory(m) for m in data["memories"]],
        "findings": [f | {"finding_id": "", "message": mask(f["message"])} for f in _about(data)],
    }


def mask(text: str) -> str:
    """Put x for each letter and 0 for each digit; beyond ASCII everything is an x."""
    return DIGIT.sub("0", LETTER.sub("x", text))


def _memory(memory: dict[str, Any]) -> dict[str, Any]:
    return memory | {
        "headline": mask(memory["headline"]),
        "text": mask(memory["text"]),
        "older": [mask(text) for text in memory["older"]],
        "people": [],
        "rooms": [],
        "model": "",
    }


def _about(data: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the findings about memories alone: those about items would show Discord's ids."""
    known = {memory["id"] for memory in data["memories"]}
    return [finding for finding in data["findings"] if finding["subject"] in known]
