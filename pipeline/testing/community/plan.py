"""Nine weeks in Otterby: which evenings there are, and which scenes fall on them."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from random import Random
from zoneinfo import ZoneInfo

from pipeline.testing.community import (
    scenes_apart,
    scenes_bench_two,
    scenes_german,
    scenes_japanese,
    scenes_more,
    scenes_riverside,
    scenes_workbench,
)
from pipeline.testing.community.lexicon import WEEKDAYS
from pipeline.testing.community.script import Scene, scenes
from pipeline.testing.community.teller import Teller
from pipeline.testing.community.town import (
    BY_NAME,
    DMS,
    EVERYBODY,
    SPEAKERS,
    TIMEZONE,
    Person,
)

FIRST_DAY = date(2026, 6, 29)  # a Monday
DAYS = 63
BREAK = range(28, 42)  # 27 July to 9 August: shutters down, not a word
OPEN_DAYS = [day for day in range(DAYS) if day not in BREAK]
MOVED_ON = 7  # the day on which the agent changed her account
ZONE = ZoneInfo(TIMEZONE)
RACK = ((0, 58), (27, 171), (42, 174), (61, 312))  # lanterns hanging, by day


def local(day: int, clock: str) -> float:
    """Give the epoch seconds of a local hour on a day of the nine weeks."""
    moment = datetime.combine(FIRST_DAY + timedelta(days=day), time.fromisoformat(clock), ZONE)
    return moment.timestamp()


def rack(day: int) -> int:
    """Say how many lanterns hang on a day; the number only grows, to 312 on Lantern Night."""
    for (from_day, low), (to_day, high) in pairwise(RACK):
        if day <= to_day:
            return low + (high - low) * (day - from_day) // (to_day - from_day)
    return RACK[-1][1]


class Deck:
    """Scenes in an order by chance, each dealt once before any comes again."""

    def __init__(self, text: str, rng: Random) -> None:
        self._scenes = scenes(text)
        self._rng = rng
        self._left: list[Scene] = []

    def deal(self) -> Scene:
        """Give the next scene."""
        if not self._left:
            self._left = list(self._scenes)
            self._rng.shuffle(self._left)
        return self._left.pop()


class Evenings:
    """Deals the ordinary talk of a day to its rooms."""

    def __init__(self, teller: Teller, rng: Random) -> None:
        self.teller = teller
        self.rng = rng
        texts = {
            "workbench": scenes_workbench.SCENES + scenes_bench_two.SCENES,
            "riverside": scenes_riverside.SCENES,
            "werkstatt": scenes_german.SCENES, "提灯の間": scenes_japanese.SCENES,
            "lantern-hall": scenes_apart.HALL, "keyholders": scenes_apart.KEYHOLDERS,
            "dm:hanneke": scenes_apart.WITH_HANNEKE, "dm:moss": scenes_apart.WITH_MOSS,
            "dm:yuki": scenes_apart.WITH_YUKI, "closing": scenes_more.CLOSING,
            "opening": scenes_more.OPENING, "captain": scenes_more.CAPTAIN,
            "swap-shelf": scenes_more.SWAPS,
        }  # fmt: skip
        self.decks = {name: Deck(text, rng) for name, text in texts.items()}

    def day(self, day: int) -> None:
        """Let everybody talk for one day; the order of calls is not the order of times."""
        weekday = day % 7
        self._workbench(day, weekday)
        for clock, room, chance in self._elsewhere(weekday):
            if self.rng.random() < chance:
                self.scene(day, clock, room, room)
        if weekday in {2, 6}:
            self.scene(day, "20:50", "riverside", "captain")

    def _workbench(self, day: int, weekday: int) -> None:
        if weekday == 6:  # Sunday: one scene and home
            self.scene(day, "16:30", "workbench", "workbench")
            return
        at = self.scene(day, "18:25", "workbench", "opening")
        for _ in range(4 if weekday in {1, 3} else 3):  # Tuesday and Thursday are the long ones
            at += self.rng.uniform(4, 16) * 60
            at = self._play(self.decks["workbench"].deal(), "workbench", at, day)
        closing = max(at + 500, local(day, "22:20") + self.rng.uniform(0, 900))
        self._play(self.decks["closing"].deal(), "workbench", closing, day)

    def _elsewhere(self, weekday: int) -> Iterator[tuple[str, str, float]]:
        yield from (
            ("12:10", "riverside", 0.85), ("19:20", "riverside", 0.75), ("21:30", "riverside", 0.6),
            ("17:35", "werkstatt", 0.8), ("20:25", "werkstatt", 0.55), ("12:40", "提灯の間", 0.65),
            ("21:10", "提灯の間", 0.6), ("13:20", "swap-shelf", 0.9), ("17:05", "swap-shelf", 0.5),
        )  # fmt: skip
        if weekday in {1, 3}:
            yield ("20:00", "lantern-hall", 1.0)
        if weekday in {0, 4}:
            yield ("21:45", "keyholders", 0.9)
        yield from (
            ("23:05", "dm:hanneke", 0.45), ("23:30", "dm:moss", 0.25), ("07:50", "dm:yuki", 0.2),
        )  # fmt: skip

    def scene(self, day: int, clock: str, room: str, deck: str) -> float:
        """Deal one scene to a room at about an hour; give its end."""
        at = local(day, clock) + self.rng.uniform(0, 1500)
        return self._play(self.decks[deck].deal(), room, at, day)

    def _play(self, scene: Scene, room: str, at: float, day: int) -> float:
        cast = self.cast(scene, room, day)
        words = {"rack": str(rack(day)), "today": WEEKDAYS[day % 7]}
        return self.teller.play(scene, place(room), cast, at, words)[0]

    def cast(self, scene: Scene, room: str, day: int) -> dict[str, Person]:
        """Choose who is in a scene: whoever speaks the room's language and has joined by then."""
        partner = room.removeprefix("dm:") if room.startswith("dm:") else None
        others = [k for k in self._present(room, day) if k != partner]
        keys = ([partner] if partner else []) + self.rng.sample(others, 4)
        return {role: EVERYBODY[key] for role, key in zip("ABCD", keys, strict=False)}

    def _present(self, room: str, day: int) -> list[str]:
        if room == "keyholders":
            return ["hanneke", "bram", "juniper", "tamsin"]
        tongue = {"werkstatt": "de", "提灯の間": "ja"}.get(room, "en")
        today = (FIRST_DAY + timedelta(days=day)).isoformat()
        present = [k for k in SPEAKERS[tongue] if EVERYBODY[k].joined <= today]
        # a small room borrows whoever learns its language
        return present + {"de": ["dov"], "ja": ["ines"]}.get(tongue, [])


def place(room: str) -> str:
    """Give the id behind a room's name or behind dm:PERSON."""
    if room.startswith("dm:"):
        return DMS[room.removeprefix("dm:")]
    return BY_NAME[room].channel_id
