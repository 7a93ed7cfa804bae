"""What a model said goes into the record of calls and comes back as it was."""

from datetime import UTC, datetime

import pytest

from pipeline.memory.calls import answered, recall
from pipeline.memory.records import Call
from pipeline.models.seam import Answer, ToolCall, Usage

CALL = Call("d", "probe", "", 0, "m", datetime(2026, 1, 1, tzinfo=UTC), "accepted")
SAID = Answer("m", "It was blue.", usage=Usage(10, 4, 2, 3, 1), latency_ms=7, attempts=2)
WISH = Answer("m", "", "tool", calls=(ToolCall("c1", "look", {"query": "門"}),))
BRACES = Answer("m", '{"not": "ours"}', "tool")


@pytest.mark.parametrize("answer", [SAID, WISH, BRACES], ids=["text", "tools", "braces"])
def test_an_answer_comes_back_as_it_was(answer):
    """Text, stop, usage and the tools that were wished for."""
    assert recall(answered(CALL, answer, 0.5, "EUR")) == answer


def test_an_unknown_price_has_no_currency():
    """A sum without a price list stays null."""
    assert answered(CALL, SAID, None, "EUR").currency is None
    assert answered(CALL, SAID, 0.0, "EUR").currency == "EUR"
