"""Whom a message calls, and what the host stores beside it."""

import pytest

from pipeline.chat.wire import (
    is_self,
    message_item,
)
from pipeline.chat.wire.metadata import envelope_of
from pipeline.errors import SourceError
from tests.chat.yard import (
    APP,
    BOT,
    DM,
    HALL,
    HOOK,
    LOFT,
    MILL,
    MILLERS,
    ORPHAN,
    OTTO,
    OWN_ROLE,
    USERS,
    WREN,
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


@pytest.mark.parametrize(
    ("raw", "tags"),
    [
        (message("a"), ["ambient", "from-human"]),
        (message("a", mention_everyone=True), ["ambient", "from-human"]),
        (message("a", mentions=[USERS[OTTO]]), ["ambient", "from-human"]),
        (message("a", mentions=[USERS[BOT]]), ["mention", "addressed", "from-human"]),
        (message("a", mentions=[{"id": HOOK}]), ["mention", "addressed", "from-human"]),
        (message("a", mention_roles=[OWN_ROLE]), ["mention", "addressed", "from-human"]),
        (message("a", mention_roles=[MILLERS]), ["ambient", "from-human"]),
        (reply("a", OTTO), ["ambient", "from-human"]),
        (reply("a", BOT), ["reply", "addressed", "from-human"]),
        (reply("a", {"id": HOOK}), ["reply", "addressed", "from-human"]),
        (reply("a", BOT, mentions=[USERS[BOT]]), ["mention", "reply", "addressed", "from-human"]),
        (message("a", channel=DM), ["dm", "private", "addressed", "from-human"]),
        (
            reply("a", BOT, channel=DM, author={"id": "1", "username": "x", "bot": True}),
            ["reply", "dm", "private", "addressed", "from-bot"],
        ),
    ],
)
def test_tags_say_whom_a_message_calls(raw, tags):
    """In the adapter's order; any of the agent's selves counts."""
    got = item(raw)
    assert list(got.tags) == [f"chat:{tag}" for tag in tags] == list(got.metadata["tags"])
    assert got.is_addressed == got.metadata["triggered"] == ("addressed" in tags)


def test_a_reply_to_a_slash_answer_of_the_agent_is_addressed():
    """It is the application's post, whoever's name it bears; Discord counts it as no mention."""
    raw = reply("thanks", {"id": "5", "username": "x"})
    raw["referenced_message"]["application_id"] = APP
    assert item(raw).facts.is_reply_to_bot
    assert not item(raw).facts.is_explicit_mention


def test_self_is_a_list():
    """User, webhook and application."""
    assert is_self(message("a", author=BOT), WORLD)
    assert is_self(message("a", webhook_id=HOOK), WORLD)
    assert is_self(message("a", application_id=int(APP)), WORLD)
    assert not is_self(message("a", webhook_id="1", application_id="2"), WORLD)


def test_ids_may_be_numbers_and_never_floats():
    """In every place that holds one."""
    raw = reply(f"<@{WREN}>", {**USERS[BOT], "id": int(BOT)}, channel=int(LOFT))
    raw |= {"id": 1540057957662720001, "mentions": [{**USERS[WREN], "id": int(WREN)}]}
    raw["mention_roles"] = [int(OWN_ROLE)]
    got = item(raw)
    assert got.metadata["mentions"] == [WREN]
    assert (got.metadata["messageId"], got.last_channel_id) == ("1540057957662720001", LOFT)
    assert got.facts.is_explicit_mention
    assert got.facts.is_reply_to_bot
    for broken in ({"id": 8.058089813561836e17}, {"channel_id": 1e18}):
        with pytest.raises(SourceError, match="is a float"):
            item({**message("a"), **broken})


def test_a_world_of_numbers_is_the_same_world():
    """Side tables of other producers hold ints."""
    world = yard(
        guilds=[{"id": int(MILL), "name": "Old Mill"}],
        channels=[(int(MILL), {"id": int(HALL), "type": 0, "name": "hall"})],
        roles=[(int(MILL), {"id": int(OWN_ROLE), "name": "M", "tags": {"bot_id": int(BOT)}})],
        members=[(int(MILL), {"user": {**USERS[WREN], "id": int(WREN)}, "nick": "W"})],
    )
    raw = message(f"<@{WREN}> <@&{OWN_ROLE}>", mention_roles=[OWN_ROLE])
    assert line(raw, None, world=world) == "[#hall in Old Mill] wren_: @W @M"
    assert item(raw, world=world).is_addressed


def test_the_open_lane_stores_what_the_spec_lists():
    """A room: composite id, author, mentions, cleaned body; Discord's time is not in it."""
    got = item(reply(f"<@{OTTO}>", OTTO, mentions=[USERS[OTTO]]))
    assert got.lane == "channels/incoming"
    assert got.metadata == {
        "channelId": f"discord:{MILL}:{HALL}",
        "messageId": "1540057957662720001",
        "author": {"id": WREN, "name": "wren_"},
        "mentions": [OTTO],
        "replyTo": "1700000000000000009",
        "replyToAuthorId": OTTO,
        "replyToAuthorName": "otto.k",
        "channelName": "hall",
        "guildName": "Old Mill",
        "rawContent": "@Otto K",
        "isMention": False,
        "isExplicitMention": False,
        "isReplyToBot": False,
        "isBot": False,
        "isDM": False,
        "serverId": "discord",
        "triggered": False,
        "tags": ("chat:ambient", "chat:from-human"),
    }


def test_the_closed_lane_stores_what_the_spec_lists():
    """A DM: flat author, source, event, and the composite id in both places."""
    got = item(message("a", channel=DM), DM)
    assert got.lane == "push/event"
    assert got.metadata == {
        "source": "discord",
        "messageId": "1540057957662720001",
        "guildId": None,
        "channelId": f"discord:dm:{DM}",
        "mcplChannelId": f"discord:dm:{DM}",
        "channelName": None,
        "guildName": None,
        "authorId": WREN,
        "authorName": "wren_",
        "isMention": False,
        "isExplicitMention": False,
        "isReplyToBot": False,
        "isBot": False,
        "isDM": True,
        "featureSet": "discord.messaging",
        "eventId": "discord_msg_1540057957662720001",
        "serverId": "discord",
        "triggered": True,
        "tags": ("chat:dm", "chat:private", "chat:addressed", "chat:from-human"),
    }


def test_lane_and_trigger_can_be_told():
    """The caller knows which DMs were open, and what its own rules call addressed."""
    got = item(message("a", channel=DM), lane="channels/incoming", is_triggered=False)
    assert (got.lane, got.metadata["triggered"]) == ("channels/incoming", False)
    assert "author" in got.metadata


def test_members_need_no_colour_and_authors_no_membership():
    """Whoever wrote is rendered from the message alone."""
    assert line(message("a"), world=yard(members=[], users=[], roles=[])) == "wren_: a"
    assert line(message("a"), world=yard(members=[(MILL, {"user": USERS[WREN]})])) == "wren_: a"


def test_author_ids_are_text():
    """The author's and the answered author's."""
    raw = reply("a", {**USERS[OTTO], "id": int(OTTO)}, author={**USERS[WREN], "id": int(WREN)})
    got = item(raw).facts
    assert (got.author_id, got.reply_author_id) == (WREN, OTTO)


def test_an_unknown_original_is_no_reply_to_the_agent():
    """Not even where the message itself is known to be sent by an application of its own."""
    raw = reply("a", {})
    raw["referenced_message"]["application_id"] = APP
    assert not item(raw).facts.is_reply_to_bot
    assert not is_self({"author": None}, WORLD)


def test_the_envelope_holds_the_time_of_the_id():
    """Whatever the message's own says; the closed lane names the event instead of the room."""
    got = item(message("a", id=str(1234 << 22), timestamp="2020-01-01T00:00:00+00:00"))
    assert envelope_of(got.facts, got.room, "push/event") == {
        "timestamp": "2015-01-01T00:00:01.234Z",
        "eventId": f"discord_msg_{1234 << 22}",
    }
    opened = envelope_of(got.facts, got.room, "channels/incoming")
    assert opened["channelId"] == f"discord:{MILL}:{HALL}"
    assert envelope_of(item(message("a", id=None)).facts, got.room, "push/event") == {
        "timestamp": None,
        "eventId": "discord_msg_None",
    }


def test_only_threads_have_a_thread_name():
    """In the newest month; one without a name goes by its id."""
    assert "threadName" not in item(message("a"), month="2026-10").metadata
    assert item(message("a", channel=ORPHAN), month="2026-10").metadata["threadName"] == ORPHAN
