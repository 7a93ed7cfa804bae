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
PARALLEL_GAIN = 2.3  # waves of six behind a leader, merges one by one (performance.md, part 8)
RATIO_WARNING = 1.5


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
    kept_below: int = 0,
    head_tokens: int = 0,
    target_tokens: int = 2_000,
    recall_tokens: int = 100_000,
) -> Plan:
    """
    Run the schedule without a model; `sizes` are tokens by chunk, `standing` holds sizes too.

    Tokens are those of the store ruler. What a request shares with the one before is taken to be
    all but its stretch and one recall pair.
    """
    fold = Fold(slots, rules, [s for s, _ in standing.values()], given_up, kept_below=kept_below)
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


@dataclass(frozen=True, slots=True)
class Told:
    """What else a plan says: who reads whose talk, and how real tokens compare to the ruler's."""

    model: str
    reader: str | None  # the host that reads the talk; null: it stays on this machine
    is_free: bool
    dms: int
    private_rooms: int
    people: int
    exact_ratio: float | None  # real tokens a ruler token; null: no tokenizer at hand


def spell_plan(plan: Plan, prices: Prices, told: Told) -> Iterator[str]:
    """Say what will be done, in lines for people."""
    ladder = " → ".join(f"{count:,} L{level}" for level, count in plan.levels.items()) or "none"
    model = told.model
    yield f"{plan.calls:,} calls to {model}: {plan.mints:,} L1s, {plan.merges:,} merges ({ladder})"
    if told.is_free:
        yield "it costs nothing and the talk stays on this machine"
        return
    if not plan.calls:
        return
    yield from spell_tokens(plan, told)
    yield from spell_money(plan, prices, told)
    one, six = (plan.calls * ANSWER_SECONDS / 60 / n for n in (1, PARALLEL_GAIN))
    yield (
        f"about {one:,.0f} minutes one by one, {six:,.0f} at parallel = 6, "
        f"if an answer takes {ANSWER_SECONDS:.0f} s"
    )
    yield from spell_reader(told)


def spell_tokens(plan: Plan, told: Told) -> Iterator[str]:
    """Say how many tokens go in and out, by a real tokenizer where there is one."""
    ratio = told.exact_ratio or 1.0
    by = f"{ratio:.2f} × the ruler" if told.exact_ratio else "by the ruler, no tokenizer at hand"
    share = plan.cached / plan.input if plan.input else 0.0
    yield (
        f"about {plan.input * ratio:,.0f} tokens in ({by}), {share:.0%} of them from a cache where "
        f"the server has one, and {plan.output * ratio:,.0f} out"
    )
    if ratio > RATIO_WARNING:
        yield (
            f"warning: a real tokenizer counts {ratio:.2f} times what the ruler does; budgets in "
            f"tokens hold less than they say"
        )


def spell_money(plan: Plan, prices: Prices, told: Told) -> Iterator[str]:
    """Say what it costs, with a cache and without."""
    best, worst = (
        prices.cost(told.model, scaled(plan, told, cached)) for cached in (plan.cached, 0)
    )
    if best and worst:
        yield f"about {best}, at most {worst} without any caching"
    else:
        yield f"{told.model} has no price in agent.toml ([prices]): the cost is not known"


def scaled(plan: Plan, told: Told, cached: int) -> Usage:
    """Give the plan as usage, in real tokens."""
    ratio = told.exact_ratio or 1.0
    return Usage(
        input=round(plan.input * ratio),
        cached=round(cached * ratio),
        output=round(plan.output * ratio),
    )


def spell_reader(told: Told) -> Iterator[str]:
    """Say who will read whose talk, and how to leave some out."""
    whose = (
        f"{told.dms:,} DMs, {told.private_rooms:,} private rooms, the words of "
        f"{told.people:,} people"
    )
    if told.reader is None:
        yield f"the talk stays on this machine: {whose}"
        return
    yield (
        f"{told.reader} will read the talk: {whose}; rooms that it shall not read belong into "
        f"[scope] leave_out_channels"
    )
