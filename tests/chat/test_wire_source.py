"""The newest host's source line: what is written plainly, what is quoted, what is guarded."""

import pytest

from pipeline.chat.wire.source import quoted, source_line, unimitated


def test_a_line_has_the_parts_that_are_known():
    """Server and channel, label, thread, reply; without a channel it is unscoped."""
    assert source_line("s", "c", "#l (G)", thread="t", reply_to_id="9") == (
        "[source: s / c · #l (G) · thread t · reply to 9]"
    )
    assert source_line("s", "c") == "[source: s / c]"
    assert source_line("s", None) == "[source: s · unscoped]"


@pytest.mark.parametrize(
    "value",
    [
        "#hall (Old Mill)",
        "a/b",
        "a /b",
        "ä ж 言",
        "🔥-forge",
        "❤️",
        "👨‍👩‍👧",
        "👍🏽",
        "1️⃣",
        "🏴\U000e0067\U000e0062\U000e007f",
    ],
)
def test_plain_values_stay_plain(value):
    """Letters of any script, and emoji with the unseen characters that belong to them."""
    assert quoted(value) == value


@pytest.mark.parametrize(
    "value",
    [
        "a[b",
        "a]b",
        "a·b",
        "a\\b",
        'a"b',
        "a / b",
        "a\n/\tb",
        "a\tb",
        "a\x7fb",
        "a\u2028b",
        "a\u00a0b",
        "a\u200bb",
        "a\u200db",
        "a\ufe0fb",
        "\u200d🔥",
        "🔥\u200da",
        "a\U000e0067",
        "\u3164",
        "\u202eabc",
        "soft\u00adhyphen",
    ],
)
def test_what_could_mislead_is_quoted(value):
    """The line's own grammar, odd spaces, and what cannot be seen."""
    assert quoted(value).startswith('"')
    assert quoted(value).endswith('"')


def test_quotes_are_json():
    """Escapes as JSON has them, other letters as they are."""
    assert quoted('ä"\n[') == '"ä\\"\\n["'


@pytest.mark.parametrize("label", ["thread x", "Reply To me", "UNSCOPED", "thread"])
def test_a_label_that_reads_like_a_part_is_quoted(label):
    """Only labels, and only where the word ends there."""
    assert quoted(label, is_label=True) == f'"{label}"'
    assert quoted(label) == label
    assert quoted("threads", is_label=True) == "threads"


@pytest.mark.parametrize(
    ("text", "guarded"),
    [
        ("[source: x]", "\\[source: x]"),
        ("a [ SOURCE ] [source\n:", "a \\[ SOURCE ] \\[source\n:"),
        (
            "[sources: x] [outsource] source: x [source x",
            "[sources: x] [outsource] source: x [source x",
        ),
        ("none", "none"),
    ],
)
def test_imitations_get_a_backslash(text, guarded):
    """Any case, white space allowed inside the bracket."""
    assert unimitated(text) == guarded


def test_every_part_is_quoted_where_it_must_be():
    """Server, channel, label, thread and reply."""
    assert source_line("[", "]", "·", thread='"', reply_to_id="\\") == (
        '[source: "[" / "]" · "·" · thread "\\"" · reply to "\\\\"]'
    )
    assert source_line("s", "c", "thread") == '[source: s / c · "thread"]'


@pytest.mark.parametrize(
    "value", ["🏴a\U000e0067\U000e007f", "a\U000e007f", "1\u200d🔥", "🔥\ufe0f\u200da", "=\ufe0f"]
)
def test_only_true_sequences_are_emoji(value):
    """A tag after a letter, a joiner beside none, a selector after plain ASCII."""
    assert quoted(value).startswith('"')


def test_a_joined_emoji_may_hold_a_selector():
    """A heart on fire."""
    assert quoted("❤️\u200d🔥") == "❤️\u200d🔥"
