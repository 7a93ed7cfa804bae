"""
Rules for what comes again: litanies by family, and memories that copy another one.

Talk that truly recurred is in the sources of each stretch and is no litany; a sentence that also
tells what only its own stretch holds is named and never cut.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from pipeline.chat.sentences import Sentence, sentences_of
from pipeline.memory.dedup import near_pairs
from pipeline.memory.findings import Finding, View, prose
from pipeline.memory.litanies import Family, families_of
from pipeline.memory.records import Memory
from pipeline.memory.sources import Sources, Words, sources_of, stems

LEAST = 3  # memories that repeat a sentence
RECURRED = 0.5  # share of a sentence's rarer words, by weight, that a stretch holds
HELD = 3  # and so many of them at least
COMMON = 0.4  # a word of more stretches than that proves nothing
NEWS = 0.1  # a word of fewer stretches than that may be news
TELLING = 2  # rare words that a standing fact has at least
MANY = 10  # memories of which a sentence may be of common words alone and still be a litany
COPY_SHARE = 0.8
# What a sentence says that only says that it remembers: no fact that could be cut.
FORMAL = frozenset(
    stems(
        "this that these those here what which how it is are was were be been have has had will "
        "would i me my we us our you the a an of from in on at to for with and or as so now then "
        "all last first next later today remember remembers remembered remembering memory memories "
        "recall recalled forget summary chapter stretch part time times conversation conversations "
        "talk talked happened carry carried keep kept hold held note notes day days evening night "
        "moment moments forward back again das was ich mich mir an die der dem den aus erinnere "
        "erinnerung erinnerungen davon bleibt blieb dieser diese abend tag zeit war es"
    )
)


class Said(NamedTuple):
    """A sentence of a memory; number is that of its memory, one above all is the persona."""

    memory: int
    sentence: Sentence


class Member(NamedTuple):
    """A sentence of a family and its words."""

    said: Said
    words: set[str]


@dataclass(frozen=True, slots=True)
class Scene:
    """What the judgement of one family looks at."""

    view: View
    sources: Sources
    said: Sequence[Said]


# A memory quotes with who said it before the words; the talk itself never says so.
ATTRIBUTION = re.compile(
    r"[-*•\s]*[^\W\d_][^:：\n.!?]{0,40}\b(?:said|wrote|asked|answered|replied|told|sagte|schrieb|"
    r"fragte|antwortete)\b[^:：\n.!?]{0,20}[:：]\s*|[-*•\s]*I (?:said|wrote|asked|answered)[:：]\s*"
)
REMEMBERING = frozenset(stems("remember remembered recall memory memories erinnere erinnerung"))


def litanies(view: View) -> Iterator[Finding]:
    """Find sentences that climb from memory to memory and are not in the talk they stand on."""
    own = view.settings.get("audit", {})
    least = int(own.get("litany_least", LEAST))
    copied = {second for _, second in copies_among(view)}
    said = list(said_in(view, copied))
    families = families_of([s.sentence.text for s in said], [s.memory for s in said], least)
    if not families:
        return
    sources = sources_of(view)
    scene = Scene(view, sources, said)
    patterns = [re.compile(p, re.IGNORECASE) for p in own.get("keep", ())]
    for family in families:
        wordings = [said[member].sentence.text for member in family.members]
        if not any(pattern.search(text) for pattern in patterns for text in wordings):
            yield from judge(scene, family, least)


def said_in(view: View, left_out: set[int]) -> Iterator[Said]:
    """Give the sentences of all memories but those left out, and of the persona."""
    for number, memory in enumerate(view.memories):
        if number not in left_out:
            for sentence in sentences_of(prose(memory)):
                if not is_heading(memory.text, sentence):
                    yield Said(number, sentence)
    for sentence in sentences_of(view.persona):
        yield Said(len(view.memories), sentence)


def is_heading(text: str, sentence: Sentence) -> bool:
    """Say whether it stands over what follows: a line behind "#", or one that ends in a colon."""
    line_start = text.rfind("\n", 0, sentence.start) + 1
    return text.startswith("#", line_start) or sentence.text.rstrip("*_ ").endswith((":", "："))


def judge(scene: Scene, family: Family, least: int) -> Iterator[Finding]:
    """Give the findings of one family; none where its talk recurred or where it only says so."""
    hub = scene.said[family.hub].sentence.text
    core = stems(hub)
    if is_formal(core):
        return
    persona = len(scene.view.memories)
    members = [Member(scene.said[n], stems(scene.said[n].sentence.text)) for n in family.members]
    inherited = handed_up(scene, members)
    own = [member for place, member in enumerate(members) if place not in inherited]
    counts = Counter(word for member in own for word in member.words)
    shared = {word for word, count in counts.items() if 2 * count >= len(own)}
    told = [
        member
        for member in members
        if member.said.memory != persona and not has_news(scene, member, shared)
    ]
    from_persona = any(member.said.memory == persona for member in members)
    places = {member.said.memory for member in told} & {m.said.memory for m in own}
    is_telling = sum(scene.sources.is_rare(word) for word in shared) >= TELLING
    if len(places) + from_persona < least or not (is_telling or len(places) >= MANY):
        return
    repeats = [member.said for member in told if not recurred(scene, member)]
    if len({s.memory for s in repeats}) >= least - 1:
        name = "f-" + hashlib.sha256(" ".join(sorted(core)).encode()).hexdigest()[:8]
        first = [member.said for member in told]
        yield from tell(scene, first, repeats, name, from_persona=from_persona)


def is_formal(words: set[str]) -> bool:
    """Say whether a sentence only says that something is remembered."""
    return bool(words & REMEMBERING) and len(words & FORMAL) >= 0.7 * len(words)


def handed_up(scene: Scene, members: Sequence[Member]) -> set[int]:
    """Give the members that only hand up the same words of a memory below theirs, by place."""
    memories = scene.view.memories
    below: dict[tuple[frozenset[str], str], int] = {}  # lowest level of these words, by stretch
    leaves = []
    for member in members:
        is_persona = member.said.memory == len(memories)
        own = () if is_persona else scene.sources.leaves(memories[member.said.memory])
        leaves.append([(frozenset(member.words), leaf) for leaf in own])
        for key in leaves[-1]:
            level = memories[member.said.memory].level
            below[key] = min(level, below.get(key, level))
    return {
        place
        for place, member in enumerate(members)
        if any(below[key] < memories[member.said.memory].level for key in leaves[place])
    }


def has_news(scene: Scene, member: Member, shared: set[str]) -> bool:
    """Say whether it tells beside the family's words something that its own talk holds."""
    own = member.words - shared
    for held in stretches_under(scene, member):
        news = [word for word in own & held if scene.sources.is_rare(word, NEWS)]
        if len(news) > 1 or any(w.isdigit() or scene.sources.is_rare(w, 0.01) for w in news):
            return True
    return False


