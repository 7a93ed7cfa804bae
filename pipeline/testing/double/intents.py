"""What Discord holds back from an application without the Message Content intent."""

from typing import Any

MEMBERS = 1 << 14 | 1 << 15  # the full flag, and the one of applications in few guilds
MESSAGE_CONTENT = 1 << 18 | 1 << 19


def is_exempt(message: dict[str, Any], self_id: str) -> bool:
    """
    Say whether a message comes filled although the intent is off (discord-rest §6).

    Its own, and those that mention it; a pinging reply does. A reply to its slash-command
    answer mentions nobody and so is held back, however plainly it is meant for it (B009).
    """
    if message.get("author", {}).get("id") == self_id:
        return True
    return any(user.get("id") == self_id for user in message.get("mentions", ()))


def withhold(message: dict[str, Any], self_id: str) -> dict[str, Any]:
    """Give the message as it is seen without the intent: a copy with its words taken out."""
    held = dict(message)
    if isinstance(target := held.get("referenced_message"), dict):
        held["referenced_message"] = withhold(target, self_id)
    if is_exempt(message, self_id):
        return held
    held.update(content="", embeds=[], attachments=[], components=[])
    held.pop("poll", None)
    if "message_snapshots" in held:
        held["message_snapshots"] = [_emptied(snapshot) for snapshot in held["message_snapshots"]]
    return held


def _emptied(snapshot: dict[str, Any]) -> dict[str, Any]:
    empty = {"content": "", "embeds": [], "attachments": [], "components": []}
    return {**snapshot, "message": {**snapshot["message"], **empty}}
