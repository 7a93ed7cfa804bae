"""
Which numbers count for the next context: those of the host's recipe and of this fold.

Whoever asks for the window (a command, a report, a page) asks here, so that all see the same one.
"""

import json
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.errors import UsageError

if TYPE_CHECKING:
    from pipeline.config import Agent
    from pipeline.memory.layout import Rules
    from pipeline.memory.window import Budget

# What a recipe's strategy may say of the window, by our names; ratios are no whole numbers.
RULES = {"mergeThreshold": "fan_in", "maxMessageTokens": "max_message_tokens"}
RATIOS = {"compressionSlackRatio": "slack_ratio", "overBudgetGraceRatio": "grace_ratio"}


def _host(agent: "Agent") -> dict[str, Any]:
    """Give the recipe's `agent` object; empty without a recipe (opening the agent checked it)."""
    if not agent.facts.recipe:
        return {}
    path = agent.root / Path(agent.facts.recipe).expanduser()
    host: dict[str, Any] = json.loads(path.read_bytes())["agent"]
    return host


def recipe_numbers(agent: "Agent") -> dict[str, Any]:
    """
    Give what the host's recipe says of the window, by the recipe's own names.

    Raises UsageError where a number is none.
    """
    host = _host(agent)
    strategy = host.get("strategy")
    said: dict[str, Any] = {
        key: host[key] for key in ("maxTokens", "contextBudgetTokens") if key in host
    }
    if isinstance(strategy, dict):
        said |= {key: strategy[key] for key in (*RULES, *RATIOS) if key in strategy}
    for key, value in said.items():
        kinds, kind = ((int, float), "number") if key in RATIOS else ((int,), "whole number")
        if isinstance(value, bool) or not isinstance(value, kinds) or value < 0:
            raise UsageError(
                f"recipe {agent.facts.recipe}: {key} is {value!r}; it should be a {kind}"
            )
    return said


def model_of_recipe(agent: "Agent") -> str | None:
    """Give the model that the host's recipe names for the agent; null where it names none."""
    said = _host(agent).get("model")
    return said if isinstance(said, str) and said.strip() and "${" not in said else None


def budget_from(
    said: Mapping[str, Any], budget: int | None = None, reserve: int | None = None
) -> "Budget":
    """Give the budget that counts (folding §8.1); one that is set reserves the longest answer."""
    from pipeline.memory.window import (
        HOST_ANSWER_TOKENS,
        HOST_BUDGET_TOKENS,
        HOST_RESERVE_TOKENS,
        Budget,
    )

    tokens = budget or said.get("contextBudgetTokens")
    kept = HOST_RESERVE_TOKENS if tokens is None else said.get("maxTokens", HOST_ANSWER_TOKENS)
    return Budget(
        max_tokens=HOST_BUDGET_TOKENS if tokens is None else tokens,
        reserve_tokens=kept if reserve is None else reserve,
        **{ours: said[theirs] for theirs, ours in RATIOS.items() if theirs in said},
    )


def once_set(limit: "Budget", said: Mapping[str, Any], reserve: int | None = None) -> "Budget":
    """Give the budget with what is kept for the answer once somebody sets one."""
    from pipeline.memory.window import HOST_ANSWER_TOKENS

    kept = said.get("maxTokens", HOST_ANSWER_TOKENS) if reserve is None else reserve
    return replace(limit, max_tokens=max(limit.max_tokens, kept + 1), reserve_tokens=kept)


def rules_from(agent: "Agent", said: Mapping[str, Any]) -> "Rules":
    """Give the numbers of head, tail and prices: those of the fold and of the recipe."""
    from pipeline.memory.folding import Cut
    from pipeline.memory.layout import Rules

    cut = agent.stages.get("segment", {})
    own = agent.stages.get("warmup", {})
    numbers = {"fan_in": own["fan_in"]} if "fan_in" in own else {}
    numbers |= {ours: said[theirs] for theirs, ours in RULES.items() if theirs in said}
    return Rules(cut=Cut(**{f.name: cut[f.name] for f in fields(Cut) if f.name in cut}), **numbers)
