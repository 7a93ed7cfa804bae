"""
The raw folder: Discord's own objects as they were fetched, only ever appended to.

`messages/<channel>.jsonl` holds bare API objects, one a line; the last line of an id wins.
`pages.jsonl` has one line for each page, written after its rows are durable, so it is both
the record of how a page came and the cursor from which a killed run goes on.
"""

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

from pipeline.errors import ArtifactError
from pipeline.files import append_line, cut_torn_line, make_folder, open_append, write_whole

Direction = Literal["down", "up", "file", "window"]
SIDE_TABLES = ("guilds", "channels", "roles", "members", "users")
LINE_FILES = (*SIDE_TABLES, "attachments", "absences", "pages")

UNREAD = frozenset({"pending", "partial", "failed"})  # states of a room that is half read


@dataclass(frozen=True, slots=True)
class Page:
    """
    How one page came: `how` is the route or file, ids are decimal strings.

    `ends_at` is the size in bytes of the channel's file behind this page and is filled
    in by `append_messages`; `fresh` counts rows not seen before; `closed` says that the
    walk in this direction is over. `from_id` to `to_id`, both included, is the stretch of
    ids that this page leaves without a hole: the cursors of the next run are read from it.
    """

    channel_id: str
    how: str
    direction: Direction
    count: int
    fetched_at: str
    cursor: str | None = None
    fresh: int = 0
    lowest_id: str | None = None
    highest_id: str | None = None
    closed: bool = False
    ends_at: int = 0
    from_id: str | None = None
    to_id: str | None = None


@dataclass(frozen=True, slots=True)
class Envelope:
    """An API object of a side table, with the guild it came from (null: none) and when."""

    guild_id: str | None
    fetched_at: str
    object: Mapping[str, Any]

    @property
    def object_id(self) -> str:
        """Give the object's own id; a member's is that of its user."""
        own = self.object.get("id") or (self.object.get("user") or {}).get("id")
        return str(own)


