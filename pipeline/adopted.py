"""A folder filled from a living store: who writes there, and whether the store moved on."""

import json
from pathlib import Path

from pipeline.errors import StageError

NOTE = "adopted.json"  # what the folder was filled from
WRITTEN_BY_ADOPT = ("dump", "curate", "segment", "warmup")


def fingerprint(store: Path) -> str | None:
    """Give what changes whenever a store's log does: its size and time; none where it is gone."""
    try:
        stat = (store / "records.log").stat()
    except OSError:
        return None
    return f"{stat.st_size}:{stat.st_mtime_ns}"


def refuse_adopted(source: str, stage: str) -> None:
    """Refuse a stage whose tables come from a store, and say who writes them."""
    if source == "store" and stage in WRITTEN_BY_ADOPT:
        raise StageError(
            f"{stage}: this folder shows a living store (agent.source = store), and adopt alone "
            f"writes it; take it over again with: backfold adopt STORE --agent FOLDER"
        )


def why_moved_on(root: Path) -> str | None:
    """Say how the store differs from what was adopted; None where it stands still."""
    try:
        note = json.loads((root / NOTE).read_bytes())
        store, known = Path(note["store"]), note["fingerprint"]
    except (OSError, ValueError, KeyError, TypeError):
        return "nothing was adopted yet: backfold adopt STORE"
    found = fingerprint(store)
    if found is None:
        return f"the store {store} is gone"
    return None if found == known else "the store has moved on: backfold adopt it again"
