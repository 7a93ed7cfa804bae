"""Routes that list threads: active ones, archived ones, and who is in them."""

from pipeline.testing.double import intents, rights
from pipeline.testing.double.answers import Answer, bad_form, plain, refusal
from pipeline.testing.double.routes import Ask, Route, number, route, snowflake
from pipeline.testing.double.times import moment
from pipeline.testing.double.world import Object, World, sendable

ROUTES: list[Route] = []
PUBLIC_KINDS = {0: {11}, 5: {10}, 15: {11}, 16: {11}}  # by the kind of the parent
PRIVATE_KINDS = {0: {12}}


@route(ROUTES, "active threads", "/guilds/{guild}/threads/active")
def active_threads(world: World, ask: Ask) -> Answer:
    """List every active thread that the bot sees, by descending id, with its memberships."""
    guild = world.guilds.get(ask.path["guild"])
    if guild is None:
        return refusal(10004)
    active = [
        thread
        for thread in guild.get("threads", [])
        if not thread["thread_metadata"]["archived"] and world.i_see(thread, guild)
    ]
    active.sort(key=lambda thread: -int(thread["id"]))
    return plain(_listing(world, guild, active))


@route(ROUTES, "archived public", "/channels/{channel}/threads/archived/public")
def archived_public(world: World, ask: Ask) -> Answer:
    """Page through archived public threads by archive time, newest first."""
    return _archived(world, ask, PUBLIC_KINDS, rights.READ_MESSAGE_HISTORY)


@route(ROUTES, "archived private", "/channels/{channel}/threads/archived/private")
def archived_private(world: World, ask: Ask) -> Answer:
    """Page through all archived private threads; wants MANAGE_THREADS."""
    wanted = rights.READ_MESSAGE_HISTORY | rights.MANAGE_THREADS
    return _archived(world, ask, PRIVATE_KINDS, wanted)


@route(ROUTES, "joined private", "/channels/{channel}/users/@me/threads/archived/private")
def joined_private(world: World, ask: Ask) -> Answer:
    """Page through the archived private threads that the bot is in, by descending id."""
    parent = _parent(world, ask, rights.READ_MESSAGE_HISTORY)
    if isinstance(parent, Answer):
        return parent
    before = snowflake(ask.query, "before")
    if isinstance(before, Answer):
        return before
    channel, guild = parent
    mine = [
        thread
        for thread in _under(guild, channel, PRIVATE_KINDS)
        if world.me["id"] in thread.get("member_ids", ())
        and (before is None or int(thread["id"]) < before)
    ]
    mine.sort(key=lambda thread: -int(thread["id"]))
    return _page(world, ask, guild, mine)


@route(ROUTES, "thread members", "/channels/{channel}/thread-members")
def thread_members(world: World, ask: Ask) -> Answer:
    """List who is in a thread; 403 without the Guild Members intent."""
    found = world.channel(ask.path["channel"])
    if found is None or found[1] is None or found[0]["type"] not in rights.THREAD_KINDS:
        return refusal(10003)
    thread, guild = found[0], found[1]
    if not world.i_see(thread, guild) or not int(world.application["flags"]) & intents.MEMBERS:
        return refusal(50001)
    limit = number(ask.query, "limit", 100, 1, 100)
    if isinstance(limit, Answer):
        return limit
    after = snowflake(ask.query, "after")
    if isinstance(after, Answer):
        return after
    ids = sorted(int(u) for u in thread.get("member_ids", []) if int(u) > (after or 0))
    return plain([_membership(thread, str(u)) for u in ids[:limit]])


def _parent(world: World, ask: Ask, wanted: int) -> Answer | tuple[Object, Object]:
    found = world.channel(ask.path["channel"])
    if found is None:
        return refusal(10003)
    channel, guild = found
    if guild is None or channel["type"] not in PUBLIC_KINDS:
        return refusal(50024)
    held = world.my_rights(channel, guild)
    if not held & rights.VIEW_CHANNEL:
        return refusal(50001)
    if held & wanted != wanted:
        return refusal(50013)
    return channel, guild


def _under(guild: Object, channel: Object, kinds: dict[int, set[int]]) -> list[Object]:
    wanted = kinds.get(channel["type"], set())
    return [
        thread
        for thread in guild.get("threads", [])
        if thread.get("parent_id") == channel["id"]
        and thread["type"] in wanted
        and thread["thread_metadata"]["archived"]
    ]


def _archived(world: World, ask: Ask, kinds: dict[int, set[int]], wanted: int) -> Answer:
    parent = _parent(world, ask, wanted)
    if isinstance(parent, Answer):
        return parent
    channel, guild = parent
    key = _archived_at
    threads = sorted(_under(guild, channel, kinds), key=key, reverse=True)
    if (before := ask.query.get("before")) is not None:
        try:
            limit_time = moment(before)
        except ValueError:
            return bad_form("before", "DATE_TIME_TYPE_PARSE", f'Could not parse "{before}".')
        threads = [t for t in threads if key(t) < limit_time]
    return _page(world, ask, guild, threads)


def _archived_at(thread: Object) -> float:
    return moment(thread["thread_metadata"]["archive_timestamp"])


def _page(world: World, ask: Ask, guild: Object, threads: list[Object]) -> Answer:
    limit = number(ask.query, "limit", 50, 2, 100)
    if isinstance(limit, Answer):
        return limit
    listing = _listing(world, guild, threads[:limit])
    return plain({**listing, "has_more": len(threads) > limit})


def _listing(world: World, guild: Object, threads: list[Object]) -> Object:
    me = world.me["id"]
    mine = [_membership(t, me) for t in threads if me in t.get("member_ids", ())]
    return {"threads": [sendable(t, guild) for t in threads], "members": mine}


def _membership(thread: Object, user_id: str) -> Object:
    joined = thread["thread_metadata"].get("create_timestamp")
    joined = joined or thread["thread_metadata"]["archive_timestamp"]
    return {"id": thread["id"], "user_id": user_id, "join_timestamp": joined, "flags": 0}
