"""What a curation says, in a dry run and in earnest, and that a dry run writes nothing."""

import pytest

from pipeline.errors import StageError
from stages.curate import curate
from tests.curate.build import AGENT, ANN, BO, DM, ME, SHED, YARD, context, message, run, write_raw

TALK = {
    YARD: [
        message(0, ANN, "hey", to_me=True),
        message(60, ME, "yes?"),
        message(120, ME, "a", type=20),
        message(180, ME, "unasked"),
        message(240, BO, "", to_me=True),
    ],
    SHED: [message(300 + n, BO, f"line {n}", to_me=True, low=1) for n in range(20)],
}

NOBODY = AGENT.replace(ME, "999")


def said(root, **how):
    lines = []
    curate.run(context(root, said=lines, **how))
    return lines


def test_a_dry_run_says_the_same_and_writes_nothing(tmp_path):
    """Every byte and time of the folder stays; the words are those of the run."""
    write_raw(tmp_path, TALK)
    context(tmp_path)
    before = {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in tmp_path.rglob("*")}
    dry = []
    ctx = context(tmp_path, dry_run=True, said=dry)
    before[tmp_path / "agent.toml"] = None
    curate.run(ctx)
    after = {p: (p.stat().st_mtime_ns, p.stat().st_size) for p in tmp_path.rglob("*")}
    after[tmp_path / "agent.toml"] = None
    assert after == before
    assert dry == said(tmp_path)
    assert (tmp_path / "reports/curate.md").exists()


def test_the_summary_names_participants_rooms_reasons_and_questions(tmp_path):
    """Counts with who is self, rooms, what is left out and why, answers without a question."""
    write_raw(tmp_path, TALK)
    lines = said(tmp_path)
    text = "\n".join(lines)
    assert lines[0].startswith("25 messages in 2 rooms: 25 selected, 1 of them left out; 0 not")
    assert "          3 of         3  tilly (self)" in text
    assert "         20       0         0  #shed in Lantern Yard" in text
    assert "          1  no text, attachment or forward" in text
    assert "1 answers to commands" in text
    assert "1 turns since which nobody else" in text


def test_the_first_ten_and_last_three_are_shown_as_they_will_read(tmp_path):
    """In the agent's own time, its own words marked."""
    write_raw(tmp_path, TALK)
    lines = said(tmp_path)
    begin, end = lines.index("the beginning, as the agent will read it"), lines.index("the end")
    assert end - begin - 1 == 10
    assert len(lines) - end - 1 == 3
    assert lines[begin + 1] == "  2026-01-05 12:00   [#yard in Lantern Yard] ann: hey"
    assert lines[begin + 2] == "  2026-01-05 12:01 > yes?"
    assert lines[-1].endswith("bo: line 19")


def test_several_rooms_without_a_recipe_ask_to_think_about_routing(tmp_path):
    """Not with one room, and not where the routing was chosen."""
    asks = "think about routing"
    (tmp_path / "a").mkdir()
    assert asks in "\n".join(run(tmp_path / "a", TALK).said)
    assert asks not in "\n".join(said(tmp_path / "a", routing="locus"))
    (tmp_path / "b").mkdir()
    assert asks not in "\n".join(run(tmp_path / "b", {DM: [message(0)]}).said)


def test_nobody_being_the_agent_is_said(tmp_path):
    """A wrong id in [self] shows at once."""
    agent = '[agent]\nname = "tilly"\n[self]\nusers = ["1"]'
    found = run(tmp_path, {DM: [message(0)]}, agent=agent)
    assert any("nobody here is the agent" in line for line in found.said)


def test_a_run_leaves_private_files(tmp_path):
    """Tables and reports hold private talk: nobody else may read them."""
    run(tmp_path, TALK)
    modes = {p.name: oct(p.stat().st_mode & 0o777) for p in (tmp_path / "tables").iterdir()}
    assert set(modes.values()) == {"0o600"}


def test_rooms_that_are_half_read_leave_it_unfinished(tmp_path):
    """A dump that was stopped is told before anything is folded on it."""
    left = []
    manifest = {"version": 1, "source": "discord", "channels": [
        {"channel_id": "1", "status": "complete"}, {"channel_id": "2", "status": "pending"},
    ]}  # fmt: skip
    write_raw(tmp_path, TALK, manifest=manifest)
    curate.run(context(tmp_path, left=left))
    assert any("1 rooms are not read to their end, the first is 2" in reason for reason in left)


def test_an_empty_transcript_never_replaces_one_that_holds_something(tmp_path):
    """A mistyped id in [self] costs an error, not the transcript."""
    write_raw(tmp_path, TALK)
    curate.run(context(tmp_path))
    path = tmp_path / "tables/transcript.parquet"
    before = path.read_bytes()
    with pytest.raises(StageError, match=r"the transcript of \d+ items is kept"):
        curate.run(context(tmp_path, agent=NOBODY))
    assert path.read_bytes() == before


def test_nobody_being_the_agent_leaves_it_unfinished(tmp_path):
    """Exit 3, and where to look for who it could be."""
    left = []
    write_raw(tmp_path, {YARD: [message(0)]})
    curate.run(context(tmp_path, agent=NOBODY, left=left))
    assert any("nobody in raw is the agent" in reason for reason in left)
