"""A stage's heading is read by people, so it must tell the truth."""

import ast
from importlib.util import find_spec
from pathlib import Path

import pytest

from pipeline.knobs import knobs_of
from pipeline.registry import load_stages

STAGES = load_stages()


@pytest.mark.parametrize("stage", STAGES, ids=lambda s: s.name)
def test_heading_tells_the_truth(stage):
    """The reads/writes lines atop a stage file are those of its declaration."""
    heading = ast.get_docstring(ast.parse(Path(find_spec(stage.module).origin).read_text()))
    lines = [
        line
        for line in heading.splitlines()
        if "   " in line or line.startswith(("reads ", "writes "))
    ]
    words = [line.split() for line in lines]
    named = [w[1] if w[0] in {"reads", "writes", "amends"} else w[0] for w in words]
    declared = [a.name for a in (*stage.reads, *stage.reads_if_there, *stage.writes, *stage.amends)]
    assert named == (declared or ["-"]) or set(named) - {"discord", "files"} == set(declared)


@pytest.mark.parametrize("stage", STAGES, ids=lambda s: s.name)
def test_every_knob_says_what_it_does(stage):
    """`backfold knobs` prints the comment behind each knob, so each must have one."""
    silent = [k.name for k in knobs_of(stage.name, stage.knobs) if not k.says]
    assert not silent
