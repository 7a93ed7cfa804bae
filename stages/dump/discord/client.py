"""
Talk to Discord through discord.py's HTTP layer, and let nothing else out of the process.

discord.py logs in and sends; the gate, an aiohttp trace under it, refuses whatever is not
on the list, follows no redirect, and takes every answer that is no success out of the
library's hands, so that retries and waits are ours. The gateway is never opened.
"""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Self

import aiohttp
from discord.http import HTTPClient, Ratelimit, Route

from pipeline.errors import NetworkError
from stages.dump.discord.faults import (
    EDGE_PAUSES_SECONDS,
    LIMIT_TRIES,
    LONGEST_WAIT_SECONDS,
    MESSAGE_LENGTH,
    TRIES,
    DeniedError,
    GarbledError,
    UnreachableError,
    Verdict,
    broken_words,
    judge,
    pause_seconds,
)
from stages.dump.discord.limits import Clock, Limiter, duration
from stages.dump.discord.routes import API, API_PATH, OPEN_DM, Ask, ask, is_allowed
from stages.dump.discord.shapes import checked
from stages.dump.discord.token import TOKEN_VARIABLE, scrub

TIMEOUT = aiohttp.ClientTimeout(total=120, sock_connect=30)
TOLD_FAILURES = 3  # from here on a failing request is spoken of
NO_WAIT_SECONDS = 0.001  # discord.py gives up a bucket's wait beyond this: waits are ours
# What the library and the transport may raise for a broken connection or a garbled body.
BROKEN = (aiohttp.ClientError, OSError, ValueError)


class RefusedError(Exception):
    """An answer that is no success, caught under the library."""

    def __init__(self, status: int, headers: Any, body: bytes) -> None:
        super().__init__(f"status {status}")
        self.status = status
        self.headers = headers
        self.body = body


class BrokenError(Exception):
    """A connection or a body that broke; no OSError, so that the library does not retry it."""


class BlockedError(UnreachableError):
    """A request that is not on the list was stopped before it left; others may pass."""


class Http(HTTPClient):
    """discord.py's client with its own pacing taken out: each request gets an open bucket."""

    def get_ratelimit(self, key: str) -> Ratelimit:
        """Give a bucket that never sleeps; `Limiter` is the one that waits."""
        return Ratelimit(NO_WAIT_SECONDS)


