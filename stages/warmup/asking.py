"""Ask, and keep what comes: each call on record before anything is made of it."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from pipeline.errors import ModelError
from pipeline.memory.calls import answered
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import Call
from pipeline.memory.requests import Asking
from pipeline.memory.schedule import Step
from pipeline.models.failures import PassingError
from pipeline.models.seam import Answer, Model, Request, for_model
from stages.warmup.purse import Purse
from stages.warmup.watching import Watch
from stages.warmup.writing import call_of, failed_call


class Sent(NamedTuple):
    """A request under its name."""

    step: Step
    request: Request
    digest: str

    @property
    def target(self) -> str:
        """What the answer would be a memory of: a chunk id, or child ids."""
        return " ".join(self.step.child_ids)


@dataclass(slots=True)
class Desk:
    """Whoever asks the model: it counts, writes down, and knows what was answered before."""

    model: Model
    pyramid: Pyramid
    purse: Purse
    watch: Watch
    now: Callable[[], datetime]
    _set_aside: dict[str, datetime] = field(default_factory=dict)  # target → given up since
    _met: dict[str, ModelError] = field(default_factory=dict)  # request → how it failed in a batch

    def __post_init__(self) -> None:
        self._set_aside = {entry.target: entry.since for entry in self.pyramid.quarantined()}

    def sent(self, step: Step, asking: Asking) -> Sent:
        """Fit a request to the model, and name it."""
        request = for_model(self.model, asking.request)
        return Sent(step, request, request.digest)

    def on_record(self, sent: Sent) -> Call | None:
        """Give the answer that this request got; not one for which it was given up before."""
        known = self.pyramid.answered(sent.digest)
        if known is None or not known.outcome.startswith("rejected"):
            return known
        since = self._set_aside.get(sent.target)
        return None if since is not None and known.asked_at <= since else known

    def ask_at_once(self, several: Sequence[Sent]) -> bool:
        """Ask side by side; an answer is on disk as soon as it is there. False: one failed."""
        several = several[: self.purse.left(len(several))]
        if not several:
            return False
        with ThreadPoolExecutor(len(several)) as pool:
            waiting = {pool.submit(self.model.answer, sent.request): sent for sent in several}
            try:
                for done in as_completed(list(waiting)):
                    self._keep(waiting.pop(done), done)
            finally:  # interrupted: what is under way is paid, and kept
                for late, sent in waiting.items():
                    self._keep(sent, late)
        return not any(sent.digest in self._met for sent in several)

    def _keep(self, sent: Sent, done: Future[Answer]) -> None:
        error = done.exception()
        if error is None:
            self._note(sent, done.result())
        elif isinstance(error, ModelError):
            self._note_failure(sent, error)
            self._met[sent.digest] = error
        else:
            raise error

    def ask(self, sent: Sent) -> Answer:
        """Ask until there is an answer or it is of no use; every failure is on record."""
        while True:
            error = self._met.pop(sent.digest, None)
            if error is None:
                self.purse.check()
                try:
                    answer = self.model.answer(sent.request)
                except ModelError as met:
                    self._note_failure(sent, met)
                    error = met
                else:
                    self._note(sent, answer)
                    return answer
            if not isinstance(error, PassingError):
                raise error
            self.watch.no_answer(sent.target, sent.digest, error)
            self.purse.fail(error)

    def _note(self, sent: Sent, answer: Answer) -> None:
        cost = self.purse.pay(sent.request, answer)
        call = call_of(*sent, self.now(), "answered")
        currency = self.purse.prices.currency
        self.pyramid.note_call(answered(call, answer, cost, currency))

    def _note_failure(self, sent: Sent, error: ModelError) -> None:
        self.pyramid.note_call(failed_call(*sent, self.now(), error))
