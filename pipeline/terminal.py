"""
What may go to a terminal: talk can hold anything, and a terminal obeys some of it.

Control characters (an escape that clears the screen, a bell) and signs that turn the writing
direction of a whole line are shown as U+FFFD; files and pipes of tables get the text as it is.
"""

import sys
from collections.abc import Callable

_CONTROLS = {*range(0x20), *range(0x7F, 0xA0)} - {0x09, 0x0A}
_TURNS = {*range(0x202A, 0x202F), *range(0x2066, 0x206A)}
HARMLESS = dict.fromkeys(_CONTROLS | _TURNS, "\ufffd")


def harmless(text: str) -> str:
    """Give a text that a terminal shows and does not obey; line breaks and tabs stay."""
    return text.translate(HARMLESS)


def to_stdout(line: str) -> None:
    """Write a line for people or pipes."""
    sys.stdout.write(harmless(line) + "\n")
    sys.stdout.flush()


def to_stderr(line: str) -> None:
    """Write a line about what happens meanwhile."""
    sys.stderr.write(harmless(line) + "\n")
    sys.stderr.flush()


def agreed(question: str, note: Callable[[str], None], *, apply: bool, dry_run: bool) -> bool:
    """
    Say whether a plan that was just shown may be carried out (design rule 11).

    True with `apply`; at a terminal the owner is asked; else the plan is all there is.
    """
    if dry_run:
        return False
    if apply:
        return True
    if sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        note(f"{question} [y/N]")
        return sys.stdin.readline().strip().lower() in {"y", "yes"}
    note(f"{question} Nothing was done: add --apply (make: APPLY=1) to carry it out.")
    return False
