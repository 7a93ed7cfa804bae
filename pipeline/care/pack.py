"""One file with all of an agent's folder that can be rebuilt nowhere else, and back again."""

import io
import json
import re
import tarfile
from hashlib import sha256
from pathlib import Path, PurePosixPath

from pipeline.adopted import NOTE
from pipeline.errors import ArtifactError, UsageError
from pipeline.files import beside, make_folder, write_whole
from pipeline.workspace import Workspace

LIST = "backfold-pack.json"  # first in the file: each member with its SHA-256
REBUILT = {"reports", "landed", "search.sqlite", ".lock", ".digests.json"}
KEYS = re.compile(r"^\.env|\.(key|pem)$|(token|secret|password|api_?key)", re.IGNORECASE)


def packed_files(root: Path) -> list[str]:
    """Name what belongs into a pack, by path inside the folder; keys and links never do."""
    rebuilt = REBUILT if (root / NOTE).is_file() else REBUILT | {"tables"}
    found = []
    for path in sorted(root.rglob("*")):
        place = path.relative_to(root)
        if path.is_symlink() or not path.is_file() or place.parts[0] in rebuilt:
            continue
        is_raw = place.parts[0] == "raw"
        if path.name.endswith(".tmp") or (not is_raw and KEYS.search(path.name)):
            continue
        if path.name != ".lock":
            found.append(place.as_posix())
    return found


def pack(folder: Workspace, target: Path) -> int:
    """Write the pack, 0600, while nobody works on the folder; gives how many files it holds."""
    if target.exists():
        raise UsageError(f"{target} is there already; choose another name")
    with folder.locked("pack"):
        names = packed_files(folder.root)
        digests = {name: _digest(folder.root / name) for name in names}
        body = json.dumps({"version": 1, "files": digests}).encode()
        with beside(target) as path, tarfile.open(path, "w:gz") as archive:
            about = tarfile.TarInfo(LIST)
            about.size, about.mode = len(body), 0o600
            archive.addfile(about, io.BytesIO(body))
            for name in names:
                archive.add(folder.root / name, arcname=name, recursive=False)
    with tarfile.open(target) as archive:  # what was written is read again before it is told
        _walk(archive, None)
    return len(names)


def unpack(source: Path, root: Path) -> int:
    """Check a pack whole, then lay it out in a new folder; gives how many files it held."""
    if root.exists() and any(root.iterdir()):
        raise UsageError(f"{root} is not empty; choose another --agent")
    try:
        with tarfile.open(source) as archive:
            _walk(archive, None)
        with tarfile.open(source) as archive:
            make_folder(root)
            return _walk(archive, root)
    except (tarfile.TarError, EOFError, OSError) as error:
        raise ArtifactError(f"{source}: no whole pack: {error}") from error


def _walk(archive: tarfile.TarFile, root: Path | None) -> int:
    first = archive.next()
    held = archive.extractfile(first) if first is not None and first.name == LIST else None
    if held is None:
        raise ArtifactError(f"the pack: no pack of ours, it does not begin with {LIST}")
    about = json.loads(held.read())
    if about.get("version") != 1:
        raise ArtifactError(f"the pack: version {about.get('version')} is not known here")
    missing = dict(about["files"])
    for member in archive:
        inside = archive.extractfile(member) if member.isfile() else None
        place = PurePosixPath(member.name)
        if inside is None or place.is_absolute() or ".." in place.parts:
            if member is first or member.name == LIST:
                continue
            raise ArtifactError(f"the pack: {member.name} has no place in a pack")
        if member.name == LIST:
            continue
        content = inside.read()
        if missing.pop(member.name, None) != sha256(content).hexdigest():
            raise ArtifactError(f"the pack: {member.name} is damaged or not listed")
        if root is not None:
            write_whole(root / place, content)
    if missing:
        raise ArtifactError(f"the pack: {next(iter(missing))} is missing")
    return len(about["files"])


def _digest(path: Path) -> str:
    whole = sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            whole.update(block)
    return whole.hexdigest()
