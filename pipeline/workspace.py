"""One folder holds one agent: where its things lie, and who may write there now."""

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pipeline.errors import LockedError, UsageError
from pipeline.files import FILE_MODE, make_folder, sweep_temporaries

DATA = Path("data")
PRIVATE_FOLDERS = ("raw", "tables", "reports", "landed", "backups", "captions")


@dataclass(frozen=True, slots=True)
class Workspace:
    """An agent's folder."""

    root: Path

    @property
    def config_path(self) -> Path:
        """Where agent.toml lies."""
        return self.root / "agent.toml"

    @property
    def ledger_path(self) -> Path:
        """Where the run ledger lies."""
        return self.root / "runs.jsonl"

    def make(self) -> None:
        """Make the folder and its private parts, 0700 each."""
        make_folder(self.root)
        for name in PRIVATE_FOLDERS:
            make_folder(self.root / name)

    @contextlib.contextmanager
    def locked(self, command: str) -> Iterator[None]:
        """
        Hold this folder for one process; a second one is told who holds it, and stops.

        The lock dies with the process, so a killed run leaves nothing to clean up.
        """
        path = self.root / ".lock"
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, FILE_MODE)
        try:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise LockedError(
                    f"{self.root}: {_holder(handle)}; wait for it or stop it"
                ) from None
            note = {
                "pid": os.getpid(),
                "command": command,
                "since": datetime.now(UTC).isoformat(timespec="seconds"),
            }
            os.ftruncate(handle, 0)
            os.pwrite(handle, json.dumps(note).encode(), 0)
            for folder in (self.root, self.root / "tables", self.root / "reports"):
                sweep_temporaries(folder)
            yield
        finally:
            os.close(handle)


def _holder(handle: int) -> str:
    """Say who holds the lock, from what the holder wrote into it."""
    try:
        note = json.loads(os.pread(handle, 4_096, 0))
        return f"process {note['pid']} ({note['command']}) works here since {note['since']}"
    except (ValueError, KeyError, TypeError):
        return "another process works here"


def find_workspace(agent: str | None) -> Workspace:
    """Find an agent's folder by name (under data/) or path; says what there is where it is not."""
    if not agent:
        names = ", ".join(w.root.name for w in all_workspaces()) or "none yet: backfold init"
        raise UsageError(f"which agent? give --agent NAME or a path (under data/: {names})")
    for root in (Path(agent), DATA / agent):
        if (root / "agent.toml").is_file():
            return Workspace(root)
    names = ", ".join(w.root.name for w in all_workspaces()) or "none yet"
    raise UsageError(
        f"no agent.toml in {agent} or {DATA / agent}; agents under data/: {names}; "
        f"make one with: backfold init --agent {agent}"
    )


def all_workspaces() -> list[Workspace]:
    """List the agents under data/; a folder that may not be read counts as one."""
    if not DATA.is_dir():
        return []
    return [Workspace(path) for path in sorted(DATA.iterdir()) if _may_be_agent(path)]


def _may_be_agent(folder: Path) -> bool:
    try:
        return (folder / "agent.toml").is_file()
    except PermissionError:
        return True
