"""
Fold again after the history under the memories changed: archive first, keep what stands.

The history is curated and cut beside the agent's folder, as if nothing were folded; what of the
pyramid stands on that is kept with its ids. The plan tells what is kept, minted and rebuilt, and
what that costs. Only then is the pyramid archived and replaced, and warmup mints the rest.
"""

import json
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.errors import StageError, UsageError
from pipeline.files import beside
from pipeline.ledger import Ledger
from pipeline.memory.folded import Noted, note_history, noted
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.pyramid_file import rows_digest
from pipeline.memory.records import FoldedChunk, FoldedItem, Memory
from pipeline.memory.refolding import Kept, keep, keep_only
from pipeline.memory.schedule import Fold, Slot, Standing, run_out
from pipeline.memory.standing import spent_for_a_call
from pipeline.schemas import CHUNKS, CURATED, PYRAMID, ROOMS, TRANSCRIPT
from pipeline.terminal import agreed
from pipeline.workspace import Workspace

if TYPE_CHECKING:
    from pipeline.runner import House


def refold(house: "House", *, apply: bool, dry_run: bool) -> bool:
    """
    Print the plan of a refold, and carry it out where that is agreed; says whether it was.

    Raises UsageError where nothing is folded, StageError where the pyramid changed meanwhile.
    """
    path = house.folder.root / PYRAMID.path
    if not path.is_file():
        raise UsageError(f"--refold: there is no {PYRAMID.path} yet; run warmup without it")
    before = rows_digest(path)
    with tempfile.TemporaryDirectory(prefix="backfold-refold-") as scratch:
        root = Path(scratch)
        cut_anew(house, root)
        fresh, history = chunks_in(root), history_in(root)
    with Pyramid(path, read_only=True) as pyramid:
        memories, recorded = pyramid.memories(), pyramid.chunks()
    kept = keep(memories, recorded, fresh)
    for line in plan(house, memories, kept, fresh):
        house.out(line)
    if not agreed("Fold again?", house.err, apply=apply, dry_run=dry_run):
        return False
    with house.folder.locked("refold"):
        if rows_digest(path) != before:
            raise StageError("the pyramid changed while the refold was planned; run it again")
        stamp = house.now().strftime("%Y%m%d-%H%M%S")
        archive = house.folder.root / "backups" / f"pyramid-{stamp}-before-refold.sqlite"
        replace_pyramid(path, archive, kept, history)
    house.err(f"archived as {archive}")
    return True


def cut_anew(house: "House", root: Path) -> None:
    """Curate and cut the agent's raw in a folder of its own, where nothing is folded."""
    from pipeline.runner import Wish, run_one

    scratch = replace(
        house,
        folder=Workspace(root),
        ledger=Ledger(root, house.raw.root),
        out=_silent,
        err=_silent,
    )
    for name in ("curate", "segment"):  # one by one: a run would lock raw, and leave its lock there
        run_one(scratch, scratch.stage(name), Wish(stages=(name,)))


def _silent(_line: str) -> None:
    """Say nothing: what counts is told by the plan."""


def chunks_in(root: Path) -> list[FoldedChunk]:
    """Give the chunks of a folder as a memory would record them."""
    from pipeline.artifacts import read_table

    rows = read_table(root, TRANSCRIPT, ["item_id", "sent_at", "text"]).iter_rows()
    items = {item_id: FoldedItem(item_id, sent_at, text) for item_id, sent_at, text in rows}
    chunks = read_table(root, CHUNKS, ["chunk_id", "ordinal", "closed_by", "item_ids"])
    return [
        FoldedChunk(chunk_id, ordinal, closed_by, tuple(items[i] for i in item_ids))
        for chunk_id, ordinal, closed_by, item_ids in chunks.sort("ordinal").iter_rows()
    ]


def history_in(root: Path) -> Noted:
    """Give the history of a folder, up to the end of its last closed chunk."""
    from pipeline.artifacts import read_table

    last = read_table(root, CHUNKS, ["last_position"])["last_position"].max()
    end = 0 if last is None else int(str(last)) + 1
    items = read_table(root, TRANSCRIPT, ["position", "item_id", "message_ids"]).sort("position")
    sizes = read_table(root, ROOMS, ["channel_id", "raw_bytes"])
    settings = json.loads((root / CURATED.path).read_text(encoding="utf-8")).get("settings")
    heard = items.head(end).select("item_id", "message_ids")
    return noted(heard.iter_rows(), dict(sizes.iter_rows()), settings)


def plan(
    house: "House", memories: list[Memory], kept: Kept, fresh: list[FoldedChunk]
) -> Iterator[str]:
    """Say what is kept, minted and rebuilt, and what that costs by what calls cost so far."""
    knobs = house.knobs(house.stage("warmup"))
    standing = [
        Standing(m.memory_id, m.level, (m.chunk_id or "",) if m.level == 1 else m.source_ids)
        for m in sorted(kept.memories, key=lambda m: m.number)
    ]
    slots = [Slot(chunk.chunk_id, len(chunk.items)) for chunk in fresh]
    count = max((memory.number for memory in memories), default=-1) + 1
    fold = Fold(slots, knobs.rules(), standing, numbers_from=count, kept_below=count)
    made = [step.level for step in run_out(fold)]
    mints = sum(level == 1 for level in made)
    yield (
        f"refold: {len(kept.memories):,} of {len(memories):,} memories are kept, {mints:,} minted, "
        f"{len(made) - mints:,} rebuilt above them; the pyramid that stands is archived whole"
    )
    spent = spent_for_a_call(house.folder.root / PYRAMID.path, knobs.model)
    if spent is not None:
        yield f"about {spent[1]} {spent[0] * len(made):.2f}, by what calls to {knobs.model} cost"
    else:
        yield f"{len(made):,} calls to {knobs.model}; warmup tells the price before the first"


def replace_pyramid(path: Path, archive: Path, kept: Kept, history: Noted) -> None:
    """Archive the pyramid, then put in its place, in one step, what stands of it."""
    with Pyramid(path, read_only=True) as pyramid:
        pyramid.back_up(archive)
    with beside(path) as temporary:
        with Pyramid(archive, read_only=True) as whole:
            temporary.unlink(missing_ok=True)
            whole.back_up(temporary)
        with Pyramid(temporary) as copy:
            keep_only(copy, kept)
            note_history(copy, history)
