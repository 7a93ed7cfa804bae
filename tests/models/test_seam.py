"""A request is named by its content, and by nothing else."""

from datetime import UTC, datetime

import pytest

from pipeline.models.material import Material, Spoken, talk_of
from pipeline.models.scripted import Scripted
from pipeline.models.seam import Message, for_model
from tests.models.asking import ask

TALK = Material((Spoken("mara", "hello", datetime(2026, 3, 1, tzinfo=UTC), "#yard"),))


def test_equal_requests_have_equal_digests():
    """Two requests built apart are one question."""
    assert ask().digest == ask().digest


@pytest.mark.parametrize(
    "other",
    [
        ask("Tell me what happened!"),
        ask(model="other"),
        ask(system="You are Cog."),
        ask(max_tokens=101),
        ask(temperature=0.0),
        ask(extra={"take": "2"}),
        ask("Tell me what happened.", ("user", "")),
        ask(material=TALK),
    ],
    ids=["text", "model", "system", "limit", "temperature", "extra", "message", "material"],
)
def test_whatever_changes_the_answer_changes_the_digest(other):
    """Each part of a request is in its name."""
    assert other.digest != ask().digest


def test_a_role_is_part_of_the_digest():
    """The same words said by the other side are another question."""
    assert ask("x", ("user", "a")).digest != ask("x", ("assistant", "a")).digest


def test_a_breakpoint_is_not_part_of_the_digest():
    """Where a cache is marked steers money, not the answer; an old answer still counts."""
    marked = ask(messages=(Message("user", "Tell me what happened.", breakpoint=True),))
    assert marked.digest == ask().digest


def test_half_characters_have_a_digest():
    """A lone surrogate in old text must not stop a run."""
    assert len(ask("cut \ud83d here").digest) == 64


def test_only_a_model_that_quotes_gets_material():
    """What a paid request's name stands for is what is sent and paid."""
    request = ask(material=TALK)
    assert for_model(Scripted([]), request).digest == ask(model="scripted").digest
    assert for_model(Scripted([], reads_material=True), request).material is TALK


def row(kind="message", body="hello", **changes):
    known = {
        "kind": kind,
        "body": body,
        "author_name": "mara",
        "sent_at": datetime(2026, 3, 1, 23, 30, tzinfo=UTC),
        "channel_id": "1",
        "is_self": False,
        "is_private": False,
    }
    return {**known, **changes}


def test_talk_is_gathered_without_notices_and_blanks():
    """Receipts and empty items say nothing that a memory could quote."""
    rows = [row(), row("receipt", "[delivered] …"), row(body="  "), row(author_name=None)]
    talk = talk_of(rows, {"1": "#yard"}, UTC)
    assert [(s.author, s.text, s.room) for s in talk.spoken] == [
        ("mara", "hello", "#yard"),
        ("someone", "hello", "#yard"),
    ]
