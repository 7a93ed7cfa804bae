"""A table written part by part is the table written whole, and its rules hold over all parts."""

from datetime import UTC, datetime

import polars as pl
import pytest

from pipeline.artifacts import read_table, write_parts, write_table
from pipeline.errors import ArtifactError
from pipeline.schemas import REJECTS, Table


def rejects(*ids):
    return pl.DataFrame(
        {
            "channel_id": ["1"] * len(ids),
            "message_id": [str(i) for i in ids],
            "reason": ["empty"] * len(ids),
            "sent_at": [datetime(2026, 1, 1, tzinfo=UTC)] * len(ids),
            "author_id": [None] * len(ids),
        },
        schema_overrides={"sent_at": pl.Datetime("ms", "UTC"), "author_id": pl.String()},
    )


def test_parts_read_as_the_whole(tmp_path):
    """Two parts give the rows and types that one write gives."""
    with write_parts(tmp_path, REJECTS) as add:
        add(rejects(1, 2))
        add(rejects(3))
    parts = read_table(tmp_path, REJECTS)
    write_table(tmp_path, REJECTS, rejects(1, 2, 3))
    assert parts.equals(read_table(tmp_path, REJECTS))


def test_no_parts_are_an_empty_table(tmp_path):
    """A table of nothing has its columns."""
    with write_parts(tmp_path, REJECTS):
        pass
    assert read_table(tmp_path, REJECTS).height == 0


@pytest.mark.parametrize(("later", "why"), [((2, 3), "behind|repeat"), ((1,), "behind")])
def test_keys_and_order_hold_over_parts(tmp_path, later, why):
    """A row that comes twice, or too late, stops the write; nothing is put in place."""
    with pytest.raises(ArtifactError, match=why), write_parts(tmp_path, REJECTS) as add:
        add(rejects(1, 2))
        add(rejects(*later))
    assert not (tmp_path / REJECTS.path).exists()


def test_every_table_can_be_written_in_parts(tmp_path):
    """The key must be where the order is, else repeats could hide between parts: by hash."""
    table = Table(REJECTS.name, REJECTS.grain, ("message_id",), REJECTS.columns, ("reason",))
    with pytest.raises(ArtifactError, match="repeat"), write_parts(tmp_path, table) as add:
        add(rejects(1, 2))
        add(rejects(2))


def test_a_missing_table_names_the_stage_that_writes_it():
    """As the stages themselves declare it."""
    from pipeline.artifacts import writer_of
    from pipeline.registry import load_stages
    from pipeline.schemas import TABLES

    wrote = {a.name: s.name for s in load_stages() for a in s.writes}
    assert {n: writer_of(t) for n, t in TABLES.items() if n in wrote} == {
        n: wrote[n] for n in TABLES if n in wrote
    }
