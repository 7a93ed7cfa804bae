"""
The host's recipe, as far as it decides what we fold: name, numbers, routing, zone, prompt.

Strict JSON without BOM, as the host reads it (host recipe §1). `${NAME}` is left as it
stands: values that hold it are not ours to fill in.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.errors import UsageError

# Where a number of the recipe's strategy stands in agent.toml (host recipe §4.2).
STRATEGY_KNOBS = {
    "headWindowTokens": "segment.head_tokens",
    "recentWindowTokens": "segment.tail_tokens",
    "targetChunkTokens": "segment.target_chunk_tokens",
    "segmentGapMinutes": "segment.gap_minutes",
    "segmentMinTokens": "segment.gap_min_tokens",
    "mergeThreshold": "warmup.fan_in",
    "mergeMaxSourceSpanMessages": "warmup.merge_max_source_span_messages",
    "summaryTargetTokens": "warmup.summary_target_tokens",
    "maxSpeculativeL1s": "warmup.max_speculative_l1s",
    "l1HoldbackChunks": "warmup.holdback",
    "minChunkCharsForLLM": "warmup.thin_chars",
    "compressionRecallBudgetTokens": "warmup.recall_budget_tokens",
}


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a recipe says: `values` maps `section.knob` to (value, where it stands)."""

    path: Path
    name: str | None
    prompt: str | None
    values: dict[str, tuple[Any, str]]


def read_recipe(path: Path) -> Recipe:
    """Read a host's recipe, or say in a line why it cannot be one."""
    try:
        data = json.loads(path.read_bytes().decode("utf-8"), parse_constant=_refuse_constant)
    except FileNotFoundError as error:
        raise UsageError(f"recipe {path} is not there") from error
    except (UnicodeDecodeError, ValueError) as error:
        raise UsageError(f"recipe {path}: {error}; it must be strict JSON without BOM") from error
    agent = data.get("agent") if isinstance(data, dict) else None
    if not isinstance(agent, dict):
        raise UsageError(f'recipe {path}: no "agent" object; is this a host\'s recipe?')
    values: dict[str, tuple[Any, str]] = {}
    for key, place in (("name", "agent.name"), ("timezone", "agent.timezone")):
        if _is_plain(agent.get(key)):
            values[place] = (agent[key], f"agent.{key}")
    if _is_plain(agent.get("proseRouting")):
        values["curate.routing"] = (agent["proseRouting"], "agent.proseRouting")
    said = agent.get("strategy")
    strategy: dict[str, Any] = said if isinstance(said, dict) else {}
    for key, place in STRATEGY_KNOBS.items():
        if key in strategy:
            value = strategy[key]
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise UsageError(
                    f"recipe {path}: agent.strategy.{key} is {value!r}; it should be a whole number"
                )
            values[place] = (value, f"agent.strategy.{key}")
    prompt = agent.get("systemPrompt")
    return Recipe(
        path=path,
        name=agent.get("name") if _is_plain(agent.get("name")) else None,
        prompt=prompt if isinstance(prompt, str) and prompt.strip() else None,
        values=values,
    )


def _is_plain(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and "${" not in value


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON")
