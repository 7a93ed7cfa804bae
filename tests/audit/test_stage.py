"""The stage: findings as rows, a report by family, waivers that count."""

from pipeline.artifacts import check as check_table
from pipeline.memory.checks import check, named
from pipeline.schemas import FINDINGS
from pipeline.testing.faults import healthy, plant
from stages.audit import AuditKnobs
from stages.audit.telling import frame_of, tell


def found():
    """Give the findings of one planted litany by name, and the view."""
    view = plant(healthy(50, 1), ["litany in a list"], 1).view
    return named(check(view)), view


def test_findings_fit_their_table_and_keep_their_names():
    """Each is a row of the declared table; a second audit gives the same names."""
    findings, _ = found()
    again, _ = found()
    frame = check_table(FINDINGS, frame_of(findings, {}, AuditKnobs()))
    assert frame.height == len(findings) > 0
    assert list(findings) == list(again)


def test_a_decided_family_is_canon():
    """The family named as canon is proposed for the persona, with its first memory."""
    findings, view = found()
    family = next(iter(findings.values())).family
    told = tell(findings, {}, view, AuditKnobs(canon=(family,)))
    assert "thimble" in told.canon
    assert family in told.canon
    assert "thimble" not in tell(findings, {}, view, AuditKnobs()).canon


def test_waived_findings_are_counted_and_not_told():
    """All waived: nothing found, so many waived."""
    findings, view = found()
    waived = {
        name: {"waived_at": "2026-01-01T00:00:00+00:00", "because": "vow"} for name in findings
    }
    told = tell(findings, waived, view, AuditKnobs())
    assert f"{len(findings)} waived" in told.lines[0]
    assert "thimble" not in told.report
    assert frame_of(findings, waived, AuditKnobs())["waived_because"].to_list()[0] == "vow"
