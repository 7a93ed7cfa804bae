"""README names every command and make target, and its drawn parts are those of the code."""

import re
from pathlib import Path

import pytest

from pipeline.cli import main
from pipeline.testing.readme import PARTS, README, drawn

TEXT = README.read_text(encoding="utf-8")
MAKEFILE = (Path(README).parent / "Makefile").read_text(encoding="utf-8")
TARGETS = re.findall(r"^([a-z0-9-]+):.*##", MAKEFILE, flags=re.MULTILINE)


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_is_in_the_readme(name):
    """As `backfold NAME`."""
    assert f"backfold {name}" in TEXT


@pytest.mark.parametrize("name", TARGETS)
def test_every_make_target_is_in_the_readme(name):
    """As `make NAME`."""
    assert f"make {name}" in TEXT


@pytest.mark.parametrize("name", PARTS)
def test_the_readme_has_a_place_for_each_drawn_part(name):
    """Between its two marks."""
    assert f"<!-- {name} -->\n" in TEXT
    assert f"\n<!-- /{name} -->" in TEXT


def test_tables_knobs_and_stages_are_those_of_the_code():
    """`make readme` draws them; this fails where somebody forgot."""
    assert drawn(TEXT) == TEXT
