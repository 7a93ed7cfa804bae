"""
Make a memory of every chunk, and memories of memories, as the live agent would have made them.

reads   transcript  one row per item of the agent's store
        rooms       names of rooms, and how far raw went
        chunks      one row per closed chunk
        curated     what decided which items there are
writes  pyramid     memories, revisions, calls, state: one commit an accepted answer
        memories    the memories again, as a table
        calls       the record of calls again, as a table
"""

from dataclasses import dataclass

from pipeline.errors import UsageError
from pipeline.memory.merging import MergeRules
from pipeline.schemas import CALLS, CHUNKS, CURATED, MEMORIES, PYRAMID, ROOMS, TRANSCRIPT
from pipeline.stage import Context, stage


@dataclass(frozen=True, slots=True)
class WarmupKnobs:
    """Knobs of `warmup`."""

    model: str = "extractive"  # extractive (free, offline), or the name of the model that mints
    protocol: str = "openai"  # how it is spoken to: openai (any compatible server) or anthropic
    base_url: str = ""  # the server's address; blank: the provider's own
    fan_in: int = 6  # so many neighbours become one memory of the next level
    max_speculative_l1s: int = 8  # merges go first once more L1s than this stand unmerged
    merge_max_source_span_messages: int = 1_500  # a memory over more messages never merges
    holdback: int = 0  # newest chunks left for the live agent
    thin_chars: int = 200  # a chunk with less talk gets a stub without a call
    recall_budget_tokens: int = 100_000  # earlier memories shown in one request
    summary_target_tokens: int = 2_000  # asked length; never more than half of the chunk's own
    merge_target: str = "deeper"  # a merge shows what is two levels below (deeper), or sources
    language: str = "auto"  # auto: that of the talk; else the language to write in
    identity_reminder: str = ""  # last words of every request; blank: who the agent is
    parallel: int = 1  # L1s made side by side; they do not recall each other
    max_tokens: int | None = None  # longest answer; none: as the host asks
    temperature: float | None = None  # none: the server's own
    requests_per_minute: float | None = None  # none: as fast as answers come
    failures_in_a_row: int = 3  # stop after so many requests without an answer
    max_calls: int | None = None  # stop after so many calls of a run; a yes to make them
    max_cost: float | None = None  # stop at so much money of a run; a yes to spend it

    def __post_init__(self) -> None:
        self.rules()
        for name in ("parallel", "summary_target_tokens", "failures_in_a_row"):
            if getattr(self, name) < 1:
                raise UsageError(f"warmup.{name} is {getattr(self, name)}; give 1 or more")
        for name in ("holdback", "thin_chars", "recall_budget_tokens"):
            if getattr(self, name) < 0:
                raise UsageError(f"warmup.{name} is {getattr(self, name)}; give 0 or more")
        if self.merge_target not in {"deeper", "sources"}:
            raise UsageError(f"warmup.merge_target is {self.merge_target!r}: deeper or sources")
        if self.protocol not in {"openai", "anthropic", "scripted", "extractive"}:
            raise UsageError(f"warmup.protocol is {self.protocol!r}: openai or anthropic")

    def rules(self) -> MergeRules:
        """Give the numbers of the schedule."""
        return MergeRules(
            self.fan_in, self.max_speculative_l1s, self.merge_max_source_span_messages
        )


@stage(
    reads=[TRANSCRIPT, ROOMS, CHUNKS, CURATED],
    writes=[PYRAMID, MEMORIES, CALLS],
    knobs=WarmupKnobs,
    free=False,
)
def warmup(ctx: Context[WarmupKnobs]) -> None:
    """Plan, and where the owner agrees mint and merge; then write the tables and tell."""
    from stages.warmup.running import carry_out
    from stages.warmup.tables import write_tables

    done = carry_out(ctx)
    write_tables(ctx)
    for line in done:
        ctx.say(line)
