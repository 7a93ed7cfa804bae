"""Mint and merge, step by step: each answer on disk before it is judged, each memory one commit."""

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from pipeline.memory.calls import recall
from pipeline.memory.prompts import PROMPT_VERSION
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import Memory, Quarantined
from pipeline.memory.requests import (
    PAIR_TOKENS,
    Asking,
    Heard,
    Scene,
    Told,
    chunk_asking,
    merge_asking,
)
from pipeline.memory.schedule import Fold, Step
from pipeline.models.acceptance import Accepted, judge
from pipeline.models.failures import BadRequestError, ContextTooLongError
from pipeline.models.prices import FREE
from pipeline.models.seam import Model
from stages.warmup.asking import Desk
from stages.warmup.claims import unsourced
from stages.warmup.purse import HaltError, Purse
from stages.warmup.source import Closed, Source
from stages.warmup.watching import Watch
from stages.warmup.ways import Trouble, Way, next_way
from stages.warmup.writing import (
    Ground,
    Written,
    ground_of_chunk,
    ground_of_merge,
    told_of,
)

__all__ = ["HaltError", "Minting", "Purse"]
BATCH = "batch"  # name in the pyramid's state: L1s asked side by side, and what they were shown


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
    watch: Watch = field(default_factory=Watch)
    _minted: set[str] = field(default_factory=set)  # chunks
    _batch: dict[str, list[str]] = field(default_factory=dict)  # chunk → what it is shown
    _last: tuple[Step, list[Heard]] | None = None
    desk: Desk = field(init=False)
    _amended: Memory | None = None  # the memory that is minted again

    def __post_init__(self) -> None:
        self._batch = json.loads(self.pyramid.state(BATCH) or "{}")
        self.desk = Desk(self.model, self.pyramid, self.purse, self.watch, self.now)

    def stand(self, memory: Memory) -> None:
        """Put a memory where later requests find it."""
        if memory.level == 1:
            chunk = self.source.chunks[memory.chunk_id or ""]
            first, last = chunk.first_position, chunk.last_position
            self._minted.add(chunk.chunk_id)
        else:
            first = self.told[memory.source_ids[0]].first_position
            last = self.told[memory.source_ids[-1]].last_position
        told = told_of(memory, first, last)
        self.memories[memory.memory_id] = memory
        self.told[memory.memory_id] = self.frontier[memory.memory_id] = told
        for child_id in told.child_ids:
            self.frontier.pop(child_id, None)

    def advance(self) -> bool:
        """Take the next step, or the next few side by side; False where the fold is done."""
        step = self.fold.next_step()
        if step is None:
            return False
        batch = self._side_by_side(step)
        asked = self._warm(batch) if len(batch) > 1 else {}
        for each in batch:
            self._make(each, asked.get(each))
        return True

    def again(self, step: Step, memory: Memory) -> Memory:
        """Mint a memory again in place; gives it as it then reads, unchanged where that fails."""
        self._amended = memory
        try:
            self._make(step)
            return self._amended
        finally:
            self._amended = None

    def asking(self, step: Step, way: Way | None = None) -> Asking:
        """Write the request of a step, as of now or as of the start of its batch."""
        way = way or Way("", self.scene.recall_budget_tokens)
        scene = replace(self.scene, recall_budget_tokens=way.recall_tokens)
        if step.level == 1:
            shown = self._batch.get(step.child_ids[0])
            frontier: Iterable[Told] = (
                self.frontier.values() if shown is None else [self.told[i] for i in shown]
            )
            return chunk_asking(scene, frontier, self._talk(step), way.take)
        children = [self.told[child_id] for child_id in step.child_ids]
        under = self._under(step, way)
        return merge_asking(scene, self.frontier.values(), children, under, way.take)

    def _talk(self, step: Step) -> list[Heard]:
        """Give a chunk's items; the last chunk is kept, as it is read for request and record."""
        if self._last is None or self._last[0] != step:
            self._last = (step, self.source.talk(self.source.chunks[step.child_ids[0]]))
        return self._last[1]

    def _under(self, step: Step, way: Way) -> Sequence[Heard] | Sequence[Told]:
        """Give what a merge shows: one level below its children, unless they are to be shown."""
        if way.take == "sources only" or self.scene.merge_target == "sources":
            return ()
        if step.level == 2:
            chunks = [self._chunk_of(child_id) for child_id in step.child_ids]
            return [item for chunk in chunks for item in self.source.talk(chunk)]
        deeper = [i for child_id in step.child_ids for i in self.told[child_id].child_ids]
        return [self.told[memory_id] for memory_id in deeper]

    def _chunk_of(self, memory_id: str) -> Closed:
        return self.source.chunks[self.memories[memory_id].chunk_id or ""]

    def _side_by_side(self, step: Step) -> list[Step]:
        """
        Give the L1s to ask for at once, or one step alone.

        A batch is written down with what it is shown before it is asked for; what a kill left
        of it comes first and alone, so that the requests are the same as before.
        """
        left = [
            Step(1, (chunk_id,))
            for chunk_id, shown in self._batch.items()
            if chunk_id not in self._minted
            and (chunk_id,) not in self.fold.given_up
            and chunk_id in self.source.chunks
            and all(memory_id in self.told for memory_id in shown)
        ]
        if step in left:
            return left
        batch = self.fold.mints_ahead(self.parallel) if self.parallel > 1 else []
        begun = len(batch) > 1
        self._batch = {one.child_ids[0]: list(self.frontier) for one in batch} if begun else {}
        if begun:
            self.pyramid.set_state(BATCH, json.dumps(self._batch))
        return batch if begun else [step]

    def _warm(self, batch: Sequence[Step]) -> dict[Step, Asking]:
        """Ask for several L1s: the first alone, so that the cache is warm, then the others."""
        asked = {step: self.asking(step) for step in batch}
        fresh = [
            sent
            for step, asking in asked.items()
            if asking.stub is None
            and self.desk.on_record(sent := self.desk.sent(step, asking)) is None
        ]
        if fresh and self.desk.ask_at_once(fresh[:1]):
            self.desk.ask_at_once(fresh[1:])
        return asked

    def _make(self, step: Step, asking: Asking | None = None) -> None:
        """Make one memory, or give it up into quarantine."""
        asking = asking or self.asking(step)
        if asking.stub is not None and step.level == 1:
            memory, ground = self._memory(step, asking, Written(asking.stub))
            self._keep(memory, ground)
            self._land(step, memory)
            return
        ways = [Way("", self.scene.recall_budget_tokens)]
        tried: list[str] = []
        while True:
            trouble, reason = self._try(step, asking)
            if trouble is None:
                return
            tried.append(reason)
            recalled = sum(self.told[i].tokens + PAIR_TOKENS for i in asking.shown_ids)
            way = next_way(trouble, step.level, ways, recalled)
            if way is None:
                break
            ways.append(way)
            asking = self.asking(step, way)
        self._give_up(step, tried)

    def _try(self, step: Step, asking: Asking) -> tuple[Trouble | None, str]:
        """Ask once, or take the answer on record; gives what is wrong, null where accepted."""
        sent = self.desk.sent(step, asking)
        known = self.desk.on_record(sent)
        try:
            answer = recall(known) if known else self.desk.ask(sent)
        except ContextTooLongError as error:
            return "too long", str(error)
        except BadRequestError as error:
            return "refusal", str(error)
        verdict = judge(answer)
        if not isinstance(verdict, Accepted):
            self.pyramid.judge_answer(sent.digest, f"rejected: {verdict.reason}")
            return verdict.fault, verdict.reason
        memory, ground = self._memory(step, asking, Written(verdict.text, answer, sent.digest))
        if self.model.name not in FREE:
            self._look_at(sent.target, asking, memory, ground)
        with self.pyramid.step():
            self.pyramid.judge_answer(sent.digest, "accepted")
            self._keep(memory, ground)
        self._land(step, memory)
        self.purse.look_again()
        return None, ""

    def _look_at(self, target: str, asking: Asking, memory: Memory, ground: Ground) -> None:
        """Stop where answers show that something is wrong with the model."""
        self.watch.answer(target, memory.text, asking.source_characters)
        if ground.chunk is not None:
            shown = [self.told[memory_id].text for memory_id in asking.shown_ids]
            self.watch.claims(target, unsourced(self.scene, memory, ground.chunk, shown))

    def _keep(self, memory: Memory, ground: Ground) -> None:
        """Add a memory, or put the new text in place of the old."""
        if self._amended is None:
            self.pyramid.accept(memory, ground.chunk)
            return
        if memory.request_digest != self._amended.request_digest:
            now = self.now()
            run = f"remint {now:%Y-%m-%d %H:%M:%S}"
            why = f"minted again by {memory.model}"
            self.pyramid.revise(memory, run=run, rule="remint", reason=why, now=now)
        self._amended = memory

    def _land(self, step: Step, memory: Memory) -> None:
        if self._amended is not None:
            return
        self.fold.accept(step)
        self.stand(memory)

    def _memory(self, step: Step, asking: Asking, written: Written) -> tuple[Memory, Ground]:
        if step.level == 1:
            closed = self.source.chunks[step.child_ids[0]]
            ground = ground_of_chunk(self.source, closed, self._talk(step))
        else:
            ground = ground_of_merge([self.memories[child_id] for child_id in step.child_ids])
        answer = written.answer
        counted = answer.usage.output if answer else None
        memory = Memory(
            memory_id=self._amended.memory_id if self._amended else self.fold.name(step),
            parent_id=self._amended.parent_id if self._amended else None,
            level=step.level,
            text=written.text,
            tokens=40 if answer is None else counted or -(-len(written.text) // 3),
            source_ids=ground.source_ids,
            first_item_id=ground.first_item_id,
            last_item_id=ground.last_item_id,
            started_at=ground.started_at,
            ended_at=ground.ended_at,
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
            request_digest=written.digest,
            rooms=ground.rooms,
            people=ground.people,
            private_share=ground.private_share,
            parallel=self.parallel if step.level == 1 else 1,
        )
        return memory, ground

    def _head_end(self) -> str | None:
        if not self.scene.head:
            return None
        return next(iter(self.source.chunks.values())).item_ids[0]

    def _give_up(self, step: Step, reasons: Sequence[str]) -> None:
        entry = Quarantined(
            " ".join(step.child_ids), step.level, "; ".join(reasons), len(reasons), self.now()
        )
        self.quarantined.append(entry)
        if self._amended is None:
            self.pyramid.set_aside(entry)
            self.fold.quarantine(step)
