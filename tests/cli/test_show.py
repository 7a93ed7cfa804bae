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


def test_what_a_stage_says_is_harmless_too(capsys):
    """Every stage speaks through the same two doors."""
    from pipeline.terminal import to_stderr, to_stdout

    to_stdout("a\x1b]0;title\x07b\tc\nd \u202eover")
    to_stderr("\x9b31m")
    told = capsys.readouterr()
    assert told.out == "a\ufffd]0;title\ufffdb\tc\nd \ufffdover\n"
    assert told.err == "\ufffd31m\n"


def test_a_plan_is_carried_out_by_apply_alone_where_nobody_sits(monkeypatch):
    """No terminal: the plan is all there is, and the line says how to go on; never in a dry run."""
    from pipeline.terminal import agreed

    told = []
    monkeypatch.setattr("sys.stdin", None)
    assert agreed("Go?", told.append, apply=True, dry_run=False)
    assert not agreed("Go?", told.append, apply=True, dry_run=True)
    assert not agreed("Go?", told.append, apply=False, dry_run=False)
    assert told == ["Go? Nothing was done: add --apply (make: APPLY=1) to carry it out."]
