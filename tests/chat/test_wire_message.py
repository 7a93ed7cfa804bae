"""A raw message of the history becomes the item that the store would hold."""

import json

import pytest

from pipeline.chat.wire import (
    WireSettings,
    invited,
    is_self,
    message_item,
    profile_of,
    reply_target,
)
from pipeline.chat.wire.invitation import Missed, invitation, invitation_metadata
from pipeline.errors import SourceError, UsageError
from tests.chat.yard import (
    APP,
    BOT,
    DM,
    DOCK,
    FORUM,
    GULL,
    HALL,
    HOOK,
    LOFT,
    MILL,
    MILLERS,
    ORPHAN,
    OTTO,
    OWN_ROLE,
    PIP,
    THREAD,
    USERS,
    WREN,
    forward,
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


# The line


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


# The body


def test_mentions_show_nicknames_and_then_other_names():
    """Nickname, global name, username; a non-member who is known shows no nickname."""
    raw = message(f"<@{WREN}> <@!{OTTO}> <@{PIP}> <@{GULL}> <@230000000000000099>")
    assert line(raw) == ("wren_: @Wren of the Hedge @Otto K @pip @Grey Gull <@230000000000000099>")


def test_people_whom_the_message_carries_are_known():
    """Mentioned, author and answered author, without any member table."""
    guest = {"id": "230000000000000055", "username": "guest", "global_name": "Guest!"}
    bare = yard(members=[], users=[])
    assert line(message("<@230000000000000055>", mentions=[guest]), world=bare) == "wren_: @Guest!"
    assert line(message(f"<@{WREN}>"), world=bare) == "wren_: @Wren"
    answered = reply("<@230000000000000055>", guest)
    assert line(answered, world=bare).endswith("wren_: @Guest!")


def test_a_dm_shows_no_nicknames_and_no_roles():
    """There is no guild to have them."""
    raw = message(f"<@{WREN}> <@&{MILLERS}>", channel=DM)
    assert line(raw, DM) == f"wren_: @Wren <@&{MILLERS}>"


def test_a_nickname_holds_in_its_own_guild_only():
    """Elsewhere the same person goes by global name."""
    assert line(message(f"<@{WREN}>", channel=DOCK), DOCK) == "wren_: @Wren"


def test_roles_and_channels_by_table_and_raw_where_unlisted():
    """A role list that lacks the role leaves the token; rooms count across guilds, DMs do not."""
    raw = message(f"<@&{MILLERS}> <#{DOCK}> <#{FORUM}> <#{DM}> <#220000000000000099>")
    rest = f"#Hall #loft <#{DM}> <#220000000000000099>"
    assert line(raw) == f"wren_: @millers {rest}"
    assert line(raw, world=yard(roles=[])) == f"wren_: <@&{MILLERS}> {rest}"


def test_roles_inside_the_guild_object_count_too():
    """Some sources hold them nowhere else."""
    guild = {"id": MILL, "name": "Old Mill", "roles": [{"id": MILLERS, "name": "millers"}]}
    assert (
        line(message(f"<@&{MILLERS}>"), world=yard(guilds=[guild], roles=[])) == "wren_: @millers"
    )


@pytest.mark.parametrize("kind", [1, 2, 4, 6, 7, 8, 9, 10, 11, 12, 18, 24])
def test_system_messages_have_their_text(kind):
    """Only where Discord gave none itself."""
    assert line(message("", type=kind)).startswith("wren_: [")
    assert "system message" not in line(message("", type=kind))
    assert line(message("own words", type=kind)) == "wren_: own words"


@pytest.mark.parametrize("kind", [3, 5, 19, 20, 21, 46, 99])
def test_other_types_without_words_tell_their_number(kind):
    """A reply with only a picture and a slash answer with only an embed too."""
    assert line(message("", type=kind, flags=128)) == f"wren_: [system message: type {kind}]"


def test_nothing_but_words_is_shown():
    """Embeds, stickers, polls, components and reactions of any kind leave the body empty."""
    raw = message(
        "",
        embeds=[{"title": "T"}],
        sticker_items=[
            {"id": "1", "name": "x", "format_type": 9},
            {"id": "2", "format_type": None},
        ],
        components=[{"type": 10, "content": "c"}, {"type": 99}],
        reactions=[{"count": 2, "emoji": {"id": "31", "name": None}}],
        poll={"question": {"text": "?"}},
    )
    assert line(raw) == "wren_: "


@pytest.mark.parametrize(
    ("snapshot", "said"),
    [
        ({"content": f"<:bell:180000000000000001> <@{WREN}>"}, f":bell: <@{WREN}>"),
        ({"content": "map", "attachments": [{"id": "1"}] * 2}, "map [2 attachments]"),
        ({"attachments": [{"id": "1"}]}, "[1 attachment]"),
        ({"embeds": [{}]}, "[embed]"),
        ({"content": "see", "embeds": [{}]}, "see"),
        ({}, "[no text content]"),
        ({"content": None, "attachments": None}, "[no text content]"),
    ],
)
def test_a_forward_tells_what_it_carries(snapshot, said):
    """Content is empty in a forward; its words stand in the snapshot."""
    assert item(forward(**snapshot)).body == f"[forwarded message] {said}"


def test_forwards_follow_words_on_a_new_line():
    """One line a snapshot; blank words give way."""
    raw = forward(content="a")
    two = {**raw, "message_snapshots": raw["message_snapshots"] * 2}
    assert item({**two, "content": "look"}).body == (
        "look\n[forwarded message] a\n[forwarded message] a"
    )
    assert item({**raw, "content": " "}).body == "[forwarded message] a"


def test_odd_letters_become_writable_everywhere():
    """Half a pair in words, names and rooms is U+FFFD before anything is stored."""
    half = {"id": "1", "username": "w\ud83d"}
    world = yard(channels=[(MILL, {"id": HALL, "type": 0, "name": "h\udc00"})])
    got = item(message("a\ud83d", author=half), None, world=world)
    assert got.text == "[#h\ufffd in Old Mill] w\ufffd: a\ufffd"
    json.dumps(got.metadata, ensure_ascii=False).encode()


def test_signed_links_leave_text_and_metadata_where_asked():
    """Off, they are kept as they were read."""
    url = "https://cdn.discordapp.com/attachments/1/2/a.png"
    raw = message(f"{url}?ex=1&is=2&hm=3")
    kept = message_item(raw, WORLD, settings(), HALL)
    bare = message_item(raw, WORLD, settings(strip_signed_links=True), HALL)
    assert kept.text.endswith("hm=3")
    assert (bare.text, bare.body, bare.metadata["rawContent"]) == (f"wren_: {url}", url, url)
    assert WireSettings().strip_signed_links


# Whom it calls


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


# Metadata and lanes


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


# The newest month


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


# Additions that a caller may ask for


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
