"""The agent's own words, its turns and targets, and what the host says about them."""

import pytest

from pipeline.chat.wire import (
    Destination,
    channel_opened,
    delivery_receipt,
    destination_of,
    own_turn,
    own_words,
    profile_of,
    routing_notice,
    target_of,
)
from pipeline.chat.wire.notices import prose_bounce, prose_primer, send_failed
from tests.chat.yard import (
    BOT,
    DM,
    DOCK,
    GARDEN,
    GULL,
    HALL,
    LOFT,
    MILL,
    MILLERS,
    ORPHAN,
    QUAY,
    SPACED_DM,
    USERS,
    WREN,
    attachment,
    forward,
    message,
    settings,
    yard,
)

WORLD = yard()
A, A2, B = map(profile_of, ["A", "A2", "B"])


def post(content="", **more):
    return message(content, author=BOT, **more)


def turn(*posts, world=WORLD, is_explicit=False, **more):
    return own_turn(list(posts), world, settings(**more), is_explicit=is_explicit)


# Words


def test_content_comes_first():
    """Whatever else the post carries."""
    got = own_words(post("said", embeds=[{"title": "T"}], components=[{"type": 99}]))
    assert (got.text, got.drawn_from) == ("said", "content")


def test_embeds_are_words_for_want_of_content():
    """Title, description and fields; author and footer are labels, taken only without those."""
    embed = {
        "author": {"name": "Mira"},
        "title": "Weather",
        "description": "Rain",
        "fields": [{"name": "Wind", "value": "west"}],
        "footer": {"text": "model 4"},
    }
    got = own_words(post("", embeds=[embed, {"description": "Later"}]))
    assert (got.text, got.drawn_from) == ("Weather\nRain\nWind\nwest\nLater", "embed")
    labels = {"author": {"name": "Mira"}, "footer": {"text": "x"}, "title": None}
    assert own_words(post("", embeds=[labels])).text == "Mira\nx"


def test_component_text_is_words_and_unknown_kinds_are_counted():
    """Text displays in reading order however deep; words inside an unknown kind are kept."""
    inner = {"type": 17, "components": [{"type": 10, "content": "Build ok"}, {"type": 99}]}
    got = own_words(post("", flags=32768, components=[inner]))
    assert (got.text, got.drawn_from, got.unknown_components) == ("Build ok", "components", 1)
    section = {
        "type": 9,
        "components": [{"type": 10, "content": "one"}],
        "accessory": {"type": 2, "label": "button"},
    }
    odd = {"type": 98, "component": {"type": 10, "content": "two"}}
    got = own_words(post("", components=[section, odd, {"type": 10, "content": "three"}]))
    assert (got.text, got.unknown_components) == ("one\ntwo\nthree", 1)


def test_deep_nesting_does_not_end_the_run():
    """Other producers' files may hold anything."""
    component = {"type": 10, "content": "deep"}
    for _ in range(5000):
        component = {"type": 17, "components": [component]}
    assert own_words(post("", components=[component])).text == "deep"


def test_a_forward_of_its_own_is_not_lost():
    """Last resort, as the wire says it."""
    got = own_words(forward(content="the map"))
    assert (got.text, got.drawn_from) == ("[forwarded message] the map", "forward")


def test_an_unfinished_answer_has_no_words():
    """A deferred slash answer that never came."""
    got = own_words(post("", type=20, flags=128))
    assert (got.text, got.drawn_from) == ("", "none")
    assert own_words(post(None, embeds=None, components=None)).text == ""


# Turns


def test_a_burst_is_one_turn():
    """Joined by a newline; all ids are kept."""
    got = turn(post("one"), post("two", id=7))
    assert (got.text, got.message_ids) == ("one\ntwo", ["1540057957662720001", "7"])


