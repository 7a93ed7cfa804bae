"""Notebooks run from a clean kernel on the demo's folder, and hold no outputs in the repository."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


@pytest.fixture(scope="session")
def demo_folder(tmp_path_factory):
    """Give a demo's folder, made once."""
    from pipeline.testing.demo import run_demo

    folder = tmp_path_factory.mktemp("demo") / "demo"
    run_demo(folder, lambda _line: None)
    return folder


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebooks_are_committed_without_outputs(path):
    """Outputs would carry somebody's talk into git."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    assert not [c for c in cells if c.get("outputs") or c.get("execution_count")]


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_notebooks_run_on_the_demo(path, demo_folder, monkeypatch):
    """Every cell, in order, in the notebook's own folder."""
    import nbformat
    from nbclient import NotebookClient

    monkeypatch.setenv("BACKFOLD_AGENT", str(demo_folder))
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook, timeout=120, resources={"metadata": {"path": str(path.parent)}}
    ).execute()
    pictures = [
        o for c in notebook.cells for o in c.get("outputs", []) if "image/png" in o.get("data", {})
    ]
    assert pictures
