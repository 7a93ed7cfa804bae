"""Which attachments are wanted, by kind and size, before any is fetched."""

import mimetypes
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from stages.dump.discord.files import Outcome
from stages.dump.discord.harvest import Attached

KINDS = {
    "none": frozenset[str](),
    "text": frozenset({"text"}),
    "images": frozenset({"text", "image"}),
    "all": frozenset({"text", "image", "other"}),
}
MEGABYTE = 1_000_000
# What counts as text beside `text/…`: the endings that the wire format inlines (its part 4).
TEXT_ENDINGS = frozenset(
    ("txt", "md", "markdown", "json", "jsonl", "csv", "tsv", "log", "yaml", "yml", "xml", "htm",
     "html", "css", "js", "mjs", "cjs", "ts", "tsx", "jsx", "py", "rb", "go", "rs", "java", "kt",
     "c", "h", "cpp", "hpp", "sh", "bash", "zsh", "toml", "ini", "cfg", "conf", "sql", "diff",
     "patch", "env")
)  # fmt: skip
UNTYPED_TEXT_BYTES = 262_144
SETTLED = frozenset({"kept", "gone"})


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be fetched, and what is not and why."""

    fetch: tuple[Attached, ...]
    left: tuple[tuple[Attached, Outcome], ...]

    @property
    def total_bytes(self) -> int:
        """How much is to be fetched, as announced."""
        return sum(file.size for file in self.fetch)


def kind_of(file: Attached) -> str:
    """Say whether a file is an image, text or something else (wire format, part 4)."""
    declared = file.content_type or mimetypes.guess_type(file.filename)[0] or ""
    if declared.startswith("image/"):
        return "image"
    ending = file.filename.rpartition(".")[2].lower() if "." in file.filename else ""
    if declared.startswith("text/") or ending in TEXT_ENDINGS:
        return "text"
    is_small_and_untyped = not declared and 0 < file.size <= UNTYPED_TEXT_BYTES
    return "text" if is_small_and_untyped else "other"


def why_not(file: Attached, mode: str, max_bytes: int | None) -> Outcome | None:
    """Say why a file is not fetched; null where it is."""
    if kind_of(file) not in KINDS[mode]:
        return Outcome("not asked", f"attachments = {mode}")
    if max_bytes is not None and file.size > max_bytes:
        return Outcome("too large", f"over {max_bytes} bytes")
    return None


def want(
    found: Iterable[Attached],
    known: Mapping[tuple[str, str], Mapping[str, Any]],
    mode: str,
    max_bytes: int | None,
) -> Wanted:
    """
    Sort attachments into those to fetch and those left.

    `known` is what raw says by (channel, attachment): settled ones rest, what failed or was
    not asked for then is judged again; a link is kept only where it was just read.
    """
    files = {(f.channel_id, f.attachment_id): f for f in found}
    files |= {
        key: attached_from(row) for key, row in known.items()
        if key not in files and row["state"] not in SETTLED
    }  # fmt: skip
    fetch, left = [], []
    for key, file in files.items():
        before = known.get(key, {}).get("state")
        if before in SETTLED:
            continue
        outcome = why_not(file, mode, max_bytes)
        if outcome is None:
            fetch.append(file)
        elif before != outcome.state:
            left.append((file, outcome))
    return Wanted(tuple(fetch), tuple(left))


def attached_from(row: Mapping[str, Any]) -> Attached:
    """Read an attachment back from its line in raw; its link is not known any more."""
    return Attached(
        row["channel_id"], row["message_id"], row["attachment_id"], row["filename"],
        row["content_type"], row["size"] or 0,
    )  # fmt: skip


def states(rows: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Give the last line of each attachment, by (channel, attachment)."""
    return {(row["channel_id"], row["attachment_id"]): row for row in rows}


def amount(count: float) -> str:
    """Say a number of bytes in words: `812 kB`, `3.4 MB`, `1.2 GB`."""
    for unit, size in (("GB", 1e9), ("MB", 1e6)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{max(1, round(count / 1e3)) if count else 0} kB"
