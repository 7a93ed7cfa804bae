"""
How much of a history the extractive memories keep, on the five LoCoMo histories.

An answer is kept if all its words, less a short stop list, stand in one L1 that covers a message
with its evidence; a question without such an L1 counts as not kept. Every text but the whole
chunk has at most a quarter of the chunk's characters (rendered text without receipts),
attribution included; the line that says "extractive" is outside. The chunks are those of the
project's own import (head 0, tail 0, target 1,000).

Tuned on conv-26 alone; the figures of the other four stand beside it.
"""

import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Any

from pipeline.models import sentences
from pipeline.models.extractive import MARK, remember
from pipeline.models.material import Material, talk_of
from pipeline.models.vocabulary import listed
from pipeline.testing.bench import Row, cpu_seconds

SHARED = Path(os.environ.get("BACKFOLD_SHARED", Path(__file__).resolve().parents[4] / "shared"))
SHARE = 0.25
COMMAND_LINE = "from pipeline.cli import main; main()"
WORD = re.compile(r"\w+")
STOP_LIST = listed(
    """
    the a an and or but of to in on at for with by from as is are was were be been it its that this
    these they he she his her their them i you we my our so not do does did has have had will would
    """
)
TOML = """
[agent]
name = {name}
timezone = "UTC"
source = "files"
files = [{folder}]
[self]
users = [{user}]
[segment]
head_tokens = 0
tail_tokens = 0
target_chunk_tokens = 1000
"""


@dataclass(frozen=True, slots=True)
class Chunk:
    """One chunk: its messages, its rendered text without receipts, and its talk."""

    message_ids: frozenset[str]
    text: str
    talk: Material


@dataclass(frozen=True, slots=True)
class History:
    """One history: its chunks, its questions, and in how many messages each word stands."""

    name: str
    chunks: tuple[Chunk, ...]
    questions: tuple[dict[str, Any], ...]
    counts: Counter[str]


Summary = Callable[[Chunk, History], str]


def rows() -> Iterable[Row]:
    """Give the four figures over all histories, ours of each, and the time of one chunk."""
    found = sorted((SHARED / "data" / "locomo").glob("conv-*"))
    if not found:
        yield Row("the LoCoMo histories are not beside the project", 0, None, "", None, "")
        return
    with tempfile.TemporaryDirectory() as folder:
        histories = [import_history(corpus, Path(folder) / corpus.name) for corpus in found]
    whole = share_kept(histories, lambda chunk, _: chunk.text)
    greedy = share_kept(histories, cover_rare_words)
    longest = share_kept(histories, longest_sentences)
    ours = share_kept(histories, ours_of)
    yield Row("answers kept by the whole chunk", whole, None, "share", None, "")
    yield Row("answers kept by the longest sentences", longest, whole, "share", longest / whole, "")
    yield Row("answers kept by a cover of rare words", greedy, whole, "share", greedy / whole, "")
    name = "answers kept by the extractive memories"
    yield Row(name, ours, greedy, "share", ours / greedy, "≥ .30 kept", ours >= 0.30)
    for history in histories:
        kept, peer = share_kept([history], ours_of), share_kept([history], cover_rare_words)
        said = "tuned on it" if history.name == "conv-26" else ""
        yield Row(f"… in {history.name}", kept, peer, "share", kept / peer, "", said=said)
    longest_memory = max(
        len(ours_of(chunk, history)) / len(chunk.text)
        for history in histories
        for chunk in history.chunks
    )
    yield Row(
        "longest memory by its chunk",
        longest_memory,
        None,
        "share",
        None,
        "≤ .25",
        longest_memory <= SHARE,
    )
    yield time_of_a_chunk(histories)


