"""The perceived-only mask against a deque loop over tuples, bit for bit."""

import random
from collections import deque
from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from pipeline.testing.bench import Row, median_cost

if TYPE_CHECKING:
    import numpy as np
    import polars as pl

MESSAGES, ROOMS, BEFORE = 1_000_000, 40, 23
BAR = 10.0


def rows() -> Iterable[Row]:
    """Yield the figure; raises where the two masks differ in a single bit."""
    frame = _hits()
    if _mask(frame).tolist() != _loop(frame):
        raise RuntimeError("the perceived mask is not that of the loop")
    ours = median_cost(lambda: _mask(frame), runs=5)
    peer = median_cost(lambda: _loop(frame), runs=5)
    ratio = peer / ours
    kept = sum(_loop(frame)) / frame.height
    said = f"{MESSAGES:,} messages, {ROOMS} rooms, {kept:.1%} kept"
    yield Row(
        "perceived mask, against a deque loop",
        MESSAGES / ours,
        MESSAGES / peer,
        "rows/cpu-s",
        ratio,
        f"≥ {BAR:g} ×",
        ratio >= BAR,
        said,
    )


def _hits(seed: int = 7) -> "pl.DataFrame":
    """Draw rooms of Zipf sizes, sorted by room, with hits in bursts."""
    import polars as pl

    draw = random.Random(seed)  # noqa: S311 - a bench, no secret
    shares = [1 / (number + 1) for number in range(ROOMS)]
    sizes = [int(MESSAGES * share / sum(shares)) for share in shares]
    sizes[0] += MESSAGES - sum(sizes)
    rooms, hits = [], []
    for number, size in enumerate(sizes):
        burst = 0
        for _ in range(size):
            if draw.random() < 0.0026:
                burst = draw.randint(3, 60)
            hits.append(burst > 0 and draw.random() < 0.4)
            burst -= burst > 0
        rooms += [number] * size
    return pl.DataFrame({"room": rooms, "hit": hits})


def _mask(frame: "pl.DataFrame") -> "np.ndarray[Any, Any]":
    """Mark each room as curate does."""
    import numpy as np

    perceived = import_module("stages.curate.perceived")  # by name: the engine knows no stage
    hit, room = frame["hit"].to_numpy(), frame["room"].to_numpy()
    ends = np.append(np.flatnonzero(room[1:] != room[:-1]) + 1, len(room))
    found, start = [], 0
    for end in ends.tolist():
        own = hit[start:end]
        zeros = np.zeros(end - start, np.int64)
        found.append(
            perceived.mark_perceived(perceived.RoomRows(str(room[start]), own, zeros, zeros), ())
        )
        start = end
    return np.concatenate(found)


def _loop(frame: "pl.DataFrame") -> list[bool]:
    """Mark the rows as the plain program would: a deque of the last 23 places of each room."""
    keep = [False] * frame.height
    last: deque[int] = deque(maxlen=BEFORE)
    here = None
    for place, (room, hit) in enumerate(frame.iter_rows()):
        if room != here:
            last.clear()
            here = room
        if hit:
            keep[place] = True
            for earlier in last:
                keep[earlier] = True
            last.clear()
        else:
            last.append(place)
    return keep