def recurred(scene: Scene, member: Member) -> bool:
    """
    Say whether a single stretch under a memory holds what the sentence says.

    Only words count that few stretches hold: who is in every talk proves nothing.
    """
    words = stems(quoted(member.said.sentence.text))
    rare = {w for w in words if is_long(w) and scene.sources.is_rare(w, COMMON)}
    least = min(HELD, len(rare))
    return any(
        words <= held
        or (len(rare & held) >= least and scene.sources.support(rare, held) >= RECURRED)
        for held in stretches_under(scene, member)
    )


def quoted(sentence: str) -> str:
    """Give a sentence without who said it ("I said: …"); the whole one where nobody is named."""
    found = ATTRIBUTION.match(sentence)
    return sentence[found.end() :] if found else sentence


def is_long(word: str) -> bool:
    """Say whether a word is more than a particle: four letters, or a pair of signs."""
    return len(word) > 3 or word >= "\u0e00"


def stretches_under(scene: Scene, member: Member) -> Iterator[Words]:
    """Give the words of each stretch under the memory that a sentence stands in."""
    memory = scene.view.memories[member.said.memory]
    return (scene.sources.words_of(leaf) for leaf in scene.sources.leaves(memory))


def tell(
    scene: Scene, told: Sequence[Said], repeats: Sequence[Said], name: str, *, from_persona: bool
) -> Iterator[Finding]:
    """Write the findings: all repeats but the first of each level; of the persona, all."""
    memories = scene.view.memories
    firsts: dict[int, int] = {}
    for s in told:
        firsts.setdefault(memories[s.memory].level, s.memory)
    levels = ", ".join(map(str, sorted(firsts)))
    where = memories[min(s.memory for s in told)].memory_id
    origin = "the persona" if from_persona else where
    times = len({s.memory for s in told})
    for s in repeats:
        memory = memories[s.memory]
        if not from_persona and firsts[memory.level] == s.memory:
            continue
        yield Finding(
            rule="litany",
            severity="warning",
            subject=memory.memory_id,
            level=memory.level,
            start=s.sentence.start,
            end=s.sentence.end,
            evidence=s.sentence.text,
            source_ids=(where,),
            action="cut",
            family=name,
            message=f"repeats what {origin} says, as {times} memories of level {levels} do; "
            f"not in the talk of its stretch",
        )


