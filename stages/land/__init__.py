"""
Put talk and memories where the agent will live.

reads   transcript  one row per item of the agent's store
        rooms       names of rooms, and the last message of each
        people      who is who
        chunks      one row per closed chunk
        pyramid     the memories
writes  landed      what was landed in the agent's own folder, and a manifest of each landing

Kept attachments come from raw. With `--into` files go into a host's folder instead; what stands
there already is never overwritten, and the manifest takes a landing back.
"""

from dataclasses import dataclass

from pipeline.errors import UsageError
from pipeline.schemas import CHUNKS, LANDED, PEOPLE, PYRAMID, ROOMS, TRANSCRIPT
from pipeline.stage import Context, stage

TARGETS = ("connectome", "mnemara", "lastmemory", "markdown", "jsonl")


@dataclass(frozen=True, slots=True)
class LandKnobs:
    """Knobs of `land`."""

    target: str = ""  # connectome, mnemara, lastmemory, markdown or jsonl; --target goes first
    messagepack: bool = False  # connectome: a third of the size, for hosts with Chronicle 0.3 on
    context_budget_tokens: int = 100_000  # connectome: the budget that the example recipe names
    budget_tokens: int = 60_000  # markdown: what the whole folder may cost to read
    private_rooms: tuple[str, ...] = ()  # lastmemory: DMs and private rooms that may come along

    def __post_init__(self) -> None:
        if self.target and self.target not in TARGETS:
            raise UsageError(f"land.target is {self.target!r}; there are {', '.join(TARGETS)}")
        for name in ("context_budget_tokens", "budget_tokens"):
            if getattr(self, name) < 1:
                raise UsageError(f"land.{name} is {getattr(self, name)}; give 1 or more")


@stage(
    reads=[TRANSCRIPT, ROOMS, PEOPLE, CHUNKS, PYRAMID],
    writes=[LANDED],
    knobs=LandKnobs,
)
def land(ctx: Context[LandKnobs]) -> None:
    """Land in the target that was named, or take a landing back; then tell."""
    from stages.land.carrying import carry_out

    for line in carry_out(ctx):
        ctx.say(line)
