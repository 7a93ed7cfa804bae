"""`backfold double`: what cannot be a port is refused in a line."""

from click.testing import CliRunner

from pipeline.cli import main


def test_a_port_that_cannot_be_is_usage(tmp_path):
    """Exit 2 and the range, no traceback."""
    done = CliRunner().invoke(main, ["double", str(tmp_path), "--port", "99999"])
    assert done.exit_code == 2
    assert "0<=x<=65535" in done.output
