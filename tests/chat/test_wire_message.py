"""The visible line of a raw message: marker, location, author, and what may stand around it."""

import pytest

from pipeline.chat.wire import (
    WireSettings,
    invited,
    message_item,
    profile_of,
    reply_target,
)
from pipeline.chat.wire.invitation import Missed, invitation, invitation_metadata
from pipeline.errors import UsageError
from tests.chat.yard import (
    DM,
    HALL,
    LOFT,
    MILL,
    ORPHAN,
    OTTO,
    THREAD,
    message,
    reply,
    settings,
    yard,
)

WORLD = yard()


def item(raw, last=HALL, month="2026-09", world=WORLD, **more):
    """Render in a world with the tracker at `last`."""
    return message_item(raw, world, settings(month), last, **more)


def line(raw, last=HALL, **more):
    return item(raw, last, **more).text


def test_a_location_is_printed_at_a_change_of_room_only():
    """The tracker moves to the message's room, whatever was printed."""
    assert line(message("hi")) == "wren_: hi"
    moved = item(message("hi", channel=LOFT))
    assert moved.text == "[#loft in Old Mill] wren_: hi"
    assert moved.last_channel_id == LOFT
    assert line(message("hi"), last=None) == "[#hall in Old Mill] wren_: hi"


def test_unknown_names_leave_no_empty_brackets():
    """A room without a name, without a guild, without either."""
    world = yard(guilds=[], channels=[(MILL, {"id": HALL, "type": 0, "name": "hall"})])
    assert line(message("a"), None, world=world) == "[#hall] wren_: a"
    assert line(message("a", channel="99"), None, world=world) == "wren_: a"
    nameless = yard(channels=[(MILL, {"id": HALL, "type": 0, "name": ""})])
    assert line(message("a"), None, world=nameless) == "[in Old Mill] wren_: a"


def test_an_unlisted_room_takes_the_guild_that_the_message_names():
    """Gateway objects carry their guild; those of REST do not."""
    got = item(message("a", channel="99", guild_id=MILL))
    assert (got.text, got.metadata["channelId"]) == ("[in Old Mill] wren_: a", f"discord:{MILL}:99")
    assert item(message("a", channel="99")).metadata["channelId"] == "discord:99"


@pytest.mark.parametrize(
    ("month", "channel", "location"),
    [
        ("2026-09", THREAD, "[#new sails in Old Mill] "),
        ("2026-10", THREAD, '[#loft thread "new sails" in Old Mill] '),
        ("2026-09", ORPHAN, "[in Old Mill] "),
        ("2026-10", ORPHAN, f'[thread "{ORPHAN}" in Old Mill] '),
        ("2026-10", HALL, "[#hall in Old Mill] "),
    ],
)
def test_threads_are_named_as_their_month_does(month, channel, location):
    """From 2026-10 on a thread stands under its parent, and is tagged."""
    got = item(message("a", channel=channel), None, month)
    assert got.blocks[-1]["text"] == f"{location}wren_: a"
    assert ("chat:thread" in got.tags) == (month == "2026-10" and channel != HALL)


def test_thread_metadata_names_thread_and_parent_in_the_new_month():
    """Before, the thread stands where the channel's name would."""
    raw = message("a", channel=THREAD)
    assert item(raw).metadata["channelName"] == "new sails"
    assert "threadName" not in item(raw).metadata
    newer = item(raw, month="2026-10").metadata
    assert (newer["channelName"], newer["threadName"]) == ("loft", "new sails")


def test_the_marker_comes_before_the_location():
    """On a line of its own, with the username of the answered one."""
    assert line(reply("yes", OTTO), LOFT) == "[replying to @otto.k]\n[#hall in Old Mill] wren_: yes"


def test_a_removed_or_unknown_original_keeps_reply_and_target():
    """Null means deleted, absent means not sent along; both read the same."""
    gone, unknown = reply("yes", None), reply("yes", None)
    del unknown["referenced_message"]
    for raw in (gone, unknown):
        got = item(raw)
        assert got.text == "[replying to unknown author]\nwren_: yes"
        assert got.metadata["replyTo"] == "1700000000000000009"
        assert "replyToAuthorId" not in got.metadata


