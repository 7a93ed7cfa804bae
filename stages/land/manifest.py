"""
What a landing put where: kept in the agent's folder, so that it can be gone on with or undone.

`landed/manifests/<target>-<place>[-<label>].json`; the place is named by a hash of its path. The
manifest is written before anything is moved (`state` begun), and again when all is in place.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pipeline.errors import ArtifactError
from pipeline.files import write_whole


@dataclass(frozen=True, slots=True)
class Made:
    """A file of ours: where below the place, and what it was when we left it."""

    path: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Extended:
    """A file that may have been there before; `before` is its old text, null: there was none."""

    path: str
    sha256: str
    before: str | None


@dataclass(frozen=True, slots=True)
class Manifest:
    """One landing; `place` is relative where it lies in the agent's folder."""

    target: str
    place: str
    landed_at: str
    label: str = ""  # a session, where a place can hold several
    state: str = "begun"
    made_place: bool = False
    files: tuple[Made, ...] = ()
    extended: tuple[Extended, ...] = ()
    wholes: tuple[str, ...] = ()
    moves: tuple[tuple[str, str], ...] = ()  # while begun: from where to where
    noted: Mapping[str, Any] = field(default_factory=dict)

    def path(self, root: Path) -> Path:
        """Where it lies in the agent's folder."""
        label = f"-{self.label}" if self.label else ""
        return folder(root) / f"{self.target}-{digest(self.place)}{label}.json"

    def root(self, agent_root: Path) -> Path:
        """Give the place as a path that can be used."""
        return agent_root / self.place

    def write(self, root: Path) -> None:
        """Put it in place, whole."""
        body = {"version": 1, **asdict(self)}
        write_whole(self.path(root), json.dumps(body, indent=1).encode() + b"\n")


def folder(root: Path) -> Path:
    """Where manifests lie."""
    return root / "landed" / "manifests"


def digest(text: str) -> str:
    """Name a place by its path."""
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def place_name(root: Path, place: Path) -> str:
    """Name a place: relative where it lies in the agent's folder, else absolute."""
    whole, home = place.absolute(), root.absolute()
    return str(whole.relative_to(home)) if whole.is_relative_to(home) else str(whole)


def manifests(root: Path, target: str | None = None, place: str | None = None) -> list[Manifest]:
    """Give the manifests of a target and place, oldest landing first."""
    found = [read(path) for path in sorted(folder(root).glob("*.json"))]
    wanted = [m for m in found if target in (None, m.target) and place in (None, m.place)]
    return sorted(wanted, key=lambda m: m.landed_at)


def read(path: Path) -> Manifest:
    """Read one manifest."""
    try:
        body = json.loads(path.read_bytes())
        body.pop("version")
        return Manifest(
            **body
            | {
                "files": tuple(Made(**entry) for entry in body["files"]),
                "extended": tuple(Extended(**entry) for entry in body["extended"]),
                "wholes": tuple(body["wholes"]),
                "moves": tuple((one, other) for one, other in body["moves"]),
            }
        )
    except (ValueError, KeyError, TypeError) as error:
        raise ArtifactError(
            f"{path}: no manifest of a landing ({error}); put it back from a copy, or move it away"
        ) from error


def file_digest(path: Path) -> str:
    """Give the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
