"""
The command line: thin, answers on stdout, chatter on stderr.

Our own errors are one line and an exit code (1 ours, 2 usage, 3 unfinished); a bug keeps
its traceback. Each command lives in a file of its own kind and imports what it needs when
it runs, so that `backfold status` starts at once.
"""

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

import click

from pipeline.cli.adopt import adopt
from pipeline.cli.ask import ask
from pipeline.cli.care import doctor
from pipeline.cli.init import init
from pipeline.cli.inspect import knobs, show, stages, status
from pipeline.cli.pack import pack, unpack
from pipeline.cli.redactions import redactions
from pipeline.cli.run import run
from pipeline.cli.trial import demo, double
from pipeline.cli.waive import waive
from pipeline.cli.window import window
from pipeline.errors import BackfoldError

GLOSSARY = """
\b
Ten words:
  item       one entry of the agent's store: a message, a turn of its own, a notice
  chunk      a closed stretch of items, cut at a silence or when it is full
  memory     what the agent remembers of a chunk (L1) or of lower memories (L2, L3 …)
  fold       to mint memories for chunks and merge full runs of them
  fan-in     how many memories one merge takes (6)
  head       the first items, always shown whole
  tail       the newest items, always shown whole
  frontier   the memories that no higher memory contains yet
  recall     a memory shown to the model as question and answer
  landing    putting it all where the agent's new host will find it
"""


class TerminatedError(KeyboardInterrupt):
    """Somebody asked this process to end: it unwinds as after Ctrl-C."""


@contextlib.contextmanager
def _stopped_politely() -> Iterator[None]:
    """Turn SIGTERM into an exception while a command runs; only a main thread may do so."""

    def end(_number: int, _frame: object) -> None:
        raise TerminatedError

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


class Group(click.Group):
    """A group that prints our own errors as one line and lets bugs keep their traceback."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command; turn what we know into exit codes."""
        kwargs["standalone_mode"] = False
        try:
            with _stopped_politely():
                return self._run(*args, **kwargs)
        except TerminatedError:
            _tell("stopped (SIGTERM); what was done is kept, run the same again to go on")
            sys.exit(143)

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        try:
            code = super().main(*args, **kwargs)
            sys.exit(code if isinstance(code, int) else 0)
        except BackfoldError as error:
            _tell(str(error))
            sys.exit(error.exit_code)
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except (click.Abort, KeyboardInterrupt) as error:  # click makes the one of the other
            if isinstance(error, TerminatedError) or isinstance(error.__cause__, TerminatedError):
                raise TerminatedError from None
            _tell("interrupted; what was done is kept, run the same again to go on")
            sys.exit(130)
        except BrokenPipeError:
            sys.stderr.close()
            sys.exit(0)
        except OSError as error:
            _tell(_disk_words(error))
            sys.exit(1)


def _tell(line: str) -> None:
    from pipeline.terminal import to_stderr

    to_stderr("backfold: " + " ".join(line.split()))


def _disk_words(error: OSError) -> str:
    """Say what the disk refused, for which file, and what to do."""
    import errno

    where = f" ({error.filename})" if error.filename else ""
    advice = {
        errno.ENOSPC: "make room and run the same again; what was finished is kept",
        errno.EDQUOT: "make room and run the same again; what was finished is kept",
        errno.EACCES: f"give yourself the right to {_lacking(error.filename)} there",
        errno.EROFS: "the folder is read-only; move it to where you may write",
    }.get(error.errno or 0, "run the same again once this is mended; what was finished is kept")
    return f"{error.strerror or error}{where}; {advice}"


def _lacking(path: object) -> str:
    """Say which right lacks: to read what is there, or the folder above it; else to write."""
    import os
    from pathlib import Path

    if not isinstance(path, str):
        return "write"
    place = Path(path)
    while not os.path.lexists(place) and place != place.parent:
        place = place.parent
    return "write" if os.access(place, os.R_OK) else "read"


@click.group(cls=Group, epilog=GLOSSARY, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="backfold", prog_name="backfold")
def main() -> None:
    """Give a Discord agent its past: dump, curate, segment, fold, audit, land."""


for command in (
    init,
    run,
    status,
    ask,
    adopt,
    pack,
    unpack,
    doctor,
    redactions,
    waive,
    stages,
    show,
    window,
    knobs,
    demo,
    double,
):
    main.add_command(command)
