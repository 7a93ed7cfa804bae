"""A pack holds what can be rebuilt nowhere else, comes back byte for byte, and holds no key."""

from pathlib import Path

import pytest

from pipeline.care.pack import pack, packed_files, unpack
from pipeline.errors import ArtifactError, UsageError
from pipeline.workspace import Workspace


def agent(root: Path) -> Workspace:
    """Make a folder with evidence, keys, and what can be built again."""
    for name in ("agent.toml", "persona.md", "raw/messages/1.jsonl", "pyramid.sqlite"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(name.encode() * 99)
    for name in (".env", "bot-token.txt", "tables/transcript.parquet", "reports/x.md"):
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(b"x")
    return Workspace(root)


def test_a_pack_comes_back_byte_for_byte_without_keys(tmp_path: Path) -> None:
    """What is listed comes back equal; keys, tables and reports are not in it."""
    folder = agent(tmp_path / "a")
    assert pack(folder, tmp_path / "a.pack") == 4
    assert unpack(tmp_path / "a.pack", tmp_path / "b") == 4
    names = ["agent.toml", "persona.md", "pyramid.sqlite", "raw/messages/1.jsonl"]
    assert packed_files(tmp_path / "b") == names
    assert sorted(p.name for p in (tmp_path / "b").iterdir()) == sorted(
        ["agent.toml", "persona.md", "pyramid.sqlite", "raw"]
    )
    for name in names:
        assert (tmp_path / "b" / name).read_bytes() == (tmp_path / "a" / name).read_bytes()
    assert (tmp_path / "a.pack").stat().st_mode & 0o777 == 0o600


def test_a_damaged_pack_lays_nothing_out(tmp_path: Path) -> None:
    """A pack that is cut off is refused before a file is written."""
    pack(agent(tmp_path / "a"), tmp_path / "a.pack")
    whole = (tmp_path / "a.pack").read_bytes()
    (tmp_path / "cut.pack").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ArtifactError):
        unpack(tmp_path / "cut.pack", tmp_path / "b")
    assert not (tmp_path / "b").exists()


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """Neither a file that is there nor a folder in use."""
    folder = agent(tmp_path / "a")
    pack(folder, tmp_path / "a.pack")
    with pytest.raises(UsageError, match="there already"):
        pack(folder, tmp_path / "a.pack")
    with pytest.raises(UsageError, match="not empty"):
        unpack(tmp_path / "a.pack", tmp_path / "a")