def test_mentions_are_turned_back_to_usernames():
    """From the message, else from the world; what else it sent stands as sent."""
    guest = {"id": "230000000000000055", "username": "guest", "global_name": "Guest!"}
    raw = f"<@{WREN}> <@!230000000000000055> <@{GULL}> <@&{MILLERS}> <:b:180000000000000001>"
    got = turn(post(raw, mentions=[guest]))
    assert got.text == f"@wren_ @guest @gull <@&{MILLERS}> <:b:180000000000000001>"
    assert turn(post("<@230000000000000099>")).text == "<@230000000000000099>"
    assert turn(post(f"<@{WREN}>"), world=yard(members=[], users=[])).text == "@wren_"


def test_a_turn_shows_files_only_where_it_has_no_words():
    """They are listed beside it; without words their names keep it from being empty."""
    image, text = attachment("a.png", "image/png"), attachment("b.txt", attachment_id="32")
    got = turn(post("look", attachments=[image]))
    assert (got.text, [one.name for one in got.attached]) == ("look", ["a.png"])
    bare = turn(post("", attachments=[image, text]))
    assert bare.text == "[image attachment: a.png]\n[attachment: b.txt]"


def test_unknown_components_are_summed_over_the_burst():
    """For the report."""
    odd = [{"type": 99}, {"type": 10, "content": "x"}]
    assert turn(post("", components=odd), post("", components=odd)).unknown_components == 2


def test_signed_links_leave_own_words_too():
    """Where asked."""
    url = "https://cdn.discordapp.com/attachments/1/2/a.png"
    assert turn(post(f"{url}?ex=1&is=2&hm=3"), strip_signed_links=True).text == url


def test_an_explicit_turn_begins_with_its_target():
    """The body is the words alone."""
    got = turn(post("hi", channel=GARDEN), is_explicit=True)
    assert (got.text, got.body) == (f">>discord:{MILL}:{GARDEN}\nhi", "hi")


@pytest.mark.parametrize(
    ("channel", "target"),
    [
        (LOFT, "#loft"),  # a forum of that name is no room to speak in
        (HALL, f"discord:{MILL}:{HALL}"),  # another guild has a Hall
        (DOCK, f"discord:{QUAY}:{DOCK}"),
        (GARDEN, f"discord:{MILL}:{GARDEN}"),  # a space
        (ORPHAN, f"discord:{MILL}:{ORPHAN}"),  # no name
        (DM, "@wren_"),
        (SPACED_DM, f"discord:dm:{SPACED_DM}"),
    ],
)
def test_a_target_is_one_word_that_means_one_place(channel, target):
    """Else the full id."""
    assert target_of(WORLD.rooms[channel], WORLD) == target


@pytest.mark.parametrize(
    "other",
    [
        {"user": {"id": "9", "username": "nine"}, "nick": "WREN_"},
        {"user": {"id": "9", "username": "nine", "global_name": "Wren_"}},
        {"user": {"id": "9", "username": "wren_"}},
    ],
)
def test_a_dm_partner_whose_handle_others_bear_goes_by_id(other):
    """Nicknames, global names and usernames all call somebody; case does not matter."""
    for members in ([(MILL, {"user": USERS[WREN]}), (MILL, other)], [(MILL, other)]):
        world = yard(members=members)
        assert target_of(world.rooms[DM], world) == f"discord:dm:{DM}"


# Receipts and other notices

HALL_TO, DM_TO = (destination_of(WORLD.rooms[i], "discord") for i in (HALL, DM))


def test_a_receipt_names_every_place_once():
    """In first-delivery order; a DM's label gets a #; one without label is its id."""
    bare = Destination("x-1", "x-1")
    got = delivery_receipt([DM_TO, HALL_TO, DM_TO, bare, Destination("x-2")], A2)
    assert got.text == (
        f"[delivered] plain speech → #DM: wren_ (discord:dm:{DM})"
        f" · #hall (Old Mill) (discord:{MILL}:{HALL}) · x-1 · x-2"
    )
    assert got.metadata == {"system": True, "kind": "delivery-receipt"}


