"""Kinds of faults in one text alone."""

import random
from collections.abc import Callable, Iterable

from pipeline.memory.findings import View
from pipeline.memory.records import Memory

Kind = Callable[[random.Random, list[Memory], View], Iterable[tuple[str, str, str]]]

KINDS: dict[str, Kind] = {}
