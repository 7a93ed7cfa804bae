"""The words of other exporters in Discord's own terms: ids, types, times, content types."""

import mimetypes
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import Any

from pipeline.rawlines import id_number
from pipeline.rawmend import read_time

DISCORD_EPOCH_MS = 1_420_070_400_000
UNKNOWN_TYPE = -1  # of a kind whose name nobody knows: no speech, and no number of Discord's
THREADS = frozenset({10, 11, 12})
SYSTEM_ROWS = frozenset(range(1, 19))  # the exporter writes a sentence of its own here

# Names that exporters and libraries give to message types, without case and underscores
# (spec dce-json, 2d; discord-rest, 5).
_MESSAGE_NAMES = {
    0: "default",
    1: "recipientadd",
    2: "recipientremove",
    3: "call",
    4: "channelnamechange",
    5: "channeliconchange",
    6: "channelpinnedmessage pinsadd",
    7: "guildmemberjoin userjoin newmember memberjoin",
    8: "guildboost userpremiumguildsubscription premiumguildsubscription",
    9: "guildboosttier1 userpremiumguildsubscriptiontier1 premiumguildtier1",
    10: "guildboosttier2 userpremiumguildsubscriptiontier2 premiumguildtier2",
    11: "guildboosttier3 userpremiumguildsubscriptiontier3 premiumguildtier3",
    12: "channelfollowadd",
    14: "guilddiscoverydisqualified",
    15: "guilddiscoveryrequalified",
    16: "guilddiscoverygraceperiodinitialwarning",
    17: "guilddiscoverygraceperiodfinalwarning",
    18: "threadcreated",
    19: "reply inlinereply",
    20: "chatinputcommand applicationcommand slashcommand",
    21: "threadstartermessage threadstarter",
    22: "guildinvitereminder invitereminder",
    23: "contextmenucommand",
    24: "automoderationaction",
    25: "rolesubscriptionpurchase",
    26: "interactionpremiumupsell premiumupsell",
    27: "stagestart",
    28: "stageend",
    29: "stagespeaker",
    31: "stagetopic",
    32: "guildapplicationpremiumsubscription apppremiumsubscription",
    36: "guildincidentalertmodeenabled",
    37: "guildincidentalertmodedisabled",
    38: "guildincidentreportraid",
    39: "guildincidentreportfalsealarm",
    44: "purchasenotification",
    46: "pollresult",
}
_CHANNEL_NAMES = {
    0: "guildtextchat guildtext text",
    1: "directtextchat dm private",
    2: "guildvoicechat guildvoice voice",
    3: "directgrouptextchat groupdm group",
    4: "guildcategory category",
    5: "guildnews guildannouncement news announcement",
    6: "guildstore store",
    10: "guildnewsthread announcementthread newsthread",
    11: "guildpublicthread publicthread",
    12: "guildprivatethread privatethread",
    13: "guildstagevoice stagevoice stage",
    14: "guilddirectory directory",
    15: "guildforum forum",
    16: "guildmedia media",
}
MESSAGE_TYPES = {name: n for n, names in _MESSAGE_NAMES.items() for name in names.split()}
CHANNEL_TYPES = {name: n for n, names in _CHANNEL_NAMES.items() for name in names.split()}
STICKER_FORMATS = {"png": 1, "apng": 2, "lottie": 3, "gif": 4}

# What Discord itself says of the commonest names, where Python's own table is silent or differs.
_CONTENT_TYPES = {
    "avif": "image/avif",
    "flac": "audio/flac",
    "gif": "image/gif",
    "heic": "image/heic",
    "jpeg": "image/jpeg",
    "jpg": "image/jpeg",
    "json": "application/json; charset=utf-8",
    "log": "text/plain; charset=utf-8",
    "m4a": "audio/mp4",
    "md": "text/markdown; charset=utf-8",
    "mkv": "video/x-matroska",
    "mov": "video/quicktime",
    "mp3": "audio/mpeg",
    "mp4": "video/mp4",
    "ogg": "audio/ogg",
    "opus": "audio/opus",
    "pdf": "application/pdf",
    "png": "image/png",
    "py": "text/x-python; charset=utf-8",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "wav": "audio/x-wav",
    "webm": "video/webm",
    "webp": "image/webp",
    "zip": "application/zip",
}


class LostRow(ValueError):  # noqa: N818 - a row lost is what it is, not an error of ours
    """A row that cannot be a message, and in a few words why."""


def objects(value: object) -> list[Mapping[str, Any]]:
    """Give the objects in what should be a list of them; whatever else stands there is nothing."""
    return [v for v in value if isinstance(v, Mapping)] if isinstance(value, list) else []


def mapping(value: object) -> Mapping[str, Any]:
    """Give what should be an object; empty where it is none."""
    return value if isinstance(value, Mapping) else {}


def words(value: object) -> str | None:
    """Give what should be text and is not empty; null where it is none."""
    return value if isinstance(value, str) and value else None


def id_text(value: Any) -> str | None:
    """
    Give an id as text, digits or not; None where there is none.

    Numbers are taken, as some tools write ids so. A float is refused: its last digits are
    gone (known-faults B024).
    """
    if isinstance(value, float):
        raise LostRow("an id is written as a float, so its last digits are lost")
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return None


def is_snowflake(text: str) -> bool:
    """Say whether an id is one that raw can hold: decimal digits within 63 bits."""
    return text.isascii() and text.isdigit() and id_number(text) is not None


def stable_id(value: Any) -> str | None:
    """
    Give the id of a person, room or thing as decimal digits; None where there is none.

    An id that is not digits (`u1`) gets a number of its own, the same in every file.
    """
    text = id_text(value)
    if text is None or is_snowflake(text):
        return text
    return str(int.from_bytes(sha256(text.encode("utf-8", "replace")).digest()[:7], "big"))


def made_id(sent_at: datetime, nth: int) -> str:
    """Make the id of a message that has none of Discord's: its time, and the nth in that ms."""
    ms = round(sent_at.timestamp() * 1000) - DISCORD_EPOCH_MS
    return str((max(ms, 0) << 22) + min(nth, (1 << 22) - 1))


def id_time(message_id: str) -> datetime:
    """Give the time that a snowflake holds."""
    return datetime.fromtimestamp(((int(message_id) >> 22) + DISCORD_EPOCH_MS) / 1000, UTC)


def moment(value: Any) -> datetime | None:
    """Read a time with any offset and 0–7 fraction digits as UTC; None where it is none."""
    return read_time(value) if isinstance(value, str) else None


def time_text(value: datetime | None) -> str | None:
    """Write a time as Discord does."""
    return None if value is None else value.astimezone(UTC).isoformat(timespec="microseconds")


def type_number(value: Any, names: dict[str, int]) -> int:
    """Give the number of a type by name, numeric text or number; UNKNOWN_TYPE if nobody knows."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str):
        return 0  # no type at all: minimal writers know only ordinary talk and text rooms
    text = value.strip()
    if re.fullmatch(r"\d{1,5}", text):
        return int(text)
    return names.get(text.replace("_", "").replace(" ", "").lower(), UNKNOWN_TYPE)


def content_type(filename: str) -> str | None:
    """Guess what Discord would have called a file by its name; None where nobody can tell."""
    return _by_ending(filename.rpartition(".")[2].lower()) if "." in filename else None


@cache
def _by_ending(ending: str) -> str | None:
    # a table object of its own does not read the machine's mime files into the answer
    return _CONTENT_TYPES.get(ending) or mimetypes.MimeTypes().guess_type(f"a.{ending}")[0]
