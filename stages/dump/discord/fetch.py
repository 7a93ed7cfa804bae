"""Tell how much is attached, fetch what is wanted, and write down what became of each file."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from pipeline.files import make_folder, sweep_temporaries
from pipeline.stage import Context
from stages.dump.discord.files import Fetcher, Outcome, file_session, row_of
from stages.dump.discord.harvest import Attached
from stages.dump.discord.walk import Trip
from stages.dump.discord.wanted import MEGABYTE, Wanted, amount, kind_of, states, want


async def fetch_files(
    ctx: Context[Any], trip: Trip, attached: Iterable[Attached], channel_ids: set[str]
) -> None:
    """Fetch the wanted files of these rooms; the total is told first."""
    known = states(row for row in ctx.raw.rows("attachments") if row["channel_id"] in channel_ids)
    max_bytes = round(ctx.knobs.attachment_max_mb * MEGABYTE) or None
    wanted = want(attached, known, ctx.knobs.attachments, max_bytes)
    ctx.raw.append_rows("attachments", [row_of(f, why, ctx.now) for f, why in wanted.left])
    if wanted.fetch or wanted.left:
        ctx.say(total_words(wanted))
    if not wanted.fetch:
        return
    folder = ctx.raw.root / "attachments"
    make_folder(folder)
    sweep_temporaries(folder)
    kept = {f: row for (_, f), row in known.items() if row["state"] == "kept"}
    states_seen = await fetch_each(ctx, trip, wanted, kept)
    if failed := states_seen["failed"]:
        ctx.unfinished(f"{failed} attachment(s) could not be fetched; run dump again")
    told = ", ".join(f"{count} {state}" for state, count in sorted(states_seen.items()))
    ctx.say(f"files     {told}")


async def fetch_each(
    ctx: Context[Any], trip: Trip, wanted: Wanted, kept: Mapping[str, Mapping[str, Any]]
) -> Counter[str]:
    """Fetch file by file; a file that a forward repeats is fetched once."""
    held = {attachment_id: row["sha256"] for attachment_id, row in kept.items()}
    counts: Counter[str] = Counter()
    with ctx.progress(total=len(wanted.fetch), unit="file", label="attachments") as bar:
        async with file_session(trip.client.base) as session:
            fetcher = Fetcher(trip, session, round(ctx.knobs.attachment_max_mb * MEGABYTE) or None)
            for file in wanted.fetch:
                if digest := held.get(file.attachment_id):
                    size = ctx.raw.attachment_path(digest).stat().st_size
                    outcome = Outcome("kept", "the same file as elsewhere", digest, size)
                else:
                    outcome = await fetcher.fetch(file)
                ctx.raw.append_rows("attachments", [row_of(file, outcome, ctx.now)])
                if outcome.sha256:
                    held[file.attachment_id] = outcome.sha256
                counts[outcome.state] += 1
                bar.step()
    return counts


def total_words(wanted: Wanted) -> str:
    """Say what is to be fetched, by kind, and what is left where it is."""
    kinds = Counter(kind_of(file) for file in wanted.fetch)
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items())) or "nothing"
    left = Counter(why.state for _, why in wanted.left)
    rest = "".join(f"; {count} {state}" for state, count in sorted(left.items()))
    return f"files     to fetch: {told}, {amount(wanted.total_bytes)} in all{rest}"
