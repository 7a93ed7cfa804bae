"""
A history laid out for the window: head, middle and tail, priced, with the memories over it.

Prices are the host's (folding §8.2), by the store ruler; what is laid out here does not depend
on a budget, so one layout serves them all.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pipeline.errors import UsageError
from pipeline.memory.folding import Cut, newest_first, windows
from pipeline.memory.history import History, places_with, read_history
from pipeline.memory.picker import Branch, Leaf, age_cap, grow
from pipeline.memory.records import Memory
from pipeline.memory.rulers import store_tokens

if TYPE_CHECKING:
    import polars as pl

RECALL_LABEL = "What do you remember from earlier?"
CUT_OFF_TOKENS = 50  # what the note costs that a message was cut at maxMessageTokens
NOISE = re.compile(r"(?s)```.*?(?:```|$)|https?://\S+")  # code fences and bare links
NOISE_WEIGHT = 0.8  # salience of an item that is nothing else is 0.2


@dataclass(frozen=True, slots=True)
class Rules:
    """The numbers that do not change with the budget; the defaults are the host's."""

    cut: Cut = field(default_factory=Cut)  # its head_tokens and tail_tokens
    fan_in: int = 6
    max_message_tokens: int = 10_000  # a longer message is cut off; 0: none is
    calibration: float = 1.0
    recall_label: str = RECALL_LABEL

    def __post_init__(self) -> None:
        if self.fan_in < 2:
            raise UsageError(f"fan_in is {self.fan_in}; below 2 nothing is ever merged")


@dataclass(frozen=True, slots=True)
class Floor:
    """The least that can be sent: all that has a memory folded to its root (§8.5)."""

    head_tokens: int
    tail_tokens: int
    roots: int
    root_tokens: int
    open_items: int  # of the middle, in no memory: they cannot be folded
    open_tokens: int

    @property
    def tokens(self) -> int:
        """The sum."""
        return self.head_tokens + self.tail_tokens + self.root_tokens + self.open_tokens


@dataclass(frozen=True, slots=True)
class Layout:
    """A history priced and parted, ready to be composed under any budget."""

    history: History
    raw: Sequence[int]  # price of each item where it stands raw
    head: range
    middle: Sequence[int]  # places in store order
    tail: range
    branches: Mapping[str, Branch]
    floor: Floor

    def priced(self, places: Sequence[int]) -> int:
        """Give what these cost raw."""
        return sum(self.raw[place] for place in places)


def read_layout(transcript: "pl.DataFrame", memories: Sequence[Memory], rules: Rules) -> Layout:
    """Measure a transcript and lay it out; one layout serves every budget."""
    history = read_history(transcript, rules.calibration)
    return lay_out(history, memories, rules, salience(transcript, history))


def lay_out(
    history: History,
    memories: Sequence[Memory],
    rules: Rules,
    saliences: Sequence[float] | None = None,
) -> Layout:
    """Part a history into head, middle and tail, price it, and hang the memories over it."""
    owner = first_owners(history, memories)
    zone = windows(history, rules.cut, owner)
    count, behind = len(history), max(zone.tail_start, zone.head_end)
    has_head = zone.head_end > zone.head_start
    head = range(zone.head_start, zone.head_end) if has_head else range(0)
    middle = [*range(zone.head_start if has_head else 0), *range(zone.head_end, behind)]
    tail = range(behind, count)
    raw = raw_prices(history, rules)
    highest = max((memory.level for memory in memories), default=0)
    flat = len(head) + len(tail)
    leaves = [
        Leaf(
            place,
            raw[place],
            age_cap(count - 1 - place, flat, rules.fan_in, highest),
            1.0 if saliences is None else saliences[place],
        )
        for place in middle
    ]
    pairs = {memory.memory_id: pair_tokens(memory.text, rules) for memory in memories}
    branches = grow(memories, owner, leaves, pairs)
    floor = find_floor(raw, (head, middle, tail), owner, branches)
    return Layout(history, raw, head, middle, tail, branches, floor)


def first_owners(history: History, memories: Sequence[Memory]) -> dict[int, str]:
    """Give, for each place under an L1, that L1; where two list an item the first one counts."""
    place = {item_id: at for at, item_id in enumerate(history.item_ids)}
    owner: dict[int, str] = {}
    for memory in memories:
        for item_id in memory.source_ids if memory.level == 1 else ():
            if item_id in place:
                owner.setdefault(place[item_id], memory.memory_id)
    return owner


def find_floor(
    raw: Sequence[int],
    parts: tuple[Sequence[int], Sequence[int], Sequence[int]],
    owner: Mapping[int, str],
    branches: Mapping[str, Branch],
) -> Floor:
    """Add up head, tail, one pair for each root, and what of the middle is in no memory."""
    head, middle, tail = parts
    loose = [place for place in middle if place not in owner]
    roots = [branch for branch in branches.values() if branch.parent_id is None]
    return Floor(
        head_tokens=sum(raw[place] for place in head),
        tail_tokens=sum(raw[place] for place in tail),
        roots=len(roots),
        root_tokens=sum(branch.pair_tokens for branch in roots),
        open_items=len(loose),
        open_tokens=sum(raw[place] for place in loose),
    )


# -- the price list (§8.2) and salience (§8.4) ---------------------------------------------------


def raw_prices(history: History, rules: Rules) -> list[int]:
    """Price each item raw: images stripped as in the window, long messages cut off."""
    prices = [0] * len(history)
    most = rules.max_message_tokens + CUT_OFF_TOKENS if rules.max_message_tokens else math.inf
    for place, price in newest_first(history):
        prices[place] = int(min(price, most))
    return prices


def pair_tokens(text: str, rules: Rules) -> int:
    """Price a recall pair: the question, and the memory as its answer."""
    said = ({"type": "text", "text": part} for part in (rules.recall_label, text))
    return sum(store_tokens([block], rules.calibration) for block in said)


def salience(transcript: "pl.DataFrame", history: History) -> list[float]:
    """
    Give 1 for conversation, down to 0.2 where an item is code, links, tool blocks and images.

    How the host weighs them is not written down; here every block counts alike, and a text
    by the share of its characters.
    """
    blocks = transcript["blocks"].list.len().fill_null(0).to_list()
    tools = places_with(transcript, "tool_use"), places_with(transcript, "tool_result")
    found = []
    for place, text in enumerate(transcript["text"].fill_null("").to_list()):
        noisy = "```" in text or "://" in text
        share = sum(map(len, NOISE.findall(text))) / len(text) if noisy else 0.0
        other = history.images[place] + sum(place in marked for marked in tools)
        count = max(1, blocks[place])
        found.append(1 - NOISE_WEIGHT * min(1.0, (other + share * max(0, count - other)) / count))
    return found
