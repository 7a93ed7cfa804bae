"""What the bot may do in a channel, and which permission lacks (discord-rest §2)."""

from collections.abc import Iterable, Mapping
from typing import Any

ADMINISTRATOR = 1 << 3
VIEW_CHANNEL = 1 << 10
READ_MESSAGE_HISTORY = 1 << 16
CONNECT = 1 << 20
MANAGE_THREADS = 1 << 34
EVERYTHING = (1 << 64) - 1

TEXT, DM, VOICE, GROUP_DM, CATEGORY, NEWS = 0, 1, 2, 3, 4, 5
NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD, STAGE = 10, 11, 12, 13
DIRECTORY, FORUM, MEDIA = 14, 15, 16
THREADS = frozenset({NEWS_THREAD, PUBLIC_THREAD, PRIVATE_THREAD})
POST_PARENTS = frozenset({FORUM, MEDIA})
WITH_VOICE = frozenset({VOICE, STAGE})
# Kinds that hold messages; a kind that Discord invents later is tried, not assumed away.
WITHOUT_MESSAGES = frozenset({CATEGORY, DIRECTORY, *POST_PARENTS})


def rights_in_guild(guild: Mapping[str, Any], user_id: str, role_ids: Iterable[str]) -> int:
    """Add up what a member may do everywhere; the owner and administrators may all."""
    if guild.get("owner_id") == user_id:
        return EVERYTHING
    held = {str(guild["id"]), *role_ids}  # the role with the guild's id is @everyone
    rights = 0
    for role in guild.get("roles", ()):
        if role["id"] in held:
            rights |= int(role.get("permissions") or 0)
    return EVERYTHING if rights & ADMINISTRATOR else rights


def rights_in_channel(
    guild: Mapping[str, Any], channel: Mapping[str, Any], user_id: str, role_ids: Iterable[str]
) -> int:
    """
    Give what a member may do in a channel that is no thread (a thread has its parent's).

    Overwrites apply in Discord's order: @everyone, the member's roles taken together, the
    member itself; in each the denials first.
    """
    mine = [role_id for role_id in role_ids if role_id != guild["id"]]
    rights = rights_in_guild(guild, user_id, mine)
    if rights == EVERYTHING:
        return rights
    by_id = {o["id"]: o for o in channel.get("permission_overwrites") or ()}
    for group in ([guild["id"]], mine, [user_id]):
        deny = allow = 0
        for overwrite in (by_id[owner] for owner in group if owner in by_id):
            deny |= int(overwrite.get("deny") or 0)
            allow |= int(overwrite.get("allow") or 0)
        rights = (rights & ~deny) | allow
    return rights


def what_lacks(rights: int, kind: int) -> str | None:
    """Name the permission without which a channel of this kind cannot be read; null: none."""
    if not rights & VIEW_CHANNEL:
        return "VIEW_CHANNEL"
    if kind in WITH_VOICE and not rights & CONNECT:
        return "CONNECT"
    if not rights & READ_MESSAGE_HISTORY:
        return "READ_MESSAGE_HISTORY"
    return None
