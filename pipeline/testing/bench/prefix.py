"""
What a server's prefix cache saves of a warmup: a real run's requests, at blocks of 1,024 tokens.

The whole stage runs against the model double, which keeps every request and counts what of it
stood in an earlier one. The peer is what nobody can save: each chunk once, each memory once as a
recall pair, each merge's target once, and the task lines (performance.md, part 8).
"""

import json
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.memory.prompts import MARKER
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.requests import PAIR_TOKENS
from pipeline.registry import STAGES
from pipeline.runner import Wish, open_house, run
from pipeline.testing.bench import Row
from pipeline.testing.modeldouble import KEY, MODEL, Asked, ModelDouble
from pipeline.testing.prefixcache import tokens_in
from pipeline.workspace import Workspace

SHARED = Path(os.environ.get("BACKFOLD_SHARED", Path(__file__).resolve().parents[4] / "shared"))
BAR = 1.2
SENTENCES = 30  # a memory of about 350 tokens


def rows() -> Iterator[Row]:
    """Give uncached tokens against what is new; only where the real history is at hand."""
    corpus = SHARED / "data/ubuntu-irc"
    if corpus.is_dir():
        yield replay(corpus, 3_000, BAR)
        yield replay(corpus, 700, None)  # blocks of 1,024 tokens are coarse beside such chunks


def replay(corpus: Path, target: int, bar: float | None) -> Row:
    """Warm a corpus up and hold what was not cached against what was new."""
    with tempfile.TemporaryDirectory(prefix="backfold-bench-") as scratch:
        root = Path(scratch) / "ubottu"
        with ModelDouble(text=long_memory) as double:
            warm_up(root, corpus, double.openai_url, target)
            asked = double.asked
        with Pyramid(root / "pyramid.sqlite", read_only=True) as pyramid:
            memories = pyramid.memories()
    uncached = sum(one.tokens - one.cached for one in asked)
    new = sum(behind_marker(one) for one in asked)
    pairs = sum(tokens_in(len(memory.text)) + PAIR_TOKENS for memory in memories)
    ratio = uncached / (new + pairs)
    share = 1 - uncached / sum(one.tokens for one in asked)
    said = f"{len(asked):,} requests, {share:.1%} of their tokens from the cache"
    name = f"warmup, chunks of {target:,}: uncached against what is new"
    return Row(
        name, uncached, new + pairs, "tokens", ratio,
        f"≤ {bar} ×" if bar else "", ratio <= bar if bar else None, said,
    )  # fmt: skip


def long_memory(asked: Asked) -> str:
    """Answer with sentences that depend on the prompt alone, as long as memories are."""
    digest = asked.digest
    return " ".join(
        f"I remember {digest[n % 60 : n % 60 + 4]} {n} times." for n in range(SENTENCES)
    )


def behind_marker(asked: Asked) -> int:
    """Count the tokens of the stretch and the task line: all behind the last marker."""
    return tokens_in(len(asked.prompt.rpartition(MARKER)[2]))


def warm_up(root: Path, corpus: Path, url: str, target: int) -> None:
    """Bring the corpus through every stage up to warmup, which asks the server at `url`."""
    root.mkdir()
    (root / "agent.toml").write_text(config_for(corpus, url, target))
    upto = STAGES[: STAGES.index("warmup") + 1]
    for names in (upto[:-1], upto[-1:]):
        house = open_house(Workspace(root))
        house.env = {"OPENAI_API_KEY": KEY}
        house.out = house.err = lambda _: None
        run(house, Wish(stages=names, only=True))


def config_for(corpus: Path, url: str, target: int) -> str:
    """Write agent.toml for a corpus: who is the agent stands in its guild.json."""
    own = json.loads((corpus / "guild.json").read_bytes())["self"]
    users: Sequence[str] = [own["id"]] if isinstance(own, dict) else [str(own)]
    return (
        f'[agent]\nname = "ubottu"\nsource = "files"\nfiles = [{json.dumps(str(corpus))}]\n'
        f"[self]\nusers = {json.dumps(users)}\n[segment]\ntarget_chunk_tokens = {target}\n"
        f'[warmup]\nmodel = "{MODEL}"\nbase_url = "{url}"\nmax_calls = 100_000\n'
    )
