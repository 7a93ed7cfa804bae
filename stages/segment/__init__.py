"""
Cut the transcript at silences into the chunks that memories will be made of.

reads   transcript  one row per item of the agent's store
writes  chunks      one row per closed chunk
"""

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from pipeline.errors import UsageError
from pipeline.memory.folding import Cut, Record
from pipeline.schemas import CHUNKS, PYRAMID, TRANSCRIPT
from pipeline.stage import Context, stage

if TYPE_CHECKING:
    from pipeline.memory.merging import MergeRules

COLUMNS = [
    *("position", "item_id", "participant", "is_self", "is_private", "sent_at", "channel_id"),
    *("message_ids", "reply_to_id"),
]


@dataclass(frozen=True, slots=True)
class SegmentKnobs:
    """Knobs of `segment`."""

    target_chunk_tokens: int = 3_000  # a chunk closes once it is this big (chars / 4)
    gap_minutes: int = 60  # a silence this long closes a chunk too
    gap_min_tokens: int = 500  # ... once it is at least this big
    min_messages: int = 4  # and never with fewer messages than this
    head_tokens: int = 4_000  # oldest talk that stays word for word; the host's own number
    tail_tokens: int = 30_000  # newest talk that stays word for word; the host's own number
    split_private: bool = False  # close also where talk moves between private and public rooms
    exact_items: int = 50_000  # above so many items only a sample of chunks is really tokenized

    def __post_init__(self) -> None:
        least = {"head_tokens": 0, "tail_tokens": 0, "gap_min_tokens": 0, "exact_items": 0}
        for name, value in asdict(self).items():
            if value < least.get(name, 0 if name == "split_private" else 1):
                raise UsageError(f"segment.{name} is {value}; give {least.get(name, 1)} or more")

    def cut(self) -> Cut:
        """Give the numbers that place boundaries."""
        values = asdict(self)
        del values["exact_items"]
        return Cut(**values)


@stage(reads=[TRANSCRIPT], writes=[CHUNKS], respects=[PYRAMID], knobs=SegmentKnobs)
def segment(ctx: Context[SegmentKnobs]) -> None:
    """Measure the transcript, cut it around what is folded, write the chunks, tell about them."""
    from pipeline.memory.history import COLUMNS as MEASURED
    from pipeline.memory.history import join_histories, read_history
    from stages.segment.counting import count_exactly
    from stages.segment.cutting import cut_history, spell_chunks
    from stages.segment.telling import tell

    transcript = ctx.read(TRANSCRIPT, COLUMNS)
    history = join_histories(map(read_history, ctx.read_parts(TRANSCRIPT, MEASURED)))
    standing = recorded(ctx)
    cutting = cut_history(history, ctx.knobs.cut(), standing)
    spelled = spell_chunks(
        transcript, history, cutting.chunks, ctx.read_parts(TRANSCRIPT, ["item_id", "blocks"])
    )
    texts = ctx.read_parts(TRANSCRIPT, ["text"])
    counted = count_exactly(spelled, texts, cutting.chunks, ctx.env, ctx.knobs.exact_items)
    ctx.write(CHUNKS, counted.chunks)
    told = tell(
        transcript,
        history,
        cutting,
        counted,
        cut=ctx.knobs.cut(),
        rules=merge_rules(ctx),
        zone=ctx.agent.zone,
        compare=bool(ctx.options.get("compare")),
        standing=len(standing),
    )
    ctx.report("segment.md", told.report)
    for line in told.lines:
        ctx.say(line)


def recorded(ctx: Context[SegmentKnobs]) -> list[Record]:
    """Give the chunks that memories stand on; empty before the first warmup."""
    if not ctx.has(PYRAMID):
        return []
    from pipeline.memory.pyramid import Pyramid

    with Pyramid(ctx.path(PYRAMID), read_only=True) as pyramid:
        chunks, memories = pyramid.chunks(), pyramid.memories(level=1)
    on = {memory.chunk_id: memory.memory_id for memory in memories}
    return [
        Record(
            chunk.chunk_id,
            chunk.ordinal,
            chunk.item_ids,
            chunk.closed_by,
            memory_ids=(on[chunk.chunk_id],) if chunk.chunk_id in on else (),
        )
        for chunk in chunks
    ]


def merge_rules(ctx: Context[SegmentKnobs]) -> "MergeRules":
    """Give the merge numbers of warmup, which own them, for the outlook and the comparison."""
    from pipeline.memory.merging import MergeRules

    own = ctx.agent.stages.get("warmup", {})
    known = ("fan_in", "max_speculative_l1s", "merge_max_source_span_messages")
    return MergeRules(**{name: own[name] for name in known if name in own})
