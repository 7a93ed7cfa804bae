"""
The embedded model: no network, no key, the same text for the same material.

It does not write, it quotes: of all sentences and clauses it picks those that carry the most
words that tell something (names, numbers, dates, rare words) and that nothing picked before
has told, each for as few characters as possible, and puts them back in order with who said
them, on which day and where. Relative words get their dates. Its first line says that the memory
is extractive.
"""

from dataclasses import dataclass

from pipeline.models.failures import BadRequestError
from pipeline.models.material import Material, Spoken
from pipeline.models.picking import Offer, pick, write
from pipeline.models.quoting import offers_of_memories, offers_of_talk
from pipeline.models.seam import Answer, Request, Usage

MARK = "[extractive memory]"
SHARE = 0.25  # of the characters of the talk or of the children, attribution and headings included
LEAST_ROOM = 240  # a heading and two sentences; of less talk than that, all


@dataclass(frozen=True, slots=True)
class Extractive:
    """Answer by quoting the request's material."""

    name: str = "extractive"
    reads_material: bool = True

    def answer(self, request: Request) -> Answer:
        """Quote the material; a request without any is refused as a mistake of its maker."""
        if request.material is None:
            raise BadRequestError("the extractive model was asked without material to quote")
        return Answer(request.model, remember(request.material), usage=Usage(0, 0, 0, 0, 0))


def remember(material: Material) -> str:
    """Write the memory: the mark, then what was picked; the mark is outside the length."""
    offers = gather(material)
    return f"{MARK}\n{write(pick(offers, room_for(material)))}"


def gather(material: Material) -> list[Offer]:
    """Offer every sentence and clause of the talk, or of the memories under a merge."""
    if material.memories:
        return offers_of_memories(material.memories, MARK)
    return offers_of_talk(material.spoken)


def room_for(material: Material) -> int:
    """Give the characters that the memory may have: a quarter of what it stands on."""
    if material.memories:
        lengths = [len(text) for text in material.memories]
    else:
        lengths = [len(render(said)) for said in material.spoken]
    whole = sum(lengths) + max(len(lengths) - 1, 0)  # a line break between two
    share = max(int(whole * SHARE), min(whole, LEAST_ROOM))
    return share if material.target_characters is None else min(share, material.target_characters)


def render(said: Spoken) -> str:
    """Write a message or turn as the agent reads it, without its place."""
    return said.text if said.is_self else f"{said.author}: {said.text}"
