"""
Bring history out of Discord, or out of export files, into raw.

reads
writes  raw   Discord's own objects as they were fetched, append-only
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from pipeline.errors import UsageError
from pipeline.schemas import RAW
from pipeline.stage import Context, stage

ATTACHMENTS = ("none", "text", "images", "all")


@dataclass(frozen=True, slots=True)
class DumpKnobs:
    """Knobs of `dump`; which rooms and times are looked at stands in [scope]."""

    # None of these changes what is fetched: who is who is settled later, pace is only time.
    INDIFFERENT: ClassVar[tuple[str, ...]] = (
        "self",
        "people",
        "agent.name",
        "agent.timezone",
        "agent.recipe",
        "max_requests_per_second",
    )

    max_requests_per_second: float = 5.0  # the living agent shares Discord's limits; at most 50
    reread_days: float = 7.0  # an update run reads so many last days again, for edits; 0: none
    attachments: str = "images"  # which files to fetch: none, text, images (and text) or all
    attachment_max_mb: float = 8.0  # no file larger than this; 0: no limit
    people: bool = True  # fetch members, and users who wrote but left
    api_base: str | None = None  # another API address, for trials; loopback only

    def __post_init__(self) -> None:
        if self.attachments not in ATTACHMENTS:
            raise UsageError(
                f"dump.attachments is {self.attachments!r}; it is {', '.join(ATTACHMENTS)}"
            )
        if self.reread_days < 0 or self.attachment_max_mb < 0:
            raise UsageError("dump.reread_days and dump.attachment_max_mb are 0 or more")


@stage(writes=[RAW], knobs=DumpKnobs, free=False)
def dump(ctx: Context[DumpKnobs]) -> None:
    """Bring history in from where agent.toml says it is."""
    SOURCES[ctx.agent.facts.source](ctx)


def from_discord(ctx: Context[DumpKnobs]) -> None:
    """Dump from Discord; the library is loaded only now."""
    from stages.dump.discord import dump_discord

    dump_discord(ctx)


def from_files(ctx: Context[DumpKnobs]) -> None:
    """Import what agent.files names; a path counts from the agent's folder, else from here."""
    from stages.dump.files import any_to_read, expected_bytes, import_files, plan_files
    from stages.dump.files.media import Wanted

    sources = [place_of(ctx, given) for given in ctx.agent.facts.files]
    if not sources:
        raise UsageError('agent.files is empty; with source = "files" it names exports or folders')
    wanted = Wanted(f"{ctx.knobs.attachments} {ctx.knobs.attachment_max_mb}", judge_of(ctx.knobs))
    for line in plan_files(ctx.raw, sources, wanted):
        ctx.say(line)
    if ctx.dry_run:
        if not ctx.raw.channel_ids() and not any_to_read(sources, ctx.raw.root):
            ctx.unfinished(no_export_in(sources))
        return
    total = expected_bytes(ctx.raw, sources, wanted)
    with ctx.progress(total=total, unit="B", label="files") as bar:
        done = import_files(
            ctx.raw, sources, now=ctx.now(), say=ctx.note, tick=bar.step, wanted=wanted
        )
    ctx.say(f"dump      {done}")
    if not ctx.raw.channel_ids() and not done.readable:
        ctx.unfinished(no_export_in(sources))
    for reason in done.left:
        ctx.unfinished(reason)


def no_export_in(sources: Sequence[Path]) -> str:
    """Say that nothing could be imported, from where, and what to do."""
    places = ", ".join(map(str, sources))
    return (
        f"no export in {places} (looked for *.json and corpus folders); "
        f"put them there or change agent.files"
    )


def judge_of(knobs: DumpKnobs) -> Callable[[Mapping[str, Any]], tuple[str, str] | None]:
    """Give what says of an attachment that lies beside an export why it is not kept."""

    def judge(row: Mapping[str, Any]) -> tuple[str, str] | None:
        from stages.dump.discord.wanted import MEGABYTE, attached_from, why_not

        most = round(knobs.attachment_max_mb * MEGABYTE) or None
        told = why_not(attached_from(row), knobs.attachments, most)
        return (told.state, told.reason) if told else None

    return judge


def place_of(ctx: Context[DumpKnobs], given: str) -> Path:
    """Find a file or folder that agent.toml names."""
    path = Path(given).expanduser()
    beside = ctx.folder.root / path
    return beside if beside.exists() else path


def from_store(ctx: Context[DumpKnobs]) -> None:
    """Say that nothing is to be dumped where the history is a store already."""
    raise UsageError(
        'agent.source is "store": its history is in the host\'s store already, nothing to dump; '
        "start with curate's successors, or set source to discord or files"
    )


SOURCES = {"discord": from_discord, "files": from_files, "store": from_store}
