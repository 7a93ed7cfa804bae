"""
What must hold of an agent's memory in a store before anybody opens it: I1 to I14 (folding §7.4).

Pure over the reader's records. An error is something that a host refuses, repairs or loses
memories by; a warning is legal and worth knowing (memories that can never merge, for one).
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from pipeline.care.storecheck_tree import Tree
from pipeline.care.storereader_session import Session, Summary

NAME = re.compile(r"L(\d+)-(\d+)")
REFUSAL = re.compile(
    r"(I'm sorry, but|I am sorry, but|As an AI|I can(?:no|')t (?:help|assist|continue|write))",
    re.IGNORECASE,
)
DANGLING = ",;:-–—(["
CLOSERS = "*_`\"'”’»)]} \n"


@dataclass(frozen=True, slots=True)
class Breach:
    """A rule that does not hold: `rule` I1 to I14, `severity` error or warning, of what."""

    rule: str
    severity: str
    subject: str
    message: str


@dataclass(frozen=True, slots=True)
class Bounds:
    """The host's numbers: fan-in, widest span; head end and tail start by message index."""

    fan_in: int = 6
    widest_span: int = 1_500
    head_end: int | None = None  # null: not known, so not checked
    tail_start: int | None = None

    def widest(self, level: int) -> int:
        """Give the widest span (last place less first) with which a memory may merge."""
        return int(self.widest_span * self.fan_in ** max(0, level - 3))


def check_session(session: Session, bounds: Bounds | None = None) -> list[Breach]:
    """Give everything that does not hold; nothing of severity error: a host may open it."""
    tree = Tree(session)
    limits = bounds or Bounds()
    return [
        *_names(tree),
        *_sources(tree),
        *_parents(tree),
        *_leaves(tree),
        *_coverage(tree),
        *_records(tree),
        *_frontier(tree, limits),
        *_stretch(tree, limits),
        *_texts(tree),
        *_times(session),
        *_queues(session),
    ]


def _names(tree: Tree) -> Iterator[Breach]:
    session = tree.session
    for name, times in Counter(s.id for s in session.summaries).items():
        if times > 1:
            yield _error("I1", name, f"{times} summaries have this id")
    highest = -1
    for summary in session.summaries:
        found = NAME.fullmatch(summary.id)
        if found is None or int(found[1]) != summary.level:
            yield _error("I1", summary.id, f"the id does not say level {summary.level}")
        if found is not None:
            highest = max(highest, int(found[2]))
    counter = session.counter
    if session.summaries and (not isinstance(counter, int) or counter <= highest):
        yield _error("I1", "counter", f"the counter is {counter}, an id has {highest} already")


def _sources(tree: Tree) -> Iterator[Breach]:
    for summary in tree.session.summaries:
        if summary.source_level != summary.level - 1:
            yield _error("I2", summary.id, f"sourceLevel is {summary.source_level}")
        if not summary.source_ids or len(set(summary.source_ids)) != len(summary.source_ids):
            yield _error("I2", summary.id, "its sources are none, or one stands twice")
        known = tree.index if summary.level == 1 else tree.by_id
        missing = [i for i in summary.source_ids if i not in known]
        if missing:
            yield _error(
                "I2", summary.id, f"source {missing[0]} and {len(missing) - 1} more missing"
            )
        if summary.level > 1:
            odd = [i for i in summary.source_ids if i in tree.by_id]
            odd = [i for i in odd if tree.by_id[i].level != summary.level - 1]
            if odd:
                yield _error(
                    "I2", summary.id, f"source {odd[0]} is of level {tree.by_id[odd[0]].level}"
                )


def _parents(tree: Tree) -> Iterator[Breach]:
    listed: dict[str, list[str]] = {}
    for summary in tree.session.summaries:
        if summary.level > 1:
            for child in summary.source_ids:
                listed.setdefault(child, []).append(summary.id)
    for summary in tree.session.summaries:
        above = listed.get(summary.id, [])
        if len(set(above)) > 1:
            yield _error("I3", summary.id, f"it stands under {', '.join(above)}")
        if summary.parent is not None and summary.parent not in above:
            yield _error("I3", summary.id, f"it names {summary.parent}, which does not list it")
        if above and summary.parent is None:
            yield _error("I3", summary.id, f"{above[0]} lists it, and it names no parent")


def _leaves(tree: Tree) -> Iterator[Breach]:
    for summary in tree.session.summaries:
        leaves = tree.leaves(summary)
        places = [tree.place[leaf] for leaf in leaves if leaf in tree.place]
        if len(places) != len(leaves):
            yield _error(
                "I4", summary.id, f"{len(leaves) - len(places)} leaves are owned by no record"
            )
        elif any(after != before + 1 for before, after in pairwise(places)):
            yield _error("I4", summary.id, "its leaves are no unbroken run in store order")
        if leaves and (summary.source_range.first, summary.source_range.last) != (
            leaves[0],
            leaves[-1],
        ):
            yield _error("I5", summary.id, "sourceRange is not its first and last leaf")
        for end in (summary.source_range.first, summary.source_range.last):
            if end not in tree.index:
                yield _error("I12", summary.id, f"sourceRange names {end or 'nothing'}, no message")


