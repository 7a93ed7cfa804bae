"""The house itself: who may know whom, and which door leads to which library."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([*ROOT.glob("pipeline/**/*.py"), *ROOT.glob("stages/**/*.py")])

# Engine rooms from the ground up; a room may import what stands before it.
FLOORS = [
    ["pipeline.errors"],
    ["pipeline.files", "pipeline.progress", "pipeline.knobs"],
    ["pipeline.recipe", "pipeline.raw", "pipeline.schemas"],
    ["pipeline.config", "pipeline.workspace", "pipeline.artifacts"],
    ["pipeline.ledger", "pipeline.stage"],
    ["pipeline.registry"],
    ["pipeline.runner"],
    ["pipeline.cli"],
]
DOORS = {
    "discord": ("stages.dump",),
    "tiktoken": ("pipeline.memory.rulers",),
    "datasketch": ("pipeline.memory.dedup", "pipeline.testing.bench"),
    "openai": ("pipeline.models",),
    "anthropic": ("pipeline.models",),
    "matplotlib": ("pipeline.pictures", "pipeline.testing"),
}
HEAVY = [
    "polars",
    "pyarrow",
    "numpy",
    "discord",
    "tiktoken",
    "datasketch",
    "numba",
    "openai",
    "matplotlib",
]


def module_of(path):
    """Give a file's dotted name."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path, *, top_only=False):
    """Name what a file imports, `from a import b` as `a` and `a.b`; not what only types need."""
    tree = ast.parse(path.read_text())
    nodes = tree.body if top_only else list(ast.walk(tree))
    skipped = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            skipped |= {id(inner) for inner in ast.walk(node)}
    names = []
    for node in nodes:
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            names += [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names += [node.module, *(f"{node.module}.{a.name}" for a in node.names)]
    return names


def floor_of(module):
    """Give the floor of an engine room; None for wings and stages."""
    for number, rooms in enumerate(FLOORS):
        if any(module == room or module.startswith(room + ".") for room in rooms):
            return number
    return None


ENGINE = [path for path in FILES if floor_of(module_of(path)) is not None]


@pytest.mark.parametrize("path", ENGINE, ids=module_of)
def test_engine_imports_point_down(path):
    """A room of the engine knows only rooms on its own floor or below."""
    own = floor_of(module_of(path))
    above = [m for m in imported(path) if (floor_of(m) or 0) > own]
    assert not above


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_the_engine_reaches_stages_only_by_name(path):
    """Nothing under pipeline/ imports a stage."""
    if module_of(path).startswith("pipeline"):
        assert not [m for m in imported(path) if m.split(".")[0] == "stages"]


@pytest.mark.parametrize("path", sorted(ROOT.glob("stages/**/*.py")), ids=module_of)
def test_stages_never_import_each_other(path):
    """What two stages share belongs in pipeline/."""
    room = path.relative_to(ROOT / "stages").parts[0].removesuffix(".py")
    theirs = [m for m in imported(path) if m.startswith("stages.") and m.split(".")[1] != room]
    assert not theirs


@pytest.mark.parametrize("wing", ["chat", "memory", "models"])
def test_wings_know_nothing_of_stages_and_runner(wing):
    """The wings know talk, memory and models; not how stages run."""
    allowed = {
        "chat": {"chat", "errors"},
        "models": {"models", "errors"},
        "memory": {"memory", "chat", "models", "errors", "files"},
    }[wing]
    for path in ROOT.glob(f"pipeline/{wing}/**/*.py"):
        rooms = {m.split(".")[1] for m in imported(path) if m.startswith("pipeline.")}
        assert rooms <= allowed, f"{module_of(path)} imports {sorted(rooms - allowed)}"


@pytest.mark.parametrize("library", DOORS)
def test_each_heavy_library_has_one_door(library):
    """Only the room named for it imports the library."""
    for path in FILES:
        if any(m.split(".")[0] == library for m in imported(path)):
            module = module_of(path)
            assert any(module == d or module.startswith(d + ".") for d in DOORS[library]), module


def test_status_starts_without_heavy_libraries():
    """Loading the command line and all wiring costs no dataframe library and no client."""
    code = (
        "import sys, pipeline.cli, pipeline.runner\n"
        "from pipeline.registry import load_stages\n"
        "load_stages()\n"
        f"print([m for m in {HEAVY} if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("path", FILES, ids=module_of)
def test_no_room_is_called_by_what_it_is_not(path):
    """Rooms are named for the thing in them."""
    assert path.stem not in {"utils", "common", "helpers", "misc", "base", "core", "manager"}
