"""What a member may do in a channel, computed as Discord does from roles and overwrites."""

from typing import Any

ADMINISTRATOR = 1 << 3
VIEW_CHANNEL = 1 << 10
READ_MESSAGE_HISTORY = 1 << 16
CONNECT = 1 << 20
MANAGE_THREADS = 1 << 34
EVERYTHING = (1 << 53) - 1

VOICE_KINDS = {2, 13}
THREAD_KINDS = {10, 11, 12}
PRIVATE_THREAD = 12


def guild_rights(guild: dict[str, Any], user_id: str, role_ids: list[str]) -> int:
    """Add up what the guild gives a member everywhere; owner and administrator get all."""
    if guild.get("owner_id") == user_id:
        return EVERYTHING
    held = {guild["id"], *role_ids}  # the role named as the guild is @everyone's
    rights = 0
    for role in guild.get("roles", []):
        if role["id"] in held:
            rights |= int(role.get("permissions", 0))
    return EVERYTHING if rights & ADMINISTRATOR else rights


def channel_rights(
    guild: dict[str, Any], channel: dict[str, Any], user_id: str, role_ids: list[str]
) -> int:
    """
    Give a member's rights in one channel that is no thread; 0 where it cannot be viewed.

    Overwrites count in Discord's order: @everyone's, then all roles' denials and grants taken
    together, then the member's own.
    """
    rights = guild_rights(guild, user_id, role_ids)
    if rights == EVERYTHING:
        return rights
    overwrites = {o["id"]: o for o in channel.get("permission_overwrites", [])}
    rights = _apply(rights, [overwrites.get(guild["id"])])
    rights = _apply(rights, [overwrites.get(r) for r in role_ids if r != guild["id"]])
    rights = _apply(rights, [overwrites.get(user_id)])
    return rights if rights & VIEW_CHANNEL else 0


def _apply(rights: int, overwrites: list[dict[str, Any] | None]) -> int:
    deny = allow = 0
    for overwrite in overwrites:
        if overwrite is not None:
            deny |= int(overwrite.get("deny", 0))
            allow |= int(overwrite.get("allow", 0))
    return rights & ~deny | allow


def may_see_thread(parent_rights: int, thread: dict[str, Any], user_id: str) -> bool:
    """Say whether a member sees a thread: the parent's view, and membership if it is private."""
    if not parent_rights & VIEW_CHANNEL:
        return False
    if thread["type"] != PRIVATE_THREAD or parent_rights & MANAGE_THREADS:
        return True
    return user_id in thread.get("member_ids", ())
