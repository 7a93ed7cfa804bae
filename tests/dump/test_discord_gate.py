"""The gate in the transport: what is not on the list cannot leave, whoever asks for it."""

import asyncio
import socket

import pytest
from discord.http import Route

from pipeline.errors import UsageError
from stages.dump.discord.client import BlockedError, Client
from stages.dump.discord.limits import Limiter
from stages.dump.discord.routes import API, READS, api_base, ask, is_allowed, is_allowed_file
from tests.dump.discord_desk import Double, StillClock, go, one_room


def with_client(base, token, act):
    async def run():
        clock = StillClock().clock()
        async with Client(token, base, Limiter(0, clock, print), clock, print) as client:
            return await act(client)

    return asyncio.run(run())


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("DELETE", "/channels/700/messages/1"),
        ("POST", "/channels/700/messages"),
        ("POST", "/users/@me/channels"),
        ("PATCH", "/users/@me"),
        ("PUT", "/guilds/100/members/300"),
        ("GET", "/gateway/bot"),
        ("GET", "/guilds/100/audit-logs"),
        ("GET", "/channels/700/messages/../../../webhooks/1"),
    ],
)
def test_the_library_cannot_send_what_is_not_on_the_list(tmp_path, method, path):
    """The request dies in the transport: the double never hears of it."""

    async def act(client):
        with pytest.raises(BlockedError):
            await client.http.request(
                Route(method, path), json={"a": 1} if method != "GET" else None
            )

    with Double(one_room(tmp_path / "c", 3)) as double:
        with_client(double.url, double.token, act)
        assert [r.route for r in double.requests] == ["me"]


def test_every_listed_route_is_a_get_below_the_base():
    """The list itself: each path passes as GET, at Discord's address only."""
    for path in READS.values():
        url = path.format(guild_id=1, user_id=2, channel_id=3, message_id=4)
        assert is_allowed("GET", API + url, API)
        assert not is_allowed("POST", API + url, API)
        assert not is_allowed("GET", "https://discord.com.evil.example/api/v10" + url, API)
        assert not is_allowed("GET", "https://evil.example" + url, API)


def test_the_one_post_passes_only_while_a_dm_is_being_opened():
    """Without the opening that was agreed to, the same POST is refused."""
    assert is_allowed("POST", API + "/users/@me/channels", API, opening=True)
    assert not is_allowed("POST", API + "/users/@me/channels", API)
    assert not is_allowed("POST", API + "/channels/1/messages", API, opening=True)


def test_no_redirect_is_followed():
    """An answer that points elsewhere ends the request: the token follows no redirect."""
    followed = []

    async def serve(reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        path = head.split()[1]
        if path == "/users/@me":
            body = b'{"id":"300","username":"wren","bot":true}'
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
            writer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        elif path == "/users/@me/guilds":
            writer.write(b"HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
        else:
            followed.append(path)
        await writer.drain()
        writer.close()

    async def run():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        base = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        clock = StillClock().clock()
        async with server, Client("t.t", base, Limiter(0, clock, print), clock, print) as client:
            with pytest.raises(BlockedError, match="redirect"):
                await client.ask(ask("guilds"))

    asyncio.run(run())
    assert followed == []


def test_a_whole_dump_sends_gets_alone_and_says_who_it_is(tmp_path):
    """Every request of a run is a GET on a known route with the documented User-Agent."""
    with Double(one_room(tmp_path / "c", 150)) as double:
        go(tmp_path / "a", double)
        assert {r.method for r in double.requests} == {"GET"}
        assert all(r.route for r in double.requests)
        assert all(r.user_agent.startswith("DiscordBot (") for r in double.requests)


def test_the_gateway_is_never_opened(tmp_path, monkeypatch):
    """One host and port is connected to, and no websocket upgrade is asked for."""
    reached = set()
    real = socket.socket.connect
    monkeypatch.setattr(socket.socket, "connect", lambda s, to: (reached.add(to), real(s, to))[1])
    with Double(one_room(tmp_path / "c", 5)) as double:
        go(tmp_path / "a", double)
        assert reached <= {("127.0.0.1", double.port)}
        assert "gateway" not in " ".join(r.path for r in double.requests)


@pytest.mark.parametrize("given", ["https://discord.example/api", "ftp://127.0.0.1", "10.0.0.1"])
def test_another_address_than_discords_must_be_on_loopback(given):
    """A token goes to Discord and nowhere else."""
    with pytest.raises(UsageError, match="loopback"):
        api_base(given)
    assert api_base(None) == API


def test_no_limit_of_our_own_is_for_loopback_only(tmp_path):
    """max_requests_per_second = 0 against Discord itself is a usage error; so is 51."""
    from stages.dump.discord import pace

    assert pace(0, "http://127.0.0.1:9/api/v10") == 0
    for wrong in (0, 51, -1):
        with pytest.raises(UsageError, match="max_requests_per_second"):
            pace(wrong, API)


def test_files_come_from_the_cdn_alone():
    """Another host, plain http or another port is refused; in a trial, the double's port only."""
    good = "https://cdn.discordapp.com/attachments/1/2/a.png?ex=1"
    assert is_allowed_file("GET", good, API)
    assert not is_allowed_file("POST", good, API)
    for wrong in ("http://cdn.discordapp.com/a", "https://cdn.discordapp.com.evil.example/a",
                  "https://cdn.discordapp.com:8443/a", "http://127.0.0.1/a"):  # fmt: skip
        assert not is_allowed_file("GET", wrong, API)
    assert is_allowed_file("GET", "http://127.0.0.1:5/a", "http://127.0.0.1:5/api/v10")
    assert not is_allowed_file("GET", "http://127.0.0.1:6/a", "http://127.0.0.1:5/api/v10")


def test_a_dm_is_opened_only_when_asked_for_and_agreed(tmp_path):
    """--open-dm with --apply is one POST, noted in the manifest, and the DM is then read."""
    from tests.dump.discord_desk import corpus, manifest, message, snowflake, user

    friend = {"user": user(71), "nick": None, "roles": [], "joined_at": "2026-01-01T00:00:00+00:00"}
    dm = {"id": "950", "type": 1, "recipients": [user(71)], "last_message_id": None}
    rows = {950: [message(snowflake(1), 950, "psst")]}
    folder = corpus(tmp_path / "c", [], rows, dms=[dm], members=[friend])
    with Double(folder) as double:
        _, _, left = go(tmp_path / "a", double, options={"open_dm": ("71",)})
        assert [r.method for r in double.requests if r.method != "GET"] == []
        assert left
        go(tmp_path / "a", double, options={"open_dm": ("71",)}, dry_run=True, apply=True)
        assert [r.method for r in double.requests if r.method != "GET"] == []
        go(tmp_path / "a", double, options={"open_dm": ("71",)}, apply=True)
        posts = [r for r in double.requests if r.method != "GET"]
    assert [(r.method, r.path) for r in posts] == [("POST", "/users/@me/channels")]
    assert manifest(tmp_path / "a")["dms"]["opened"][0]["channel_id"] == "950"
    assert (tmp_path / "a/raw/messages/950.jsonl").read_bytes().count(b"\n") == 1


def test_importing_the_stage_loads_neither_the_library_nor_a_token():
    """`backfold status` imports every stage: discord and aiohttp stay out of it."""
    import subprocess
    import sys

    code = "import sys, stages.dump; print({'discord', 'aiohttp', 'msgspec'} & set(sys.modules))"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "set()"
