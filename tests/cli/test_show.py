"""`backfold show`: a table's rows, one column a line, harmless to a terminal."""

from click.testing import CliRunner

from pipeline.cli import main
from tests.probe.small import write_agent


def show(root, *arguments):
    """Run the command; gives what it prints."""
    done = CliRunner().invoke(main, ["show", *arguments, "--agent", str(root)])
    assert done.exit_code == 0, done.output
    return done.output


def test_rows_are_told_column_by_column(tmp_path):
    """Wide tables stay readable; only as many rows as asked for."""
    root = write_agent(tmp_path / "tilly", [("ann", "hello there"), ("bo", "hi")])
    told = show(root, "transcript", "--rows", "1")
    assert "transcript: 2 rows, one row per item" in told
    assert "  author_name      ann" in told
    assert "  message_ids      m0" in told
    assert "bo" not in told.split()


def test_no_escape_sequence_reaches_the_terminal(tmp_path):
    """Chat may hold anything; it is shown, and commands nothing."""
    root = write_agent(tmp_path / "tilly", [("ann", "look \x1b[2J\x07 here")])
    told = show(root, "transcript")
    assert "\x1b" not in told
    assert "\x07" not in told
    assert "[2J" in told
