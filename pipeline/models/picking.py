"""
Pick the sentences that tell most for their length, and write them down in order.

What a sentence tells is a set of weighted words; a word told once tells nothing more. Picking is
greedy by what is newly told per character, where the characters of attribution and heading count
for the sentence that makes them necessary.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from heapq import heapify, heappop, heappush

from msgspec import Struct

LEAST_TOLD = 1.5  # newly told weight below which a sentence is not worth its line


class Offer(Struct, frozen=True, eq=False):
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


class Picking:
    """
    What is picked so far, in order, and what each offer would newly tell.

    A word that becomes told is taken off every offer that holds it, once; so what an offer tells
    is always at hand. The heap holds what an offer could be worth at best (no offer costs less
    than its own text, and words only become known), so that few are weighed for each take.
    """

    def __init__(self, offers: Sequence[Offer], left: int) -> None:
        self.offers = offers
        self.left = left
        self.picked: list[Offer] = []
        self.order: list[int] = []  # their places
        self.places: set[int] = set()
        self.gains = [offer.worth * sum(offer.told.values()) for offer in offers]
        self.holders: dict[str, list[int]] = {}
        for number, offer in enumerate(offers):
            for word in offer.told:
                self.holders.setdefault(word, []).append(number)

    def fill(self, numbers: Iterable[int], most: int | None = None) -> None:
        """Take the best of these offers while they fit and tell enough, at most `most`."""
        heap = [
            (-self.gains[number] / (len(self.offers[number].text) + 1), number)
            for number in numbers
        ]
        heapify(heap)
        taken = 0
        while most is None or taken < most:
            best = self.pop_best(heap)
            if best is None:
                return
            self.take(best)
            taken += 1

    def pop_best(self, heap: list[tuple[float, int]]) -> int | None:
        """Take the offer that tells most a character out of the heap; null where none is left."""
        best: tuple[float, int] | None = None
        best_value = 0.0
        weighed: list[tuple[float, int]] = []
        while heap and -heap[0][0] > best_value:
            _, number = heappop(heap)
            offer, gain = self.offers[number], self.gains[number]
            if gain < LEAST_TOLD or offer.place in self.places:
                continue
            cost = self.cost(offer)
            if cost > self.left:
                continue
            entry = (-gain / (len(offer.text) + 1), number)
            if gain / cost > best_value:
                if best:
                    weighed.append(best)
                best, best_value = entry, gain / cost
            else:
                weighed.append(entry)
        for entry in weighed:
            heappush(heap, entry)
        return best[1] if best else None

    def take(self, number: int) -> None:
        """Put an offer in its slot; its words are told from now on."""
        offer = self.offers[number]
        self.left -= self.cost(offer)
        slot = self._slot(offer)
        self.picked.insert(slot, offer)
        self.order.insert(slot, offer.place)
        self.places.add(offer.place)
        for word in offer.told:
            for holder in self.holders.pop(word, ()):
                other = self.offers[holder]
                self.gains[holder] -= other.worth * other.told[word]

    def cost(self, offer: Offer) -> int:
        """Give the characters by which the text would grow."""
        at = self._slot(offer)
        before = self.picked[at - 1] if at else None
        grown = lead_length(before, offer) + len(offer.text)
        if at < len(self.picked):
            after = self.picked[at]
            grown += lead_length(offer, after) - lead_length(before, after)
        return grown

    def _slot(self, offer: Offer) -> int:
        return bisect_left(self.order, offer.place)


def pick(offers: Sequence[Offer], room: int) -> list[Offer]:
    """Pick offers, in order of place, whose text is at most `room` characters long."""
    picking = Picking(offers, room)
    for seed in dict.fromkeys(offer.seed for offer in offers if offer.seed is not None):
        picking.fill([n for n, offer in enumerate(offers) if offer.seed == seed], most=1)
    picking.fill(range(len(offers)))
    return picking.picked


def lead(before: Offer | None, offer: Offer) -> str:
    """Write what stands between two quoted sentences: heading, line break, speaker, or a blank."""
    if before is None:
        return heading(None, offer) + offer.speech
    if (before.day, before.room) != (offer.day, offer.room):
        return "\n" + heading(before, offer) + offer.speech
    return " " if before.speech == offer.speech else "\n" + offer.speech


def lead_length(before: Offer | None, offer: Offer) -> int:
    """Give the length of `lead` without writing it, as it is asked for all the time."""
    is_same_day = before is not None and before.day == offer.day
    if before and is_same_day and before.room == offer.room:
        return 1 if before.speech == offer.speech else len(offer.speech) + 1
    day = 0 if is_same_day else len(offer.day)
    head = day + len(offer.room) + (2 if day and offer.room else 0)
    return (0 if before is None else 1) + (head + 2 if head else 0) + len(offer.speech)


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
