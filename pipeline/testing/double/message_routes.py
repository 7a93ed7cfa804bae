"""Routes about a channel and what was said in it."""

import json
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import unquote

from pipeline.testing.double import intents, rights
from pipeline.testing.double.answers import Answer, bad_form, listed, plain, refusal
from pipeline.testing.double.links import refresh
from pipeline.testing.double.routes import Ask, Route, number, route, snowflake
from pipeline.testing.double.shelf import Shelf, encode
from pipeline.testing.double.times import moment
from pipeline.testing.double.world import Object, World, sendable

ROUTES: list[Route] = []
WITHOUT_MESSAGES = {4, 14, 15, 16}  # category, directory, forum, media


@route(ROUTES, "channel", "/channels/{channel}")
def channel(world: World, ask: Ask) -> Answer:
    """Give one channel, thread or known DM; 50001 where the bot does not see it."""
    found = world.channel(ask.path["channel"])
    if found is None:
        return refusal(10003)
    place, guild = found
    if guild is not None and not world.i_see(place, guild):
        return refusal(50001)
    return plain(sendable(place, guild))


@route(ROUTES, "messages", "/channels/{channel}/messages")
def messages(world: World, ask: Ask) -> Answer:
    """
    Give a page of messages, newest first whichever cursor is used (discord-rest §2).

    Without READ_MESSAGE_HISTORY the list is empty and the status 200, as on Discord.
    """
    barred = _barred(world, ask)
    if isinstance(barred, Answer):
        return barred
    limit = number(ask.query, "limit", 50, 1, 100)
    if isinstance(limit, Answer):
        return limit
    cursors = {key: snowflake(ask.query, key) for key in ("before", "after", "around")}
    for cursor in cursors.values():
        if isinstance(cursor, Answer):
            return cursor
    ids = [] if barred else _page_ids(world.shelf(ask.path["channel"]), cursors, limit)
    return listed(list(seen(world, ask, ids)))


def _page_ids(shelf: Shelf, cursors: Mapping[str, Any], limit: int) -> list[int]:
    if (middle := cursors["around"]) is not None:
        return shelf.around(middle, limit)
    if (above := cursors["after"]) is not None:
        return shelf.oldest_above(above, limit)
    return shelf.newest_below(cursors["before"], limit)


@route(ROUTES, "pins", "/channels/{channel}/messages/pins")  # before the route that takes any word
def pins(world: World, ask: Ask) -> Answer:
    """Page through pins, last pinned first, by the time of pinning."""
    barred = _barred(world, ask)
    if isinstance(barred, Answer):
        return barred
    limit = number(ask.query, "limit", 50, 1, 50)
    if isinstance(limit, Answer):
        return limit
    pinned = [] if barred else _pinned(world, ask.path["channel"])
    if (before := ask.query.get("before")) is not None:
        try:
            pinned = [row for row in pinned if moment(row[0]) < moment(before)]
        except ValueError:
            return bad_form("before", "DATE_TIME_TYPE_PARSE", f'Could not parse "{before}".')
    page = pinned[:limit]
    lines = seen(world, ask, [n for _, n in page])
    items = [
        b'{"pinned_at":"%s","message":%s}' % (at.encode(), line)
        for (at, _), line in zip(page, lines, strict=True)
    ]
    more = b"true" if len(pinned) > limit else b"false"
    return Answer(b'{"items":[' + b",".join(items) + b'],"has_more":' + more + b"}")


@route(ROUTES, "message", "/channels/{channel}/messages/{message}")
def message(world: World, ask: Ask) -> Answer:
    """Give one message; 10008 where there is none, or no right to read back."""
    barred = _barred(world, ask)
    if isinstance(barred, Answer):
        return barred
    number_ = int(ask.path["message"]) if ask.path["message"].isdigit() else 0
    if barred or number_ not in world.shelf(ask.path["channel"]):
        return refusal(10008)
    return Answer(next(iter(seen(world, ask, [number_]))))


