"""
Every table of an agent: what one row is, its key, its columns with types and units.

Columns are declared as names of types, so that reading this file costs no dataframe library;
`pipeline.artifacts` turns them into polars types.
"""

from collections.abc import Mapping
from dataclasses import dataclass

UTC = "datetime"  # milliseconds since 1970, zone UTC in the type
STR, INT, FLOAT, BOOL, STRS = "str", "int", "float", "bool", "list[str]"
BLOCKS = "list[block]"  # struct of type, text, attachment_id, media_type, sha256


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its type, whether a null may stand in it, and what it says."""

    type: str
    says: str
    nullable: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A Parquet file under `tables/`: one row is `grain`, no two rows share `key`."""

    name: str
    grain: str
    key: tuple[str, ...]
    columns: Mapping[str, Column]
    sort: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        """Where it lies in the agent's folder."""
        return f"tables/{self.name}.parquet"


@dataclass(frozen=True, slots=True)
class Place:
    """Something in the agent's folder that is no table: a tree, a database, a report."""

    name: str
    path: str
    says: str


Artifact = Table | Place

RAW = Place("raw", "raw", "Discord's own objects as they were fetched, append-only")
TRANSCRIPT_LINES = Place(
    "transcript_lines", "tables/transcript.jsonl", "the transcript again, one item a line"
)
CURATED = Place("curated", "tables/curated.json", "what decided which items there are, as a digest")
QUESTIONS = Place("questions", "questions.toml", "what a probe asks")
QUESTION_LINES = Place("question_lines", "questions.jsonl", "what a probe asks, one object a line")
WAIVERS = Place("waivers", "waivers.jsonl", "findings that the owner lives with, one a line")
EXPLORER = Place("explorer", "reports/explorer.html", "the pyramid over its talk, as one page")
PYRAMID = Place("pyramid", "pyramid.sqlite", "the memory itself: memories, revisions, calls, state")

TRANSCRIPT = Table(
    name="transcript",
    grain="one row per item of the agent's store: a message, a turn of its own, or a notice",
    key=("item_id",),
    sort=("position",),
    columns={
        "position": Column(INT, "place in store order, from 0"),
        "item_id": Column(STR, "first Discord id of the item; notices: that id plus /receipt …"),
        "kind": Column(STR, "message, turn, receipt, routing, clock or channels"),
        "participant": Column(STR, "user, or the agent's name"),
        "is_self": Column(BOOL, "the agent's own words"),
        "addressed": Column(BOOL, "it was meant for the agent (wire format §1)"),
        "sent_at": Column(UTC, "Discord's time"),
        "edited_at": Column(UTC, "time of the last edit that raw knows", nullable=True),
        "absent_since": Column(UTC, "when a full re-read first missed it", nullable=True),
        "channel_id": Column(STR, "room"),
        "guild_id": Column(STR, "guild; null: a DM", nullable=True),
        "is_private": Column(BOOL, "a DM, a private thread, or a room that @everyone cannot see"),
        "author_id": Column(STR, "user or webhook id", nullable=True),
        "author_name": Column(STR, "the name that the wire format prints", nullable=True),
        "message_ids": Column(STRS, "every Discord message in the item; empty on notices"),
        "reply_to_id": Column(STR, "message that it answers", nullable=True),
        "text": Column(STR, "all text blocks joined by a newline: what the agent reads"),
        "body": Column(STR, "the cleaned content alone"),
        "blocks": Column(BLOCKS, "content blocks in order"),
        "metadata": Column(STR, "the item's metadata as JSON (wire format §8)"),
    },
)

REJECTS = Table(
    name="rejects",
    grain="one row per message that the agent perceived or might have, and that was left out",
    key=("channel_id", "message_id"),
    columns={
        "channel_id": Column(STR, "room"),
        "message_id": Column(STR, "message"),
        "reason": Column(STR, "why it is not in the transcript"),
        "sent_at": Column(UTC, "Discord's time", nullable=True),
        "author_id": Column(STR, "user or webhook id", nullable=True),
    },
)

REDACTIONS = Table(
    name="redactions",
    grain="one row per span that was replaced by [redacted-secret]",
    key=("item_id", "field", "start"),
    columns={
        "item_id": Column(STR, "item of the transcript"),
        "message_id": Column(STR, "Discord message", nullable=True),
        "rule": Column(STR, "the rule that found it"),
        "field": Column(STR, "text, or the metadata field"),
        "start": Column(INT, "first character of the span before redaction"),
        "end": Column(INT, "character behind the span before redaction"),
        "mask": Column(STR, "its shape, never the value"),
        "before": Column(STR, "five words before it"),
        "after": Column(STR, "five words behind it"),
    },
)

