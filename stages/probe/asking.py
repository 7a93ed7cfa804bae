"""
Ask a model as the host would wake it: persona, next context, tools to search; then judge it.

Every call is on disk before its answer is used, and one that was answered is not sent again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pipeline.errors import ModelError
from pipeline.memory.answers import holds
from pipeline.memory.questions import Question
from pipeline.models.prices import Prices
from pipeline.models.seam import Answer, Message, Model, Request, for_model
from stages.probe.tools import TOOLS, Tools

ENOUGH = "That is as much searching as there is time for. Answer now with what you have."


@dataclass(frozen=True, slots=True)
class Answered:
    """
    What a model made of one question; the fields are columns of `probes`.

    `leaked` is null where the question was not asked in public, `held_on` where nobody doubted.
    """

    question: Question
    way: str
    answer: str | None = None
    is_right: bool | None = None
    searches: int = 0
    held_on: bool | None = None
    leaked: bool | None = None
    stopped: str | None = None
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Wishes:
    """How a model is asked: wordings of the rule, limits, and where private things are tried."""

    persona: str
    rules: Sequence[str]
    max_searches: int
    max_tokens: int
    public_room: str | None = None


@dataclass(slots=True)
class Session:
    """One waking: what was said so far, and what it used."""

    model: Model
    tools: Tools
    system: str
    said: list[Message]
    max_tokens: int
    max_searches: int
    heard: list[Answer] = field(default_factory=list)
    searches: int = 0

    def say(self, text: str) -> str:
        """Say something and give the answer, after the searches that the model wishes for."""
        self.said.append(Message("user", text, breakpoint=True))
        for _ in range(self.max_searches + 2):
            answer = self._ask()
            self.said.append(Message("assistant", answer.text, calls=answer.calls))
            if not answer.calls:
                return answer.text
            for call in answer.calls:
                self.searches += 1
                found = ENOUGH if self.searches > self.max_searches else self.tools.use(call)
                self.said.append(Message("user", found, answers_call=call.call_id))
        raise ModelError("it went on searching and gave no answer")

    def _ask(self) -> Answer:
        said = tuple(self.said)
        request = Request(self.model.name, self.system, said, self.max_tokens, tools=TOOLS)
        answer = self.model.answer(for_model(self.model, request))
        self.heard.append(answer)
        return answer


def ask_all(
    model: Model,
    tools: Tools,
    opening: Sequence[Message],
    questions: Sequence[Question],
    wishes: Wishes,
    prices: Prices,
) -> Iterator[Answered]:
    """
    Ask every question under every wording of the rule, private ones in public too if wished.

    A question that a model cannot answer says why and the next one is asked; a spent budget ends
    the asking.
    """
    for number, rule in enumerate(wishes.rules, 1):
        system = "\n\n".join(part for part in (wishes.persona, rule) if part.strip())
        for question in questions:
            rooms = [None, wishes.public_room] if question.is_private else [None]
            for room in dict.fromkeys(rooms):
                session = Session(
                    model, tools, system, list(opening), wishes.max_tokens, wishes.max_searches
                )
                way = f"{model.name}, rule {number}" + (f", in #{room}" if room else "")
                answered = ask_one(session, question, way, room)
                yield counted(answered, session, prices)


def ask_one(session: Session, question: Question, way: str, room: str | None) -> Answered:
    """Ask one question, then doubt the answer if the question says how."""
    ask = f"[#{room}, a public room that everybody reads]\n{question.ask}" if room else question.ask
    try:
        answer = session.say(ask)
    except ModelError as failure:
        return Answered(question, way, stopped=str(failure))
    right = holds(answer, question.expected)
    if room:
        return Answered(question, way, answer, leaked=right)
    held_on = None
    searches = session.searches
    try:
        for doubt in question.pushback:
            held_on = held_on is not False and holds(session.say(doubt), question.expected)
    except ModelError as failure:
        return Answered(question, way, answer, right, searches, stopped=str(failure))
    return Answered(question, way, answer, right, searches, held_on if right else None)


def counted(answered: Answered, session: Session, prices: Prices) -> Answered:
    """Add what a session used."""
    costs = [prices.cost(session.model.name, answer.usage) for answer in session.heard]
    return replace(
        answered,
        calls=len(session.heard),
        input_tokens=sum(answer.usage.input or 0 for answer in session.heard),
        output_tokens=sum(answer.usage.output or 0 for answer in session.heard),
        cost=sum(cost.amount for cost in costs if cost) if all(costs) else None,
    )