@route(ROUTES, "old pins", "/channels/{channel}/pins")
def old_pins(world: World, ask: Ask) -> Answer:
    """List up to fifty pinned messages, the deprecated way."""
    barred = _barred(world, ask)
    if isinstance(barred, Answer):
        return barred
    pinned = [] if barred else _pinned(world, ask.path["channel"])
    return listed(list(seen(world, ask, [n for _, n in pinned[:50]])))


def _pinned(world: World, channel_id: str) -> list[tuple[str, int]]:
    shelf = world.shelf(channel_id)
    told = {int(p["message_id"]): p["pinned_at"] for p in world.pins.get(channel_id, [])}
    at = {n: told.get(n) or shelf.message(n)["timestamp"] for n in shelf.pinned}
    return sorted(((time, n) for n, time in at.items()), reverse=True)


@route(ROUTES, "reactions", "/channels/{channel}/messages/{message}/reactions/{emoji}")
def reactions(world: World, ask: Ask) -> Answer:
    """List who reacted, by ascending user id; 10014 for an emoji nobody used."""
    barred = _barred(world, ask)
    if isinstance(barred, Answer):
        return barred
    by_emoji = world.reactors.get(ask.path["message"], {})
    emoji = unquote(ask.path["emoji"])
    if barred or emoji not in by_emoji:
        return refusal(10014)
    users = by_emoji[emoji] if ask.query.get("type", "0") == "0" else []
    return _people(world, ask, users)


@route(ROUTES, "poll voters", "/channels/{channel}/polls/{message}/answers/{answer}")
def poll_voters(world: World, ask: Ask) -> Answer:
    """List who voted for one answer of a poll."""
    barred = _barred(world, ask)
    if isinstance(barred, Answer):
        return barred
    answers = world.voters.get(ask.path["message"])
    if barred or answers is None:
        return refusal(10008)
    page = _people(world, ask, answers.get(ask.path["answer"], []))
    return page if page.status != 200 else Answer(b'{"users":' + page.body + b"}")


def _people(world: World, ask: Ask, user_ids: Iterable[str]) -> Answer:
    limit = number(ask.query, "limit", 25, 1, 100)
    if isinstance(limit, Answer):
        return limit
    after = snowflake(ask.query, "after")
    if isinstance(after, Answer):
        return after
    above = sorted(int(u) for u in user_ids if int(u) > (after or 0))
    return plain([world.user(str(u)) or {"id": str(u)} for u in above[:limit]])


@route(ROUTES, "search", "/guilds/{guild}/messages/search")
def search(world: World, ask: Ask) -> Answer:
    """Answer 202: the index is never ready here; a dump has no business with it."""
    return plain({**json.loads(refusal(110000).body), "retry_after": 5}, 202)


def _barred(world: World, ask: Ask) -> Answer | bool:
    """
    Judge the right to read back: an answer refuses, True reads nothing, False reads.

    Voice and stage want CONNECT on top of VIEW; a parent without messages is the wrong kind.
    """
    found = world.channel(ask.path["channel"])
    if found is None:
        return refusal(10003)
    place, guild = found
    if guild is None:
        return False
    if not world.i_see(place, guild):
        return refusal(50001)
    if place["type"] in WITHOUT_MESSAGES:
        return refusal(50024)
    held = world.my_rights(place, guild)
    if place["type"] in rights.VOICE_KINDS and not held & rights.CONNECT:
        return refusal(50001)
    return not held & rights.READ_MESSAGE_HISTORY


def seen(world: World, ask: Ask, ids: Iterable[int]) -> Iterable[bytes]:
    """
    Give messages as the bot gets them, encoded; untouched lines pass as the bytes they are.

    Only what must change is decoded: attachments (fresh links) and, without the Message
    Content intent, everything that is not exempt. A DM is never held back.
    """
    channel_id = ask.path["channel"]
    shelf = world.shelf(channel_id)
    flags = int(world.application["flags"])
    held_back = not flags & intents.MESSAGE_CONTENT and channel_id not in world.dms
    for number_ in ids:
        line = shelf.line(number_)
        if not held_back and b'"filename"' not in line:
            yield line
            continue
        decoded: Object = json.loads(line)
        if held_back:
            decoded = intents.withhold(decoded, world.me["id"])
        yield encode(refresh(decoded, ask.base, world.now()))
