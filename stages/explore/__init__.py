"""
Draw the pyramid over its talk as one offline page to look at, search and drill down.

reads   transcript  one row per item of the agent's store
        rooms       names of rooms
        pyramid     memories, where they are there
        findings    what an audit found, where it ran
        probes      what a probe found lost, where it ran
        calls       what was asked of a model, where warmup ran
writes  explorer    the page

Beside the page lie figures for reports: messages per day, memories by level, cost over the run.
"""

from dataclasses import dataclass

from pipeline.schemas import CALLS, EXPLORER, FINDINGS, PROBES, PYRAMID, ROOMS, TRANSCRIPT
from pipeline.stage import Context, stage


@dataclass(frozen=True, slots=True)
class ExploreKnobs:
    """Knobs of `explore`."""

    anonymize: bool = False  # rooms and people renamed, words masked: a page that can be shared


@stage(
    reads=[TRANSCRIPT, ROOMS],
    reads_if_there=[PYRAMID, FINDINGS, PROBES, CALLS],
    writes=[EXPLORER],
    knobs=ExploreKnobs,
)
def explore(ctx: Context[ExploreKnobs]) -> None:
    """Gather what there is, write the page and the figures."""
    from stages.explore.gathering import figures, gather
    from stages.explore.masking import masked
    from stages.explore.page import page

    data = gather(ctx)
    is_shared = ctx.knobs.anonymize or bool(ctx.options.get("anonymize"))
    shown = masked(data) if is_shared else data
    ctx.write_lines(EXPLORER, [page(shown).encode("utf-8", "replace")])
    for name, picture in figures(ctx, shown):
        ctx.report(name, picture)
    ctx.say(f"explorer: {len(data['t']):,} items, {len(data['memories']):,} memories")
