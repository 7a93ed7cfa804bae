"""Routes about the bot itself, its guilds and the people in them."""

from typing import Any

from pipeline.testing.double import intents
from pipeline.testing.double.answers import Answer, plain, refusal
from pipeline.testing.double.rights import guild_rights
from pipeline.testing.double.routes import Ask, Route, number, route, snowflake
from pipeline.testing.double.world import Object, World, sendable

ROUTES: list[Route] = []
NOT_IN_THE_GUILD_OBJECT = {"channels", "threads", "members"}
PARTIAL_GUILD = ("id", "name", "icon", "banner", "features")


@route(ROUTES, "me", "/users/@me")
def me(world: World, ask: Ask) -> Answer:
    """Say who the token belongs to."""
    return plain(world.me)


@route(ROUTES, "application", "/applications/@me")
def application(world: World, ask: Ask) -> Answer:
    """Give the application with its flags, which tell the privileged intents."""
    return plain(_application(world))


@route(ROUTES, "login application", "/oauth2/applications/@me")
def login_application(world: World, ask: Ask) -> Answer:
    """Give the application as discord.py's login asks for it."""
    return plain(_application(world))


def _application(world: World) -> Object:
    owner = {"id": "1000000000000000001", "username": "owner", "discriminator": "0",
             "global_name": None, "avatar": None}  # fmt: skip
    given: Object = {
        "id": world.me["id"], "name": world.me["username"], "icon": None, "description": "",
        "summary": "", "bot_public": False, "bot_require_code_grant": False, "hook": True,
        "verify_key": "0" * 64, "owner": owner, "team": None, "bot": world.me,
        "approximate_guild_count": len(world.guilds), "integration_types_config": {},
    }  # fmt: skip
    return given | world.application


@route(ROUTES, "guilds", "/users/@me/guilds")
def guilds(world: World, ask: Ask) -> Answer:
    """List the bot's guilds by ascending id, paged by `after` or `before`."""
    limit = number(ask.query, "limit", 200, 1, 200)
    if isinstance(limit, Answer):
        return limit
    after, before = snowflake(ask.query, "after"), snowflake(ask.query, "before")
    if isinstance(after, Answer):
        return after
    if isinstance(before, Answer):
        return before
    ids = [i for i in sorted(world.guilds, key=int) if int(i) > (after or 0)]
    if before is not None:
        ids = [i for i in ids if int(i) < before][-limit:]
    return plain([_partial(world, world.guilds[i], ask) for i in ids[:limit]])


def _partial(world: World, guild: Object, ask: Ask) -> Object:
    given: Object = {key: guild.get(key) for key in PARTIAL_GUILD}
    given["features"] = guild.get("features", [])
    given["owner"] = guild.get("owner_id") == world.me["id"]
    given["permissions"] = str(guild_rights(guild, world.me["id"], world.my_roles(guild)))
    if ask.query.get("with_counts") == "true":
        given["approximate_member_count"] = len(guild.get("members", []))
        given["approximate_presence_count"] = 1
    return given


@route(ROUTES, "guild", "/guilds/{guild}")
def guild(world: World, ask: Ask) -> Answer:
    """Give one guild with roles, emojis and stickers inside, without channels or members."""
    found = world.guilds.get(ask.path["guild"])
    if found is None:
        return refusal(10004)
    defaults: Object = {"roles": [], "emojis": [], "stickers": [], "features": [], "icon": None}
    return plain(defaults | {k: v for k, v in found.items() if k not in NOT_IN_THE_GUILD_OBJECT})


@route(ROUTES, "channels", "/guilds/{guild}/channels")
def channels(world: World, ask: Ask) -> Answer:
    """List every channel but threads, also those that the bot cannot view."""
    found = world.guilds.get(ask.path["guild"])
    if found is None:
        return refusal(10004)
    return plain([sendable(c, found) for c in found.get("channels", [])])


def _part(world: World, ask: Ask, key: str) -> Answer:
    found = world.guilds.get(ask.path["guild"])
    return refusal(10004) if found is None else plain(found.get(key, []))


@route(ROUTES, "roles", "/guilds/{guild}/roles")
def roles(world: World, ask: Ask) -> Answer:
    """List a guild's roles."""
    return _part(world, ask, "roles")


@route(ROUTES, "emojis", "/guilds/{guild}/emojis")
def emojis(world: World, ask: Ask) -> Answer:
    """List a guild's custom emojis."""
    return _part(world, ask, "emojis")


@route(ROUTES, "stickers", "/guilds/{guild}/stickers")
def stickers(world: World, ask: Ask) -> Answer:
    """List a guild's stickers."""
    return _part(world, ask, "stickers")


@route(ROUTES, "members", "/guilds/{guild}/members")
def members(world: World, ask: Ask) -> Answer:
    """List members by ascending user id; 403 without the Guild Members intent."""
    found = world.guilds.get(ask.path["guild"])
    if found is None:
        return refusal(10004)
    if not int(world.application["flags"]) & intents.MEMBERS:
        return refusal(50001)
    limit = number(ask.query, "limit", 1, 1, 1000)
    if isinstance(limit, Answer):
        return limit
    after = snowflake(ask.query, "after")
    if isinstance(after, Answer):
        return after
    above = [m for m in found.get("members", []) if int(m["user"]["id"]) > (after or 0)]
    above.sort(key=lambda m: int(m["user"]["id"]))
    return plain(above[:limit])


@route(ROUTES, "member", "/guilds/{guild}/members/{user}")
def member(world: World, ask: Ask) -> Answer:
    """Give one member; 10007 for those who left."""
    found = world.guilds.get(ask.path["guild"])
    if found is None:
        return refusal(10004)
    user_id = world.me["id"] if ask.path["user"] == "@me" else ask.path["user"]
    known: Any = world.member(found, user_id)
    return refusal(10007) if known is None else plain(known)


@route(ROUTES, "user", "/users/{user}")
def user(world: World, ask: Ask) -> Answer:
    """Give one user, also one who left every guild."""
    known = world.user(ask.path["user"])
    return refusal(10013) if known is None else plain(known)


@route(ROUTES, "my dms", "/users/@me/channels")
def my_dms(world: World, ask: Ask) -> Answer:
    """List a bot's DMs: none, whatever it has (discord-rest §4)."""
    return plain([])


@route(ROUTES, "open dm", "/users/@me/channels", "POST")
def open_dm(world: World, ask: Ask) -> Answer:
    """Open the DM with a user, or give the one there is."""
    user_id = str((ask.body or {}).get("recipient_id", ""))
    if world.user(user_id) is None:
        return refusal(10013)
    return plain(world.open_dm(user_id))


@route(ROUTES, "gateway", "/gateway")
def gateway(world: World, ask: Ask) -> Answer:
    """Refuse: a dump never opens the gateway, and here is none."""
    return refusal(20001)


@route(ROUTES, "gateway", "/gateway/bot")
def gateway_bot(world: World, ask: Ask) -> Answer:
    """Refuse, as above."""
    return refusal(20001)
