"""The real inputs come in; what is lost is said. No text of theirs stands here."""

import pytest

from tests.dump.files_small import file_row, last, room_row, take
from tests.real import SHARED, needs_real

pytestmark = [pytest.mark.real, needs_real]
DATA = SHARED / "data"
GENERAL, COOL_THREAD = "1543572361285083187", "1543572368977428611"


def test_the_four_exports_come_in_and_say_what_they_lost(tmp_path):
    """Two captures of 2.48, two written by hand."""
    raw, done = take(tmp_path, DATA / "dce")
    assert (done.fresh, dict(done.files), done.left) == (25, {"read": 4}, ())
    general = file_row(raw, f"DCE-2.48 Discord Ferry Test - general [{GENERAL}].json")
    assert sum(n for why, n in general["lost"].items() if why.startswith("system")) == 1
    assert sum(n for why, n in general["lost"].items() if why.startswith("texts")) == 10
    by_hand = file_row(raw, "edge_cases.json")
    assert by_hand["noted"]["times that disagree with the id"] == 7
    assert file_row(raw, "simple_channel.json")["rendered"] is False
    states = {row["state"] for row in raw.rows("attachments")}
    assert states == {"failed", "not asked"}


def test_the_merged_starter_stands_in_its_room_only(tmp_path):
    """The capture of 2.48 has the room's message at the head of the thread."""
    raw, _ = take(tmp_path, DATA / "dce")
    assert [row["type"] for row in last(raw, COOL_THREAD)] == [21, 0]
    assert COOL_THREAD in {row["id"] for row in last(raw, GENERAL)}
    assert room_row(raw, GENERAL)["messages"] == 11


@pytest.mark.parametrize("name", ["conv-26", "conv-41", "conv-43", "conv-47", "conv-49"])
def test_the_long_conversations_are_taken_over(tmp_path, name):
    """Each is a DM with a bot that guild.json names."""
    folder = DATA / "locomo" / name
    raw, done = take(tmp_path, folder)
    (path,) = (folder / "messages").iterdir()
    assert done.fresh == len(path.read_bytes().splitlines())
    assert done.left == ()
    assert raw.read_manifest()["bot"]["bot"] is True
    (room,) = raw.envelopes("channels").values()
    assert room.object["recipients"]


def test_the_busy_channel_is_taken_over(tmp_path):
    """All of its lines, none lost."""
    raw, done = take(tmp_path, DATA / "ubuntu-irc")
    assert (done.fresh, done.changed, done.left) == (69_898, 0, ())
    assert room_row(raw, "1200000000000000101")["complete"]
