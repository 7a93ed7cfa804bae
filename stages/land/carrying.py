"""One landing from beginning to end: choose the target, refuse, write beside, plan, move, tell."""

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

from pipeline.errors import StageError, UsageError
from pipeline.stage import Context
from stages.land import TARGETS
from stages.land.gathering import gather
from stages.land.manifest import Manifest, digest, manifests, place_name
from stages.land.material import Landed, Material, Options
from stages.land.settling import files_of, finish, private, settle, staging, survey, sweep

ASKING = ("trial", "new_session", "activate")


def carry_out(ctx: Context[Any]) -> list[str]:
    """Land, or with `--undo` take back; gives what to tell."""
    target = str(ctx.options.get("target") or ctx.knobs.target)
    if not target:
        return [f"land: no target is named; there are {', '.join(TARGETS)} (--target)"]
    if target not in TARGETS:
        raise UsageError(f"--target {target}: there are {', '.join(TARGETS)}")
    place = place_of(ctx, target)
    if ctx.options.get("undo"):
        from stages.land.undoing import undo

        return undo(ctx, target, place)
    module = target_module(target)
    name = place_name(ctx.folder.root, place)
    if not ctx.dry_run:
        recover(ctx, target, name)
    material = gather(ctx)
    refuse_extractive(ctx, target, material)
    return Landing(ctx, target, module, place, name, material).run()


def place_of(ctx: Context[Any], target: str) -> Path:
    """Give the folder to land in: the agent's own, or the one that was named."""
    into = ctx.options.get("into")
    if into:
        return Path(str(into)).expanduser().absolute()
    suffix = "-trial" if ctx.options.get("trial") else ""
    return ctx.folder.root / "landed" / f"{target}{suffix}"


def target_module(target: str) -> Any:
    """Import a target's file by its name."""
    try:
        return import_module(f"stages.land.{target}")
    except ModuleNotFoundError as error:
        if error.name != f"stages.land.{target}":
            raise
        raise StageError(f"land: the target {target} cannot be landed in yet") from error


def refuse_extractive(ctx: Context[Any], target: str, material: Material) -> None:
    """Stop where memories that no model wrote would become somebody's own."""
    is_real = target == "connectome" or ctx.options.get("into")
    if material.extractive and is_real and not ctx.options.get("extractive_ok"):
        raise StageError(
            f"{material.extractive:,} of {len(material.memories):,} memories are extractive: "
            f"quotes that no model wrote as the agent; mint them with a model (backfold run "
            f"warmup --remint 'model=extractive'), or land them as they are with --extractive-ok "
            f"(make: EXTRACTIVE_OK=1)"
        )


def recover(ctx: Context[Any], target: str, name: str) -> None:
    """Finish the moves of a landing here that was killed between two of them."""
    for manifest in manifests(ctx.folder.root, target, name):
        if manifest.state == "begun":
            finish(manifest, ctx.folder.root)
            ctx.note(f"land: finished the landing of {manifest.landed_at} that had been stopped")


class Landing:
    """One landing of one target in one place."""

    def __init__(
        self,
        ctx: Context[Any],
        target: str,
        module: Any,
        place: Path,
        name: str,
        material: Material,
    ) -> None:
        self.ctx, self.target, self.module = ctx, target, module
        self.place, self.name, self.material = place, name, material
        self.known = manifests(ctx.folder.root, target, name)

    def run(self) -> list[str]:
        """Write beside, show the plan, move; in a dry run show the plan alone."""
        options = self.options()
        for line in self.foretell(options):
            self.ctx.say(line)
        if self.ctx.dry_run and hasattr(self.module, "plan"):
            return told(self.module.plan(self.material, options), self.place, is_plan=True)
        with ExitStack() as held:
            staged = self.stage(held)
            landed = self.module.land(self.material, staged, options)
            return self.settle(landed, staged)

    def options(self) -> Options:
        """Gather what was asked for, and what the last landing here noted."""
        wishes = {name: bool(self.ctx.options.get(name)) for name in ASKING}
        return Options(
            place=self.place,
            knobs=self.ctx.knobs,
            now=self.ctx.now(),
            is_home=not self.ctx.options.get("into"),
            before=self.known[-1].noted if self.known else {},
            **wishes,
        )

    def foretell(self, options: Options) -> Iterator[str]:
        """Say before anything is written how big it will be, and stop where the disk is full."""
        estimate: Callable[[Material, Options], int] | None
        estimate = getattr(self.module, "estimate", None)
        if estimate is None:
            return
        size = estimate(self.material, options)
        yield f"{self.target}: about {size / 1e6:,.0f} MB will be written"
        above = next(p for p in (self.place, *self.place.parents) if p.is_dir())
        free = shutil.disk_usage(above).free
        if free < size * 1.1:
            raise StageError(
                f"{above}: {free / 1e6:,.0f} MB are free and {size / 1e6:,.0f} MB are needed; "
                f"make room, or land elsewhere with --into DIR"
            )

    def stage(self, held: ExitStack) -> Path:
        """Lend an empty folder beside the place; in a dry run one that is thrown away."""
        if self.ctx.dry_run:
            return Path(held.enter_context(tempfile.TemporaryDirectory(prefix="backfold-plan-")))
        key = f"{self.target}-{digest(str(self.ctx.folder.root.absolute()))}"
        sweep(self.place, key)
        staged = private(staging(self.place, key))
        held.callback(shutil.rmtree, staged, ignore_errors=True)
        return staged

    def settle(self, landed: Landed, staged: Path) -> list[str]:
        """Say what comes where, then move it there."""
        counted = measured(landed, staged)
        if landed.nothing_new:
            return [f"{self.target}: nothing new; {self.place} is as it was landed", *landed.said]
        label = str(landed.noted.get("label", ""))
        old = next((m for m in self.known if m.label == label), self.draft(label))
        settling = survey(staged, self.place, landed, self.draft(label), old)
        if settling.is_idle and old.state == "done":
            return [f"{self.target}: nothing new; {self.place} is as it was landed"]
        if self.ctx.dry_run:
            return told(counted, self.place, is_plan=True)
        settle(settling, staged, self.place, self.ctx.folder.root)
        self.ctx.written.add("landed")
        return told(counted, self.place, is_plan=False)

    def draft(self, label: str) -> Manifest:
        """Begin a manifest for this landing."""
        return Manifest(
            target=self.target,
            place=self.name,
            landed_at=self.ctx.now().isoformat(timespec="milliseconds"),
            label=label,
        )


def measured(landed: Landed, staged: Path) -> Landed:
    """Fill in how many files and bytes were really written."""
    files = files_of(staged)
    return replace(landed, files=len(files), bytes=sum(path.stat().st_size for path in files))


def told(landed: Landed, place: Path, *, is_plan: bool) -> list[str]:
    """Say in lines what came along, what did not, and what to do next."""
    verb = "would land" if is_plan else "landed"
    size = f"{landed.bytes / 1e6:,.1f} MB" if landed.bytes >= 100_000 else f"{landed.bytes:,} bytes"
    rows = ", ".join(f"{count:,} {name}" for name, count in landed.rows.items())
    lines = [f"{verb} in {place}: {landed.files:,} files, {size}; {rows or 'no rows'}"]
    lines += left_behind(landed.left_behind)
    lines += [f"warning: {warning}" for warning in landed.warnings]
    return [*lines, *landed.said]


def left_behind(counts: Mapping[str, int]) -> list[str]:
    """Say what does not come along, and why."""
    found = [f"{count:,} {reason}" for reason, count in counts.items() if count]
    return [f"does not come along: {'; '.join(found)}"] if found else []
