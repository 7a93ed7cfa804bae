"""What a warmup will do before it does it: calls, tokens, money, and who will read the talk."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from pipeline.memory.merging import MergeRules
from pipeline.memory.requests import PAIR_TOKENS
from pipeline.memory.schedule import Fold, Slot, Standing
from pipeline.models.prices import Prices
from pipeline.models.seam import Usage

ANSWER_SECONDS = 20.0  # a guess before the first answer
ANSWER_SHARE = 0.25  # of its source, at most the target


@dataclass(slots=True)
class Plan:
    """Sums of what is still to be made; `input` counts whole requests, `cached` what repeats."""

    mints: int = 0
    merges: int = 0
    stubs: int = 0
    input: int = 0
    cached: int = 0
    output: int = 0
    levels: Mapping[int, int] = field(default_factory=dict)

    @property
    def calls(self) -> int:
        """Requests to be sent, if each is answered at once."""
        return self.mints + self.merges

    @property
    def usage(self) -> Usage:
        """The sums as usage, for a price."""
        return Usage(input=self.input, cached=self.cached, output=self.output)


def plan_fold(
    slots: Sequence[Slot],
    sizes: Mapping[str, int],
    standing: Mapping[str, tuple[Standing, int]],
    given_up: Sequence[tuple[str, ...]],
    rules: MergeRules,
    *,
    head_tokens: int = 0,
    target_tokens: int = 2_000,
    recall_tokens: int = 100_000,
) -> Plan:
    """
    Run the schedule without a model; `sizes` are tokens by chunk, `standing` holds sizes too.

    Tokens are those of the store ruler. What a request shares with the one before is taken to be
    all but its stretch and one recall pair.
    """
    fold = Fold(slots, rules, [s for s, _ in standing.values()], given_up)
    plan = Plan()
    tokens = {memory_id: size for memory_id, (_, size) in standing.items()}
    under = {memory_id: s.child_ids for memory_id, (s, _) in standing.items()}
    merged = {child for s, _ in standing.values() if s.level > 1 for child in s.child_ids}
    frontier = sum(n + PAIR_TOKENS for memory_id, n in tokens.items() if memory_id not in merged)
    while (step := fold.next_step()) is not None:
        memory_id = fold.accept(step)
        if step.level == 1:
            shown = sizes[step.child_ids[0]]
            plan.mints += 1
        else:
            below = [deep for child_id in step.child_ids for deep in under[child_id]]
            shown = sum(sizes.get(deep, tokens.get(deep, 0)) for deep in below)
            plan.merges += 1
        whole = shown if step.level == 1 else sum(tokens[child_id] for child_id in step.child_ids)
        tokens[memory_id] = min(target_tokens, max(60, int(whole * ANSWER_SHARE)))
        under[memory_id] = step.child_ids
        recalled = min(frontier, recall_tokens)
        plan.input += head_tokens + recalled + shown
        plan.cached += head_tokens + recalled
        plan.output += tokens[memory_id]
        frontier += tokens[memory_id] + PAIR_TOKENS
        if step.level > 1:
            frontier -= sum(tokens[child_id] + PAIR_TOKENS for child_id in step.child_ids)
    plan.levels = fold.levels
    return plan


def spell_plan(
    plan: Plan, model: str, prices: Prices, reader: str | None, *, is_free: bool, private: int
) -> Iterator[str]:
    """Say what will be done, in lines for people."""
    ladder = " → ".join(f"{count:,} L{level}" for level, count in plan.levels.items()) or "none"
    yield f"{plan.calls:,} calls to {model}: {plan.mints:,} L1s, {plan.merges:,} merges ({ladder})"
    if is_free:
        yield "it costs nothing and the talk stays on this machine"
        return
    share = plan.cached / plan.input if plan.input else 0.0
    yield (
        f"about {plan.input:,} tokens in, {share:.0%} of them from a cache where the server has "
        f"one, and {plan.output:,} out"
    )
    best = prices.cost(model, plan.usage)
    worst = prices.cost(model, Usage(input=plan.input, cached=0, output=plan.output))
    yield (
        f"about {best}, at most {worst} without any caching"
        if best
        else f"{model} has no price in agent.toml ([prices]): the cost is not known"
    )
    minutes = plan.calls * ANSWER_SECONDS / 60
    yield f"about {minutes:,.0f} minutes one by one, at {ANSWER_SECONDS:.0f} s an answer"
    where = reader or "this machine, which it does not leave"
    yield f"who will read the talk: {where}; {private:,} chunks hold private talk"
