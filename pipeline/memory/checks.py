"""
Every rule of an audit, by the room it stands in, and how all of them are run.

A rule is taken out by taking out its line here; `repair` runs the same list on its scratch copy.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pipeline.memory.findings import Finding, Rule, View, gravest_first


def all_rules() -> tuple[Rule, ...]:
    """Give every rule, room by room; each room has RULES, a tuple of them."""
    from pipeline.memory import (
        litanyrules,
        structure,
        textfacts,
        textrules,
    )  # so that the ledger sees them

    rooms = (structure, litanyrules, textrules, textfacts)
    return tuple(rule for room in rooms for rule in room.RULES)


def check(view: View, rules: Iterable[Rule] | None = None) -> list[Finding]:
    """Run rules (all, unless some are given) and give what they find, gravest first, each once."""
    chosen = all_rules() if rules is None else rules
    found = gravest_first(finding for rule in chosen for finding in rule(view))
    return without_secrets(list(dict.fromkeys(found)))


def without_secrets(findings: list[Finding]) -> list[Finding]:
    """Give the findings with every credential in their evidence replaced by the mark."""
    from pipeline.chat.redact import compile_rules, cut_out

    said = [finding.evidence for finding in findings]
    hits = dict(compile_rules().find(said)) if any(said) else {}
    return [
        replace(finding, evidence=cut_out(finding.evidence, hits[number]))
        if number in hits
        else finding
        for number, finding in enumerate(findings)
    ]


def named(findings: Iterable[Finding]) -> Mapping[str, Finding]:
    """Give findings by id; one that says the same at another place gets a number behind it."""
    found: dict[str, Finding] = {}
    times: dict[str, int] = {}
    for finding in findings:
        own = finding.finding_id
        times[own] = times.get(own, 0) + 1
        found[own if times[own] == 1 else f"{own}-{times[own]}"] = finding
    return found


def settled(finding: Finding) -> Finding:
    """Give a finding whose family the owner keeps as a mere note without an action."""
    return replace(finding, severity="note", action="look")
