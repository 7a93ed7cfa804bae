"""Invented histories for the fold: sizes and times, no words."""

from pipeline.memory.history import History

MINUTE = 60_000


def make_history(tokens, *, minutes=None, private=(), calls=(), results=(), images=None, topics=()):
    """Give a history of items m0, m1, … of these sizes by every ruler, a minute apart."""
    count = len(tokens)
    return History(
        item_ids=[f"m{at}" for at in range(count)],
        sent_at_ms=[at * MINUTE for at in (minutes or range(count))],
        store_tokens=list(tokens),
        chunk_tokens=list(tokens),
        silence_tokens=list(tokens),
        is_private=[at in private for at in range(count)],
        images=list(images or [0] * count),
        tool_calls=frozenset(calls),
        tool_results=frozenset(results),
        topics=frozenset(topics),
    )
