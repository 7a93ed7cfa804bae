"""What an audit looks at in an agent's folder."""

import json
from dataclasses import asdict
from typing import Any

from pipeline.memory.findings import View
from pipeline.memory.seeing import CHUNK_COLUMNS, ITEM_COLUMNS, closed_of, items_of, see
from pipeline.schemas import CHUNKS, PYRAMID, TRANSCRIPT, WAIVERS
from pipeline.stage import Context


def look(ctx: Context[Any]) -> View:
    """Give the pyramid, the talk and the numbers as one view."""
    people = ctx.agent.people
    return see(
        ctx.path(PYRAMID),
        items_of(ctx.read(TRANSCRIPT, ITEM_COLUMNS)),
        closed_of(ctx.read(CHUNKS, CHUNK_COLUMNS)),
        settings={name: dict(knobs) for name, knobs in ctx.agent.stages.items()}
        | {"audit": asdict(ctx.knobs)},
        persona=ctx.agent.persona or "",
        agent=ctx.agent.name,
        zone=ctx.agent.zone,
        other_names=[name for p in people for name in (p.name, *p.names, *p.webhooks)],
    )


def read_waivers(ctx: Context[Any]) -> dict[str, dict[str, str]]:
    """Give the waivers by finding id, the last of each; a torn last line is passed over."""
    if not ctx.has(WAIVERS):
        return {}
    found: dict[str, dict[str, str]] = {}
    for line in ctx.path(WAIVERS).read_text(encoding="utf-8").splitlines():
        try:
            waiver = json.loads(line)
        except json.JSONDecodeError:
            continue
        found[waiver["finding_id"]] = waiver
    return {key: waiver for key, waiver in found.items() if not waiver.get("withdrawn")}
