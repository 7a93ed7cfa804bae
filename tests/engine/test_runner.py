"""Stages run in order, fresh ones are left alone, stale ones say why, nothing is half done."""

import json
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from pipeline.config import Agent, AgentFacts
from pipeline.errors import LockedError, SourceError, StageError, Unfinished
from pipeline.ledger import Ledger
from pipeline.raw import Raw
from pipeline.registry import in_order
from pipeline.runner import House, Wish, run
from pipeline.schemas import Place
from pipeline.stage import Stage
from pipeline.workspace import Workspace

SOURCE, MIDDLE, END = (Place(n, f"{n}.txt", "for tests") for n in ("source", "middle", "end"))


@dataclass(frozen=True)
class Knobs:
    """One knob."""

    times: int = 1


def make_stage(name, reads, writes, run=None, *, free=True):
    """Wire a stage that writes its knob behind what it read."""

    def work(ctx):
        text = "".join((ctx.folder.root / a.path).read_text() for a in reads)
        ctx.write_lines(writes[0], [f"{text}{ctx.knobs.times};".encode()])

    return Stage(
        name=name,
        run=run or work,
        reads=tuple(reads),
        writes=tuple(writes),
        amends=(),
        respects=(),
        reads_if_there=(),
        knobs=Knobs,
        free=free,
        module="pipeline.errors",
    )


def make_house(folder, stages, **knobs):
    """Open a folder with these stages; knobs as stage={"times": 2}."""
    said = []
    agent = Agent(root=folder, facts=AgentFacts(name="tilly"), stages=knobs)
    house = House(
        folder=Workspace(folder),
        agent=agent,
        stages=in_order(stages),
        ledger=Ledger(folder, folder / "raw"),
        raw=Raw(folder / "raw"),
        now=lambda: datetime(2026, 1, 1, tzinfo=UTC),
        out=said.append,
        err=said.append,
    )
    return house, said


def three():
    """Give three stages in a row; the first is not free."""
    return [
        make_stage("end", [MIDDLE], [END]),
        make_stage("middle", [SOURCE], [MIDDLE]),
        make_stage("source", [], [SOURCE], free=False),
    ]


