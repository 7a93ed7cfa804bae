"""Ids, types, times and content types of other exporters."""

from datetime import UTC, datetime

import pytest

from stages.dump.files.terms import (
    CHANNEL_TYPES,
    MESSAGE_TYPES,
    UNKNOWN_TYPE,
    LostRow,
    content_type,
    id_text,
    made_id,
    moment,
    stable_id,
    time_text,
    type_number,
)


def test_ids_are_text_numbers_or_refused():
    """A float has lost its last digits (B024)."""
    assert id_text("805808981356183572") == id_text(805808981356183572) == "805808981356183572"
    assert id_text(None) is id_text("") is id_text(True) is None
    with pytest.raises(LostRow, match="float"):
        id_text(8.058089813561836e17)


def test_ids_that_are_no_snowflakes_get_numbers_that_last():
    """`u1` is the same person in every file, and nobody else (B069)."""
    assert stable_id("u1") == stable_id("u1") != stable_id("u2")
    assert stable_id("u1").isdigit()
    assert stable_id("42") == "42"
    assert stable_id(str(2**70)).isdigit()
    assert int(stable_id(str(2**70))) < 2**63


def test_a_made_id_holds_time_and_order():
    """So that sorting by id keeps the order of the file."""
    at = datetime(2026, 1, 1, tzinfo=UTC)
    assert int(made_id(at, 0)) == (1767225600000 - 1420070400000) << 22
    assert int(made_id(at, 1)) == int(made_id(at, 0)) + 1


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-03-29T02:30:00.5+01:00", "2026-03-29T01:30:00.500000+00:00"),
        ("2026-03-29T02:30:00.1234567-04:00", "2026-03-29T06:30:00.123456+00:00"),
        ("2026-03-29T02:30:00+00:00", "2026-03-29T02:30:00.000000+00:00"),
        ("2026-03-29T02:30:00.12+05:45", "2026-03-28T20:45:00.120000+00:00"),
        ("2026-03-29T02:30:00Z", "2026-03-29T02:30:00.000000+00:00"),
    ],
)
def test_times_with_any_offset_and_fraction_become_utc(text, utc):
    """0 to 7 fraction digits, local offsets of the exporting machine (B064)."""
    assert time_text(moment(text)) == utc


@pytest.mark.parametrize("value", [None, "", "yesterday", 17, "2026-13-01T00:00:00Z"])
def test_what_is_no_time_is_none(value):
    """And never an error."""
    assert moment(value) is None


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("Default", 0),
        ("Reply", 19),
        ("46", 46),
        ("PollResult", 46),
        (18, 18),
        ("ThreadCreated", 18),
        ("ThreadStarterMessage", 21),
        ("CHAT_INPUT_COMMAND", 20),
        ("UserPremiumGuildSubscription", 8),
        ("63", 63),
        ("SomethingNew", UNKNOWN_TYPE),
        (None, 0),
    ],
)
def test_message_types_by_name_text_or_number(value, number):
    """Nothing fails on a type that nobody knows (B069)."""
    assert type_number(value, MESSAGE_TYPES) == number


@pytest.mark.parametrize(
    ("value", "number"),
    [("GuildTextChat", 0), (0, 0), ("16", 16), ("DirectTextChat", 1), ("GuildPrivateThread", 12)],
)
def test_channel_types_by_name_text_or_number(value, number):
    """The same for rooms."""
    assert type_number(value, CHANNEL_TYPES) == number


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("a.PNG", "image/png"),
        ("a.webp", "image/webp"),
        ("voice-message.ogg", "audio/ogg"),
        ("notes.txt", "text/plain; charset=utf-8"),
        ("plan.pdf", "application/pdf"),
        ("noending", None),
        ("a." + "x" * 300, None),
    ],
)
def test_content_types_are_guessed_from_names(name, kind):
    """An export has none, and the wire format asks for it (B067: any name is a name)."""
    assert content_type(name) == kind
