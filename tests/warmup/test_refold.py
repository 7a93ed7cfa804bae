"""`--refold`: archive, keep what stands, mint only what changed, rebuild above it."""

import json

import pytest
from click.testing import CliRunner

from pipeline.cli import main
from pipeline.memory.pyramid import Pyramid
from pipeline.testing.community import write_community
from tests.test_folded_import import bring_up, settle

KNOBS = "[segment]\nhead_tokens = 0\ntail_tokens = 0\ntarget_chunk_tokens = 300\n"


@pytest.fixture
def folded(tmp_path):
    """Give the folder of the invented community's agent, folded by the extractive model."""
    community = write_community(tmp_path / "corpus")
    root = tmp_path / "tilly"
    settle(root, community.folder, community.agent, community.self_user_ids, KNOBS)
    bring_up(root, "dump", "curate", "segment", "warmup")
    return root


def memories(root):
    """Give the memories by id."""
    with Pyramid(root / "pyramid.sqlite", read_only=True) as pyramid:
        return {memory.memory_id: memory for memory in pyramid.memories()}


def edit_inside(root, chunk=20):
    """Let a message in a folded chunk read differently in raw; gives its L1."""
    l1 = [m for m in memories(root).values() if m.level == 1][chunk]
    for path in sorted((root / "raw/messages").glob("*.jsonl")):
        for line in path.read_text().splitlines():
            row = json.loads(line)
            if row["id"] in l1.source_ids and row["content"] and not row["author"].get("bot"):
                row |= {"content": row["content"] + " or so", "edited_timestamp": row["timestamp"]}
                with path.open("a") as file:
                    file.write(json.dumps(row) + "\n")
                return l1
    raise AssertionError("no message to edit")


def refold(root, *flags):
    """Run warmup with --refold; gives exit code and output."""
    command = ["run", "warmup", "--refold", "--agent", str(root), *flags]
    done = CliRunner().invoke(main, command)
    return done.exit_code, done.output


def above(held, memory):
    """Give the ids of the memories above one."""
    found = []
    while memory.parent_id:
        memory = held[memory.parent_id]
        found.append(memory.memory_id)
    return found


def test_an_edited_chunk_is_minted_anew_and_only_what_stands_on_it_rebuilt(folded):
    """Every other memory keeps id and text; the archive holds the whole old pyramid."""
    old = memories(folded)
    l1 = edit_inside(folded)
    gone = {l1.memory_id, *above(old, l1)}
    assert len(gone) > 1
    code, said = refold(folded, "--apply")
    assert code == 0, said
    new = memories(folded)
    assert f"{len(old) - len(gone)} of {len(old)} memories are kept, 1 minted" in said
    assert set(old) - set(new) == gone
    assert all(new[i].text == old[i].text for i in set(old) - gone)
    assert len(new) == len(old)
    (again,) = [m for m in new.values() if m.source_ids == l1.source_ids]
    assert again.number > max(m.number for m in old.values())
    assert set(above(new, again)).isdisjoint(old)
    (archive,) = (folded / "backups").iterdir()
    with Pyramid(archive, read_only=True) as pyramid:
        assert {m.memory_id for m in pyramid.memories()} == set(old)


def test_the_plan_changes_nothing(folded):
    """Without --apply, and in a dry run, the folder stays as it is."""
    edit_inside(folded)
    before = {p: p.read_bytes() for p in folded.rglob("*") if p.is_file()}
    code, said = refold(folded, "--dry-run")
    assert code == 0, said
    assert {p: p.read_bytes() for p in folded.rglob("*") if p.is_file()} == before
    code, said = refold(folded)
    assert "Nothing was done" in said
    assert {p: p.read_bytes() for p in folded.rglob("*") if p.is_file()} == before


def test_other_knobs_cut_anew_and_answers_on_record_are_not_paid_again(folded):
    """The changed target moves boundaries: segment stops, and the refold goes through."""
    old = memories(folded)
    config = (folded / "agent.toml").read_text()
    changed = config.replace("target_chunk_tokens = 300", "target_chunk_tokens = 350")
    (folded / "agent.toml").write_text(changed)
    code, said = refold(folded, "--apply")
    assert code == 0, said
    new = memories(folded)
    kept = set(old) & set(new)
    assert all(new[i].text == old[i].text for i in kept)
    with Pyramid(folded / "pyramid.sqlite", read_only=True) as pyramid:
        ids = [i for chunk in pyramid.chunks() for i in chunk.item_ids]
    assert len(ids) == len(set(ids))
    code, said = refold(folded, "--apply")
    assert f"{len(new)} of {len(new)} memories are kept, 0 minted, 0 rebuilt" in said


def test_before_the_first_fold_there_is_nothing_to_refold(tmp_path):
    """One line, exit 2."""
    community = write_community(tmp_path / "corpus")
    root = tmp_path / "tilly"
    settle(root, community.folder, community.agent, community.self_user_ids, KNOBS)
    code, said = refold(root)
    assert code == 2
    assert "run warmup without it" in said
