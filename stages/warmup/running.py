"""One warmup from plan to end: what stands, what is to be done, the yes, the loop, the words."""

import hashlib
import random
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

from pipeline.errors import UsageError
from pipeline.hostwindow import model_of_recipe
from pipeline.memory.folded import note_history
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import Memory, Quarantined
from pipeline.memory.refolding import kept_below
from pipeline.memory.requests import Scene, standing_tokens
from pipeline.memory.schedule import Fold, Slot, Standing
from pipeline.models.choice import ModelSettings, connect, lent, who_reads
from pipeline.models.prices import FREE, Prices
from pipeline.models.scripted import Scripted, recite
from pipeline.models.seam import Model
from pipeline.schemas import PYRAMID
from pipeline.stage import Context
from stages.warmup.minting import HaltError, Minting, Purse
from stages.warmup.planning import Plan, Told, plan_fold, scaled, spell_plan
from stages.warmup.source import Source, history_of, open_source
from stages.warmup.telling import Spent, live, report, result


def carry_out(ctx: Context[Any]) -> list[str]:
    """Print the plan, carry it out where the owner agrees, and give what there is to say."""
    source = open_source(ctx)
    if said := ctx.options.get("remint"):
        from stages.warmup.again import mint_again

        return mint_again(ctx, source, str(said))
    memories, quarantined, below = standing_of(ctx)
    prices = Prices(ctx.agent.prices)
    settings = settings_of(ctx)
    scene = scene_of(ctx, source)
    retried = bool(ctx.options.get("retry"))
    given_up = [] if retried else [tuple(q.target.split(" ")) for q in quarantined]
    plan = plan_of(ctx, source, scene, memories, given_up, below)
    is_free = ctx.knobs.model in FREE
    told_before = told_of(ctx, source, settings)
    for line in spell_plan(plan, prices, told_before):
        ctx.say(line)
    for warning in warnings_of(ctx, is_free=is_free):
        ctx.note(warning)
    if not plan.calls:
        return leave_quarantined(ctx, quarantined)
    if ctx.dry_run or not may_spend(ctx, prices, is_free=is_free):
        return []
    model = open_model(ctx, settings)
    with Pyramid(ctx.path(PYRAMID)) as pyramid, lent(model):
        note_history(pyramid, history_of(ctx, source))
        for_a_call = planned(plan, prices, told_before)
        minting = open_minting(ctx, source, scene, pyramid, model, for_a_call)
        if retried:
            minting.fold.retry()
        made = drive(ctx, minting, plan)
        quarantined = pyramid.quarantined()
    standing_now = list(minting.memories.values())
    spent = spent_by(minting.purse)
    ctx.report(
        "warmup.md",
        report(plan, told_before, prices, made, standing_now, spent, quarantined, tuple(ctx.left)),
    )
    return [*result(made, standing_now, spent), *leave_quarantined(ctx, quarantined)]


def standing_of(ctx: Context[Any]) -> tuple[list[Memory], list[Quarantined], int]:
    """Give the memories that stand, what is in quarantine, and which numbers a refold kept."""
    if not ctx.has(PYRAMID):
        return [], [], 0
    with Pyramid(ctx.path(PYRAMID), read_only=True) as pyramid:
        return pyramid.memories(), pyramid.quarantined(), kept_below(pyramid)


def slots_of(ctx: Context[Any], source: Source, memories: list[Memory]) -> list[Slot]:
    """Give the chunks to fold; the newest `holdback` are left unless a memory stands on them."""
    minted = {memory.chunk_id for memory in memories}
    chunks = list(source.chunks.values())
    kept = chunks[: len(chunks) - ctx.knobs.holdback] if ctx.knobs.holdback else chunks
    held = [chunk for chunk in chunks[len(kept) :] if chunk.chunk_id in minted]
    return [Slot(chunk.chunk_id, chunk.messages) for chunk in (*kept, *held)]


def standing(memory: Memory) -> Standing:
    """Give a memory as the schedule sees it."""
    children = (memory.chunk_id or "",) if memory.level == 1 else memory.source_ids
    return Standing(memory.memory_id, memory.level, children)


def plan_of(
    ctx: Context[Any],
    source: Source,
    scene: Scene,
    memories: list[Memory],
    given_up: list[tuple[str, ...]],
    below: int,
) -> Plan:
    """Sum up what is to be done."""
    return plan_fold(
        slots_of(ctx, source, memories),
        {chunk.chunk_id: chunk.tokens_store for chunk in source.chunks.values()},
        {memory.memory_id: (standing(memory), memory.tokens) for memory in memories},
        given_up,
        ctx.knobs.rules(),
        kept_below=below,
        head_tokens=standing_tokens(scene),
        target_tokens=scene.summary_target_tokens,
        recall_tokens=scene.recall_budget_tokens,
    )


def scene_of(ctx: Context[Any], source: Source) -> Scene:
    """Give what is the same for every request."""
    return Scene(
        agent_name=ctx.agent.name,
        persona=ctx.agent.persona or "",
        zone=ctx.agent.zone,
        rooms=dict(source.rooms),
        private_rooms=source.private_rooms,
        head=source.head(),
        language=ctx.knobs.language,
        summary_target_tokens=ctx.knobs.summary_target_tokens,
        recall_budget_tokens=ctx.knobs.recall_budget_tokens,
        identity_reminder=ctx.knobs.identity_reminder,
        merge_target=ctx.knobs.merge_target,
        thin_chars=ctx.knobs.thin_chars,
        max_tokens=ctx.knobs.max_tokens,
        temperature=ctx.knobs.temperature,
    )


