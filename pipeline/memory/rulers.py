"""
How big talk is: the two estimators of the folding contract, and an honest token count.

The contract measures in UTF-16 units, as the host's strings do (folding §2). The *store
ruler* places head and tail and prices what stands in the window; the *chunk ruler* decides
where a chunk closes; mixing them up moves every boundary. Both are given twice: exactly, block
by block, and for a whole column of blocks at once. `Tokenizer` counts what a model would.
"""

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.memory.vocabulary import fetch, seed, shown_to_tiktoken

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    import tiktoken

Block = Mapping[str, Any]

DENSE_HEAD = 2_000  # only that many units of a text are looked at for its density
DENSE_SHARE = 0.12
DENSE_RATE, PLAIN_RATE = 2.3, 2.9
CODE_SIGNS = '{}[]":_/=`'
# One entry per UTF-16 unit: 1 where it makes text dense.
DENSE = bytes(chr(unit) in CODE_SIGNS for unit in range(127)) + b"\x01" * (65_536 - 127)

TOOL_TOKENS = 20  # a tool call costs this beyond its input
IMAGE_TOKENS = 1_600
MEDIA_TOKENS = 1_000
REDACTED_TOKENS = 600
IMAGES = {"image", "generated_image"}
MEDIA = {"document", "audio", "video"}
IMAGE_GONE = "[image dropped from live context]"  # what an image too deep in the window becomes


# -- the store ruler (folding §2.1) ---------------------------------------------------------


def store_tokens(blocks: Iterable[Block], calibration: float = 1.0) -> int:
    """Size blocks by the store ruler; each block is rounded by itself, halves up."""
    return sum(math.floor(_store_raw(block) * calibration + 0.5) for block in blocks)


def _store_raw(block: Block) -> int:
    """Estimate one block before calibration."""
    kind = block.get("type")
    if kind == "text":
        return text_tokens(block.get("text") or "")
    if kind in IMAGES or (kind == "blob_ref" and _is_image(block)):
        return _stamped(block, IMAGE_TOKENS)
    if kind in MEDIA or kind == "blob_ref":
        return MEDIA_TOKENS
    if kind == "tool_use":
        return math.ceil(units(_json(block)) / DENSE_RATE) + TOOL_TOKENS
    if kind == "tool_result":
        return _result_raw(block.get("content"))
    if kind == "thinking":
        return _stamped(block, _thinking_raw(block))
    if kind == "redacted_thinking":
        data = block.get("data")
        return _stamped(block, _half_up(units(data) / 6) if data else REDACTED_TOKENS)
    return 0


def text_tokens(text: str) -> int:
    """Size a text by the store ruler: fewer units a token where it is dense (code, CJK, emoji)."""
    wide = memoryview(_utf16(text)).cast("H")  # every system we run on is little-endian
    head = wide[:DENSE_HEAD]
    dense = sum(map(DENSE.__getitem__, head))
    rate = DENSE_RATE if head and dense / len(head) > DENSE_SHARE else PLAIN_RATE
    return math.ceil(len(wide) / rate)


def _thinking_raw(block: Block) -> int:
    size = text_tokens(block.get("thinking") or block.get("text") or "")
    signature = block.get("signature")
    return max(size, _half_up(units(signature) / 3.3)) if signature else size


def _result_raw(content: Any) -> int:
    if isinstance(content, str):
        return math.ceil(units(content) / DENSE_RATE)
    if isinstance(content, list):
        return sum(_store_raw(inner) for inner in content)
    return 0


def _stamped(block: Block, otherwise: int) -> int:
    stamp = block.get("tokenEstimate")
    return int(stamp) if stamp is not None else otherwise


def _is_image(block: Block) -> bool:
    ref = block.get("ref") or {}
    said = ref.get("originalType") or ref.get("mediaType") or block.get("media_type") or ""
    return said == "image" or said.startswith("image/")


def _json(block: Block) -> str:
    return json.dumps(block.get("input") or {}, ensure_ascii=False, separators=(",", ":"))


def _half_up(value: float) -> int:
    return math.floor(value + 0.5)


# -- the chunk ruler (folding §2.2) and the ruler of silence (§4.2) ---------------------------


def chunk_tokens(blocks: Iterable[Block]) -> int:
    """Size blocks by the chunk ruler: flat, never calibrated; images and media are free."""
    return sum(map(_chunk_raw, blocks))


def _chunk_raw(block: Block) -> int:
    kind = block.get("type")
    if kind == "text":
        return _quarter(block.get("text") or "")
    if kind == "thinking":
        return _quarter(block.get("thinking") or block.get("text") or "")
    if kind == "tool_use":
        return _quarter(_json(block)) + TOOL_TOKENS
    if kind == "tool_result" and isinstance(block.get("content"), str):
        return _quarter(block["content"])
    return 0


def silence_tokens(blocks: Iterable[Block]) -> int:
    """Size the text blocks alone, as the silence hint weighs a running chunk (§4.2)."""
    return sum(_quarter(b.get("text") or "") for b in blocks if b.get("type") == "text")


def units(text: str) -> int:
    """Count UTF-16 units: the length that the host's own strings have."""
    return len(text) if text.isascii() else len(_utf16(text)) // 2


