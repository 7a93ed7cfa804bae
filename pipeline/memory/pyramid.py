"""
The pyramid on disk: one SQLite file, every step one transaction, nothing ever deleted.

A call is durable before its answer is judged; a memory, its chunk and its children's new
parent are one commit (write-ahead log, synchronous FULL: a power cut loses nothing that was
accepted). Old texts stay as revisions.
"""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any

from pipeline.errors import ArtifactError
from pipeline.files import FILE_MODE, make_folder
from pipeline.memory.pyramid_file import connect, plain, record
from pipeline.memory.records import (
    Call,
    FoldedChunk,
    FoldedItem,
    Memory,
    Quarantined,
    Revision,
    row_of,
)


class Pyramid:
    """An open pyramid; close it, or use it in a `with`."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        self.path = path
        self._db = connect(path, read_only=read_only)
        self._read_only = read_only

    def __enter__(self) -> "Pyramid":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """
        Close the file; what was committed is durable.

        At rest it is one plain file, so that a reader makes no side files beside it.
        """
        if not self._read_only:
            with suppress(
                sqlite3.OperationalError
            ):  # a reader is in it: the log stays, and is read
                self._db.execute("pragma journal_mode = delete")
        self._db.close()

    @contextmanager
    def step(self) -> Iterator[None]:
        """Make everything inside one transaction: all of it is durable at the end, or none."""
        if self._db.in_transaction:
            yield
            return
        try:
            self._db.execute("begin immediate")
            try:
                yield
                self._db.execute("commit")
            except BaseException:
                if self._db.in_transaction:  # a full disk has rolled it back already
                    self._db.execute("rollback")
                raise
        except sqlite3.OperationalError as error:
            raise ArtifactError(
                f"{self.path.name}: {error}; what was accepted before is kept, run the same again "
                f"once this is mended"
            ) from error

    def memories(self, level: int | None = None) -> list[Memory]:
        """Give the memories, in minting order."""
        where, values = ("", ()) if level is None else (" where level = ?", (level,))
        rows = self._db.execute(f"select * from memories{where} order by number", values)  # noqa: S608 - no outside text
        return [record(Memory, row) for row in rows]

    def memory(self, memory_id: str) -> Memory:
        """Give one memory, or say that there is none of that name."""
        row = self._db.execute(
            "select * from memories where memory_id = ?", (memory_id,)
        ).fetchone()
        if row is None:
            raise ArtifactError(f"no memory called {memory_id} in {self.path.name}")
        return record(Memory, row)

    def counter(self) -> int:
        """Give the next number; it never goes back, so no id is issued twice."""
        highest = self._db.execute("select max(number) from memories").fetchone()[0]
        return max(int(self.state("counter") or 0), 0 if highest is None else highest + 1)

    def accept(self, memory: Memory, chunk: FoldedChunk | None = None) -> None:
        """
        Add a memory in one durable step, with its chunk (L1) or as its children's parent.

        Raises ArtifactError where the id, the chunk or a child is taken already.
        """
        row = memory.row()
        with self.step():
            if chunk is not None:
                self._record_chunk(chunk)
            self._insert("memories", row)
            if memory.level > 1:
                for child_id in memory.source_ids:
                    done = self._db.execute(
                        "update memories set parent_id = ? where memory_id = ? "
                        "and parent_id is null and level = ?",
                        (memory.memory_id, child_id, memory.level - 1),
                    )
                    if done.rowcount != 1:
                        raise ArtifactError(
                            f"{memory.memory_id}: {child_id} is missing, merged already, or of "
                            f"another level"
                        )
            self._db.execute(
                "insert into state values ('counter', ?) on conflict (name) do update "
                "set value = max(cast(value as integer), cast(excluded.value as integer))",
                (str(memory.number + 1),),
            )
            self._db.execute(
                "delete from quarantine where target = ?",
                (memory.chunk_id or " ".join(memory.source_ids),),
            )

    def _record_chunk(self, chunk: FoldedChunk) -> None:
        self._insert(
            "chunks",
            {
                "chunk_id": chunk.chunk_id,
                "ordinal": chunk.ordinal,
                "closed_by": chunk.closed_by,
                "item_ids": chunk.item_ids,
            },
        )
        rows = (
            (item.item_id, chunk.chunk_id, place, plain(item.sent_at), item.text)
            for place, item in enumerate(chunk.items)
        )
        with self._told_apart("sources"):
            self._db.executemany(
                "insert into sources (item_id, chunk_id, place, sent_at, text) "
                "values (?, ?, ?, ?, ?)",
                rows,
            )

    def chunks(self) -> list[FoldedChunk]:
        """Give the recorded chunks with the texts that were folded, in store order."""
        items: dict[str, list[FoldedItem]] = {}
        for row in self._db.execute("select * from sources order by chunk_id, place"):
            items.setdefault(row["chunk_id"], []).append(record(FoldedItem, row))
        rows = self._db.execute("select * from chunks order by ordinal").fetchall()
        return [
            FoldedChunk(r["chunk_id"], r["ordinal"], r["closed_by"], tuple(items[r["chunk_id"]]))
            for r in rows
        ]

    def note_call(self, call: Call) -> int:
        """Write a call down, durable when this returns; gives its number."""
        with self.step():
            return self._insert("calls", row_of(call))

    def judge_call(self, call_id: int, outcome: str) -> None:
        """Write what became of an answer; its text was durable before."""
        with self.step():
            self._db.execute("update calls set outcome = ? where call_id = ?", (outcome, call_id))

    def judge_answer(self, request_digest: str, outcome: str) -> None:
        """Write what became of the answer to a request, unless that stands there already."""
        with self.step():
            self._db.execute(
                "update calls set outcome = ? where request_digest = ? and outcome = 'answered'",
                (outcome, request_digest),
            )

    def answered(self, request_digest: str) -> Call | None:
        """Give the complete answer to this very request, where there is one."""
        rows = self._db.execute(
            "select * from calls where request_digest = ? order by call_id desc", (request_digest,)
        )
        return next((c for row in rows if (c := record(Call, row)).is_complete), None)

    def calls(self) -> list[Call]:
        """Give every call, oldest first."""
        return [
            record(Call, row) for row in self._db.execute("select * from calls order by call_id")
        ]

    def set_aside(self, entry: Quarantined) -> None:
        """Put a chunk or merge into quarantine, or correct its entry."""
        with self.step():
            self._db.execute("delete from quarantine where target = ?", (entry.target,))
            self._insert("quarantine", row_of(entry))

    def quarantined(self) -> list[Quarantined]:
        """Give what is in quarantine."""
        rows = self._db.execute("select * from quarantine order by level, target")
        return [record(Quarantined, row) for row in rows]

    def revise(self, memory: Memory, *, run: str, rule: str, reason: str, now: datetime) -> None:
        """Replace a memory's text under its id; the old text stays as a revision."""
        old = self.memory(memory.memory_id)
        with self.step():
            taken = self._db.execute(
                "select count(*) from revisions where memory_id = ?", (memory.memory_id,)
            ).fetchone()[0]
            self._insert(
                "revisions",
                row_of(
                    Revision(
                        old.memory_id,
                        taken + 1,
                        old.text,
                        old.tokens,
                        old.model,
                        run,
                        rule,
                        reason,
                        now,
                    )
                ),
            )
            row = memory.row()
            names = [name for name in row if name not in {"memory_id", "number", "chunk_id"}]
            self._db.execute(
                f"update memories set {', '.join(f'{n} = ?' for n in names)} where memory_id = ?",  # noqa: S608 - names are ours
                [*(plain(row[n]) for n in names), memory.memory_id],
            )

    def add_revision(self, revision: Revision) -> None:
        """Put an old text back beside its memory."""
        with self.step():
            self._insert("revisions", row_of(revision))

    def revisions(self, memory_id: str | None = None) -> list[Revision]:
        """Give old texts, of one memory or of all, oldest first."""
        where, values = ("", ()) if memory_id is None else (" where memory_id = ?", (memory_id,))
        query = f"select * from revisions{where} order by memory_id, number"  # noqa: S608 - no outside text
        rows = self._db.execute(query, values)
        return [record(Revision, row) for row in rows]

    def state(self, name: str) -> str | None:
        """Give a value of the fold's state."""
        row = self._db.execute("select value from state where name = ?", (name,)).fetchone()
        return None if row is None else str(row[0])

    def set_state(self, name: str, value: str) -> None:
        """Set a value of the fold's state."""
        with self.step():
            self._db.execute(
                "insert into state values (?, ?) on conflict (name) "
                "do update set value = excluded.value",
                (name, value),
            )

    def back_up(self, target: Path) -> None:
        """Copy the whole pyramid, as it stands, to a file that must not exist yet."""
        make_folder(target.parent)
        with closing(sqlite3.connect(target)) as copy:
            self._db.backup(copy)
        target.chmod(FILE_MODE)

    def clear_memories(self) -> None:
        """Take memories and chunks out; calls, state and counter stay, so no id comes back."""
        with self.step():
            self.set_state("counter", str(self.counter()))
            for table in ("quarantine", "revisions", "sources", "chunks"):
                self._db.execute(f"delete from {table}")  # noqa: S608 - names are ours
            self._db.execute("update memories set parent_id = null")
            self._db.execute("delete from memories")

    def _insert(self, table: str, row: Mapping[str, Any]) -> int:
        names = list(row)
        marks = ", ".join("?" * len(names))
        with self._told_apart(table):
            done = self._db.execute(
                f"insert into {table} ({', '.join(names)}) values ({marks})",  # noqa: S608 - names are ours
                [plain(row[name]) for name in names],
            )
        return int(done.lastrowid or 0)

    @contextmanager
    def _told_apart(self, table: str) -> Iterator[None]:
        """Say which table has a row already, or would point nowhere."""
        try:
            yield
        except sqlite3.IntegrityError as error:
            raise ArtifactError(f"{self.path.name}: {table}: {error}") from error


def unmerged(memories: Sequence[Memory]) -> list[Memory]:
    """Give the frontier: the memories that no higher one contains."""
    return [memory for memory in memories if memory.parent_id is None]
