"""The course of one curation: survey, arrange, write items block by block, count."""

import contextlib
import gc
import hashlib
import json
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from pipeline.chat.redact import compile_rules
from pipeline.chat.wire import WireSettings, profile_of
from pipeline.config import Agent
from pipeline.errors import SourceError, StageError
from pipeline.schemas import REDACTIONS, TRANSCRIPT, TRANSCRIPT_LINES
from pipeline.stage import Context
from stages.curate.arrange import Arranged, arrange
from stages.curate.entry import Entry
from stages.curate.folded import Folded, check_still_there
from stages.curate.hide import Hider
from stages.curate.judge import Judge, Reasons
from stages.curate.knobs import CurateKnobs
from stages.curate.lines import Source, bundles
from stages.curate.people import people_frame, rooms_frame
from stages.curate.scribe import Scribe
from stages.curate.surroundings import THREAD_TYPES, look_around, own_ids_of, room_to_judge
from stages.curate.survey import Survey, survey
from stages.curate.table import dataset_lines, metadata_of, transcript_frame

if TYPE_CHECKING:
    import polars as pl

FIRST_SHOWN, LAST_SHOWN = 10, 3
DEFAULT_ROUTING = "locus"


@dataclass(slots=True)
class Written:
    """What the written items add up to."""

    items: Counter[str] = field(default_factory=Counter)  # by kind
    watched: list[tuple[str, list[str]]] = field(default_factory=list)  # the folded stretch
    redactions: list[dict[str, Any]] = field(default_factory=list)
    head: list[Entry] = field(default_factory=list)
    tail: deque[Entry] = field(default_factory=lambda: deque(maxlen=LAST_SHOWN))


@dataclass(frozen=True, slots=True)
class Done:
    """A curation carried out: its small tables, and what there is to tell."""

    survey: Survey
    written: Written
    scribe: Scribe
    rejects: "pl.DataFrame"
    redactions: "pl.DataFrame"
    rooms: "pl.DataFrame"
    people: "pl.DataFrame"
    routing: str
    is_routing_chosen: bool
    edited_in_folded: tuple[str, ...]  # messages inside closed chunks that were edited since
    absent_in_folded: tuple[str, ...]  # … that are no longer there


