"""`backfold window` tells what would be sent, whether it would be answered, where the floor is."""

import json
from datetime import UTC, datetime, timedelta

import polars as pl
import pytest
from click.testing import CliRunner

from pipeline.artifacts import empty, write_table
from pipeline.cli import main
from pipeline.memory.pyramid import Pyramid
from pipeline.memory.records import FoldedChunk, FoldedItem, Memory
from pipeline.schemas import TRANSCRIPT

START = datetime(2026, 1, 1, 23, 30, tzinfo=UTC)


def make_agent(folder, *, facts="", recipe=None):
    """Make an agent of 60 items of 35 tokens: head 2, a memory on the next 20, tail 3."""
    kinds = empty(TRANSCRIPT).schema
    rows = []
    for at in range(60):
        row = {name: [] if isinstance(kind, pl.List) else None for name, kind in kinds.items()}
        text = "word " * 20
        row |= {
            **{name: "x" for name, kind in kinds.items() if kind == pl.String()},
            **{name: False for name, kind in kinds.items() if kind == pl.Boolean()},
            "position": at,
            "item_id": str(at),
            "sent_at": START + timedelta(minutes=at),
            "text": text,
            "blocks": [{"type": "text", "text": text}],
        }
        rows.append(row)
    write_table(folder, TRANSCRIPT, pl.DataFrame(rows, schema=kinds))
    if recipe is not None:
        (folder / "recipe.json").write_text(json.dumps({"agent": {"name": "tilly"} | recipe}))
        facts += 'recipe = "recipe.json"\n'
    (folder / "agent.toml").write_text(
        f'[agent]\nname = "tilly"\ntimezone = "Europe/Berlin"\n{facts}'
        "[segment]\nhead_tokens = 70\ntail_tokens = 105\n"
    )


def remember(folder):
    """Put one memory over items 2 to 21 into the pyramid."""
    ids = tuple(str(at) for at in range(2, 22))
    memory = Memory(
        *("L1-0", 1, "I remember the evening.", 9, ids, ids[0], ids[-1]),
        *(START, START, START, "scripted", "1"),
        chunk_id="c-0",
    )
    items = tuple(FoldedItem(item_id, START, "") for item_id in ids)
    with Pyramid(folder / "pyramid.sqlite") as pyramid:
        pyramid.accept(memory, FoldedChunk("c-0", 0, "gap", items))


def look(folder, *words):
    """Run the command."""
    return CliRunner().invoke(main, ["window", "--agent", str(folder), *words])


def test_segments_are_told_in_order_with_tokens_and_local_time(tmp_path):
    """Half past eleven at night in UTC is the next day in Berlin."""
    make_agent(tmp_path)
    remember(tmp_path)
    done = look(tmp_path, "--budget", "1700", "--reserve", "0")
    assert done.exit_code == 0, done.output
    assert "the host would answer" in done.stdout
    names = ("head, word for word", "recall L1-0", "word for word, in no memory", "tail, word")
    places = [done.stdout.index(name) for name in names]
    assert places == sorted(places)
    assert "2026-01-02 00:30" in done.stdout


def test_a_budget_below_the_floor_is_not_answered_and_exits_3(tmp_path):
    """With the host's own name for it, and what would not fit."""
    make_agent(tmp_path)
    remember(tmp_path)
    done = look(tmp_path, "--budget", "1000", "--reserve", "0")
    assert done.exit_code == 3
    assert 'the host would NOT answer ("Adaptive picker exhausted")' in done.stdout
    assert "this would not fit" in done.stdout


def test_the_floor_stands_in_the_table_of_budgets_and_in_the_warning(tmp_path):
    """The number told is answered, and one less is not."""
    make_agent(tmp_path)
    remember(tmp_path)
    lines = look(tmp_path).stdout.splitlines()
    floor = next(line for line in lines if "the lowest that answers" in line).split()[0]
    assert f"lowers its own budget below {floor} falls silent" in lines[-1]
    lowest = int(floor.replace(",", ""))
    assert look(tmp_path, "--budget", str(lowest)).exit_code == 0
    assert look(tmp_path, "--budget", str(lowest - 1)).exit_code == 3


def test_a_budget_that_is_set_keeps_the_longest_answer_free(tmp_path):
    """4,000 where none is set, else agent.maxTokens, 16,384 where the recipe is silent."""
    make_agent(tmp_path)
    assert "budget 100,000, 4,000 of it kept for the answer" in look(tmp_path).stdout
    done = look(tmp_path, "--budget", "50000")
    assert "budget 50,000, 16,384 of it kept for the answer" in done.stdout


def test_the_recipe_gives_budget_answer_and_grace(tmp_path):
    """--budget overrules it."""
    strategy = {"overBudgetGraceRatio": 0, "compressionSlackRatio": 0.5, "maxMessageTokens": 20}
    make_agent(
        tmp_path,
        recipe={"contextBudgetTokens": 40_000, "maxTokens": 8_000, "strategy": strategy},
    )
    told = look(tmp_path).stdout
    assert "budget 40,000, 8,000 of it kept for the answer" in told
    assert "window 32,000, aimed at 16,000, refused above 32,000" in told
    assert "budget 90,000, 8,000" in look(tmp_path, "--budget", "90000").stdout


def test_a_recipe_with_words_for_numbers_is_a_usage_error(tmp_path):
    """The host takes them without a word; we name the key."""
    make_agent(tmp_path, recipe={"maxTokens": "many"})
    done = look(tmp_path)
    assert done.exit_code == 2
    assert "maxTokens is 'many'; it should be a whole number" in done.stderr


@pytest.mark.parametrize("budget", ["100", "0"])
def test_a_budget_without_room_is_a_usage_error(tmp_path, budget):
    """Exit 2, and nothing on stdout."""
    make_agent(tmp_path)
    done = look(tmp_path, "--budget", budget)
    assert (done.exit_code, done.stdout) == (2, "")


def test_before_the_first_warmup_all_talk_stands_raw(tmp_path):
    """And that is said beside the table."""
    make_agent(tmp_path)
    done = look(tmp_path)
    assert "no pyramid.sqlite yet" in done.stderr
    assert "recall" not in done.stdout
    assert done.exit_code == 0


def test_looking_leaves_the_folder_as_it_was(tmp_path):
    """No file comes, goes or changes."""
    make_agent(tmp_path)
    remember(tmp_path)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    look(tmp_path)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before
