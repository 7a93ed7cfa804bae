"""How an answer goes wrong, and how answers leave: whole, in pieces, or not at all."""

import asyncio
import json
import random
from dataclasses import replace
from itertools import pairwise

from aiohttp import web

from pipeline.testing.double.answers import EDGE_PAGE, JSON, Answer, plain
from pipeline.testing.double.faults import Fault

VIA = "1.1 google"
HTML = "text/html; charset=UTF-8"  # what the edge speaks; it sends no Via
NO_VIA = {"edge", "no via"}


def too_many(wait_seconds: float, scope: str, headers: dict[str, str]) -> Answer:
    """Answer 429 as Discord does: the wait in header and body, the scope beside it."""
    is_global = scope == "global"
    body = {"message": "You are being rate limited.", "retry_after": wait_seconds,
            "global": is_global}  # fmt: skip
    if scope == "shared":
        body["message"] = "The resource is being rate limited."
    more = {"Retry-After": f"{wait_seconds:.3f}", "X-RateLimit-Scope": scope}
    if is_global:
        more["X-RateLimit-Global"] = "true"
    return replace(plain(body, 429), headers=headers | more)


def bend(answer: Answer, fault: Fault) -> Answer:
    """Give the answer as a fault leaves it; what concerns only its sending is left to `send`."""
    if fault.kind == "status":
        status = fault.status or 500
        body = {"message": fault.message or f"{status}: Error", "code": fault.code}
        return replace(plain(body, status), headers=answer.headers)
    if fault.kind == "limited":
        headers = answer.headers | {"X-RateLimit-Remaining": str(fault.remaining)}
        return too_many(fault.retry_after, fault.scope, headers)
    if fault.kind == "edge":
        return Answer(EDGE_PAGE, fault.status or 429, {"Server": "cloudflare"}, HTML)
    if fault.kind == "truncated":
        return replace(answer, body=answer.body[: fault.bytes or len(answer.body) // 2])
    if fault.kind == "wrong type":
        return replace(answer, content_type=fault.content_type or "application/json; charset=utf-8")
    if fault.kind == "answer":
        text = fault.body if isinstance(fault.body, str) and fault.content_type else None
        body_bytes = text.encode() if text is not None else json.dumps(fault.body).encode()
        return Answer(body_bytes, fault.status or 200, answer.headers, fault.content_type or JSON)
    if fault.kind == "out of order" and answer.body.startswith(b"["):
        rows = json.loads(answer.body)
        random.Random(fault.seed).shuffle(rows)  # noqa: S311 -- not a secret
        return replace(plain(rows), headers=answer.headers)
    return answer


async def send(request: web.Request, answer: Answer, fault: Fault | None) -> web.StreamResponse:
    """Send an answer, as fast and as whole as the fault lets it."""
    kind = fault.kind if fault else ""
    headers = {"Content-Type": answer.content_type, **answer.headers}
    if kind not in NO_VIA and answer.content_type != HTML:
        headers["Via"] = VIA
    if fault is None or kind not in {"reset", "slow", "stall"}:
        return web.Response(body=answer.body, status=answer.status, headers=headers)
    if kind == "stall":
        await asyncio.sleep(fault.seconds)
        return web.Response(body=answer.body, status=answer.status, headers=headers)
    if kind == "reset" and fault.bytes == 0:
        return _cut(request)
    response = web.StreamResponse(status=answer.status, headers=headers)
    response.content_length = len(answer.body)
    await response.prepare(request)
    if kind == "reset":
        await response.write(answer.body[: min(fault.bytes, len(answer.body) - 1)])
        return _cut(request, response)
    step = fault.bytes or 64
    edges = [*range(0, len(answer.body), step), len(answer.body)]
    for start, end in pairwise(edges):
        await response.write(answer.body[start:end])
        await asyncio.sleep(fault.seconds / len(edges))
    return response


def _cut(request: web.Request, response: web.StreamResponse | None = None) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return response or web.Response()
