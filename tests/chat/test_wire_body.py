"""The words of a raw message: tokens, system texts, forwards, odd letters, signed links."""

import json

import pytest

from pipeline.chat.wire import (
    WireSettings,
    message_item,
)
from tests.chat.yard import (
    DM,
    DOCK,
    FORUM,
    GULL,
    HALL,
    MILL,
    MILLERS,
    ORPHAN,
    OTTO,
    PIP,
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


def test_nulls_are_nothing():
    """Content, snapshots and mentions may be null, and people may come without an id."""
    assert line(message(None)) == "wren_: "
    half = message(f"<@{WREN}>", author={"username": "w"}, mentions=None, mention_roles=None)
    assert line(half, world=yard(members=[], users=[], channels=[])).endswith(f"w: <@{WREN}>")


def test_a_room_without_a_name_is_shown_by_its_id():
    """Known, so the token is replaced; DMs have no name to show."""
    assert line(message(f"<#{ORPHAN}>")) == f"wren_: #{ORPHAN}"


def test_carried_people_may_have_ids_as_numbers():
    """Their tokens are text."""
    guest = {"id": 230000000000000055, "username": "guest"}
    assert line(message("<@230000000000000055>", mentions=[guest])) == "wren_: @guest"


def test_forwarded_words_become_writable():
    """Half a pair in a snapshot."""
    assert item(forward(content="a\ud83d")).body == "[forwarded message] a\ufffd"
