"""Keep the outside out of every test: no keys, no network but loopback, a private cache folder."""

import socket

import pytest

KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "DISCORD_TOKEN", "BACKFOLD_AGENT")
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@pytest.fixture(autouse=True)
def _no_outside_world(monkeypatch):
    for name in KEYS:
        monkeypatch.delenv(name, raising=False)
    real = socket.socket.connect

    def loopback_only(self, address):
        if self.family != socket.AF_UNIX and address[0] not in LOOPBACK:
            raise AssertionError(f"a test reached for {address[0]}")
        return real(self, address)

    monkeypatch.setattr(socket.socket, "connect", loopback_only)
