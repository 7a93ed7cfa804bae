"""`backfold window`: what the model would receive if woken now, and whether it would answer."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import click

from pipeline.cli.options import agent_option, open_agent

if TYPE_CHECKING:
    from pipeline.config import Agent
    from pipeline.memory.layout import Layout
    from pipeline.memory.records import Memory
    from pipeline.memory.window import Budget, NextContext, Segment
    from pipeline.runner import House

BUDGETS = (32_000, 50_000, 64_000, 100_000, 128_000, 150_000, 200_000, 400_000, 1_000_000)
KINDS = {
    "head": "head, word for word",
    "raw": "word for word, has memories",
    "open": "word for word, in no memory",
    "tail": "tail, word for word",
}


@click.command()
@agent_option
@click.option("--budget", type=click.IntRange(min=1), help="Tokens, as contextBudgetTokens.")
@click.option("--reserve", type=click.IntRange(min=0), help="Of those kept for the answer.")
def window(agent: str | None, budget: int | None, reserve: int | None) -> int:
    """
    Show what the model would receive if woken now, and at which budgets it would answer.

    Without --budget that of the host's recipe counts, else the host's own. Exit 3 where the
    host would refuse.
    """
    from pipeline.artifacts import read_table
    from pipeline.hostwindow import budget_from, once_set, recipe_numbers, rules_from
    from pipeline.memory.history import COLUMNS
    from pipeline.memory.layout import read_layout
    from pipeline.memory.window import compose
    from pipeline.schemas import TRANSCRIPT

    house = open_agent(agent)
    said = recipe_numbers(house.agent)
    limit = budget_from(said, budget, reserve)
    transcript = read_table(house.folder.root, TRANSCRIPT, COLUMNS)
    layout = read_layout(transcript, memories_of(house), rules_from(house.agent, said))
    context = compose(layout, limit)
    for line in tell(context, layout, once_set(limit, said, reserve), house.agent):
        click.echo(line)
    return 0 if context.is_answered else 3


def memories_of(house: "House") -> "list[Memory]":
    """Give the memories that stand; none before the first warmup, and says so."""
    from pipeline.memory.pyramid import Pyramid
    from pipeline.schemas import PYRAMID

    path = house.folder.root / PYRAMID.path
    if not path.is_file():
        click.echo(f"no {PYRAMID.path} yet: nothing is folded, all talk stands raw", err=True)
        return []
    with Pyramid(path, read_only=True) as pyramid:
        return pyramid.memories()


# -- how it is told ---------------------------------------------------------------------------


def tell(context: "NextContext", layout: "Layout", then: "Budget", agent: "Agent") -> Iterator[str]:
    """
    Write the verdict, the table of segments, the floor, the table of budgets, the warning.

    `then` is the budget as it counts once it is set: more is kept for the answer than where
    none is.
    """
    limit, zone = context.budget, agent.zone
    yield f"next context of {agent.name}: {verdict(context)}"
    yield (
        f"budget {limit.max_tokens:,}, {limit.reserve_tokens:,} of it kept for the answer: "
        f"window {limit.window:,}, aimed at {limit.target:,.0f}, refused above {limit.refusal:,}"
    )
    yield (
        "system prompt, tools and injections come on top; with them and the answer, a budget must "
        "stay below the model's own window"
    )
    yield ""
    yield from table_of_segments(context.segments, layout, zone)
    if context.unfit:
        over = context.tokens - limit.refusal
        yield ""
        yield f"{over:,} tokens too many; the ends and the newest first, this would not fit:"
        yield from table_of_segments(context.unfit, layout, zone)
    yield ""
    yield tell_floor(context)
    yield ""
    yield from table_of_budgets(context, layout, then)
    yield ""
    yield warn(context, then)


def verdict(context: "NextContext") -> str:
    """Say how much it is, and whether the host would answer."""
    if context.refusal:
        return f'{context.tokens:,} tokens; the host would NOT answer ("{context.refusal}")'
    return f"{context.tokens:,} tokens; the host would answer"


def table_of_segments(
    segments: "tuple[Segment, ...]", layout: "Layout", zone: ZoneInfo
) -> Iterator[str]:
    """Write a line a segment, in the order sent, times in the zone in which people read."""
    yield f"{'segment':30} {'items':>7} {'tokens':>9}  from ({zone.key}) to"
    for s in segments:
        what = KINDS.get(s.kind) or f"recall {s.memory_id}"
        ends = (layout.history.sent_at_ms[place] for place in (s.first_place, s.last_place))
        first, last = (
            datetime.fromtimestamp(ms / 1_000, UTC).astimezone(zone).strftime("%Y-%m-%d %H:%M")
            for ms in ends
        )
        yield f"{what:30} {s.items:7,} {s.tokens:9,}  {first}  {last}"
    if not segments:
        yield "(nothing: the transcript is empty)"


def tell_floor(context: "NextContext") -> str:
    """Say what the least is that can be sent, of what it is made, and how far the line is."""
    floor = context.floor
    room = f"{context.room:,} below" if context.room >= 0 else f"{-context.room:,} ABOVE"
    return (
        f"folded as far as it goes: {floor.tokens:,} tokens (head {floor.head_tokens:,}, "
        f"{floor.roots:,} memories {floor.root_tokens:,}, {floor.open_items:,} items in no memory "
        f"{floor.open_tokens:,}, tail {floor.tail_tokens:,}), {room} the refusal line"
    )


def table_of_budgets(context: "NextContext", layout: "Layout", then: "Budget") -> Iterator[str]:
    """Write what other budgets come to, with the floor's own and the one in force marked."""
    from dataclasses import replace

    from pipeline.memory.window import compose, lowest_budget

    lowest = lowest_budget(context.floor, then)
    asked = {tokens for tokens in (*BUDGETS, lowest) if tokens > then.reserve_tokens}
    tried = [compose(layout, replace(then, max_tokens=tokens)) for tokens in asked]
    if context.budget not in {other.budget for other in tried}:
        tried.append(context)
    yield (
        f"{'budget':>9} {'for the answer':>14} {'refused above':>14} {'tokens':>9} "
        f"{'memories':>9} {'raw':>7}  answers"
    )
    for other in sorted(tried, key=lambda c: (c.budget.max_tokens, c.budget.reserve_tokens)):
        limit = other.budget
        recalls = sum(s.kind == "recall" for s in other.segments)
        raw = sum(s.items for s in other.segments if s.kind != "recall")
        marks = ["the lowest that answers"] if limit == replace(then, max_tokens=lowest) else []
        marks += ["this one"] if limit == context.budget else []
        yield (
            f"{limit.max_tokens:9,} {limit.reserve_tokens:14,} {limit.refusal:14,} "
            f"{other.tokens:9,} {recalls:9,} {raw:7,}  {'yes' if other.is_answered else 'NO'}"
            f"{'  <- ' + ', '.join(marks) if marks else ''}"
        )


def warn(context: "NextContext", then: "Budget") -> str:
    """Warn of the way in which an agent shuts itself up."""
    from pipeline.memory.window import lowest_budget

    lowest = lowest_budget(context.floor, then)
    return (
        f"warning: an agent that lowers its own budget below {lowest:,} falls silent: the host "
        f"refuses to compose, so it cannot even raise it again; somebody must do that in the recipe"
    )
