"""One exported row as Discord's own object."""

import pytest

from pipeline.testing import dce
from stages.dump.files.dce import Export, message
from stages.dump.files.terms import LostRow
from tests.dump.files_small import ROOM_ID, last, take


def mapped(row, **facts):
    """Map a row; gives the object and what was counted."""
    export = Export(ROOM_ID, dce.GUILD["id"], "2026-08-30T10:52:56.000000+00:00", **facts)
    return message(row, export), export


def test_a_plain_row_is_shaped_like_the_api():
    """And the row itself is kept whole under `dce`."""
    row = dce.row(1, "good evening", isPinned=True)
    found, _ = mapped(row)
    assert found["channel_id"] == ROOM_ID
    assert (found["type"], found["content"], found["pinned"]) == (0, "good evening", True)
    assert found["timestamp"] == "2026-03-01T18:01:00.000000+00:00"
    assert found["author"]["username"] == "marrow_fox"
    assert found["dce"]["row"] == row


def test_what_an_export_cannot_know_is_absent():
    """Absent means unknown; null or empty would claim something."""
    found, _ = mapped(dce.row(1, "hi"))
    assert {
        "poll",
        "components",
        "flags",
        "webhook_id",
        "mention_roles",
        "mention_everyone",
    }.isdisjoint(found)


@pytest.mark.parametrize("kind", ["ThreadCreated", "18", 18, "GuildMemberJoin", "8"])
def test_system_rows_lose_the_sentence_that_is_not_the_authors(kind):
    """The type stays, the sentence stays under `dce` (2e.2)."""
    found, export = mapped(dce.row(1, "Started a thread.", type=kind))
    assert found["content"] == ""
    assert found["type"] in range(1, 19)
    assert found["dce"]["row"]["content"] == "Started a thread."
    assert sum(export.lost.values()) == 1


@pytest.mark.parametrize("kind", ["Default", "Reply", "20", "23", "21"])
def test_speech_keeps_its_text(kind):
    """Commands and replies are speech."""
    assert mapped(dce.row(1, "hello", type=kind))[0]["content"] == "hello"


def test_a_reference_without_message_stays_without():
    """A thread that was created names a room only; null never becomes text (B011)."""
    reference = {"type": "Default", "messageId": None, "channelId": "9500", "guildId": None}
    found, _ = mapped(dce.row(1, "Started a thread.", type="ThreadCreated", reference=reference))
    assert found["message_reference"] == {"type": 0, "channel_id": "9500"}


def test_a_reply_names_whom_it_answers():
    """The speaker of the target, where the files know it; else the key is absent (B010)."""
    first = dce.row(1, "hi", dce.QUILL)
    answer = dce.reply(2, first, "hello", dce.MARROW)
    known, _ = mapped(answer, speakers={first["id"]: {"id": "7", "username": "quill.ink"}})
    assert known["referenced_message"]["author"] == {"id": "7", "username": "quill.ink"}
    unknown, export = mapped(answer)
    assert "referenced_message" not in unknown
    assert unknown["message_reference"]["message_id"] == first["id"]
    assert export.lost["reply targets that are not in the files"] == 1


def test_a_forward_is_a_snapshot():
    """Its text is in the snapshot, and it answers nobody."""
    forwarded = {"content": "the map", "timestamp": dce.START.isoformat(), "attachments": [
        {"id": "5", "url": "x/map.pdf", "fileName": "map.pdf", "fileSizeBytes": 9}]}  # fmt: skip
    reference = {"type": "Forward", "messageId": "99", "channelId": "98", "guildId": "97"}
    found, _ = mapped(dce.row(1, "", reference=reference, forwardedMessage=forwarded))
    assert found["message_reference"]["type"] == 1
    snapshot = found["message_snapshots"][0]["message"]
    assert snapshot["content"] == "the map"
    assert snapshot["attachments"][0]["content_type"] == "application/pdf"
    assert found["flags"] & 1 << 14


def test_webhooks_are_told_by_their_author():
    """A bot without number and roles; one id, many names (2e.7)."""
    proxy = dce.person(9, "Pike via proxy", isBot=True, roles=[], color=None)
    found, export = mapped(dce.row(1, "hi", proxy))
    assert found["webhook_id"] == found["author"]["id"] == proxy["id"]
    assert export.noted["webhooks, told by their author"] == 1
    assert "webhook_id" not in mapped(dce.row(1, "hi", dce.TILLY))[0]


def test_deleted_accounts_are_counted_and_kept():
    """Many may share one id and name (2e.8)."""
    gone = dce.person(9, "Deleted User", id="456226577798135808", roles=[], color=None)
    found, export = mapped(dce.row(1, "bye", gone))
    assert found["content"] == "bye"
    assert export.noted["messages of deleted accounts"] == 1


def test_empty_rows_are_counted_as_what_they_may_be():
    """A poll leaves nothing behind in an export."""
    assert sum(mapped(dce.row(1, ""))[1].lost.values()) == 1


def test_voice_messages_get_their_flag_back():
    """Told by the file's name, which is always the same."""
    files = [{"id": "5", "url": "u", "fileName": "voice-message.ogg", "fileSizeBytes": 9}]
    assert mapped(dce.row(1, "", attachments=files))[0]["flags"] == 1 << 13


