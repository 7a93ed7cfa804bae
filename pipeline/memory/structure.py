"""
Rules for how a pyramid stands: ids, sources, parents, order, runs, and texts that changed since.

Every rule is an invariant of folding §7.4 or a failure of §11; the comment behind it says which.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from pipeline.memory.findings import Action, Finding, Severity, View
from pipeline.memory.merging import MergeRules, Node, runs
from pipeline.memory.records import Memory

NAMED = re.compile(r"L([1-9]\d*)-(0|[1-9]\d*)")


def _finding(
    rule: str, memory: Memory, message: str, action: Action = "look", severity: Severity = "error"
) -> Finding:
    return Finding(rule, severity, memory.memory_id, message, level=memory.level, action=action)


def ids(view: View) -> Iterator[Finding]:  # I1, F15
    """Find ids that stand twice, that are no `L<level>-<n>`, and a counter that lags behind."""
    times = Counter(memory.memory_id for memory in view.memories)
    highest = -1
    for memory in view.memories:
        shape = NAMED.fullmatch(memory.memory_id)
        if times[memory.memory_id] > 1:
            yield _finding("ids", memory, "stands more than once", "renumber")
        if shape is None or int(shape[1]) != memory.level:
            yield _finding("ids", memory, f"is no name for level {memory.level}", "renumber")
        else:
            highest = max(highest, int(shape[2]))
    counter = view.state.get("counter")
    if counter is not None and int(counter) <= highest:
        message = f"the counter is {counter}; the highest number in use is {highest}"
        yield Finding("ids", "error", "", message, action="renumber")


def sources_stand(view: View) -> Iterator[Finding]:  # I2, F8
    """Find memories without sources, with one twice, gone, or not of the level below."""
    by_id = view.by_id()
    for memory in view.memories:
        if not memory.source_ids:
            yield _finding("sources", memory, "stands on nothing", "rebuild")
        if len(set(memory.source_ids)) < len(memory.source_ids):
            yield _finding("sources", memory, "lists a source twice", "rebuild")
        for source in dict.fromkeys(memory.source_ids if memory.level > 1 else ()):
            if source not in by_id:
                yield _finding("sources", memory, f"stands on {source}, which is gone", "rebuild")
            elif by_id[source].level != memory.level - 1:
                message = f"stands on {source}, which is of level {by_id[source].level}"
                yield _finding("sources", memory, message, "rebuild")


def parents(view: View) -> Iterator[Finding]:  # I3, F8
    """Find memories whose parent does not list them, is gone, or is not the only one."""
    by_id = view.by_id()
    listed: dict[str, list[str]] = {}
    for memory in view.memories:
        for source in memory.source_ids if memory.level > 1 else ():
            listed.setdefault(source, []).append(memory.memory_id)
    for memory in view.memories:
        above = listed.get(memory.memory_id, [])
        if memory.parent_id is not None and memory.parent_id not in by_id:
            yield _finding("parent", memory, f"its parent {memory.parent_id} is gone", "detach")
        elif memory.parent_id is not None and memory.parent_id not in above:
            message = f"its parent {memory.parent_id} does not list it"
            yield _finding("parent", memory, message, "detach")
        for other in dict.fromkeys(above):
            if other != memory.parent_id:
                message = f"{other} lists it, but its parent is {memory.parent_id or 'none'}"
                yield _finding("parent", memory, message, "adopt")


def owned_once(view: View) -> Iterator[Finding]:  # I6, F9
    """Find items that more than one memory of level 1 stands on."""
    owner: dict[str, str] = {}
    for memory in view.memories:
        clash = {owner[i] for i in memory.source_ids if i in owner} if memory.level == 1 else set()
        for item_id in memory.source_ids if memory.level == 1 else ():
            owner.setdefault(item_id, memory.memory_id)
        for other in sorted(clash):
            yield _finding("owned twice", memory, f"shares items with {other}", "rebuild")


def known_items(view: View) -> Iterator[Finding]:  # I12, F17
    """Find memories of level 1 over items that the transcript does not hold."""
    known = {item.item_id for item in view.items}
    for memory in view.memories if known else ():
        gone = [i for i in memory.source_ids if i not in known] if memory.level == 1 else []
        if gone:
            message = f"stands on {len(gone)} items that the transcript no longer holds"
            yield _finding("orphan", memory, message, "refold")


def spans(view: View) -> dict[str, Node]:
    """Give each memory's first and last place among owned items, in store order."""
    owned = {i for m in view.memories if m.level == 1 for i in m.source_ids}
    order = [item.item_id for item in view.items if item.item_id in owned]
    place = {item_id: at for at, item_id in enumerate(order)}
    found: dict[str, Node] = {}
    for memory in sorted(view.memories, key=lambda m: m.level):
        below = [found[s] for s in memory.source_ids if s in found] if memory.level > 1 else []
        at = [place[i] for i in memory.source_ids if i in place] if memory.level == 1 else []
        at += [end for node in below for end in (node.first, node.last)]
        if at:
            found[memory.memory_id] = Node(min(at), max(at), memory.memory_id, memory.level)
    return found


