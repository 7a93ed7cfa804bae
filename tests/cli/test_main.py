"""The command line: one line for what we know, a traceback for bugs, the right exit code."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from pipeline.cli import GLOSSARY, main
from pipeline.errors import SourceError, UsageError

ROOT = Path(__file__).resolve().parents[2]


def backfold(*words, folder, **env):
    """Run the command in a folder of its own, as a person would."""
    return subprocess.run(
        [sys.executable, "-c", "from pipeline.cli import main; main()", *words],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **env},
        capture_output=True,
        text=True,
    )


def test_no_agent_at_all_is_told_with_the_next_step(tmp_path):
    """Usage error: exit 2, one line, nothing on stdout."""
    done = backfold("run", "curate", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "backfold init" in done.stderr


def test_an_unknown_stage_lists_the_known(tmp_path):
    """With the agent's folder there."""
    (tmp_path / "agent.toml").write_text('[agent]\nname = "a"\n')
    done = backfold("run", "fold", "--agent", str(tmp_path), folder=tmp_path)
    assert done.returncode == 2
    assert "no stage called fold; there are dump, curate, segment" in done.stderr


def test_an_option_of_a_stage_that_is_not_named_is_refused(tmp_path):
    """--compare belongs to segment."""
    (tmp_path / "agent.toml").write_text('[agent]\nname = "a"\n')
    done = backfold("run", "curate", "--compare", "--agent", str(tmp_path), folder=tmp_path)
    assert done.returncode == 2
    assert "--compare belongs to segment" in done.stderr


def test_a_read_only_folder_is_one_line(tmp_path, monkeypatch):
    """What the disk refuses is told with the file and what to do."""

    def refuse(*_args, **_kwargs):
        raise PermissionError(13, "Permission denied", "/somewhere/else")

    monkeypatch.setattr("pipeline.workspace.all_workspaces", refuse)
    done = CliRunner().invoke(main, ["status"])
    assert done.exit_code == 1
    assert "Permission denied (/somewhere/else); give yourself the right" in done.stderr


@pytest.mark.parametrize(("error", "code"), [(SourceError("a\nb"), 1), (UsageError("a b"), 2)])
def test_our_own_errors_are_one_line_with_their_code(monkeypatch, error, code):
    """Also where the words hold a line break."""

    def fail(*_args, **_kwargs):
        raise error

    monkeypatch.setattr("pipeline.workspace.all_workspaces", fail)
    done = CliRunner().invoke(main, ["status"])
    assert (done.exit_code, done.stderr) == (code, "backfold: a b\n")


def test_a_bug_keeps_its_traceback(monkeypatch):
    """Only what we know becomes a line."""

    def bug(*_args, **_kwargs):
        raise ZeroDivisionError

    monkeypatch.setattr("pipeline.workspace.all_workspaces", bug)
    assert isinstance(CliRunner().invoke(main, ["status"]).exception, ZeroDivisionError)


