"""Lines of raw by their places: read in few calls, exact in any order."""

import os

import numpy as np

from pipeline.rawblocks import block_of, deep_lines, lines_at, odd_lines
from tests.test_rawread import line, nested, write


def places(lines):
    lengths = np.array([len(one) for one in lines], np.int64)
    return np.cumsum(lengths + 1) - lengths - 1, lengths


def test_lines_come_exactly_whatever_their_order(tmp_path, monkeypatch):
    """Neighbours, lines far apart, the same line twice and backwards: each is what stands there."""
    lines = [line(n, content="x" * (n * 997 % 9000)) for n in range(1, 60)]
    path = write(tmp_path, *lines)
    offset, length = places(lines)
    real, calls = os.pread, []
    monkeypatch.setattr(os, "pread", lambda *args: calls.append(args) or real(*args))
    for which in (np.arange(59), np.arange(59)[::-1], np.array([3, 4, 4, 50, 0]), np.arange(0)):
        with path.open("rb") as file:
            found = lines_at(file.fileno(), offset[which], length[which])
        assert [bytes(one) for one in found] == [lines[n] for n in which.tolist()]
    calls.clear()
    with path.open("rb") as file:
        lines_at(file.fileno(), offset, length)
    assert len(calls) == 1


def test_odd_and_deep_lines_are_named():
    """Torn and blank lines are odd; only brackets that nest, not many of them, make a line deep."""
    many = line(1, mentions=[{"id": str(n)} for n in range(300)])
    lines = [line(1), b"", b'{"id":"4","auth', many, nested(99), nested(100), line(7)]
    block = block_of(memoryview(b"\n".join(lines) + b"\n"))
    assert odd_lines(block) == [1, 2]
    assert deep_lines(block) == [5]
