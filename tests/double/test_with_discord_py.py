"""discord.py takes the double for Discord, and the command line serves the same."""

import asyncio
import subprocess
import sys

import httpx
import pytest

from pipeline.testing.double import TOKEN, Double, Fault
from tests.double.small import lines, room, write
from tests.real import ROOT, SHARED, needs_real


async def walk(double, channel_id):
    """Log in and read a channel downwards through the library's own HTTP layer."""
    import discord
    from discord.http import Route

    client = discord.Client(intents=discord.Intents.none())
    await client.login(double.token)
    seen, before = [], None
    while True:
        params = {"limit": 100} | ({"before": before} if before else {})
        route = Route("GET", "/channels/{channel_id}/messages", channel_id=channel_id)
        page = await client.http.request(route, params=params)
        seen += [row["id"] for row in page]
        if len(page) < 100:
            break
        before = min(seen, key=int)
    await client.close()
    return seen


@pytest.fixture
def at_loopback(monkeypatch):
    """Point discord.py at a double until the test ends."""
    from discord.http import Route

    return lambda double: monkeypatch.setattr(Route, "BASE", double.url)


def test_login_and_a_whole_channel(tmp_path, at_loopback):
    """250 messages in three pages, with a 429 of the shared kind and a 502 waited out inside."""
    rows = lines("700", *range(1, 251))
    with Double(write(tmp_path / "c", channels=[room("700")], messages={"700": rows})) as double:
        double.faults.add(Fault("limited", "messages", skip=1, retry_after=0.01, scope="shared"))
        double.faults.add(Fault("status", "messages", skip=2, status=502))
        at_loopback(double)
        seen = asyncio.run(walk(double, "700"))
        assert seen == [str(n) for n in range(250, 0, -1)]
        assert double.repeated() == []
        assert double.writes() == []


@needs_real
@pytest.mark.real
def test_a_long_channel_comes_whole(at_loopback):
    """70,000 lines through the library: each comes once, oldest last."""
    with Double(SHARED / "data" / "ubuntu-irc") as double:
        at_loopback(double)
        seen = asyncio.run(walk(double, "1200000000000000101"))
        assert [int(i) for i in seen] == list(double.world.shelf("1200000000000000101").ids)[::-1]


def test_the_command_line_prints_its_address_and_serves(tmp_path):
    """A person can try it: the first line is the API's base."""
    folder = write(tmp_path / "c", channels=[room("700")], messages={"700": lines("700", 5)})
    command = [sys.executable, "-u", "-m", "pipeline.testing.double", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            base = process.stdout.readline().strip()
            answer = httpx.get(f"{base}/users/@me", headers={"Authorization": f"Bot {TOKEN}"})
            assert answer.json()["username"] == "lamp"
        finally:
            process.terminate()
