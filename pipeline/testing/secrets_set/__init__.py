"""
A set of chat messages with invented credentials, and of look-alikes without, made anew from a seed.

It exists to measure `pipeline.chat.redact`, and shares no table, pattern or constant with it: what
it draws follows descriptions of formats. A good quarter of the kinds, fixed by their names, is held
out: their figures say how the rules do on kinds that were not looked at while writing them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from random import Random
from zlib import crc32

from pipeline.testing.secrets_set.lookalikes import LOOKALIKES
from pipeline.testing.secrets_set.phrases import PHRASES
from pipeline.testing.secrets_set.settings import SETTINGS
from pipeline.testing.secrets_set.talk import into_talk, with_thoughts
from pipeline.testing.secrets_set.tokens import TOKENS

Find = Callable[[str], Iterable[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Case:
    """One message; `start` and `end` bound its secret in characters, both zero in a look-alike."""

    kind: str
    text: str
    start: int = 0
    end: int = 0

    @property
    def is_secret(self) -> bool:
        """Tell a planted secret from a look-alike."""
        return self.end > self.start

    @property
    def is_held_out(self) -> bool:
        """Tell whether the kind belongs to the part that no rule was written against."""
        return crc32(self.kind.encode()) % 3 == 0


@dataclass(frozen=True, slots=True)
class Score:
    """What a finder got right; a secret counts as found when every character of it is covered."""

    secrets: int
    missed: tuple[Case, ...]
    lookalikes: int
    alarms: tuple[Case, ...]
    spilled: int  # characters covered beyond the planted secrets

    @property
    def recall(self) -> float:
        """Share of the secrets that are covered whole."""
        return 1 - len(self.missed) / max(self.secrets, 1)

    @property
    def alarm_rate(self) -> float:
        """Share of the look-alikes in which anything is covered."""
        return len(self.alarms) / max(self.lookalikes, 1)


def secrets(seed: int, per_kind: int = 3) -> list[Case]:
    """Draw `per_kind` messages of every secret kind; equal seeds give equal messages."""
    cases = []
    for kind, draw in {**TOKENS, **PHRASES, **SETTINGS}.items():
        dress = into_talk if kind in TOKENS else with_thoughts
        for turn in range(per_kind):
            dice = Random(f"{seed}/{kind}/{turn}")  # noqa: S311 (test data, repeatable on purpose)
            planted = dress(dice, draw(dice))
            start = len(planted.before)
            text = planted.before + planted.secret + planted.after
            cases.append(Case(kind, text, start, start + len(planted.secret)))
    return cases


def lookalikes(seed: int, per_kind: int = 3) -> list[Case]:
    """Draw `per_kind` messages of every look-alike kind."""
    return [
        Case(kind, draw(Random(f"{seed}/{kind}/{turn}")))  # noqa: S311 (test data, as above)
        for kind, draw in LOOKALIKES.items()
        for turn in range(per_kind)
    ]


def score(find: Find, cases: Sequence[Case]) -> Score:
    """Hold a finder of character spans against what was planted."""
    missed, alarms, spilled = [], [], 0
    for case in cases:
        covered = {at for start, end in find(case.text) for at in range(start, end)}
        if not case.is_secret and covered:
            alarms.append(case)
        if case.is_secret:
            wanted = set(range(case.start, case.end))
            spilled += len(covered - wanted)
            if not wanted <= covered:
                missed.append(case)
    planted = sum(case.is_secret for case in cases)
    return Score(planted, tuple(missed), len(cases) - planted, tuple(alarms), spilled)
