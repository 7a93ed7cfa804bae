"""
The search index of an agent, `search.sqlite`: every message with its neighbours, every memory.

It is derived from `tables/transcript.jsonl` and `pyramid.sqlite` and kept fresh by whoever asks:
lines that were only appended are added, anything else builds it anew beside the old one. Only
`sqlite3` and `json` are needed, so that a question costs no dataframe library.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from pipeline.errors import ArtifactError
from pipeline.files import beside
from pipeline.memory.search_words import indexed, words

VERSION = "2"
REACH = 2  # neighbours on each side that a message is found by; measured better than 1
FTS = "tokenize = \"porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'\""
SCHEMA = f"""
create table meta (name text primary key, value text not null) without rowid;
create table items (
  place integer primary key, item_id text not null, author text not null,
  room_id text not null, room text not null, sent_ms integer not null,
  message_ids text not null, body text not null
);
create index items_by_id on items (item_id);
create index items_by_time on items (sent_ms);
create table names (word text not null, author text not null, primary key (word, author))
  without rowid;
create table rooms (room_id text primary key, room text not null) without rowid;
create virtual table windows using fts5(text, content = '', {FTS});
create table memories (
  number integer primary key, memory_id text not null, level integer not null,
  parent_id text, headline text not null, text text not null, rooms text not null,
  started_ms integer not null, ended_ms integer not null,
  first_place integer not null, last_place integer not null
);
create index memories_by_place on memories (first_place, last_place);
create virtual table recalled using fts5(text, content = '', {FTS});
"""


@dataclass(frozen=True, slots=True)
class Item:
    """A message or an own turn, as the index holds it; `sent_ms` is UTC."""

    item_id: str
    author: str
    room_id: str
    room: str
    sent_ms: int
    message_ids: tuple[str, ...]
    body: str


def open_fresh(root: Path) -> sqlite3.Connection:
    """Open the index of an agent's folder, brought up to date with transcript and pyramid."""
    transcript, target = root / "tables/transcript.jsonl", root / "search.sqlite"
    if not transcript.is_file():
        raise ArtifactError("tables/transcript.jsonl is not there yet; run curate first")
    stamp, pyramid_stamp = stamp_of(transcript), stamp_of(root / "pyramid.sqlite")
    held = read_meta(target)
    if held.get("version") != VERSION or (
        held.get("transcript") != stamp and not append_new(target, transcript, held)
    ):
        build(target, lines_of(transcript, 0), {**prefix_of(transcript), "transcript": stamp})
        held = {}
    db = sqlite3.connect(target, timeout=30)
    if held.get("pyramid") != pyramid_stamp or held.get("transcript") != stamp:
        with db:
            take_memories(db, root / "pyramid.sqlite")
            write_meta(db, {"pyramid": pyramid_stamp})
    return db


def build(target: Path, items: Iterable[Item], meta: dict[str, str]) -> None:
    """Write an index anew beside the old one, and put it in place in one step."""
    with beside(target) as temporary:
        with closing(sqlite3.connect(temporary, isolation_level=None)) as db:
            db.execute("pragma journal_mode = off")
            db.executescript(SCHEMA)
            db.execute("begin")
            add_items(db, list(items))
            write_meta(db, {"version": VERSION, **meta})
            db.execute("commit")
            db.execute("insert into windows (windows) values ('optimize')")
        target.with_name(target.name + "-journal").unlink(missing_ok=True)


def add_items(db: sqlite3.Connection, items: Sequence[Item]) -> None:
    """Add items behind those that are there; the last of those get new neighbours."""
    count = db.execute("select count(*) from items").fetchone()[0]
    add_names(db, items)
    rooms = dict(db.execute("select room_id, room from rooms"))  # own turns do not name theirs
    db.executemany(
        "insert into items values (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            (count + at, i.item_id, i.author, i.room_id, rooms.get(i.room_id, ""), i.sent_ms,
             json.dumps(i.message_ids), i.body)
            for at, i in enumerate(items)
        ),
    )  # fmt: skip
    start = max(0, count - REACH)
    known = db.execute(
        "select author, room_id, body from items where place >= ? order by place",
        (max(0, start - REACH),),
    ).fetchall()
    old = windows(known[: count - max(0, start - REACH)])[start - max(0, start - REACH) :]
    db.executemany(
        "insert into windows (windows, rowid, text) values ('delete', ?, ?)",
        ((start + at, text) for at, text in enumerate(old)),
    )
    new = windows(known)[start - max(0, start - REACH) :]
    db.executemany(
        "insert into windows (rowid, text) values (?, ?)",
        ((start + at, text) for at, text in enumerate(new)),
    )


def add_names(db: sqlite3.Connection, items: Sequence[Item]) -> None:
    """Note who speaks, by each word of the name, and in which rooms."""
    authors = {item.author for item in items}
    db.executemany(
        "insert or ignore into names values (?, ?)",
        sorted((word, a) for a in authors for word in words(a) if len(word) > 1),
    )
    db.executemany(
        "insert or replace into rooms values (?, ?)",
        {i.room_id: i.room for i in items if i.room}.items(),
    )


