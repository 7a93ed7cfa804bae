"""Whatever breaks in, what was accepted stays, and the next run ends as an undisturbed one."""

import errno
import os
import sqlite3
from datetime import timedelta
from itertools import count
from unittest.mock import patch

import pytest
from click.testing import CliRunner

from pipeline.cli import main
from pipeline.errors import ArtifactError, LockedError
from pipeline.memory.pyramid import Pyramid
from pipeline.models.failures import WrongKeyError, WrongModelError
from pipeline.models.scripted import recite
from pipeline.models.seam import Answer
from pipeline.workspace import Workspace
from tests.warmup.history import LATER, calls, memories, mint, shape
from tests.warmup.history import write_history as write

CHUNKS = 17


@pytest.fixture(scope="module")
def calm(tmp_path_factory):
    """Give shape and calls of an undisturbed run, by `parallel`."""
    found = {}
    for parallel in (1, 3):
        root = tmp_path_factory.mktemp("calm") / "tilly"
        write(root, CHUNKS, parallel=parallel)
        found[parallel] = (mint(root).calls, shape(root))
    return found


def failing_at(call, error):
    """Answer, but raise at the n-th request (from 1)."""
    turn = count(1)
    return lambda request: error if next(turn) == call else recite(request)


@pytest.mark.parametrize("parallel", [1, 3])
@pytest.mark.parametrize("call", range(1, 20, 3))
def test_ctrl_c_in_a_request_costs_that_request(tmp_path, calm, parallel, call):
    """The others of its batch are kept; the run after ends as if nothing had been."""
    write(tmp_path, CHUNKS, parallel=parallel)
    script = failing_at(call, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        mint(tmp_path, script)
    answered = len(calls(tmp_path))
    again = mint(tmp_path)
    assert answered + again.calls == calm[parallel][0]
    assert shape(tmp_path) == calm[parallel][1]


class Killed(BaseException):
    """The process is gone at this point."""


def dying(method, at):
    """Let the n-th use (from 1) of a method of the pyramid be the last thing that happens."""
    turn, whole = count(1), getattr(Pyramid, method)

    def dies(self, *args, **kwargs):
        if next(turn) == at:
            raise Killed
        return whole(self, *args, **kwargs)

    return patch.object(Pyramid, method, dies)


@pytest.mark.parametrize("parallel", [1, 3])
@pytest.mark.parametrize("method", ["note_call", "judge_answer", "accept", "set_state"])
@pytest.mark.parametrize("at", [2, 5, 9])
def test_death_between_any_two_writes_changes_nothing(tmp_path, calm, parallel, method, at):
    """At most what was in flight is asked for again; the pyramid is the same, recall too."""
    write(tmp_path, CHUNKS, parallel=parallel)
    sent = 0
    with dying(method, at):
        try:
            sent = mint(tmp_path, script := listening()).calls
        except Killed:
            sent = len(script.heard)
    sent += mint(tmp_path).calls
    assert sent <= calm[parallel][0] + parallel
    assert shape(tmp_path) == calm[parallel][1]
    assert {call.outcome for call in calls(tmp_path)} == {"accepted"}


def listening():
    """Recite, and count."""

    def script(request):
        script.heard.append(request)
        return recite(request)

    script.heard = []
    return script


def test_a_rejected_answer_left_unjudged_is_judged_when_it_is_used(tmp_path):
    """It is not asked for again, and its row says why it became no memory."""
    write(tmp_path, 2)
    turn = count(1)

    def script(request):
        return Answer(request.model, "cut", stop="length") if next(turn) == 1 else recite(request)

    with dying("judge_answer", 1), pytest.raises(Killed):
        mint(tmp_path, script)
    assert [call.outcome for call in calls(tmp_path)] == ["answered"]
    assert mint(tmp_path).calls == 2
    assert [c.outcome.partition(":")[0] for c in calls(tmp_path)] == ["rejected"] + ["accepted"] * 2


@pytest.mark.parametrize("error", [WrongKeyError("no such key"), WrongModelError("no such model")])
@pytest.mark.parametrize("parallel", [1, 3])
def test_a_wrong_key_or_model_ends_the_run_and_is_on_record(tmp_path, parallel, error):
    """It is let through as it is, asked for once, and the record has a row that says so."""
    write(tmp_path, 6, parallel=parallel)
    script = failing_at(2, error)
    with pytest.raises(type(error)):
        mint(tmp_path, script)
    assert f"failed: {error}" in [call.outcome for call in calls(tmp_path)]
    assert mint(tmp_path).left == []
    assert len(memories(tmp_path)) == 7


@pytest.mark.parametrize("method", ["note_call", "accept"])
def test_a_full_disk_ends_the_run_and_loses_nothing(tmp_path, calm, method):
    """What the disk refused is told; with room again the run ends as if nothing had been."""
    write(tmp_path, CHUNKS)
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with patch.object(Pyramid, method, side_effect=full), pytest.raises(OSError) as told:
        mint(tmp_path)
    assert told.value.errno == errno.ENOSPC
    mint(tmp_path)
    assert shape(tmp_path) == calm[1][1]


def test_a_database_that_cannot_grow_says_so_in_one_line(tmp_path, calm):
    """As SQLite itself meets a full disk: nothing half written, and the advice to go on."""
    write(tmp_path, CHUNKS)
    mint(tmp_path, sets={"warmup.max_calls": 2})
    opened = Pyramid.__init__

    def cramped(self, *args, **kwargs):
        opened(self, *args, **kwargs)
        self._db.execute("pragma max_page_count = 1")  # SQLite takes it as: no page more

    with patch.object(Pyramid, "__init__", cramped), pytest.raises(ArtifactError, match="full"):
        mint(tmp_path)
    mint(tmp_path)
    assert shape(tmp_path) == calm[1][1]


def test_a_read_only_pyramid_is_told_and_stays_as_it_is(tmp_path):
    """SQLite's own refusal becomes one line of ours."""
    write(tmp_path, 3)
    mint(tmp_path, sets={"warmup.max_calls": 1})
    before = shape(tmp_path)
    opened = Pyramid.__init__

    def sealed(self, *args, **kwargs):
        opened(self, *args, **kwargs)
        self._db.execute("pragma query_only = on")

    with patch.object(Pyramid, "__init__", sealed), pytest.raises(ArtifactError, match="readonly"):
        mint(tmp_path)
    assert shape(tmp_path) == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_ends_the_command_with_one_line(tmp_path):
    """Exit 1, and what to do."""
    write(tmp_path, 3)
    tmp_path.chmod(0o500)
    done = CliRunner().invoke(main, ["run", "warmup", "--only", "--agent", str(tmp_path)])
    tmp_path.chmod(0o700)
    assert done.exit_code == 1
    assert "give yourself the right to write there" in done.output


def test_a_second_process_is_told_who_holds_the_folder(tmp_path):
    """It sends nothing and writes nothing."""
    write(tmp_path, 3)
    held = Workspace(tmp_path).locked("run warmup")
    with held, pytest.raises(LockedError, match=rf"process {os.getpid()} \(run warmup\)"):
        mint(tmp_path)
    assert not (tmp_path / "pyramid.sqlite").exists()


def test_a_clock_that_jumps_backwards_changes_no_memory(tmp_path, calm):
    """Order comes from numbers, never from the time at which something was minted."""
    write(tmp_path, CHUNKS)
    days = count()
    mint(tmp_path, now=lambda: LATER - timedelta(days=next(days)))
    assert shape(tmp_path) == calm[1][1]
    minted = [m.minted_at for m in memories(tmp_path)]
    assert minted == sorted(minted, reverse=True)


def test_a_pyramid_of_a_newer_schema_is_refused_untouched(tmp_path):
    """It says which schema it knows."""
    write(tmp_path, 2)
    mint(tmp_path)
    with sqlite3.connect(tmp_path / "pyramid.sqlite") as db:
        db.execute("pragma user_version = 99")
    with pytest.raises(ArtifactError, match="schema 99"):
        mint(tmp_path)