def _utf16(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass")


def _quarter(text: str) -> int:
    return -(-units(text) // 4)


# -- whole columns at once --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sizes:
    """What each item measures, one entry an item, as int64 arrays."""

    store: "np.ndarray[Any, np.dtype[np.int64]]"
    chunk: "np.ndarray[Any, np.dtype[np.int64]]"
    silence: "np.ndarray[Any, np.dtype[np.int64]]"
    images: "np.ndarray[Any, np.dtype[np.int64]]"  # image blocks in it


def measure(blocks: "pl.Series", calibration: float = 1.0) -> Sizes:
    """
    Size a column `blocks` (lists of structs with `type`, `text`, `media_type`) by every ruler.

    Equal to the exact functions item by item; text and images go by arrays, any rarer
    block by those functions themselves.
    """
    import numpy as np
    import polars as pl

    lengths = blocks.list.len().fill_null(0).to_numpy().astype(np.int64)
    flat = blocks.explode(empty_as_null=False, keep_nulls=False)
    kinds = flat.struct.field("type")
    store = np.zeros(len(flat), np.int64)
    chunk, silence = store.copy(), store.copy()
    is_text = (kinds == "text").fill_null(value=False).to_numpy()
    texts = flat.struct.field("text").filter(pl.Series(is_text)).fill_null("")
    size, dense = _count_units(texts)
    share = dense / np.clip(size, 1, DENSE_HEAD)
    rate = np.where(share > DENSE_SHARE, DENSE_RATE, PLAIN_RATE)
    store[is_text] = np.ceil(size / rate)
    chunk[is_text] = silence[is_text] = -(-size // 4)
    is_image = kinds.is_in(list(IMAGES)).fill_null(value=False).to_numpy().copy()
    store[is_image] = IMAGE_TOKENS
    for at in np.flatnonzero(~is_text & ~is_image).tolist():
        rare = flat[at] or {}
        store[at], chunk[at] = _store_raw(rare), _chunk_raw(rare)
        is_image[at] = rare.get("type") == "blob_ref" and _is_image(rare)
    store = np.floor(store * calibration + 0.5).astype(np.int64)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    add = partial(_add_up, owner, len(lengths))
    return Sizes(add(store), add(chunk), add(silence), add(is_image))


def _add_up(owner: Any, items: int, values: Any) -> Any:
    """Sum `values` into their owners; sums stay far below the 2⁵³ that a float holds exactly."""
    import numpy as np

    return np.bincount(owner, weights=values, minlength=items).astype(np.int64)


def _count_units(texts: "pl.Series") -> tuple[Any, Any]:
    """Give, per text, its UTF-16 units and how many of its first 2,000 are dense."""
    import numpy as np

    ends = texts.str.len_bytes().cum_sum().to_numpy().astype(np.int64)
    starts = np.concatenate([np.zeros(1, np.int64), ends])[:-1] if len(ends) else ends
    told = np.flatnonzero(ends > starts)
    size, dense = np.zeros(len(texts), np.int64), np.zeros(len(texts), np.int64)
    if len(told):
        raw = np.frombuffer("".join(texts.to_list()).encode(), np.uint8)
        weight, density = _byte_tables()
        size[told] = np.add.reduceat(weight[raw], starts[told], dtype=np.int64)
        dense[told] = np.add.reduceat(density[raw], starts[told], dtype=np.int64)
    for at in np.flatnonzero(size > DENSE_HEAD).tolist():
        head = memoryview(_utf16(texts[at][:DENSE_HEAD])).cast("H")[:DENSE_HEAD]
        dense[at] = sum(map(DENSE.__getitem__, head))
    return size, dense


def _byte_tables() -> tuple[Any, Any]:
    """Give, per byte of UTF-8, the UTF-16 units that begin there and how many are dense."""
    import numpy as np

    weight = np.ones(256, np.uint8)
    weight[0x80:0xC0] = 0  # goes on with a character that began before
    weight[0xF0:] = 2  # beyond the basic plane: a pair of surrogates
    density = weight.copy()
    density[:127] = np.frombuffer(DENSE[:127], np.uint8)
    return weight, density


# -- what a model would count -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Tokenizer:
    """Counts tokens, exactly or by a labelled guess; `label` is what a report must print."""

    label: str
    is_exact: bool
    encoding: "tiktoken.Encoding | None" = None

    def count(self, text: str) -> int:
        """Count the tokens of one text."""
        if self.encoding is None:
            return guessed_tokens(text)
        return len(self.encoding.encode_ordinary(text))

    def count_each(self, texts: Iterable[str]) -> list[int]:
        """Count many texts, one by one: on chat the library's batch call is three times slower."""
        if self.encoding is None:
            return [guessed_tokens(text) for text in texts]
        encode = self.encoding.encode_ordinary
        return [len(encode(text)) for text in texts]

    def count_sample(self, texts: Sequence[str], most: int = 2_000) -> int:
        """Count all of `texts` by an even sample of at most `most`, scaled up by length."""
        step = max(1, -(-len(texts) // most))
        if step == 1:
            return sum(self.count_each(texts))
        taken = texts[::step]
        length = sum(map(len, taken))
        return round(sum(self.count_each(taken)) * sum(map(len, texts)) / max(1, length))


def tokenizer(cache: Path, name: str = "o200k_base", *, download: bool = False) -> Tokenizer:
    """
    Give the tokenizer `name` from the vocabulary in `cache`, seeding it where that can be done.

    Without a vocabulary at hand it guesses and says so in its label; only `download` lets it
    fetch one, and then NetworkError says why it could not.
    """
    path = seed(cache, name) or (fetch(cache, name) if download else None)
    if path is None:
        return Tokenizer(label=f"guess, no {name} vocabulary here", is_exact=False)
    import tiktoken

    with shown_to_tiktoken(path.parent):
        return Tokenizer(label=name, is_exact=True, encoding=tiktoken.get_encoding(name))


def guessed_tokens(text: str) -> int:
    """Guess a token count: 4.4 ASCII characters a token as in chat, other scripts one each."""
    plain = len(text.encode("ascii", "ignore"))
    return math.ceil(plain / 4.4 + (len(text) - plain))
