"""What a page costs the Discord double, beside a server that decodes and encodes every message."""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from pipeline.testing.bench import Row, median_cost
from pipeline.testing.bench._talk import write_talk
from pipeline.testing.double import World
from pipeline.testing.double.answers import listed, plain
from pipeline.testing.double.message_routes import seen
from pipeline.testing.double.routes import Ask

MESSAGES = 20_000
BAR = 3.0


def rows() -> Iterator[Row]:
    """Walk one channel downwards in pages of 100, ours and the plain way."""
    with tempfile.TemporaryDirectory(prefix="backfold-bench-") as folder:
        world = World(write_talk(Path(folder), MESSAGES, channels=1))
        (channel_id,) = world.channel_ids()
        world.shelf(channel_id)
        ours = median_cost(lambda: _ours(world, channel_id))
        peer = median_cost(lambda: _plainly(world, channel_id))
        world.close()
    ratio = peer / ours
    yield Row(
        "double: a channel served in pages", MESSAGES / ours, MESSAGES / peer, "msg/cpu-s",
        ratio, f"≥ {BAR:.0f} ×", ratio >= BAR,
    )  # fmt: skip


def _pages(world: World, channel_id: str) -> Iterator[list[int]]:
    before: int | None = None
    while page := world.shelf(channel_id).newest_below(before, 100):
        yield page
        before = page[-1]


def _ours(world: World, channel_id: str) -> None:
    ask = Ask({"channel": channel_id}, {}, None, "http://127.0.0.1:1")
    for page in _pages(world, channel_id):
        listed(list(seen(world, ask, page)))


def _plainly(world: World, channel_id: str) -> None:
    shelf = world.shelf(channel_id)
    for page in _pages(world, channel_id):
        plain([json.loads(shelf.line(number)) for number in page])
