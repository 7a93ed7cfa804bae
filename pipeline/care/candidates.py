"""
Who in raw could be the agent: bots and webhooks with counts and dates, never a guess.

The owner chooses; where the dump itself says who the bot is, that one stands first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from pipeline.raw import Raw

if TYPE_CHECKING:
    import polars as pl

Kind = Literal["user", "webhook", "application"]
COLUMNS = (
    "message_id",
    "author_id",
    "author_name",
    "is_bot",
    "webhook_id",
    "application_id",
    "sent_at",
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An account that speaks in raw: how often, from when to when (UTC)."""

    account_id: str
    name: str
    kind: Kind
    messages: int
    first_at: datetime
    last_at: datetime
    is_the_dumping_bot: bool = False

    def line(self) -> str:
        """Say it in one line."""
        mark = ", the bot that dumped" if self.is_the_dumping_bot else ""
        days = f"{self.first_at:%Y-%m-%d} to {self.last_at:%Y-%m-%d}"
        return (
            f"{self.kind} {self.account_id}  {self.name}: {self.messages:,} messages, {days}{mark}"
        )


def candidates(raw: Raw, *, at_most: int = 12) -> list[Candidate]:
    """Give bots and webhooks of raw, most talkative first; people only where no bot speaks."""
    import polars as pl

    parts = [one_room(raw, channel_id) for channel_id in raw.channel_ids()]
    if not parts:
        return []
    counted = (
        pl.concat(parts)
        .group_by("account_id", "kind")
        .agg(
            pl.col("name").last(),
            pl.col("is_bot").any(),
            pl.col("messages").sum(),
            pl.col("first_at").min(),
            pl.col("last_at").max(),
        )
        .sort("messages", "account_id", descending=[True, False])
    )
    bots = counted.filter("is_bot")
    dumper = str((raw.read_manifest().get("bot") or {}).get("id", ""))
    found = [
        Candidate(
            account_id=row["account_id"],
            name=row["name"] or "?",
            kind=row["kind"],
            messages=row["messages"],
            first_at=row["first_at"],
            last_at=row["last_at"],
            is_the_dumping_bot=row["account_id"] == dumper,
        )
        for row in (bots if bots.height else counted).head(at_most).iter_rows(named=True)
    ]
    return sorted(found, key=lambda c: not c.is_the_dumping_bot)


def certain(found: Sequence[Candidate], agent_name: str) -> list[Candidate]:
    """Give whom nobody has to be asked about: the bot that dumped, or the one that is so named."""
    if bots := [candidate for candidate in found if candidate.is_the_dumping_bot]:
        return bots
    return [c for c in found if len(found) == 1 and c.name.casefold() == agent_name.casefold()]


def one_room(raw: Raw, channel_id: str) -> "pl.DataFrame":
    """Count the accounts of one room; a webhook counts under its own id."""
    import polars as pl

    from pipeline.rawread import read_slices

    parts = [
        pl.DataFrame(pl.from_arrow(part.rows))
        for part in read_slices(raw.messages_path(channel_id), COLUMNS)
    ]
    frame = pl.concat(parts) if parts else None
    if frame is None:
        return pl.DataFrame(
            schema={
                "account_id": pl.String,
                "kind": pl.String,
                "name": pl.String,
                "is_bot": pl.Boolean,
                "messages": pl.UInt32,
                "first_at": pl.Datetime("us", "UTC"),
                "last_at": pl.Datetime("us", "UTC"),
            }
        )
    is_hook = pl.col("webhook_id").is_not_null()
    is_answer = is_hook & (pl.col("webhook_id") == pl.col("application_id")).fill_null(value=False)
    kind = pl.when(is_answer).then(pl.lit("application")).when(is_hook).then(pl.lit("webhook"))
    return (
        frame.unique("message_id", keep="last")
        .drop_nulls("author_id")
        .with_columns(
            account_id=pl.coalesce("webhook_id", "author_id"),
            kind=kind.otherwise(pl.lit("user")),
            is_bot=pl.col("is_bot").fill_null(value=False) | is_hook,
        )
        .group_by("account_id", "kind")
        .agg(
            name=pl.col("author_name").last(),
            is_bot=pl.col("is_bot").any(),
            messages=pl.len(),
            first_at=pl.col("sent_at").min(),
            last_at=pl.col("sent_at").max(),
        )
    )
