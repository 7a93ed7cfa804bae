"""`backfold ask`: what the history and the memories say to a question, without a model."""

import json
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Any

import click

from pipeline.cli.options import agent_option
from pipeline.errors import UsageError
from pipeline.terminal import harmless
from pipeline.workspace import find_workspace

if TYPE_CHECKING:
    from pipeline.memory.search import Hit, Message, Recalled


@click.command()
@click.argument("question", nargs=-1, required=True)
@agent_option
@click.option("--limit", "-n", default=5, show_default=True, type=click.IntRange(1, 200))
@click.option("--json", "as_json", is_flag=True, help="Give the hits as JSON, one a line.")
def ask(question: tuple[str, ...], agent: str | None, limit: int, *, as_json: bool) -> None:
    """Search messages and memories for a question; dates are local, #room prefers a room."""
    from pipeline.config import load_agent
    from pipeline.memory.search import ask as find
    from pipeline.memory.search_index import open_fresh
    from pipeline.registry import STAGES

    words = " ".join(question).strip()
    if not words:
        raise UsageError("the question is empty; give it as words or in quotes")
    folder = find_workspace(agent)
    zone = load_agent(folder.root, STAGES, {}).zone
    with closing(open_fresh(folder.root)) as db:
        hits = find(db, words, datetime.now(UTC).astimezone(zone), limit=limit)
    for number, hit in enumerate(hits, 1):
        if as_json:
            click.echo(json.dumps(_plain_hit(hit), ensure_ascii=False))
        else:
            click.echo(harmless("\n".join(_lines(number, hit, zone))) + "\n")
    if not hits:
        click.echo("nothing found; try other words, or a day", err=True)


def _lines(number: int, hit: "Hit", zone: tzinfo) -> Iterator[str]:
    """Write a hit: what was found, the talk around it, the memories above it."""
    if hit.memory:
        yield f"{number:2}  {_span(hit.memory, zone)}"
        yield f"      {_short(hit.memory.text, 400)}"
    if message := hit.message:
        yield f"{'    under it: ' if hit.memory else f'{number:2}  '}{_place(message, zone)}"
        shown = sorted((*hit.near, message), key=lambda m: m.place)
        for near in shown:
            mark = ">" if near.place == message.place else " "
            yield f"    {mark} {near.author}: {_short(near.body, 300)}"
    for memory in hit.above:
        yield f"      in {_span(memory, zone)}: {_short(memory.headline, 120)}"


def _place(message: "Message", zone: tzinfo) -> str:
    at = message.sent_at.astimezone(zone)
    room = f"#{message.room}" if message.room else f"room {message.room_id}"
    return f"{at:%a %Y-%m-%d %H:%M}  {room}  {message.item_id}"


def _span(memory: "Recalled", zone: tzinfo) -> str:
    start, end = (t.astimezone(zone) for t in (memory.started_at, memory.ended_at))
    return f"{memory.memory_id} ({start:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M})"


def _short(text: str, characters: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= characters else line[: characters - 1] + "…"


def _plain_hit(hit: "Hit") -> dict[str, Any]:
    return {
        "kind": "memory" if hit.memory else "message",
        "memory": _plain_memory(hit.memory) if hit.memory else None,
        "message": _plain_message(hit.message) if hit.message else None,
        "near": [_plain_message(m) for m in hit.near],
        "above": [_plain_memory(m) for m in hit.above],
    }


def _plain_memory(memory: "Recalled") -> dict[str, Any]:
    return {
        "memory_id": memory.memory_id,
        "level": memory.level,
        "headline": memory.headline,
        "text": memory.text,
        "started_at": memory.started_at.isoformat(),
        "ended_at": memory.ended_at.isoformat(),
    }


def _plain_message(message: "Message") -> dict[str, Any]:
    return {
        "item_id": message.item_id,
        "message_ids": list(message.message_ids),
        "author": message.author,
        "room_id": message.room_id,
        "room": message.room,
        "sent_at": message.sent_at.isoformat(),
        "body": message.body,
    }
