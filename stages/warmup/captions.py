"""
Captions, written by hand or by any tool: what an attachment shows, behind its line.

The line of an attachment that was not fetched has no id in the transcript; so raw is asked which
attachments a message has, in the order of their lines. It is read only where there are captions.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline.raw import Raw

LINE = re.compile(r'\[(?:image )?attachment(?:: | ")')  # how it begins (wire format, part 4)


@dataclass(frozen=True, slots=True)
class Captions:
    """Captions by attachment id; of each message that has one, the ids of all attachments."""

    texts: Mapping[str, str] = field(default_factory=dict)
    attached: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def text_of(self, row: Mapping[str, Any]) -> str:
        """Give an item's text with each caption behind the line of its attachment."""
        ids = [one for message in row["message_ids"] for one in self.attached.get(message, ())]
        if not ids:
            return str(row["text"])
        lines, left = [], iter(ids)
        for block in row["blocks"]:
            if block["type"] == "text":
                lines.append(block["text"] or "")
                caption = self.texts.get(next(left, "")) if LINE.match(lines[-1]) else None
                lines += [f"[what it shows: {caption}]"] if caption else []
        return "\n".join(lines)


NO_CAPTIONS = Captions()


def read_captions(folder: Path, raw: Raw) -> Captions:
    """Read the folder, and of raw which messages the captions belong to."""
    texts = {}
    for path in sorted(folder.glob("*.txt")):
        if words := " ".join(path.read_text(encoding="utf-8", errors="replace").split()):
            texts[path.stem] = words
    if not texts:
        return NO_CAPTIONS
    attached = dict(attachments(raw))
    wanted = {one: ids for one, ids in attached.items() if not texts.keys().isdisjoint(ids)}
    return Captions(texts, wanted)


def attachments(raw: Raw) -> Iterator[tuple[str, list[str]]]:
    """Give each message with attachments, and their ids; the last line of a message wins."""
    from pipeline.chat.wire.attachments import attached_of

    for channel_id in raw.channel_ids():
        with raw.messages_path(channel_id).open("rb") as lines:
            for line in lines:
                if b'"filename"' in line and line.endswith(b"\n"):
                    try:
                        message = json.loads(line)
                    except ValueError:
                        continue  # curate has told of it
                    yield str(message["id"]), [a.attachment_id for a in attached_of(message)]
