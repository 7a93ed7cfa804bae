"""Read once what every target gets, from the agent's own folder."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.config import moment
from pipeline.errors import ArtifactError
from pipeline.memory.folding import Cut
from pipeline.memory.merging import MergeRules
from pipeline.memory.pyramid import Pyramid
from pipeline.raw import Raw
from pipeline.schemas import CHUNKS, PEOPLE, PYRAMID, ROOMS, TRANSCRIPT
from pipeline.stage import Context
from stages.land.material import Material

if TYPE_CHECKING:
    import polars as pl

DISCORD_EPOCH_MS = 1_420_070_400_000
DM_TYPES = {1, 3}  # Discord's channel types of direct messages


def gather(ctx: Context[Any]) -> Material:
    """Read tables, pyramid and raw's side tables; raise where they do not belong together."""
    with Pyramid(ctx.path(PYRAMID), read_only=True) as pyramid:
        memories, folded, counter = pyramid.memories(), pyramid.chunks(), pyramid.counter()
    transcript, rooms = ctx.read(TRANSCRIPT), ctx.read(ROOMS)
    until = moment(ctx.agent.scope.until, "scope.until")
    return Material(
        agent=ctx.agent,
        transcript=transcript,
        chunks=ctx.read(CHUNKS),
        rooms=rooms,
        people=ctx.read(PEOPLE),
        memories=tuple(memories),
        folded=tuple(folded),
        counter=counter,
        attachments=dict(kept_files(ctx.raw, transcript)),
        dm_ids=tuple(dm_channels(ctx.raw, rooms)),
        watermarks=dict(last_raw_ids(ctx.raw, rooms, until)),
        settings=ctx.agent.stages,
        cut=numbers(Cut, ctx.agent.stages.get("segment", {})),
        rules=numbers(MergeRules, ctx.agent.stages.get("warmup", {})),
    )


def numbers(kind: Any, said: Mapping[str, Any]) -> Any:
    """Build a record of numbers from those of agent.toml that it has, else from its defaults."""
    return kind(**{f.name: said[f.name] for f in fields(kind) if f.name in said})


def kept_files(raw: Raw, transcript: "pl.DataFrame") -> Iterator[tuple[str, Path]]:
    """Give the files of attachments that items show, where raw has kept them."""
    import polars as pl

    shown = transcript.select(
        pl.col("blocks").list.eval(pl.element().struct.field("sha256").drop_nulls()).explode()
    ).to_series()
    for sha256 in shown.drop_nulls().unique(maintain_order=True):
        path = raw.attachment_path(sha256)
        if path.is_file():
            yield sha256, path


def dm_channels(raw: Raw, rooms: "pl.DataFrame") -> list[str]:
    """Give every DM channel of the dump, in order of number."""
    import polars as pl

    found = set(rooms.filter(pl.col("guild_id").is_null())["channel_id"])
    for channel in raw.read_manifest().get("channels", []):
        if channel.get("type") in DM_TYPES and channel.get("channel_id"):
            found.add(str(channel["channel_id"]))
    return sorted(found, key=lambda channel_id: (len(channel_id), channel_id))


def last_raw_ids(
    raw: Raw, rooms: "pl.DataFrame", until: datetime | None
) -> Iterator[tuple[str, str]]:
    """Give, for each room, its last raw message at or before the cutoff, perceived or not."""
    for channel_id, last in rooms.select("channel_id", "last_raw_id").iter_rows():
        if last is None:
            continue
        if until is None or sent_at(int(last)) <= until:
            yield channel_id, last
            continue
        earlier = [i for i in raw_ids(raw, channel_id) if sent_at(i) <= until]
        if earlier:
            yield channel_id, str(max(earlier))


def raw_ids(raw: Raw, channel_id: str) -> Iterator[int]:
    """Give the id of every message in a room's raw file."""
    path = raw.messages_path(channel_id)
    if not path.is_file():
        return
    with path.open("rb") as file:
        for line in file:
            try:
                yield int(json.loads(line)["id"])
            except (ValueError, KeyError, TypeError) as error:
                raise ArtifactError(
                    f"{path}: a line is no message ({error}); dump again"
                ) from error


def sent_at(message_id: int) -> datetime:
    """Give the time that is in an id."""
    return datetime.fromtimestamp(((message_id >> 22) + DISCORD_EPOCH_MS) / 1_000, UTC)
