"""`--remint`: the plan of minting memories again in place, the yes, and the doing."""

from typing import Any

from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import Memory
from pipeline.models.choice import lent
from pipeline.models.prices import FREE, Prices
from pipeline.schemas import PYRAMID
from pipeline.stage import Context
from stages.warmup.planning import spell_reader
from stages.warmup.purse import HaltError
from stages.warmup.reminting import remint, wanted_by
from stages.warmup.running import (
    open_minting,
    open_model,
    refuse_unpriced,
    scene_of,
    settings_of,
    spent_by,
    standing_of,
    told_of,
)
from stages.warmup.source import Source
from stages.warmup.telling import result


def mint_again(ctx: Context[Any], source: Source, said: str) -> list[str]:
    """Plan to mint memories again in place, and do so where that is agreed."""
    wanted = wanted_by(said)
    memories, _, _ = standing_of(ctx)
    chosen = [memory for memory in memories if wanted(memory)]
    prices, settings = Prices(ctx.agent.prices), settings_of(ctx)
    ctx.say(
        f"{len(chosen):,} of {len(memories):,} memories ({said}) will be minted again by "
        f"{ctx.knobs.model}, under their ids; the old texts stay as revisions"
    )
    for line in spell_reader(told_of(ctx, source, settings)):
        ctx.say(line)
    is_free = ctx.knobs.model in FREE
    if not is_free:
        refuse_unpriced(ctx, prices)
    if not chosen or not ctx.agree("Mint them again?"):
        return []
    model = open_model(ctx, settings)
    with Pyramid(ctx.path(PYRAMID)) as pyramid, lent(model):
        minting = open_minting(ctx, source, scene_of(ctx, source), pyramid, model, None, again=True)
        made: list[Memory] = []
        with ctx.progress(total=len(chosen), unit="memory", label="remint") as bar:
            try:
                for memory in remint(minting, memories, wanted):
                    made.append(memory)
                    bar.step()
            except HaltError as halt:
                ctx.unfinished(str(halt))
    for entry in minting.quarantined:
        ctx.unfinished(f"{entry.target} keeps its old text: {entry.reason}")
    return list(result(made, memories, spent_by(minting.purse)))
