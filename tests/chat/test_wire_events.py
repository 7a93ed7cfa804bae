"""Reactions, edits, deletes, and the blocks that tell of several messages at once."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from pipeline.chat.wire import profile_of
from pipeline.chat.wire.events import (
    coalesced_edit,
    delete_event,
    edit_event,
    emoji_text,
    emoji_token,
    is_real_edit,
    reaction_event,
    snippet_of,
)
from pipeline.chat.wire.transcripts import (
    Line,
    backscroll_lines,
    dm_prefix,
    line_of,
    missed_block,
    stamp,
)
from tests.chat.yard import (
    BOT,
    DM,
    GULL,
    HALL,
    MILL,
    OTTO,
    WREN,
    attachment,
    message,
    reply,
    yard,
)

WORLD = yard()
A, A2, B = map(profile_of, ["A", "A2", "B"])
ID = "1540057957662720001"


def react(target, user=OTTO, emoji=None, **more):
    event = {"user_id": user, "emoji": emoji or {"id": None, "name": "🎉"}}
    return reaction_event(event, target, WORLD, **more)


def test_a_reaction_names_who_what_and_on_which_words():
    """The snippet is the cleaned text; the metadata has both spellings of the emoji."""
    got = react(message(f"hi <@{WREN}>"), emoji={"id": "31", "name": "bell", "animated": True})
    assert got.text == (
        f'[reaction] @otto.k reacted :bell: on message {ID} — "hi @Wren of the Hedge"'
    )
    assert got.tags == ("chat:reaction",)
    assert got.metadata == {
        "source": "discord",
        "channelId": HALL,
        "messageId": ID,
        "guildId": MILL,
        "reactorId": OTTO,
        "reactorName": "otto.k",
        "emoji": ":bell:",
        "emojiToken": "<a:bell:31>",
        "onOwnMessage": False,
        "action": "add",
    }


def test_a_removed_reaction_on_own_words():
    """Own words are "your message"; no text, no snippet; the agent's own are not shown."""
    got = react(message("", author=BOT), is_removal=True)
    assert got.text == "[reaction] @otto.k removed a reaction 🎉 on your message"
    assert (got.tags, got.metadata["action"]) == (("chat:reaction-remove",), "remove")
    assert react(message("a"), user=BOT) is None


def test_a_reactor_is_named_by_member_else_table_else_id():
    """In that order."""
    event = {"user_id": "9", "emoji": {"name": "x"}, "member": {"user": {"username": "nine"}}}
    assert reaction_event(event, message("a"), WORLD).text.startswith("[reaction] @nine reacted")
    assert react(message("a"), GULL).text.startswith("[reaction] @gull reacted")
    assert react(message("a"), "9").text.startswith("[reaction] @9 reacted")


@pytest.mark.parametrize(
    ("emoji", "text", "token"),
    [
        ({"id": "31", "name": None}, ":31:", "<:31:31>"),
        ({"id": 31, "name": "b"}, ":b:", "<:b:31>"),
        ({"id": None, "name": None}, "unknown", "unknown"),
        ({"name": "👍🏽"}, "👍🏽", "👍🏽"),
        ({}, "unknown", "unknown"),
    ],
)
def test_removed_emoji_go_by_id_or_as_unknown(emoji, text, token):
    """A custom emoji that is gone has no name and no `animated`."""
    assert (emoji_text(emoji), emoji_token(emoji)) == (text, token)


def test_snippets_are_one_line_of_at_most_eighty_units():
    """Longer ones keep 79 and an ellipsis; a bell counts two."""
    assert snippet_of(message("\n a\n\n b "), WORLD) == "a b"
    assert snippet_of(message("x" * 80), WORLD) == "x" * 80
    assert snippet_of(message("x" * 81), WORLD) == "x" * 79 + "…"
    assert snippet_of(message("🔔" * 41), WORLD) == "🔔" * 39 + "\ufffd…"


def test_edits_are_raw_and_name_their_author_from_the_second_month_on():
    """Nobody's name is left out there."""
    assert edit_event("5", "<@1> new", "wren_", A).text == "[message edited] <@1> new"
    assert edit_event("5", "new", "wren_", A).tags == ()
    for profile in (A2, B):
        got = edit_event("5", "<@1> new", "wren_", profile)
        assert (got.text, got.tags) == ("[message edited] wren_: <@1> new", ("chat:edited",))
        assert edit_event("5", "new", None, profile).text == "[message edited] new"
    assert got.metadata == {"source": "discord", "channelId": "5"}


def test_deletes_name_their_author_from_the_second_month_on():
    """By id, with a name where one is known."""
    assert delete_event("5", "9", "wren_", A).text == "[message deleted] 9"
    got = delete_event("5", "9", "wren_", A2)
    assert (got.text, got.tags) == ("[message deleted] 9 by @wren_", ("chat:deleted",))
    assert delete_event("5", "9", None, B).text == "[message deleted] 9"


