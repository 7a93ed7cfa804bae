"""
Bring history out of files into raw: exports of other tools, and corpora of Discord's objects.

No file is fatal: each is read, salvaged or skipped with its reason, one row a file in the
manifest. A file that stands as it stood is not read again.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pipeline.raw import Raw
from stages.dump.files.corpus import import_corpus, import_lines
from stages.dump.files.desk import Desk
from stages.dump.files.exports import import_room, part_gaps
from stages.dump.files.find import Found, find
from stages.dump.files.media import Media, Wanted
from stages.dump.files.starters import settle
from stages.dump.files.survey import Head, read_head
from stages.dump.files.tables import Tables

Object = dict[str, Any]
PRIVACY = "exports do not say who may view a room: all but DMs and private threads count as public"
EVERYTHING = Wanted()
SHOWN = 20  # names of files in a plan
READABLE = {"read", "salvaged"}
READINGS = 2  # an export is read twice: once to know it, once to map it


@dataclass(frozen=True, slots=True)
class Imported:
    """How an import went: files by what became of them, messages, what is left to do."""

    files: Mapping[str, int]
    fresh: int
    changed: int
    left: tuple[str, ...]
    readable: bool = True  # an export or a corpus among the files could be read

    def __str__(self) -> str:
        files = ", ".join(f"{count} {status}" for status, count in self.files.items())
        return f"files: {files or 'none'}; messages: {self.fresh} new, {self.changed} changed"


def import_files(
    raw: Raw,
    sources: Sequence[Path],
    *,
    now: datetime,
    say: Callable[[str], None] = lambda line: None,
    tick: Callable[[int], None] = lambda count: None,
    wanted: Wanted = EVERYTHING,
) -> Imported:
    """
    Take in everything under `sources` (files or folders); what is known already costs nothing.

    `say` gets a line for each file that was read or skipped, `tick` the bytes as they pass
    (in all `expected_bytes`); `wanted` chooses among the attachments that lie there.
    UsageError where a source is not there.
    """
    found = find(sources, raw.root)
    for line in raw.mend():
        say(line)
    manifest = raw.read_manifest()
    desk = _desk(raw, manifest, now, say, tick, wanted)
    fresh = [thing for thing in found if not desk.is_unchanged(thing.path)]
    before = {path: dict(row) for path, row in desk.files.items()}
    try:
        bot = _import(desk, [t for t in found if t.kind == "corpus" or t in fresh])
        desk.bot = desk.bot or bot or None
    finally:
        if desk.files != before:
            raw.write_manifest(_manifest(manifest, desk))
    return _imported(desk, before, {str(path) for thing in found for path in _paths(thing)})


def plan_files(raw: Raw, sources: Sequence[Path], wanted: Wanted = EVERYTHING) -> list[str]:
    """Say what an import would read, without reading more than names and sizes."""
    desk = _desk(raw, raw.read_manifest(), datetime.now(UTC), print_nothing, count_nothing, wanted)
    found = find(sources, raw.root)
    lines = [f"{t.path.name}: {t.reason}" for t in found if t.kind == "other"]
    lines += [_plan_line(t.path.name, _paths(t), desk) for t in found if t.kind == "corpus"]
    files = [t.path for t in found if t.kind in {"export", "lines"}]
    if files:
        lines.append(_plan_line("exports", files, desk))
        new = [path.name for path in files if not desk.is_unchanged(path)]
        lines += [f"  {name}" for name in new[:SHOWN]]
        lines += [f"  … and {len(new) - SHOWN} more"] if len(new) > SHOWN else []
    return lines


def any_to_read(sources: Sequence[Path], avoid: Path) -> bool:
    """Say whether anything under `sources` looks like an export or a corpus."""
    return any(thing.kind != "other" for thing in find(sources, avoid))


def expected_bytes(raw: Raw, sources: Sequence[Path], wanted: Wanted = EVERYTHING) -> int:
    """Give how many bytes `tick` will hear of, at most."""
    desk = _desk(raw, raw.read_manifest(), datetime.now(UTC), print_nothing, count_nothing, wanted)
    return sum(
        path.stat().st_size * (READINGS if thing.kind == "export" else 1)
        for thing in find(sources, raw.root)
        for path in _paths(thing)
        if path.is_file() and not desk.is_unchanged(path)
    )


def _plan_line(name: str, paths: Sequence[Path], desk: Desk) -> str:
    new = [path for path in paths if not desk.is_unchanged(path)]
    size = sum(path.stat().st_size for path in new)
    return f"{name}: {len(new)} of {len(paths)} files to read, {size:,} bytes"


def print_nothing(line: str) -> None:
    """Take a line and say nothing."""


def count_nothing(count: int) -> None:
    """Take a count and move nothing."""


def _paths(thing: Found) -> list[Path]:
    if thing.kind == "corpus":
        return [thing.path / "guild.json", *sorted((thing.path / "messages").glob("*.jsonl"))]
    return [thing.path]


def _desk(
    raw: Raw,
    manifest: Mapping[str, Any],
    now: datetime,
    say: Callable[[str], None],
    tick: Callable[[int], None],
    wanted: Wanted = EVERYTHING,
) -> Desk:
    return Desk(
        raw=raw,
        now=now,
        say=say,
        tick=tick,
        bot=manifest.get("bot"),
        media=Media(raw, now, wanted),
        tables=Tables(raw),
        files={row["path"]: dict(row) for row in manifest.get("files", [])},
        rooms={row["channel_id"]: dict(row) for row in manifest.get("channels", [])},
        discord_rooms=frozenset(p.channel_id for p in raw.pages() if p.direction != "file"),
    )


def _import(desk: Desk, found: Sequence[Found]) -> Mapping[str, Any]:
    """Take in what was found, corpora first, then rooms, then threads; gives a corpus's bot."""
    bot: Mapping[str, Any] = {}
    groups: dict[str, list[tuple[Head, Path]]] = {}
    for thing in found:
        match thing.kind:
            case "other":
                desk.skip(thing.path, thing.reason)
            case "corpus":
                bot = import_corpus(desk, thing.path) or bot
            case "lines":
                import_lines(desk, thing.path, thing.path.parent / "files")
            case "export":
                _group(desk, thing, groups)
    desk.talking |= {
        channel_id for channel_id, heads in groups.items() if any(h.has_rows for h, _ in heads)
    }
    in_order = sorted(groups.items(), key=lambda item: (item[1][0][0].is_thread, int(item[0])))
    for _, heads in in_order:
        import_room(desk, heads)
    settle(desk)
    if any(head.guild_id for heads in groups.values() for head, _ in heads):
        desk.say(PRIVACY)
    return bot


