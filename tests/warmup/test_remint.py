"""`--remint`: same ids, new words, the old ones as revisions."""

import pytest
from click.testing import CliRunner

from pipeline.cli import main
from pipeline.errors import UsageError
from pipeline.memory.pyramid import Pyramid
from pipeline.testing.community import write_community
from pipeline.testing.modeldouble import KEY, MODEL, ModelDouble
from stages.warmup.reminting import wanted_by
from tests.test_folded_import import bring_up, settle
from tests.warmup.test_refold import memories


@pytest.fixture
def folded(tmp_path):
    """Give the folder of the invented community's agent, folded by the extractive model."""
    community = write_community(tmp_path / "corpus")
    root = tmp_path / "tilly"
    settle(root, community.folder, community.agent, community.self_user_ids)
    bring_up(root, "dump", "curate", "segment", "warmup")
    return root


def remint(root, which, double, *flags):
    """Run warmup with --remint against the double; gives exit code and output."""
    command = [
        "run", "warmup", "--remint", which, "--agent", str(root), *flags,
        "--set", f"warmup.model={MODEL}", "--set", f"warmup.base_url={double.openai_url}",
        "--set", "warmup.max_calls=1000",
    ]  # fmt: skip
    done = CliRunner(env={"OPENAI_API_KEY": KEY}).invoke(main, command)
    return done.exit_code, done.output


def test_memories_get_new_words_under_their_ids(folded):
    """Levels, sources and parents stay; each old text is a revision."""
    old = memories(folded)
    with ModelDouble() as double:
        code, said = remint(folded, "model=extractive", double, "--apply")
        assert code == 0, said
        assert len(double.asked) == len(old)
    new = memories(folded)
    assert new.keys() == old.keys()
    assert {m.model for m in new.values()} == {MODEL}
    assert all(new[i].text != old[i].text for i in old)
    shape = [(m.level, m.source_ids, m.parent_id, m.chunk_id) for m in new.values()]
    assert shape == [(m.level, m.source_ids, m.parent_id, m.chunk_id) for m in old.values()]
    with Pyramid(folded / "pyramid.sqlite", read_only=True) as pyramid:
        revisions = pyramid.revisions()
    assert {r.memory_id: r.text for r in revisions} == {i: m.text for i, m in old.items()}


def test_each_is_shown_what_it_was_shown_then(folded):
    """Recall as of its own moment: nothing that came later."""
    old = memories(folded)
    with ModelDouble() as double:
        remint(folded, "model=extractive", double, "--apply")
    new = memories(folded)
    assert all(new[i].shown_ids == old[i].shown_ids for i in old)


def test_without_a_yes_nothing_is_asked_or_changed(folded):
    """The plan says how many, by whom, and who reads."""
    old = memories(folded)
    with ModelDouble() as double:
        code, said = remint(folded, "level=2", double)
        assert not double.asked
    assert code == 0
    count = sum(m.level == 2 for m in old.values())
    assert f"{count:,} of {len(old):,} memories (level=2) will be minted again by {MODEL}" in said
    assert memories(folded) == old


@pytest.mark.parametrize("said", ["extractive", "colour=red", "model=", ""])
def test_what_names_no_memories_is_refused(said):
    """One line, with the names that there are."""
    with pytest.raises(UsageError, match="give one of model="):
        wanted_by(said)
