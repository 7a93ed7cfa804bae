"""
What a server's prefix cache would have saved: the longest prefix seen before, in whole blocks.

Tokens are counted as four characters each. Nothing expires (performance.md, part 8).
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

CHARACTERS_PER_TOKEN = 4
BLOCK_TOKENS = 1024


@dataclass
class PrefixCache:
    """A cache that works by itself: any prefix of whole blocks that it saw is a hit."""

    block_tokens: int = BLOCK_TOKENS
    seen: set[bytes] = field(default_factory=set)

    def read(self, text: str) -> int:
        """Give the tokens of `text` that are cached, then remember all its whole blocks."""
        hits = 0
        marks = list(self._marks(text))
        for number, mark in enumerate(marks, start=1):
            if mark not in self.seen:
                break
            hits = number
        self.seen.update(marks)
        return hits * self.block_tokens

    def _marks(self, text: str) -> Iterable[bytes]:
        """Name each prefix of whole blocks by the hash of all that it holds."""
        width = self.block_tokens * CHARACTERS_PER_TOKEN
        running = hashlib.blake2b(digest_size=16)
        for start in range(0, len(text) - width + 1, width):
            running.update(text[start : start + width].encode(errors="replace"))
            yield running.digest()


@dataclass
class MarkedCache:
    """
    A cache that keeps only what the caller marks, and looks back twenty blocks from each mark.

    A prefix shorter than `block_tokens` is never kept.
    """

    block_tokens: int = BLOCK_TOKENS
    look_back: int = 20
    seen: set[bytes] = field(default_factory=set)

    def read(self, pieces: Sequence[tuple[str, bool]]) -> tuple[int, int]:
        """Give (tokens read from the cache, tokens written to it) for pieces of (text, marked)."""
        prefixes = self._prefixes([text for text, _ in pieces])
        marked = [index for index, (_, is_marked) in enumerate(pieces) if is_marked]
        near = {
            index for mark in marked for index in range(max(mark - self.look_back, 0), mark + 1)
        }
        found = [prefixes[i][1] for i in near if prefixes[i][0] in self.seen]
        kept = [prefixes[i] for i in marked if prefixes[i][1] >= self.block_tokens]
        self.seen.update(name for name, _ in kept)
        cached = max(found, default=0)
        return cached, max(max((tokens for _, tokens in kept), default=0) - cached, 0)

    def _prefixes(self, texts: Sequence[str]) -> list[tuple[bytes, int]]:
        running = hashlib.blake2b(digest_size=16)
        characters = 0
        prefixes = []
        for text in texts:
            running.update(text.encode(errors="replace") + b"\0")
            characters += len(text)
            prefixes.append((running.digest(), tokens_in(characters)))
        return prefixes


def tokens_in(characters: int) -> int:
    """Count four characters as a token, rounded up."""
    return -(-characters // CHARACTERS_PER_TOKEN)
