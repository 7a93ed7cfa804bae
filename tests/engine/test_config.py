"""agent.toml is refused early and kindly."""

import json
from dataclasses import dataclass

import pytest

from pipeline.config import build, load_agent, moment
from pipeline.errors import UsageError
from pipeline.knobs import knobs_of, read_value


@dataclass(frozen=True)
class Inner:
    """A record in a knob."""

    pattern: str  # what to look for
    times: int = 1  # how often


@dataclass(frozen=True)
class Knobs:
    """Knobs for the tests."""

    gap_minutes: int = 60  # silence that closes
    rules: tuple[Inner, ...] = ()  # what to rewrite


def write(folder, text):
    (folder / "agent.toml").write_text(text, encoding="utf-8")
    return folder


def load(folder, **sets):
    return load_agent(folder, ("segment", "curate", "warmup"), sets)


def test_an_unknown_section_lists_the_known(tmp_path):
    """The error names the section and what there is."""
    write(tmp_path, '[agent]\nname = "a"\n[segmnt]\n')
    with pytest.raises(UsageError, match=r"no section \[segmnt\] \(did you mean segment\?\); it"):
        load(tmp_path)


def test_an_unknown_knob_lists_the_known():
    """Also inside a record in a list."""
    with pytest.raises(UsageError, match="segment: no knob called gap; it has gap_minutes, rules"):
        build(Knobs, "segment", {"gap": 1})
    with pytest.raises(UsageError, match=r"segment.rules\[0\]: no knob called patern"):
        build(Knobs, "segment", {"rules": [{"patern": "x"}]})


def test_a_value_of_the_wrong_kind_is_named_with_its_place():
    """Text where a number belongs."""
    with pytest.raises(UsageError, match='segment.gap_minutes = "60"; it should be a whole number'):
        build(Knobs, "segment", {"gap_minutes": "60"})


def test_a_secret_in_the_file_is_refused_with_the_reason():
    """Tokens come from the environment only."""
    with pytest.raises(UsageError, match="secrets come from the environment only"):
        build(Knobs, "dump", {"token": "x"})


def test_a_time_zone_must_exist(tmp_path):
    """The error gives an example."""
    write(tmp_path, '[agent]\nname = "a"\ntimezone = "Mars/Olympus"\n')
    with pytest.raises(
        UsageError, match=r"'Mars/Olympus' is no IANA name; for example Europe/Berlin"
    ):
        load(tmp_path)


def test_bom_and_crlf_are_read(tmp_path):
    """A file saved by an editor on Windows."""
    (tmp_path / "agent.toml").write_bytes(b'\xef\xbb\xbf[agent]\r\nname = "a"\r\n')
    assert load(tmp_path).name == "a"


def test_a_number_in_recipe_and_file_that_differs_names_both(tmp_path):
    """So does one given for this run only."""
    recipe = {"name": "T", "agent": {"name": "a", "strategy": {"segmentGapMinutes": 60}}}
    (tmp_path / "recipe.json").write_text(json.dumps(recipe))
    write(tmp_path, '[agent]\nname = "a"\nrecipe = "recipe.json"\n[segment]\ngap_minutes = 90\n')
    with pytest.raises(
        UsageError, match=r"segment.gap_minutes is 90 in agent.toml and 60 in recipe.json"
    ):
        load(tmp_path)


def test_the_recipe_fills_in_what_the_file_leaves_out(tmp_path):
    """Numbers, routing and zone come from the recipe."""
    recipe = {
        "name": "T",
        "agent": {
            "name": "a",
            "timezone": "Asia/Tokyo",
            "proseRouting": "explicit",
            "strategy": {"headWindowTokens": 1_000},
        },
    }
    (tmp_path / "recipe.json").write_text(json.dumps(recipe))
    agent = load(write(tmp_path, '[agent]\nname = "a"\nrecipe = "recipe.json"\n'))
    assert agent.timezone == "Asia/Tokyo"
    assert agent.stages["segment"] == {"head_tokens": 1_000}
    assert agent.stages["curate"] == {"routing": "explicit"}


def test_set_overrules_for_one_run(tmp_path):
    """Values are read as TOML where they are TOML."""
    write(tmp_path, '[agent]\nname = "a"\n')
    agent = load(tmp_path, **{"segment.gap_minutes": 90})
    assert agent.stages["segment"] == {"gap_minutes": 90}
    assert [read_value("90"), read_value("true"), read_value("locus")] == [90, True, "locus"]


def test_moments_without_offset_are_utc():
    """A bad one says how to write it."""
    assert moment("2026-01-31", "scope.since").isoformat() == "2026-01-31T00:00:00+00:00"
    with pytest.raises(UsageError, match="scope.since is 'yesterday'; give it like 2026-01-31"):
        moment("yesterday", "scope.since")


def test_knobs_are_listed_with_what_they_say():
    """The comment behind the knob is its help."""
    assert [(k.name, k.default, k.says) for k in knobs_of("segment", Knobs)] == [
        ("gap_minutes", "60", "silence that closes"),
        ("rules", "[]", "what to rewrite"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[agent]\nname = "a"\n[self]\nusers = [123]', "self.users[0] = 123; it should be text in"),
        ('[agent]\nname = "a"\n[self]\nusers = [123]', "put the id in quotes"),
        ('[agent]\nname = "a"\n[self]\nusers = "1"', "it should be a list"),
        ('[agent]\ntimezone = "UTC"', "agent.name is missing; add name ="),
        ('[agent]\nname = "a"\n[self]\nuser = []', "no knob called user (did you mean users?)"),
        ("[agent\n", "line 1"),
    ],
    ids=["id", "quotes", "list", "missing", "misspelt", "toml"],
)
def test_what_is_wrong_names_value_file_and_what_to_do(tmp_path, text, said):
    """One line says all three."""
    write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        load_agent(tmp_path, ("segment",), {})
    assert said in str(caught.value)
    assert str(tmp_path / "agent.toml") in str(caught.value)


def test_a_value_of_the_command_line_is_not_looked_for_in_the_file(tmp_path):
    """--set is named instead."""
    write(tmp_path, '[agent]\nname = "a"\n')
    with pytest.raises(UsageError, match=r"scope.dms = 5; .* \(--set\)$"):
        load_agent(tmp_path, ("segment",), {"scope.dms": 5})