def test_stickers_reactions_and_commands_are_mapped():
    """Unknown formats and nameless emoji pass (B014, B015)."""
    row = dce.row(
        1,
        "hi",
        dce.TILLY,
        type="20",
        stickers=[{"id": "1", "name": "w", "format": "Lottie"}, {"id": "2", "format": "New"}],
        reactions=[
            {"emoji": {"id": "", "name": "🎉", "isAnimated": False}, "count": 3},
            {"emoji": {"id": None, "name": None}, "count": 1},
        ],
        interaction={"id": "77", "name": "bell", "user": dict(dce.QUILL)},
    )
    found, _ = mapped(row)
    assert [s["format_type"] for s in found["sticker_items"]] == [3, None]
    assert found["reactions"][0] == {"count": 3, "emoji": {"id": None, "name": "🎉"}}
    assert found["interaction_metadata"]["user"]["username"] == "quill.ink"
    assert found["interaction"]["name"] == "bell"


def test_embeds_lose_their_rendering_only_in_name():
    """Colour, fields and folded images take Discord's names."""
    given = {"title": "T", "url": "https://x.invalid/", "timestamp": None, "description": "",
             "color": "#58B9FF", "images": [{"url": "a"}, {"url": "b"}],
             "fields": [{"name": "n", "value": "v", "isInline": True}]}  # fmt: skip
    first, second = mapped(dce.row(1, "hi", embeds=[given]))[0]["embeds"]
    assert first["color"] == 0x58B9FF
    assert first["fields"] == [{"name": "n", "value": "v", "inline": True}]
    assert "description" not in first
    assert (first["image"], second["image"]) == ({"url": "a"}, {"url": "b"})
    assert second["url"] == first["url"]


def test_ids_are_never_read_out_of_rendered_text():
    """`@Unknown` stays what it is (B012)."""
    found, _ = mapped(dce.row(1, "ask @Unknown in #deleted-channel"), rendered=True)
    assert found["content"] == "ask @Unknown in #deleted-channel"
    assert found["mentions"] == []


def test_role_mentions_come_back_from_raw_text_only():
    """Not from rendered text, and not from code."""
    text = "<@&1160000000000000001> see `<@&1160000000000000002>`"
    assert mapped(dce.row(1, text), rendered=False)[0]["mention_roles"] == ["1160000000000000001"]
    assert "mention_roles" not in mapped(dce.row(1, text), rendered=None)[0]


def test_mentions_are_taken_from_the_list():
    """The people listed are the people meant."""
    found, _ = mapped(dce.row(1, "hey @Tilly", mentions=[dict(dce.TILLY)]))
    assert [who["id"] for who in found["mentions"]] == [dce.TILLY["id"]]


def test_times_that_disagree_with_the_id_are_told_and_kept():
    """Files edited by hand disagree: a warning, no failure (2e.3)."""
    found, export = mapped(dce.row(1, "hi", timestamp="2020-01-01T00:00:00+00:00"))
    assert found["timestamp"].startswith("2020-01-01")
    assert export.noted["times that disagree with the id"] == 1


def test_a_time_that_cannot_be_read_is_taken_from_the_id():
    """The snowflake holds it."""
    found, _ = mapped(dce.row(1, "hi", timestamp="31/02/2026"))
    assert found["timestamp"] == "2026-03-01T18:01:00.000000+00:00"


@pytest.mark.parametrize(
    "broken",
    [
        {"id": 8.058089813561836e17},
        {"id": None},
        {"author": None},
        {"author": {"name": "nobody"}},
        {"id": "17", "timestamp": None},
    ],
)
def test_rows_that_are_no_messages_are_refused_in_words(broken):
    """Required are id, time and author; the reason is a sentence."""
    with pytest.raises(LostRow, match=" "):
        mapped({**dce.row(1, "hi"), **broken})


def test_the_forks_extras_are_turned_back():
    """Flags by name, components with the API's key names, honest display names."""
    author = {**dce.MARROW, "displayName": "Marrow", "nickname": "Marrow the Fox"}
    row = dce.row(
        1, "", author, flags=["HasThread", "128"], components=[{"type": 10, "customId": "x"}]
    )
    found, _ = mapped(row)
    assert found["flags"] == 1 << 5 | 128
    assert found["components"] == [{"type": 10, "custom_id": "x"}]
    assert found["author"]["global_name"] == "Marrow"


@pytest.mark.parametrize(
    ("texts", "mentions", "verdict"),
    [
        (["hi <@1300000000000000001>", "plain"], [], False),
        (["look <#1200000000000000007>"], [], False),
        (["<:lamp:1170000000000000001>"], [], False),
        (["at <t:1700000000:R>"], [], False),
        (["hey @Tilly"], [dce.TILLY], True),
        (["plain", "a < b"], [], None),
    ],
)
def test_raw_or_rendered_is_inferred_for_the_whole_file(tmp_path, texts, mentions, verdict):
    """One sign of raw text settles it; without any sign it stays unknown (2e.1)."""
    rows = [dce.row(n, text, mentions=[dict(m) for m in mentions]) for n, text in enumerate(texts)]
    dce.write_export(tmp_path / "in", dce.document(rows))
    found = last(take(tmp_path, tmp_path / "in")[0])
    assert {row["dce"]["rendered"] for row in found} == {verdict}
