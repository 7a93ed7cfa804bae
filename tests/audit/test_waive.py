"""`backfold waive`: a row with reason and time, taken back by another row."""

import json

from click.testing import CliRunner

from pipeline.artifacts import write_table
from pipeline.cli import main
from pipeline.memory.checks import check, named
from pipeline.memory.litanyrules import RULES
from pipeline.schemas import FINDINGS, WAIVERS
from pipeline.testing.faults import healthy, plant
from stages.audit import AuditKnobs
from stages.audit.telling import frame_of


def audited(folder):
    """Write an agent with findings; give the name of the first."""
    (folder / "agent.toml").write_text(
        '[agent]\nname = "quill"\nsource = "files"\nfiles = ["x"]\n[self]\nusers = ["599"]\n'
    )
    findings = named(check(plant(healthy(50, 1), ["litany in a list"], 1).view, RULES))
    write_table(folder, FINDINGS, frame_of(findings, {}, AuditKnobs()))
    return next(iter(findings))


def waive(folder, *words):
    """Run the command."""
    return CliRunner().invoke(main, ["waive", "--agent", str(folder), *words])


def test_a_waiver_is_a_row_and_can_be_taken_back(tmp_path):
    """Reason and time stand in the row; nothing is ever removed."""
    name = audited(tmp_path)
    assert waive(tmp_path, name, "--because", "a vow").exit_code == 0
    assert waive(tmp_path, name, "--withdraw").exit_code == 0
    rows = [json.loads(line) for line in (tmp_path / WAIVERS.path).read_text().splitlines()]
    assert [row["withdrawn"] for row in rows] == [False, True]
    assert (rows[0]["finding_id"], rows[0]["because"]) == (name, "a vow")
    assert rows[0]["waived_at"]


def test_no_reason_or_no_such_finding_writes_nothing(tmp_path):
    """Both are refused."""
    name = audited(tmp_path)
    assert waive(tmp_path, name).exit_code != 0
    assert waive(tmp_path, "nowhere", "--because", "x").exit_code != 0
    assert not (tmp_path / WAIVERS.path).exists()
