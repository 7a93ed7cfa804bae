"""Signs in the answers that something is wrong with the model; each stops the run and says why."""

import hashlib
from collections import Counter, deque
from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.errors import ModelError
from stages.warmup.purse import HaltError

LAST = 10  # answers looked back upon
SAME_ANSWERS = 3  # stretches with one and the same answer
LONG = 1.2  # an answer longer than so many times its source
LONG_ANSWERS = 5  # of the last ten
WITHOUT_ANSWER = 3  # times that one request may go unanswered
STRANGE_ANSWERS = 3  # of the last ten that name what no source has


def last_ten() -> deque[bool]:
    """Give a memory of the last ten answers."""
    return deque(maxlen=LAST)


@dataclass(slots=True)
class Watch:
    """What the answers of one run looked like so far."""

    same: Counter[bytes] = field(default_factory=Counter)
    long: deque[bool] = field(default_factory=last_ten)
    strange: deque[bool] = field(default_factory=last_ten)
    unanswered: Counter[str] = field(default_factory=Counter)

    def answer(self, target: str, text: str, source_characters: int) -> None:
        """Look at an answer that would become the memory of `target`."""
        key = hashlib.sha256(text.encode("utf-8", "replace")).digest()
        self.same[key] += 1
        if self.same[key] >= SAME_ANSWERS:
            raise HaltError(
                f"{SAME_ANSWERS} different stretches got the same answer, the last {target}; look "
                f"at the model, then run again to go on"
            )
        self.long.append(len(text) > LONG * source_characters)
        if self.long[-1] and sum(self.long) >= LONG_ANSWERS:
            raise HaltError(
                f"{LONG_ANSWERS} of the last ten answers are longer than {LONG} times their "
                f"source, the last for {target} ({len(text):,} characters from "
                f"{source_characters:,}); lower summary_target_tokens or take another model"
            )

    def claims(self, target: str, evidence: Iterable[str]) -> None:
        """Look at what an answer names that no source has: `evidence`, blank for nothing."""
        named = list(evidence)
        self.strange.append(bool(named))
        if named and sum(self.strange) >= STRANGE_ANSWERS:
            raise HaltError(
                f"{STRANGE_ANSWERS} of the last ten answers name people or dates that no source "
                f"has, the last {len(named)} of them for {target}; look at the memories with "
                f"`backfold run audit`, take another model or run again to go on"
            )

    def no_answer(self, target: str, digest: str, error: ModelError) -> None:
        """Count a request that got no answer, by what was asked."""
        self.unanswered[digest] += 1
        if self.unanswered[digest] >= WITHOUT_ANSWER:
            raise HaltError(
                f"the request for {target} got no answer {WITHOUT_ANSWER} times, the last time: "
                f"{error}; look at the server, then run again to go on"
            )