def test_a_link_preview_is_no_edit():
    """An edit has an edit time and other words."""
    before = message("a")
    assert is_real_edit(before, message("b", edited_timestamp="2026"))
    assert is_real_edit(None, message("b", edited_timestamp="2026"))
    assert not is_real_edit(before, message("a", edited_timestamp="2026"))
    assert not is_real_edit(before, message("b", edited_timestamp=None))


def test_an_unread_create_is_replaced_under_its_own_head():
    """Marker, location and author are the create's."""
    got = coalesced_edit("[replying to @a]\n[DM] ", "wren_", "b")
    assert (got.text, got.tags) == ("[replying to @a]\n[DM] wren_: b [edited]", ("chat:edited",))


# Blocks of several messages

NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)
DM_ROOM, HALL_ROOM = WORLD.rooms[DM], WORLD.rooms[HALL]


def lines(count, mentions=()):
    return [Line(str(n), "wren_", f"t{n}", NOON, is_mention=n in mentions) for n in range(count)]


def test_times_are_local_with_offset_and_zone():
    """The default style; seconds, no fractions."""
    assert stamp(NOON.replace(microsecond=9), ZoneInfo("Europe/Berlin")) == (
        "2026-07-01T14:00:00+02:00 [Europe/Berlin]"
    )
    assert stamp(NOON, UTC).endswith("+00:00 [UTC]")


def test_a_line_takes_names_words_files_and_reactions():
    """From a raw message."""
    raw = reply(
        f"<@{OTTO}>",
        BOT,
        attachments=[attachment("a.png"), attachment("b.txt")],
        reactions=[
            {"emoji": {"id": None, "name": "🎉"}, "count": 2, "me": True},
            {"emoji": {"id": "1", "name": "bell"}, "count": 1},
        ],
    )
    got = line_of(raw, WORLD)
    assert (got.author_name, got.text, got.is_mention) == ("wren_", "@Otto K", True)
    assert got.sent_at == datetime(2026, 8, 20, 18, 0, 30, tzinfo=UTC)
    assert dm_prefix("w", "1", [got], UTC).splitlines()[1:] == [
        '<backscroll dm="true" count="1">',
        (
            "[2026-08-20T18:00:30+00:00 [UTC]] wren_: @Otto K [attachments: a.png, b.txt]"
            " [reactions: 🎉 x2 (incl. me), :bell: x1]"
        ),
        "</backscroll>",
    ]


def test_a_first_dm_without_earlier_talk_has_no_backscroll():
    """And without a zone there are no times."""
    assert dm_prefix("wren_", "9").endswith("nothing to subscribe to.</system>\n")
    assert "\nwren_: t0\n</backscroll>\n" in dm_prefix("wren_", "9", lines(1))


def test_backscroll_leaves_out_own_words_and_no_ops_and_keeps_eighty():
    """The last eighty, oldest first."""
    raw = [message(f"t{n}", channel=DM) for n in range(90)]
    raw += [message("mine", author=BOT, channel=DM), message("m continue x", channel=DM)]
    got = backscroll_lines(raw, WORLD)
    assert [line.text for line in got] == [f"t{n}" for n in range(10, 90)]


def test_missed_talk_of_an_open_room_is_told_whole():
    """The reason is a mention where there is one."""
    assert missed_block(lines(2), HALL_ROOM, None) == (
        f'<missed channel="#hall" channelId="{HALL}" guild="Old Mill" count="2"'
        ' reason="backscroll">\n[id=0] wren_: t0\n[id=1] wren_: t1\n</missed>'
    )
    assert 'reason="mention"' in missed_block(lines(2, {1}), HALL_ROOM, UTC)
    dm = missed_block(lines(1), DM_ROOM, UTC)
    assert dm.startswith(f'<missed channelId="{DM}" dm="true" count="1" reason="dm">\n[2026-07-01T')


def test_missed_talk_of_a_closed_room_is_told_around_mentions():
    """Seven lines either side, each once; the count is that of mentions."""
    got = missed_block(lines(40, {10, 12}), HALL_ROOM, None, is_open=False).splitlines()
    assert got[0].endswith('count="2" lines="17" reason="mention">')
    assert got[1] == "[id=3] wren_: t3"
    assert got[8] == "[id=10] wren_ (mention): t10"
    assert got[-2] == "[id=19] wren_: t19"


def test_events_of_numbers_and_nulls():
    """Ids as numbers; an emoji or a letter that is not there."""
    got = react({**message("a"), "id": int(ID)}, int(BOT), None)
    assert got is None
    got = react({**message("a"), "id": int(ID)}, int(OTTO), {"id": 31, "name": "b\ud83d"})
    assert (got.metadata["reactorId"], got.metadata["messageId"]) == (OTTO, ID)
    assert got.metadata["emojiToken"] == "<:b\ufffd:31>"
    assert emoji_text({"name": "\ud83d"}) == "\ufffd"
    assert emoji_token({"id": 31, "name": None}) == "<:31:31>"
    bare = reaction_event({"user_id": OTTO, "emoji": None}, message("a"), WORLD)
    assert bare.text.startswith("[reaction] @otto.k reacted unknown on")
