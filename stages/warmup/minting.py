"""Mint and merge, step by step: each answer on disk before it is judged, each memory one commit."""

import hashlib
from collections import Counter, deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from datetime import datetime

from pipeline.errors import ModelError, Unfinished
from pipeline.memory.prompts import PROMPT_VERSION
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import Call, FoldedChunk, Memory, Quarantined
from pipeline.memory.requests import Asking, Heard, Scene, Take, Told, chunk_asking, merge_asking
from pipeline.memory.schedule import Fold, Step
from pipeline.models.acceptance import Accepted, Fault, judge
from pipeline.models.failures import (
    BadRequestError,
    ContextTooLongError,
    PassingError,
)
from pipeline.models.prices import FREE, Prices
from pipeline.models.seam import Answer, Model, Request, Usage, for_model
from stages.warmup.source import Closed, Source

NEXT_TAKE: dict[Fault, Take] = {
    "only reasoning": "plain",
    "empty": "plain",
    "tool call": "no tools",
    "unfinished": "plain",
    "refusal": "sources only",
}
SAME_ANSWERS = 3  # chunks with one and the same answer
LONG = 1.2  # an answer longer than so many times its source
WITHOUT_ANSWER = 3  # times that one request may go unanswered


class HaltError(Unfinished):
    """The run stops here, for a reason that it tells."""


@dataclass(slots=True)
class Purse:
    """What a run has spent, and may spend."""

    prices: Prices
    max_calls: int | None = None
    max_cost: float | None = None
    failures_in_a_row: int = 3
    planned: float | None = None  # money for a call, by the plan
    calls: int = 0
    cost: float = 0.0
    input: int = 0
    cached: int = 0
    output: int = 0
    failed: int = 0

    def check(self, more: int = 1) -> None:
        """Stop before a call that the limits do not allow."""
        if self.max_calls is not None and self.calls + more > self.max_calls:
            raise HaltError(f"max_calls = {self.max_calls} is reached; raise it to go on")
        if self.max_cost is not None and self.cost >= self.max_cost:
            raise HaltError(
                f"max_cost = {self.max_cost} is reached ({self.cost:.4f} spent); raise it to go on"
            )

    def pay(self, model: str, usage: Usage) -> float | None:
        """Count a call; gives its price, null where it is not known."""
        self.calls += 1
        self.failed = 0
        self.input += usage.input or 0
        self.cached += usage.cached or 0
        self.output += usage.output or 0
        money = self.prices.cost(model, usage)
        self.cost += money.amount if money else 0.0
        return money.amount if money else None

    def look_again(self) -> None:
        """After ten calls, hold real prices against the plan."""
        if self.calls == 10 and self.planned and self.cost / 10 > 1.3 * self.planned:
            raise HaltError(
                f"ten calls cost {self.cost / 10:.4f} each where the plan said "
                f"{self.planned:.4f}, more than 1.3 times; look at reports/warmup.md, run again "
                f"to go on"
            )

    def fail(self, error: ModelError) -> None:
        """Count a request that got no answer; too many in a row stop the run."""
        self.failed += 1
        if self.failed >= self.failures_in_a_row:
            raise HaltError(f"{self.failed} requests in a row got no answer, the last: {error}")


