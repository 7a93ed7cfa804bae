"""A warmup killed at any instant ends as the undisturbed one and pays at most a call twice."""

import random
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

from pipeline.testing.community import write_community
from pipeline.testing.modeldouble import KEY, MODEL, ModelDouble
from tests.test_folded_import import bring_up, settle

KEPT = "memory_id, level, text, source_ids, parent_id, shown_ids, request_digest"


def agent(root, url, community, **knobs):
    """Make an agent's folder that mints at a model double, imported and cut."""
    more = "".join(f"{name} = {value}\n" for name, value in knobs.items())
    settle(
        root,
        community.folder,
        community.agent,
        community.self_user_ids,
        f'[segment]\ntarget_chunk_tokens = 2400\n[warmup]\nmodel = "{MODEL}"\n'
        f'base_url = "{url}"\nmax_calls = 1000\n{more}',
    )
    bring_up(root)


def start(root):
    """Start a warmup as a process of its own."""
    code = "from pipeline.cli import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", code, "run", "warmup", "--agent", str(root)],
        env={"OPENAI_API_KEY": KEY, "PATH": "/usr/bin:/bin"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def pyramid(root):
    with sqlite3.connect(root / "pyramid.sqlite") as db:
        return db.execute(f"select {KEPT} from memories order by number").fetchall()


@pytest.mark.slow
@pytest.mark.parametrize("parallel", [1, 3])
def test_kills_change_nothing_and_cost_at_most_a_call_each(tmp_path, parallel):
    """Ids, texts, sources, parents and recall are the same; a kill repeats what was in flight."""
    community = write_community(tmp_path / "corpus")
    dice, kills = random.Random(parallel), 0
    with ModelDouble() as calm, ModelDouble() as double:
        agent(tmp_path / "calm", calm.openai_url, community, parallel=parallel)
        assert start(tmp_path / "calm").wait(120) == 0
        root = tmp_path / "killed"
        agent(root, double.openai_url, community, parallel=parallel)
        while True:
            process = start(root)
            enough = len(double.asked) + dice.randint(20, 30)
            while process.poll() is None and len(double.asked) < enough:
                time.sleep(0.002)
            time.sleep(dice.random() / 20)
            if process.poll() is not None:
                break
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            assert kills < 40
        assert process.returncode == 0
        assert pyramid(root) == pyramid(tmp_path / "calm")
        assert len(double.asked) <= len(calm.asked) + parallel * kills
