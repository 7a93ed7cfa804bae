"""
Which memories stand in for the talk under them: the host's kv-stable picker (folding §8.4).

It is asked as the host asks it first after a landing, when no earlier choice is carried: then
the ideal is taken as it comes. Places are those of a `History`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.memory.records import Memory


@dataclass(frozen=True, slots=True)
class Leaf:
    """An item of the middle as the picker sees it; an age cap of 0 means: stay raw if you can."""

    place: int
    tokens: int  # raw
    cap: int
    salience: float = 1.0


@dataclass(frozen=True, slots=True)
class Branch:
    """A memory that has something of the middle under it; all that follows is about that part."""

    memory_id: str
    level: int
    pair_tokens: int
    raw_tokens: int
    leaves: tuple[int, ...]  # places
    cap: int  # the lowest of its leaves
    priority: tuple[float, int]  # least salient first, then oldest
    child_ids: tuple[str, ...]
    parent_id: str | None


def age_cap(age: int, flat: int, fan_in: int, highest: int) -> int:
    """Give the level up to which an item may be folded: one more for each fan-in times `flat`."""
    cap, bound = 0, max(1, flat)
    while age >= bound and cap < highest:
        cap += 1
        bound *= fan_in
    return cap


def grow(
    memories: Sequence[Memory],
    owner: Mapping[int, str],
    leaves: Sequence[Leaf],
    prices: Mapping[str, int],
) -> dict[str, Branch]:
    """
    Give the branches over `leaves`, by memory id, lowest level first.

    `owner` maps a place to its L1, `prices` a memory's id to what its recall pair costs. A
    parent that is not there, or not higher than its child, counts as none.
    """
    by_id = {memory.memory_id: memory for memory in memories}
    under: dict[str, list[Leaf]] = defaultdict(list)
    children: dict[str, list[str]] = defaultdict(list)
    for leaf in leaves:
        if leaf.place in owner:
            under[owner[leaf.place]].append(leaf)
    branches: dict[str, Branch] = {}
    for memory in sorted(memories, key=lambda memory: memory.level):
        own = under.get(memory.memory_id)
        if not own:
            continue
        parent = by_id.get(memory.parent_id or "")
        if parent is not None and parent.level > memory.level:
            under[parent.memory_id] += own
            children[parent.memory_id].append(memory.memory_id)
        else:
            parent = None
        branches[memory.memory_id] = Branch(
            memory_id=memory.memory_id,
            level=memory.level,
            pair_tokens=prices[memory.memory_id],
            raw_tokens=sum(leaf.tokens for leaf in own),
            leaves=tuple(sorted(leaf.place for leaf in own)),
            cap=min(leaf.cap for leaf in own),
            priority=min((leaf.salience, leaf.place) for leaf in own),
            child_ids=tuple(children[memory.memory_id]),
            parent_id=None if parent is None else parent.memory_id,
        )
    return branches


@dataclass(slots=True)
class Frontier:
    """A choice in the making: the memories shown, and what everything costs with them."""

    branches: Mapping[str, Branch]
    tokens: int
    shown: set[str] = field(default_factory=set)
    cost: dict[str, int] = field(default_factory=dict)  # of what is shown under each branch

    def __post_init__(self) -> None:
        self.cost = {name: branch.raw_tokens for name, branch in self.branches.items()}

    def fold(self, branch: Branch) -> None:
        """Show a memory in place of all that is shown under it."""
        self._hide_under(branch)
        self.shown.add(branch.memory_id)
        self._change(branch, branch.pair_tokens - self.cost[branch.memory_id])

    def unfold(self, branch: Branch) -> None:
        """Show what is one level under a shown memory: its children, or its items raw."""
        self.shown.discard(branch.memory_id)
        self.shown.update(branch.child_ids)
        for child_id in branch.child_ids:
            self.cost[child_id] = self.branches[child_id].pair_tokens
        self._change(branch, self.opened(branch) - branch.pair_tokens)

    def opened(self, branch: Branch) -> int:
        """Give what a memory costs one level down."""
        if not branch.child_ids:
            return branch.raw_tokens
        return sum(self.branches[child_id].pair_tokens for child_id in branch.child_ids)

    def is_covered(self, branch: Branch) -> bool:
        """Say whether a memory, or one above it, is shown."""
        return any(name in self.shown for name in self._upwards(branch))

    def _upwards(self, branch: Branch) -> Iterator[str]:
        name: str | None = branch.memory_id
        while name is not None:
            yield name
            name = self.branches[name].parent_id

    def _hide_under(self, branch: Branch) -> None:
        for child_id in branch.child_ids:
            if child_id in self.shown:
                self.shown.discard(child_id)
            else:
                self._hide_under(self.branches[child_id])

    def _change(self, branch: Branch, by: int) -> None:
        self.tokens += by
        for name in self._upwards(branch):
            self.cost[name] += by


def pick(branches: Mapping[str, Branch], raw_tokens: int, target: float, window: int) -> Frontier:
    """
    Choose what stands folded, from everything raw (`raw_tokens` in all) towards `target`.

    First what is old enough for its level, then, above `window`, whatever there is; then the
    newest is opened again while that comes closer to the target. Whole groups move, so every
    choice is a valid cut and needs no projection.
    """
    front = Frontier(branches, raw_tokens)
    _fold_down(front, target, mind_caps=True)
    if front.tokens > window:
        _fold_down(front, target, mind_caps=False)
    _open_up(front, target, window)
    return front


def _fold_down(front: Frontier, target: float, *, mind_caps: bool) -> None:
    """Fold level by level, least salient and oldest first, until the target is met (A, B)."""
    for branch in sorted(front.branches.values(), key=lambda b: (b.level, b.priority)):
        if front.tokens <= target:
            return
        if (branch.cap >= branch.level or not mind_caps) and not front.is_covered(branch):
            front.fold(branch)


def _open_up(front: Frontier, target: float, window: int) -> None:
    """Open the highest and among them the newest, where that comes closer to the target (C)."""
    for branch in sorted(front.branches.values(), key=lambda b: (-b.level, -b.leaves[-1])):
        if front.tokens >= target:
            return
        if branch.memory_id not in front.shown:
            continue
        then = front.tokens + front.opened(branch) - branch.pair_tokens
        if then <= window and abs(then - target) < abs(front.tokens - target):
            front.unfold(branch)


def shown_at(front: Frontier) -> dict[int, str]:
    """Give, for each place that a memory stands in for, that memory."""
    return {place: name for name in front.shown for place in front.branches[name].leaves}
