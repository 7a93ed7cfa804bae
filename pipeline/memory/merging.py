"""
Which memories may be merged: whole neighbours of one level, oldest first (folding §6.2).

Places here count *owned* messages, those of chunks, in store order: what no chunk holds takes
no place and so never parts a run. A *wall* is the place of a memory that is yet to come: a
chunk that was passed over, or a merge that was given up. No run reaches across a wall, and the
run that ends at one waits for a full fan-in, as the newest run of a history does.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from pipeline.errors import UsageError


@dataclass(frozen=True, slots=True)
class MergeRules:
    """The numbers of the schedule; the defaults are the host's."""

    fan_in: int = 6
    max_speculative_l1s: int | None = 8  # above it merges go first; null: never
    merge_max_source_span_messages: int = 1_500

    def __post_init__(self) -> None:
        if self.fan_in < 2:
            raise UsageError(f"fan_in is {self.fan_in}; below 2 the pyramid never ends")
        cap = self.max_speculative_l1s
        if cap is not None and 0 <= cap < self.fan_in - 1:
            raise UsageError(
                f"max_speculative_l1s is {cap}; below fan_in − 1 = {self.fan_in - 1} no run ever "
                f"fills, so nothing would merge"
            )

    def widest(self, level: int) -> int:
        """Give the widest span, last place less first, that a memory of `level` may merge with."""
        return int(self.merge_max_source_span_messages * self.fan_in ** max(0, level - 3))

    def is_capped(self, unmerged: int) -> bool:
        """Say whether so many unmerged L1s let merges go first: one more than the cap may stand."""
        cap = self.max_speculative_l1s
        return cap is not None and 0 <= cap < unmerged


class Node(NamedTuple):
    """A memory by its first and last owned place, both inclusive."""

    first: int
    last: int
    memory_id: str
    level: int


def runs(nodes: Sequence[Node]) -> list[list[Node]]:
    """Part nodes, sorted by place, into runs of exact neighbours."""
    parted: list[list[Node]] = []
    for node in nodes:
        if parted and parted[-1][-1].last + 1 == node.first:
            parted[-1].append(node)
        else:
            parted.append([node])
    return parted


def mergeable(nodes: Sequence[Node], fan_in: int) -> Sequence[Node]:
    """
    Give what of `nodes`, sorted by place, should merge next; empty where nothing should.

    The oldest run that is full gives its first `fan_in`; an older run that can no longer fill,
    because another stands behind it, gives what it has from two on; the newest waits.
    """
    start = 0
    for at, node in enumerate(nodes):
        if at > start and node.first != nodes[at - 1].last + 1:
            if at - start >= 2:
                return nodes[start:at]
            start = at
        if at - start + 1 == fan_in:
            return nodes[start : at + 1]
    return ()


@dataclass(slots=True, eq=False)
class Bay:
    """The candidates between two walls, sorted by place."""

    nodes: list[Node] = field(default_factory=list)
    waiting: int = 0  # those in its last run, while a wall behind it keeps them from filling up


@dataclass(slots=True)
class Shelf:
    """
    The memories of one level that have no parent and wait in no queue.

    Bays that were searched in vain are not searched again until they change, so that a check
    costs what is new and not what stands.
    """

    level: int
    rules: MergeRules
    walls: list[int] = field(default_factory=list)
    bays: list[Bay] = field(default_factory=lambda: [Bay()])
    unsearched: set[Bay] = field(default_factory=set)
    total: int = 0  # too wide ones included
    waiting: int = 0  # sum over the bays

    def add(self, node: Node) -> None:
        """Put a memory on the shelf; one that spans too much counts, and never merges."""
        self.total += 1
        if node.last - node.first <= self.rules.widest(self.level):
            at = bisect_right(self.walls, node.first)
            insort(self.bays[at].nodes, node)
            self._changed(at)

    def take(self, node: Node) -> None:
        """Take a memory off the shelf: it has a parent now, or waits for one in the queue."""
        self.total -= 1
        at = bisect_right(self.walls, node.first)
        nodes = self.bays[at].nodes
        place = bisect_left(nodes, node)
        if place < len(nodes) and nodes[place] == node:
            del nodes[place]
            self._changed(at)

    def next_run(self) -> Sequence[Node]:
        """Give the oldest run that should merge now; empty below a full fan-in on the shelf."""
        if self.total < self.rules.fan_in:
            return ()
        for bay in sorted(self.unsearched, key=lambda bay: bay.nodes[:1]):
            if found := mergeable(bay.nodes, self.rules.fan_in):
                return found
            self.unsearched.discard(bay)
        return ()

    def raise_wall(self, place: int) -> None:
        """Part the shelf at `place`: a memory is yet to come there."""
        at = bisect_left(self.walls, place)
        nodes = self.bays[at].nodes
        split = bisect_left(nodes, (place,))
        self.walls.insert(at, place)
        self.bays.insert(at + 1, Bay(nodes[split:]))
        del nodes[split:]
        self._changed(at)
        self._changed(at + 1)

    def drop_wall(self, place: int) -> None:
        """Join the shelf again at `place`: the memory has come."""
        at = self.walls.index(place)
        self.walls.pop(at)
        behind = self.bays.pop(at + 1)
        self.unsearched.discard(behind)
        self.waiting -= behind.waiting
        self.bays[at].nodes.extend(behind.nodes)
        self._changed(at)

    def _changed(self, at: int) -> None:
        """Have a bay searched again, and count anew how many wait in it at a wall."""
        bay = self.bays[at]
        self.unsearched.add(bay)
        self.waiting -= bay.waiting
        bay.waiting = 0
        if at < len(self.walls) and bay.nodes:
            length = 1
            nodes = bay.nodes
            while length < min(len(nodes), self.rules.fan_in):
                if nodes[-length].first != nodes[-length - 1].last + 1:
                    break
                length += 1
            bay.waiting = length if length < self.rules.fan_in else 0
            self.waiting += bay.waiting
