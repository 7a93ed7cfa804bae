"""
Tell whether what a memory says is in the talk of its stretch, word by word.

Words count by their first letters, so that endings do not matter, and by how rare they are among
the stretches: who shares "lantern" with a stretch shares more than who shares "and".
"""

import re
from collections import Counter
from collections.abc import Collection
from functools import lru_cache
from math import log

from pipeline.memory.findings import View
from pipeline.memory.records import Memory

LETTERS = 5  # of a word; "lanterns" and "lantern" are one
UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
WORD = re.compile(rf"[{UNSPACED}]+|[^\W_{UNSPACED}]+")
IS_UNSPACED = re.compile(rf"[{UNSPACED}]")
Words = frozenset[str]
UNSEEN = 2.0  # weight of a word that no stretch holds


def stems(text: str) -> set[str]:
    """Give the words of a text in lower case, cut to five letters; unspaced scripts by pairs."""
    found: set[str] = set()
    for word in WORD.findall(text.lower()):
        if word[0] >= "\u0e00" and IS_UNSPACED.match(word):
            found.update(word[at : at + 2] for at in range(max(1, len(word) - 1)))
        else:
            found.add(word[:LETTERS])
    return found


class Sources:
    """The stretches under each memory, and how rare a word is among them."""

    def __init__(self, view: View) -> None:
        self._by_id = view.by_id()
        self._texts = {
            chunk.chunk_id: tuple(item.text for item in chunk.items) for chunk in view.chunks
        }
        known = view.items_by_id()
        for memory in view.memories:
            if memory.level == 1 and memory.chunk_id not in self._texts:
                found = [known[i].text for i in memory.source_ids if i in known]
                self._texts[memory.chunk_id or memory.memory_id] = tuple(found)
        self._words = {key: frozenset(stems("\n".join(t))) for key, t in self._texts.items()}
        self._seen_in = Counter(word for words in self._words.values() for word in words)
        self._leaves: dict[str, tuple[str, ...]] = {}

    def leaves(self, memory: Memory) -> tuple[str, ...]:
        """Give the chunks under a memory; a broken chain has those that can be reached."""
        done = self._leaves.get(memory.memory_id)
        if done is not None:
            return done
        self._leaves[memory.memory_id] = ()  # a circle ends here
        if memory.level == 1:
            own = memory.chunk_id if memory.chunk_id in self._texts else memory.memory_id
            found = [own] if own in self._texts else []
        else:
            children = (self._by_id.get(child) for child in memory.source_ids)
            found = [leaf for child in children if child for leaf in self.leaves(child)]
        self._leaves[memory.memory_id] = tuple(dict.fromkeys(found))
        return self._leaves[memory.memory_id]

    def texts(self, memory: Memory) -> list[str]:
        """Give the texts of the items under a memory."""
        return [text for leaf in self.leaves(memory) for text in self._texts[leaf]]

    def weight(self, word: str) -> float:
        """
        Say how much a word tells: nearly 0 where it stands in every stretch.

        A word of no stretch at all is mostly another form of one, and weighs little.
        """
        seen = self._seen_in[word]
        return log((len(self._words) + 1) / (seen + 1)) + 0.1 if seen else UNSEEN

    def is_rare(self, word: str, share: float = 0.15) -> bool:
        """Say whether a word stands in at most this share of the stretches (and in at most one)."""
        return self._seen_in[word] <= max(1, share * len(self._words))

    def words_of(self, stretch: str) -> Words:
        """Give the words of one stretch."""
        return self._words[stretch]

    def support(self, words: Collection[str], held: Words) -> float:
        """Give the share of what the words tell that is held too (0 to 1)."""
        weights = {word: self.weight(word) for word in words}
        whole = sum(weights.values())
        return sum(w for word, w in weights.items() if word in held) / whole if whole else 0.0


@lru_cache(maxsize=1)
def sources_of(view: View) -> Sources:
    """Give the sources of a view, made once for all rules that look at it."""
    return Sources(view)
