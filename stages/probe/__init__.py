"""
Ask what the agent should remember: does search find it, and where along the pyramid is it lost.

reads   transcript      one row per item of the agent's store
        chunks          one row per closed chunk
        pyramid         memories, where they are there
        questions       what is asked, as TOML
        question_lines  what is asked, one JSON object a line
writes  probes          one row per question and way of answering it
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.errors import UsageError
from pipeline.schemas import CHUNKS, PROBES, PYRAMID, QUESTION_LINES, QUESTIONS, TRANSCRIPT
from pipeline.stage import Context, stage

if TYPE_CHECKING:
    from pipeline.memory.questions import Question

RULE = "Do not offer to search your history and do not ask whether to: just search, then answer."


@dataclass(frozen=True, slots=True)
class ProbeKnobs:
    """Knobs of `probe`; all but the first few count only with --ask-model."""

    model: str = ""  # who is asked with --ask-model; blank: the model of warmup
    protocol: str = ""  # openai or anthropic; blank: that of warmup
    base_url: str = ""  # the server's address; blank: that of warmup, or the provider's own
    rules: tuple[str, ...] = (RULE,)  # wordings of the search rule, each tried on every question
    max_searches: int = 6  # how often it may search before it has to answer
    max_tokens: int = 1_000  # longest answer
    private_in_public: bool = False  # ask private questions in a public room too: a leak test
    public_room: str = "general"  # where those are asked
    max_calls: int | None = None  # stop after so many calls
    max_cost: float | None = None  # stop once so much is spent, in the currency of [prices]
    budget: int = 0  # tokens of the context that it gets; 0: as `backfold window` says

    def __post_init__(self) -> None:
        for name in ("max_searches", "max_tokens"):
            if getattr(self, name) < 1:
                raise UsageError(f"probe.{name} is {getattr(self, name)}; give 1 or more")
        if self.budget < 0:
            raise UsageError(f"probe.budget is {self.budget}; give 0 or more")
        if self.protocol not in {"", "openai", "anthropic"}:
            raise UsageError(f"probe.protocol is {self.protocol!r}; it is openai or anthropic")
        if not self.rules:
            raise UsageError('probe.rules is empty; give at least one wording, "" for no rule')


@stage(
    reads=[TRANSCRIPT, CHUNKS],
    reads_if_there=[PYRAMID, QUESTIONS, QUESTION_LINES],
    writes=[PROBES],
    knobs=ProbeKnobs,
)
def probe(ctx: Context[ProbeKnobs]) -> None:
    """Score every question by search and by the memories on the way; with a model if asked."""
    from stages.probe.scene import open_scene
    from stages.probe.scoring import score
    from stages.probe.telling import frame_of, tell
    from stages.probe.waking import ask_model

    questions = questions_of(ctx)
    with open_scene(ctx) as scene:
        scored = list(score(scene.db, scene.talk, questions, scene.context, scene.now))
        answered = ask_model(ctx, scene, questions) if ctx.options.get("ask_model") else []
    ctx.write(PROBES, frame_of(scored, answered))
    told = tell(scored, answered, scene.talk)
    ctx.report("probe.md", told.report)
    for line in told.lines:
        ctx.say(line)


def questions_of(ctx: Context[ProbeKnobs]) -> "list[Question]":
    """Read the questions, if any; raises UsageError where there are files of both kinds."""
    from pipeline.memory.questions import read_questions

    there = [ctx.path(place) for place in (QUESTIONS, QUESTION_LINES) if ctx.has(place)]
    if len(there) > 1:
        raise UsageError(f"there are {there[0].name} and {there[1].name}; keep one of them")
    questions = read_questions(there[0]) if there else []
    if not questions:
        ctx.note(f"nothing to ask yet: write questions into {QUESTIONS.path} (see README)")
    return questions
