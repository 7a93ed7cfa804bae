"""Files survive a kill: whole or not at all, torn lines cut, nobody else may read."""

import os
import stat

import pytest

from pipeline.files import append_line, beside, cut_torn_line, make_folder, write_whole


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_failed_write_leaves_the_old_file(tmp_path):
    """An error while writing beside keeps what stood there, and leaves no temporary."""
    path = tmp_path / "a.txt"
    write_whole(path, b"old")
    with pytest.raises(RuntimeError), beside(path) as temporary:
        temporary.write_bytes(b"half")
        raise RuntimeError
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.txt"]


def test_files_and_folders_are_private(tmp_path):
    """Folders 0700, files 0600, whatever the umask says."""
    old = os.umask(0)
    try:
        write_whole(tmp_path / "x" / "y" / "a", b"")
        append_line(tmp_path / "x" / "b", b"1")
    finally:
        os.umask(old)
    assert [mode(tmp_path / "x"), mode(tmp_path / "x" / "y")] == [0o700, 0o700]
    assert [mode(tmp_path / "x" / "y" / "a"), mode(tmp_path / "x" / "b")] == [0o600, 0o600]


def test_a_torn_last_line_is_cut_before_the_next_is_appended(tmp_path):
    """What a kill left behind the last newline never joins the next line."""
    path = tmp_path / "log"
    path.write_bytes(b'{"a":1}\n{"b":')
    append_line(path, b'{"c":3}')
    assert path.read_bytes() == b'{"a":1}\n{"c":3}\n'


def test_a_file_that_is_one_torn_line_becomes_empty(tmp_path):
    """Also when it is longer than the block that is searched at a time."""
    path = tmp_path / "log"
    path.write_bytes(b"x" * 200_000)
    assert cut_torn_line(path) == 200_000
    assert path.read_bytes() == b""


def test_make_folder_leaves_existing_ones_alone(tmp_path):
    """A folder of the owner's keeps its mode."""
    tmp_path.chmod(0o755)
    make_folder(tmp_path / "new")
    assert mode(tmp_path) == 0o755