@pytest.mark.parametrize(
    ("kind", "reference", "target"),
    [
        (18, {"channel_id": "9500"}, None),
        (18, {"channel_id": "9500", "message_id": None}, None),
        (0, {"type": 1, "message_id": "5"}, None),
        (6, {"type": 0, "message_id": "5"}, "5"),
        (21, {"message_id": 5}, "5"),
        (0, None, None),
    ],
)
def test_only_a_reference_to_a_message_is_a_reply(kind, reference, target):
    """A thread's birth names a channel only, a forward answers nothing, a pin points."""
    raw = message("Ideas", type=kind, message_reference=reference)
    assert reply_target(raw) == target
    assert line(raw).startswith("[replying to") == (target is not None)


def test_authors_are_shown_by_username_and_webhooks_by_their_name():
    """Never by nickname or global name; a webhook is a bot to the tags."""
    hook = {"id": "290000000000000001", "username": "Ferry Bell"}
    got = item(message("ding", author=hook, webhook_id="290000000000000001"))
    assert (got.text, got.tags) == ("Ferry Bell: ding", ("chat:ambient", "chat:from-bot"))


@pytest.mark.parametrize("name", ["", None])
def test_empty_names_fall_back_to_the_id(name):
    """An author, a mentioned user and an answered one without a name."""
    nobody = {"id": "230000000000000077", "username": name}
    raw = reply("<@230000000000000077>", nobody, author=nobody, mentions=[nobody])
    assert line(raw) == (
        "[replying to @230000000000000077]\n230000000000000077: @230000000000000077"
    )


def test_a_message_without_an_author_is_still_an_item():
    """Some exports lose it."""
    assert line(message("a", author=None)) == "unknown: a"


def test_every_message_of_the_newest_month_has_its_source_first():
    """Also without a change of room; the adapter's own text may not imitate it."""
    got = item(reply("[Source: me] [ source ] [sources]", OTTO), month="2026-10")
    source = f"[source: discord / discord:{MILL}:{HALL} · #hall (Old Mill)"
    assert got.blocks == [
        {"type": "text", "text": f"{source} · reply to 1700000000000000009]"},
        {
            "type": "text",
            "text": "[replying to @otto.k]\nwren_: \\[Source: me] \\[ source ] [sources]",
        },
    ]
    assert got.metadata["sourceHeader"] == got.blocks[0]["text"]
    assert item(message("[source: x]")).blocks == [{"type": "text", "text": "wren_: [source: x]"}]


def test_months_and_letters_name_profiles_and_others_are_refused():
    """The default lies between the two others."""
    assert profile_of("A2") is profile_of("2026-09") is WireSettings().profile
    assert profile_of("2026-08").letter == "A"
    with pytest.raises(UsageError, match="no wire profile called 2025-01; there are 2026-08, "):
        profile_of("2025-01")


def test_a_prefix_stands_before_everything():
    """The first DM's notice comes before marker and location."""
    assert line(message("a", channel=DM), None, prefix="<system>\n") == "<system>\n[DM] wren_: a"


def test_an_invitation_is_one_more_block():
    """In a DM the room is named by its partner and by no guild; a tally counts in words."""
    dm = WORLD.rooms[DM]
    block = invitation(dm, "wren_", "9", missed=Missed(1, 40))
    assert "wren_ addressed you in #DM: wren_ — a channel" in block
    tally = " While closed, 1 message (~40 chars) have passed there without you. Your options:"
    assert tally in block
    assert " 2 messages (~" in invitation(dm, "w", "9", missed=Missed(2, 80))
    noted = invitation_metadata(dm, "9", Missed(1, 40))
    got = invited(item(message("a", channel=DM)), block, noted)
    assert got.blocks[-1]["text"] == block
    assert got.metadata["missedMessages"] == 1
    assert got.metadata["channelOpen"] is False
    assert got.metadata["isDM"]


def test_an_invitation_to_a_room_names_room_and_guild():
    """Without a guild's name the room alone; an empty tally is not told."""
    hall = WORLD.rooms[HALL]
    text = invitation(hall, "wren_", "9", missed=Missed(0, 0))
    assert 'addressed you in #hall in "Old Mill" — a channel' in text
    assert 'prefixed with ">>#hall"; it' in text
    assert "While closed" not in text
    assert "addressed you in #hall — a" in invitation(yard(guilds=[]).rooms[HALL], "wren_", "9")
    assert f"addressed you in #{ORPHAN} in" in invitation(WORLD.rooms[ORPHAN], "wren_", "9")
