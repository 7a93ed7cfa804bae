"""Wake a model with what the host would show it: plan, agreement, connection, opening."""

import random
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pipeline.errors import UsageError
from pipeline.memory.layout import RECALL_LABEL
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.questions import Question
from pipeline.models.choice import ModelSettings, connect, lent, who_reads
from pipeline.models.prices import FREE, Prices
from pipeline.models.seam import Message, Usage
from pipeline.schemas import PYRAMID, TRANSCRIPT
from pipeline.stage import Context
from stages.probe.asking import Answered, Wishes, ask_all
from stages.probe.journal import Journal, OutOfBudgetError
from stages.probe.tools import Tools

if TYPE_CHECKING:
    from stages.probe.scene import Scene


def ask_model(ctx: Context[Any], scene: "Scene", questions: Sequence[Question]) -> list[Answered]:
    """Print the plan, and carry it out where the owner agrees; gives what was answered."""
    settings = settings_of(ctx)
    if not ctx.has(PYRAMID):
        raise UsageError(
            "--ask-model needs a pyramid, its memories and its record of calls: make warmup"
        )
    prices = Prices(ctx.agent.prices)
    for line in plan(ctx, scene, questions, settings, prices):
        ctx.say(line)
    if not ctx.agree(f"Ask {settings.model}?"):
        return []
    model = connect(settings, ctx.env, time.monotonic, time.sleep, random.random, ctx.note)
    answered: list[Answered] = []
    with Pyramid(ctx.path(PYRAMID)) as pyramid, lent(model):
        journal = Journal(model, pyramid, prices, ctx.now, ctx.knobs.max_calls, ctx.knobs.max_cost)
        asked = ask_all(
            journal,
            Tools(scene.db, scene.now),
            list(opening_of(ctx, scene)),
            questions,
            wishes_of(ctx),
            prices,
        )
        with ctx.progress(total=len(questions) * len(ctx.knobs.rules), unit="question") as bar:
            try:
                for entry in asked:
                    answered.append(entry)
                    bar.step()
            except OutOfBudgetError as spent:
                ctx.unfinished(f"{spent}; answered so far: {len(answered)}")
    return answered


def settings_of(ctx: Context[Any]) -> ModelSettings:
    """Give who is asked: the probe's own settings, else those of warmup."""
    warmup = ctx.agent.stages.get("warmup", {})
    name = ctx.knobs.model or str(warmup.get("model", ""))
    if not name or name in FREE:
        raise UsageError(
            'no model to ask: set [probe] model = "…" in agent.toml '
            "(the extractive one only quotes)"
        )
    return ModelSettings(
        kind=ctx.knobs.protocol or str(warmup.get("protocol") or "openai"),
        model=name,
        base_url=ctx.knobs.base_url or warmup.get("base_url") or None,
    )


def wishes_of(ctx: Context[Any]) -> Wishes:
    """Give how the model is asked."""
    return Wishes(
        persona=ctx.agent.persona or "",
        rules=ctx.knobs.rules,
        max_searches=ctx.knobs.max_searches,
        max_tokens=ctx.knobs.max_tokens,
        public_room=ctx.knobs.public_room if ctx.knobs.private_in_public else None,
    )


def plan(
    ctx: Context[Any],
    scene: "Scene",
    questions: Sequence[Question],
    settings: ModelSettings,
    prices: Prices,
) -> Iterator[str]:
    """Say how many calls there will be, what they cost, and who will read the talk."""
    in_public = ctx.knobs.private_in_public * sum(q.is_private for q in questions)
    asked = (len(questions) + in_public) * len(ctx.knobs.rules)
    doubts = sum(len(q.pushback) for q in questions) * len(ctx.knobs.rules)
    least, most = asked + doubts, (asked + doubts) * (ctx.knobs.max_searches + 2)
    tokens = scene.context.tokens
    yield (
        f"{asked:,} questions and {doubts:,} doubts to {settings.model}: {least:,} to {most:,} "
        f"calls, each with a context of about {tokens:,} tokens"
    )
    sums = [
        prices.cost(settings.model, Usage(input=calls * tokens, output=calls * 200))
        for calls in (least, most)
    ]
    if sums[0] and sums[1]:
        yield f"about {sums[0]}, at most {sums[1]} without any caching"
    else:
        yield f"{settings.model} has no price in agent.toml ([prices]): the cost is not known"
    reader = who_reads(settings)
    yield f"{reader} will read the talk" if reader else "the talk stays on this machine"
    if not scene.context.is_answered:
        yield f"note: the host would refuse this context ({scene.context.refusal})"


def opening_of(ctx: Context[Any], scene: "Scene") -> Iterator[Message]:
    """Give what stands in the context before the question, in the order in which it is sent."""
    told = ctx.read(TRANSCRIPT, ["text", "participant"])
    texts, speakers = told["text"].to_list(), told["participant"].to_list()
    for segment in scene.context.segments:
        if segment.memory_id is not None:
            yield Message("user", RECALL_LABEL)
            yield Message("assistant", scene.talk.memories[segment.memory_id].text)
            continue
        for place in places_of(scene, segment.kind, segment.first_place, segment.last_place):
            is_own = speakers[place] == ctx.agent.name
            yield Message("assistant" if is_own else "user", texts[place])


def places_of(scene: "Scene", kind: str, first: int, last: int) -> Sequence[int]:
    """Give the places of a raw segment; those of the middle are not always next to each other."""
    if kind in {"head", "tail"}:
        return range(first, last + 1)
    return [place for place in scene.layout.middle if first <= place <= last]