ROOMS = Table(
    name="rooms",
    grain="one row per room that raw has messages of",
    key=("channel_id",),
    columns={
        "channel_id": Column(STR, "room"),
        "guild_id": Column(STR, "guild; null: a DM", nullable=True),
        "name": Column(STR, "its name as of the dump", nullable=True),
        "guild_name": Column(STR, "the guild's name", nullable=True),
        "parent_id": Column(STR, "the room of a thread, the category of a room", nullable=True),
        "type": Column(INT, "Discord's channel type", nullable=True),
        "is_private": Column(BOOL, "a DM, a private thread, or hidden from @everyone"),
        "messages": Column(INT, "messages in raw, each id once"),
        "selected": Column(INT, "messages that became part of an item"),
        "first_at": Column(UTC, "oldest message in raw", nullable=True),
        "last_at": Column(UTC, "newest message in raw", nullable=True),
        "last_raw_id": Column(STR, "newest message in raw, perceived or not", nullable=True),
        "raw_bytes": Column(INT, "size of its raw file when the transcript was made"),
    },
)

PEOPLE = Table(
    name="people",
    grain="one row per author id and name in raw",
    key=("author_id", "name"),
    columns={
        "author_id": Column(STR, "user or webhook id"),
        "name": Column(STR, "the name that the wire format prints"),
        "person": Column(STR, "who that is by [[people]]; else the id"),
        "is_self": Column(BOOL, "the agent"),
        "is_bot": Column(BOOL, "a bot or a webhook"),
        "messages": Column(INT, "messages in raw"),
        "selected": Column(INT, "messages that became part of an item"),
        "first_at": Column(UTC, "oldest message"),
        "last_at": Column(UTC, "newest message"),
    },
)

CHUNKS = Table(
    name="chunks",
    grain="one row per closed chunk of the transcript",
    key=("chunk_id",),
    sort=("ordinal",),
    columns={
        "chunk_id": Column(STR, "c-<n>"),
        "ordinal": Column(INT, "place in store order, from 0"),
        "item_ids": Column(STRS, "its items in store order"),
        "first_position": Column(INT, "position of its first item"),
        "last_position": Column(INT, "position of its last item"),
        "started_at": Column(UTC, "time of its first item"),
        "ended_at": Column(UTC, "time of its last item"),
        "closed_by": Column(STR, "gap, size, seam or privacy"),
        "messages": Column(INT, "items in it"),
        "own_turns": Column(INT, "items by the agent"),
        "tokens_chunk": Column(INT, "size by the chunk ruler (folding §2.2)"),
        "tokens_store": Column(INT, "size by the store ruler (folding §2.1)"),
        "tokens_exact": Column(INT, "size by a real tokenizer; null: none at hand", nullable=True),
        "rooms": Column(STRS, "rooms in order of first appearance"),
        "private_share": Column(FLOAT, "share of its items that stand in private rooms"),
        "source_digest": Column(STR, "sha256 over its item ids and blocks"),
    },
)

MEMORIES = Table(
    name="memories",
    grain="one row per memory of the pyramid, as it stood when warmup ended",
    key=("memory_id",),
    sort=("number",),
    columns={
        "memory_id": Column(STR, "L<level>-<n>, n from one counter over all levels"),
        "number": Column(INT, "that n: the place in minting order"),
        "level": Column(INT, "1 stands on a chunk, n + 1 on memories of level n"),
        "headline": Column(STR, "its first sentence, at most 120 characters"),
        "text": Column(STR, "the memory"),
        "tokens": Column(INT, "as the server counted it, else a third of its characters"),
        "source_ids": Column(STRS, "items (level 1) or memories, in store order"),
        "first_item_id": Column(STR, "first item under it"),
        "last_item_id": Column(STR, "last item under it"),
        "started_at": Column(UTC, "time of its first item"),
        "ended_at": Column(UTC, "time of its last item"),
        "minted_at": Column(UTC, "when it was made"),
        "model": Column(STR, "the model that was asked for"),
        "prompt_version": Column(STR, "version of the words with which it was asked for"),
        "chunk_id": Column(STR, "its chunk (level 1)", nullable=True),
        "parent_id": Column(STR, "the memory over it; null: none yet", nullable=True),
        "shown_ids": Column(STRS, "memories that its request recalled"),
        "head_end_id": Column(STR, "first item behind the head; null: no head", nullable=True),
        "is_witnessed": Column(BOOL, "the agent never spoke in it"),
        "is_stub": Column(BOOL, "too thin for a call"),
        "persona_digest": Column(STR, "digest of persona.md; null: there was none", nullable=True),
        "stop_reason": Column(STR, "why the answer ended", nullable=True),
        "request_digest": Column(STR, "the request that it answers", nullable=True),
        "rooms": Column(STRS, "channel ids in order of first appearance"),
        "people": Column(STRS, "names of those who speak in it"),
        "private_share": Column(FLOAT, "share of its items that stand in private rooms"),
        "parallel": Column(INT, "how many were made side by side"),
    },
)

