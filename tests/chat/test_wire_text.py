"""Ids, tokens, lengths, sizes and links, without names or rooms."""

from datetime import UTC, datetime

import pytest

from pipeline.chat.text import (
    clean_emoji,
    clean_tokens,
    id_time,
    js_time,
    name_users,
    one_spaced,
    size_text,
    text_id,
    unsigned,
    unsigned_url,
    utf16_cut,
    utf16_length,
    whole,
)
from pipeline.errors import SourceError

ID17, ID19, ID16, ID20 = "1" * 17, "1" * 19, "1" * 16, "1" * 20


def named(kind, target):
    """Know everything."""
    return f"n{target[-1]}"


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        (f"<@{ID17}>", "@n1"),
        (f"<@!{ID19}>", "@n1"),
        (f"<@&{ID17}>", "@n1"),
        (f"<#{ID17}>", "#n1"),
        (f"<:a_1:{ID17}> <a:b:{ID19}>", ":a_1: :b:"),
        (f"</bell ring:{ID17}>", "/bell ring"),
        (f"</ğlocke-läuten:{ID17}>", "/ğlocke-läuten"),
        (f"</सूची:{ID17}>", "/सूची"),
        (f"`<@{ID17}>`\n```<#{ID17}>```", "`@n1`\n```#n1```"),
    ],
)
def test_every_token_has_its_visible_form(raw, seen):
    """All kinds, inside code too."""
    assert clean_tokens(raw, named) == seen


@pytest.mark.parametrize(
    "raw",
    [
        f"<@{ID16}>",
        f"<@{ID20}>",
        f"<@&!{ID17}>",
        f"<:ä:{ID17}>",
        f"<::{ID17}>",
        "<@１１１１１１１１１１１１１１１１１>",  # full-width digits are no id
        "<t:99999999999999999:R> <t:-1:Q> <t:1700000000>",
        "<id:guide> @everyone @here 1 < 2",
    ],
)
def test_what_is_no_token_stays_as_typed(raw):
    """Ids have 17 to 19 ASCII digits; silly times, guides and pings to all are left alone."""
    assert clean_tokens(raw, named) == raw


def test_unknown_targets_stay_raw():
    """None leaves the token; commands and emoji carry their name with them."""
    raw = f"<@{ID17}> <#{ID17}> <@&{ID17}> <:x:{ID17}>"
    assert clean_tokens(raw, lambda kind, target: None) == f"<@{ID17}> <#{ID17}> <@&{ID17}> :x:"


def test_names_are_not_read_again():
    """One pass: a name that looks like a token is a name."""
    assert clean_tokens(f"<@{ID17}>", lambda kind, target: f"<#{ID17}>") == f"@<#{ID17}>"


def test_forwards_rewrite_emoji_only():
    """Mentions stay raw in them."""
    assert clean_emoji(f"<a:x:{ID17}> <@{ID17}>") == f":x: <@{ID17}>"


def test_users_are_named_back():
    """Own posts turn user mentions back and leave all else as it was sent."""
    raw = f"<@{ID17}> <@!{ID19}> <@&{ID17}> <:x:{ID17}>"
    assert name_users(raw, lambda user: "wren") == f"@wren @wren <@&{ID17}> <:x:{ID17}>"
    assert name_users(raw, lambda user: None) == raw


def test_ids_are_text_or_whole_numbers():
    """Ints become digits; a float has lost some and is refused by name."""
    assert text_id("805808981356183572") == text_id(805808981356183572) == "805808981356183572"
    with pytest.raises(SourceError, match=r"8\.058089813561836e\+17 is a float"):
        text_id(8.058089813561836e17)
    for odd in (None, True, {"id": 1}):
        with pytest.raises(SourceError, match="text or whole numbers"):
            text_id(odd)


def test_an_id_holds_its_time():
    """To the millisecond, written as JavaScript does."""
    assert id_time("0") == datetime(2015, 1, 1, tzinfo=UTC)
    assert js_time(id_time(str(1234 << 22))) == "2015-01-01T00:00:01.234Z"


def test_lengths_and_cuts_count_utf16_units():
    """A bell is two units; half of it is nothing that can be written."""
    assert (utf16_length("abc"), utf16_length("ä"), utf16_length("🔔a")) == (3, 1, 3)
    assert (utf16_cut("abc", 2), utf16_cut("a🔔b", 3), utf16_cut("a🔔b", 2)) == (
        "ab",
        "a🔔",
        "a\ufffd",
    )
    assert utf16_length("\ud83d") == 1


def test_lone_surrogates_become_writable():
    """Whole pairs and all other text are left alone."""
    assert whole("a\ud83db") == "a\ufffdb"
    assert whole("🔔 ä") == "🔔 ä"


def test_white_space_is_javascripts():
    """A byte order mark is white space there; a file separator is none."""
    assert one_spaced(" a\n\t b\ufeff\u00a0c\u3000") == "a b c"
    assert one_spaced("a\x1cb\x85c") == "a\x1cb\x85c"


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (0, "0B"),
        (1023, "1023B"),
        (1024, "1KB"),
        (1535, "1KB"),
        (1536, "2KB"),
        (2560, "3KB"),
        (1048575, "1024KB"),
        (1048576, "1.0MB"),
        (1310720, "1.3MB"),
        (1363148, "1.3MB"),
        (26214400, "25.0MB"),
    ],
)
def test_sizes_round_halves_up(size, said):
    """2560 is 2.5 KB and 1310720 is 1.25 MB; both go up."""
    assert size_text(size) == said


CDN = "https://cdn.discordapp.com/attachments/1/2/a.png"


@pytest.mark.parametrize(
    ("signed", "bare"),
    [
        (f"{CDN}?ex=6a&is=6b&hm=7c", CDN),
        (f"{CDN}?ex=6a&is=6b&hm=7c&", CDN),
        (f"{CDN}?ex=6a&amp;is=6b&amp;hm=7c&amp;", CDN),
        (f"{CDN}?ex=6a&is=6b&hm=7c&=&width=40", f"{CDN}?=&width=40"),
        (f"{CDN}?width=40&ex=6a&is=6b&hm=7c", f"{CDN}?width=40"),
        (f"see {CDN}?ex=6a&is=6b&hm=7c.", f"see {CDN}."),
        (f"[a]({CDN}?ex=6a&is=6b&hm=7c) b?c", f"[a]({CDN}) b?c"),
        (f"<{CDN}?ex=6a&hm=7c>, {CDN}?ex=1", f"<{CDN}>, {CDN}"),
        (
            "https://media.discordapp.net/x/y.webp?ex=1&is=2&hm=3&=&format=webp",
            "https://media.discordapp.net/x/y.webp?=&format=webp",
        ),
    ],
)
def test_signatures_leave_cdn_links(signed, bare):
    """Only `ex`, `is` and `hm` go; what else a link asks for stays."""
    assert unsigned(signed) == bare


@pytest.mark.parametrize(
    "text",
    [
        "https://example.invalid/a?ex=1&is=2&hm=3",
        f"{CDN}?width=40",
        f"{CDN}?exact=6&this=7",
        "discordapp what? ex=1",
    ],
)
def test_other_links_are_left_alone(text):
    """Another host's query is its own, and a longer name is no signature."""
    assert unsigned(text) == text


def test_an_attachments_own_link_is_unsigned_on_any_host():
    """A saved copy may lie elsewhere; its link is known to be an attachment's."""
    assert unsigned_url("https://a.invalid/x?ex=1&is=2&hm=3&") == "https://a.invalid/x"
    assert unsigned_url("https://a.invalid/x") == "https://a.invalid/x"