@dataclass(slots=True)
class Gate:
    """What stands between the library and the wire."""

    base: str
    limiter: Limiter
    current: Ask | None = None  # the request that is on its way
    sent: int = 0
    step: Callable[[], None] | None = None  # told of each request that leaves

    def trace(self) -> aiohttp.TraceConfig:
        """Give the hooks that aiohttp calls around every request."""
        config = aiohttp.TraceConfig()
        config.on_request_start.append(self._start)
        config.on_request_redirect.append(self._redirect)
        config.on_request_end.append(self._end)
        config.on_request_exception.append(self._broke)
        return config

    async def _start(
        self, _s: aiohttp.ClientSession, _c: SimpleNamespace, p: aiohttp.TraceRequestStartParams
    ) -> None:
        opening = self.current is not None and self.current.route == "open dm"
        if not is_allowed(p.method, str(p.url), self.base, opening=opening):
            raise BlockedError(f"{p.method} {p.url.path} is not on dump's list of routes; not sent")
        self.sent += 1
        if self.step is not None:
            self.step()

    async def _redirect(
        self, _s: aiohttp.ClientSession, _c: SimpleNamespace, p: aiohttp.TraceRequestRedirectParams
    ) -> None:
        raise BlockedError(f"{p.url.path} answers with a redirect; none is followed")

    async def _end(
        self, _s: aiohttp.ClientSession, _c: SimpleNamespace, p: aiohttp.TraceRequestEndParams
    ) -> None:
        body = await p.response.read()
        status, headers = p.response.status, p.response.headers
        if self.current is not None:
            self.limiter.learn(self.current.route, self.current.resource, status, headers)
        is_json = (
            headers.get("Content-Type", "").partition(";")[0].strip().lower() == "application/json"
        )
        if not 200 <= status < 300 or not is_json:
            raise RefusedError(status, headers, body)

    async def _broke(
        self, _s: aiohttp.ClientSession, _c: SimpleNamespace, p: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if isinstance(p.exception, BROKEN):
            raise BrokenError(broken_words(p.exception)) from None


@dataclass(slots=True)
class Client:
    """
    Discord as `dump` sees it: ask, and get the decoded object or a `DeniedError`.

    Use it as an async context manager; entering logs in. `me` is the bot's own user object.
    """

    token: str = field(repr=False)
    base: str
    limiter: Limiter
    clock: Clock
    tell: Callable[[str], None]
    gate: Gate = field(init=False, repr=False)
    http: Http = field(init=False, repr=False)
    me: dict[str, Any] = field(init=False, default_factory=dict)
    denied: dict[str, DeniedError] = field(default_factory=dict)
    edge_blocks: int = 0

    async def __aenter__(self) -> Self:
        self.gate = Gate(self.base, self.limiter)
        Route.BASE = self.base  # the library's one place for it
        self.http = Http(asyncio.get_running_loop(), http_trace=self.gate.trace())
        try:
            self.me = await self._who_am_i()
            if self.me.get("bot") is not True:
                raise NetworkError(
                    f"{TOKEN_VARIABLE} belongs to a user's account, not to a bot; accounts are "
                    f"banned for reading with it: take the bot's own token"
                )
        except BaseException:
            await self.http.close()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.close()
        Route.BASE = API

    async def _who_am_i(self) -> dict[str, Any]:
        """Log in; gives the bot's own user object, without the token should it be in there."""
        try:
            me: dict[str, Any] = await self._until_answered(ask("me"), self._login)
        except (DeniedError, GarbledError) as error:
            is_whole = self.base.endswith(API_PATH)
            hint = "see what stands there" if is_whole else f"it should end in {API_PATH}"
            raise NetworkError(
                f"{self.base} does not answer as the API does ({error}); dump.api_base: {hint}"
            ) from None
        return {**me, "username": scrub(str(me.get("username")), self.token)}

    @property
    def requests(self) -> int:
        """How many requests have left."""
        return self.gate.sent

    async def ask(self, wish: Ask) -> Any:
        """
        Give the decoded answer.

        Raises `DeniedError` where Discord says no, `UnreachableError` where this request got none
        within its tries, `NetworkError` where no request can go on. What was forbidden once
        is remembered and not asked again in this run.
        """
        if known := self.denied.get(wish.lane):
            raise known

        async def send() -> Any:
            return await self.http.request(
                Route("GET", wish.path), params=dict(wish.query), timeout=TIMEOUT
            )

        return await self._until_answered(wish, send)

    def is_forbidden(self, route: str, resource: str) -> bool:
        """Say whether a route of a channel or guild was refused in this run."""
        return f"{route}:{resource}" in self.denied

    async def open_dm(self, user_id: str) -> Any:
        """Open, or find, the DM with one user: the one POST. Gives the channel."""
        wish = Ask("open dm")

        async def send() -> Any:
            return await self.http.request(
                Route("POST", OPEN_DM), json={"recipient_id": user_id}, timeout=TIMEOUT
            )

        return await self._until_answered(wish, send)

    async def _login(self) -> Any:
        if self.http.token is None:
            return await self.http.static_login(self.token)
        return await self.http.request(Route("GET", "/users/@me"), timeout=TIMEOUT)

    async def _until_answered(self, wish: Ask, send: Callable[[], Any]) -> Any:
        failures = limits = 0
        while True:
            await self.limiter.ready(wish.route, wish.resource)
            self.gate.current = wish
            try:
                answer = decoded(await send())
            except RefusedError as refused:
                verdict = judge(refused.status, refused.headers, refused.body)
                said = f"status {refused.status}"
            except BrokenError as broken:
                verdict, said = Verdict("again"), str(broken)
            except RecursionError:
                raise GarbledError(f"{wish.path}: the answer is nested too deep to read") from None
            except BROKEN as error:  # a body that is no JSON after all
                verdict, said = Verdict("again"), broken_words(error)
            else:
                self.edge_blocks = 0
                return checked(wish.route, wish.path, answer)
            finally:
                self.gate.current = None
            failures += verdict.kind == "again"
            limits += verdict.kind == "limit"
            if verdict.wait_seconds > LONGEST_WAIT_SECONDS or limits > LIMIT_TRIES:
                raise UnreachableError(
                    f"{wish.path}: Discord limits this request for longer than is waited "
                    f"({limits} waits, next {duration(verdict.wait_seconds)})"
                )
            await self._face(wish, verdict, said, failures)

    async def _face(self, wish: Ask, verdict: Verdict, said: str, failures: int) -> None:
        """Wait as an answer asks, or raise what it means."""
        if verdict.kind == "stop":
            raise NetworkError(
                f"Discord refuses the token (401); set {TOKEN_VARIABLE} to the bot's current token"
            )
        if verdict.kind == "answer":
            message = scrub(verdict.message, self.token)[:MESSAGE_LENGTH]  # a cut token slips by
            denied = DeniedError(verdict.status, verdict.code, message, wish.path)
            if denied.status == 403:
                self.denied[wish.lane] = denied
            raise denied
        if verdict.kind == "limit":
            self.limiter.refused(
                wish.route, wish.resource, verdict.wait_seconds, everywhere=verdict.everywhere
            )
        elif verdict.kind == "edge":
            await self._face_edge(verdict)
        elif failures >= TRIES:
            raise UnreachableError(f"{wish.path}: no usable answer in {TRIES} tries, last: {said}")
        else:
            pause = pause_seconds(failures, self.clock.jitter())
            if failures >= TOLD_FAILURES:
                self.tell(
                    f"dump: {wish.path}: no usable answer ({said}), try {failures + 1} of {TRIES} "
                    f"in {duration(pause)}"
                )
            await self.clock.sleep(pause)

    async def _face_edge(self, verdict: Verdict) -> None:
        if self.edge_blocks >= len(EDGE_PAUSES_SECONDS):
            waited = duration(sum(EDGE_PAUSES_SECONDS))
            raise NetworkError(
                f"Discord's edge (Cloudflare) keeps refusing this address, {waited} of waiting "
                f"included; wait an hour or more and run dump again: it goes on where it stopped"
            )
        pause = max(verdict.wait_seconds, EDGE_PAUSES_SECONDS[self.edge_blocks])
        self.edge_blocks += 1
        await self.limiter.wait(pause, "Discord's edge refuses this address")


def decoded(answer: Any) -> Any:
    """Give the object; discord.py hands over text where the content type names a charset."""
    return json.loads(answer) if isinstance(answer, str) else answer