def copies(view: View) -> Iterator[Finding]:
    """Find memories that are another one word for word, or nearly; the later one copied."""
    share = float(view.settings.get("audit", {}).get("copy_share", COPY_SHARE))
    told: set[int] = set()
    for (first, second), alike in sorted(
        copies_among(view).items(), key=lambda p: (p[0][1], -p[1])
    ):
        if second in told or alike < share:
            continue
        told.add(second)
        source, copy = view.memories[first], view.memories[second]
        how = "word for word" if alike == 1 else f"to {alike:.0%}"
        shown = ", which it was shown" if source.memory_id in copy.shown_ids else ""
        yield Finding(
            rule="copy",
            severity="error",
            subject=copy.memory_id,
            level=copy.level,
            source_ids=(source.memory_id,),
            action="remint",
            message=f"copies {source.memory_id}{shown} {how}",
        )


def copies_among(view: View) -> dict[tuple[int, int], float]:
    """
    Give pairs (source, copy) by place among the memories, with their Jaccard.

    Only memories of one level, a memory and what it was shown, and a memory and its children.
    Of equal texts only the first is compared, so that a thousand copies are a thousand pairs.
    """
    own = view.settings.get("audit", {})
    texts = [prose(memory) for memory in view.memories]
    first_of: dict[tuple[int, str], int] = {}
    same: dict[tuple[int, int], float] = {}
    for number, text in enumerate(texts):
        key = (view.memories[number].level, " ".join(text.split()))
        source = first_of.setdefault(key, number)
        if source != number:
            same[source, number] = 1.0
    lone = sorted(first_of.values())
    threshold = float(own.get("copy_share", COPY_SHARE))
    exact = bool(own.get("exact", True))
    for near in near_pairs([texts[number] for number in lone], threshold, exact=exact).rows():
        one, other = lone[near.first], lone[near.second]
        if is_kin(view.memories[one], view.memories[other]) and not is_blank(texts[other]):
            same[one, other] = near.jaccard
    return {pair: alike for pair, alike in same.items() if not is_blank(texts[pair[1]])}


def is_kin(one: Memory, other: Memory) -> bool:
    """Say whether one of the two may have copied the other (they come in minting order)."""
    if one.level == other.level or one.memory_id in other.shown_ids:
        return True
    return one.memory_id in other.source_ids and len(other.source_ids) > 1


def is_blank(text: str) -> bool:
    """Say whether a text has fewer words than can be compared."""
    return len(text.split(maxsplit=5)) < 5 and len(text.strip()) < 12


RULES = (litanies, copies)