def windows(rows: Sequence[tuple[str, str, str]]) -> list[str]:
    """Give each item's words with those of its neighbours in the same room, up to two each way."""
    own = [indexed(body) for _, _, body in rows]
    by_room: dict[str, list[int]] = {}
    for at, (_, room_id, _) in enumerate(rows):
        by_room.setdefault(room_id, []).append(at)
    found = [""] * len(rows)
    for places in by_room.values():
        for at, place in enumerate(places):
            near = places[max(0, at - REACH) : at + REACH + 1]
            # A neighbour in the room but far off in the store would not be there for an append.
            heard = [own[p] for p in near if abs(p - place) <= REACH]
            found[place] = " ".join([own[place], *heard])  # its own words count twice
    return found


def append_new(target: Path, transcript: Path, held: dict[str, str]) -> bool:
    """Add the lines behind those that are indexed; False where the old ones changed."""
    size = int(held["bytes"])
    stamp, new = stamp_of(transcript), prefix_of(transcript)
    if int(new["bytes"]) < size or digest(transcript, size) != held["digest"]:
        return False
    with closing(sqlite3.connect(target, timeout=30)) as db, db:
        db.execute("begin immediate")
        now = dict(db.execute("select name, value from meta"))
        if now.get("bytes") == held["bytes"]:  # nobody else was quicker
            add_items(db, list(lines_of(transcript, size)))
            write_meta(db, {**new, "transcript": stamp})
    return True


def lines_of(transcript: Path, start: int) -> Iterator[Item]:
    """Read the messages and own turns behind a byte of transcript.jsonl; notices are no talk."""
    with transcript.open("rb") as file:
        file.seek(start)
        for line in file:
            row = json.loads(line)
            if "/" not in row["id"]:
                yield item_of(row)


def item_of(row: dict[str, Any]) -> Item:
    """Read one line of the transcript."""
    meta = row["metadata"]
    said = [b["text"] for b in row["content"] if b.get("type") == "text"]
    ids = meta.get("messageIds") or [meta.get("messageId") or row["id"]]
    who = row["participant"]
    return Item(
        item_id=row["id"],
        author=(meta.get("author") or {}).get("name", who) if who == "user" else who,
        room_id=str(meta.get("channelId", "")).rpartition(":")[2],
        room=meta.get("channelName") or "",
        sent_ms=row["timestamp"],
        message_ids=tuple(ids),
        body=meta.get("rawContent") or "\n".join(said),
    )


def take_memories(db: sqlite3.Connection, pyramid: Path) -> None:
    """Replace the indexed memories by those that stand now; none where nothing was folded."""
    db.execute("insert into recalled (recalled) values ('delete-all')")
    db.execute("delete from memories")
    if not pyramid.is_file():
        return
    with closing(sqlite3.connect(f"{pyramid.resolve().as_uri()}?mode=ro", uri=True)) as source:
        rows = source.execute(
            "select number, memory_id, level, parent_id, headline, text, rooms, started_at, "
            "ended_at, first_item_id, last_item_id from memories"
        ).fetchall()
    places = dict(db.execute("select item_id, place from items"))
    for number, memory_id, level, parent_id, headline, text, rooms, start, end, *edges in rows:
        first, last = (places.get(item_id.partition("/")[0], -1) for item_id in edges)
        db.execute(
            "insert into memories values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (number, memory_id, level, parent_id, headline, text, rooms,
             milliseconds(start), milliseconds(end), first, last),
        )  # fmt: skip
        db.execute("insert into recalled (rowid, text) values (?, ?)", (number, indexed(text)))


def milliseconds(moment: str) -> int:
    """Give an ISO time as milliseconds since 1970."""
    return round(datetime.fromisoformat(moment).timestamp() * 1000)


def stamp_of(path: Path) -> str:
    """Give size, time and inode of a file and its write-ahead log: unchanged while they stand."""
    held = [p.stat() for p in (path, path.with_name(path.name + "-wal")) if p.is_file()]
    return ", ".join(f"{h.st_size} {h.st_mtime_ns} {h.st_ino}" for h in held if h.st_size)


def prefix_of(transcript: Path) -> dict[str, str]:
    """Give size and digest of the whole transcript."""
    size = transcript.stat().st_size
    return {"bytes": str(size), "digest": digest(transcript, size)}


def digest(path: Path, size: int) -> str:
    """Give the digest of the first bytes of a file."""
    import hashlib  # only where the index is behind

    whole = hashlib.sha256()
    with path.open("rb") as file:
        while size > 0 and (part := file.read(min(size, 1 << 20))):
            whole.update(part)
            size -= len(part)
    return whole.hexdigest()


def read_meta(target: Path) -> dict[str, str]:
    """Give what an index says of itself; nothing where it is missing or broken."""
    if not target.is_file():
        return {}
    with closing(sqlite3.connect(target, timeout=30)) as db:
        try:
            return dict(db.execute("select name, value from meta"))
        except sqlite3.DatabaseError:
            return {}  # it is derived: built anew


def write_meta(db: sqlite3.Connection, values: dict[str, str]) -> None:
    """Note what the index stands on."""
    db.executemany("insert or replace into meta values (?, ?)", values.items())