CALLS = Table(
    name="calls",
    grain="one row per answer of a model, or attempt that got none",
    key=("call_id",),
    columns={
        "call_id": Column(INT, "place in order of asking, from 1"),
        "request_digest": Column(STR, "the request"),
        "purpose": Column(STR, "mint, merge, remint or probe"),
        "target": Column(STR, "chunk, or the memories under a merge"),
        "level": Column(INT, "level of the memory asked for"),
        "model": Column(STR, "the model that was asked for"),
        "asked_at": Column(UTC, "when it was asked"),
        "outcome": Column(STR, "accepted, rejected: why, or failed: why"),
        "attempt": Column(INT, "requests that were sent for it"),
        "latency_ms": Column(INT, "milliseconds to the whole answer"),
        "stop_reason": Column(STR, "why the answer ended", nullable=True),
        "text": Column(STR, "the answer"),
        "reasoning": Column(STR, "reasoning that came with it"),
        "input_tokens": Column(INT, "tokens read", nullable=True),
        "cached_tokens": Column(INT, "of those, from a cache", nullable=True),
        "cache_write_tokens": Column(INT, "of those, written to a cache", nullable=True),
        "output_tokens": Column(INT, "tokens written, reasoning included", nullable=True),
        "reasoning_tokens": Column(INT, "of those, reasoning", nullable=True),
        "cost": Column(FLOAT, "money by the price list", nullable=True),
        "currency": Column(STR, "of the cost", nullable=True),
    },
)

PROBES = Table(
    name="probes",
    grain="one row per question and way of answering it: search, or a model with a rule",
    key=("question_id", "way"),
    columns={
        "question_id": Column(STR, "the question"),
        "way": Column(STR, "search, or the model and the wording of its rule"),
        "ask": Column(STR, "its words"),
        "kind": Column(STR, "fact, date, number or changed"),
        "is_private": Column(BOOL, "its answer was told in private"),
        "evidence_ids": Column(STRS, "messages that hold the answer, as the questions say"),
        "missing_ids": Column(STRS, "of those, what is not in the transcript"),
        "recall_5": Column(FLOAT, "share of evidence among the first 5 messages", nullable=True),
        "recall_10": Column(FLOAT, "… the first 10", nullable=True),
        "recall_25": Column(FLOAT, "… the first 25", nullable=True),
        "chunk_recall_5": Column(FLOAT, "share of its chunks among the first 5", nullable=True),
        "chunk_recall_10": Column(FLOAT, "… the first 10", nullable=True),
        "chunk_recall_25": Column(FLOAT, "… the first 25", nullable=True),
        "held_ids": Column(STRS, "memories over the evidence that still hold the answer"),
        "lost_ids": Column(STRS, "memories over the evidence that do not"),
        "top_level": Column(INT, "highest level over the evidence; 0: none", nullable=True),
        "lost_at": Column(INT, "first level that has lost it; null: none has", nullable=True),
        "in_context": Column(STR, "raw, a memory's id, or blank: to be searched", nullable=True),
        "answer": Column(STR, "what the model said last before any doubt", nullable=True),
        "is_right": Column(BOOL, "whether that holds the answer", nullable=True),
        "searches": Column(INT, "how often the model searched by itself", nullable=True),
        "held_on": Column(BOOL, "whether it stood by it when doubted", nullable=True),
        "leaked": Column(BOOL, "whether it told a private fact in public", nullable=True),
        "stopped": Column(STR, "why there is no answer", nullable=True),
        "calls": Column(INT, "calls for this question", nullable=True),
        "input_tokens": Column(INT, "tokens read, all calls", nullable=True),
        "output_tokens": Column(INT, "tokens written, all calls", nullable=True),
        "cost": Column(FLOAT, "money by the price list", nullable=True),
    },
)

FINDINGS = Table(
    name="findings",
    grain="one row per thing that an audit found wrong",
    key=("finding_id",),
    columns={
        "finding_id": Column(STR, "its name; the same finding keeps it in the next audit"),
        "rule": Column(STR, "the rule that found it"),
        "severity": Column(STR, "error, warning or note"),
        "subject": Column(STR, "memory, item or chunk that it is about; blank: the pyramid"),
        "level": Column(INT, "level of that memory", nullable=True),
        "start": Column(INT, "first character in the subject's text; null: all", nullable=True),
        "end": Column(INT, "character behind the place", nullable=True),
        "evidence": Column(STR, "the text that is wrong"),
        "source_ids": Column(STRS, "items or memories that show it"),
        "action": Column(STR, "what would mend it: cut, remint, edit, adopt, detach, rebuild …"),
        "family": Column(STR, "findings that are decided together", nullable=True),
        "message": Column(STR, "what is wrong, in words"),
        "decision": Column(STR, "remove, keep or canon, as agent.toml says", nullable=True),
        "waived_at": Column(UTC, "when the owner waived it", nullable=True),
        "waived_because": Column(STR, "and why", nullable=True),
    },
)

_TALK = (TRANSCRIPT, REJECTS, REDACTIONS, ROOMS, PEOPLE, CHUNKS)
_TABLES = (*_TALK, MEMORIES, CALLS, FINDINGS, PROBES)
_INPUTS = (WAIVERS, QUESTIONS, QUESTION_LINES)
_PLACES = (RAW, TRANSCRIPT_LINES, CURATED, PYRAMID, *_INPUTS, EXPLORER)
TABLES = {t.name: t for t in _TABLES}
PLACES = {p.name: p for p in _PLACES}
ARTIFACTS: dict[str, Artifact] = {**PLACES, **TABLES}
