"""`backfold init`: flags answer the questions, nothing is guessed, the folder is private."""

import json
import re
import stat
import sys
from dataclasses import fields

import pytest
from click.testing import CliRunner

from pipeline.cli import main
from pipeline.runner import open_house
from pipeline.testing.community import write_community
from pipeline.workspace import Workspace

BOT = "1300000000000000001"


def init(folder, *words):
    """Run init for this folder, with nobody at the terminal."""
    return CliRunner().invoke(main, ["init", "--agent", str(folder), *words])


def write_corpus(folder, *bots):
    """Write an export in which these bots speak, and one person."""
    (folder / "messages").mkdir(parents=True)
    rows = [
        {
            "id": str(1_540_057_957_662_720_000 + number),
            "channel_id": "700",
            "type": 0,
            "content": "words",
            "timestamp": "2026-08-20T18:00:30+00:00",
            "author": {"id": author, "username": f"u{author}", "bot": author in bots},
        }
        for number, author in enumerate((*bots, "9"))
    ]
    (folder / "messages" / "700.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    guild = {"self": {"id": "5", "username": "x"}, "guilds": [], "dms": []}
    (folder / "guild.json").write_text(json.dumps(guild))
    return folder


def test_what_init_writes_can_be_opened(tmp_path):
    """Every section and knob in it is one that the engine knows; the folder is private."""
    done = init(tmp_path / "tilly", "--name", "tilly", "--self", BOT, "--dm", "123")
    assert done.exit_code == 0, done.output
    house = open_house(Workspace(tmp_path / "tilly"))
    assert (house.agent.name, house.agent.self.users) == ("tilly", (BOT,))
    assert house.agent.scope.dms == ("123",)
    assert stat.S_IMODE((tmp_path / "tilly").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "tilly/agent.toml").stat().st_mode) == 0o600


def test_a_folder_that_stood_open_is_closed(tmp_path):
    """What init says of the folder holds for one that was there before, too."""
    folder = tmp_path / "tilly"
    folder.mkdir(mode=0o755)
    done = init(folder, "--name", "tilly", "--timezone", "UTC")
    assert "closed to others (0700)" in done.output
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_commented_knobs_are_knobs(tmp_path):
    """A line that init left as a comment names a knob of the section that it stands in."""
    init(tmp_path / "a", "--name", "a", "--self", BOT)
    house = open_house(Workspace(tmp_path / "a"))
    kinds = {s.name: s.knobs for s in house.stages}
    section, named = "", []
    for line in (tmp_path / "a" / "agent.toml").read_text().splitlines():
        if heading := re.fullmatch(r"\[(\w+)\]", line.partition("#")[0].strip()):
            section = heading[1]
        elif section in kinds and (knob := re.match(r"# (\w+) = ", line)):
            named.append((section, knob[1]))
    assert len(named) >= 6
    assert all(knob in {f.name for f in fields(kinds[section])} for section, knob in named)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--self", "tilly#1234"), "an id is digits only"),
        (("--timezone", "Mars/Olympus"), "no IANA name"),
        (("--shown", "some"), "give a number of messages, all, or tokens=N"),
        (("--since", "yesterday"), "give it like 2026-01-31"),
        (("--file", "nowhere"), "--file nowhere is not there"),
    ],
    ids=["id", "zone", "shown", "since", "file"],
)
def test_a_bad_answer_is_refused_before_anything_is_written(tmp_path, words, said):
    """One line, exit 2, no folder."""
    done = init(tmp_path / "a", "--name", "a", *words)
    assert done.exit_code == 2
    assert said in done.output
    assert not (tmp_path / "a").exists()


def test_one_candidate_that_bears_the_agents_name_is_taken_and_told(tmp_path):
    """There is nothing to guess; case does not count."""
    corpus = write_corpus(tmp_path / "export", BOT)
    done = init(tmp_path / "a", "--name", f"U{BOT}", "--file", str(corpus))
    assert done.exit_code == 0, done.output
    assert open_house(Workspace(tmp_path / "a")).agent.self.users == (BOT,)
    assert f"[self] has user {BOT}" in done.output


def test_one_candidate_of_another_name_is_not_taken(tmp_path):
    """It is listed; exit 3, [self] stays empty."""
    corpus = write_corpus(tmp_path / "export", BOT)
    done = init(tmp_path / "a", "--name", "tilly", "--file", str(corpus))
    assert done.exit_code == 3
    assert f"1  user {BOT}" in done.output
    assert open_house(Workspace(tmp_path / "a")).agent.self.users == ()


def at_a_terminal(monkeypatch, folder, answers, *words):
    """Run init with somebody who gives these answers, one a line."""
    monkeypatch.setattr(sys.modules["pipeline.cli.init"], "is_asked", lambda: True)
    told = "".join(f"{answer}\n" for answer in answers)
    return CliRunner().invoke(main, ["init", "--agent", str(folder), *words], input=told)


