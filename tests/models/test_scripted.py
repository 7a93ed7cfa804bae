"""The scripted model does as it is told, failures included."""

import pytest

from pipeline.models.failures import BadRequestError, ServerDownError
from pipeline.models.scripted import Scripted, recite
from tests.models.asking import ask, told


def test_a_list_is_told_line_by_line_and_then_refuses():
    """Texts, whole answers and failures, one a request; a call too many is a fault of the test."""
    model = Scripted(["one", told("two", stop="length"), ServerDownError("down")])
    assert model.answer(ask()).text == "one"
    assert model.answer(ask()).stop == "length"
    with pytest.raises(ServerDownError):
        model.answer(ask())
    with pytest.raises(BadRequestError, match="3 lines"):
        model.answer(ask())
    assert len(model.asked) == 4


def test_a_function_sees_the_request():
    """So that a test can answer by content."""
    model = Scripted(lambda request: request.messages[-1].text.upper())
    assert model.answer(ask("hello")).text == "HELLO"


def test_an_answer_is_filed_under_the_name_that_was_asked_for():
    """Whatever the script's answer calls itself."""
    assert Scripted([told()]).answer(ask(model="asked")).model == "asked"


def test_recited_text_depends_on_the_request_alone():
    """Equal requests get equal texts, others do not: a resumed run can be compared."""
    assert recite(ask()) == recite(ask())
    assert recite(ask()) != recite(ask("something else"))
    assert recite(ask()).endswith(".")
