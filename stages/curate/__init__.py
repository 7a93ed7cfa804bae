"""
Keep what the agent perceived, and write it in the form in which it reads live.

reads   raw               Discord's own objects, one line a message
writes  transcript        one row per item of the agent's store
        transcript_lines  the same, one JSON line an item
        rejects           one row per message that was left out, and why
        redactions        one row per credential that was replaced
        rooms             one row per room of raw
        people            one row per author of raw
        curated           what decided which items there are, as a digest
"""

from typing import TYPE_CHECKING

from pipeline.schemas import (
    CURATED,
    PEOPLE,
    PYRAMID,
    RAW,
    REDACTIONS,
    REJECTS,
    ROOMS,
    TRANSCRIPT,
    TRANSCRIPT_LINES,
)
from pipeline.stage import Context, stage
from stages.curate.knobs import CurateKnobs

if TYPE_CHECKING:
    from stages.curate.folded import Folded


@stage(
    reads=[RAW],
    writes=[TRANSCRIPT, TRANSCRIPT_LINES, REJECTS, REDACTIONS, ROOMS, PEOPLE, CURATED],
    respects=[PYRAMID],
    knobs=CurateKnobs,
)
def curate(ctx: Context[CurateKnobs]) -> None:
    """Survey raw, arrange what was perceived, write items, tell about them."""
    from stages.curate.course import carry_out, settings_digest
    from stages.curate.tell import tell

    done = carry_out(ctx, folded=standing_on(ctx))
    ctx.write(REJECTS, done.rejects)
    ctx.write(REDACTIONS, done.redactions)
    ctx.write(ROOMS, done.rooms)
    ctx.write(PEOPLE, done.people)
    ctx.write_lines(
        CURATED, [f'{{"settings":"{settings_digest(ctx.knobs, ctx.agent)}"}}\n'.encode()]
    )
    told = tell(done, ctx.agent.zone, ctx.raw.unread())
    ctx.report("curate.md", told.report)
    for line in told.lines:
        ctx.say(line)
    for reason in told.unfinished:
        ctx.unfinished(reason)


def standing_on(ctx: Context[CurateKnobs]) -> "Folded | None":
    """Give what memories stand on; None before the first warmup."""
    from pipeline.memory.folded import folded_history
    from stages.curate.folded import Folded

    history = folded_history(ctx.path(PYRAMID))
    if history is None:
        return None
    return Folded(
        last_item_id=history.item_ids[-1],
        last_sent_at=history.last_sent_at,
        item_ids=history.item_ids,
        raw_bytes_by_channel=history.raw_bytes,
        message_ids=history.message_ids,
        chunks=history.chunks,
        settings=history.settings,
    )
