"""The double itself: an aiohttp server on loopback, in a thread or in the foreground."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiohttp import web

from pipeline.testing.double import guild_routes, message_routes, thread_routes
from pipeline.testing.double.answers import NOT_ALLOWED, NOT_FOUND, UNAUTHORIZED, Answer
from pipeline.testing.double.faults import Fault, Faults
from pipeline.testing.double.limits import Buckets, Limits
from pipeline.testing.double.links import is_good
from pipeline.testing.double.misbehave import bend, send, too_many
from pipeline.testing.double.routes import Ask, Route
from pipeline.testing.double.world import World

TOKEN = "double.bot.token"  # noqa: S105 -- opens nothing but this double
API = "/api/v10"
CURSORS = ("before", "after", "around")
ROUTES = [*guild_routes.ROUTES, *message_routes.ROUTES, *thread_routes.ROUTES]


@dataclass(frozen=True, slots=True)
class Recorded:
    """One request that arrived, and the status that it got (0: the line was cut)."""

    method: str
    path: str  # without /api/v10
    query: str
    at: float
    route: str  # its name in the table, "file" for the CDN, "" for none
    had_token: bool
    user_agent: str
    status: int


class Double:
    """
    A Discord of one corpus folder, on 127.0.0.1.

    Use it as a context manager: it serves from a thread until the block ends. `world` may be
    changed and `faults` added while it runs; `requests` tells what was asked, in order.
    """

    def __init__(
        self,
        corpus: Path | World,
        *,
        token: str = TOKEN,
        port: int = 0,
        faults: Iterable[Fault] = (),
        limits: Limits = Limits(),  # noqa: B008 -- frozen
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.world = corpus if isinstance(corpus, World) else World(corpus, clock)
        self.token = token
        self.port = port
        self.faults = Faults(faults)
        self.buckets = Buckets(limits)
        self.requests: list[Recorded] = []
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._runner: web.AppRunner | None = None

    def asked(self, route: str) -> list[Recorded]:
        """Give the requests for one route, by its name, in order."""
        return [r for r in self.requests if r.route == route]

    def writes(self) -> list[Recorded]:
        """Give the requests that were not GET: none, unless a DM was to be opened."""
        return [r for r in self.requests if r.method != "GET"]

    def repeated(self) -> list[Recorded]:
        """Give the requests that asked again for what had been answered whole before."""
        answered: set[tuple[str, str, str]] = set()
        again = []
        for r in self.requests:
            if (r.method, r.path, r.query) in answered:
                again.append(r)
            if 200 <= r.status < 300:
                answered.add((r.method, r.path, r.query))
        return again

    @property
    def base(self) -> str:
        """Give the address without a path: where the CDN's links point."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """Give the API's base address, as discord.py's `Route.BASE` wants it."""
        return self.base + API

    def __enter__(self) -> Self:
        started = threading.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, args=(started,), daemon=True)
        self._thread.start()
        started.wait()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._loop is not None
        assert self._thread is not None
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self.world.close()

    def _run(self, started: threading.Event) -> None:
        assert self._loop is not None
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self.start())
        started.set()
        self._loop.run_forever()
        self._loop.run_until_complete(self.stop())
        self._loop.close()

    async def start(self) -> None:
        """Bind the port and answer from now on, in the running loop."""
        app = web.Application(client_max_size=1 << 20)
        app.router.add_route("*", "/{path:.*}", self.handle)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await site.start()
        self.port = self._runner.addresses[0][1]

    async def stop(self) -> None:
        """Close the port and what hangs on it."""
        assert self._runner is not None
        await self._runner.cleanup()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Answer one request: find its route, let limits and faults have their say, record it."""
        found = self._find(request)
        route, variables = found if found else (None, {})
        name = route.name if route else self._nameless(request.path)
        body = await _json_of(request)
        with self.world.lock:
            about = {"method": request.method, **variables, **dict(request.query)}
            fault = self.faults.pick(name, about)
            if fault and fault.kind == "hook" and fault.action:
                fault.action(self)
            deaf = CURSORS if fault and fault.kind == "same page" else ()
            query = {k: v for k, v in request.query.items() if k not in deaf}
            ask = Ask(variables, query, body, self.base)
            answer = self._answer(request, route, ask)
            answer = bend(answer, fault) if fault else answer
            self._note(request, name, 0 if fault and fault.kind == "reset" else answer.status)
        return await send(request, answer, fault)

    def _find(self, request: web.Request) -> tuple[Route, dict[str, str]] | None:
        if not request.path.startswith(API):
            return None
        path = request.raw_path.split("?")[0].removeprefix(API)
        for route in ROUTES:
            if route.method == request.method and (found := route.match(path)) is not None:
                return route, found
        return None

    def _nameless(self, path: str) -> str:
        return "file" if path.startswith("/attachments/") else ""

    def _answer(self, request: web.Request, route: Route | None, ask: Ask) -> Answer:
        now = self.world.now()
        if self.buckets.is_blocked(now):
            return bend(NOT_FOUND, Fault("edge", status=429))
        if request.path.startswith("/attachments/"):
            return self._file(request.raw_path.split("?")[0], ask)
        if request.headers.get("Authorization") != f"Bot {self.token}":
            self.buckets.note_invalid(now)
            return UNAUTHORIZED
        if route is None:
            known = any(r.match(request.path.removeprefix(API)) is not None for r in ROUTES)
            return NOT_ALLOWED if known else NOT_FOUND
        verdict = self.buckets.take(route.name, route.resource(ask.path), now)
        if verdict.wait_seconds is not None:
            self.buckets.note_invalid(now)
            return too_many(verdict.wait_seconds, verdict.scope, verdict.headers)
        answer = route.handler(self.world, ask)
        if answer.status in {401, 403}:
            self.buckets.note_invalid(now)
        return Answer(answer.body, answer.status, verdict.headers, answer.content_type)

    def _file(self, path: str, ask: Ask) -> Answer:
        attachment_id = path.split("/")[3] if path.count("/") >= 4 else ""
        held = self.world.folder / "files" / attachment_id
        if not is_good(path, ask.query, self.world.now()) or not attachment_id.isdigit():
            text = b"This content is no longer available."
            return Answer(text, 404, content_type="text/plain;charset=UTF-8")
        if not held.is_file():
            return Answer(b"", 404, content_type="text/plain;charset=UTF-8")
        return Answer(held.read_bytes(), content_type="application/octet-stream")

    def _note(self, request: web.Request, name: str, status: int) -> None:
        path = request.raw_path.split("?")[0].removeprefix(API)
        headers = request.headers
        self.requests.append(
            Recorded(
                request.method, path, request.query_string, time.time(), name,
                "Authorization" in headers, headers.get("User-Agent", ""), status,
            )
        )  # fmt: skip


async def _json_of(request: web.Request) -> Any:
    if not request.can_read_body:
        return None
    try:
        return json.loads(await request.read())
    except json.JSONDecodeError:
        return None


def how_to_dump(url: str, token: str) -> list[str]:
    """Give the lines to paste into another shell."""
    return [
        "in another shell (a name under data/, source = discord):",
        f"  export DISCORD_TOKEN={token}",
        f"  backfold run dump --agent NAME --set dump.api_base={url}",
    ]


def serve(
    corpus: Path,
    *,
    say: Callable[[str], None],
    token: str = TOKEN,
    port: int = 0,
    faults: Iterable[Fault] = (),
    requests_per_second: float | None = None,
) -> None:
    """Serve a corpus folder until interrupted; the first line said is the API's address."""
    double = Double(
        corpus, token=token, port=port, faults=faults, limits=Limits(per_second=requests_per_second)
    )

    async def forever() -> None:
        await double.start()
        for line in (double.url, *how_to_dump(double.url, token)):
            say(line)
        try:
            await asyncio.Event().wait()
        finally:
            await double.stop()

    try:
        asyncio.run(forever())
    except KeyboardInterrupt:
        say(f"{len(double.requests)} requests answered")
