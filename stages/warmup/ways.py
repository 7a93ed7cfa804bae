"""Other ways to ask for a memory once one has failed: plainer, with less recall, sources only."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pipeline.memory.requests import Take
from pipeline.models.acceptance import Fault

LEAST_RECALL = 8_000  # tokens that a merge's recall is not halved below (folding §6.3)
Trouble = Fault | Literal["too long"]
NEXT_TAKE: dict[Trouble, Take] = {
    "only reasoning": "plain",
    "empty": "plain",
    "tool call": "no tools",
    "unfinished": "plain",
    "refusal": "sources only",
    "too long": "sources only",
}


@dataclass(frozen=True, slots=True)
class Way:
    """One way to ask: the take, and the tokens that recall may have."""

    take: Take
    recall_tokens: int


def next_way(trouble: Trouble, level: int, ways: Sequence[Way], recalled: int) -> Way | None:
    """
    Give the next way after `ways`, the last of which showed `recalled` tokens; null: give up.

    What is too long is first asked for with half of its recall, a merge again and again down to
    8,000 tokens; each failed attempt at a merge halves its recall (folding §6.3).
    """
    last = ways[-1]
    shown = min(last.recall_tokens, recalled)
    halved = max(shown // 2, min(LEAST_RECALL, shown)) if level > 1 else shown // 2
    if trouble == "too long" and last.take != "sources only":
        was_halved = any(way.recall_tokens < ways[0].recall_tokens for way in ways)
        if halved < shown and (level > 1 or not was_halved):
            return Way(last.take, halved)
        if level == 1 and not recalled:
            return None  # nothing is left to leave out
    takes = {way.take for way in ways}
    if level == 1 and not recalled:
        takes.add("sources only")  # it would be the same request word for word
    for take in (NEXT_TAKE[trouble], "sources only"):
        if take not in takes:
            return Way(take, halved if level > 1 else last.recall_tokens)
    return None
