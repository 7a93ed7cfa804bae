"""
Attachments whose bytes lie beside an export: into raw under their digest, a state for each.

A path in an export is a stranger's text: it may lead only to a file inside the folder that
the owner named, and what is kept is named by its bytes (known-faults B066, B067).
"""

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import file_digest
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pipeline.files import beside
from pipeline.raw import Raw

Object = dict[str, Any]
NOT_ASKED = "the file holds a link only, and an import from files asks nobody"


def _always(row: Mapping[str, Any]) -> None:
    """Want every file."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """
    Which files are kept of those that lie there: a name for the choice, and the choice itself.

    `why_not` gives state and reason for an attachment's row, null to keep it. Under another
    name files that were read before are looked at again.
    """

    name: str = "all"
    why_not: Callable[[Mapping[str, Any]], tuple[str, str] | None] = _always


@dataclass(slots=True)
class Media:
    """
    The attachments of one import; rows are appended by `flush`, once for each new state.

    `beside` counts those that had a file beside the export, kept or not.
    """

    raw: Raw
    now: datetime
    wanted: Wanted
    _states: dict[tuple[str, str], str] | None = None
    _rows: list[Object] = field(default_factory=list)
    beside: int = 0

    def take(
        self, channel_id: str, message_id: str, attachment: Mapping[str, Any], source: Path | None
    ) -> None:
        """Keep the bytes at `source` (null: only a link is known) and note the state."""
        key = (channel_id, str(attachment["id"]))
        if self._known().get(key) == "kept":
            return
        row = {
            "channel_id": channel_id,
            "message_id": message_id,
            "attachment_id": str(attachment["id"]),
            "filename": attachment.get("filename"),
            "content_type": attachment.get("content_type"),
            "size": attachment.get("size"),
        }
        fate = self._fate(row, source)
        if self._known().get(key) != fate["state"]:
            self._known()[key] = fate["state"]
            self._rows.append({**row, **fate, "fetched_at": self.now.isoformat()})

    def flush(self) -> None:
        """Append the rows gathered so far."""
        self.raw.append_rows("attachments", self._rows)
        self._rows = []

    def _known(self) -> dict[tuple[str, str], str]:
        if self._states is None:
            self._states = {
                (row["channel_id"], row["attachment_id"]): row["state"]
                for row in self.raw.rows("attachments")
            }
        return self._states

    def _fate(self, row: Mapping[str, Any], source: Path | None) -> Object:
        none = {"sha256": None, "bytes": None}
        if source is None:
            return {"state": "not asked", "reason": NOT_ASKED, **none}
        try:
            size = source.stat().st_size
            self.beside += 1
            if told := self.wanted.why_not(row):
                return {"state": told[0], "reason": told[1], **none}
            said = row["size"]
            if size == 0 or (said and size != said):
                reason = f"the file has {size} bytes, the message says {said}"
                return {"state": "failed", "reason": reason, **none}
            sha256 = keep(self.raw, source)
        except OSError as error:
            return {"state": "failed", "reason": f"no such file ({error.strerror})", **none}
        return {"state": "kept", "reason": "", "sha256": sha256, "bytes": size}


def keep(raw: Raw, source: Path) -> str:
    """Copy a file into raw under its digest; gives the digest."""
    with source.open("rb") as file:
        sha256 = file_digest(file, "sha256").hexdigest()
    target = raw.attachment_path(sha256)
    if not target.exists():
        with beside(target) as temporary:
            shutil.copyfile(source, temporary)
    return sha256


def locate(url: str, folder: Path, root: Path) -> Path | None:
    """
    Find the file that a relative link of an export names; None for a link to the outside.

    A link that leads out of `root` is treated as naming a file that is not there.
    """
    if not url or re.match(r"^[a-zA-Z][\w+.-]+:", url):
        return None
    inside = root.resolve()
    for text in dict.fromkeys((url, url.replace("\\", "/"), unquote(url.replace("\\", "/")))):
        try:
            found = (folder / text).resolve()
            if found.is_relative_to(inside) and found.is_file():
                return found
        except (OSError, ValueError):
            continue  # a name too long or no name at all: no such file
    return folder / "missing"


def attached(message: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Give a message's attachments, then those of what it forwards."""
    yield from message.get("attachments") or ()
    for snapshot in message.get("message_snapshots") or ():
        yield from (snapshot.get("message") or {}).get("attachments") or ()
