"""
A large invented history as a corpus folder: API message objects, one JSONL a channel.

Shaped like real raw: about 960 bytes a line, 14 fields an author, 12 % replies with the whole
original along, 5 % attachments, Zipf-sized channels. The agent comes in bursts, so that about
16 % is perceived. Equal arguments give equal bytes.
"""

import json
import random
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from pipeline.files import make_folder

START_MS = 1_735_689_600_000  # 2025-01-01
EPOCH_MS = 1_420_070_400_000
AGENT_ID = "1300000000000000001"
GUILD_ID = "1100000000000000001"
PEOPLE = 300
BURST_EVERY = 0.0034  # a message begins a stretch with the agent
BURST_LENGTH = (4, 60)
OWN_SHARE = 0.35  # of a stretch's messages
SMALL = (
    *("the", "I", "to", "a", "and", "you", "it", "of", "is", "that", "in", "we", "was", "for"),
    *("on", "with", "my", "so", "but", "not", "this", "have", "be", "just", "what", "do", "they"),
    *("at", "if", "like", "me", "then", "there", "all", "can", "as", "when", "out", "up", "how"),
)
MANUAL = ("code", "codes", "key", "keys", "password", "secret", "token", "tokens", "login", "pin")
ENDS = (".", ".", ".", "?", "!", ",", "\\u2026")  # the last as JSON writes it

_AUTHOR = (
    '{{"id": "{id}", "username": "{name}", "avatar": "a_{hash}", "discriminator": "0", '
    '"public_flags": 0, "flags": 0, "banner": null, "global_name": "{shown}", '
    '"avatar_decoration_data": null, "collectibles": null, '
    '"clan": null, "primary_guild": null{bot}}}'
)
_FILE = (
    '{{"id": "{id}", "filename": "bell.png", "size": 300000, "url": "https://cdn.discordapp.com/'
    'attachments/{room}/{id}/bell.png?ex=68aa0000&is=68a80000&hm={hash}&", "proxy_url": '
    '"https://media.discordapp.net/attachments/{room}/{id}/bell.png", "width": 640, "height": 480, '
    '"content_type": "image/png"}}'
)
_LINE = (
    '{{"type": {type}, "content": "{content}", "mentions": [{mentions}], "mention_roles": [], '
    '"attachments": [{files}], "embeds": [], "timestamp": "{time}", "edited_timestamp": null, '
    '"flags": 0, "components": [], "id": "{id}", "channel_id": "{room}", "author": {author}, '
    '"pinned": false, "mention_everyone": false, "tts": false{more}}}'
)


def write_talk(folder: Path, messages: int, *, channels: int = 40, seed: int = 7) -> Path:
    """Write a corpus of so many messages, unless it is already there; gives the folder."""
    if (folder / "guild.json").exists():
        return folder
    authors = [_author(number) for number in range(PEOPLE)]
    make_folder(folder / "messages")
    shares = [1 / (number + 1) for number in range(channels)]
    sizes = [int(messages * share / sum(shares)) for share in shares]
    sizes[0] += messages - sum(sizes)
    rooms = [str(1_200_000_000_000_000_001 + number) for number in range(channels)]
    words = _words(random.Random(seed))  # noqa: S311 - invented talk, no secret
    for number, (room, size) in enumerate(zip(rooms, sizes, strict=True)):
        with (folder / "messages" / f"{room}.jsonl").open("w", encoding="ascii") as file:
            _write_room(file, room, size, authors, words, random.Random(f"{seed} {number}"))  # noqa: S311
    (folder / "guild.json").write_text(json.dumps(_guild(rooms, authors)))
    return folder


def _author(number: int) -> str:
    own = number == 0
    return _AUTHOR.format(
        id=int(AGENT_ID) + number * 7919,
        name="tilly" if own else f"person.{number}",
        shown="Tilly" if own else f"Person {number}",
        hash=f"{number:032x}",
        bot=', "bot": true' if own else "",
    )


def _words(draw: random.Random) -> list[str]:
    """
    Give a long stretch of invented sentences, word by word.

    Small words come as often as in talk (Zipf), the others out of Python's own manual; without
    those that manuals need for credentials: what redaction costs is told by its own bench.
    """
    from pydoc_data.topics import topics

    running = " ".join(str(topics[name]) for name in sorted(topics)).lower()
    found = sorted({*re.findall(r"\b[a-z]{3,9}\b", running)} - set(SMALL) - set(MANUAL))
    draw.shuffle(found)
    words = [*SMALL, *found]
    weights = [1 / rank for rank in range(1, len(words) + 1)]
    drawn = draw.choices(words, weights, k=200_000)
    place = 0
    while place < len(drawn):
        end = min(place + draw.randint(3, 12), len(drawn)) - 1
        drawn[place] = drawn[place].capitalize()
        drawn[end] += draw.choice(ENDS)
        place = end + 1
    return drawn


def _write_room(
    file: TextIO,
    room: str,
    size: int,
    authors: list[str],
    words: list[str],
    draw: random.Random,
) -> None:
    """Write one channel, oldest first; rooms share the same span of time."""
    step = max(1, 2 * 365 * 86_400_000 // max(size, 1))
    at = START_MS + draw.randrange(step)
    burst, last, last_id = 0, None, ""
    for number in range(size):
        at += 1 + draw.randrange(2 * step)
        message_id = str(((at - EPOCH_MS) << 22) + number % 4096)
        if draw.random() < BURST_EVERY:
            burst = draw.randint(*BURST_LENGTH)
        own = burst > 0 and draw.random() < OWN_SHARE
        burst -= burst > 0
        count = draw.randint(5, 60)
        place = draw.randrange(len(words) - count)
        more, kind, mentions = "", 0, ""
        if last is not None and draw.random() < 0.12:
            kind = 19
            more = (
                f', "message_reference": {{"type": 0, "channel_id": "{room}", "message_id": '
                f'"{last_id}", "guild_id": "{GUILD_ID}"}}, "referenced_message": {last}'
            )
        elif draw.random() < 0.1:
            mentions = authors[draw.randrange(1, PEOPLE)]
        fields = {
            "type": kind,
            "content": " ".join(words[place : place + count]),
            "mentions": mentions,
            "files": _FILE.format(id=message_id, room=room, hash="ab" * 32)
            if draw.random() < 0.05
            else "",
            "time": datetime.fromtimestamp(at / 1000, UTC).isoformat(timespec="microseconds"),
            "id": message_id,
            "room": room,
            "author": authors[0 if own else draw.randrange(1, PEOPLE)],
        }
        file.write(_LINE.format(**fields, more=more) + "\n")
        last, last_id = _LINE.format(**{**fields, "mentions": ""}, more=""), message_id


def _guild(rooms: list[str], authors: list[str]) -> dict[str, object]:
    users = [json.loads(author) for author in authors]
    return {
        "self": users[0],
        "guilds": [
            {
                "id": GUILD_ID,
                "name": "Lantern Yard",
                "owner_id": users[1]["id"],
                "roles": [{"id": GUILD_ID, "name": "@everyone", "permissions": "66560"}],
                "channels": [
                    {"id": room, "type": 0, "name": f"room-{number}", "guild_id": GUILD_ID}
                    for number, room in enumerate(rooms)
                ],
                "members": [{"user": user, "nick": None, "roles": []} for user in users],
            }
        ],
        "dms": [],
    }
