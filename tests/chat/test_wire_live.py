"""Which messages a live adapter makes items of, and what moves its room tracker."""

import pytest

from pipeline.chat.wire.live import Ears, after_tool_call, hear, why_unheard
from tests.chat.yard import (
    BOT,
    DM,
    HALL,
    HOOK,
    LOFT,
    USERS,
    forward,
    message,
    reply,
    settings,
    yard,
)

WORLD = yard()
IN_HALL = Ears(open_ids=frozenset({HALL}))


def listen(*messages, ears=IN_HALL):
    """Give the text of every item, and the tracker at the end."""
    said = []
    for raw in messages:
        item, ears = hear(raw, WORLD, settings(), ears)
        if item is not None:
            said.append(item.text)
    return said, ears


@pytest.mark.parametrize(
    ("raw", "is_heard"),
    [
        (message("a"), True),
        (message("a", author=BOT), False),
        (message("a", webhook_id=HOOK), False),
        (message("m continue"), False),
        (message("M continue"), True),
        (message(" m continue"), True),
        (forward(content="m continue"), True),
        (message("a", channel=LOFT), False),
        (message("a", channel=LOFT, mentions=[USERS[BOT]]), True),
        (reply("a", BOT, channel=LOFT), True),
        (message("a", channel=DM), True),
        (message("", type=7), True),
        (message(""), True),
        (message("a", author={"id": "1", "username": "b", "bot": True}), True),
    ],
)
def test_what_is_heard(raw, is_heard):
    """Open rooms, what calls the agent, DMs; never its own words nor the no-op prefix."""
    assert (why_unheard(raw, WORLD, IN_HALL) is None) == is_heard


def test_muted_rooms_are_not_heard_even_when_called():
    """The operator's list comes first."""
    ears = Ears(muted_ids=frozenset({HALL}))
    assert why_unheard(message("a", mentions=[USERS[BOT]]), WORLD, ears) == "its room is muted"


def test_dropped_messages_do_not_move_the_tracker():
    """Two in the hall with one unheard between them make one header."""
    said, ears = listen(message("1"), message("x", channel=LOFT), message("2"))
    assert said == ["[#hall in Old Mill] wren_: 1", "wren_: 2"]
    assert ears.last_channel_id == HALL


def test_send_tools_move_the_tracker_and_other_tools_do_not():
    """The next message has a header if the agent spoke elsewhere by tool."""
    _, ears = listen(message("1"))
    for tool in ("send_message", "reply_message", "send_dm"):
        assert listen(message("2"), ears=after_tool_call(ears, tool, int(LOFT)))[0] == [
            "[#hall in Old Mill] wren_: 2"
        ]
    assert after_tool_call(ears, "channel_open", LOFT) == ears


def test_a_dm_is_first_once():
    """The prefix names the writer; it is not repeated, nor for a DM seen before."""
    said, ears = listen(message("1", channel=DM), message("2", channel=DM))
    assert said[0].startswith("<system>Direct message from @wren_ (user id 230000000000000011).")
    assert said[0].endswith("</system>\n[DM] wren_: 1")
    assert said[1] == "wren_: 2"
    assert ears.seen_dm_ids == {DM}


def test_the_lane_is_that_of_the_room():
    """Open: incoming; closed but called, or a DM that was not opened: pushed."""
    assert hear(message("a"), WORLD, settings(), IN_HALL)[0].lane == "channels/incoming"
    called = message("a", channel=LOFT, mentions=[USERS[BOT]])
    assert hear(called, WORLD, settings(), IN_HALL)[0].lane == "push/event"
    assert hear(called, WORLD, settings(), Ears())[0].lane == "channels/incoming"
    assert hear(message("a", channel=DM), WORLD, settings(), Ears())[0].lane == "push/event"


def test_a_first_dm_by_nobody_known_is_told_all_the_same():
    """An author without an id leaves the place empty."""
    said, _ = listen(message("1", channel=DM, author={"username": "w"}))
    assert said[0].startswith("<system>Direct message from @w (user id ). To reply")
    assert after_tool_call(Ears(), "send_dm", int(DM)).last_channel_id == DM
