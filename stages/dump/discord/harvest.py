"""
Glean from new messages who wrote and what is attached.

Only the bytes that no earlier run has gleaned are read; a killed run gleans them again.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from pipeline.errors import ArtifactError
from pipeline.raw import Page

Number = str | int  # ids come as text, from some producers as numbers


class _Author(msgspec.Struct):
    id: Number


class _File(msgspec.Struct):
    id: Number
    filename: str = ""
    size: int = 0
    url: str = ""
    content_type: str | None = None


class _Inner(msgspec.Struct):
    attachments: list[_File] = []


class _Snapshot(msgspec.Struct):
    message: _Inner | None = None


class _Row(msgspec.Struct):
    id: Number
    author: _Author | None = None
    webhook_id: Number | None = None
    attachments: list[_File] = []
    message_snapshots: list[_Snapshot] = []


@dataclass(frozen=True, slots=True)
class Attached:
    """One attachment of one message; `url` is empty where no link is known any more."""

    channel_id: str
    message_id: str
    attachment_id: str
    filename: str
    content_type: str | None
    size: int
    url: str = ""


@dataclass(frozen=True, slots=True)
class Gleaned:
    """What the new bytes of one room hold."""

    author_ids: frozenset[str]
    attached: tuple[Attached, ...]


def glean(path: Path, channel_id: str, start: int, end: int) -> Gleaned:
    """Read a room's file from byte `start` to `end`."""
    authors: set[str] = set()
    attached: list[Attached] = []
    for row in rows_between(path, start, end):
        # A webhook's author is no user; an app's own follow-up also carries a webhook id.
        if row.author is not None and str(row.author.id) != str(row.webhook_id):
            authors.add(str(row.author.id))
        attached += [attached_to(channel_id, row, file) for file in files_of(row)]
    return Gleaned(frozenset(authors), tuple(attached))


def attached_to(channel_id: str, row: _Row, file: _File) -> Attached:
    """Describe one attachment."""
    return Attached(
        channel_id, str(row.id), str(file.id), file.filename, file.content_type, file.size, file.url
    )


def files_of(row: _Row) -> Iterator[_File]:
    """Walk a message's own attachments and those of what it forwards."""
    yield from row.attachments
    for snapshot in row.message_snapshots:
        if snapshot.message is not None:
            yield from snapshot.message.attachments


def rows_between(path: Path, start: int, end: int) -> Iterator[_Row]:
    """Read the messages between two line ends, as far as people and files go."""
    decode = msgspec.json.Decoder(_Row).decode
    for line in lines_between(path, start, end):
        try:
            try:
                yield decode(line)
            except msgspec.DecodeError:  # lone surrogates, which only the slow reader takes
                yield msgspec.convert(json.loads(line), _Row)
        except (ValueError, msgspec.MsgspecError) as error:
            raise ArtifactError(
                f"{path}: a line is no message ({error}); move the file aside and dump again"
            ) from error


def lines_between(path: Path, start: int, end: int) -> Iterator[bytes]:
    """Read the lines of a file between two of its line ends."""
    if end <= start:
        return
    with path.open("rb") as file:
        file.seek(start)
        while start < end and (line := file.readline()):
            start += len(line)
            yield line


def links_in(message: dict[str, object]) -> dict[str, str]:
    """Give the links of a message as it came from Discord: attachment id → link."""
    row = msgspec.convert(message, _Row)
    return {str(file.id): file.url for file in files_of(row)}


def ids_outside(path: Path, pages: Sequence[Page]) -> frozenset[int]:
    """Give the ids that raw has from files or single fetches: outside of any walk's stretch."""
    found: set[int] = set()
    start = 0
    for page in pages:
        if page.from_id is None and page.fresh:
            found.update(int(row.id) for row in rows_between(path, start, page.ends_at))
        start = page.ends_at
    return frozenset(found)
