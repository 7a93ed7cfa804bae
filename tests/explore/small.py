"""An invented page's object of any size, as `gather` gives it."""

from typing import Any

ROOMS = ["general", "台所", "night-shift", "garden"]
PEOPLE = ["Tilly", "Bram", "小林さん", "Oksana"]
MINUTE = 60_000


def talk(
    items: int, level_ones: int, line: str = "the kettle sings again, 今日も"
) -> dict[str, Any]:
    """Give so many items, memories of level 1 evenly over them, and merges of six above."""
    size = max(1, items // max(1, level_ones))
    memories = [
        memory(n, 1, n * size, n * size + size - 1, f"I kept watch over evening {n}.", line)
        for n in range(level_ones)
    ]
    below = memories
    while len(below) > 6:
        above: list[dict[str, Any]] = []
        for start in range(0, len(below) - 5, 6):
            part = below[start : start + 6]
            n, level = len(memories) + len(above), part[0]["level"] + 1
            m = memory(n, level, part[0]["first"], part[-1]["last"], f"Six evenings, {n}.", line)
            m["children"] = [child["id"] for child in part]
            for child in part:
                child["parent"] = m["id"]
            above.append(m)
        memories = memories + above
        below = above
    return {
        "agent": "Tilly",
        "zone": "Europe/Vienna",
        "t": [1_700_000_000_000 + n * 17 * MINUTE for n in range(items)],
        "r": [(n // 40) % len(ROOMS) for n in range(items)],
        "p": [n % len(PEOPLE) for n in range(items)],
        "x": [f"{line} {n}" for n in range(items)],
        "notice": [0] * items,
        "rooms": ROOMS,
        "room_ids": [str(n) for n in range(len(ROOMS))],
        "people": PEOPLE,
        "memories": memories,
        "findings": [],
        "lowest": 21_000,
        "contexts": [
            {
                "budget": 200_000,
                "tokens": 4_200,
                "refusal": None,
                "room": 9_000,
                "floor": [3_000, 200, 5, 2_000, 0, 0, 800],
                "segments": [["head", 200, 4, 0, 3, None], ["recall", 400, 2, 0, 9, "L1-0"]],
            }
        ],
    }


def memory(n: int, level: int, first: int, last: int, title: str, text: str) -> dict[str, Any]:
    """Give one memory over the items from `first` to `last`."""
    return {
        "id": f"L{level}-{n}",
        "level": level,
        "headline": title,
        "text": f"{title} {text}",
        "tokens": 400,
        "first": first,
        "last": last,
        "children": [],
        "parent": None,
        "model": "extractive",
        "people": PEOPLE[:2],
        "rooms": [],
        "older": [],
    }
