"""
The request for one memory: head, instruction, recall pairs, marker, stretch, task line.

As the live host lays it out (folding §5.2 and §6.3), but with the instruction in front of the
recall, so that consecutive requests share their prefix up to what is new. Nothing that is later
than the stretch is ever shown.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter
from typing import Literal
from zoneinfo import ZoneInfo

from pipeline.memory.prompts import (
    MANAGER,
    MARKER,
    NO_TOOLS,
    PLAIN,
    PROMPT_VERSION,
    called,
    instruction,
    merge_task,
    mint_task,
    reminder,
    stub,
    witnessed,
)
from pipeline.memory.rulers import store_tokens
from pipeline.models.material import NOBODY, TALK, Material, Spoken
from pipeline.models.seam import Message, Request, Role

SEPARATOR = "\n\n---\n\n"  # between consecutive texts of one role (folding §5.2)
PAIR_TOKENS = 50  # what a recall pair costs beside its text
TASK_TOKENS = 100  # about what marker and task line cost
Take = Literal["", "plain", "no tools", "sources only"]
# Talk that poses as the manager, as what parts two messages or as somebody else's message is
# shown as a quotation: it can end no stretch, give no order, and put no words in a mouth.
POSING = re.compile(
    r"(?:^|(?<=[\r\v\f\x85\u2028\u2029]))(?=-{3,}[ \t]*$|(?:[^\w\n]|_){0,40}"
    rf"(?:Context\s+Manager[^\w\n]{{0,5}}:|CM\]|user:|{re.escape(MARKER)}))",
    re.MULTILINE | re.IGNORECASE,
)
HINTS = {"plain": PLAIN, "no tools": NO_TOOLS}


@dataclass(frozen=True, slots=True)
class Heard:
    """One item of the transcript as the agent reads it, captions included; times are UTC."""

    position: int
    item_id: str
    kind: str
    participant: str
    is_self: bool
    text: str
    body: str
    author_name: str | None
    sent_at: datetime
    channel_id: str
    is_private: bool
    tokens: int
    is_plain: bool = True  # no block but text


@dataclass(frozen=True, slots=True)
class Told:
    """A memory as a recall pair or under a merge; positions are of its first and last item."""

    memory_id: str
    level: int
    text: str
    tokens: int
    first_position: int
    last_position: int
    started_at: datetime
    ended_at: datetime
    child_ids: tuple[str, ...] = ()
    is_witnessed: bool = False
    rooms: tuple[str, ...] = ()  # ids
    people: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """What is the same for every request of a run."""

    agent_name: str
    persona: str
    zone: ZoneInfo
    rooms: dict[str, str]  # how a reader knows them, by id
    private_rooms: frozenset[str] = frozenset()  # ids
    head: tuple[Heard, ...] = ()
    language: str = "auto"
    summary_target_tokens: int = 2_000
    recall_budget_tokens: int = 100_000
    identity_reminder: str = ""
    merge_target: str = "deeper"
    thin_chars: int = 200
    max_tokens: int | None = None
    temperature: float | None = None

    @property
    def most_tokens(self) -> int:
        """The longest answer that is asked for (folding §5.2)."""
        usual = max(16_000, round(1.5 * self.summary_target_tokens))
        return usual if self.max_tokens is None else min(usual, self.max_tokens)


@dataclass(frozen=True, slots=True)
class Asking:
    """A request and what is kept of it beside its answer; `stub` is the memory without a call."""

    request: Request
    shown_ids: tuple[str, ...]
    is_witnessed: bool
    source_characters: int
    stub: str | None = None


@dataclass(slots=True)
class Page:
    """Messages being laid out: consecutive texts of one role become one message."""

    messages: list[Message]

    def add(self, role: Role, text: str) -> None:
        """Put a text behind what stands; what is marked stays a message of its own."""
        if self.messages and self.messages[-1].role == role:
            if self.messages[-1].breakpoint:
                text = f"{SEPARATOR.lstrip()}{text}"
            else:
                text = f"{self.messages.pop().text}{SEPARATOR}{text}"
        self.messages.append(Message(role, text))

    def hear(self, items: Iterable[Heard]) -> None:
        """Show items as the agent reads them."""
        for item in items:
            if item.text.strip():
                own = item.is_self
                text = POSING.sub("> ", item.text)
                self.add("assistant" if own else "user", text if own else f"user: {text}")

    def recall(self, told: Iterable[Told]) -> None:
        """Show memories as recall pairs."""
        for memory in told:
            self.add("user", f"{MANAGER}: [CM] Recall memory {memory.memory_id}.")
            self.add("assistant", memory.text)

    def mark(self) -> None:
        """Mark the end of what stands as worth caching."""
        if self.messages:
            last = self.messages.pop()
            self.messages.append(Message(last.role, last.text, breakpoint=True))


def chunk_asking(
    scene: Scene, frontier: Iterable[Told], chunk: Sequence[Heard], take: Take = ""
) -> Asking:
    """Ask for the L1 of a chunk, in the light of the unmerged memories before it."""
    page, shown = _opening(scene, frontier, chunk[0].position, take)
    page.hear(chunk)
    talk = [item for item in chunk if item.kind in TALK]
    is_witnessed = not any(item.is_self for item in talk)
    rooms = list(dict.fromkeys(room_of(scene, i.channel_id, i.is_private) for i in chunk))
    people = list(dict.fromkeys(speaker(item) for item in talk))
    began, ended = (chunk[n].sent_at.astimezone(scene.zone) for n in (0, -1))
    own = sum(item.tokens for item in chunk)
    target = max(min(scene.summary_target_tokens, own // 2), 1)
    task = mint_task(began, ended, rooms, people, target)
    words = sum(len(item.text.strip()) for item in chunk)
    is_thin = words < scene.thin_chars and all(item.is_plain for item in chunk)
    spoken = spoken_of(scene, talk)
    return Asking(
        _finish(scene, page, witnessed(task) if is_witnessed else task, take, Material(spoken)),
        shown,
        is_witnessed,
        words,
        stub(began, ended, rooms) if is_thin or not spoken else None,
    )


def merge_asking(
    scene: Scene,
    frontier: Iterable[Told],
    children: Sequence[Told],
    sources: Sequence[Heard] | Sequence[Told],
    take: Take = "",
) -> Asking:
    """
    Ask for the memory over `children`, which are shown one level deeper, by `sources`.

    `sources` are the items under L1s, or the memories under higher ones; blank: the children.
    """
    page, shown = _opening(scene, frontier, children[0].first_position, take)
    items = [one for one in sources if isinstance(one, Heard)]
    deeper = [one for one in sources if isinstance(one, Told)]
    if items:
        page.hear(items)
    else:
        page.recall(deeper or children)
    began = children[0].started_at.astimezone(scene.zone)
    ended = children[-1].ended_at.astimezone(scene.zone)
    whole = sum(child.tokens for child in children)
    target = max(min(scene.summary_target_tokens, whole // 2), 1)
    places = dict.fromkeys(room for child in children for room in child.rooms)
    rooms = [room_of(scene, room, room in scene.private_rooms) for room in places]
    names = dict.fromkeys(name for child in children for name in child.people)
    people = ["you" if name == scene.agent_name else called(name) for name in names]
    task = merge_task(began, ended, len(children), rooms, people, target)
    is_witnessed = all(child.is_witnessed for child in children)
    material = Material(memories=tuple(child.text for child in children))
    return Asking(
        _finish(scene, page, witnessed(task) if is_witnessed else task, take, material),
        shown,
        is_witnessed,
        sum(len(child.text) for child in children),
    )


def within_budget(frontier: Iterable[Told], before: int, budget: int) -> list[Told]:
    """Choose the recall pairs: newest first while they fit, shown in store order (§5.2)."""
    earlier = sorted(
        (m for m in frontier if m.last_position < before), key=attrgetter("first_position")
    )
    chosen = []
    for memory in reversed(earlier):
        cost = memory.tokens + PAIR_TOKENS
        if cost <= budget:
            budget -= cost
            chosen.append(memory)
    return chosen[::-1]


def spoken_of(scene: Scene, talk: Sequence[Heard]) -> tuple[Spoken, ...]:
    """Give what was said, to quote; where nobody said a word, what was shown instead."""
    words = [(item, item.body) for item in talk if item.body.strip()]
    shown = [(item, item.text.partition("\n")[2]) for item in talk if not item.is_plain]
    return tuple(
        Spoken(
            author=item.author_name or NOBODY,
            text=text,
            at=item.sent_at.astimezone(scene.zone),
            room=scene.rooms.get(item.channel_id, item.channel_id),
            is_self=item.is_self,
            is_private=item.is_private,
        )
        for item, text in words or shown
        if text.strip()
    )


def standing_tokens(scene: Scene) -> int:
    """Count what every request holds whatever it asks for: persona, head, our own words."""
    words = f"{scene.persona}\n{instruction(scene.language)}"
    own = store_tokens([{"type": "text", "text": words}])
    return own + TASK_TOKENS + sum(item.tokens for item in scene.head)


def room_of(scene: Scene, channel_id: str, is_private: bool) -> str:
    """Name a room, and say where it is private."""
    name = called(scene.rooms.get(channel_id, channel_id))
    return f"{name} (private)" if is_private else name


def speaker(item: Heard) -> str:
    """Name who spoke, as the task line does."""
    return "you" if item.is_self else called(item.author_name or NOBODY)


def _opening(
    scene: Scene, frontier: Iterable[Told], before: int, take: Take
) -> tuple[Page, tuple[str, ...]]:
    """Lay out what comes before the stretch; gives it with the ids that were shown."""
    page = Page([])
    page.hear(scene.head)
    page.add("user", f"{MANAGER}: {instruction(scene.language)}")
    page.mark()
    budget = 0 if take == "sources only" else scene.recall_budget_tokens
    recalled = within_budget(frontier, before, budget)
    page.recall(recalled)
    page.mark()
    page.add("user", f"{MANAGER}: {MARKER}")
    return page, tuple(memory.memory_id for memory in recalled)


def _finish(scene: Scene, page: Page, task: str, take: Take, material: Material) -> Request:
    reminded = scene.identity_reminder or reminder(scene.agent_name)
    lines = [f"{MANAGER}: {task}", *([HINTS[take]] if take in HINTS else []), reminded]
    page.add("user", "\n\n".join(lines))
    return Request(
        model="",
        system=scene.persona,
        messages=tuple(page.messages),
        max_tokens=scene.most_tokens,
        temperature=scene.temperature,
        extra={"prompt_version": PROMPT_VERSION, "language": scene.language, "take": take},
        material=material,
    )
