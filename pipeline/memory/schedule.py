"""
What to fold next: the live host's tick, as a state that answers and is told (folding §6).

`Fold` is made from the chunks and the memories that stand; it says the next step, is told what
became of it, and never looks again at what has not changed. Made anew from what was kept after
a kill it gives the same next step as before: the queue of merges follows from the order of ids.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Sequence

from pipeline.errors import StageError
from pipeline.memory.merging import MergeRules, Node, Shelf, runs
from pipeline.memory.steps import Slot, Standing, Step, number_of, spans_of

__all__ = ["Fold", "Slot", "Standing", "Step", "number_of", "run_out"]


class Fold:
    """
    The fold as it stands: what is on which level, what waits, and what comes next.

    `given_up` are the child ids of steps in quarantine. Such a chunk is an L1 yet to come, such
    a merge a memory yet to come: no run reaches across, the rest goes on, and what waits for
    one does not count as speculative. `numbers_from` is the first number that no id ever had.
    Memories numbered below `kept_below` were kept by a refold: no schedule ever made just them.
    """

    def __init__(
        self,
        chunks: Sequence[Slot],
        rules: MergeRules,
        standing: Iterable[Standing] = (),
        given_up: Collection[tuple[str, ...]] = (),
        *,
        numbers_from: int = 0,
        kept_below: int = 0,
    ) -> None:
        self.rules = rules
        self.nodes: dict[str, Node] = {}
        self.parents: dict[str, str] = {}
        self.queue: deque[Step] = deque()
        self.given_up = set(given_up)
        self.number = numbers_from
        self._is_mended = kept_below > 0
        self._chunk_ids = [slot.chunk_id for slot in chunks]
        self._spans = spans_of(chunks)
        self._ordinals = {slot.chunk_id: at for at, slot in enumerate(chunks)}
        self._minted: set[str] = set()
        self._passed = 0  # every chunk before this ordinal is minted or a wall
        self._shelves: dict[int, Shelf] = {}
        self._walls: dict[tuple[str, ...], tuple[int, int]] = {}  # child ids → level, place
        self._off_shelf: set[str] = set()  # queued, or in a merge that was given up
        self._queued: Counter[int] = Counter()  # memories in the queue, by their own level
        known = sorted(standing, key=lambda m: number_of(m.memory_id))
        kept = [memory for memory in known if number_of(memory.memory_id) < kept_below]
        self._keep(kept)
        self._replay(known[len(kept) :])
        self._todo = [c for c in reversed(self._chunk_ids) if not self._is_settled(c)]

    # -- what is asked ----------------------------------------------------------------------

    def next_step(self) -> Step | None:
        """
        Give what to make next; null where the fold is done.

        L1s come before merges until more than the cap stand unmerged. Where the cap holds and
        no merge can help, as where memories span too much, L1s go on: it never stands still.
        """
        if self._todo and not self.rules.is_capped(self.speculative):
            return Step(1, (self._todo[-1],))
        if not self.queue:
            self._check()
        if self.queue:
            return self.queue[0]
        return Step(1, (self._todo[-1],)) if self._todo else None

    def mints_ahead(self, most: int) -> list[Step]:
        """Give up to `most` L1s that the schedule would make next without a merge between."""
        step = self.next_step()
        if step is None or step.level > 1:
            return []
        room = most
        if (cap := self.rules.max_speculative_l1s) is not None and cap >= 0:
            room = max(1, min(most, cap + 1 - self.speculative))
        return [Step(1, (chunk_id,)) for chunk_id in self._todo[: -room - 1 : -1]]

    @property
    def speculative(self) -> int:
        """Count unmerged L1s, without those that wait for one in quarantine."""
        shelf = self._shelves.get(1)
        return self._queued[1] + (shelf.total - shelf.waiting if shelf else 0)

    @property
    def levels(self) -> dict[int, int]:
        """Count memories by level, lowest first."""
        return dict(sorted(Counter(node.level for node in self.nodes.values()).items()))

    def unmerged(self, level: int) -> list[str]:
        """Give the memories of a level that have no parent, in store order."""
        return [node.memory_id for node in self._roots(level)]

    def runs(self, level: int) -> list[list[str]]:
        """Part the parentless memories of a level into runs of exact neighbours."""
        return [[node.memory_id for node in run] for run in runs(self._roots(level))]

    def _roots(self, level: int) -> list[Node]:
        found = self.nodes.values()
        return sorted(n for n in found if n.level == level and n.memory_id not in self.parents)

    def name(self, step: Step) -> str:
        """Give the id that `step` will have if it is the next to be accepted."""
        return f"L{step.level}-{self.number}"

    # -- what is told -----------------------------------------------------------------------

    def accept(self, step: Step) -> str:
        """Put a finished step in its place; gives its memory's id."""
        memory_id = self.name(step)
        if step.level == 1:
            self._strike(step.child_ids[0])
        self._land(Standing(memory_id, *step))
        self._check()
        return memory_id

    def quarantine(self, step: Step) -> None:
        """Give a step up for now; the rest goes on around it."""
        self.given_up.add(step.child_ids)
        if step.level == 1:
            self._strike(step.child_ids[0])
            self._pass(self._ordinals[step.child_ids[0]] + 1)
        else:
            self.queue.remove(step)
            self._queued[step.level - 1] -= len(step.child_ids)
            self._raise_wall(step)

    def retry(self) -> list[Step]:
        """
        Take every step out of quarantine; gives them.

        They stay yet to come until accepted, so that nothing merges around them meanwhile:
        whoever keeps the list of quarantined steps strikes one out when it is accepted.
        """
        steps = []
        for child_ids in sorted(self.given_up, key=self._place):
            level = 1 if child_ids[0] in self._ordinals else self.nodes[child_ids[0]].level + 1
            steps.append(Step(level, child_ids))
        self._enqueue_first([step for step in steps if step.level > 1])
        self._todo += [step.child_ids[0] for step in steps if step.level == 1]
        self._todo.sort(key=self._ordinals.__getitem__, reverse=True)
        self.given_up.clear()
        return steps

    # -- how it works -----------------------------------------------------------------------

    def _keep(self, kept: Sequence[Standing]) -> None:
        """Let what a refold kept land all at once, and then look for merges."""
        for memory in sorted(kept, key=lambda m: m.level):
            self._land(memory)
        if kept:
            self._check()

    def _replay(self, standing: Sequence[Standing]) -> None:
        """Let what stands land in the order of its ids, so that the queue is as it was."""
        late: list[Step] = []
        for memory in standing:
            step = Step(memory.level, memory.child_ids)
            while step in self.queue and self.queue[0] != step:  # given up then, retried later
                late.append(passed := self.queue.popleft())
                self._queued[passed.level - 1] -= len(passed.child_ids)
                self._raise_wall(passed)
            self._land(memory)
            self._check()
        self._enqueue_first(
            [s for s in late if s.child_ids in self._walls and s.child_ids not in self.given_up]
        )
        self.given_up = set(filter(self._is_open, self.given_up))
        for child_ids in self.given_up:
            if (ordinal := self._ordinals.get(child_ids[0])) is not None:
                self._pass(ordinal + 1)

    def _is_open(self, child_ids: tuple[str, ...]) -> bool:
        """Say whether a step can still be made: its children are there and have no parent."""
        if child_ids[0] in self._ordinals:
            return child_ids[0] not in self._minted
        return all(c in self.nodes and c not in self.parents for c in child_ids)

    def _strike(self, chunk_id: str) -> None:
        """Take a chunk off the list of L1s to do; nearly always it is the next."""
        if self._todo[-1] == chunk_id:
            self._todo.pop()
        else:
            self._todo.remove(chunk_id)

    def _is_settled(self, chunk_id: str) -> bool:
        return chunk_id in self._minted or (chunk_id,) in self.given_up

    def _land(self, memory: Standing) -> None:
        """Place a memory: over its children, off the wall that stood for it, onto its shelf."""
        self.number = max(self.number, number_of(memory.memory_id) + 1)
        node = Node(*self._span(memory), memory.memory_id, memory.level)
        self.nodes[memory.memory_id] = node
        if memory.level == 1:
            chunk_id = memory.child_ids[0]
            self._minted.add(chunk_id)
            self._pass(self._ordinals[chunk_id])
            self._passed = max(self._passed, self._ordinals[chunk_id] + 1)
        else:
            self._unqueue(memory.child_ids)
            for child_id in memory.child_ids:
                self._take(self.nodes[child_id])
                self.parents[child_id] = memory.memory_id
                self._off_shelf.discard(child_id)
        self._drop_wall(memory.child_ids)
        self.given_up.discard(memory.child_ids)
        self._shelf(memory.level).add(node)

    def _span(self, memory: Standing) -> tuple[int, int]:
        known = self._spans if memory.level == 1 else self.nodes
        if missing := [c for c in memory.child_ids if c not in known]:
            raise StageError(
                f"{memory.memory_id} stands on {missing[0]}, which is not there; "
                f"run audit to see what the pyramid lacks"
            )
        if memory.level == 1:
            return self._spans[memory.child_ids[0]]
        return self.nodes[memory.child_ids[0]].first, self.nodes[memory.child_ids[-1]].last

    def _check(self) -> None:
        """
        Queue at most one merge a level, low to high (§6.2).

        After a refold a level waits for what is rebuilt below it: else it would merge around the
        gap, since a run that is not the newest does not wait to be full.
        """
        if self._is_mended and self._has_gaps():
            return
        for level in sorted(self._shelves):
            if self._is_mended and any(step.level <= level for step in self.queue):
                return
            if run := self._shelves[level].next_run():
                step = Step(level + 1, tuple(node.memory_id for node in run))
                if step.child_ids in self.given_up:
                    self._raise_wall(step)
                else:
                    self._enqueue(step)

    def _has_gaps(self) -> bool:
        """Say whether a chunk before the newest memory is yet to be minted."""
        waiting = sum(child_ids[0] in self._ordinals for child_ids in self.given_up)
        return self._passed > len(self._minted) + waiting

    def _enqueue(self, step: Step) -> None:
        for child_id in step.child_ids:
            self._take(self.nodes[child_id])
        self._queued[step.level - 1] += len(step.child_ids)
        self.queue.append(step)

    def _enqueue_first(self, steps: Sequence[Step]) -> None:
        """Put steps that had their turn before all others, in their order."""
        for step in reversed(steps):
            self._enqueue(step)
            self.queue.rotate(1)

    def _unqueue(self, child_ids: tuple[str, ...]) -> None:
        """Take out of the queue what `child_ids` are in; other children go back to their shelf."""
        taken = set(child_ids)
        if self.queue and self.queue[0].child_ids == child_ids:
            queued = [self.queue[0]]
        else:
            queued = [s for s in self.queue if not taken.isdisjoint(s.child_ids)]
        for step in queued:
            self.queue.remove(step)
            self._queued[step.level - 1] -= len(step.child_ids)
            for child_id in step.child_ids:
                if child_id not in taken:
                    self._off_shelf.discard(child_id)
                    self._shelf(step.level - 1).add(self.nodes[child_id])

    def _take(self, node: Node) -> None:
        """Take a memory off its shelf, unless it is off already."""
        if node.memory_id not in self._off_shelf and node.memory_id not in self.parents:
            self._shelves[node.level].take(node)
            self._off_shelf.add(node.memory_id)

    def _pass(self, ordinal: int) -> None:
        """Let every chunk before `ordinal` that has no memory be a wall."""
        for chunk_id in self._chunk_ids[self._passed : ordinal]:
            if chunk_id not in self._minted:
                self._raise_wall(Step(1, (chunk_id,)))
        self._passed = max(self._passed, ordinal)

    def _raise_wall(self, step: Step) -> None:
        """Let a step be a memory yet to come; once is enough."""
        for child_id in step.child_ids if step.level > 1 else ():
            self._take(self.nodes[child_id])
        if step.child_ids in self._walls:
            return
        place = self._place(step.child_ids)
        self._walls[step.child_ids] = (step.level, place)
        for level, shelf in self._shelves.items():
            if level >= step.level:
                shelf.raise_wall(place)

    def _drop_wall(self, child_ids: tuple[str, ...]) -> None:
        if (wall := self._walls.pop(child_ids, None)) is not None:
            for level, shelf in self._shelves.items():
                if level >= wall[0]:
                    shelf.drop_wall(wall[1])

    def _place(self, child_ids: tuple[str, ...]) -> int:
        first = child_ids[0]
        return self._spans[first][0] if first in self._spans else self.nodes[first].first

    def _shelf(self, level: int) -> Shelf:
        if level not in self._shelves:
            walls = [place for of, place in self._walls.values() if of <= level]
            self._shelves[level] = Shelf(level, self.rules)
            for place in walls:
                self._shelves[level].raise_wall(place)
        return self._shelves[level]


def run_out(fold: Fold) -> Iterator[Standing]:
    """Accept every step until the fold is done: what it will be if nothing fails."""
    while (step := fold.next_step()) is not None:
        yield Standing(fold.accept(step), *step)
