"""
Files that survive a kill: written beside and renamed, appended and synced, private by default.

Folders are 0700 and files 0600, as raw, pyramid and backups hold private talk.
"""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

FOLDER_MODE = 0o700
FILE_MODE = 0o600


def make_folder(path: Path) -> Path:
    """Make a folder, and those above it that are missing, readable by nobody else."""
    missing = []
    while not path.is_dir():
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=FOLDER_MODE)
        folder.chmod(FOLDER_MODE)
    return missing[0] if missing else path


@contextlib.contextmanager
def beside(path: Path) -> Iterator[Path]:
    """Lend a temporary name beside `path`; on a clean end sync it and rename it into place."""
    make_folder(path.parent)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".tmp", dir=path.parent)
    os.close(handle)
    temporary = Path(name)
    try:
        yield temporary
        temporary.chmod(FILE_MODE)
        sync_file(temporary)
        temporary.replace(path)
        sync_folder(path.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_whole(path: Path, content: bytes) -> None:
    """Put `content` in place in one step: the old file or the new one, never a part."""
    with beside(path) as temporary:
        temporary.write_bytes(content)


def append_line(path: Path, line: bytes) -> None:
    """Append one line (without its newline) and sync it; cut a torn last line first."""
    make_folder(path.parent)
    cut_torn_line(path)
    with open_append(path) as file:
        file.write(line + b"\n")
        file.flush()
        os.fsync(file.fileno())


def open_append(path: Path) -> BinaryIO:
    """Open for appending bytes, 0600 where it is new."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW  # no link leads outside
    handle = os.open(path, flags, FILE_MODE)
    return os.fdopen(handle, "ab")


def cut_torn_line(path: Path) -> int:
    """Cut what stands behind the last newline of a line file; gives the bytes cut."""
    if not path.exists():
        return 0
    with path.open("rb+") as file:
        size = file.seek(0, os.SEEK_END)
        end = size
        while end:
            start = max(0, end - 65_536)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                end = start + found + 1
                break
            end = start
        if end < size:
            file.truncate(end)
        return size - end


def sync_file(path: Path) -> None:
    """Force a file's bytes to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder(path: Path) -> None:
    """Force a folder's entries to the disk, where the system can."""
    handle = os.open(path, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(handle)
    finally:
        os.close(handle)


def sweep_temporaries(folder: Path) -> int:
    """Remove what `beside` left when the process was killed; gives how many."""
    swept = 0
    for path in folder.glob(".*.tmp"):
        path.unlink(missing_ok=True)
        swept += 1
    return swept