@dataclass(slots=True)
class Minting:
    """One run over a fold; `told` holds every memory by id, `frontier` those without a parent."""

    scene: Scene
    source: Source
    pyramid: Pyramid
    fold: Fold
    model: Model
    purse: Purse
    now: Callable[[], datetime]
    parallel: int = 1
    persona_digest: str | None = None
    memories: dict[str, Memory] = field(default_factory=dict)
    told: dict[str, Told] = field(default_factory=dict)
    frontier: dict[str, Told] = field(default_factory=dict)
    quarantined: list[Quarantined] = field(default_factory=list)
    _same: Counter[bytes] = field(default_factory=Counter)
    _long: deque[bool] = field(default_factory=lambda: deque(maxlen=10))

    def stand(self, memory: Memory) -> None:
        """Put a memory where later requests find it."""
        if memory.level == 1:
            chunk = self.source.chunks[memory.chunk_id or ""]
            first, last = chunk.first_position, chunk.last_position
        else:
            first = self.told[memory.source_ids[0]].first_position
            last = self.told[memory.source_ids[-1]].last_position
        told = Told(
            memory.memory_id,
            memory.level,
            memory.text,
            memory.tokens,
            first,
            last,
            memory.started_at,
            memory.ended_at,
            memory.source_ids if memory.level > 1 else (),
            memory.is_witnessed,
        )
        self.memories[memory.memory_id] = memory
        self.told[memory.memory_id] = self.frontier[memory.memory_id] = told
        for child_id in told.child_ids:
            self.frontier.pop(child_id, None)

    def advance(self) -> bool:
        """Take the next step, or the next few side by side; False where the fold is done."""
        step = self.fold.next_step()
        if step is None:
            return False
        batch = self.fold.mints_ahead(self.parallel) if self.parallel > 1 else []
        asked = self._warm(batch) if len(batch) > 1 else {}
        for each in batch or [step]:
            self._make(each, asked.get(each))
        return True

    def asking(self, step: Step, take: Take = "") -> Asking:
        """Write the request of a step, as of now."""
        frontier = self.frontier.values()
        if step.level == 1:
            asking = chunk_asking(self.scene, frontier, self._talk(step), take)
        else:
            children = [self.told[child_id] for child_id in step.child_ids]
            asking = merge_asking(self.scene, frontier, children, self._under(step, take), take)
        return asking

    def _talk(self, step: Step) -> list[Heard]:
        return self.source.talk(self.source.chunks[step.child_ids[0]])

    def _under(self, step: Step, take: Take) -> Sequence[Heard] | Sequence[Told]:
        """Give what a merge shows: one level below its children, unless they are to be shown."""
        if take == "sources only" or self.scene.merge_target == "sources":
            return ()
        if step.level == 2:
            chunks = [self._chunk_of(child_id) for child_id in step.child_ids]
            return [item for chunk in chunks for item in self.source.talk(chunk)]
        deeper = [i for child_id in step.child_ids for i in self.told[child_id].child_ids]
        return [self.told[memory_id] for memory_id in deeper]

    def _chunk_of(self, memory_id: str) -> Closed:
        return self.source.chunks[self.memories[memory_id].chunk_id or ""]

    def _warm(self, batch: Sequence[Step]) -> dict[Step, Asking]:
        """Ask for several L1s: the first alone, so that the cache is warm, then the others."""
        asked = [(step, self.asking(step)) for step in batch]
        fresh = [
            (step, request)
            for step, one in asked
            if one.stub is None
            and self.pyramid.answered((request := for_model(self.model, one.request)).digest)
            is None
        ]
        for part in (fresh[:1], fresh[1:]):
            if part:
                self.purse.check(len(part))
            with ThreadPoolExecutor(max(1, len(part))) as pool:
                waiting = {
                    pool.submit(self.model.answer, request): (s, request) for s, request in part
                }
                for future in as_completed(waiting):
                    step, request = waiting[future]
                    if future.exception() is None:
                        self._note(step, request, future.result())
        return dict(asked)

    def _make(self, step: Step, asking: Asking | None = None) -> None:
        """Make one memory, or give it up into quarantine."""
        asking = asking or self.asking(step)
        if asking.stub is not None and step.level == 1:
            self._accept(step, asking, asking.stub, None, None)
            return
        take: Take = ""
        tried: list[str] = []
        takes: list[Take] = []
        while True:
            takes.append(take)
            request = for_model(self.model, asking.request)
            fault, reason = self._try(step, asking, request)
            if fault is None:
                return
            tried.append(reason)
            follow = [NEXT_TAKE.get(fault, "sources only"), "sources only"]
            take_next = next((t for t in follow if t not in takes), None)
            if take_next is None:
                break
            take = take_next
            asking = self.asking(step, take)
        self._give_up(step, tried)

    def _try(self, step: Step, asking: Asking, request: Request) -> tuple[Fault | None, str]:
        """Ask once, or take the answer on record; gives the fault, null where it was accepted."""
        digest = request.digest
        known = self.pyramid.answered(digest)
        if known is not None:
            answer = recall(known)
            call_id = None
        else:
            try:
                answer, call_id = self._ask(step, request)
            except (ContextTooLongError, BadRequestError) as error:
                self._note_failure(step, request, error)
                return "refusal", str(error)
        verdict = judge(answer)
        if not isinstance(verdict, Accepted):
            if call_id is not None:
                self.pyramid.judge_call(call_id, f"rejected: {verdict.reason}")
            return verdict.fault, verdict.reason
        if call_id is not None:
            self.pyramid.judge_call(call_id, "accepted")
        self._watch(step, asking, verdict.text)
        self._accept(step, asking, verdict.text, answer, digest)
        self.purse.look_again()
        return None, ""

    def _ask(self, step: Step, request: Request) -> tuple[Answer, int]:
        while True:
            self.purse.check()
            try:
                answer = self.model.answer(request)
            except PassingError as error:
                self._note_failure(step, request, error)
                self.purse.fail(error)
                continue
            return answer, self._note(step, request, answer)

    def _note(self, step: Step, request: Request, answer: Answer) -> int:
        cost = self.purse.pay(request.model, answer.usage)
        used = answer.usage
        return self.pyramid.note_call(
            Call(
                request_digest=request.digest,
                purpose="mint" if step.level == 1 else "merge",
                target=" ".join(step.child_ids),
                level=step.level,
                model=request.model,
                asked_at=self.now(),
                outcome="answered",
                attempt=answer.attempts,
                latency_ms=answer.latency_ms,
                stop_reason=answer.stop,
                text=answer.text,
                reasoning=answer.reasoning,
                input_tokens=used.input,
                cached_tokens=used.cached,
                cache_write_tokens=used.cache_write,
                output_tokens=used.output,
                reasoning_tokens=used.reasoning,
                cost=cost,
                currency=None if cost is None else self.purse.prices.currency,
            )
        )

    def _note_failure(self, step: Step, request: Request, error: ModelError) -> None:
        self.pyramid.note_call(
            Call(
                request_digest=request.digest,
                purpose="mint" if step.level == 1 else "merge",
                target=" ".join(step.child_ids),
                level=step.level,
                model=request.model,
                asked_at=self.now(),
                outcome=f"failed: {error}",
            )
        )

    def _watch(self, step: Step, asking: Asking, text: str) -> None:
        """Stop where answers show that something is wrong with the model."""
        if self.model.name in FREE:
            return
        key = hashlib.sha256(text.encode("utf-8", "replace")).digest()
        self._same[key] += 1
        if self._same[key] >= SAME_ANSWERS:
            raise HaltError(
                f"{SAME_ANSWERS} different stretches got the same answer, the last "
                f"{' '.join(step.child_ids)}; look at the model"
            )
        self._long.append(len(text) > LONG * asking.source_characters)
        if sum(self._long) >= 5:
            raise HaltError(
                f"five of the last ten answers are longer than {LONG} times their source, the "
                f"last for {' '.join(step.child_ids)}; lower summary_target_tokens or take "
                f"another model"
            )

    def _accept(
        self, step: Step, asking: Asking, text: str, answer: Answer | None, digest: str | None
    ) -> None:
        memory, chunk = self._memory(step, asking, text, answer, digest)
        self.pyramid.accept(memory, chunk)
        self.fold.accept(step)
        self.stand(memory)

    def _memory(
        self, step: Step, asking: Asking, text: str, answer: Answer | None, digest: str | None
    ) -> tuple[Memory, FoldedChunk | None]:
        """Write the record of a memory, and that of its chunk."""
        chunk: FoldedChunk | None = None
        if step.level == 1:
            closed = self.source.chunks[step.child_ids[0]]
            items = self._talk(step)
            chunk = self.source.recorded(closed, items)
            source_ids = chunk.item_ids
            first, last = source_ids[0], source_ids[-1]
            began, ended = items[0].sent_at, items[-1].sent_at
            rooms = dict.fromkeys(item.channel_id for item in items)
            people = dict.fromkeys(i.author_name for i in items if i.author_name)
            share = closed.private_share
        else:
            children = [self.memories[child_id] for child_id in step.child_ids]
            source_ids = step.child_ids
            first, last = children[0].first_item_id, children[-1].last_item_id
            began, ended = children[0].started_at, children[-1].ended_at
            rooms = dict.fromkeys(room for child in children for room in child.rooms)
            people = dict.fromkeys(name for child in children for name in child.people)
            share = sum(child.private_share for child in children) / len(children)
        written = answer.usage.output if answer else None
        memory = Memory(
            memory_id=self.fold.name(step),
            level=step.level,
            text=text,
            tokens=40 if answer is None else written or -(-len(text) // 3),
            source_ids=source_ids,
            first_item_id=first,
            last_item_id=last,
            started_at=began,
            ended_at=ended,
            minted_at=self.now(),
            model=answer.model if answer else "stub",
            prompt_version=PROMPT_VERSION,
            chunk_id=step.child_ids[0] if step.level == 1 else None,
            shown_ids=asking.shown_ids if answer else (),
            head_end_id=self._head_end(),
            is_witnessed=asking.is_witnessed,
            is_stub=answer is None,
            persona_digest=self.persona_digest,
            stop_reason=answer.stop if answer else None,
            request_digest=digest,
            rooms=tuple(rooms),
            people=tuple(people),
            private_share=share,
            parallel=self.parallel if step.level == 1 else 1,
        )
        return memory, chunk

    def _head_end(self) -> str | None:
        if not self.scene.head:
            return None
        return next(iter(self.source.chunks.values())).item_ids[0]

    def _give_up(self, step: Step, reasons: Sequence[str]) -> None:
        entry = Quarantined(
            " ".join(step.child_ids), step.level, "; ".join(reasons), len(reasons), self.now()
        )
        self.pyramid.set_aside(entry)
        self.fold.quarantine(step)
        self.quarantined.append(entry)


def recall(call: Call) -> Answer:
    """Give the answer that a call on record got."""
    stops = {"end": "end", "length": "length", "refusal": "refusal", "tool": "tool"}
    return Answer(
        model=call.model,
        text=call.text,
        stop=stops.get(call.stop_reason or "", "other"),  # type: ignore[arg-type]
        reasoning=call.reasoning,
        usage=Usage(output=call.output_tokens),
        attempts=call.attempt,
    )