def _group(desk: Desk, thing: Found, groups: dict[str, list[tuple[Head, Path]]]) -> None:
    """Put an export with the others of its room; what is none is skipped with its reason."""
    try:
        head, reason = read_head(thing.path)
    except OSError as error:
        desk.skip(thing.path, f"it cannot be opened ({error.strerror})", unfinished=True)
        return
    if head is None or head.channel_id is None:
        desk.skip(thing.path, reason)
        return
    groups.setdefault(head.channel_id, []).append((head, thing.root))


def _manifest(manifest: Mapping[str, Any], desk: Desk) -> Object:
    started = {
        "version": 1,
        "source": "files",
        "started_at": desk.now.isoformat(),
        "message_content": "unknown",
        "members_intent": "unknown",
        "dms": {"searched": False, "reason": "files hold the DMs that somebody exported"},
        "requests": 0,
    }
    return {
        **started,
        **manifest,
        "bot": desk.bot,
        "ended_at": desk.now.isoformat(),
        "channels": [row for row in desk.rooms.values() if "channel_id" in row],
        "files": list(desk.files.values()),
    }


def _imported(desk: Desk, before: Mapping[str, Object], paths: Set[str]) -> Imported:
    """Sum up; what is left is told at every run, as long as the files stand as they stand."""
    rows = [row for path, row in desk.files.items() if path in paths]
    left = [f"{Path(row['path']).name}: {row['reason']}" for row in rows if row.get("unfinished")]
    left += part_gaps([row for row in rows if row.get("part")])
    statuses = Counter(
        "unchanged" if before.get(row["path"]) == row else str(row["status"]) for row in rows
    )
    return Imported(
        dict(sorted(statuses.items())),
        desk.fates["fresh"],
        desk.fates["changed"],
        tuple(left),
        any(row["status"] in READABLE for row in rows),
    )
