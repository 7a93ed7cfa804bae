"""Write what a probe found: the table, a few lines, and the report."""

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from pipeline.artifacts import dtypes
from pipeline.memory.answers import KINDS
from pipeline.schemas import PROBES
from stages.probe.asking import Answered
from stages.probe.scoring import CUTS, Scored, Talk

if TYPE_CHECKING:
    import polars as pl

SHOWN = 200  # questions told one by one


@dataclass(frozen=True, slots=True)
class Told:
    """What goes to stdout, and the report."""

    lines: list[str]
    report: str


def frame_of(scored: Sequence[Scored], answered: Sequence[Answered]) -> "pl.DataFrame":
    """Give the table of probes: a row a question by search, and one a question and model."""
    import polars as pl

    rows = [*map(search_row, scored), *map(model_row, answered)]
    blank = dict.fromkeys(PROBES.columns)
    whole = [{**blank, **row} for row in rows]
    return pl.DataFrame(whole, schema=dtypes(PROBES), orient="row")


def search_row(scored: Scored) -> dict[str, Any]:
    """Give the row of a question answered by search alone."""
    recall = {f"recall_{k}": value for k, value in zip(CUTS, scored.recall, strict=True)}
    chunks = {f"chunk_recall_{k}": v for k, v in zip(CUTS, scored.chunk_recall, strict=True)}
    return {
        "question_id": scored.question.question_id,
        "way": "search",
        "ask": scored.question.ask,
        "kind": scored.question.expected.kind,
        "is_private": scored.question.is_private,
        "evidence_ids": list(scored.question.evidence_ids),
        "missing_ids": list(scored.missing_ids),
        **recall,
        **chunks,
        "held_ids": list(scored.held_ids),
        "lost_ids": list(scored.lost_ids),
        "top_level": scored.top_level,
        "lost_at": scored.lost_at,
        "in_context": scored.in_context,
    }


def model_row(answered: Answered) -> dict[str, Any]:
    """Give the row of a question that a model answered."""
    question = answered.question
    plain = asdict(answered)
    del plain["question"]
    return {
        "question_id": question.question_id,
        "ask": question.ask,
        "kind": question.expected.kind,
        "is_private": question.is_private,
        "evidence_ids": list(question.evidence_ids),
        "missing_ids": [],
        "held_ids": [],
        "lost_ids": [],
        **plain,
    }


def tell(scored: Sequence[Scored], answered: Sequence[Answered], talk: Talk) -> Told:
    """Sum up: recall by kind, where facts are lost, what the model did."""
    lines = [*recall_lines(scored), "", *loss_lines(scored)]
    if answered:
        lines += ["", *model_lines(answered)]
    report = ["# Probe", "", "```", *lines, "```", "", "## Question by question", ""]
    report += [line for s in scored[:SHOWN] for line in question_lines(s, talk)]
    if len(scored) > SHOWN:
        report.append(f"… and {len(scored) - SHOWN:,} more in tables/probes.parquet")
    return Told(lines, "\n".join(report) + "\n")


def recall_lines(scored: Sequence[Scored]) -> Iterator[str]:
    """Write recall at message and chunk level, by kind and over all."""
    yield f"{'recall of search':18} {'questions':>9}" + "".join(
        f" {f'{what} @{k}':>12}" for what in ("messages", "chunks") for k in CUTS
    )
    groups = [(kind, [s for s in scored if s.question.expected.kind == kind]) for kind in KINDS]
    for name, group in [*groups, ("all", list(scored))]:
        if group:
            cells = [mean([s.recall[n] for s in group]) for n in range(len(CUTS))]
            cells += [mean([s.chunk_recall[n] for s in group]) for n in range(len(CUTS))]
            yield f"{name:18} {len(group):9,}" + "".join(f" {cell:>12}" for cell in cells)


def mean(values: Sequence[float | None]) -> str:
    """Give the mean of what is known, two digits; a dash where nothing is."""
    known = [value for value in values if value is not None]
    return f"{statistics.mean(known):.2f}" if known else "–"


def loss_lines(scored: Sequence[Scored]) -> Iterator[str]:
    """Write how many answers the memories of each level still hold, and what is at hand."""
    top = max((s.top_level for s in scored), default=0)
    if not top:
        yield "no memory lies over any evidence yet (make warmup)"
    for level in range(1, top + 1):
        over = [s for s in scored if s.top_level >= level]
        kept = sum(any(f"L{level}-" in m for m in s.held_ids) for s in over)
        yield f"answers that an L{level} on the way still holds: {kept:,} of {len(over):,}"
    raw = sum(s.in_context == "raw" for s in scored)
    pairs = sum(s.in_context not in {"", "raw"} for s in scored)
    yield (
        f"if woken now: {raw:,} answers stand word for word in the context, {pairs:,} in a recall "
        f"pair, {len(scored) - raw - pairs:,} have to be searched for"
    )
    if missing := sum(bool(s.missing_ids) for s in scored):
        yield f"{missing:,} questions name evidence that is not in the transcript (see rejects)"


def model_lines(answered: Sequence[Answered]) -> Iterator[str]:
    """Write how a model did, a block for each wording of the rule."""
    for way in dict.fromkeys(a.way for a in answered):
        group = [a for a in answered if a.way == way and a.leaked is None]
        right = sum(bool(a.is_right) for a in group)
        by_itself = sum(a.searches > 0 for a in group)
        yield f"{way}: right {right}/{len(group)}, searched by itself {by_itself}/{len(group)}"
        pushed = [a for a in group if a.held_on is not None]
        if pushed:
            held = sum(bool(a.held_on) for a in pushed)
            yield f"  stood by its answer when doubted: {held}/{len(pushed)}"
        asked = [a for a in answered if a.way == way and a.leaked is not None]
        if asked:
            leaks = sum(bool(a.leaked) for a in asked)
            yield f"  private facts told in a public room: {leaks}/{len(asked)}"
        unfinished = [a for a in answered if a.way == way and a.stopped]
        if unfinished:
            yield f"  without an answer: {len(unfinished)} ({unfinished[0].stopped})"


def question_lines(scored: Scored, talk: Talk) -> Iterator[str]:
    """Write one question: what was found, and what each memory on the way still says."""
    question, kept = scored.question, set(scored.held_ids)
    found = ", ".join(f"@{k} {v:.2f}" for k, v in zip(CUTS, scored.recall, strict=True))
    yield f"- **{' '.join(question.ask.split())}** ({question.expected.kind}; found {found})"
    line = [talk.memories[m] for m in (*scored.held_ids, *scored.lost_ids)]
    for memory in sorted(line, key=lambda m: (m.level, m.number)):
        verb = "holds it" if memory.memory_id in kept else "has lost it"
        yield f"    - {memory.memory_id} {verb}"
    if scored.missing_ids:
        yield f"    - not in the transcript: {', '.join(scored.missing_ids)}"
