"""Thread starters that an exporter merged into the thread."""

import pytest

from pipeline.testing import dce
from tests.dump.files_small import ROOM_ID, contents, last, lines, room_row, take

STARTER = dce.row(3, "who has a lamp?", dce.QUILL)
THREAD = {
    **dce.ROOM,
    "id": STARTER["id"],
    "type": "GuildPublicThread",
    "categoryId": ROOM_ID,
    "category": "general",
    "name": "lamps",
}
THREAD_ROWS = [STARTER, dce.row(4, "me")]
THREAD_FILE = dce.document(THREAD_ROWS, channel=THREAD)
ROOM_FILE = dce.document([dce.row(1, "evening"), STARTER, dce.row(5, "night")])


def test_a_starter_stands_once_in_its_parents_room(tmp_path):
    """In the thread stays the pointer that Discord has there (2e.4)."""
    dce.write_export(tmp_path / "in", ROOM_FILE)
    dce.write_export(tmp_path / "in", THREAD_FILE)
    raw, _ = take(tmp_path, tmp_path / "in")
    assert contents(raw) == ["evening", "who has a lamp?", "night"]
    head, answer = last(raw, THREAD["id"])
    assert (head["type"], head["content"], answer["content"]) == (21, "", "me")
    assert head["message_reference"]["channel_id"] == ROOM_ID
    assert head["referenced_message"]["content"] == "who has a lamp?"


def test_a_starter_that_the_rooms_file_lacks_is_brought_there(tmp_path):
    """The room was exported for a range of dates only."""
    dce.write_export(tmp_path / "in", dce.document([dce.row(5, "night")]))
    dce.write_export(tmp_path / "in", THREAD_FILE)
    raw, _ = take(tmp_path, tmp_path / "in")
    assert contents(raw) == ["who has a lamp?", "night"]
    assert {row["channel_id"] for row in lines(raw)} == {ROOM_ID}
    assert room_row(raw)["messages"] == 2


def test_a_forum_posts_first_message_is_the_posts_own(tmp_path):
    """Its parent has no messages; without them nothing is moved."""
    dce.write_export(tmp_path / "in", THREAD_FILE)
    raw, _ = take(tmp_path, tmp_path / "in")
    assert contents(raw, THREAD["id"]) == ["who has a lamp?", "me"]
    assert last(raw, THREAD["id"])[0]["type"] == 0


@pytest.mark.parametrize("again", [False, True])
def test_a_room_that_comes_later_gets_its_starter_back(tmp_path, again):
    """The row kept in the thread becomes the pointer, once."""
    dce.write_export(tmp_path / "in", THREAD_FILE)
    take(tmp_path, tmp_path / "in")
    dce.write_export(tmp_path / "in", dce.document([dce.row(1, "evening")]))
    raw, _ = take(tmp_path, tmp_path / "in")
    if again:
        _, done = take(tmp_path, tmp_path / "in")
        assert (done.fresh, done.changed) == (0, 0)
    assert contents(raw) == ["evening", "who has a lamp?"]
    assert [row["type"] for row in last(raw, THREAD["id"])] == [21, 0]
    assert len(lines(raw)) == 2


def test_an_old_pointer_row_stays_as_it_is(tmp_path):
    """Until 2.47.2 the row was Discord's: type 21, empty, pointing at the thread's id."""
    row = dce.row(4, "", type="21", reference={"messageId": STARTER["id"], "channelId": ROOM_ID})
    dce.write_export(tmp_path / "in", ROOM_FILE)
    dce.write_export(tmp_path / "in", dce.document([row, dce.row(5, "me")], channel=THREAD))
    raw, _ = take(tmp_path, tmp_path / "in")
    assert [row["type"] for row in last(raw, THREAD["id"])] == [21, 0]
    assert len(lines(raw)) == 3