def _coverage(tree: Tree) -> Iterator[Breach]:
    session = tree.session
    level1 = {s.id: s for s in session.summaries if s.level == 1}
    for what, held in (
        ("records", Counter(m for r in session.chunks for m in r.source_ids)),
        ("summaries of level 1", Counter(m for s in level1.values() for m in s.source_ids)),
    ):
        twice = [message for message, times in held.items() if times > 1]
        if twice:
            yield _error("I6", twice[0], f"{len(twice)} messages stand in two {what}")
    for record in session.chunks:
        if record.compressed != (record.summary_id is not None):
            yield _error(
                "I6", record.id, f"compressed {record.compressed}, but {record.summary_id}"
            )
        if record.summary_id is not None and record.summary_id not in level1:
            yield _error("I6", record.id, f"its summary {record.summary_id} is not there")
        elif record.summary_id and level1[record.summary_id].source_ids != record.source_ids:
            yield _error("I6", record.id, f"{record.summary_id} stands on other messages")
    linked = {record.summary_id for record in session.chunks}
    if session.chunks:
        for name in level1.keys() - linked:
            yield _error("I6", name, "no record names it")


def _records(tree: Tree) -> Iterator[Breach]:
    last: int | None = None
    for record in tree.session.chunks:
        places = [tree.index[m] for m in record.source_ids if m in tree.index]
        if not record.id or not places or len(places) != len(record.source_ids):
            yield _error("I8", record.id or "a record", "no id, no messages, or one that is gone")
            continue
        expected = places[0] if last is None else last + 1
        if places != list(range(expected, expected + len(places))):
            yield _error("I8", record.id, "it does not begin where the one before ends, unbroken")
        last = places[-1]
    yield from ()


def _frontier(tree: Tree, bounds: Bounds) -> Iterator[Breach]:
    levels: dict[int, list[Summary]] = {}
    for summary in tree.session.summaries:
        levels.setdefault(summary.level, []).append(summary)
    for level, summaries in sorted(levels.items()):
        spans = {s.id: span for s in summaries if (span := tree.span(s)) is not None}
        newest = max((span[1] for span in spans.values()), default=-1)
        free = sorted((*spans[s.id], s.id) for s in summaries if not s.parent and s.id in spans)
        widest = bounds.widest(level)
        wide = [name for first, last, name in free if last - first > widest]
        for name in wide:
            yield _warning("I9", name, f"it spans more than {widest} messages: it can never merge")
        for run in _runs([entry for entry in free if entry[2] not in wide]):
            if run[-1][1] != newest:
                told = f"{len(run)} unmerged inside level {level}"
                stuck = _warning if wide or len(run) >= bounds.fan_in else _error
                yield stuck("I7", run[0][2], told)
            elif len(run) >= bounds.fan_in:
                yield _warning("I7", run[0][2], f"{len(run)} unmerged: merges begin at once")


def _runs(free: list[tuple[int, int, str]]) -> list[list[tuple[int, int, str]]]:
    runs: list[list[tuple[int, int, str]]] = []
    for entry in free:
        if runs and runs[-1][-1][1] + 1 == entry[0]:
            runs[-1].append(entry)
        else:
            runs.append([entry])
    return runs


def _stretch(tree: Tree, bounds: Bounds) -> Iterator[Breach]:
    owned = sorted(tree.index[message_id] for message_id in tree.place)
    if not owned:
        return
    if bounds.head_end is not None and owned[0] != bounds.head_end:
        yield _error(
            "I8", "head", f"records begin at {owned[0]}, the head ends at {bounds.head_end}"
        )
    if bounds.tail_start is not None and owned[-1] >= bounds.tail_start:
        yield _error("I8", "tail", f"a record reaches {owned[-1]}, the tail begins before")


def _texts(tree: Tree) -> Iterator[Breach]:
    for summary in tree.session.summaries:
        text = summary.content if isinstance(summary.content, str) else ""
        if not text.strip():
            yield _error("I10", summary.id, "its text is blank")
            continue
        if "<thinking>" in text:
            yield _error("I10", summary.id, "its text holds reasoning")
        if REFUSAL.match(text.lstrip()):
            yield _warning("I10", summary.id, "it begins like a refusal")
        if text.rstrip(CLOSERS)[-1:] in tuple(DANGLING):
            yield _warning("I10", summary.id, "its last sentence is not finished")
        if summary.response_content is not None:
            yield _error("I14", summary.id, "it carries the model's whole answer")


def _times(session: Session) -> Iterator[Breach]:
    last = None
    for message in session.messages:
        stamp = message.timestamp
        if not isinstance(stamp, int) or isinstance(stamp, bool):
            yield _error("I11", message.id, f"its time is {stamp!r}, not whole milliseconds")
            continue
        if last is not None and stamp < last:
            yield _error("I11", message.id, "it is older than the message before it")
        last = stamp


def _queues(session: Session) -> Iterator[Breach]:
    for name in ("merge_queue", "merge_quarantine", "chunk_quarantine"):
        if held := getattr(session, name):
            yield _error("I13", name.replace("_", " "), f"{len(held)} entries; it should be empty")


def _error(rule: str, subject: str, message: str) -> Breach:
    return Breach(rule, "error", subject, message)


def _warning(rule: str, subject: str, message: str) -> Breach:
    return Breach(rule, "warning", subject, message)
