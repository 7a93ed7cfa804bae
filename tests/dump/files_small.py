"""Small helpers for the tests of import from files."""

import json
from datetime import UTC, datetime
from pathlib import Path

from pipeline.raw import Raw
from pipeline.testing import dce
from stages.dump.files import import_files

NOW = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
ROOM_ID = dce.ROOM["id"]


def take(folder, *sources, said=None):
    """Import sources into `folder`/raw; gives raw and how it went."""
    raw = Raw(folder / "raw")
    done = import_files(raw, sources, now=NOW, say=(said if said is not None else []).append)
    return raw, done


def lines(raw, channel_id=ROOM_ID):
    """Read every line of a room, oldest first."""
    path = raw.messages_path(channel_id)
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def last(raw, channel_id=ROOM_ID):
    """Read a room as curate does: the last line of an id wins; in order of id."""
    found = {row["id"]: row for row in lines(raw, channel_id)}
    return sorted(found.values(), key=lambda row: int(row["id"]))


def contents(raw, channel_id=ROOM_ID):
    """Give the texts of a room in order of id."""
    return [row["content"] for row in last(raw, channel_id)]


def one_row(tmp_path, row, **roots):
    """Import an export of a single row; gives it as raw has it."""
    dce.write_export(tmp_path / "in", dce.document([row], **roots))
    return last(take(tmp_path, tmp_path / "in")[0])[0]


def file_row(raw, path):
    """Give a file's row of the manifest."""
    return next(r for r in raw.read_manifest()["files"] if Path(r["path"]).name == Path(path).name)


def room_row(raw, channel_id=ROOM_ID):
    """Give a room's row of the manifest."""
    return next(r for r in raw.read_manifest()["channels"] if r["channel_id"] == channel_id)
