"""A model that answers from a script: for tests, and wherever plumbing is shown without a model."""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from pipeline.models.failures import BadRequestError
from pipeline.models.seam import Answer, Request, Usage

Line = str | Answer | BaseException
Script = Callable[[Request], Line] | Iterable[Line]

# Words of which `recite` builds sentences; none is a name, a number or a refusal.
_WHO = ("I", "We", "A friend and I", "Someone quiet and I", "The whole room and I", "Two of us")
_DID = ("talked about", "laughed over", "mended", "looked for", "planned", "wrote down")
_WHAT = ("the lamp", "a long letter", "the small boat", "an old song", "the garden gate", "soup")
_WHERE = ("by the window", "in the workshop", "until late", "before the rain", "at the table")


@dataclass
class Scripted:
    """
    Answer by a function of the request or by a list of lines, one a request.

    A line is a text, a whole `Answer`, or an exception, which is raised. `asked` keeps every
    request. Safe to call from several threads.
    """

    script: Script
    name: str = "scripted"
    reads_material: bool = False
    asked: list[Request] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._lock = threading.Lock()
        self._lines = None if callable(self.script) else iter(self.script)

    def answer(self, request: Request) -> Answer:
        """Give the next line of the script; a script that has ended refuses the request."""
        with self._lock:
            self.asked.append(request)
            line = self._line(request)
        if isinstance(line, BaseException):
            raise line
        if isinstance(line, Answer):
            return replace(line, model=request.model)
        return Answer(request.model, line, usage=guess_usage(request, line))

    def _line(self, request: Request) -> Line:
        if self._lines is None:
            assert callable(self.script)
            return self.script(request)
        ended = BadRequestError(
            f"the script has {len(self.asked) - 1} lines; one more was asked for"
        )
        return next(self._lines, ended)


def recite(request: Request, sentences: int = 4) -> str:
    """Give a few sentences that depend on the request alone and differ from those of any other."""
    return recite_digest(request.digest, sentences)


def recite_digest(digest: str, sentences: int = 4) -> str:
    """Turn a hexadecimal digest into first-person sentences, the last of which names it."""
    told = []
    for n in range(sentences):
        part = int(digest[n * 8 : n * 8 + 8], 16)
        who, part = _WHO[part % len(_WHO)], part // len(_WHO)
        did, part = _DID[part % len(_DID)], part // len(_DID)
        what, part = _WHAT[part % len(_WHAT)], part // len(_WHAT)
        told.append(f"{who} {did} {what} {_WHERE[part % len(_WHERE)]}.")
    return " ".join([*told, f"I keep this under {digest[:12]}."])


def guess_usage(request: Request, text: str) -> Usage:
    """Count four characters as a token, as a server would count its own."""
    asked = len(request.system) + sum(len(message.text) for message in request.messages)
    return Usage(input=-(-asked // 4), cached=0, output=-(-len(text) // 4))
