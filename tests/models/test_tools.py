"""Tools over both protocols: what is offered, wished for, brought back."""

import json
import time

import pytest

from pipeline.models import anthropic, openai
from pipeline.models.seam import Message, Request, Tool, ToolCall
from pipeline.testing.modeldouble import KEY, MODEL, ModelDouble, Wish

LOOK = Tool("look", "Look something up.", {"type": "object", "properties": {}})
ENV = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}


def wish_once(asked):
    """Wish for a tool until one has brought something."""
    return "It was blue." if "blue" in asked.prompt else Wish("look", {"query": "the door"})


def client(double, protocol):
    """Connect to the double over one of the protocols."""
    if protocol == "openai":
        return openai.connect(MODEL, ENV, time.monotonic, double.openai_url)
    return anthropic.connect(MODEL, ENV, time.monotonic, double.anthropic_url)


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_wish_comes_as_a_call_and_its_result_goes_back_with_it(protocol):
    """The call keeps its id and arguments; the second request shows wish and result."""
    with ModelDouble(text=wish_once) as double:
        model = client(double, protocol)
        said = (Message("user", "Which colour had the door?"),)
        first = model.answer(Request(MODEL, "be brief", said, 100, tools=(LOOK,)))
        assert (first.stop, first.text) == ("tool", "")
        (call,) = first.calls
        assert (call.name, dict(call.arguments)) == ("look", {"query": "the door"})
        said += (Message("assistant", "", calls=first.calls),)
        said += (Message("user", "a blue door", answers_call=call.call_id),)
        second = model.answer(Request(MODEL, "be brief", said, 100, tools=(LOOK,)))
        assert (second.stop, second.text, second.calls) == ("end", "It was blue.", ())
    sent = json.dumps(double.asked[1].body)
    assert sent.count(call.call_id) == 2
    assert "Look something up." in sent


def test_openai_results_are_messages_of_their_own():
    """A tool's result is never glued to what a user said beside it."""
    said = (
        Message("assistant", "", calls=(ToolCall("c1", "look", {}), ToolCall("c2", "look", {}))),
        Message("user", "one", answers_call="c1"),
        Message("user", "two", answers_call="c2"),
        Message("user", "and?"),
    )
    laid = openai.lay_out(Request(MODEL, "", said, 100))
    assert [(m["role"], m["content"]) for m in laid] == [
        ("assistant", None), ("tool", "one"), ("tool", "two"), ("user", "and?"),
    ]  # fmt: skip


def test_tools_change_the_digest_and_plain_requests_keep_theirs():
    """A request without tools is named as before: paid answers are found again."""
    plain = Request("m", "s", (Message("user", "hi"),), 10)
    named = plain.digest
    assert Request("m", "s", (Message("user", "hi", breakpoint=True),), 10).digest == named
    assert Request("m", "s", (Message("user", "hi"),), 10, tools=(LOOK,)).digest != named
    assert Request("m", "s", (Message("user", "hi", answers_call="c"),), 10).digest != named