def test_explicit_routing_and_silence_have_no_receipt():
    """Locus and hybrid have."""
    assert delivery_receipt([HALL_TO], A, routing="explicit") is None
    assert delivery_receipt([], A) is None
    assert delivery_receipt([], A, kept_private=1) is None
    assert delivery_receipt([HALL_TO], A, routing="hybrid") == delivery_receipt([HALL_TO], A)


def test_suppressed_speech_is_told():
    """By the reason of its routing."""
    got = delivery_receipt([], A2, suppressed=2)
    assert got.text.startswith(
        "[delivered] nothing — 2 plain-speech segment(s) suppressed (explicit send in the same"
    )
    assert "proseRouting=disabled" in delivery_receipt([], B, routing="disabled", suppressed=1).text


def test_the_newest_receipts_tell_server_drafts_and_privacy():
    """The words of 2026-10."""
    got = delivery_receipt([HALL_TO], B, suppressed=2, drafts=["d-1", "d-2"], kept_private=1)
    assert got.text == (
        f"[delivered] plain speech → #hall (Old Mill) (discord / discord:{MILL}:{HALL})"
        " · 2 plain-speech segment(s) held as draft(s) d-1, d-2"
        " (not sent — drafts can resend them unchanged, or dismiss them)"
        " · 1 plain-speech segment(s) kept private (skip_reply)"
    )
    threaded = Destination("c", "#c", "s", "t")
    assert delivery_receipt([threaded], B).text.endswith("→ #c (s / c, thread t)")
    assert delivery_receipt([threaded], A2).text.endswith("→ #c (c)")


def test_routing_is_announced_only_when_it_moves():
    """By id, not by label."""
    assert routing_notice(HALL_TO, Destination(HALL_TO.wire_id, "other"), A2) is None
    assert routing_notice(None, None, A2) is None
    assert routing_notice(DM_TO, HALL_TO, A2).text.startswith("[routing] Your plain speech now")
    assert "currently has no channel" in routing_notice(HALL_TO, None, A2).text


def test_an_opened_channels_label_gets_no_sign():
    """Unlike a receipt's."""
    assert channel_opened(DM_TO).text.startswith(
        f"[channels] Now open: DM: wren_ (discord:dm:{DM}) — your own message"
    )
    assert "open: x — your" in channel_opened(Destination("x")).text


def test_bounces_count_utf16_units():
    """A bell is two."""
    assert "Your text (3 chars) was not" in prose_bounce("a🔔").text
    assert prose_primer().metadata == {"system": True, "kind": "prose-routing-primer"}


def test_a_failed_send_tells_where_and_why():
    """In the metadata too."""
    got = send_failed(DM_TO, "gone", 5, A2)
    assert f"(5 chars) could not be delivered to #DM: wren_ (discord:dm:{DM}) (gone)." in got.text
    assert got.metadata["reason"] == "gone"
    assert got.metadata["channelId"] == f"discord:dm:{DM}"


def test_odd_letters_and_nulls_in_own_posts():
    """Half a pair wherever the words stand; fields and mentions that are null; ids as numbers."""
    display = {"type": 10, "content": "a\ud83d"}
    embed = {"title": None, "description": "a\ud83d", "fields": [{"name": None, "value": None}]}
    embed |= {"author": None, "footer": None}
    for odd in (
        post("a\ud83d"),
        post("", embeds=[embed]),
        post("", components=[{"type": 10, "content": None}, display]),
    ):
        assert own_words(odd).text == "a\ufffd"
    assert turn(post("<@230000000000000055>", mentions=None)).text == "<@230000000000000055>"
    guest = {"id": 230000000000000055, "username": "guest"}
    assert turn(post("<@230000000000000055>", mentions=[guest])).text == "@guest"


def test_a_receipt_without_a_server_names_none():
    """Also in the newest month."""
    assert delivery_receipt([Destination("c", "#c")], B).text.endswith("→ #c (c)")
