"""
Replace credentials in finished items: in blocks, body and metadata, the span only.

What a secret is says `pipeline.chat.redact`. A value found in an item's text is replaced
wherever it stands in that item, so that no copy outlives the redaction.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from pipeline.chat.redact import MARK, Redactor, Span, cut_out, mask
from stages.curate.entry import Entry

SPOKEN = ("message", "turn")
WORDS = 5
SHORTEST_COPY = 6  # a shorter value may be any word; its copies are found by the rules alone
MANY_COPIES = 50
BETWEEN = "\n\n"  # stands in no line of words
# Metadata that is not taken from the message's own text: names of people, rooms and guilds.
NAMES = (
    "channelName",
    "guildName",
    "threadName",
    "authorName",
    "replyToAuthorName",
    "sourceHeader",
)


@dataclass(slots=True)
class Hider:
    """Redacts entries in place; `rows` are those of REDACTIONS."""

    redactor: Redactor
    names: dict[str, str] = field(default_factory=dict)
    clean: set[tuple[str | None, ...]] = field(default_factory=set)

    def hide(self, entries: Sequence[Entry]) -> list[dict[str, Any]]:
        """Redact a block of entries; gives one row a span."""
        rows: list[dict[str, Any]] = []
        said: list[Entry] = []
        for entry in entries:
            if entry.kind in SPOKEN:
                rows += self._hide_names(entry)
                said.append(entry)
            elif self.name(entry.body) != entry.body:  # notices repeat: names of rooms, no words
                rows += self._hide_text(entry, entry.body, self.redactor.spans(entry.body))
        texts = list(map(joined, said))
        for index, spans in self.redactor.find(texts):
            rows += self._hide_text(said[index], texts[index], spans)
        return rows

    def name(self, value: str) -> str:
        """Give a name without secrets; names come again and again, so each is looked at once."""
        if value not in self.names:
            self.names[value] = self.redactor.redact(value)
        return self.names[value]

    def _hide_text(self, entry: Entry, text: str, spans: list[Span]) -> list[dict[str, Any]]:
        """Redact everything of an entry that holds what was found in its text."""
        spans = _behind_head(entry, spans)
        values = sorted({text[s.start : s.end] for s in spans}, key=len, reverse=True)
        entry.blocks = [
            {**block, "text": _without_copies(block["text"], values)}
            if block["type"] == "text"
            else block
            for block in _cut_blocks(entry.blocks, spans)
        ]
        entry.body = self._without(entry.body, values)
        entry.metadata = self._everywhere(entry.metadata, values)
        rows = [self._row(entry, "text", text, span, spans) for span in spans]
        around = [row[side] for row in rows for side in ("before", "after")]
        shown = _without_copies(BETWEEN.join(around), values).split(BETWEEN)  # all in one reading
        for number, row in enumerate(rows):
            row["before"], row["after"] = shown[2 * number : 2 * number + 2]
        return rows

    def _hide_names(self, entry: Entry) -> list[dict[str, Any]]:
        """Redact the names in an entry's metadata, and its author's."""
        metadata = entry.metadata
        # the other names are those of the room
        named = (entry.place.channel_id, entry.author_name, metadata.get("replyToAuthorName"))
        if named in self.clean:
            return []
        rows: list[dict[str, Any]] = []
        for key in NAMES:
            value = metadata.get(key)
            if value and (shown := self.name(value)) != value:
                metadata[key] = shown
                spans = self.redactor.spans(value)
                rows += [self._row(entry, f"metadata.{key}", value, s, spans) for s in spans]
        if entry.author_name:
            entry.author_name = self.name(entry.author_name)
            author = metadata.get("author")
            if author and author.get("name"):
                metadata["author"] = {**author, "name": self.name(author["name"])}
        if not rows and entry.author_name == named[1]:
            self.clean.add(named)
        return rows

    def _without(self, text: str, values: Sequence[str]) -> str:
        """Give a text without secrets of its own and without these values."""
        return _without_copies(self.redactor.redact(text), values)

    def _everywhere(self, part: Any, values: Sequence[str]) -> Any:
        if isinstance(part, str):
            return part if part.isdigit() else self._without(part, values)
        if isinstance(part, dict):
            return {key: self._everywhere(value, values) for key, value in part.items()}
        if isinstance(part, list | tuple):
            return [self._everywhere(value, values) for value in part]
        return part

    def _row(
        self, entry: Entry, place: str, text: str, span: Span, spans: Sequence[Span]
    ) -> dict[str, Any]:
        """Tell a redaction by its shape and what stands around it, never by its value."""
        before, after = self.redactor.around(text, span, WORDS, spans=spans)
        return {
            "item_id": entry.item_id,
            "message_id": entry.message_ids[0] if entry.message_ids else None,
            "rule": span.rule,
            "field": place,
            "start": span.start,
            "end": span.end,
            "mask": mask(text[span.start : span.end]),
            "before": before,
            "after": after,
        }


def _without_copies(text: str, values: Sequence[str]) -> str:
    """Replace copies of values, the longest first, unless they are so short as to be any word."""
    copies = [value for value in values if len(value) >= SHORTEST_COPY]
    if len(copies) > MANY_COPIES:
        return _without_many(text, copies)
    for value in copies:
        text = text.replace(value, MARK)
    return text


def _without_many(text: str, values: Sequence[str]) -> str:
    """Replace values all at once: one by one, thousands of them would read the text as often."""
    import polars as pl

    # most of metadata is shorter than any of them, and not worth an automaton
    if not text or len(text) < min(map(len, values)):
        return text
    marks = [MARK] * len(values)
    shown = pl.select(pl.lit(text).str.replace_many(list(values), marks, leftmost=True))
    return str(shown.item())


def joined(entry: Entry) -> str:
    """Give all text blocks of an entry joined by a newline."""
    if len(entry.blocks) == 1:
        return str(entry.blocks[0]["text"])
    return "\n".join(block["text"] for block in entry.blocks if block["type"] == "text")


def _behind_head(entry: Entry, spans: Sequence[Span]) -> list[Span]:
    """Cut spans so that none begins in the line's head and ends in its body: names are names."""
    at = 0
    for block in entry.blocks:
        if block["type"] == "text":
            if entry.body and block["text"].endswith(entry.body):
                at += len(block["text"]) - len(entry.body)
                return [Span(at, s.end, s.rule) if s.start < at < s.end else s for s in spans]
            at += len(block["text"]) + 1
    return list(spans)


def _cut_blocks(blocks: list[dict[str, Any]], spans: Sequence[Span]) -> list[dict[str, Any]]:
    """Cut spans of the joined text out of the blocks that it was joined from."""
    cut = []
    at = 0
    for block in blocks:
        if block["type"] != "text":
            cut.append(block)
            continue
        text: str = block["text"]
        own = [
            Span(max(s.start - at, 0), min(s.end - at, len(text)), s.rule)
            for s in spans
            if s.start < at + len(text) and s.end > at
        ]
        cut.append({**block, "text": cut_out(text, own)})
        at += len(text) + 1
    return cut
