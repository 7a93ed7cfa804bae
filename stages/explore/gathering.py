"""Everything that the page shows, as one object that JSON can carry."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pipeline.hostwindow import budget_from, once_set, recipe_numbers, rules_from
from pipeline.memory.history import COLUMNS
from pipeline.memory.layout import Layout, read_layout
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import Memory, Revision
from pipeline.memory.window import Budget, NextContext, compose, lowest_budget
from pipeline.pictures import cost_over_run, memories_by_level, messages_per_day
from pipeline.schemas import CALLS, FINDINGS, PROBES, PYRAMID, ROOMS, TRANSCRIPT
from pipeline.stage import Context

if TYPE_CHECKING:
    import polars as pl

BUDGETS = (32_000, 64_000, 128_000, 200_000, 400_000, 1_000_000)
OWN = ["channel_id", "author_name", "is_self", "kind"]
SPENT = ["call_id", "cost", "currency", "input_tokens", "output_tokens"]
FOUND = ["finding_id", "rule", "severity", "subject", "message"]


def gather(ctx: Context[Any]) -> dict[str, Any]:
    """Read tables and pyramid of an agent, give the page's object."""
    memories, revisions = remembered(ctx)
    transcript = ctx.read(TRANSCRIPT, [*COLUMNS, *OWN])
    said = recipe_numbers(ctx.agent)
    layout = read_layout(transcript, memories, rules_from(ctx.agent, said))
    limit = budget_from(said)
    then = once_set(limit, said)
    contexts = what_if(layout, limit, then)
    names = dict(ctx.read(ROOMS, ["channel_id", "name"]).iter_rows())
    found = ctx.read(FINDINGS, FOUND).to_dicts() if ctx.has(FINDINGS) else []
    talk = talk_of(transcript, names, ctx.agent.zone.key, ctx.agent.name)
    return talk | {
        "agent": ctx.agent.name,
        "zone": ctx.agent.zone.key,
        "memories": memories_of(memories, revisions, transcript["item_id"].to_list()),
        "findings": [*found, *lost_of(ctx)],
        "lowest": lowest_budget(layout.floor, then),
        "contexts": [context_of(context) for context in contexts],
    }


def figures(ctx: Context[Any], shown: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Give the small figures for reports, by file name; as masked as what is shown."""
    yield "messages-per-day.png", messages_per_day(shown)
    if shown["memories"]:
        yield "memories-by-level.png", memories_by_level([m["level"] for m in shown["memories"]])
    if ctx.has(CALLS):
        calls = ctx.read(CALLS, SPENT).sort("call_id").to_dicts()
        yield "cost-over-run.png", cost_over_run(calls)


def remembered(ctx: Context[Any]) -> tuple[list[Memory], list[Revision]]:
    """Give the memories and their older texts; none before the first warmup."""
    if not ctx.has(PYRAMID):
        return [], []
    with Pyramid(ctx.path(PYRAMID), read_only=True) as pyramid:
        return pyramid.memories(), pyramid.revisions()


def talk_of(
    transcript: "pl.DataFrame", names: Mapping[str, str | None], zone: str, agent: str
) -> dict[str, Any]:
    """
    Give the items column by column, in store order.

    `t` are milliseconds on the owner's clock, `r` and `p` places in `rooms` and `people`.
    """
    import polars as pl

    rooms = transcript["channel_id"].unique(maintain_order=True).to_list()
    who = pl.when("is_self").then(pl.lit(agent)).otherwise(pl.col("author_name").fill_null(""))
    authors = transcript.select(who.alias("who"))["who"]
    people = authors.unique(maintain_order=True).to_list()
    local = transcript["sent_at"].dt.convert_time_zone(zone).dt.replace_time_zone(None)
    return {
        "t": local.dt.epoch("ms").to_list(),
        "r": places(transcript["channel_id"], rooms),
        "p": places(authors, people),
        "x": transcript["text"].to_list(),
        "notice": (~transcript["kind"].is_in(["message", "turn"])).cast(pl.Int8).to_list(),
        "rooms": [names.get(room) or room for room in rooms],
        "room_ids": rooms,
        "people": people,
    }


def places(values: Iterable[str], known: Sequence[str]) -> list[int]:
    """Give where each value stands among the known ones."""
    at = {value: place for place, value in enumerate(known)}
    return [at[value] for value in values]


def memories_of(
    memories: Sequence[Memory], revisions: Sequence[Revision], item_ids: Sequence[str]
) -> list[dict[str, Any]]:
    """Give each memory with the places of its first and last item and its older texts."""
    at = {item_id: place for place, item_id in enumerate(item_ids)}
    older: dict[str, list[str]] = {}
    for revision in revisions:
        older.setdefault(revision.memory_id, []).append(revision.text)
    return [
        {
            "id": m.memory_id,
            "level": m.level,
            "headline": m.headline,
            "text": m.text,
            "tokens": m.tokens,
            "first": at[m.first_item_id],
            "last": at[m.last_item_id],
            "children": list(m.source_ids) if m.level > 1 else [],
            "parent": m.parent_id,
            "model": m.model,
            "people": list(m.people),
            "rooms": list(m.rooms),
            "older": older.get(m.memory_id, []),
        }
        for m in memories
        if m.first_item_id in at and m.last_item_id in at
    ]


def lost_of(ctx: Context[Any]) -> list[dict[str, Any]]:
    """Give a note for each memory that no longer holds the answer to a question of the probe."""
    if not ctx.has(PROBES):
        return []
    asked = ctx.read(PROBES, ["question_id", "ask", "lost_ids"]).unique(
        "question_id", keep="first", maintain_order=True
    )
    return [
        {
            "finding_id": f"probe-{question}-{memory_id}",
            "rule": "probe",
            "severity": "note",
            "subject": memory_id,
            "message": f"no longer holds the answer to: {ask}",
        }
        for question, ask, lost in asked.iter_rows()
        for memory_id in lost
    ]


def what_if(layout: Layout, limit: Budget, then: Budget) -> list[NextContext]:
    """Compose the next context as it would be now (first), and under other budgets."""
    others = [tokens for tokens in BUDGETS if tokens > then.reserve_tokens]
    tried = [compose(layout, replace(then, max_tokens=tokens)) for tokens in others]
    return [compose(layout, limit), *tried]


def context_of(context: NextContext) -> dict[str, Any]:
    """Give a next context segment by segment: kind, tokens, items, first, last, memory."""
    return {
        "budget": context.budget.max_tokens,
        "tokens": context.tokens,
        "refusal": context.refusal,
        "room": context.room,
        "floor": [
            context.floor.tokens,
            context.floor.head_tokens,
            context.floor.roots,
            context.floor.root_tokens,
            context.floor.open_items,
            context.floor.open_tokens,
            context.floor.tail_tokens,
        ],
        "segments": [
            [s.kind, s.tokens, s.items, s.first_place, s.last_place, s.memory_id]
            for s in context.segments
        ],
    }