class Raw:
    """One raw folder; everything in it can be read while nothing else can write it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.orphans: dict[str, set[int]] = {}  # hashes of lines that no page was noted for
        self._known: dict[str, dict[tuple[str | None, str], Mapping[str, Any]]] = {}

    @property
    def manifest_path(self) -> Path:
        """Where the manifest lies."""
        return self.root / "manifest.json"

    def exists(self) -> bool:
        """Say whether anything was ever dumped here."""
        return self.manifest_path.exists() or (self.root / "messages").is_dir()

    def messages_path(self, channel_id: str) -> Path:
        """Where a channel's messages lie; names never become paths (ids are digits)."""
        if not channel_id.isascii() or not channel_id.isalnum():
            raise ArtifactError(f"raw: {channel_id!r} is no channel id; ids are digits only")
        return self.root / "messages" / f"{channel_id}.jsonl"

    def channel_ids(self) -> list[str]:
        """List the channels that have a messages file, in order of number, then name."""
        stems = [path.stem for path in (self.root / "messages").glob("*.jsonl")]
        return sorted(stems, key=lambda stem: (not stem.isdigit(), len(stem), stem))

    def append_messages(self, channel_id: str, lines: Iterable[bytes], page: Page) -> Page:
        """
        Append one page: rows first and synced, then its line in `pages.jsonl`.

        `lines` are JSON objects without newline. Gives the page with `ends_at` filled in.
        """
        path = self.messages_path(channel_id)
        make_folder(path.parent)
        cut_torn_line(path)
        if orphans := self.orphans.get(channel_id):
            from pipeline.rawrecover import line_hash

            lines = [line for line in lines if line_hash(line) not in orphans]
        with open_append(path) as file:
            file.write(b"".join(line + b"\n" for line in lines))
            file.flush()
            os.fsync(file.fileno())
            size = os.fstat(file.fileno()).st_size
        return self.close_page(page, size)

    def close_page(self, page: Page, size: int) -> Page:
        """Note a page whose rows are already durable up to `size` bytes."""
        noted = Page(**{**asdict(page), "ends_at": size})
        self._append("pages", [asdict(noted)])
        return noted

    def pages(self) -> Iterator[Page]:
        """Read how every page came, oldest first."""
        known = set(Page.__dataclass_fields__)
        for line in self._lines("pages"):
            yield Page(**{name: value for name, value in line.items() if name in known})

    def append(
        self,
        table: str,
        objects: Iterable[Mapping[str, Any]],
        *,
        guild_id: str | None,
        now: datetime,
    ) -> int:
        """
        Append the objects of a side table that differ from what already stands; gives how many.

        Nothing is overwritten: an older state of an object stays above the newer one.
        """
        if table not in self._known:
            self._known[table] = {k: e.object for k, e in self.envelopes(table).items()}
        known = self._known[table]
        stamp = now.isoformat()
        fresh = []
        for item in objects:
            envelope = Envelope(guild_id, stamp, item)
            key = (guild_id, envelope.object_id)
            if known.get(key) != item:
                fresh.append({"guild_id": guild_id, "fetched_at": stamp, "object": item})
                known[key] = item
        self._append(table, fresh)
        return len(fresh)

    def envelopes(self, table: str) -> dict[tuple[str | None, str], Envelope]:
        """Read a side table; the last line of a (guild, id) wins."""
        found: dict[tuple[str | None, str], Envelope] = {}
        for line in self._lines(table):
            envelope = Envelope(line["guild_id"], line["fetched_at"], line["object"])
            found[(envelope.guild_id, envelope.object_id)] = envelope
        return found

    def append_rows(
        self, table: Literal["attachments", "absences"], rows: Iterable[Mapping[str, Any]]
    ) -> None:
        """Append rows that have no envelope: an attachment's state, an absence."""
        self._append(table, list(rows))

    def rows(self, table: Literal["attachments", "absences"]) -> Iterator[dict[str, Any]]:
        """Read rows that have no envelope, oldest first; the last of a key wins."""
        return self._lines(table)

    def attachment_path(self, sha256: str) -> Path:
        """Where bytes with this digest lie."""
        return self.root / "attachments" / sha256[:2] / sha256

    def read_manifest(self) -> dict[str, Any]:
        """Read the manifest; empty where nothing was dumped yet."""
        if not self.manifest_path.exists():
            return {}
        try:
            manifest: dict[str, Any] = json.loads(self.manifest_path.read_bytes())
        except ValueError as error:
            raise ArtifactError(
                f"{self.manifest_path}: no readable JSON ({error}); move it aside, dump again"
            ) from error
        return manifest

    def unread(self) -> list[dict[str, Any]]:
        """Give the manifest's rows of rooms that are in scope and not read to their end."""
        channels = self.read_manifest().get("channels", [])
        return [channel for channel in channels if channel.get("status") in UNREAD]

    def write_manifest(self, manifest: Mapping[str, Any]) -> None:
        """Put the manifest in place, whole."""
        body = json.dumps(manifest, indent=1, ensure_ascii=True)
        write_whole(self.manifest_path, body.encode() + b"\n")

    def mend(self) -> list[str]:
        """
        Put right what a killed run or a cut file left; says what was done.

        Only half lines are cut. Whole lines that no page was noted for stay, and are not
        appended a second time when they come again; what is missing is read again.
        """
        from pipeline.rawrecover import recover

        return recover(self)

    def _append(self, name: str, rows: list[dict[str, Any]] | list[Mapping[str, Any]]) -> None:
        if not rows:
            return
        lines = [json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode() for row in rows]
        append_line(self.root / f"{name}.jsonl", b"\n".join(lines))

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        path = self.root / f"{name}.jsonl"
        if not path.exists():
            return
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return  # torn by a kill; `mend` cuts it before the next write
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise ArtifactError(
                        f"{path}: line {number} is no JSON; move the file aside and dump again"
                    ) from error
