"""README names every command, make target, stage, table and knob; its table of contents is true."""

import re
from pathlib import Path

import pytest

from pipeline.cli import main
from pipeline.config import FACTS
from pipeline.knobs import knobs_of
from pipeline.registry import load_stages
from pipeline.schemas import TABLES

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
TARGETS = re.findall(r"^([a-z0-9-]+):.*##", (ROOT / "Makefile").read_text(), flags=re.MULTILINE)


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_is_in_the_readme(name):
    """As `backfold NAME`."""
    assert f"backfold {name}" in README


@pytest.mark.parametrize("name", TARGETS)
def test_every_make_target_is_in_the_readme(name):
    """As `make NAME`."""
    assert f"make {name}" in README


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_every_column_is_in_the_readme(table):
    """With the table's grain."""
    assert table.grain in README
    section = README.split(f"### {table.name}\n", 1)[1].split("\n### ", 1)[0].split("\n## ", 1)[0]
    missing = [name for name in table.columns if f"`{name}`" not in section]
    assert not missing


SECTIONS = {**FACTS, **{s.name: s.knobs for s in load_stages()}}


@pytest.mark.parametrize("section", SECTIONS)
def test_every_knob_is_in_the_readme_with_its_default(section):
    """The list of knobs is what `backfold knobs` prints."""
    block = README.split(f"[{section}]\n", 1)[1]
    for knob in knobs_of(section, SECTIONS[section]):
        assert f"{knob.name} = {knob.default}" in block, knob.name