@contextlib.contextmanager
def without_collections() -> Iterator[None]:
    """Look for no cycles of garbage: rows make none, and looking costs a twentieth."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@without_collections()
def carry_out(ctx: Context[CurateKnobs], folded: Folded | None) -> Done:
    """
    Write the transcript of everything in raw; in a dry run only find out what it would be.

    `folded` is what memories stand on; null before the first warmup.
    """
    import numpy as np

    raw, knobs = ctx.raw, ctx.knobs
    room_ids = raw.channel_ids()
    if not room_ids:
        first = (
            "put exports where agent.files says, then " if ctx.agent.facts.source == "files" else ""
        )
        raise SourceError(f"{raw.root} holds no messages; {first}run: backfold run dump")
    own_ids = own_ids_of(ctx.agent, raw)
    around = look_around(raw, ctx.agent, room_ids)
    sources = [Source(raw.messages_path(i), around.places[i]) for i in room_ids]
    rooms = [room_to_judge(s.place, ctx.agent, is_withheld=around.is_withheld) for s in sources]
    judge = Judge(knobs, own_ids, around.world.own_role_ids, Reasons())
    stays = folded if folded and not has_other_settings(folded, ctx) else None
    total = sum(source.path.stat().st_size for source in sources)
    with ctx.progress(total=total, unit="B", label="curate: reading") as progress:
        found = survey(sources, rooms, judge, folded=stays, progress=progress)
    arranged = arrange(
        found.selection,
        burst_seconds=knobs.burst_seconds,
        threads=np.array([s.place.type in THREAD_TYPES for s in sources], bool),
        head_from=knobs.head_from,
        folded=stays,
    )
    for reason, rows in arranged.dropped.items():
        found.drop(rows, reason)
    if not len(arranged.first):
        keep_what_stands(ctx)
    scribe = Scribe(
        agent_name=ctx.agent.name,
        zone=ctx.agent.zone,
        knobs=knobs,
        routing=knobs.routing or DEFAULT_ROUTING,
        settings=WireSettings(profile=profile_of(knobs.profile)),
        around=around,
    )
    hider = Hider(
        compile_rules(knobs.redact.extra, knobs.redact.keep, addresses=knobs.redact.addresses)
    )
    written = write_items(ctx, arranged, sources, scribe, hider, folded)
    return settle(ctx, found, arranged, written, scribe, hider)


def keep_what_stands(ctx: Context[CurateKnobs]) -> None:
    """Refuse to put an empty transcript over one that holds something; raises StageError."""
    if ctx.has(TRANSCRIPT) and (held := ctx.read(TRANSCRIPT, ["position"]).height):
        raise StageError(
            f"nothing in raw is by the agent or addressed to it any more: the transcript of "
            f"{held:,} items is kept; look at [self] and [scope] of agent.toml"
        )


def write_items(
    ctx: Context[CurateKnobs],
    arranged: Arranged,
    sources: Sequence[Source],
    scribe: Scribe,
    hider: Hider,
    folded: Folded | None,
) -> Written:
    """Write items block by block, so that memory does not grow with the history."""
    written = Written()
    watched = len(folded.item_ids) if folded else 0
    position = 0
    with (
        ctx.progress(total=len(arranged.first), unit="item", label="curate: writing") as progress,
        ctx.write_parts(TRANSCRIPT) as add,
        ctx.line_parts(TRANSCRIPT_LINES) as put,
    ):
        for block in bundles(arranged, sources):
            entries = [entry for bundle in block for entry in scribe.write(bundle)]
            written.redactions += hider.hide(entries)
            noted = metadata_of(entries)
            add(transcript_frame(entries, noted, position))
            put(dataset_lines(entries, noted))
            position += len(entries)
            written.items.update(entry.kind for entry in entries)
            more = watched - len(written.watched)
            written.watched += [(e.item_id, e.message_ids) for e in entries[:more]]
            written.head += entries[: FIRST_SHOWN - len(written.head)]
            written.tail.extend(entries[-LAST_SHOWN:])
            progress.step(len(block))
        if folded is not None:
            check_still_there(folded, written.watched)  # before anything is put in place
    return written


def settle(
    ctx: Context[CurateKnobs],
    found: Survey,
    arranged: Arranged,
    written: Written,
    scribe: Scribe,
    hider: Hider,
) -> Done:
    """Count what was written, and build the small tables."""
    import numpy as np
    import polars as pl

    from pipeline.artifacts import dtypes

    rows = arranged.rows
    left_ids = np.array(
        [int(m["id"]) for bundle, _ in scribe.left_out for m in bundle.messages], np.int64
    )
    reasons = {str(m["id"]): why for bundle, why in scribe.left_out for m in bundle.messages}
    is_left = np.isin(rows.message_id, left_ids)
    left = rows.at(np.flatnonzero(is_left))
    for reason in sorted(set(reasons.values())):
        which = np.array([reasons[str(i)] == reason for i in left.message_id.tolist()], bool)
        found.drop(left.at(np.flatnonzero(which)), reason)
    kept = rows.at(np.flatnonzero(~is_left))
    for number, count in zip(*np.unique(kept.author, return_counts=True), strict=True):
        found.heads[int(number)].selected += int(count)
    per_room = np.bincount(kept.room.astype(np.int64), minlength=len(found.sources))
    selected = {
        s.place.channel_id: n for s, n in zip(found.sources, per_room.tolist(), strict=True)
    }
    absent = scribe.around.absent_since
    folded_rows = kept.at(np.flatnonzero(kept.is_folded))
    return Done(
        survey=found,
        written=written,
        scribe=scribe,
        rejects=found.rejects.frame(),
        redactions=pl.DataFrame(written.redactions, schema=dtypes(REDACTIONS)),
        rooms=rooms_frame(found.rooms, selected, hider.name),
        people=people_frame(found.authors, found.heads, ctx.agent.people, hider.name),
        routing=scribe.routing,
        is_routing_chosen=ctx.knobs.routing is not None,
        edited_in_folded=tuple(map(str, kept.message_id[kept.is_changed.astype(bool)].tolist())),
        absent_in_folded=tuple(
            str(i)
            for i, room in zip(
                folded_rows.message_id.tolist(), folded_rows.room.tolist(), strict=True
            )
            if (found.sources[room].place.channel_id, str(i)) in absent
        ),
    )


def has_other_settings(folded: Folded, ctx: Context[CurateKnobs]) -> bool:
    """Say whether knobs or facts changed since the last fold, as far as that is known."""
    return folded.settings not in (None, settings_digest(ctx.knobs, ctx.agent))


def settings_digest(knobs: CurateKnobs, agent: Agent) -> str:
    """Name everything that decides which items there are, by its content."""
    told = {"knobs": asdict(knobs), "self": asdict(agent.self), "scope": asdict(agent.scope)}
    body = json.dumps({**told, "name": agent.name, "zone": agent.timezone}, sort_keys=True)
    return hashlib.sha256(body.encode()).hexdigest()
