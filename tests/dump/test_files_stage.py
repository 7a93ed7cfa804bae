"""The stage `dump` with `source = "files"`, as a person runs it."""

import pytest
from click.testing import CliRunner

from pipeline.cli import main
from stages.dump import DumpKnobs, judge_of


def test_the_knobs_for_attachments_choose_files_too():
    """Kind and size, as for what is fetched."""

    def row(name, kind, size):
        return {"channel_id": "1", "message_id": "2", "attachment_id": "3", "filename": name,
                "content_type": kind, "size": size}  # fmt: skip

    judge = judge_of(DumpKnobs())
    assert judge(row("a.png", "image/png", 10)) is None
    assert judge(row("a.mp4", "video/mp4", 10))[0] == "not asked"
    assert judge(row("a.png", "image/png", 9_000_000))[0] == "too large"
    assert judge_of(DumpKnobs(attachments="none"))(row("a.png", "image/png", 10))


def write_nothing(_folder):
    """Leave the folder of exports empty."""


def write_damaged(folder):
    """An export that is no JSON at all."""
    (folder / "a.json").write_text("not this")


def write_strange(folder):
    """JSON that is no export."""
    (folder / "package.json").write_text('{"name": "x"}')


@pytest.mark.parametrize("dry", [(), ("--dry-run",)], ids=["run", "dry run"])
def test_an_empty_folder_is_no_success(tmp_path, dry):
    """Exit 3, with the place, what was looked for and what to do; also in a dry run."""
    done = dump_from(tmp_path, write_nothing, *dry)
    assert done.exit_code == 3
    assert f"no export in {tmp_path / 'exports'} (looked for *.json" in done.stderr
    assert "change agent.files" in done.stderr


@pytest.mark.parametrize("write", [write_damaged, write_strange])
def test_a_folder_without_a_readable_export_is_no_success(tmp_path, write):
    """What lies there can not be read as an export: exit 3."""
    done = dump_from(tmp_path, write)
    assert done.exit_code == 3
    assert f"no export in {tmp_path / 'exports'}" in done.stderr


def dump_from(folder, write, *words):
    """Run dump for an agent whose exports this wrote."""
    (folder / "exports").mkdir()
    write(folder / "exports")
    (folder / "a").mkdir()
    (folder / "a" / "agent.toml").write_text(
        f'[agent]\nname = "a"\nsource = "files"\nfiles = ["{folder / "exports"}"]\n'
    )
    return CliRunner().invoke(main, ["run", "dump", "--agent", str(folder / "a"), *words])


def test_curate_and_doctor_say_what_to_do_for_files(tmp_path):
    """Dump alone would not help: exports belong there first."""
    dump_from(tmp_path, write_nothing)
    curate = CliRunner().invoke(main, ["run", "curate", "--only", "--agent", str(tmp_path / "a")])
    assert "put exports where agent.files says" in curate.stderr
    doctor = CliRunner().invoke(main, ["doctor", "--agent", str(tmp_path / "a")])
    assert "put exports there or change agent.files" in doctor.output