def test_an_interrupt_ends_with_130(monkeypatch):
    """And says that what was done is kept."""

    def interrupt(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("pipeline.workspace.all_workspaces", interrupt)
    done = CliRunner().invoke(main, ["status"])
    assert done.exit_code == 130
    assert "what was done is kept" in done.stderr


def test_the_glossary_has_ten_words():
    """Help explains the field's words."""
    words = re.findall(r"^  (\w[\w-]*)  +\w", GLOSSARY, flags=re.MULTILINE)
    assert len(words) == 10
    assert "fan-in" in CliRunner().invoke(main, ["--help"]).output


def test_doctor_gives_json_too():
    """Every condition with its name, state and what to do."""
    done = CliRunner().invoke(main, ["doctor", "--json"])
    assert {"name", "state", "says", "do"} == set(json.loads(done.output)[0])


def test_doctor_tells_which_keys_are_set_and_never_their_values():
    """Names only."""
    done = CliRunner().invoke(main, ["doctor"], env={"OPENAI_API_KEY": "sk-very-secret-value"})
    assert "OPENAI_API_KEY" in done.output
    assert "very-secret" not in done.output


def test_doctor_names_what_is_open_to_others(tmp_path):
    """A loose mode is a failed condition, with the command that mends it."""
    (tmp_path / "agent.toml").write_text('[agent]\nname = "a"\n')
    tmp_path.chmod(0o755)
    done = backfold("doctor", "--agent", str(tmp_path), folder=tmp_path)
    assert done.returncode == 3
    assert f"chmod -R go= {tmp_path}" in done.stdout


def test_the_double_says_what_to_paste():
    """Its token and the knob with its address; both are what `run dump` takes."""
    from pipeline.testing.double import TOKEN
    from pipeline.testing.double.server import how_to_dump

    told = "\n".join(how_to_dump("http://127.0.0.1:8/api/v10", TOKEN))
    assert f"export DISCORD_TOKEN={TOKEN}" in told
    assert "--set dump.api_base=http://127.0.0.1:8/api/v10" in told


def write_agent(folder, text):
    """Put an agent.toml there."""
    folder.mkdir(parents=True)
    (folder / "agent.toml").write_text(text)


def test_one_bad_agent_hides_none_of_the_others(tmp_path):
    """Status tells the good ones, one line for the broken one, and ends with exit 2."""
    write_agent(tmp_path / "data/a", '[agent]\nname = "a"\n[segment]\ngap_minutes = "abc"\n')
    write_agent(tmp_path / "data/b", '[agent]\nname = "b"\n')
    done = backfold("status", folder=tmp_path)
    assert done.returncode == 2
    assert "b  (data/b)" in done.stdout
    said = 'segment.gap_minutes = "abc"; it should be a whole number (data/a/agent.toml)'
    assert done.stderr == f"a  {said}\n"


def test_a_folder_that_may_not_be_read_is_told(tmp_path, monkeypatch):
    """It says read, not write, and does not say that there are no agents."""
    write_agent(tmp_path / "data/a", '[agent]\nname = "a"\n')
    monkeypatch.chdir(tmp_path)

    def refuse(self):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "is_file", refuse)
    monkeypatch.setattr(Path, "read_bytes", refuse)
    done = CliRunner().invoke(main, ["status"])
    assert done.exit_code == 1
    assert "no right to read it" in done.stderr
    assert "no agents" not in done.stdout
    monkeypatch.setattr("os.access", lambda path, mode: False)
    done = CliRunner().invoke(main, ["status", "--agent", "a"])
    assert "give yourself the right to read there" in done.stderr


def test_show_takes_no_fewer_rows_than_one(tmp_path):
    """Usage error."""
    done = backfold("show", "rooms", "--rows", "-1", folder=tmp_path)
    assert done.returncode == 2


@pytest.mark.parametrize(
    ("source", "who", "said"),
    [
        ("discord", "abc", "--open-dm abc: an id is digits only"),
        ("files", "123", "--open-dm belongs to Discord"),
    ],
)
def test_a_dm_is_opened_for_an_id_and_on_discord_only(tmp_path, source, who, said):
    """Both are refused before anything goes out: exit 2."""
    write_agent(tmp_path / "a", f'[agent]\nname = "a"\nsource = "{source}"\nfiles = ["."]\n')
    words = ("run", "dump", "--open-dm", who, "--agent", str(tmp_path / "a"))
    done = backfold(*words, folder=tmp_path, DISCORD_TOKEN="x" * 30)
    assert done.returncode == 2
    assert said in done.stderr


def test_exports_that_are_not_there_are_a_usage_error(tmp_path):
    """Exit 2: a path of agent.toml is wrong."""
    words = '[agent]\nname = "a"\nsource = "files"\nfiles = ["nowhere"]\n'
    write_agent(tmp_path / "a", words)
    done = backfold("run", "dump", "--agent", str(tmp_path / "a"), folder=tmp_path)
    assert done.returncode == 2
    assert "nowhere: not there" in done.stderr


def test_help_of_run_shows_its_examples_as_lines(tmp_path):
    """Without the mark that keeps them apart, and with words for what options take."""
    done = backfold("run", "--help", folder=tmp_path)
    assert "\\b" not in done.stdout
    assert "  backfold run dump curate segment --agent tilly\n" in done.stdout
    assert "--agent NAME|PATH" in done.stdout


def test_sigterm_is_a_line_as_ctrl_c_is(monkeypatch):
    """Exit 143, and what to do next."""
    monkeypatch.setattr(
        "pipeline.workspace.all_workspaces", lambda: os.kill(os.getpid(), signal.SIGTERM)
    )
    done = CliRunner().invoke(main, ["status"])
    assert done.exit_code == 143
    assert "stopped (SIGTERM); what was done is kept" in done.stderr
