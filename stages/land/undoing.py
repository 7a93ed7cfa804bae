"""Take a landing back: what it made goes, what it extended is as before; nothing else changes."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pipeline.errors import StageError
from pipeline.files import write_whole
from pipeline.stage import Context
from stages.land.manifest import Extended, Manifest, file_digest, manifests, place_name
from stages.land.settling import drop_empty, finish

Retract = Callable[[str, Manifest], str | None]


def undo(ctx: Context[Any], target: str, place: Path) -> list[str]:
    """Show what the last landing of a target in a place made; with a yes, remove it."""
    root = ctx.folder.root
    found = manifests(root, target, place_name(root, place))
    if not found:
        raise StageError(f"{place}: no landing of {target} is noted for this agent")
    manifest = found[-1]
    if manifest.state == "begun" and not ctx.dry_run:
        finish(manifest, root)
    kept = [made.path for made in manifest.files if is_changed(place, made.path, made.sha256)]
    if opened := [name for name in kept if any(name.startswith(f"{w}/") for w in manifest.wholes)]:
        raise StageError(
            f"{place}: {opened[0]} was changed since it was landed, so its host has opened it; "
            f"what was lived there is not ours to remove"
        )
    what = f"{len(manifest.files) - len(kept):,} files of {manifest.landed_at} in {place}"
    for name in kept:
        ctx.say(f"stays: {name} was changed since")
    if not ctx.agree(f"Remove {what}?"):
        return [f"would remove {what}"]
    from stages.land.carrying import target_module

    take_back(manifest, place, set(kept), getattr(target_module(target), "retract", None))
    manifest.path(root).unlink()
    ctx.written.add("landed")
    return [f"removed {what}"]


def is_changed(place: Path, name: str, sha256: str) -> bool:
    """Say whether a file is still there and no longer as we left it."""
    path = place / name
    return path.is_file() and file_digest(path) != sha256


def take_back(manifest: Manifest, place: Path, kept: set[str], retract: Retract | None) -> None:
    """Put extended files back first, so that no host sees an entry without its files."""
    for entry in manifest.extended:
        put_back(manifest, place, entry, retract)
    for whole in manifest.wholes:
        if (place / whole).is_dir():
            shutil.rmtree(place / whole)
            drop_empty(place / whole, place)
    for made in manifest.files:
        if made.path not in kept:
            (place / made.path).unlink(missing_ok=True)
            drop_empty(place / made.path, place)
    if manifest.made_place and place.is_dir() and not any(place.iterdir()):
        place.rmdir()


def put_back(manifest: Manifest, place: Path, entry: Extended, retract: Retract | None) -> None:
    """Give a file its old text; where others wrote in it since, only our part is taken out."""
    path = place / entry.path
    if not path.is_file():
        return
    text: str | None
    if file_digest(path) == entry.sha256:
        text = entry.before
    elif retract is not None:
        text = retract(path.read_text(encoding="utf-8"), manifest)
    else:
        return
    if text is None:
        path.unlink()
    else:
        write_whole(path, text.encode())
