"""A small invented community for tests of the wire format: a mill with a garden and a ferry."""

from pipeline.chat.wire import WireSettings, build_world, profile_of

MILL, QUAY = "210000000000000001", "210000000000000002"
HALL, LOFT, GARDEN = "220000000000000001", "220000000000000002", "220000000000000003"
THREAD, ORPHAN, DOCK, FORUM = (
    "220000000000000005",
    "220000000000000006",
    "220000000000000007",
    "220000000000000008",
)
DM, SPACED_DM = "250000000000000001", "250000000000000002"
WREN, OTTO, PIP, GULL = (f"23000000000000001{n}" for n in range(1, 5))
BOT, HOOK, APP = "230000000000000090", "230000000000000091", "230000000000000092"
MILLERS, OWN_ROLE = "240000000000000001", "240000000000000002"

USERS = {
    WREN: {"id": WREN, "username": "wren_", "global_name": "Wren"},
    OTTO: {"id": OTTO, "username": "otto.k", "global_name": "Otto K"},
    PIP: {"id": PIP, "username": "pip", "global_name": None},
    GULL: {"id": GULL, "username": "gull", "global_name": "Grey Gull"},
    BOT: {"id": BOT, "username": "mira_bot", "global_name": None, "bot": True},
}


def yard(**more):
    """Build the community; keywords replace or add to what `build_world` gets."""
    given = {
        "guilds": [{"id": MILL, "name": "Old Mill"}, {"id": QUAY, "name": "Quay"}],
        "channels": [
            (MILL, {"id": HALL, "type": 0, "name": "hall"}),
            (MILL, {"id": LOFT, "type": 0, "name": "loft"}),
            (MILL, {"id": GARDEN, "type": 0, "name": "herb garden"}),
            (MILL, {"id": THREAD, "type": 11, "name": "new sails", "parent_id": LOFT}),
            (MILL, {"id": ORPHAN, "type": 11, "name": None, "parent_id": "1"}),
            (QUAY, {"id": DOCK, "type": 0, "name": "Hall"}),
            (QUAY, {"id": FORUM, "type": 15, "name": "loft"}),
            (None, {"id": DM, "type": 1, "recipients": [USERS[WREN]]}),
            (None, {"id": SPACED_DM, "type": 1, "recipients": [{"id": "7", "username": "a b"}]}),
        ],
        "roles": [
            (MILL, {"id": MILLERS, "name": "millers"}),
            (MILL, {"id": OWN_ROLE, "name": "Mira", "tags": {"bot_id": BOT}}),
        ],
        "members": [
            (MILL, {"user": USERS[WREN], "nick": "Wren of the Hedge"}),
            (MILL, {"user": USERS[OTTO], "nick": None}),
            (MILL, {"user": USERS[PIP]}),
            (MILL, {"user": USERS[BOT], "nick": "Mira"}),
        ],
        "users": [USERS[GULL]],
        "self_ids": [BOT, HOOK, APP],
    }
    return build_world(**{**given, **more})


def person(who):
    """Find a user of the yard by id; a user object is itself."""
    return USERS[who] if isinstance(who, str) else who


def message(content="", author=WREN, channel=HALL, **more):
    """Build a raw message as REST gives it, with the fields that matter."""
    return {
        "id": "1540057957662720001",
        "channel_id": channel,
        "type": 0,
        "author": person(author),
        "content": content,
        "timestamp": "2026-08-20T18:00:30.000000+00:00",
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        **more,
    }


def reply(content, to, **more):
    """Build a reply; `to` is the answered message's author, None where it was deleted."""
    answered = None if to is None else {"id": "17", "author": person(to), "content": "x"}
    reference = {"type": 0, "message_id": "1700000000000000009"}
    fields = {"type": 19, "message_reference": reference, "referenced_message": answered, **more}
    return message(content, **fields)


def attachment(name, media_type=None, size=300, attachment_id="31", **more):
    """Build an attachment with a signed link."""
    return {
        "id": attachment_id,
        "filename": name,
        "content_type": media_type,
        "size": size,
        "url": f"https://cdn.discordapp.com/attachments/1/2/{name}?ex=6a1&is=6a0&hm=bc12&",
        **more,
    }


def forward(**snapshot):
    """Build a forward of one message."""
    inner = {"type": 0, "content": "", "attachments": [], "embeds": [], **snapshot}
    return message(
        "",
        message_reference={"type": 1, "message_id": "1", "channel_id": "2"},
        message_snapshots=[{"message": inner}],
        flags=16384,
    )


def settings(month="2026-09", **more):
    """Settings of a month, links kept unless asked."""
    return WireSettings(**{"profile": profile_of(month), "strip_signed_links": False, **more})
