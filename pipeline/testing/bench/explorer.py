"""The explorer's page at full size: how large the file is, how soon a browser shows it."""

import random
import statistics
import tempfile
import time
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from pipeline.testing.bench import Row
from pipeline.testing.picture import CHROMIUM

ITEMS, MEMORIES = 22_000, 900
MOST_MB, MOST_SECONDS = 15, 2
MINUTE_MS = 60_000


def rows() -> Iterable[Row]:
    """Give the size of the page and the time to open it; that only where there is a Chromium."""
    page = import_module("stages.explore.page").page
    html: str = page(invented(ITEMS, MEMORIES))
    size = len(html.encode()) / 1e6
    what = f"{ITEMS:,} items + {MEMORIES} memories"
    yield Row(f"explorer: {what}", size, None, "MB", None, f"≤ {MOST_MB}", size <= MOST_MB)
    if not Path(CHROMIUM).is_file():
        return
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "explorer.html")
        place.write_text(html, "utf-8")
        taken = statistics.median(opening(place) for _ in range(3))
    bar, holds = f"≤ {MOST_SECONDS}", taken <= MOST_SECONDS
    yield Row("… opened in Chromium", taken, None, "s", None, bar, holds, "wall time")


def opening(place: Path) -> float:
    """Give the seconds from asking for the page until it can be used, in a fresh browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        chromium = play.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        shown = chromium.new_page(viewport={"width": 1280, "height": 860})
        begun = time.perf_counter()
        shown.goto(place.as_uri())
        shown.wait_for_selector("body[data-ready]")
        taken = time.perf_counter() - begun
        chromium.close()
    return taken


def invented(items: int, memories: int, seed: int = 1) -> dict[str, Any]:
    """Give the page's object with words that do not compress well, five in six on level 1."""
    dice = random.Random(seed)  # noqa: S311 — invented talk, no secret
    words = [
        "".join(dice.choices("abcdefghiklmnoprstuvwz", k=dice.randint(3, 9))) for _ in range(8_000)
    ]

    def say(count: int) -> str:
        return " ".join(dice.choices(words, k=count))

    def memory(number: int, level: int, first: int, last: int) -> dict[str, Any]:
        return {
            "id": f"L{level}-{number}", "level": level, "headline": say(9), "text": say(260),
            "tokens": 500, "first": first, "last": last, "children": [], "parent": None,
            "model": "invented", "people": [], "rooms": [], "older": [],
        }  # fmt: skip

    ones = memories * 5 // 6
    size, wide = items // ones, items // (memories - ones)
    told = [memory(n, 1, n * size, n * size + size - 1) for n in range(ones)]
    told += [memory(ones + n, 2, n * wide, n * wide + wide - 1) for n in range(memories - ones)]
    return {
        "agent": "tilly", "zone": "UTC", "memories": told, "findings": [], "contexts": [],
        "t": [1_700_000_000_000 + n * 11 * MINUTE_MS for n in range(items)],
        "r": [dice.randrange(24) for _ in range(items)],
        "p": [dice.randrange(60) for _ in range(items)],
        "x": [say(dice.randint(2, 40)) for _ in range(items)], "notice": [0] * items,
        "rooms": [say(1) for _ in range(24)], "room_ids": [str(n) for n in range(24)],
        "people": [say(1) for _ in range(60)],
    }  # fmt: skip