def in_order(view: View) -> Iterator[Finding]:  # I4, F2, F3, F16
    """Find memories whose leaves are out of store order or have a hole between them."""
    place_of = {i: n for n, i in enumerate(item.item_id for item in view.items)}
    owned = {i for m in view.memories if m.level == 1 for i in m.source_ids if i in place_of}
    rank = {i: n for n, i in enumerate(sorted(owned, key=place_of.__getitem__))}
    nodes = spans(view)
    for memory in view.memories:
        if memory.level == 1:
            at = [(rank[i], rank[i]) for i in memory.source_ids if i in rank]
        else:
            below = (nodes[s] for s in memory.source_ids if s in nodes)
            at = [(node.first, node.last) for node in below]
        if any(second[0] <= first[1] for first, second in pairwise(at)):
            yield _finding("order", memory, "its leaves are not in store order", "rebuild")
        elif any(second[0] != first[1] + 1 for first, second in pairwise(at)):
            yield _finding("hole", memory, "others' talk stands between its leaves", "rebuild")


def ranges(view: View) -> Iterator[Finding]:  # I5
    """Find memories whose first and last item are not those of what they stand on."""
    by_id = view.by_id()
    for memory in view.memories:
        if memory.level == 1 and memory.source_ids:
            ends = memory.source_ids[0], memory.source_ids[-1]
        elif memory.source_ids and {memory.source_ids[0], memory.source_ids[-1]} <= by_id.keys():
            first, last = by_id[memory.source_ids[0]], by_id[memory.source_ids[-1]]
            ends = first.first_item_id, last.last_item_id
        else:
            continue
        if ends != (memory.first_item_id, memory.last_item_id):
            yield _finding(
                "range", memory, "its first and last item are not its leaves'", "rebuild"
            )


def frontier(view: View) -> Iterator[Finding]:  # I7, I9, F4, F14
    """Find runs that wait for ever, runs that are full, and memories too wide to merge."""
    own = view.settings.get("warmup", {})
    names = ("fan_in", "merge_max_source_span_messages")
    rules = MergeRules(
        **{name: own[name] for name in names if name in own}, max_speculative_l1s=None
    )
    nodes, by_id = spans(view), view.by_id()
    levels: dict[int, list[Node]] = {}
    for memory_id, node in nodes.items():
        if by_id[memory_id].parent_id is None:
            levels.setdefault(node.level, []).append(node)
    for level, roots in levels.items():
        wide = [n for n in roots if n.last - n.first > rules.widest(level)]
        for node in wide if len(roots) > 1 else ():  # alone it has nothing to merge with
            message = f"spans {node.last - node.first + 1} items and can never merge"
            yield _finding("too wide", by_id[node.memory_id], message, severity="warning")
        parted = runs(sorted(n for n in roots if n not in wide))
        for run in parted:
            first = by_id[run[0].memory_id]
            if len(run) >= rules.fan_in:
                message = f"{len(run)} neighbours wait for a merge that is due"
                yield _finding("due", first, message, "merge", "warning")
            elif run is not parted[-1] and len(run) > 1:
                message = f"a run of {len(run)} is stranded behind newer ones"
                yield _finding("stranded", first, message, "merge", "warning")


def stale_source(view: View) -> Iterator[Finding]:
    """Find texts recorded under a chunk that read otherwise in the transcript now."""
    known = view.items_by_id()
    on = {memory.chunk_id: memory.memory_id for memory in view.memories if memory.level == 1}
    for chunk in view.chunks:
        for item in chunk.items:
            now = known.get(item.item_id)
            if now is not None and now.text != item.text:
                yield Finding(
                    rule="stale_source",
                    severity="warning",
                    subject=on.get(chunk.chunk_id, chunk.chunk_id),
                    message=f"item {item.item_id} read otherwise when it was folded",
                    level=1 if chunk.chunk_id in on else None,
                    evidence=f"old: {item.text}\nnew: {now.text}",
                    source_ids=(item.item_id,),
                    action="remint",
                )


def timestamps(view: View) -> Iterator[Finding]:  # I11, F27
    """Find memories that end before they begin."""
    for memory in view.memories:
        if memory.ended_at < memory.started_at:
            yield _finding("time", memory, "ends before it begins")


def given_up(view: View) -> Iterator[Finding]:  # I13, F19
    """Find what stands in quarantine."""
    for left in view.quarantined:
        message = f"was given up after {left.attempts} attempts: {left.reason}"
        yield Finding("quarantine", "warning", left.target, message, action="retry")


RULES = (
    *(ids, sources_stand, parents, owned_once, known_items, in_order, ranges, frontier),
    *(stale_source, timestamps, given_up),
)
