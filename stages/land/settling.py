"""
Move what a target wrote into its place, so that a kill leaves the old state or the new one.

Everything is written first, in a folder beside. Then the manifest says what will be moved, and
only then are folders and files renamed, what a host reads first coming last. A later run
finishes the moves of a landing that was killed between two of them.
"""

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.errors import StageError
from pipeline.files import FILE_MODE, FOLDER_MODE, make_folder, sync_file, sync_folder
from stages.land.manifest import Extended, Made, Manifest, file_digest
from stages.land.material import Landed

ASIDE = ".before.backfold.tmp"


@dataclass(frozen=True, slots=True)
class Settling:
    """What is to be moved: whole folders, then files, then what a host reads first."""

    manifest: Manifest
    gone: tuple[str, ...]  # files of an earlier landing that are in this one no more

    @property
    def is_idle(self) -> bool:
        """Whether everything stands there already."""
        return not self.manifest.moves and not self.gone


def staging(place: Path, name: str) -> Path:
    """Name the folder in which a target writes: on the same disk as its place."""
    return (place if place.is_dir() else place.parent) / f".{name}.backfold.tmp"


def sweep(place: Path, name: str) -> None:
    """Remove what a killed run left before it moved anything."""
    for folder in (place / f".{name}.backfold.tmp", place.parent / f".{name}.backfold.tmp"):
        if folder.is_dir():
            shutil.rmtree(folder)


def survey(staged: Path, place: Path, landed: Landed, draft: Manifest, old: Manifest) -> Settling:
    """
    Compare what was written with what stands at the place, and say what is to be moved.

    Raises StageError where a file would have to be overwritten that no landing of ours wrote, or
    that was changed since.
    """
    written = {path.relative_to(staged).as_posix(): path for path in files_of(staged)}
    ours = {made.path: made for made in old.files}
    made: list[Made] = []
    moved: list[str] = []
    taken: list[str] = []
    for name, path in written.items():
        if name in landed.extends:
            continue
        whole = next((w for w in landed.wholes if name.startswith(f"{w}/")), None)
        entry = Made(name, file_digest(path), path.stat().st_size)
        there = place / name
        if whole is None and os.path.lexists(there):
            standing = file_digest(there) if there.is_file() else None
            if standing == entry.sha256:
                if name in ours:
                    made.append(entry)
                continue
            if name not in ours or ours[name].sha256 != standing:
                taken.append(name)
        made.append(entry)
        if whole is None:
            moved.append(name)
    taken += [w for w in landed.wholes if os.path.lexists(place / w) and w not in old.wholes]
    if taken:
        raise StageError(
            f"{place}: {taken[0]} is there already and is not as a landing left it"
            f"{f' ({len(taken)} such files)' if len(taken) > 1 else ''}; nothing is overwritten: "
            f"move it away, or land elsewhere with --into DIR"
        )
    extended = [name for name in landed.extends if name in written]
    order = [*landed.wholes, *moved, *extended]
    left = [m for m in old.files if m.path not in written and not _inside(m.path, old.wholes)]
    gone = [m.path for m in left if (place / m.path).is_file()]
    gone = [name for name in gone if file_digest(place / name) == ours[name].sha256]
    manifest = replace(
        draft,
        made_place=old.made_place or not place.exists(),
        files=tuple(made),
        wholes=tuple({*landed.wholes, *old.wholes}),
        extended=(*_extended(extended, written, place, old),),
        moves=tuple((str(staged / name), str(place / name)) for name in order),
        noted={**old.noted, **landed.noted},
    )
    return Settling(manifest, tuple(gone))


def _inside(name: str, wholes: Iterable[str]) -> bool:
    return any(name.startswith(f"{whole}/") for whole in wholes)


def _extended(
    names: Sequence[str], written: dict[str, Path], place: Path, old: Manifest
) -> Iterator[Extended]:
    known = {entry.path: entry for entry in old.extended}
    for name in names:
        there = place / name
        before = there.read_text(encoding="utf-8") if there.is_file() else None
        if name in known:
            before = known[name].before  # what stood there before the first landing
        yield Extended(name, file_digest(written[name]), before)
    yield from (entry for name, entry in known.items() if name not in names)


def settle(settling: Settling, staged: Path, place: Path, root: Path) -> None:
    """Write the manifest, move everything, write the manifest again; `root` is the agent's."""
    for path in files_of(staged):
        path.chmod(FILE_MODE)
        sync_file(path)
    manifest = settling.manifest
    if not os.path.lexists(place):
        make_folder(place.parent)
        manifest = replace(manifest, moves=((str(staged), str(place)),))
    manifest.write(root)
    finish(manifest, root)
    for name in settling.gone:
        (place / name).unlink(missing_ok=True)
        drop_empty(place / name, place)
    if staged.is_dir():
        shutil.rmtree(staged)


def finish(manifest: Manifest, root: Path) -> None:
    """Make every move that is not made yet; each can be made again after a kill."""
    for one, other in manifest.moves:
        move(Path(one), Path(other))
    replace(manifest, state="done", moves=()).write(root)


def move(written: Path, place: Path) -> None:
    """Rename into place; a folder that stands there is set aside and removed afterwards."""
    aside = place.with_name(f".{place.name}{ASIDE}")
    if written.exists():
        make_folder(place.parent)
        if written.is_dir() and place.is_dir():
            if aside.exists():
                shutil.rmtree(aside)
            place.rename(aside)
        written.replace(place)
        sync_folder(place.parent)
    if aside.exists():
        shutil.rmtree(aside)


def files_of(folder: Path) -> list[Path]:
    """Give every file below a folder, in order of name."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def drop_empty(path: Path, place: Path) -> None:
    """Remove the folders above a removed file that are empty now, up to the place."""
    for folder in path.parents:
        if folder == place or not folder.is_relative_to(place) or not folder.is_dir():
            return
        if any(folder.iterdir()):
            return
        folder.rmdir()


def private(folder: Path) -> Path:
    """Make an empty folder that nobody else can read."""
    make_folder(folder.parent)
    folder.mkdir(mode=FOLDER_MODE)
    folder.chmod(FOLDER_MODE)
    return folder
