"""
Both clients against a real model server on this machine.

Opt-in (`make e2e`, which sets BACKFOLD_E2E): the packages are pinned apart and weigh 130 MB.
"""

import os
import time

import pytest

from pipeline.models import anthropic, openai
from pipeline.models.failures import ContextTooLongError
from pipeline.models.seam import Message, Request
from pipeline.testing.localmodel import local_model

pytestmark = pytest.mark.skipif(
    not os.environ.get("BACKFOLD_E2E"), reason="opt-in: BACKFOLD_E2E is not set (make e2e)"
)
LONG = "We spoke of the lamp, the boat and the kiln, and Mara wrote it all down. " * 12


@pytest.fixture(scope="module")
def served():
    with local_model() as local:
        yield local


@pytest.fixture(params=["openai", "anthropic"])
def client(served, request):
    module = {"openai": openai, "anthropic": anthropic}[request.param]
    url = {"openai": served.openai_url, "anthropic": served.anthropic_url}[request.param]
    opened = module.connect(served.name, {}, time.monotonic, url)
    yield opened
    opened.close()


def ask(client, *texts, max_tokens=60):
    messages = tuple(Message("user", text) for text in texts)
    return client.answer(Request(client.name, "You are Tilly.", messages, max_tokens, 0.0))


def test_it_answers_under_the_name_that_was_asked_for(client):
    """The server calls itself by the path of a file on this disk; that is never kept."""
    answer = ask(client, "Say in one sentence what a lighthouse is.")
    assert answer.model == client.name
    assert answer.stop == "end"
    assert answer.text
    assert answer.usage.input > 0
    assert answer.usage.output > 0


def test_a_shared_prefix_is_cached(client):
    """The second request repeats all but its last words."""
    ask(client, LONG + "First, say hello.", max_tokens=4)
    second = ask(client, LONG + "Now say goodbye.", max_tokens=4)
    assert second.usage.cached > second.usage.input / 2


def test_a_limit_cuts_and_says_so(client):
    """So that half a memory is never taken for a whole one."""
    answer = ask(client, "Tell a long story about a lighthouse keeper and his cat.", max_tokens=8)
    assert answer.stop == "length"


def test_a_prompt_beyond_the_window_says_so(client):
    """The server's own 400 becomes our own line."""
    with pytest.raises(ContextTooLongError, match="does not fit"):
        ask(client, LONG * 60)
