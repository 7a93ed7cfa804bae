"""Findings as a table, as a report for people, and as a proposal for the persona."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipeline.artifacts import dtypes
from pipeline.memory.findings import SEVERITIES, Finding, View
from pipeline.memory.records import headline
from pipeline.schemas import FINDINGS

if TYPE_CHECKING:
    import polars as pl

Waivers = Mapping[str, Mapping[str, str]]
SHOWN = 20  # findings of one rule that the report spells out
WIDEST = 160  # characters of evidence in the report


@dataclass(frozen=True, slots=True)
class Told:
    """What people get: the report, the proposal for the persona, a few lines."""

    report: str
    canon: str
    lines: list[str]


def decision(finding: Finding, knobs: Any) -> str | None:
    """Give what the owner decided about its family; null: nothing yet."""
    for name in ("remove", "keep", "canon"):
        if finding.family is not None and finding.family in getattr(knobs, name):
            return name
    return None


def frame_of(findings: Mapping[str, Finding], waived: Waivers, knobs: Any) -> "pl.DataFrame":
    """Write findings as rows of their table."""
    import polars as pl

    rows = []
    for finding_id, finding in findings.items():
        waiver = waived.get(finding_id, {})
        at = waiver.get("waived_at")
        rows.append(
            {name: getattr(finding, name) for name in Finding.__slots__}
            | {
                "finding_id": finding_id,
                "source_ids": list(finding.source_ids),
                "decision": decision(finding, knobs),
                "waived_at": datetime.fromisoformat(at) if at else None,
                "waived_because": waiver.get("because"),
            }
        )
    return pl.DataFrame(rows, schema=dtypes(FINDINGS))


def tell(findings: Mapping[str, Finding], waived: Waivers, view: View, knobs: Any) -> Told:
    """Write the report and the lines; waived findings are counted and not spelled out."""
    open_ones = {key: f for key, f in findings.items() if key not in waived}
    counts = Counter(finding.severity for finding in open_ones.values())
    summary = ", ".join(f"{counts[s]} {s}{'s' * (counts[s] != 1)}" for s in SEVERITIES if counts[s])
    kept = len(findings) - len(open_ones)
    looked = f"{len(view.memories):,} memories over {len(view.items):,} items"
    first = f"{looked}: {summary or 'nothing found'}" + (f", {kept} waived" if kept else "")
    by_rule: dict[str, list[tuple[str, Finding]]] = {}
    for key, finding in open_ones.items():
        by_rule.setdefault(finding.rule, []).append((key, finding))
    lines = [first, *(f"  {rule}: {len(found)}" for rule, found in by_rule.items())]
    body = "\n".join(
        part for rule, found in by_rule.items() for part in section(rule, found, knobs)
    )
    return Told(f"# Audit\n\n{first}\n\n{body}", canon_of(findings.values(), view, knobs), lines)


def section(rule: str, found: list[tuple[str, Finding]], knobs: Any) -> Iterator[str]:
    """Write the findings of one rule; members of a family stand together."""
    yield f"## {rule}: {len(found)}\n"
    found = sorted(found, key=lambda pair: (pair[1].family or "", pair[1].start or 0))
    family = None
    for key, finding in found[:SHOWN]:
        if finding.family not in (None, family):
            decided = decision(finding, knobs) or "undecided"
            yield f"\nfamily `{finding.family}` ({decided})"
        family = finding.family
        shown = " ".join(finding.evidence.split())
        cut = shown if len(shown) <= WIDEST else shown[: WIDEST - 1] + "…"
        quoted = f": “{cut}”" if cut else ""
        sources = f" (from {', '.join(finding.source_ids[:4])})" if finding.source_ids else ""
        subject = f"`{finding.subject}` " if finding.subject else ""
        yield (
            f"- `{key}` {finding.severity}, {finding.action}: {subject}{finding.message}"
            f"{quoted}{sources}"
        )
    if len(found) > SHOWN:
        yield f"- … and {len(found) - SHOWN} more in findings.parquet"
    yield ""


def canon_of(findings: Iterable[Finding], view: View, knobs: Any) -> str:
    """Write the facts of the families that belong into the persona, with their first sources."""
    facts: dict[str, Finding] = {}
    for finding in findings:
        if finding.family in knobs.canon:
            facts.setdefault(str(finding.family), finding)
    out = ["# Canon: a proposal for persona.md", ""]
    memories = view.by_id()
    for family, finding in facts.items():
        first = next((i for i in finding.source_ids if i in memories), finding.subject)
        where = f", in “{headline(memories[first].text)}”" if first in memories else ""
        out.append(
            f"- {' '.join(finding.evidence.split())} (family {family}, first in {first}{where})"
        )
    if not facts:
        out.append("No family is decided as canon; name some under [audit] canon in agent.toml.")
    return "\n".join(out) + "\n"
