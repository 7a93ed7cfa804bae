"""
What the model would receive if it were woken now: the next-context estimator (folding §8).

A pure function over the transcript's rows and the memories. It measures by the store ruler, as
the host does; system prompt, tools and injections come on top of every number here. It stands
for the first wake after a landing, when the host carries no earlier choice of its own.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import UsageError
from pipeline.memory.layout import Floor, Layout, Rules, read_layout
from pipeline.memory.picker import Branch, pick, shown_at
from pipeline.memory.records import Memory

if TYPE_CHECKING:
    import polars as pl

HOST_BUDGET_TOKENS = 100_000  # where no contextBudgetTokens is set
HOST_RESERVE_TOKENS = 4_000  # … and what is then kept for the answer
HOST_ANSWER_TOKENS = 16_384  # agent.maxTokens, kept where contextBudgetTokens is set


@dataclass(frozen=True, slots=True)
class Budget:
    """How much the host may send (§8.1); the defaults are those of a recipe that sets nothing."""

    max_tokens: int = HOST_BUDGET_TOKENS
    reserve_tokens: int = HOST_RESERVE_TOKENS
    slack_ratio: float = 0.1
    grace_ratio: float = 0.02

    def __post_init__(self) -> None:
        if self.window <= 0:
            raise UsageError(
                f"a budget of {self.max_tokens:,} leaves nothing beside the "
                f"{self.reserve_tokens:,} kept for the answer; give more than those"
            )

    @property
    def window(self) -> int:
        """W: what the context may hold."""
        return self.max_tokens - self.reserve_tokens

    @property
    def target(self) -> float:
        """T: what the picker aims at."""
        return self.window * (1 - self.slack_ratio)

    @property
    def refusal(self) -> int:
        """R: above it the host does not compose, and the agent does not answer."""
        return math.floor(self.window * (1 + self.grace_ratio))


@dataclass(frozen=True, slots=True)
class Segment:
    """
    A stretch of the context: `head`, `recall` (a memory's pair), `raw`, `open` or `tail`.

    `raw` items have memories but stand word for word, `open` ones are in no memory. A recall's
    items are those of the middle that it stands in for; ends are its first and last of them.
    """

    kind: str
    tokens: int
    items: int
    first_place: int
    last_place: int
    memory_id: str | None = None
    level: int = 0


@dataclass(frozen=True, slots=True)
class NextContext:
    """What would be sent under a budget, in its order; `refusal` is null where it would be."""

    budget: Budget
    segments: tuple[Segment, ...]
    floor: Floor
    refusal: str | None  # the host's name for the stage at which it gives up
    unfit: tuple[Segment, ...]  # where refused: what would not fit, the newest first

    @property
    def tokens(self) -> int:
        """Everything that stands in it, sent or refused."""
        return sum(segment.tokens for segment in self.segments)

    @property
    def is_answered(self) -> bool:
        """Whether the host would compose it, and the agent answer."""
        return self.refusal is None

    @property
    def room(self) -> int:
        """How far the floor lies under the refusal line; negative: above it."""
        return self.budget.refusal - self.floor.tokens


def next_context(
    transcript: "pl.DataFrame", memories: Sequence[Memory], budget: Budget, rules: Rules
) -> NextContext:
    """Estimate what the model would receive; `transcript` as `read_history` takes it."""
    return compose(read_layout(transcript, memories, rules), budget)


def compose(layout: Layout, budget: Budget) -> NextContext:
    """Choose and lay out what would be sent under a budget, or say why nothing would be."""
    raw = layout.priced(layout.head) + layout.priced(layout.middle) + layout.priced(layout.tail)
    front = pick(layout.branches, raw, budget.target, budget.window)
    segments = tuple(lay_segments(layout, shown_at(front)))
    kept = layout.floor.head_tokens + layout.floor.tail_tokens
    refusal = None
    if kept > budget.refusal:
        refusal = "Head/tail reservation exceeded budget"
    elif front.tokens > budget.refusal:
        refusal = "Adaptive picker exhausted"
    unfit = tuple(left_over(layout, segments, budget.refusal)) if refusal else ()
    return NextContext(budget, segments, layout.floor, refusal, unfit)


def lay_segments(layout: Layout, shown: Mapping[int, str]) -> Iterator[Segment]:
    """Give head, middle in store order, tail; a memory once, where its first item would stand."""
    if layout.head:
        yield _stretch(layout, "head", layout.head)
    owned = {place for branch in layout.branches.values() for place in branch.leaves}
    told: set[str] = set()
    run: list[int] = []
    kind = "raw"
    for place in layout.middle:
        memory_id = shown.get(place)
        now = "recall" if memory_id else "raw" if place in owned else "open"
        if run and (now != kind or place != run[-1] + 1):
            yield _stretch(layout, kind, run)
            run = []
        kind = now
        if memory_id is None:
            run.append(place)
        elif memory_id not in told:
            told.add(memory_id)
            yield _recall(layout.branches[memory_id])
    if run:
        yield _stretch(layout, kind, run)
    if layout.tail:
        yield _stretch(layout, "tail", layout.tail)


def _stretch(layout: Layout, kind: str, places: Sequence[int]) -> Segment:
    return Segment(kind, layout.priced(places), len(places), places[0], places[-1])


def _recall(branch: Branch) -> Segment:
    return Segment(
        "recall",
        branch.pair_tokens,
        len(branch.leaves),
        branch.leaves[0],
        branch.leaves[-1],
        branch.memory_id,
        branch.level,
    )


def left_over(layout: Layout, segments: Sequence[Segment], most: int) -> Iterator[Segment]:
    """
    Give what does not fit into `most`: the ends come first in line, then the newest.

    Of a stretch word for word the newest items that fit stay, a recall pair goes as a whole.
    """
    ends = [segment for segment in segments if segment.kind in {"head", "tail"}]
    between = [segment for segment in reversed(segments) if segment.kind not in {"head", "tail"}]
    left = most
    for segment in (*ends, *between):
        if segment.tokens <= left:
            left -= segment.tokens
        elif segment.kind == "recall":
            yield segment
        else:
            last = segment.last_place
            while layout.raw[last] <= left:  # ends: the whole does not fit
                left -= layout.raw[last]
                last -= 1
            yield _stretch(layout, segment.kind, range(segment.first_place, last + 1))


def lowest_budget(floor: Floor, budget: Budget) -> int:
    """Give the smallest budget, its reserve and grace as in `budget`, that holds the floor."""
    low, high = budget.reserve_tokens + 1, budget.reserve_tokens + floor.tokens + 1
    while low < high:
        middle = (low + high) // 2
        window = middle - budget.reserve_tokens
        if math.floor(window * (1 + budget.grace_ratio)) >= floor.tokens:
            high = middle
        else:
            low = middle + 1
    return low
