"""Read parts of a reply that may be missing or of the wrong kind; mend text before it is sent."""

from collections.abc import Mapping
from typing import Any

# The names under which a block of each kind carries its text.
BLOCK_TEXT = {"text": ("text",), "thinking": ("thinking", "text")}
BLOCK_KINDS = {"text": {"text", "output_text"}, "thinking": {"thinking", "reasoning"}}


def mapping(value: object) -> Mapping[str, Any]:
    """Give the value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def listing(value: object) -> list[Any]:
    """Give the value if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def count(value: object) -> int | None:
    """Give the value if it is a whole number of tokens, else null."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return value


def text_of(content: object, kind: str) -> str:
    """
    Collect the text of one kind (`text` or `thinking`) from a string or a list of blocks.

    A bare string is of kind `text`; blocks without a type are too.
    """
    if isinstance(content, str):
        return content if kind == "text" else ""
    pieces = []
    for block in listing(content):
        if isinstance(block, str) and kind == "text":
            pieces.append(block)
        elif isinstance(block, dict) and block.get("type", "text") in BLOCK_KINDS[kind]:
            pieces.append(block_text(block, kind))
    return "".join(pieces)


def block_text(block: Mapping[str, Any], kind: str) -> str:
    """Give the text of one block; a thinking block may hold a list of text blocks."""
    for name in BLOCK_TEXT[kind]:
        if isinstance(block.get(name), str):
            return str(block[name])
        if isinstance(block.get(name), list):
            return text_of(block[name], "text")
    return ""


def without_surrogates(text: str) -> str:
    """Replace half characters, which no server can be sent, by U+FFFD."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
