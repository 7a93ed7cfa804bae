"""What memories stand on does not move: positions, late messages, holes, edits, changed knobs."""

from dataclasses import replace

import pytest

from pipeline.errors import StageError
from stages.curate.course import settings_digest
from stages.curate.folded import LATE, Folded
from tests.curate.build import (
    ANN,
    BO,
    ME,
    SHED,
    YARD,
    context,
    message,
    reply,
    run,
    run_folded,
    write_raw,
)

TALK = [
    message(0, BO, "not yet meant"),
    *(message(n * 600, ANN, f"m{n}", to_me=True) for n in range(1, 9)),
    message(5000, ME, "a"),
    message(5005, ME, "b"),
    message(5100, BO, "open end", to_me=True),
]
HITS_ONLY = {"perceived": [{"messages": 0}]}


def fold(root, items=10, **how):
    """Curate, then say that the first `items` items are folded, in chunks of four."""
    found = run(root, {YARD: TALK}, **{**HITS_ONLY, **how})
    rows = found.transcript.head(items).to_dicts()
    ids = tuple(row["item_id"] for row in rows)
    ctx = context(root, **{**HITS_ONLY, **how})
    return found, Folded(
        last_item_id=ids[-1],
        last_sent_at=rows[-1]["sent_at"],
        item_ids=ids,
        raw_bytes_by_channel=dict(found.rooms.select("channel_id", "raw_bytes").iter_rows()),
        message_ids={
            r["item_id"]: tuple(r["message_ids"]) for r in rows if len(r["message_ids"]) > 1
        },
        chunks=tuple(
            (f"c-{n}", ids[min(n * 4 + 3, len(ids) - 1)]) for n in range(-(-len(ids) // 4))
        ),
        settings=settings_digest(ctx.knobs, ctx.agent),
    )


def folded_again(root, folded, **how):
    return run_folded(root, folded, **{**HITS_ONLY, **how})


def test_appended_history_moves_nothing(tmp_path):
    """New messages come behind; every row that stood keeps its position, id and text."""
    before, folded = fold(tmp_path)
    write_raw(tmp_path, {YARD: [message(9000, ANN, "later", to_me=True)]})
    after, done = folded_again(tmp_path, folded)
    assert after.transcript.head(before.transcript.height).equals(before.transcript)
    assert after.transcript.height == before.transcript.height + 1
    assert done.rejects.height == 0


def test_what_raw_held_and_is_perceived_late_is_a_reject(tmp_path):
    """A later reply reveals an old message: it lies before the last closed chunk and is refused."""
    before, folded = fold(tmp_path)
    edited = TALK[0] | {"mentions": [{"id": ME, "username": "tilly"}], "content": "meant now"}
    write_raw(tmp_path, {YARD: [edited]})
    after, done = folded_again(tmp_path, folded)
    assert after.why == {TALK[0]["id"]: LATE}
    assert after.transcript.equals(before.transcript)
    assert done.rooms["selected"].to_list() == before.rooms["selected"].to_list()


def test_the_same_message_is_kept_where_nothing_is_folded(tmp_path):
    """Without memories above it the late message simply takes its place."""
    fold(tmp_path)
    edited = TALK[0] | {"mentions": [{"id": ME, "username": "tilly"}]}
    write_raw(tmp_path, {YARD: [edited]})
    assert run(tmp_path, **HITS_ONLY).transcript["item_id"][0] == TALK[0]["id"]


@pytest.mark.parametrize("room", [YARD, SHED])
def test_a_hole_filled_before_the_last_closed_chunk_stops_the_run(tmp_path, room):
    """What raw did not hold then, in an old room or a new: the first chunk concerned is named."""
    before, folded = fold(tmp_path)
    write_raw(tmp_path, {room: [message(5 * 600 + 9, BO, "from the hole", to_me=True)]})
    with pytest.raises(StageError, match=r"in chunk c-1, on which memories stand") as error:
        folded_again(tmp_path, folded)
    assert "from the hole" not in str(error.value)
    assert before.transcript.equals(run_table(tmp_path))


def run_table(root):
    """Read the transcript as it stands."""
    import polars as pl

    return pl.read_parquet(root / "tables/transcript.parquet")


def test_a_hole_behind_the_last_closed_chunk_is_filled(tmp_path):
    """The open remainder may still change."""
    _, folded = fold(tmp_path)
    write_raw(tmp_path, {YARD: [message(5050, BO, "filled", to_me=True)]})
    after, _ = folded_again(tmp_path, folded)
    assert "bo: filled" in after.texts


def test_edits_and_deletions_inside_move_nothing_and_are_told(tmp_path):
    """Also an edit that empties a message, or takes back the mention that made it a hit."""
    before, folded = fold(tmp_path)
    emptied = TALK[2] | {"content": "", "mentions": []}
    reworded = TALK[3] | {"content": "other words"}
    absent = {"channel_id": YARD, "message_id": TALK[4]["id"], "absent_since": "2026-02-01T00:00Z"}
    write_raw(tmp_path, {YARD: [emptied, reworded]}, absences=[absent])
    after, done = folded_again(tmp_path, folded)
    ids = before.transcript["item_id"].to_list()
    assert after.transcript["item_id"].to_list() == ids
    assert after.transcript["position"].to_list() == before.transcript["position"].to_list()
    assert after.texts[2] == "ann: other words"
    assert set(done.edited_in_folded) == {TALK[2]["id"], TALK[3]["id"]}
    assert done.absent_in_folded == (TALK[4]["id"],)

    from stages.curate.tell import tell

    said = "\n".join(tell(done, context(tmp_path).agent.zone).lines)
    assert "2 messages inside closed chunks were edited since" in said
    assert "1 messages inside closed chunks were deleted since" in said


def test_a_folded_turn_does_not_grow(tmp_path):
    """A post seconds behind a folded turn begins a turn of its own."""
    _, folded = fold(tmp_path)
    write_raw(tmp_path, {YARD: [message(5009, ME, "c")]})
    after, _ = folded_again(tmp_path, folded)
    turns = after.transcript.filter(after.transcript["kind"] == "turn")["text"].to_list()
    assert turns == ["a\nb", "c"]


@pytest.mark.parametrize(
    ("knobs", "chunk"),
    [
        ({"perceived": [{"messages": 5}]}, "c-0"),
        ({"routing": "explicit"}, "c-2"),
        ({"burst_seconds": 1}, "c-2"),
        ({"clock": "hourly"}, "c-0"),
    ],
)
def test_changed_knobs_stop_where_they_would_move_something(tmp_path, knobs, chunk):
    """The first chunk concerned is named; the transcript stays as it was."""
    before, folded = fold(tmp_path)
    with pytest.raises(StageError, match=f"chunk {chunk}"):
        folded_again(tmp_path, folded, **knobs)
    assert before.transcript.equals(run_table(tmp_path))


def test_changed_knobs_that_move_nothing_are_fine(tmp_path):
    """A redaction or a rewrite changes words, not places: audit tells them."""
    before, folded = fold(tmp_path)
    habits = [{"pattern": "a", "replacement": "A", "reason": "case"}]
    after, _ = folded_again(tmp_path, folded, rewrite=habits)
    assert after.transcript["item_id"].equals(before.transcript["item_id"])
    assert after.texts != before.texts


def test_a_missing_item_is_caught_whatever_the_cause(tmp_path):
    """The last guard compares ids one by one."""
    _, folded = fold(tmp_path)
    ids = list(folded.item_ids)
    ids.insert(3, f"{ids[2]}/receipt")
    with pytest.raises(StageError, match="where item .*/receipt stood there is now item"):
        folded_again(tmp_path, replace(folded, item_ids=tuple(ids)))


def test_a_reply_that_raw_alone_can_judge_stays_judged(tmp_path):
    """Reply targets are looked up over old and new lines alike."""
    run(tmp_path, {YARD: TALK}, **HITS_ONLY)
    answer = reply(6000, BO, TALK[-2], "thanks", sent_along=False)
    write_raw(tmp_path, {YARD: [answer]})
    assert answer["id"] in run(tmp_path, **HITS_ONLY).transcript["item_id"].to_list()
