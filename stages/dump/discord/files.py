"""
Fetch the bytes of attachments: without the token, while their links are fresh.

Bytes go to a temporary name, are measured, and then stand under their own digest; what
became of each file is a line in raw's `attachments.jsonl`.
"""

import contextlib
import hashlib
import os
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import aiohttp

from pipeline.errors import StageError
from pipeline.files import FILE_MODE, make_folder, sync_folder
from stages.dump.discord.client import BROKEN, TIMEOUT, BlockedError
from stages.dump.discord.faults import TRIES, DeniedError, UnreachableError, judge, pause_seconds
from stages.dump.discord.harvest import Attached, links_in
from stages.dump.discord.routes import PAGE_SIZE, ask, is_allowed_file
from stages.dump.discord.walk import Trip

SPARE_SECONDS = 120.0  # a link that ends sooner is fetched anew
FILE = "file"  # the lane of the CDN in the limiter
STEP_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one file."""

    state: str
    reason: str = ""
    sha256: str | None = None
    bytes: int | None = None


class WrongFileError(Exception):
    """A file did not come as it was announced; says how."""


@dataclass(slots=True)
class Fetcher:
    """Fetch files one by one, sharing the limiter with everything else."""

    trip: Trip
    session: aiohttp.ClientSession
    max_bytes: int | None
    links: dict[tuple[str, str], str] = field(default_factory=dict)

    async def fetch(self, file: Attached) -> Outcome:
        """Give what became of a file; never raises for what concerns only this one."""
        try:
            url = file.url if self.is_fresh(file.url) else await self.fresh_link(file)
            if url is None:
                return Outcome("gone", "its message or the file is deleted")
            status, outcome = await self.bring(url, file)
            if status in {403, 404} and url == file.url:  # the link ran out after all
                url = await self.fresh_link(file)
                if url is None:
                    return Outcome("gone", "its message or the file is deleted")
                status, outcome = await self.bring(url, file)
        except (BlockedError, DeniedError, UnreachableError, WrongFileError) as error:
            return Outcome("failed", str(error))
        if outcome is not None:
            return outcome
        return Outcome("gone" if status == 404 else "failed", f"HTTP {status}")

    def is_fresh(self, url: str) -> bool:
        """Say whether a link is one of the CDN's and holds for a while yet."""
        if not is_allowed_file("GET", url, self.trip.client.base):
            return False
        ends = parse_qs(urlsplit(url).query).get("ex")
        try:
            return not ends or int(ends[0], 16) > self.trip.now().timestamp() + SPARE_SECONDS
        except ValueError:
            return False

    async def fresh_link(self, file: Attached) -> str | None:
        """Read the message again for a new link, and with it those of its neighbours."""
        key = (file.channel_id, file.attachment_id)
        known = self.links.get(key)
        if known is not None and known != file.url and self.is_fresh(known):
            return known
        query = {"limit": PAGE_SIZE, "after": int(file.message_id) - 1}
        try:
            rows = await self.trip.client.ask(ask("messages", query, channel_id=file.channel_id))
        except DeniedError as denied:
            if denied.is_gone:
                return None
            raise
        self.links.pop(key, None)
        for row in rows:
            for attachment_id, url in links_in(row).items():
                self.links[(file.channel_id, attachment_id)] = url
        return self.links.get(key)

    async def bring(self, url: str, file: Attached) -> tuple[int, Outcome | None]:
        """Fetch one link with bounded tries; gives the status, and the outcome if it came."""
        limiter, clock = self.trip.client.limiter, self.trip.client.clock
        for tries in range(1, TRIES + 1):
            await limiter.ready(FILE, "")
            try:
                async with self.session.get(url, allow_redirects=False) as response:
                    if response.status == 200:
                        return 200, await self.store(response, file)
                    body = await response.read()
                    verdict = judge(response.status, response.headers, body)
            except BROKEN as error:
                verdict, said = None, type(error).__name__
            else:
                said = f"HTTP {response.status}"
            if verdict is not None and verdict.status in {401, 403, 404, 410}:
                return verdict.status, None
            if verdict is not None and verdict.kind in {"limit", "edge"}:
                limiter.refused(FILE, "", max(1.0, verdict.wait_seconds), everywhere=False)
            elif tries < TRIES:
                await clock.sleep(pause_seconds(tries, clock.jitter()))
        raise UnreachableError(f"no usable answer in {TRIES} tries, last: {said}")

    async def store(self, response: aiohttp.ClientResponse, file: Attached) -> Outcome:
        """Put the bytes under their digest once they are as many as was announced."""
        folder = make_folder_of(self.trip.raw.root / "attachments")
        temporary = folder / f".{file.attachment_id}.tmp"
        limit = file.size or self.max_bytes
        try:
            digest, size = await write_to(temporary, response, limit)
            if file.size and size != file.size:
                raise WrongFileError(f"{size} bytes came, {file.size} were announced")
            place = self.trip.raw.attachment_path(digest)
            make_folder(place.parent)
            temporary.replace(place)
            sync_folder(place.parent)
        finally:
            temporary.unlink(missing_ok=True)
        return Outcome("kept", "", digest, size)


async def write_to(
    path: Path, response: aiohttp.ClientResponse, limit: int | None
) -> tuple[str, int]:
    """Write an answer's body to a file, synced; gives its digest and size."""
    digest, size = hashlib.sha256(), 0
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
    with os.fdopen(handle, "wb") as target:
        async for part in response.content.iter_chunked(STEP_BYTES):
            size += len(part)
            if limit is not None and size > limit:
                raise WrongFileError(
                    f"more than the {limit} bytes that were announced or allowed came"
                )
            digest.update(part)
            with disk_errors(path):
                target.write(part)
        with disk_errors(path):
            target.flush()
            os.fsync(target.fileno())
    return digest.hexdigest(), size


@contextlib.contextmanager
def disk_errors(path: Path) -> Iterator[None]:
    """Tell a full disk from a broken line: the one stops the run, the other is tried again."""
    try:
        yield
    except OSError as error:
        raise StageError(
            f"{path.parent}: {error.strerror}; make room and run dump again"
        ) from error


def make_folder_of(path: Path) -> Path:
    """Make a folder and give it."""
    make_folder(path)
    return path


@contextlib.asynccontextmanager
async def file_session(base: str) -> AsyncIterator[aiohttp.ClientSession]:
    """Lend a session that holds no token and reaches Discord's CDN alone."""

    async def start(
        _s: aiohttp.ClientSession, _c: SimpleNamespace, p: aiohttp.TraceRequestStartParams
    ) -> None:
        if not is_allowed_file(p.method, str(p.url), base):
            raise BlockedError(f"a file at {p.url.host} is not on Discord's CDN; not fetched")

    trace = aiohttp.TraceConfig()
    trace.on_request_start.append(start)
    jar = aiohttp.DummyCookieJar()
    async with aiohttp.ClientSession(
        trace_configs=[trace], cookie_jar=jar, timeout=TIMEOUT
    ) as session:
        yield session


def row_of(file: Attached, outcome: Outcome, now: Callable[[], datetime]) -> dict[str, Any]:
    """Describe what became of a file, for raw."""
    return {
        "channel_id": file.channel_id,
        "message_id": file.message_id,
        "attachment_id": file.attachment_id,
        "filename": file.filename,
        "content_type": file.content_type,
        "size": file.size,
        "state": outcome.state,
        "reason": outcome.reason,
        "sha256": outcome.sha256,
        "bytes": outcome.bytes,
        "fetched_at": now().astimezone(UTC).isoformat(),
    }
