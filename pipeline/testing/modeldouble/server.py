"""The HTTP side of the double: routes, keys, what it remembers, and how bytes leave it."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self

from pipeline.models.scripted import recite_digest
from pipeline.testing.modeldouble.lies import Lie, Reply, honest, refuse, told_lie, wished
from pipeline.testing.modeldouble.wire import Asked, Protocol, Wish, read_request
from pipeline.testing.prefixcache import MarkedCache, PrefixCache

KEY = "sk-double-000000000000"
MODEL = "double"
ROUTES: dict[str, Protocol] = {"/v1/chat/completions": "openai", "/v1/messages": "anthropic"}
Lies = Iterable[Lie | None] | Callable[[int, Asked], Lie | None]


def recite(asked: Asked) -> str:
    """Answer with sentences that depend on the prompt alone."""
    return recite_digest(asked.digest)


class ModelDouble:
    """
    A model server on loopback; see the package's heading.

    `lies` is a list, one entry a request (null: honest; after its end all are honest), or a
    function of the request's number (from 0) and content. `text` answers honest requests,
    or gives a `Wish` to use a tool first. A prompt longer than `window_tokens` gets the 400 of
    an overfull window.
    """

    def __init__(
        self,
        lies: Lies = (),
        text: Callable[[Asked], str | Wish] = recite,
        window_tokens: int | None = None,
        models: tuple[str, ...] = (MODEL,),
        key: str = KEY,
    ) -> None:
        self.key, self.models, self.window_tokens = key, models, window_tokens
        self.text = text
        self.asked: list[Asked] = []
        self.closing = threading.Event()
        self._next_lie: Callable[[int, Asked], Lie | None]
        self._next_lie = lies if callable(lies) else in_turn(iter(lies))
        self._lock = threading.Lock()
        self._prefixes, self._marked = PrefixCache(), MarkedCache()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler_for(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def anthropic_url(self) -> str:
        """The base URL for the Messages API."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def openai_url(self) -> str:
        """The base URL for chat completions."""
        return f"{self.anthropic_url}/v1"

    @property
    def cached_share(self) -> float:
        """The share of all prompt tokens that came from the cache; 0 before the first request."""
        tokens = sum(asked.tokens for asked in self.asked)
        return sum(asked.cached for asked in self.asked) / tokens if tokens else 0.0

    def reply(self, path: str, key: str, raw: bytes) -> Reply:
        """Answer one HTTP request."""
        protocol = ROUTES.get(path.partition("?")[0])
        if protocol is None:
            return Reply(404, b"not here")
        try:
            asked = read_request(protocol, json.loads(raw))
        except (ValueError, KeyError, TypeError) as error:
            return Reply(400, json.dumps({"error": {"message": repr(error)}}).encode())
        with self._lock:
            asked = self._with_cache(asked)
            number = len(self.asked)
            self.asked.append(asked)
            lie = self._next_lie(number, asked)
        if refused := self._refuse(asked, key):
            return refused
        text = self.text(asked)
        if isinstance(text, Wish):
            return wished(asked, text)
        return told_lie(asked, text, lie) if lie else honest(asked, text)

    def _with_cache(self, asked: Asked) -> Asked:
        if asked.protocol == "openai":
            return replace(asked, cached=self._prefixes.read(asked.prompt))
        cached, written = self._marked.read(asked.pieces)
        return replace(asked, cached=cached, written=written)

    def _refuse(self, asked: Asked, key: str) -> Reply | None:
        if key != self.key:
            said = f"Incorrect API key provided: {key}"
            return refuse(asked, 401, "authentication_error", said)
        if asked.model not in self.models:
            said = f"The model {asked.model} does not exist"
            return refuse(asked, 404, "model_not_found", said)
        if self.window_tokens is not None and asked.tokens > self.window_tokens:
            said = f"prompt is too long: {asked.tokens} tokens > {self.window_tokens} maximum"
            return refuse(asked, 400, "context_length_exceeded", said)
        return None


def in_turn(lies: Iterator[Lie | None]) -> Callable[[int, Asked], Lie | None]:
    """Tell the lies of a list one after the other, then none."""
    return lambda _number, _asked: next(lies, None)


def handler_for(double: ModelDouble) -> type[BaseHTTPRequestHandler]:
    """Make the handler class that the HTTP server wants, bound to a double."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # head and body in one packet, or the client's kernel waits 40 ms

        def do_POST(self) -> None:
            raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            bearer = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
            key = self.headers.get("X-Api-Key") or bearer
            self.send(double.reply(self.path, key, raw))

        def send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(reply.body)))
            for name, value in reply.headers:
                self.send_header(name, value)
            self.end_headers()
            try:
                self.send_body(reply)
            except OSError:
                self.close_connection = True  # the client went away first

        def send_body(self, reply: Reply) -> None:
            if reply.breaks:
                self.wfile.write(reply.body[: len(reply.body) // 2])
                self.wfile.flush()
                # Linger 0 makes the close a reset, as when a server dies.
                self.connection.setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
                )
                self.close_connection = True
            elif reply.seconds_per_byte:
                for place in range(len(reply.body)):
                    if double.closing.wait(reply.seconds_per_byte):
                        self.close_connection = True
                        return
                    self.wfile.write(reply.body[place : place + 1])
                    self.wfile.flush()
            else:
                self.wfile.write(reply.body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - inherited name
            """Say nothing: the double's records are in `asked`."""

    return Handler
