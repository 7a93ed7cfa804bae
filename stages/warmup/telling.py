"""Say how a warmup goes while it goes, and what came of it: live line, result, report."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.memory.records import Memory, Quarantined
from pipeline.models.prices import Prices
from stages.warmup.planning import Plan, Told, scaled

SHOWN = 50  # entries of quarantine and of long memories in the report


@dataclass(frozen=True, slots=True)
class Spent:
    """What a run used."""

    calls: int
    input: int
    cached: int
    output: int
    cost: float
    currency: str

    @property
    def cached_share(self) -> float:
        """The share of the tokens read that came from a cache."""
        return self.cached / self.input if self.input else 0.0


def live(plan: Plan, mints: int, merges: int, spent: Spent) -> str:
    """Give the words behind the bar: L1s and merges of all, tokens, cached share, money."""
    return (
        f"L1 {mints:,}/{plan.mints:,}, merges {merges:,}/{plan.merges:,}, {spent.input:,} tokens "
        f"({spent.cached_share:.0%} cached), {spent.currency} {spent.cost:.2f}"
    )


def result(made: Sequence[Memory], standing: Sequence[Memory], spent: Spent) -> Iterator[str]:
    """Say what was made, what stands now, and what it cost."""
    stubs = sum(memory.is_stub for memory in made)
    levels = Counter(memory.level for memory in standing)
    ladder = ", ".join(f"{levels[level]:,} L{level}" for level in sorted(levels))
    yield f"{len(made):,} memories made, {stubs:,} of them stubs; there stand {ladder or 'none'}"
    yield (
        f"{spent.calls:,} calls, {spent.input:,} tokens in ({spent.cached:,} cached), "
        f"{spent.output:,} out, {spent.currency} {spent.cost:.4f}"
    )


def report(
    plan: Plan,
    told: Told,
    prices: Prices,
    made: Sequence[Memory],
    standing: Sequence[Memory],
    spent: Spent,
    quarantined: Sequence[Quarantined],
    left: Sequence[str],
) -> str:
    """Write the report: counts, spend, estimate against usage, quarantine, what to look at."""
    lines = ["# Warmup", "", *(f"- {line}" for line in result(made, standing, spent)), ""]
    if spent.calls and not told.is_free:
        lines += ["## Estimate against usage", "", *against(plan, told, prices, made, spent), ""]
    if left:
        lines += ["## Why it stopped", "", *(f"- {reason}" for reason in left), ""]
    if quarantined:
        lines += ["## In quarantine (`backfold run warmup --retry` asks again)", ""]
        lines += [f"- {q.target} (L{q.level}): {q.reason}" for q in quarantined[:SHOWN]]
        lines.append("")
    if flagged := [m for m in made if m.is_witnessed or m.is_stub]:
        lines += ["## To look at", ""]
        lines += [f"- {m.memory_id}: {why(m)}" for m in flagged[:SHOWN]]
        if len(flagged) > SHOWN:
            lines.append(f"- … and {len(flagged) - SHOWN:,} more in tables/memories.parquet")
    return "\n".join(lines).rstrip() + "\n"


def against(
    plan: Plan, told: Told, prices: Prices, made: Sequence[Memory], spent: Spent
) -> Iterator[str]:
    """Hold the plan's share for the memories that were made against what they used."""
    whole = scaled(plan, told, plan.cached)
    share = min(1.0, len(made) / plan.calls) if plan.calls else 1.0
    money = prices.cost(told.model, whole)
    yield "| | planned | used | used of planned |"
    yield "|---|---|---|---|"
    for name, planned, used in (
        ("tokens in", (whole.input or 0) * share, spent.input),
        ("of them cached", (whole.cached or 0) * share, spent.cached),
        ("tokens out", (whole.output or 0) * share, spent.output),
        (f"money ({spent.currency})", (money.amount if money else 0.0) * share, spent.cost),
    ):
        per_cent = f"{used / planned:.0%}" if planned else "–"
        digits = ".4f" if "money" in name else ",.0f"
        yield f"| {name} | {planned:{digits}} | {used:{digits}} | {per_cent} |"


def why(memory: Memory) -> str:
    """Say why a memory is worth a look."""
    if memory.is_stub:
        return "a stub: hardly anything was said"
    return "witnessed: the agent did not speak in it"
