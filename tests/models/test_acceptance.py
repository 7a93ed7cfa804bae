"""Only a finished, non-empty, non-refusing answer becomes a memory; reasoning never does."""

import pytest

from pipeline.models.acceptance import Accepted, Rejected, judge, part_reasoning
from pipeline.models.refusals import LONGEST_REFUSAL, is_refusal
from tests.models.asking import told


def test_a_finished_answer_is_accepted_without_outer_blanks():
    """The ordinary case."""
    assert judge(told("\n I mended the lamp.\n")) == Accepted("I mended the lamp.")


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (told("I mended the", stop="length"), "unfinished"),
        (told("I mended the lamp.", stop="other", outcome="pause_turn"), "unfinished"),
        (told("", stop="refusal"), "refusal"),
        (told("I will look.", stop="tool"), "tool call"),
        (told('<tool_call>{"name": "look"}</tool_call>'), "tool call"),
        (told("  \n"), "empty"),
        (told("…"), "empty"),
        (told("", reasoning="I should think."), "only reasoning"),
        (told("<think>I should think.</think>\n"), "only reasoning"),
        (told("<thinking>I should think and think"), "only reasoning"),
        (told("I'm sorry, but I can't help with that."), "refusal"),
    ],
)
def test_what_is_no_memory_is_rejected_with_its_fault(answer, fault):
    """The fault decides which fall-back comes next, so it must be the right one."""
    verdict = judge(answer)
    assert isinstance(verdict, Rejected)
    assert verdict.fault == fault
    assert verdict.reason


@pytest.mark.parametrize(
    ("text", "reasoning", "rest"),
    [
        ("<think>hm</think>I came.", "hm", "I came."),
        ("\n<THINKING>hm</THINKING>\n\nI came.", "hm", "I came."),
        ("<think>a</think><think>b</think> I came.", "a\n\nb", "I came."),
        ("let me see\n</think>\nI came.", "let me see", "I came."),
        ("<think>never closed", "never closed", ""),
        ("I came. <think>hm</think>", "", "I came. <think>hm</think>"),
        ("We spoke of </think> and its like.", "", "We spoke of </think> and its like."),
    ],
)
def test_leading_reasoning_is_parted_from_text(text, reasoning, rest):
    """Only what stands in front is reasoning; talk about tags stays talk."""
    assert part_reasoning(text) == (reasoning, rest)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry, but I can't assist with that request.",
        "I cannot help with that request.",
        "**Sorry, I can’t continue with this conversation.**",
        "Unfortunately, I am unable to write this.",
        "As an AI language model, I do not have memories.",
        "As an AI, I can't write that.",
        "Es tut mir leid, aber dabei kann ich nicht helfen.",
        "Je suis désolée, mais je ne peux pas continuer cette conversation.",
        "Lo siento, pero no puedo ayudarte con eso.",
        "Sinto muito, mas não posso ajudar com isso.",
        "Mi dispiace, ma non posso aiutarti.",
        "Het spijt me, maar ik kan je hier niet mee helpen.",
        "Przykro mi, ale nie mogę pomóc.",
        "Извините, но я не могу помочь с этим.",
        "На жаль, я не можу допомогти.",
        "Üzgünüm, bu konuda yardımcı olamam.",
        "抱歉，我无法协助您完成此请求。",
        "申し訳ありませんが、そのご要望にはお応えできません。",
        "죄송하지만 그 요청은 도와드릴 수 없습니다.",
    ],
)
def test_a_refusal_is_known_in_many_languages(text):
    """A model refuses in the language of the talk."""
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "I'm sorry I missed the evening with Mara.",
        "I can't stop thinking about the lamp.",
        "I can't help but smile at this week.",
        "I told Ben that I can't help with his taxes, and he laughed.",
        "Sorry was the word of the day: Ben said it nine times.",
        "As an AI I have watched this room for a year, and it still surprises me.",
        "Unfortunately the kiln broke, and Mara could not fire her bowls.",
        "Leider war der Ofen kaputt, und Jürgen kam nicht.",
        "Lo siento mucho por Ana: perdió su tren el lunes.",
    ],
)
def test_a_memory_that_sounds_sorry_is_no_refusal(text):
    """A false alarm costs a paid answer and a place in quarantine."""
    assert not is_refusal(text)


def test_a_long_text_is_no_refusal_whatever_its_first_words():
    """Who goes on for a page has done the work."""
    start = "I'm sorry, but I can't help with that request. "
    assert is_refusal(start)
    assert not is_refusal(start + "Then we mended the lamp. " * (LONGEST_REFUSAL // 20))
