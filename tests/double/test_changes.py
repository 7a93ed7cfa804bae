"""History grows and changes while it is served."""

from pipeline.testing.double import Double
from tests.double.small import get, ids, lines, room, said, thread, write

AT = "/channels/700/messages"


def test_a_new_message_is_the_newest(tmp_path):
    """Its id lies above all others and the channel points at it."""
    rows = lines("700", 10, 1 << 61)
    with Double(write(tmp_path / "c", channels=[room("700")], messages={"700": rows})) as double:
        made = double.world.add_message("700", content="late")
        assert int(made["id"]) == (1 << 61) + 1
        assert ids(get(double, AT, limit=1)) == [(1 << 61) + 1]
        assert get(double, "/channels/700").json()["last_message_id"] == made["id"]


def test_the_id_of_a_new_message_holds_its_time(tmp_path):
    """Made from the double's clock, so that cursors made from times work."""
    folder = write(tmp_path / "c", channels=[room("700")])
    with Double(folder, clock=lambda: 1767225600.0) as double:
        made = double.world.add_message("700", content="new year")
        assert int(made["id"]) >> 22 == 1767225600000 - 1420070400000
        assert made["timestamp"] == "2026-01-01T00:00:00.000000+00:00"


def test_an_edit_changes_text_time_and_the_replies_view(tmp_path):
    """The reply shows the new text of its target."""
    target = said(10, "700", "before")
    reply = said(
        20, "700", type=19, message_reference={"message_id": "10"}, referenced_message=target
    )
    folder = write(tmp_path / "c", channels=[room("700")], messages={"700": [target, reply]})
    with Double(folder) as double:
        double.world.edit_message("700", "10", content="after")
        second, first = get(double, AT).json()
        assert first["content"] == "after"
        assert first["edited_timestamp"] is not None
        assert second["referenced_message"]["content"] == "after"


def test_a_deletion_leaves_a_hole_and_a_null(tmp_path):
    """B010: the reply's target becomes null; a reply without the key stays without."""
    target = said(10, "700")
    reference = {"message_reference": {"message_id": "10"}}
    reply = said(20, "700", type=19, referenced_message=target, **reference)
    unknown = said(30, "700", type=19, **reference)
    folder = write(
        tmp_path / "c", channels=[room("700")], messages={"700": [target, reply, unknown]}
    )
    with Double(folder) as double:
        double.world.delete_message("700", "10")
        third, second = get(double, AT).json()
        assert second["referenced_message"] is None
        assert "referenced_message" not in third
        assert get(double, f"{AT}/10").json()["code"] == 10008


def test_a_deletion_is_felt_in_other_rooms(tmp_path):
    """The starter of a thread stands in another room than its source."""
    source = said(10, "700")
    starter = said(
        11, "10", type=21, message_reference={"message_id": "10"}, referenced_message=source
    )
    folder = write(
        tmp_path / "c",
        channels=[room("700")],
        threads=[thread("10", "700")],
        messages={"700": [source], "10": [starter]},
    )
    with Double(folder) as double:
        double.world.delete_message("700", "10")
        assert get(double, "/channels/10/messages").json()[0]["referenced_message"] is None


def test_a_post_wakes_an_archived_thread(tmp_path):
    """It leaves the archive, is active, and its counts follow."""
    row = thread("9001", "700", archived="2026-01-01T00:00:00+00:00")
    with Double(write(tmp_path / "c", channels=[room("700")], threads=[row])) as double:
        double.world.add_message("9001", content="up again")
        assert ids(get(double, "/guilds/100/threads/active")) == [9001]
        assert ids(get(double, "/channels/700/threads/archived/public")) == []
        assert get(double, "/channels/9001").json()["message_count"] == 1


def test_a_new_forum_post_is_a_thread_and_the_forums_last(tmp_path):
    """`last_message_id` of a forum is the newest thread's id."""
    with Double(write(tmp_path / "c", channels=[room("715", 15)])) as double:
        double.world.add_thread("715", {"id": "9001", "name": "first post"})
        double.world.add_message("9001", id="9001", content="look")
        assert get(double, "/channels/715").json()["last_message_id"] == "9001"
        assert ids(get(double, "/channels/9001/messages")) == [9001]
