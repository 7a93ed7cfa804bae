"""The pyramid's file: its tables, how it is opened and upgraded, its digest."""

import hashlib
import json
import sqlite3
from contextlib import closing
from dataclasses import fields
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from pipeline.errors import ArtifactError
from pipeline.files import FILE_MODE, make_folder

R = TypeVar("R")

SCHEMA_VERSION = 1
SCHEMA = """
create table state (name text primary key, value text not null) without rowid;
create table memories (
  memory_id text primary key, number integer not null unique, level integer not null,
  text text not null, headline text not null, tokens integer not null,
  source_ids text not null, first_item_id text not null, last_item_id text not null,
  started_at text not null, ended_at text not null, minted_at text not null,
  model text not null, prompt_version text not null, chunk_id text unique,
  parent_id text references memories, shown_ids text not null, head_end_id text,
  is_witnessed integer not null, is_stub integer not null, persona_digest text,
  stop_reason text, request_digest text, rooms text not null, people text not null,
  private_share real not null, parallel integer not null
) without rowid;
create index memories_by_level on memories (level, number);
create table chunks (
  chunk_id text primary key, ordinal integer not null unique, closed_by text not null,
  item_ids text not null
) without rowid;
create table sources (
  item_id text primary key, chunk_id text not null references chunks, place integer not null,
  sent_at text not null, text text not null
) without rowid;
create table revisions (
  memory_id text not null references memories, number integer not null, text text not null,
  tokens integer not null, model text not null, run text not null, rule text not null,
  reason text not null, replaced_at text not null, primary key (memory_id, number)
) without rowid;
create table calls (
  call_id integer primary key, request_digest text not null, purpose text not null,
  target text not null, level integer not null, model text not null, asked_at text not null,
  outcome text not null, attempt integer not null, latency_ms integer not null,
  stop_reason text, text text not null, reasoning text not null, input_tokens integer,
  cached_tokens integer, cache_write_tokens integer, output_tokens integer,
  reasoning_tokens integer, cost real, currency text
);
create index calls_by_request on calls (request_digest);
create table quarantine (
  target text primary key, level integer not null, reason text not null,
  attempts integer not null, since text not null
) without rowid;
"""
# What the digest covers, in key order; calls are the record of spending, not the memory.
DIGESTED = ("memories", "chunks", "sources", "revisions", "quarantine")
LISTS = ("source_ids", "shown_ids", "rooms", "people")
TIMES = ("started_at", "ended_at", "minted_at", "asked_at", "since", "replaced_at", "sent_at")


def connect(path: Path, *, read_only: bool) -> sqlite3.Connection:
    """Open the file, making or upgrading it where that is asked for."""
    if read_only and not path.is_file():
        raise ArtifactError(f"{path.name} is not there yet; run warmup first")
    is_new = not path.is_file()
    if is_new:
        make_folder(path.parent)
        path.touch(mode=FILE_MODE)
    db = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={'ro' if read_only else 'rw'}",
        uri=True,
        isolation_level=None,
    )
    db.row_factory = sqlite3.Row
    try:
        if not read_only:
            db.execute("pragma journal_mode = wal")
            db.execute("pragma synchronous = full")
        db.execute("pragma foreign_keys = on")
        version = db.execute("pragma user_version").fetchone()[0]
        if version == 0 and not read_only:
            db.executescript(f"begin; {SCHEMA} pragma user_version = {SCHEMA_VERSION}; commit;")
        elif version != SCHEMA_VERSION:
            upgrade(db, path, version, read_only=read_only)
    except sqlite3.DatabaseError as error:
        db.close()
        raise ArtifactError(f"{path}: {error}; put back the newest file of backups/") from error
    return db


def upgrade(db: sqlite3.Connection, path: Path, version: int, *, read_only: bool) -> None:
    """Bring an older file up to date after a backup; a newer one is refused."""
    raise ArtifactError(
        f"{path.name} is of schema {version}, this backfold knows {SCHEMA_VERSION}; "
        f"use a newer backfold"
    )


def rows_digest(path: Path) -> str:
    """Give the digest of the memory's rows in key order: the same rows, the same digest."""
    whole = hashlib.sha256()
    with closing(connect(path, read_only=True)) as db:
        for table in DIGESTED:
            names = [c[1] for c in db.execute(f"pragma table_info({table})")]
            keys = [c[1] for c in db.execute(f"pragma table_info({table})") if c[5]]
            whole.update(table.encode())
            query = f"select {', '.join(names)} from {table} order by {', '.join(keys)}"  # noqa: S608 - names are ours
            for row in db.execute(query):
                whole.update(json.dumps(list(row), ensure_ascii=True).encode())
    return whole.hexdigest()[:32]


def plain(value: Any) -> Any:
    """Give a value as SQLite stores it: times as ISO text, lists as JSON."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, tuple | list):
        return json.dumps(list(value), ensure_ascii=False)
    return int(value) if isinstance(value, bool) else value


def record(kind: type[R], row: sqlite3.Row) -> R:
    """Read a row as a record."""
    values: dict[str, Any] = {}
    for f in fields(kind):  # type: ignore[arg-type]
        value = row[f.name]
        if f.name in LISTS:
            value = tuple(json.loads(value))
        elif f.name in TIMES:
            value = datetime.fromisoformat(value)
        elif f.name.startswith("is_"):
            value = bool(value)
        values[f.name] = value
    return kind(**values)