ALL_BUT_SELF = ("--timezone", "UTC", "--shown", "all", "--model", "extractive", "--name", "tilly")


@pytest.mark.parametrize(
    ("answers", "held"),
    [
        (["9", "1"], (BOT,)),
        (["abc", "none"], ()),
        (["0"], ()),
        (["1 9", "1 1"], (BOT,)),
        (["1 0", "1"], (BOT,)),
        ([""], ()),
    ],
    ids=["beyond", "word", "nought", "half", "nought among", "just enter"],
)
def test_only_numbers_of_the_list_choose(tmp_path, monkeypatch, answers, held):
    """What is not on the list is told and asked again; nought is nobody; twice is once."""
    corpus = write_corpus(tmp_path / "export", BOT)
    done = at_a_terminal(monkeypatch, tmp_path / "a", answers, *ALL_BUT_SELF, "--file", str(corpus))
    assert done.exit_code == 0, done.output
    assert open_house(Workspace(tmp_path / "a")).agent.self.users == held
    assert done.output.count("is not on the list (1\u20131); 0 for none") == len(answers) - 1


def test_a_bad_answer_is_asked_again_at_its_own_question(tmp_path, monkeypatch):
    """No answer is lost for it, and the questions are numbered as they come."""
    answers = ["tilly", "nowhere.json", "discord", "Mars/Olympus", "Asia/Tokyo", "some", "all", ""]
    done = at_a_terminal(monkeypatch, tmp_path / "a", answers)
    assert done.exit_code == 0, done.output
    numbers = [int(n) for n in re.findall(r"^(\d)\. ", done.output, flags=re.MULTILINE)]
    assert numbers == [1, 2, 2, 3, 3, 4, 4, 5, 6]
    assert open_house(Workspace(tmp_path / "a")).agent.timezone == "Asia/Tokyo"


def test_between_two_nothing_is_guessed(tmp_path):
    """Both are told with counts and dates; exit 3, [self] stays empty."""
    corpus = write_corpus(tmp_path / "export", BOT, "1300000000000000002")
    done = init(tmp_path / "a", "--name", "a", "--file", str(corpus))
    assert done.exit_code == 3
    assert done.output.count("1 messages, 2026-08-20 to 2026-08-20") == 2
    assert open_house(Workspace(tmp_path / "a")).agent.self.users == ()


def test_a_folder_that_is_there_is_not_overwritten(tmp_path):
    """Another init with answers is refused."""
    init(tmp_path / "a", "--name", "a", "--self", BOT)
    before = (tmp_path / "a/agent.toml").read_bytes()
    done = init(tmp_path / "a", "--name", "b", "--self", BOT)
    assert done.exit_code == 2
    assert (tmp_path / "a/agent.toml").read_bytes() == before


def test_a_recipe_gives_name_zone_and_prompt(tmp_path):
    """The prompt becomes persona.md."""
    recipe = {
        "name": "T",
        "agent": {"name": "tilly", "timezone": "Asia/Tokyo", "systemPrompt": "You are Tilly."},
    }
    (tmp_path / "recipe.json").write_text(json.dumps(recipe))
    done = init(tmp_path / "a", "--recipe", str(tmp_path / "recipe.json"), "--self", BOT)
    assert done.exit_code == 0, done.output
    house = open_house(Workspace(tmp_path / "a"))
    assert (house.agent.name, house.agent.timezone) == ("tilly", "Asia/Tokyo")
    assert house.agent.persona == "You are Tilly."


def test_the_demo_community_can_be_begun_by_flags(tmp_path):
    """Everything that its owner knows fits into init's flags."""
    community = write_community(tmp_path / "corpus")
    own = [word for account in community.self_user_ids for word in ("--self", account)]
    words = (
        "--name",
        community.agent,
        "--timezone",
        community.timezone,
        "--file",
        str(community.folder),
    )
    done = init(tmp_path / "a", *words, *own)
    assert done.exit_code == 0, done.output


def test_what_changes_nothing_in_raw_leaves_dump_fresh(tmp_path):
    """Init writes [self] after its own dump; pace and people are nothing to raw, scope is."""
    corpus = write_corpus(tmp_path / "export", BOT)
    folder = tmp_path / "a"
    init(folder, "--name", f"u{BOT}", "--file", str(corpus))

    def why(**sets):
        house = open_house(
            Workspace(folder), sets={k.replace("__", "."): v for k, v in sets.items()}
        )
        return house.stale(house.stage("dump"))

    assert why() is None
    assert why(dump__max_requests_per_second=2.0, self__users=["9"]) is None
    assert why(dump__attachments="none") == "attachments images → none"
    assert why(scope__channels=["5"]).startswith("scope.channels")