def everything(folder):
    """Give every file under a folder with its bytes."""
    return {p.name: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_named_stage_brings_the_free_ones_above_it_up_to_date(tmp_path):
    """The one that is not free runs only when named."""
    house, said = make_house(tmp_path, three())
    run(house, Wish(stages=("source",)))
    run(house, Wish(stages=("end",)))
    assert (tmp_path / "end.txt").read_text() == "1;1;1;"
    assert [line for line in said if "source" in line] == ["source    running (never ran)"]


def test_a_second_run_with_nothing_new_runs_nothing(tmp_path):
    """The named stage says that it is fresh."""
    house, _ = make_house(tmp_path, three())
    run(house, Wish(stages=("source", "end")))
    lines = len((tmp_path / "runs.jsonl").read_text().splitlines())
    again, said = make_house(tmp_path, three())
    run(again, Wish(stages=("end",)))
    assert said == ["end       fresh"]
    assert len((tmp_path / "runs.jsonl").read_text().splitlines()) == lines


def test_a_changed_knob_is_told_with_both_values(tmp_path):
    """And what reads its output runs again too."""
    house, _ = make_house(tmp_path, three())
    run(house, Wish(stages=("source", "end")))
    again, said = make_house(tmp_path, three(), middle={"times": 5})
    run(again, Wish(stages=("end",)))
    assert said == ["middle    running (times 1 → 5)", "end       running (middle changed)"]
    assert (tmp_path / "end.txt").read_text() == "1;5;1;"


def test_an_edited_or_missing_output_is_stale(tmp_path):
    """Somebody changed the file by hand, or it is gone."""
    house, _ = make_house(tmp_path, three())
    run(house, Wish(stages=("source", "end")))
    (tmp_path / "end.txt").write_text("other words")
    assert house.stale(house.stage("end")) == "end was edited"
    (tmp_path / "end.txt").unlink()
    assert house.stale(house.stage("end")) == "end is gone"


def test_only_leaves_the_stages_above_alone(tmp_path):
    """Even though they are stale."""
    house, _ = make_house(tmp_path, three())
    run(house, Wish(stages=("source", "end")))
    again, said = make_house(tmp_path, three(), middle={"times": 5}, end={"times": 2})
    run(again, Wish(stages=("end",), only=True))
    assert said == ["end       running (times 1 → 2)"]


def test_a_dry_run_writes_nothing_at_all(tmp_path):
    """The folder stays byte-identical, the ledger too, and nothing above runs."""
    house, _ = make_house(tmp_path, three())
    run(house, Wish(stages=("source", "end")))
    before = everything(tmp_path)
    again, said = make_house(tmp_path, three(), middle={"times": 5})
    run(again, Wish(stages=("middle",), dry_run=True))
    assert everything(tmp_path) == before
    assert said == []


def test_a_dry_run_without_its_input_says_what_is_missing(tmp_path):
    """It runs nothing above."""
    house, _ = make_house(tmp_path, three())
    with pytest.raises(StageError, match="middle: source is not there yet"):
        run(house, Wish(stages=("middle",), dry_run=True))


def test_a_failed_run_is_noted_and_does_not_count_as_the_last(tmp_path):
    """The stage stays stale for the reason that it had."""

    def fail(ctx):
        raise SourceError("no")

    house, _ = make_house(tmp_path, [make_stage("source", [], [SOURCE], fail)])
    with pytest.raises(SourceError):
        run(house, Wish(stages=("source",)))
    assert json.loads((tmp_path / "runs.jsonl").read_text())["outcome"] == "failed"
    assert house.stale(house.stage("source")) == "never ran"


def test_what_is_left_unfinished_is_given_back_and_remembered(tmp_path):
    """By note or by error; both end in exit 3 and both are told by status."""

    def leave(ctx):
        ctx.write_lines(SOURCE, [b"part"])
        ctx.unfinished("room 5 was read in part")
        raise Unfinished("the limit was reached")

    house, _ = make_house(tmp_path, [make_stage("source", [], [SOURCE], leave)])
    left = run(house, Wish(stages=("source",)))
    assert left == ["room 5 was read in part", "the limit was reached"]
    assert house.stale(house.stage("source")) == "unfinished: room 5 was read in part"


def test_a_second_process_is_told_who_holds_the_folder(tmp_path):
    """The lock names process and command, and dies with its process."""
    code = (
        "import sys, time; from pathlib import Path; from pipeline.workspace import Workspace\n"
        f"with Workspace(Path({str(tmp_path)!r})).locked('run dump'):\n"
        "    print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "held\n"
        said = rf"process {holder.pid} \(run dump\) works here"
        with pytest.raises(LockedError, match=said), Workspace(tmp_path).locked("run curate"):
            pass
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    with Workspace(tmp_path).locked("run curate"):
        pass


def test_stages_that_write_the_same_name_both(tmp_path):
    """The clash names both sides."""
    twice = [make_stage("a", [], [END]), make_stage("b", [], [END])]
    with pytest.raises(StageError, match="end: both a and b write it"):
        in_order(twice)


def test_a_stage_may_not_write_what_it_did_not_declare(tmp_path):
    """One writer for each artifact."""

    def stray(ctx):
        ctx.write_lines(END, [b"x"])

    house, _ = make_house(tmp_path, [make_stage("source", [], [SOURCE], stray)])
    with pytest.raises(StageError, match="source writes end without declaring it"):
        run(house, Wish(stages=("source",)))


def test_a_strange_line_in_the_ledger_stops_nothing(tmp_path):
    """Written by another hand: left out."""
    house, _ = make_house(tmp_path, three())
    run(house, Wish(stages=("source", "end")))
    with (tmp_path / "runs.jsonl").open("a") as file:
        file.write('5\n{"stage": "end"}\n{"left": 3}\n')
    assert house.stale(house.stage("end")) is None


def test_the_lock_follows_no_link(tmp_path):
    """A link in an agent's folder writes nothing outside it."""
    victim = tmp_path / "victim"
    victim.write_text("mine")
    (tmp_path / "agent").mkdir()
    (tmp_path / "agent" / ".lock").symlink_to(victim)
    with pytest.raises(OSError), Workspace(tmp_path / "agent").locked("run"):
        pass
    assert victim.read_text() == "mine"


def test_raw_is_locked_for_whoever_works_on_it(tmp_path):
    """Two agents that share one raw folder never write it at once; it is made private."""
    raw = Place("raw", "raw", "for tests")

    def dump(ctx):
        with pytest.raises(LockedError), Workspace(ctx.raw.root).locked("another agent's dump"):
            pass

    house, _ = make_house(tmp_path, [make_stage("source", [], [raw], dump)])
    run(house, Wish(stages=("source",)))
    assert (tmp_path / "raw").stat().st_mode & 0o777 == 0o700
