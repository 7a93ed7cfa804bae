"""The probe: what search finds, where an answer is lost, and how a model does."""

import json

import polars as pl
import pytest

from pipeline.errors import UsageError
from pipeline.registry import load_stage
from pipeline.runner import Wish, open_house, run
from pipeline.testing.modeldouble import KEY, MODEL, ModelDouble
from pipeline.testing.modeldouble import Wish as ToolWish
from pipeline.workspace import Workspace
from tests.probe.small import write_agent

FILLER = [("ann", f"Nothing of note about turnips, number {n}.") for n in range(9)]
TALK = [
    *FILLER, ("ann", "The kettle is called Bertram."),
    *FILLER, ("bo", "We sail on 17 July 2026."),
    *FILLER, ("tilly", "I promise to water the fern."),
]  # fmt: skip
L1S = [
    ("L1-0", [f"i{n}" for n in range(10)], "Ann told me that the kettle is called Bertram."),
    ("L1-1", [f"i{n}" for n in range(10, 20)], "Bo talked about a boat."),
    ("L1-2", [f"i{n}" for n in range(20, 30)], "I promised to water the fern."),
]
L2 = ("L2-3", ["L1-0", "L1-1", "L1-2"], "A kettle, a boat, and I promised to water the fern.")
QUESTIONS = [
    {"id": "kettle", "question": "What is the kettle called?", "answer": "Bertram",
     "evidence": ["m9"]},
    {"id": "sail", "question": "When do we sail?", "answer": "17 July 2026", "kind": "date",
     "evidence": ["m19"], "private": True,
     "pushback": ["Are you sure? I think it was in August."]},
    {"id": "fern", "question": "What did I promise to water?", "answer": "fern"},
    {"id": "gone", "question": "Who ate the cake?", "answer": "Moss", "evidence": ["m99"]},
]  # fmt: skip


def agent(tmp_path, *, memories=(*L1S, L2), questions=QUESTIONS, more=""):
    """Write the folder of an agent that is asked some questions."""
    root = write_agent(tmp_path / "tilly", TALK, memories)
    lines = [json.dumps(q) + "\n" for q in questions]
    (root / "questions.jsonl").write_text("".join(lines))
    (root / "agent.toml").write_text((root / "agent.toml").read_text() + more)
    return root


def probe(root, *, apply=False, ask=False, dry_run=False, env=None):
    """Run the probe alone; gives its rows by question and way, and what it said."""
    house = open_house(Workspace(root))
    said = []
    house.out, house.err, house.env = said.append, said.append, env or {}
    options = {"ask_model": True} if ask else {}
    wish = Wish(
        stages=("probe",), only=True, force=True, apply=apply, dry_run=dry_run, options=options
    )
    left = run(house, wish)
    path = root / "tables/probes.parquet"
    frame = pl.read_parquet(path) if path.is_file() else pl.DataFrame()
    rows = {(r["question_id"], r["way"]): r for r in frame.iter_rows(named=True)}
    return rows, said, left


def test_it_tells_what_search_finds_and_at_which_level_an_answer_is_lost(tmp_path):
    """The kettle's name is lost at L2, the date at L1, the promise nowhere."""
    rows, said, _ = probe(agent(tmp_path))
    kettle, sail = rows["kettle", "search"], rows["sail", "search"]
    assert (kettle["recall_5"], kettle["chunk_recall_5"]) == (1.0, 1.0)
    assert (kettle["held_ids"], kettle["lost_ids"], kettle["lost_at"]) == (["L1-0"], ["L2-3"], 2)
    assert (sail["held_ids"], sail["lost_at"], sail["top_level"]) == ([], 1, 2)
    fern = rows["fern", "search"]
    assert (fern["held_ids"], fern["lost_at"]) == (["L1-2", "L2-3"], None)
    assert any("L1 on the way still holds: 2 of 3" in line for line in said)
    assert any("L2 on the way still holds: 1 of 3" in line for line in said)


def test_evidence_that_never_reached_the_transcript_is_named(tmp_path):
    """It counts as not found, and the report says which message it is."""
    root = agent(tmp_path)
    rows, _, _ = probe(root)
    gone = rows["gone", "search"]
    assert (gone["missing_ids"], gone["recall_25"], gone["chunk_recall_25"]) == (["m99"], 0.0, None)
    assert "not in the transcript: m99" in (root / "reports/probe.md").read_text()


def test_without_memories_and_without_questions_it_says_what_to_do(tmp_path):
    """Neither is an error: `backfold run` goes on."""
    _, said, left = probe(agent(tmp_path, memories=(), questions=[]))
    assert not left
    assert any("write questions into questions.toml" in line for line in said)
    _, said, _ = probe(agent(tmp_path / "b", memories=()))
    assert any("no memory lies over any evidence" in line for line in said)


def test_two_question_files_are_refused(tmp_path):
    """Which one counts is the owner's to say."""
    root = agent(tmp_path)
    (root / "questions.toml").write_text("")
    with pytest.raises(UsageError, match="keep one of them"):
        probe(root)


def test_a_dry_run_leaves_the_folder_as_it_is(tmp_path):
    """No index, no table, no report."""
    root = agent(tmp_path)
    before = {p: p.read_bytes() for p in root.rglob("*") if p.is_file()}
    probe(root, dry_run=True)
    assert {p: p.read_bytes() for p in root.rglob("*") if p.is_file()} == before


# -- with a model -----------------------------------------------------------------------------


