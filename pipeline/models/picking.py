"""
Pick the sentences that tell most for their length, and write them down in order.

What a sentence tells is a set of weighted words; a word told once tells nothing more. Picking is
greedy by what is newly told per character, where the characters of attribution and heading count
for the sentence that makes them necessary.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush

LEAST_TOLD = 1.0  # newly told weight below which a sentence is not worth its line


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """
    A sentence or clause that may be quoted; of offers with one `place` only one is.

    `day` and `room` make the heading above it, `speech` says who speaks ("Mara: ", blank for
    plain text). `told` are its words with weights, `worth` scales their sum. The best offer of
    each `seed` is picked first, so that every seed is heard.
    """

    place: int
    day: str
    room: str
    speech: str
    text: str
    told: dict[str, float]
    worth: float = 1.0
    seed: int | None = None


@dataclass
class Picked:
    """What is picked so far, in order, with the words told and the characters left."""

    left: int
    offers: list[Offer] = field(default_factory=list)
    told: set[str] = field(default_factory=set)
    places: set[int] = field(default_factory=set)

    def gain(self, offer: Offer) -> float:
        """Give the weight of the words that the offer would newly tell, times its worth."""
        told = self.told
        return offer.worth * sum(w for word, w in offer.told.items() if word not in told)

    def cost(self, offer: Offer) -> int:
        """Give the characters by which the text would grow."""
        at = self._slot(offer)
        before = self.offers[at - 1] if at else None
        after = self.offers[at] if at < len(self.offers) else None
        grown = len(lead(before, offer)) + len(offer.text)
        if after is not None:
            grown += len(lead(offer, after)) - len(lead(before, after))
        return grown

    def take(self, offer: Offer) -> None:
        """Put the offer in its slot."""
        self.left -= self.cost(offer)
        self.offers.insert(self._slot(offer), offer)
        self.told.update(offer.told)
        self.places.add(offer.place)

    def _slot(self, offer: Offer) -> int:
        return sum(1 for other in self.offers if other.place < offer.place)


def pick(offers: Sequence[Offer], room: int) -> list[Offer]:
    """Pick offers, in order of place, whose text is at most `room` characters long."""
    picked = Picked(room)
    for seed in dict.fromkeys(offer.seed for offer in offers if offer.seed is not None):
        fill(picked, [offer for offer in offers if offer.seed == seed], most=1)
    fill(picked, offers)
    return picked.offers


def fill(picked: Picked, offers: Iterable[Offer], most: int | None = None) -> None:
    """
    Take the best offers one after the other while they fit and tell enough, at most `most`.

    The heap holds what an offer could be worth at best: words only become known, and no offer
    costs less than its own text. So only those at its top are weighed anew for each take.
    """
    heap = [(-picked.gain(o) / (len(o.text) + 1), n, o) for n, o in enumerate(offers)]
    heapify(heap)
    taken = 0
    while most is None or taken < most:
        best = pop_best(picked, heap)
        if best is None:
            return
        picked.take(best)
        taken += 1


def pop_best(picked: Picked, heap: list[tuple[float, int, Offer]]) -> Offer | None:
    """Take the offer that tells most a character out of the heap; null where none is left."""
    best: tuple[float, int, Offer] | None = None
    best_value = 0.0
    weighed: list[tuple[float, int, Offer]] = []
    while heap and -heap[0][0] > best_value:
        _, number, offer = heappop(heap)
        gain = picked.gain(offer)
        if offer.place in picked.places or gain < LEAST_TOLD:
            continue
        cost = picked.cost(offer)
        if cost > picked.left:
            continue
        entry = (-gain / (len(offer.text) + 1), number, offer)
        if gain / cost > best_value:
            if best:
                weighed.append(best)
            best, best_value = entry, gain / cost
        else:
            weighed.append(entry)
    for entry in weighed:
        heappush(heap, entry)
    return best[2] if best else None


def lead(before: Offer | None, offer: Offer) -> str:
    """Write what stands between two quoted sentences: heading, line break, speaker, or a blank."""
    if before is None:
        return heading(None, offer) + offer.speech
    if (before.day, before.room) != (offer.day, offer.room):
        return "\n" + heading(before, offer) + offer.speech
    return " " if before.speech == offer.speech else "\n" + offer.speech


def heading(before: Offer | None, offer: Offer) -> str:
    """Write day and room as a line of its own; the day only where it changes."""
    is_new_day = before is None or before.day != offer.day
    parts = [part for part in (offer.day if is_new_day else "", offer.room) if part]
    return ", ".join(parts) + ":\n" if parts else ""


def write(offers: Sequence[Offer]) -> str:
    """Write picked offers as text."""
    befores = [None, *offers[:-1]]
    return (
        "".join(
            lead(before, offer) + offer.text for before, offer in zip(befores, offers, strict=True)
        )
        if offers
        else ""
    )
