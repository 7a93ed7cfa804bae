"""The talk under the chunks, given chunk by chunk, and the facts about it that memories keep."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipeline.memory.folded import Noted, noted
from pipeline.memory.records import FoldedChunk, FoldedItem
from pipeline.memory.requests import Heard
from pipeline.schemas import CHUNKS, CURATED, ROOMS, TRANSCRIPT
from pipeline.stage import Context
from stages.warmup.captions import NO_CAPTIONS, Captions, read_captions
from stages.warmup.pages import Pages

if TYPE_CHECKING:
    import polars as pl

COLUMNS = [
    *("position", "item_id", "kind", "participant", "is_self", "text", "body", "author_name"),
    *("sent_at", "channel_id", "is_private", "message_ids", "blocks"),
]
LIGHT_COLUMNS = [
    *("position", "item_id", "kind", "is_self", "author_name", "channel_id", "guild_id"),
    *("is_private", "message_ids"),
]
CHUNK_COLUMNS = [
    *("chunk_id", "ordinal", "item_ids", "first_position", "last_position", "closed_by"),
    *("messages", "started_at", "ended_at", "tokens_store", "tokens_exact", "private_share"),
]


@dataclass(frozen=True, slots=True)
class Closed:
    """A closed chunk, by its row of `chunks`."""

    chunk_id: str
    ordinal: int
    item_ids: Sequence[str]
    first_position: int
    last_position: int
    closed_by: str
    messages: int
    started_at: datetime
    ended_at: datetime
    tokens_store: int
    tokens_exact: int | None
    private_share: float


@dataclass(frozen=True, slots=True)
class Room:
    """A room whose talk stands in the chunks."""

    channel_id: str
    is_private: bool
    is_dm: bool


@dataclass(frozen=True, slots=True)
class Source:
    """The transcript, the chunks in store order, names of rooms, captions by attachment id."""

    transcript: "pl.DataFrame"  # without texts
    pages: Pages
    chunks: Mapping[str, Closed]
    rooms: Mapping[str, str]
    captions: Captions = NO_CAPTIONS
    private_rooms: frozenset[str] = frozenset()

    def talk(self, chunk: Closed) -> list[Heard]:
        """Give a chunk's items as the agent reads them."""
        wanted = set(chunk.item_ids)
        found = self.between(chunk.first_position, chunk.last_position + 1)
        return [item for item in found if item.item_id in wanted]

    def head(self) -> tuple[Heard, ...]:
        """Give what stands before the first chunk: the head, word for word."""
        first = next(iter(self.chunks.values()), None)
        return tuple(self.between(0, first.first_position)) if first else ()

    def between(self, start: int, end: int) -> list[Heard]:
        """Give the items from one position up to another."""
        from pipeline.memory.rulers import store_tokens

        return [
            Heard(
                position=row["position"],
                item_id=row["item_id"],
                kind=row["kind"],
                participant=row["participant"],
                is_self=row["is_self"],
                text=self.captions.text_of(row),
                body=row["body"],
                author_name=row["author_name"],
                sent_at=row["sent_at"],
                channel_id=row["channel_id"],
                is_private=row["is_private"],
                tokens=store_tokens(row["blocks"]),
                is_plain=all(block["type"] == "text" for block in row["blocks"]),
            )
            for row in self.pages.slice(start, end).iter_rows(named=True)
        ]

    def readable(self) -> tuple[list[Room], int]:
        """Give the rooms whose talk stands in the chunks, and how many people speak there."""
        import polars as pl

        last = max((chunk.last_position for chunk in self.chunks.values()), default=-1)
        talk = self.transcript.slice(0, last + 1).filter(pl.col("kind").is_in(["message", "turn"]))
        rooms = talk.group_by("channel_id").agg(
            pl.col("is_private").any(), pl.col("guild_id").is_null().all().alias("is_dm")
        )
        people = talk.filter(~pl.col("is_self"))["author_name"].n_unique()
        return [Room(*row) for row in rooms.sort("channel_id").iter_rows()], people

    def recorded(self, chunk: Closed, items: Sequence[Heard]) -> FoldedChunk:
        """Give a chunk as it is recorded under its memory: as it stands in the transcript."""
        texts = self.pages.slice(chunk.first_position, chunk.last_position + 1)["text"]
        kept = tuple(
            FoldedItem(item.item_id, item.sent_at, texts[item.position - chunk.first_position])
            for item in items
        )
        return FoldedChunk(chunk.chunk_id, chunk.ordinal, chunk.closed_by, kept)


def open_source(ctx: Context[Any]) -> Source:
    """Read what warmup needs of the tables."""
    chunks = ctx.read(CHUNKS, CHUNK_COLUMNS).sort("ordinal")
    rooms = ctx.read(ROOMS).to_dicts()
    return Source(
        transcript=ctx.read(TRANSCRIPT, LIGHT_COLUMNS).sort("position"),
        pages=Pages(ctx.path(TRANSCRIPT), COLUMNS),
        chunks={row["chunk_id"]: Closed(**row) for row in chunks.iter_rows(named=True)},
        rooms={row["channel_id"]: _name(row) for row in rooms},
        captions=read_captions(ctx.folder.root / "captions", ctx.raw),
        private_rooms=frozenset(row["channel_id"] for row in rooms if row["is_private"]),
    )


def history_of(ctx: Context[Any], source: Source) -> Noted:
    """Give the history as it now stands, up to the end of the last closed chunk."""
    last = max((chunk.last_position for chunk in source.chunks.values()), default=-1)
    items = source.transcript.slice(0, last + 1).select("item_id", "message_ids")
    sizes = ctx.read(ROOMS, ["channel_id", "raw_bytes"])
    settings = json.loads(ctx.path(CURATED).read_text(encoding="utf-8")).get("settings")
    return noted(items.iter_rows(), dict(sizes.iter_rows()), settings)


def _name(row: Mapping[str, Any]) -> str:
    name = row["name"] or row["channel_id"]
    if row["guild_id"] is None:
        return f"a DM with {row['name']}" if row["name"] else "a DM"
    return f"#{str(name).lstrip('#')}"
