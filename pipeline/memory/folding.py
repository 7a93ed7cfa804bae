"""
Where the head ends, where the tail starts, and where talk between them is cut.

Pure rules of the folding contract (folding §3, §4), equal to those of the live host, so that
it goes on where the warmup stopped. Boundaries are places in a `History`; what is recorded
comes first and is never computed anew.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pipeline.memory.history import History
from pipeline.memory.rulers import IMAGE_GONE, IMAGE_TOKENS, text_tokens

LIVE_IMAGES = 6  # the newest so many stay images in the window (folding §2.1)
IMAGE_DEPTH_TOKENS = 30_000  # deeper than this none does
MINUTE_MS = 60_000

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Cut:
    """How talk is cut; the defaults are the host's (folding §9.3) and the silence rule's (§4.2)."""

    target_chunk_tokens: int = 3_000
    gap_minutes: int = 60
    gap_min_tokens: int = 500
    min_messages: int = 4
    head_tokens: int = 4_000
    tail_tokens: int = 30_000
    split_private: bool = False


@dataclass(frozen=True, slots=True)
class Windows:
    """Head is `[head_start, head_end)`, the tail begins at `tail_start`; all are places."""

    head_start: int
    head_end: int
    tail_start: int

    def compressible(self) -> tuple[range, range]:
        """Give the places that may be folded: before a moved head, and between head and tail."""
        old = range(min(self.head_start, self.tail_start)) if self.head_end else range(0)
        return old, range(self.head_end, max(self.head_end, self.tail_start))


@dataclass(frozen=True, slots=True)
class Record:
    """A chunk that memories stand on: it is these items for good, whatever knobs and texts say."""

    chunk_id: str
    ordinal: int  # its place among all chunks; those in quarantine leave holes
    item_ids: tuple[str, ...]
    closed_by: str
    memory_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stretch:
    """A newly closed chunk, by its first and last place, and why it closed."""

    first: int
    last: int
    closed_by: str  # gap, privacy, size or seam

    def __len__(self) -> int:
        return self.last - self.first + 1


# -- windows (folding §3) -----------------------------------------------------------------------


def windows(history: History, cut: Cut, owned: Collection[int] = ()) -> Windows:
    """Give head and tail; `owned` are places in a recorded chunk or under an L1."""
    return Windows(
        head_start=head_start(history),
        head_end=head_end(history, cut.head_tokens, owned),
        tail_start=tail_start(history, cut.tail_tokens),
    )


def head_start(history: History) -> int:
    """Give the place of the newest topic transition, else the beginning."""
    return max(history.topics, default=0)


def head_end(history: History, limit: int, owned: Collection[int] = ()) -> int:
    """
    Give the first place behind the head.

    The item that takes the sum past `limit` is outside. Where memories stand and that item is
    in none of them, the head grows to the first that is, up to twice the limit: a head that
    shrinks later would otherwise leave a few old items to fold after everything else.
    """
    if limit <= 0:
        return 0
    start, total = head_start(history), 0
    for place in range(start, len(history)):
        total += history.store_tokens[place]
        if total > limit:
            stock = place - 1 if place - 1 in history.tool_calls else place
            return _anchored(history, start, stock, 2 * limit, owned)
    return len(history)


def _anchored(history: History, start: int, stock: int, limit: int, owned: Collection[int]) -> int:
    if not owned or stock in owned:
        return stock
    total = sum(history.store_tokens[start : stock + 1])
    for place in range(stock + 1, len(history)):
        if total > limit:
            break
        if place in owned:
            return place
        total += history.store_tokens[place]
    return stock


def tail_start(history: History, limit: int) -> int:
    """Give the first place of the newest stretch that fits into `limit` as the window prices it."""
    total = 0
    for place, price in newest_first(history):
        total += price
        if total > limit:
            return place if place + 1 in history.tool_results else place + 1
    return 0


def newest_first(history: History) -> Iterator[tuple[int, int]]:
    """Price items from the newest back; images too many or too deep cost only their stand-in."""
    saved = IMAGE_TOKENS - text_tokens(IMAGE_GONE)
    left, depth = LIVE_IMAGES, 0
    for place in range(len(history) - 1, -1, -1):
        price, images = history.store_tokens[place], history.images[place]
        if images:
            kept = min(images, left) if depth <= IMAGE_DEPTH_TOKENS else 0
            left -= kept
            price -= (images - kept) * saved
        depth += price
        yield place, price


# -- chunks (folding §4) ------------------------------------------------------------------------


def open_places(zone: Windows, owned: Collection[int] = ()) -> Sequence[int]:
    """Give the places that may be folded and that no recorded chunk holds, in store order."""
    old, middle = zone.compressible()
    if not owned and not old:
        return middle
    return [place for part in (old, middle) for place in part if place not in owned]


def close_chunks(history: History, places: Sequence[int], cut: Cut) -> list[Stretch]:
    """
    Cut `places` (ascending) into chunks; the open remainder is none.

    A gap in the places closes whatever is there (seam). A silence, or with `split_private` a
    change between private and public rooms, closes before the next item; size closes behind
    an item, but never behind a tool call. All but the seam wait for the minimum of messages.
    """
    chunks: list[Stretch] = []
    size, weight, calls = history.chunk_tokens, history.silence_tokens, history.tool_calls
    least, target = cut.min_messages, cut.target_chunk_tokens
    first = last = -1
    count = tokens = heard = 0
    for place in places:
        why = None
        if count and place != last + 1:
            why = "seam"
        elif count >= least and heard >= cut.gap_min_tokens and last not in calls:
            why = _hint(history, last, place, cut)
        if why:
            chunks.append(Stretch(first, last, why))
            count = tokens = heard = 0
        if not count:
            first = place
        last = place
        count += 1
        tokens += size[place]
        heard += weight[place]
        if tokens >= target and count >= least and place not in calls:
            chunks.append(Stretch(first, last, "size"))
            count = tokens = heard = 0
    return chunks


def _hint(history: History, last: int, place: int, cut: Cut) -> str | None:
    """Say why talk should be cut between two neighbours (§4.2); null where it should not."""
    if history.sent_at_ms[place] - history.sent_at_ms[last] >= cut.gap_minutes * MINUTE_MS:
        return "gap"
    if cut.split_private and history.is_private[place] != history.is_private[last]:
        return "privacy"
    return None


def held_back(chunks: Sequence[C], holdback: int) -> Sequence[C]:
    """Give the chunks without the newest `holdback` ones, which wait (folding §4.1.6)."""
    return chunks[: max(0, len(chunks) - holdback)]


def open_frontier(zone: Windows, owned: Collection[int], chunks: Sequence[Stretch]) -> list[int]:
    """Give the places that may be folded but stand in no chunk: they stay raw for now."""
    closed = {place for c in chunks for place in range(c.first, c.last + 1)}
    return [place for place in open_places(zone, owned) if place not in closed]


def is_broken(records: Sequence[Record], history: History) -> bool:
    """Say whether the host would refuse these records: three or more, over half of them empty."""
    known = set(history.item_ids)
    orphans = sum(known.isdisjoint(record.item_ids) for record in records)
    return len(records) >= 3 and orphans * 2 > len(records)