def import_history(corpus: Path, folder: Path) -> History:
    """Run the project's own import on a corpus and read back its chunks."""
    import polars as pl

    me = json.loads((corpus / "guild.json").read_text(encoding="utf-8"))["self"]
    folder.mkdir()
    words = {"name": me["username"], "folder": str(corpus), "user": me["id"]}
    toml = TOML.format(**{name: json.dumps(value) for name, value in words.items()})
    (folder / "agent.toml").write_text(toml, encoding="utf-8")
    stages = ("dump", "curate", "segment")
    subprocess.run(  # noqa: S603 - our own command line, on a folder made here
        [sys.executable, "-c", COMMAND_LINE, "run", *stages, "--agent", str(folder)],
        check=True,
        capture_output=True,
    )
    items = pl.read_parquet(folder / "tables" / "transcript.parquet").sort("position")
    closed = pl.read_parquet(folder / "tables" / "chunks.parquet").sort("ordinal")
    by_id = {row["item_id"]: row for row in items.to_dicts()}
    chunks = [chunk_of([by_id[i] for i in ids]) for ids in closed["item_ids"].to_list()]
    questions = (corpus / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    counts = Counter(word for row in items.to_dicts() for word in words_of(row["body"]))
    return History(corpus.name, tuple(chunks), tuple(map(json.loads, questions)), counts)


def chunk_of(items: Sequence[dict[str, Any]]) -> Chunk:
    """Gather a chunk from the rows of its items."""
    said = [row for row in items if row["kind"] in {"message", "turn"}]
    return Chunk(
        message_ids=frozenset(i for row in said for i in row["message_ids"]),
        text="\n".join(row["text"] for row in said),
        talk=talk_of(said, {row["channel_id"]: "DM" for row in said}, UTC),
    )


def ours_of(chunk: Chunk, _: History) -> str:
    """Give the extractive memory without the line that says so."""
    return remember(chunk.talk).removeprefix(MARK + "\n")


def longest_sentences(chunk: Chunk, _: History) -> str:
    """Take the longest sentences while they fit, each behind its speaker's name."""
    taken, left = [], len(chunk.text) * SHARE
    for line in sorted(spoken_sentences(chunk), key=len, reverse=True):
        if len(line) + 1 <= left:
            taken.append(line)
            left -= len(line) + 1
    return "\n".join(taken)


def cover_rare_words(chunk: Chunk, history: History) -> str:
    """Take, again and again, the sentence with most new rare words by the root of its length."""
    taken: list[str] = []
    told: set[str] = set()
    left = len(chunk.text) * SHARE
    lines = {line: words_of(line) for line in spoken_sentences(chunk)}

    def value(line: str) -> float:
        new = lines[line] - told
        rare = sum(1 / history.counts[word] for word in new if word in history.counts)
        return rare / math.sqrt(len(line))

    while fitting := [line for line in lines if len(line) + 1 <= left]:
        best = max(fitting, key=value)
        taken.append(best)
        told |= lines.pop(best)
        left -= len(best) + 1
    return "\n".join(taken)


def spoken_sentences(chunk: Chunk) -> Iterator[str]:
    """Give every sentence of a chunk behind its speaker's name."""
    for said in chunk.talk.spoken:
        for sentence in sentences.split(said.text):
            yield f"{said.author}: {sentence}"


def share_kept(histories: Sequence[History], summarise: Summary) -> float:
    """Give the share of all questions whose answer one memory over the evidence holds."""
    kept = asked = 0
    for history in histories:
        words = [words_of(summarise(chunk, history)) for chunk in history.chunks]
        for question in history.questions:
            evidence, answer = question["evidence_message_ids"], words_of(str(question["answer"]))
            asked += 1
            kept += any(
                answer <= told and not chunk.message_ids.isdisjoint(evidence)
                for chunk, told in zip(history.chunks, words, strict=True)
            )
    return kept / asked


def words_of(text: str) -> set[str]:
    """Give the words of a text in lower case, less the stop list."""
    return {word for word in WORD.findall(text.lower()) if word not in STOP_LIST}


def time_of_a_chunk(histories: Sequence[History]) -> Row:
    """Time one chunk of about 3,000 tokens, which is three of these side by side."""
    talks = [
        Material(tuple(s for chunk in history.chunks[at : at + 3] for s in chunk.talk.spoken))
        for history in histories
        for at in range(0, len(history.chunks) - 2, 3)
    ]
    remember(talks[0])
    before = cpu_seconds()
    for talk in talks:
        remember(talk)
    cost = (cpu_seconds() - before) * 1000 / len(talks)
    return Row("one chunk of 3,000 tokens", cost, None, "ms CPU", None, "≤ 10", None)
