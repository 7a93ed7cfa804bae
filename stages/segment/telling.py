"""Say what was cut, in a few lines and in a report."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from pipeline.memory.folding import Cut
from pipeline.memory.history import History
from pipeline.memory.merging import MergeRules
from stages.segment.counting import Counted
from stages.segment.cutting import Cutting
from stages.segment.outlook import (
    Trial,
    count_cut,
    find_replies,
    fitting_target,
    foresee,
    owners,
    too_wide,
    trials,
)

if TYPE_CHECKING:
    import polars as pl

RULER_WARNING = 1.5  # real tokens a ruler token: above, every budget is meant differently
ROWS_SHOWN = 500
ENDS = ("started_at", "ended_at")
TOKENS = ("tokens_exact", "tokens_chunk", "tokens_store")
REASONS = {
    "gap": "a silence",
    "size": "the target",
    "privacy": "a change between private and public rooms",
    "seam": "a gap in the order",
}


@dataclass(frozen=True, slots=True)
class Told:
    """What goes to stdout, and the report."""

    lines: list[str]
    report: str


def tell(
    transcript: "pl.DataFrame",
    history: History,
    cutting: Cutting,
    counted: Counted,
    *,
    cut: Cut,
    rules: MergeRules,
    zone: ZoneInfo,
    compare: bool,
    standing: int = 0,
) -> Told:
    """Sum up a cutting; with `compare` also other gaps and targets, side by side."""
    replies = find_replies(transcript)
    lines = [tell_windows(history, cutting), *tell_standing(standing, len(cutting.chunks))]
    if cutting.chunks:
        owner = owners(len(history), [chunk.places for chunk in cutting.chunks])
        lengths = [len(chunk.places) for chunk in cutting.chunks]
        lines += [
            *tell_sizes(counted.chunks),
            tell_reasons(cutting),
            *tell_exact(counted),
            tell_replies(count_cut(replies, owner)),
            tell_outlook(lengths, rules),
            *warn_of_width(history, lengths, cut, rules, standing),
        ]
    report = ["# Segment", "", *[f"- {line}" for line in lines]]
    if compare:
        table = list(table_of(trials(history, cut, rules, replies)))
        lines += table
        report += ["", "## Other gaps and targets, as if nothing were folded", "", *table]
    report += ["", *table_of_chunks(counted.chunks, zone)]
    return Told(lines, "\n".join(report) + "\n")


def tell_windows(history: History, cutting: Cutting) -> str:
    """Say where head and tail are, and what is neither folded nor kept by them."""
    items, zone = len(history), cutting.zone
    if not cutting.chunks and not cutting.open:
        return f"head and tail keep all {items:,} items word for word: nothing to fold"
    tail = max(zone.tail_start, zone.head_end)
    left = "no chunk closed yet; " if not cutting.chunks else ""
    return (
        f"{items:,} items: head {zone.head_end - zone.head_start:,}, "
        f"{left}{sum(len(c.places) for c in cutting.chunks):,} in {len(cutting.chunks):,} chunks, "
        f"{len(cutting.open):,} still open, tail {items - tail:,}"
    )


def tell_standing(standing: int, chunks: int) -> list[str]:
    """Say which chunks no knob moves any more, since memories stand on them (design rule 7)."""
    if not standing:
        return []
    stay = f"memories stand on {standing:,} of {chunks:,} chunks: those stay as they are"
    return [f"{stay}, and knobs count from there on (backfold run warmup --refold cuts anew)"]


def tell_sizes(chunks: "pl.DataFrame") -> list[str]:
    """Say how big chunks are."""
    lines = []
    for column, what in (("messages", "messages"), ("tokens_chunk", "tokens by the chunk ruler")):
        values = sorted(chunks[column].to_list())
        middle, top = values[len(values) // 2], values[len(values) * 9 // 10]
        lines.append(
            f"{what} a chunk: {values[0]:,} to {values[-1]:,}, half up to {middle:,}, "
            f"nine in ten up to {top:,}, mean {sum(values) / len(values):,.1f}"
        )
    return lines


def tell_reasons(cutting: Cutting) -> str:
    """Say what closed the chunks."""
    counts = Counter(chunk.closed_by for chunk in cutting.chunks)
    told = [f"{REASONS.get(why, why)} {count:,}" for why, count in counts.most_common()]
    return f"closed by {', '.join(told)}"


def tell_exact(counted: Counted) -> list[str]:
    """Set real tokens beside both rulers, and warn where a ruler is far too short."""
    rows = counted.chunks.drop_nulls("tokens_exact")
    if counted.guessed_tokens is not None:
        about = f"about {counted.guessed_tokens:,} tokens ({counted.label})"
        return [f"{about}; install backfold[offline] for an exact count"]
    if not rows.height:
        return []
    exact, by_chunk, by_store = (sum(rows[column].to_list()) for column in TOKENS)
    ratios = {"chunk ruler": exact / max(1, by_chunk), "store ruler": exact / max(1, by_store)}
    sample = (
        f", {rows.height:,} of {counted.chunks.height:,} chunks"
        if rows.height < counted.chunks.height
        else ""
    )
    beside = ", ".join(f"{ratio:.2f} × the {name}" for name, ratio in ratios.items())
    lines = [f"exact tokens ({counted.label}{sample}): {exact:,}, that is {beside}"]
    for name, ratio in ratios.items():
        if ratio > RULER_WARNING:
            lines.append(
                f"warning: {ratio:.2f} real tokens a token of the {name} (above {RULER_WARNING}): "
                f"chunks and windows are that much bigger than their numbers say"
            )
    return lines


def tell_replies(counts: tuple[int, int]) -> str:
    """Say how many replies are parted from what they answer."""
    inside, cut_off = counts
    if not inside:
        return "no replies inside chunks"
    share = 100 * cut_off / inside
    return f"{cut_off:,} of {inside:,} replies have their target in another chunk ({share:.1f} %)"


def tell_outlook(lengths: Sequence[int], rules: MergeRules) -> str:
    """Say what warmup will make of it."""
    outlook = foresee(lengths, rules)
    return (
        f"folds to {outlook.path} memories in {outlook.calls:,} calls; {outlook.roots:,} are roots"
    )


def warn_of_width(
    history: History, lengths: Sequence[int], cut: Cut, rules: MergeRules, standing: int
) -> list[str]:
    """Warn where chunks hold so many messages that L3s can never merge, and say what fits."""
    mean, fan = sum(lengths) / len(lengths), rules.fan_in**2
    if not too_wide(mean, rules):
        return []
    fits = fitting_target(history, cut, rules)
    advice = f"target_chunk_tokens = {fits} fits" if fits else "no smaller target helps"
    advice += ", with a --refold" if fits and standing else ""
    limit = rules.merge_max_source_span_messages
    sum_up = f"{mean:.1f} messages a chunk × {fan} = {mean * fan:,.0f}, above the {limit:,}"
    return [f"warning: {sum_up} that a merge may span: such L3s never merge; {advice}"]


def table_of(tried: Iterable[Trial]) -> Iterable[str]:
    """Write trials as a table; the last columns show where the span limit stops the fold."""
    yield "| gap | target | chunks | by gap | size | messages | cut off | calls | levels | roots |"
    yield "|--:|--:|--:|--:|--:|--:|--:|--:|:--|--:|"
    for t in tried:
        cells = (
            *(t.gap_minutes, t.target, t.chunks),
            *(t.reasons.get("gap", 0), t.reasons.get("size", 0), f"{t.messages:.1f}"),
            *(t.replies_cut, t.outlook.calls, t.outlook.path, t.outlook.roots),
        )
        yield "| " + " | ".join(str(cell) for cell in cells) + " |"


def table_of_chunks(chunks: "pl.DataFrame", zone: ZoneInfo) -> Iterable[str]:
    """Write a line a chunk, in the owner's local time."""
    if not chunks.height:
        return
    yield f"## Chunks ({zone.key} time)"
    yield ""
    yield "| chunk | from | to | messages | own | chunk ruler | store ruler | exact | closed by |"
    yield "|:--|:--|:--|--:|--:|--:|--:|--:|:--|"
    for row in chunks.sort("ordinal").head(ROWS_SHOWN).iter_rows(named=True):
        times = [row[end].astimezone(zone).strftime("%Y-%m-%d %H:%M") for end in ENDS]
        exact = "" if row["tokens_exact"] is None else row["tokens_exact"]
        numbers = (row["messages"], row["own_turns"], row["tokens_chunk"], row["tokens_store"])
        cells = (row["chunk_id"], *times, *numbers, exact, row["closed_by"])
        yield "| " + " | ".join(str(cell) for cell in cells) + " |"
    if chunks.height > ROWS_SHOWN:
        yield ""
        yield f"and {chunks.height - ROWS_SHOWN:,} more: backfold show chunks"