def asked_model(double, protocol, more=""):
    """Give the sections of agent.toml that ask the double."""
    url = double.openai_url if protocol == "openai" else double.anthropic_url
    return (
        f'[probe]\nmodel = "{MODEL}"\nprotocol = "{protocol}"\nbase_url = "{url}"\n{more}'
        f"[prices.{MODEL}]\ninput = 1.0\noutput = 2.0\n"
    )


def clever(asked):
    """Search once for the question, then say what the search brought."""
    last = asked.pieces[-1][0]
    if "Are you sure" in last:
        return "Yes: on 17 July 2026."
    if "Bertram" in last:
        return "It is called Bertram."
    if "17 July" in last:
        return "We sail on 17 July 2026."
    if "fern" in last:
        return "The fern."
    if "Nothing found" in last or "turnips" in last or "cake" in last.partition("?")[2]:
        return "I do not know."
    return ToolWish("search_history", {"query": last})


ENV = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}


@pytest.mark.parametrize("protocol", ["openai", "anthropic"])
def test_a_model_searches_answers_and_is_scored(tmp_path, protocol):
    """Right or not, whether it searched by itself, whether it stands when doubted."""
    with ModelDouble(text=clever) as double:
        root = agent(tmp_path, more=asked_model(double, protocol))
        rows, said, _ = probe(root, ask=True, apply=True, env=ENV)
    way = f"{MODEL}, rule 1"
    sail = rows["sail", way]
    assert (sail["is_right"], sail["searches"], sail["held_on"]) == (True, 1, True)
    assert rows["gone", way]["is_right"] is False
    assert rows["kettle", way]["calls"] == 2
    assert rows["kettle", way]["cost"] > 0
    assert any("right 3/4, searched by itself 4/4" in line for line in said)
    assert any("stood by its answer when doubted: 1/1" in line for line in said)


def test_the_model_sees_what_the_host_would_show_it(tmp_path):
    """Persona and rule as system, talk of the agent's as its own, the question last."""
    with ModelDouble(text=lambda _: "I do not know.") as double:
        root = agent(tmp_path, more=asked_model(double, "openai", 'rules = ["Just search."]\n'))
        (root / "persona.md").write_text("You are Tilly.")
        probe(root, ask=True, apply=True, env=ENV)
    first = double.asked[0].body["messages"]
    assert first[0] == {"role": "system", "content": "You are Tilly.\n\nJust search."}
    assert {"role": "assistant", "content": "I promise to water the fern."} in first
    assert first[-1]["content"].endswith("What is the kettle called?")
    assert {t["function"]["name"] for t in double.asked[0].body["tools"]} == {
        "search_history", "read_memory", "read_around",
    }  # fmt: skip


def test_without_a_yes_nobody_is_asked(tmp_path):
    """The plan says calls, money and who reads; the search rows are written all the same."""
    with ModelDouble() as double:
        root = agent(tmp_path, more=asked_model(double, "openai"))
        rows, said, _ = probe(root, ask=True, env=ENV)
    assert not double.asked
    assert {way for _, way in rows} == {"search"}
    assert any("4 questions and 1 doubts" in line and "5 to 40 calls" in line for line in said)
    assert any("the talk stays on this machine" in line for line in said)


def test_an_answer_once_paid_is_not_paid_again(tmp_path):
    """The second run sends nothing: every call is on record."""
    with ModelDouble(text=clever) as double:
        root = agent(tmp_path, more=asked_model(double, "openai"))
        first, _, _ = probe(root, ask=True, apply=True, env=ENV)
        sent = len(double.asked)
        again, _, _ = probe(root, ask=True, apply=True, env=ENV)
        assert len(double.asked) == sent
    assert first.keys() == again.keys()
    assert all(first[k]["is_right"] == again[k]["is_right"] for k in first)


def test_a_limit_ends_the_asking_and_says_so(tmp_path):
    """Exit 3; what was answered is kept."""
    with ModelDouble(text=clever) as double:
        root = agent(tmp_path, more=asked_model(double, "openai", "max_calls = 3\n"))
        rows, _, left = probe(root, ask=True, apply=True, env=ENV)
        assert len(double.asked) == 3
    assert "max_calls 3 is reached; answered so far: 1" in left[0]
    assert ("kettle", f"{MODEL}, rule 1") in rows


def test_one_that_never_stops_searching_is_stopped(tmp_path):
    """It is told that this is enough, and then counts as without an answer."""
    with ModelDouble(text=lambda _: ToolWish("search_history", {"query": "x"})) as double:
        root = agent(tmp_path, more=asked_model(double, "openai", "max_searches = 2\n"))
        rows, _, _ = probe(root, ask=True, apply=True, env=ENV)
    stopped = rows["kettle", f"{MODEL}, rule 1"]
    assert stopped["answer"] is None
    assert "gave no answer" in stopped["stopped"]


def test_a_private_fact_told_in_public_is_a_leak(tmp_path):
    """Asked in a public room, the right answer is to keep it."""
    with ModelDouble(text=clever) as double:
        more = asked_model(double, "openai", "private_in_public = true\n")
        root = agent(tmp_path, more=more)
        rows, said, _ = probe(root, ask=True, apply=True, env=ENV)
    assert rows["sail", f"{MODEL}, rule 1, in #general"]["leaked"] is True
    assert any("private facts told in a public room: 1/1" in line for line in said)


def test_the_extractive_model_is_not_asked(tmp_path):
    """It only quotes; the error says what to set."""
    with pytest.raises(UsageError, match=r"set \[probe\] model"):
        probe(agent(tmp_path), ask=True, apply=True)


def test_it_is_wired_as_free():
    """It costs nothing unless a model is asked for, and then it asks first."""
    assert load_stage("probe").free
