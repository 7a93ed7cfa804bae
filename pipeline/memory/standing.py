"""What stands in a pyramid, in a few words: minted under what, and how far it is behind."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Behind:
    """What is closed and has no memory yet: chunks, and the messages in them."""

    chunks: int
    messages: int


def minted_under(path: Path) -> Iterator[str]:
    """
    Say how many memories were minted under which model, prompt and persona, the most first.

    Reads the file without changing it; a persona is named by the beginning of its digest.
    """
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
        rows = db.execute(
            "select count(*), model, prompt_version, persona_digest from memories "
            "group by model, prompt_version, persona_digest order by 1 desc, 2, 3, 4"
        ).fetchall()
    for count, model, version, persona in rows:
        under = f"persona {persona[:8]}" if persona else "no persona"
        yield f"{count:,} memories by {model}, prompt {version}, {under}"


def behind(path: Path, chunks: Sequence[tuple[str, int]], holdback: int = 0) -> Behind:
    """Count what of `chunks` (id and messages, in store order) is still to be minted."""
    minted: set[str] = set()
    if path.is_file():
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            minted = {chunk_id for (chunk_id,) in db.execute("select chunk_id from memories")}
            waiting = db.execute("select target from quarantine where level = 1")
            minted |= {target for (target,) in waiting}  # told apart: they need --retry
    due = chunks[: len(chunks) - holdback] if holdback else chunks
    left = [messages for chunk_id, messages in due if chunk_id not in minted]
    return Behind(len(left), sum(left))


def spent_for_a_call(path: Path, model: str) -> tuple[float, str] | None:
    """Give what a call to a model has cost on average, with its currency; None: not known yet."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
        row = db.execute(
            "select avg(cost), max(currency) from calls where model = ? and cost is not null",
            (model,),
        ).fetchone()
    return (float(row[0]), str(row[1])) if row and row[0] is not None else None


def quarantined(path: Path) -> int:
    """Count what is in quarantine."""
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
        return int(db.execute("select count(*) from quarantine").fetchone()[0])
