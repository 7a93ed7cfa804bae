"""kill -9 at any point: the next run goes on, and in the end there is no hole and no double."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from tests.dump.discord_desk import (
    Double,
    channel,
    corpus,
    go,
    ids,
    lines,
    manifest,
    message,
    snowflake,
    thread,
)
from tests.real import ROOT, SHARED, needs_real

CHILD = """
import sys
from types import SimpleNamespace
from tests.dump.discord_desk import context
from stages.dump.discord import dump_discord
from stages.dump.discord.limits import Clock

double = SimpleNamespace(url=sys.argv[2], token=sys.argv[3])
ctx, _, _ = context(sys.argv[1], double, reread_days=7.0)
dump_discord(ctx, Clock())
"""


def killed_after(double, root, requests):
    """Run a dump in a process of its own and kill it once so many requests came."""
    before = len(double.requests)
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(root), double.url, double.token],
        cwd=ROOT,
        stderr=subprocess.PIPE,
    )
    deadline = time.monotonic() + 60
    while len(double.requests) - before < requests and child.poll() is None:
        assert time.monotonic() < deadline, "the child asked for nothing"
        time.sleep(0.0005)
    was_running = child.poll() is None
    os.kill(child.pid, signal.SIGKILL)
    _, said = child.communicate()
    assert was_running or child.returncode == 0, said.decode()
    return was_running


def busy(tmp_path):
    """Two rooms and a thread, 1,900 messages, some files."""
    picture = {"id": "5", "filename": "a.txt", "size": 2, "content_type": "text/plain", "url": ""}
    rows = {
        700: [message(snowflake(n), 700, f"line {n}") for n in range(1_200)],
        701: [message(snowflake(n), 701, "x", attachments=[picture | {"id": str(n)}] * (n < 5))
              for n in range(450)],
        snowflake(9): [message(snowflake(10 + n), snowflake(9)) for n in range(250)],
    }  # fmt: skip
    folder = corpus(tmp_path / "c", [channel(700), channel(701)], rows, [thread(snowflake(9), 700)])
    (folder / "files").mkdir()
    for n in range(5):
        (folder / "files" / str(n)).write_bytes(b"hi")
    return folder, rows


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_killed_again_and_again_the_dump_is_whole(tmp_path, seed):
    """Row B034: rows first, then the page that notes them: what no page notes is asked again."""
    chance = random.Random(seed)
    folder, rows = busy(tmp_path)
    with Double(folder) as double:
        kills = sum(killed_after(double, tmp_path / "a", chance.randrange(1, 45)) for _ in range(4))
        go(tmp_path / "a", double, reread_days=7.0)
    assert kills >= 3
    for channel_id, sent in rows.items():
        got = ids(tmp_path / "a", channel_id)
        assert sorted(got) == [int(r["id"]) for r in sent]
        assert [r for r in lines(tmp_path / "a", channel_id) if r["type"] != 0] == []
    kept = (tmp_path / "a/raw/attachments.jsonl").read_bytes().splitlines()
    assert {json.loads(x)["attachment_id"] for x in kept} == {"0", "1", "2", "3", "4"}
    assert all(r["complete"] for r in manifest(tmp_path / "a")["channels"])


@needs_real
@pytest.mark.real
@pytest.mark.slow
def test_the_busy_public_channel_killed_twice_is_the_same_set(tmp_path):
    """69,898 messages through the wire, two kills on the way: every object as it was served."""
    folder = SHARED / "data" / "ubuntu-irc"
    with Double(folder) as double:
        assert killed_after(double, tmp_path / "a", 150)
        assert killed_after(double, tmp_path / "a", 400)
        go(tmp_path / "a", double)
    (path,) = (folder / "messages").glob("*.jsonl")
    sent = {r["id"]: r for r in map(json.loads, path.read_bytes().splitlines())}
    got = lines(tmp_path / "a", path.stem)
    assert len(got) == len(sent) == 69_898
    assert {r["id"]: r for r in got} == sent
