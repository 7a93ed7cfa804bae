"""`backfold status`: under what memories were minted, and how far the pyramid is behind."""

from click.testing import CliRunner

from pipeline.cli import main
from tests.probe.small import write_agent

TALK = [("ann", f"word {n}") for n in range(30)]
ITEMS = [[f"i{n}" for n in range(start, start + 10)] for start in (0, 10, 20)]


def status(root):
    """Run the command; gives what it prints."""
    done = CliRunner().invoke(main, ["status", "--agent", str(root)])
    assert done.exit_code == 0, done.output
    return done.output


def test_without_memories_everything_closed_is_behind(tmp_path):
    """Three chunks of ten messages, three calls."""
    told = status(write_agent(tmp_path / "tilly", TALK))
    assert "pyramid is 30 messages behind, about 3 calls: make warmup" in told


def test_memories_are_counted_by_what_they_were_minted_under(tmp_path):
    """A changed model, prompt or persona is told, and nothing is minted again for it."""
    memories = [("L1-0", ITEMS[0], "One."), ("L1-1", ITEMS[1], "Two.")]
    root = write_agent(tmp_path / "tilly", TALK, memories, chunk_ids=("c-0", "c-1"))
    told = status(root)
    assert "2 memories by scripted, prompt 1, no persona" in told
    assert "pyramid is 10 messages behind, about 1 calls: make warmup" in told
