"""
What ran, with which knobs, on which inputs, to which outputs; and why a stage is stale.

A file whose size, time and inode stand still is taken as unchanged (`verify` hashes again).
The digest of code is that of the stage's own files and of every file of ours that they
import, byte by byte: a changed comment costs a run, a changed rule never goes unseen.
"""

import ast
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import xxhash

from pipeline.files import append_line, write_whole
from pipeline.schemas import Artifact

DONE = ("done", "unfinished")


@dataclass(frozen=True, slots=True)
class Run:
    """One run of one stage; digests are hexadecimal, null where the artifact is not there."""

    stage: str
    knobs: Mapping[str, Any]
    inputs: Mapping[str, str | None]
    outputs: Mapping[str, str | None]
    code: str
    started_at: str = ""
    ended_at: str = ""
    outcome: str = "done"  # done, unfinished, failed or interrupted
    left: tuple[str, ...] = field(default=())


def why_stale(last: Run | None, now: Run) -> str | None:
    """Say in a few words what changed since the last run; None where nothing did."""
    if last is None:
        return "never ran"
    for name in sorted({*last.knobs, *now.knobs}):
        before, after = last.knobs.get(name), now.knobs.get(name)
        if before != after:
            return f"{name} {_short(before)} → {_short(after)}"
    for name, digest in now.inputs.items():
        if last.inputs.get(name) != digest:
            return f"{name} changed" if digest else f"{name} is gone"
    for name, digest in now.outputs.items():
        if last.outputs.get(name) != digest:
            return f"{name} is gone" if digest is None else f"{name} was edited"
    if last.code != now.code:
        return "code changed"
    return f"unfinished: {last.left[0]}" if last.outcome == "unfinished" and last.left else None


def _short(value: Any) -> str:
    said = json.dumps(value, ensure_ascii=False) if not isinstance(value, str) else value
    return said if len(said) <= 60 else said[:59] + "…"


class Ledger:
    """The run ledger of one agent's folder, and the digests of what lies in it."""

    def __init__(self, root: Path, raw_root: Path, *, verify: bool = False) -> None:
        self.root = root
        self.raw_root = raw_root
        self.verify = verify
        self._seen: dict[str, list[Any]] | None = None
        self._changed = False

    def last(self, stage: str) -> Run | None:
        """Give the last run of a stage that came to an end."""
        found = None
        for run in self.runs():
            if run.stage == stage and run.outcome in DONE:
                found = run
        return found

    def runs(self) -> Iterator[Run]:
        """Read every run, oldest first; a torn last line is left out."""
        path = self.root / "runs.jsonl"
        if not path.exists():
            return
        known = set(Run.__dataclass_fields__)
        for line in path.read_bytes().split(b"\n")[:-1]:
            try:
                entry = json.loads(line)
                entry["left"] = tuple(entry.get("left", ()))
                yield Run(**{k: v for k, v in entry.items() if k in known})
            except (ValueError, TypeError, AttributeError):
                continue  # no run of ours: torn by a kill, or written by another hand

    def note(self, run: Run) -> None:
        """Append a run; the line is durable when this returns."""
        append_line(self.root / "runs.jsonl", json.dumps(asdict(run), ensure_ascii=False).encode())
        self.save_seen()

    def digests(self, artifacts: Iterable[Artifact]) -> dict[str, str | None]:
        """Give the digest of each artifact by name."""
        return {artifact.name: self.digest(artifact) for artifact in artifacts}

    def digest(self, artifact: Artifact) -> str | None:
        """Give the digest of a file or tree; null where it is not there."""
        path = self.raw_root if artifact.name == "raw" else self.root / artifact.path
        if artifact.name == "pyramid":
            return self._pyramid(path)
        if path.is_dir():
            return self._tree(path)
        return self._file(path) if path.is_file() else None

    def save_seen(self) -> None:
        """Keep the digests of files that stand still, for the next command."""
        if self._changed and self._seen is not None:
            write_whole(self.root / ".digests.json", json.dumps(self._seen).encode())
            self._changed = False

    def _pyramid(self, path: Path) -> str | None:
        if not path.is_file():
            return None
        from pipeline.memory.pyramid_file import rows_digest

        return rows_digest(path)

    def _tree(self, folder: Path) -> str | None:
        names = sorted(
            p.relative_to(folder).as_posix()
            for p in folder.rglob("*")
            if p.is_file() and not p.name.startswith(".")
        )
        if not names:
            return None
        whole = xxhash.xxh3_128()
        for name in names:
            whole.update(f"{name}\0{self._file(folder / name)}\n".encode())
        return str(whole.hexdigest())

    def _file(self, path: Path) -> str:
        if self._seen is None:
            self._seen = self._load_seen()
        stat = path.stat()
        stamp = [stat.st_size, stat.st_mtime_ns, stat.st_ino]
        key = str(path.resolve())
        known = self._seen.get(key)
        if known and known[:3] == stamp and not self.verify:
            return str(known[3])
        digest = hash_file(path)
        self._seen[key] = [*stamp, digest]
        self._changed = True
        return digest

    def _load_seen(self) -> dict[str, list[Any]]:
        try:
            seen = json.loads((self.root / ".digests.json").read_bytes())
        except (FileNotFoundError, ValueError):
            return {}  # only a saving of time: without it every file is hashed again
        return seen if isinstance(seen, dict) else {}


def hash_file(path: Path) -> str:
    """Hash a file's bytes: fast, for change and not for secrecy."""
    whole = xxhash.xxh3_128()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            whole.update(block)
    return str(whole.hexdigest())


def code_digest(module: str) -> str:
    """Hash a stage's files and every file of ours that they import."""
    whole = xxhash.xxh3_128()
    for name in sorted(closure(module)):
        path = source_of(name)
        if path is not None:
            whole.update(f"{name}\0".encode() + path.read_bytes())
    return str(whole.hexdigest())


# The engine's own rooms: how a stage is run, not what it computes.
ENGINE = {"cli", "runner", "registry", "stage", "ledger", "workspace", "config", "knobs"}
ENGINE |= {"adopted", "progress", "terminal", "errors", "files", "artifacts", "care", "testing"}


def closure(module: str) -> set[str]:
    """Name the modules of ours that `module` imports, directly or not, itself included."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name in found or (name.startswith("pipeline.") and name.split(".")[1] in ENGINE):
            continue
        path = source_of(name)
        if path is None:
            continue
        found.add(name)
        waiting.extend(imported(path))
    return found


@lru_cache(maxsize=1_024)
def source_of(module: str) -> Path | None:
    """Give the file of a module of ours; null for everybody else's."""
    if module.split(".")[0] not in {"pipeline", "stages"}:
        return None
    try:
        spec = find_spec(module)
    except (ModuleNotFoundError, ValueError):
        return None
    return Path(spec.origin) if spec is not None and spec.origin else None


@lru_cache(maxsize=1_024)
def imported(path: Path) -> tuple[str, ...]:
    """Name what a file imports, anywhere in it, `from a import b` as both `a` and `a.b`."""
    names: list[str] = []
    waiting: list[ast.AST] = [ast.parse(path.read_bytes())]
    while waiting:
        node = waiting.pop()
        # statements only: all nodes are ten times as many
        for inside in ("body", "orelse", "handlers", "finalbody", "cases"):
            waiting += getattr(node, inside, ())
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return tuple(names)