def settings_of(ctx: Context[Any]) -> ModelSettings | None:
    """Give who is asked; null for the scripted model."""
    knobs = ctx.knobs
    if knobs.model == "scripted":
        return None
    if knobs.model == "extractive":
        return ModelSettings()
    return ModelSettings(
        kind=knobs.protocol,
        model=knobs.model,
        base_url=knobs.base_url or None,
        requests_per_minute=knobs.requests_per_minute,
    )


def open_model(ctx: Context[Any], settings: ModelSettings | None) -> Model:
    """Make the model that answers."""
    if settings is None:
        return Scripted(recite)
    return connect(settings, ctx.env, time.monotonic, time.sleep, random.random, ctx.note)


def may_spend(ctx: Context[Any], prices: Prices, *, is_free: bool) -> bool:
    """Say whether the plan may be carried out; a limit in agent.toml is the yes (rule 11)."""
    if is_free:
        return True
    refuse_unpriced(ctx, prices)
    if ctx.knobs.max_cost is not None or ctx.knobs.max_calls is not None:
        return True
    return ctx.agree(f"Mint with {ctx.knobs.model}?")


def refuse_unpriced(ctx: Context[Any], prices: Prices) -> None:
    """Refuse a model without a price, unless the number of calls is limited."""
    if prices.of(ctx.knobs.model) is None and ctx.knobs.max_calls is None:
        raise UsageError(
            f"{ctx.knobs.model} has no price: add [prices.{ctx.knobs.model!r}] to agent.toml, or "
            f"set warmup.max_calls"
        )


def planned(plan: Plan, prices: Prices, told: Told) -> float | None:
    """Give the planned money for a call, without any caching."""
    worst = prices.cost(told.model, scaled(plan, told, 0))
    return worst.amount / plan.calls if worst and plan.calls else None


def told_of(ctx: Context[Any], source: Source, settings: ModelSettings | None) -> Told:
    """Count whose talk will be read, and how real tokens compare to the ruler's."""
    rooms, people = source.readable()
    exact = [c for c in source.chunks.values() if c.tokens_exact is not None]
    ruler = sum(chunk.tokens_store for chunk in exact)
    return Told(
        model=ctx.knobs.model,
        reader=who_reads(settings) if settings else None,
        is_free=ctx.knobs.model in FREE,
        dms=sum(room.is_dm for room in rooms),
        private_rooms=sum(room.is_private and not room.is_dm for room in rooms),
        people=people,
        exact_ratio=sum(chunk.tokens_exact or 0 for chunk in exact) / ruler if ruler else None,
    )


def warnings_of(ctx: Context[Any], *, is_free: bool) -> Iterator[str]:
    """Warn where memories would not be in the agent's own voice."""
    if is_free:
        return
    if not ctx.agent.persona:
        yield "there is no persona.md: memories will be minted in nobody's voice"
    lives_on = model_of_recipe(ctx.agent)
    if lives_on and lives_on != ctx.knobs.model:
        yield (
            f"the agent lives on {lives_on} (its recipe), and its memories will be minted by "
            f"{ctx.knobs.model}: another voice"
        )


def open_minting(
    ctx: Context[Any],
    source: Source,
    scene: Scene,
    pyramid: Pyramid,
    model: Model,
    for_a_call: float | None,
    *,
    again: bool = False,
) -> Minting:
    """Set up the loop on what stands; `again`: on nothing, as what stands is minted again."""
    memories, quarantined = pyramid.memories(), pyramid.quarantined()
    fold = Fold(
        slots_of(ctx, source, memories),
        ctx.knobs.rules(),
        [standing(memory) for memory in memories],
        {tuple(entry.target.split(" ")) for entry in quarantined},
        numbers_from=pyramid.counter(),
        kept_below=kept_below(pyramid),
    )
    persona = ctx.agent.persona
    purse = Purse(
        Prices(ctx.agent.prices),
        ctx.knobs.max_calls,
        ctx.knobs.max_cost,
        ctx.knobs.failures_in_a_row,
        for_a_call,
    )
    minting = Minting(
        scene,
        source,
        pyramid,
        fold,
        model,
        purse,
        ctx.now,
        ctx.knobs.parallel,
        hashlib.sha256(persona.encode()).hexdigest() if persona else None,
    )
    for memory in () if again else memories:
        minting.stand(memory)
    return minting


def drive(ctx: Context[Any], minting: Minting, plan: Plan) -> list[Memory]:
    """Take every step, with a live line; a halt ends the run. Gives the memories made."""
    made: list[Memory] = []
    before, mints = len(minting.memories), 0
    with ctx.progress(total=plan.calls, unit="memory", label="warmup") as bar:
        try:
            while minting.advance():
                new = len(minting.memories) - before - len(made)
                made += reversed([*islice(reversed(minting.memories.values()), new)])
                mints += sum(memory.level == 1 for memory in made[len(made) - new :])
                bar.step(new)
                bar.tell(live(plan, mints, len(made) - mints, spent_by(minting.purse)))
        except HaltError as halt:
            ctx.unfinished(str(halt))
    return list(minting.memories.values())[before:]


def spent_by(purse: Purse) -> Spent:
    """Give what a run has used so far."""
    return Spent(
        purse.calls, purse.input, purse.cached, purse.output, purse.cost, purse.prices.currency
    )


def leave_quarantined(ctx: Context[Any], quarantined: list[Quarantined]) -> list[str]:
    """Say what is in quarantine, and that the run is not finished for it."""
    for entry in quarantined:
        ctx.unfinished(f"{entry.target} is in quarantine: {entry.reason}; ask again with --retry")
    return [f"{entry.target} (L{entry.level}): {entry.reason}" for entry in quarantined]
