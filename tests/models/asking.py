"""Builders for tests of models: requests, answers, a clock that only moves when somebody sleeps."""

from pipeline.models.seam import Answer, Message, Request


def ask(text="Tell me what happened.", *before, system="You are Tilly.", **changes):
    """Build a request whose last message is `text`; `before` are (role, text) pairs."""
    messages = (*(Message(role, said) for role, said in before), Message("user", text))
    known = {"model": "double", "system": system, "messages": messages, "max_tokens": 100}
    return Request(**{**known, **changes})


def told(text="I mended the lamp.", **changes):
    """Build an answer."""
    return Answer("double", text, **changes)


class Clock:
    """Time that stands still until somebody sleeps; `slept` keeps every sleep."""

    def __init__(self):
        self.now = 0.0
        self.slept = []

    def __call__(self):
        return self.now

    def sleep(self, seconds):
        self.slept.append(round(seconds, 3))
        self.now += seconds
