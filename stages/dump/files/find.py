"""
Find what can be imported under the paths that the owner named, and say what the rest is.

Folders are searched through. The media folder of an export holds attachments, not exports,
also where their names end in `.json` (spec dce-json, 2e.14).
"""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pipeline.errors import UsageError

Kind = Literal["export", "corpus", "lines", "other"]
MEDIA_FOLDER = re.compile(r".+\.\w+_files$", re.IGNORECASE)
EXPORT_NAME = re.compile(r"\[\d{15,20}\]")
PACKAGE = "a Discord data package: it holds only its owner's own messages, no source for a bot"
NO_JSON = "not read; DiscordChatExporter can export the same as JSON"
OTHER_EXPORTS = {".html", ".htm", ".csv", ".txt"}


@dataclass(frozen=True, slots=True)
class Found:
    """One thing under the named paths; `root` is the named folder, out of which no path leads."""

    kind: Kind
    path: Path
    root: Path
    reason: str = ""


def find(sources: Sequence[Path], avoid: Path) -> list[Found]:
    """
    List what lies under the sources, each path once; UsageError where one is not there.

    Nothing is taken from `avoid`, which is where an import writes to.
    """
    found: dict[Path, Found] = {}
    for source in sources:
        if not source.exists():
            raise UsageError(f"{source}: not there; agent.files names export files or folders")
        source = source.absolute()
        things = _in_folder(source) if source.is_dir() else [_single(source)]
        for thing in things:
            found.setdefault(thing.path, thing)
    own = avoid.absolute()
    return [thing for path, thing in found.items() if not path.is_relative_to(own)]


def is_package(folder: Path) -> bool:
    """Say whether a folder is a data package, whatever its year, case and shape (B068)."""
    inside = {p.name.lower(): p for p in folder.iterdir() if p.is_dir()}
    messages = folder if folder.name.lower() == "messages" else inside.get("messages")
    if messages is None or not os.access(messages, os.R_OK | os.X_OK):
        return False
    below = list(messages.iterdir())
    return any(p.name.lower() == "index.json" for p in below) or any(
        re.fullmatch(r"c?\d+", p.name) and (p / "channel.json").exists() for p in below
    )


def _in_folder(root: Path) -> Iterator[Found]:
    closed: list[OSError] = []
    for here, folders, files in os.walk(root, onerror=closed.append):
        folder = Path(here)
        if "guild.json" in files and (folder / "messages").is_dir():
            yield Found("corpus", folder, root)
            folders[:] = [name for name in folders if name not in {"messages", "files", "media"}]
            files = [name for name in files if name != "guild.json"]
        elif is_package(folder):
            yield Found("other", folder, root, PACKAGE)
            folders[:] = []
            continue
        folders[:] = sorted(
            name for name in folders if not MEDIA_FOLDER.match(name) and not name.startswith(".")
        )
        for name in sorted(files):
            path = folder / name
            if name.startswith("."):
                continue
            if kind := _kind(path):
                yield Found(kind, path, root)
            elif path.suffix.lower() in OTHER_EXPORTS and EXPORT_NAME.search(path.stem):
                yield Found("other", path, root, NO_JSON)
    for error in closed:
        yield Found("other", Path(error.filename), root, f"cannot be opened ({error.strerror})")


def _single(path: Path) -> Found:
    kind = _kind(path)
    if path.name == "guild.json" and (path.parent / "messages").is_dir():
        return Found("corpus", path.parent, path.parent)
    if kind is None:
        reason = NO_JSON if path.suffix.lower() in OTHER_EXPORTS else "no export that is known"
        return Found("other", path, path.parent, reason)
    return Found(kind, path, path.parent)


def _kind(path: Path) -> Kind | None:
    ending = path.suffix.lower()
    if ending == ".json":
        return "export"
    return "lines" if ending == ".jsonl" and path.stem.isascii() and path.stem.isdigit() else None
