"""Ask again when it may help: bounded, with growing, uneven waits, or as the server asks."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from pipeline.models.failures import MalformedError, PassingError, RateLimitedError
from pipeline.models.pacing import Pacer, Sleep
from pipeline.models.seam import Answer, Model, Request

MALFORMED_ATTEMPTS = 3  # such answers were probably paid, so they are not asked for long


@dataclass(frozen=True, slots=True)
class Patience:
    """How often and how long to try."""

    attempts: int = 7
    first_wait_seconds: float = 1.0
    longest_wait_seconds: float = 60.0  # of our own choosing; the server may ask for more
    total_wait_seconds: float = 900.0  # all waits of one request together


@dataclass(frozen=True, slots=True)
class Retrying:
    """
    A model that asks again after a passing failure; the same method as the model it wraps.

    A 429 pauses every caller of the shared pacer, other failures only the one that met it.
    `random` gives numbers in [0, 1) for the jitter; `note` is told of each wait in one line.
    """

    model: Model
    pacer: Pacer
    sleep: Sleep
    random: Callable[[], float]
    patience: Patience = Patience()
    note: Callable[[str], None] | None = None

    @property
    def name(self) -> str:
        """The name of the model that answers."""
        return self.model.name

    @property
    def reads_material(self) -> bool:
        """As the model that answers."""
        return self.model.reads_material

    def close(self) -> None:
        """Let go of the connection of the model that answers, where it has one."""
        close: Callable[[], None] | None = getattr(self.model, "close", None)
        if close is not None:
            close()

    def answer(self, request: Request) -> Answer:
        """Answer the request; after the last attempt raise what the last one met."""
        waited = 0.0
        attempt = 1
        while True:
            self.pacer.wait_turn()
            try:
                return replace(self.model.answer(request), attempts=attempt)
            except PassingError as failure:
                wait = self._wait(failure, attempt)
                if self._is_last(failure, attempt) or not self._within(waited, wait):
                    raise type(failure)(
                        f"{failure} ({attempt} attempts, {waited:.0f} s of waiting)",
                        failure.retry_after,
                    ) from None
                self._rest(failure, wait)
            waited += wait
            attempt += 1

    def _wait(self, failure: PassingError, attempt: int) -> float:
        """Wait as long as the server asks and a little more, else twice as long each time."""
        if failure.retry_after is not None:
            return failure.retry_after * (1 + self.random() / 10)
        doubled = self.patience.first_wait_seconds * 2.0 ** (attempt - 1)
        return min(doubled, self.patience.longest_wait_seconds) * (0.5 + self.random() / 2)

    def _is_last(self, failure: PassingError, attempt: int) -> bool:
        malformed = isinstance(failure, MalformedError)
        most = min(MALFORMED_ATTEMPTS, self.patience.attempts) if malformed else None
        return attempt >= (most or self.patience.attempts)

    def _within(self, waited: float, wait: float) -> bool:
        return waited + wait <= self.patience.total_wait_seconds

    def _rest(self, failure: PassingError, wait: float) -> None:
        if self.note:
            self.note(f"{self.name}: {failure}; again in {wait:.1f} s")
        if isinstance(failure, RateLimitedError) or failure.retry_after is not None:
            self.pacer.pause(wait)
        else:
            self.sleep(wait)
