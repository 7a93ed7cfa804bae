"""What a cutting leads to: replies cut, the fold that follows, other gaps and targets."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pipeline.memory.folding import Cut, Stretch, close_chunks, open_places, windows
from pipeline.memory.history import History
from pipeline.memory.merging import MergeRules
from pipeline.memory.schedule import Fold, Slot, run_out

if TYPE_CHECKING:
    import polars as pl

GAPS = (15, 30, 60, 90, 120, 240)
TARGETS = (700, 1_000, 1_500, 2_000, 3_000, 4_500, 6_000)
TARGET_STEP = 50

Replies = Sequence[tuple[int, int]]  # place of the reply, place of what it answers


@dataclass(frozen=True, slots=True)
class Outlook:
    """Where the fold of some chunks ends if nothing fails: memories by level, and roots."""

    levels: dict[int, int]
    roots: int

    @property
    def calls(self) -> int:
        """Count the calls: one a memory, stubs and repeats aside."""
        return sum(self.levels.values())

    @property
    def path(self) -> str:
        """Write the levels as people read them."""
        return " → ".join(str(count) for count in self.levels.values()) or "0"


@dataclass(frozen=True, slots=True)
class Trial:
    """One gap and target, and what they come to."""

    gap_minutes: int
    target: int
    chunks: int
    messages: float  # per chunk, in the mean
    reasons: dict[str, int]
    replies_cut: int
    outlook: Outlook


def foresee(lengths: Sequence[int], rules: MergeRules) -> Outlook:
    """Fold chunks of these lengths (in messages) to the end."""
    fold = Fold([Slot(f"c-{at}", length) for at, length in enumerate(lengths)], rules)
    for _ in run_out(fold):
        pass
    return Outlook(fold.levels, len(fold.nodes) - len(fold.parents))


def find_replies(transcript: "pl.DataFrame") -> Replies:
    """Give the replies whose target is in the transcript, as places."""
    import polars as pl

    placed = transcript.select("message_ids", "reply_to_id").with_row_index("place")
    targets = placed.select(
        pl.col("place").alias("target"), pl.col("message_ids").alias("reply_to_id")
    )
    targets = targets.explode("reply_to_id", empty_as_null=False).unique("reply_to_id", keep="last")
    found = placed.drop_nulls("reply_to_id").join(targets, on="reply_to_id")
    return list(found.select("place", "target").sort("place").iter_rows())


def count_cut(replies: Replies, owner: Sequence[int | None]) -> tuple[int, int]:
    """Count replies within chunks, and those of them whose target lies in another chunk."""
    pairs = [(owner[reply], owner[target]) for reply, target in replies]
    inside = [(a, b) for a, b in pairs if a is not None and b is not None]
    return len(inside), sum(a != b for a, b in inside)


def owners(items: int, chunks: Sequence[Sequence[int]]) -> list[int | None]:
    """Give, per place, the number of the chunk that holds it."""
    owner: list[int | None] = [None] * items
    for number, places in enumerate(chunks):
        for place in places:
            owner[place] = number
    return owner


def trials(history: History, cut: Cut, rules: MergeRules, replies: Replies) -> Iterator[Trial]:
    """Try every gap with every target, as if nothing were folded yet."""
    places = open_places(windows(history, cut))
    for gap in GAPS:
        for target in TARGETS:
            tried = replace(cut, gap_minutes=gap, target_chunk_tokens=target)
            yield weigh(history, close_chunks(history, places, tried), tried, rules, replies)


def weigh(
    history: History, stretches: Sequence[Stretch], cut: Cut, rules: MergeRules, replies: Replies
) -> Trial:
    """Say what a cutting comes to."""
    lengths = [len(stretch) for stretch in stretches]
    reasons: dict[str, int] = {}
    for stretch in stretches:
        reasons[stretch.closed_by] = reasons.get(stretch.closed_by, 0) + 1
    spans = [range(stretch.first, stretch.last + 1) for stretch in stretches]
    _, cut_off = count_cut(replies, owners(len(history), spans)) if replies else (0, 0)
    return Trial(
        gap_minutes=cut.gap_minutes,
        target=cut.target_chunk_tokens,
        chunks=len(stretches),
        messages=sum(lengths) / max(1, len(lengths)),
        reasons=reasons,
        replies_cut=cut_off,
        outlook=foresee(lengths, rules),
    )


def too_wide(messages: float, rules: MergeRules) -> bool:
    """Say whether L3s over chunks of so many messages span too much ever to merge (§6.2.3)."""
    return messages * rules.fan_in**2 > rules.merge_max_source_span_messages


def fitting_target(history: History, cut: Cut, rules: MergeRules) -> int | None:
    """Give the largest target, in steps of 50, whose L3s can still merge; null where none is."""
    places = open_places(windows(history, cut))

    def messages(target: int) -> float:
        made = close_chunks(history, places, replace(cut, target_chunk_tokens=target))
        return sum(map(len, made)) / max(1, len(made))

    low, high = 0, cut.target_chunk_tokens // TARGET_STEP
    while low < high:  # messages a chunk grow with the target
        middle = (low + high + 1) // 2
        if too_wide(messages(middle * TARGET_STEP), rules):
            high = middle - 1
        else:
            low = middle
    return low * TARGET_STEP or None
