"""From scenes to messages: who says it, when, under which id, and what hangs on it."""

import base64
import re
from collections.abc import Mapping
from random import Random
from typing import Any

from pipeline.testing.community.pictures import picture, voice
from pipeline.testing.community.script import Scene, Spoken, speak
from pipeline.testing.community.town import (
    AGENT,
    CAPTAIN_HOOK,
    DMS,
    EVERYBODY,
    FORMER,
    GUILD_ID,
    LANTERN_EMOJI,
    Object,
    Person,
)
from pipeline.testing.double.times import iso, made_at, snowflake

MENTION = re.compile(r"<@(\d+)>")
EMOJI = ("🏮", "😂", "❤️", "👍🏽", "🦦", f"lantern:{LANTERN_EMOJI}")
PERSONAS = ("Captain Brine", "Old Wick")  # the two names under which Moss speaks by webhook
HAS_SNAPSHOT, HAS_THREAD, VOICE, COMPONENTS = 1 << 14, 1 << 5, 1 << 13, 1 << 15


class Teller:
    """
    Collects the messages of all rooms; times are epoch seconds, ids follow from them.

    `moved_in` is the moment from which the agent speaks by her present account. What one
    seed tells is the same each time: one source of chance, and nothing iterates over a set.
    """

    def __init__(self, rng: Random, moved_in: float) -> None:
        self.rng = rng
        self.moved_in = moved_in
        self.said: dict[str, dict[str, Object]] = {}  # room id → message id → message
        self.files: dict[str, bytes] = {}
        self.reactors: dict[str, dict[str, list[str]]] = {}
        self.gone: list[str] = []  # ids of what was deleted
        self._ids: set[int] = set()
        self._attachments = 0

    def agent_at(self, at: float) -> Person:
        """Give the account by which the agent speaks then."""
        return AGENT if at >= self.moved_in else FORMER

    def new_id(self, at: float) -> str:
        """Make an id for a moment; two in one millisecond count upwards."""
        made = snowflake(at)
        while made in self._ids:
            made += 1
        self._ids.add(made)
        return str(made)

    def post(self, room_id: str, who: Person, text: str, at: float, **more: Any) -> Object:
        """Say one thing: a message as the API gives it, kept and given back."""
        at = round(at, 3)
        message: Object = {
            "id": self.new_id(at), "type": 0, "channel_id": room_id, "content": text,
            "author": who.user(), "mentions": self._named(text), "mention_roles": [],
            "mention_everyone": "@everyone" in text, "attachments": [], "embeds": [],
            "timestamp": iso(at), "edited_timestamp": None, "flags": 0, "components": [],
            "pinned": False, "tts": False, **more,
        }  # fmt: skip
        self.said.setdefault(room_id, {})[message["id"]] = message
        return message

    def _named(self, text: str) -> list[Object]:
        ids = list(dict.fromkeys(MENTION.findall(text)))
        return [p.user() for i in ids for p in EVERYBODY.values() if p.user_id == i]

    def reply(self, target: Object, who: Person, text: str, at: float, **more: Any) -> Object:
        """Answer a message; most answers ping, and then name its author."""
        reference = {"type": 0, "channel_id": target["channel_id"], "message_id": target["id"]}
        if target["channel_id"] not in DMS.values():
            reference["guild_id"] = GUILD_ID
        quoted = {k: v for k, v in target.items() if k != "referenced_message"}
        made = self.post(
            target["channel_id"], who, text, at, type=19,
            message_reference=reference, referenced_message=quoted, **more,
        )  # fmt: skip
        known = [user["id"] for user in made["mentions"]]
        pings = self.rng.random() < 0.85 and "webhook_id" not in target
        if pings and target["author"]["id"] not in known:
            made["mentions"].append(target["author"])
        return made

    def delete(self, message: Object) -> None:
        """Take a message away; answers to it hold null from then on."""
        self.said[message["channel_id"]].pop(message["id"])
        self.gone.append(message["id"])
        for other in self.said[message["channel_id"]].values():
            if (other.get("message_reference") or {}).get("message_id") == message["id"]:
                other["referenced_message"] = None

    def attach(self, message: Object, kind: str, name: str = "") -> None:
        """Hang a picture, a text file or a voice message on a message."""
        self._attachments += 1
        number = self._attachments
        attachment_id = self.new_id(made_at(int(message["id"])) - 2)
        if kind == "pic":
            data, mime, name = picture(number), "image/png", name or f"lantern-{number:02}.png"
        elif kind == "voice":
            data, mime, name = voice(150), "audio/ogg", "voice-message.ogg"
        else:
            lines = [f"step {n}: fold, count to {n * 10}, unfold" for n in range(1, 12)]
            data, mime = "\n".join(lines).encode(), "text/plain; charset=utf-8"
            name = name or f"fold-{number:02}.txt"
        place = f"attachments/{message['channel_id']}/{attachment_id}/{name}"
        made: Object = {
            "id": attachment_id, "filename": name, "size": len(data), "content_type": mime,
            "url": f"https://cdn.discordapp.com/{place}?ex=0&is=0&hm=0&",
            "proxy_url": f"https://media.discordapp.net/{place}?ex=0&is=0&hm=0&",
        }  # fmt: skip
        if kind == "pic":
            made |= {"width": 48, "height": 48}
        if kind == "voice":
            wave = bytes((n * 37) % 200 for n in range(64))
            made |= {"duration_secs": 3.0, "waveform": base64.b64encode(wave).decode()}
            message.update(content="", flags=message["flags"] | VOICE)
        message["attachments"].append(made)
        self.files[attachment_id] = data

    def play(
        self,
        scene: Scene,
        room_id: str,
        cast: Mapping[str, Person],
        at: float,
        words: Mapping[str, str] | None = None,
    ) -> tuple[float, list[tuple[Spoken, Object]]]:
        """
        Let a scene be spoken from `at` on; give its end and each line with its message.

        The cast is by letter; T is the agent of the day, W Moss behind one of his webhooks.
        """
        names = {role: person.short for role, person in cast.items()} | dict(words or {})
        last: dict[str, Object] = {}
        told: list[tuple[Spoken, Object]] = []
        persona = self.rng.choice(PERSONAS)
        for line in speak(scene, names, self.rng):
            at += self._pause(line)
            everyone = {**cast, "T": self.agent_at(at)}
            text = self._addressed(line.text, everyone)
            more: Object = _by_hook(persona) if line.speaker == "W" else {}
            who = everyone["A"] if line.speaker == "W" else everyone[line.speaker]
            target = last.get(line.reply_to or "") or self._drawn(told, line)
            if target:
                message = self.reply(target, who, text, at, **more)
            else:
                message = self.post(room_id, who, text, at, **more)
            for tag in line.tags:
                self._hang(message, tag)
            last[line.speaker] = message
            told.append((line, message))
        self._weather(told)
        return at, told

    def _drawn(self, told: list[tuple[Spoken, Object]], line: Spoken) -> Object | None:
        """Now and then somebody uses the reply button on what was said just before."""
        if not told or told[-1][0].speaker == line.speaker or line.speaker == "W":
            return None
        chance = 0.3 if line.speaker == "T" else 0.12
        return told[-1][1] if self.rng.random() < chance else None

    def _pause(self, line: Spoken) -> float:
        if line.speaker == "T":
            return self.rng.uniform(4, 14) + len(line.text) / 40
        return self.rng.uniform(8, 70) + len(line.text) / 9

    def _addressed(self, text: str, everyone: Mapping[str, Person]) -> str:
        for role, person in everyone.items():
            text = re.sub(rf"@{role}\b", f"<@{person.user_id}>", text)
        return text

    def _hang(self, message: Object, tag: str) -> None:
        if tag in {"pic", "txt", "voice"}:
            self.attach(message, tag)
        elif tag == "sticker":
            sticker = {"id": "1290000000000000171", "name": "glowing otter", "format_type": 1}
            message.update(content="", sticker_items=[sticker])

    def _weather(self, told: list[tuple[Spoken, Object]]) -> None:
        """Let life happen to a few of the messages: edits, reactions, deletions."""
        for line, message in told:
            dice = self.rng.random()
            if "fact" in line.tags or line.speaker in {"T", "W"}:
                continue
            if dice < 0.03:
                seconds = made_at(int(message["id"])) + self.rng.uniform(15, 240)
                message["edited_timestamp"] = iso(seconds)
            elif dice < 0.09:
                self.react(message)
            elif dice < 0.10 and len(told) > 6 and not message["attachments"]:
                self.delete(message)

    def react(self, message: Object) -> None:
        """Let one to three people react with one emoji."""
        emoji = self.rng.choice(EMOJI)
        name, _, emoji_id = emoji.partition(":")
        people = self.rng.sample(sorted(EVERYBODY)[:12], self.rng.randint(1, 3))
        ids = sorted(EVERYBODY[key].user_id for key in people)
        shown = {"id": emoji_id or None, "name": name}
        message.setdefault("reactions", []).append(
            {"emoji": shown, "count": len(ids), "me": False, "me_burst": False, "burst_colors": [],
             "count_details": {"burst": 0, "normal": len(ids)}, "burst_count": 0}
        )  # fmt: skip
        self.reactors.setdefault(message["id"], {})[emoji] = ids


def _by_hook(persona: str) -> Object:
    author = {
        "id": CAPTAIN_HOOK, "username": persona, "avatar": None, "discriminator": "0000",
        "bot": True, "global_name": None, "public_flags": 0, "flags": 0,
    }  # fmt: skip
    return {"webhook_id": CAPTAIN_HOOK, "author": author}
