"""
Keep what the agent perceived, and write it in the form in which it reads live.

reads   raw               Discord's own objects, one line a message
writes  transcript        one row per item of the agent's store
        transcript_lines  the same, one JSON line an item
        rejects           one row per message that was left out, and why
        redactions        one row per credential that was replaced
        rooms             one row per room of raw
        people            one row per author of raw
"""

from pipeline.schemas import (
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


@stage(
    reads=[RAW],
    writes=[TRANSCRIPT, TRANSCRIPT_LINES, REJECTS, REDACTIONS, ROOMS, PEOPLE],
    respects=[PYRAMID],
    knobs=CurateKnobs,
)
def curate(ctx: Context[CurateKnobs]) -> None:
    """Survey raw, arrange what was perceived, write items, tell about them."""
    from stages.curate.course import carry_out
    from stages.curate.tell import tell

    done = carry_out(ctx, folded=None)
    ctx.write(REJECTS, done.rejects)
    ctx.write(REDACTIONS, done.redactions)
    ctx.write(ROOMS, done.rooms)
    ctx.write(PEOPLE, done.people)
    told = tell(done, ctx.agent.zone)
    ctx.report("curate.md", told.report)
    for line in told.lines:
        ctx.say(line)
    for reason in told.unfinished:
        ctx.unfinished(reason)
