"""The engine: spans, batches, what the owner adds and keeps, shapes, surroundings, hostile text."""

from itertools import pairwise

import pytest

from pipeline.chat.redact import MARK, Span, compile_rules, cut_out, mask
from pipeline.errors import UsageError
from pipeline.testing.secrets_set import lookalikes, secrets
from tests.chat.grow import dice

PASSWORD = "Rindviech_77!"


@pytest.fixture(scope="module")
def redactor():
    return compile_rules()


def test_a_span_names_characters_and_rule(redactor):
    """Characters, not bytes: what stands before may be of any width."""
    text = f"🔑 パスワード für dich, pw: {PASSWORD} ok"
    (span,) = redactor.spans(text)
    assert text[span.start : span.end] == PASSWORD
    assert span.rule == "short-password"


def test_overlapping_hits_become_one_span_named_after_the_longest(redactor):
    """An API key after the words for it is hit by several rules and replaced once."""
    key = "sk-" + "4f9a17c3" * 4
    text = f"api key: {key}"
    assert [(s.start, s.end) for s in redactor.spans(text)] == [(9, len(text))]
    assert redactor.redact(text) == f"api key: {MARK}"


def test_the_longest_of_overlapping_hits_covers_the_others():
    """Of two of the owner's patterns the wider one wins, whichever comes first."""
    for extra in (["bcd", "abcdef"], ["abcdef", "bcd"]):
        (span,) = compile_rules(extra).spans("xx abcdef xx")
        assert (span.start, span.end) == (3, 9)
        assert span.rule == f"extra-{extra.index('abcdef') + 1}"


def test_hits_that_cross_leave_nothing_of_either():
    """Where two hits cross, their union goes: taking only the longer would leave a rest."""
    redactor = compile_rules(["abcd", "cdef9"])
    assert redactor.redact("x abcdef9 x") == f"x {MARK} x"


def test_a_batch_gives_only_the_messages_with_hits(redactor):
    """Index and spans; null, empty and clean messages give nothing."""
    texts = ["hi", None, f"pw: {PASSWORD}", "", "the password is wrong", f"pw: {PASSWORD}"]
    found = list(redactor.find(texts))
    assert [index for index, _spans in found] == [2, 5]
    assert all(spans == redactor.spans(texts[index]) for index, spans in found)


def test_a_batch_and_single_messages_agree(redactor):
    """The two ways in find the same on the whole set."""
    texts = [case.text for case in secrets(8, 1) + lookalikes(8, 1)]
    batch = dict(redactor.find(texts))
    for index, text in enumerate(texts):
        assert redactor.spans(text) == batch.get(index, [])


def test_redacting_twice_changes_nothing(redactor):
    """On secrets, look-alikes, and these joined and cut at random places."""
    draw = dice("twice")
    texts = [case.text for case in secrets(9, 1) + lookalikes(9, 1)]
    for text in list(texts):
        at = draw.randrange(len(text) + 1)
        texts.append(
            text[:at]
            + draw.choice(["password is ", MARK, "\n", "pw: ", '"', "：", "key="])
            + text[at:]
        )
        texts.append(text + draw.choice(["", " ", "\n", ": "]) + draw.choice(texts))
    for text in texts:
        once = redactor.redact(text)
        assert redactor.redact(once) == once


def test_a_mark_is_no_secret_but_what_clings_to_it_is(redactor):
    """`password: [redacted-secret]` stays; a value glued to the mark goes."""
    assert redactor.spans(f"password: {MARK}, sorry") == []
    assert "Kuhglocke88" not in redactor.redact(f"password: {MARK}Kuhglocke88")


def test_spans_are_in_order_and_never_touch(redactor):
    """So that cutting them out from left to right is safe."""
    for case in secrets(10, 2):
        spans = redactor.spans(f"{case.text} {case.text}")
        assert all(0 <= s.start < s.end for s in spans)
        assert all(one.end < two.start for one, two in pairwise(spans))


HOSTILE = {
    "one letter": "a" * 1_000_000,
    "figures": "4" * 1_000_000,
    "zero bytes": "\0" * 1_000_000,
    "lone surrogates": "\ud800" * 100_000 + f" pw: {PASSWORD}",
    "lead-ins": "password for a b c d " * 20_000,
    "openings": 'password: `"' * 20_000,
    "schemes": "http://a:b@" * 40_000,
    "keys begun": "-----BEGIN PRIVATE KEY-----" * 30_000,
    "token heads": "eyJhbGciOi.ey" * 60_000,
    "wallet words": "lobster saddle " * 50_000,
    "marks": f"password: {MARK}" * 20_000,
    "ideographs": "密码是" * 50_000,
    "blocks of figures": "4111 " * 150_000,
    "command heads": "mysql curl -u docker machine x login " * 10_000,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_read_to_its_end(redactor, name):
    """Work is bounded at each place; a pattern that backtracked would not come back from these."""
    text = HOSTILE[name]
    shown = redactor.redact(text)
    assert PASSWORD not in shown
    assert (MARK in shown) or shown == text


def test_a_secret_deep_in_a_huge_message_is_found(redactor):
    """Behind a megabyte of talk, between zero bytes and half characters."""
    text = "la la \0 \udfff " * 80_000 + f"\0pw: {PASSWORD}\0"
    (span,) = redactor.spans(text)
    assert text[span.start : span.end].startswith(PASSWORD)


def test_keep_takes_exact_values_and_patterns():
    """A joke password stays, written out or as a pattern; another value still goes."""
    for keep in ("hunter2!", "hunter[0-9].?", "hunter2"):
        redactor = compile_rules(keep=[keep])
        assert redactor.spans("the password is hunter2!") == []
        assert redactor.spans(f"the password is {PASSWORD}") != []


def test_keep_must_fit_the_whole_value():
    """A kept value inside a longer one does not open it."""
    assert compile_rules(keep=["hunter2"]).spans("the password is hunter2hunter2") != []


def test_keep_takes_a_value_that_is_no_pattern():
    """An exact value may hold signs that no pattern takes."""
    assert compile_rules(keep=["Kuh(glocke88"]).spans("the password is Kuh(glocke88") == []


def test_keep_looks_at_values_with_half_characters():
    """A lone surrogate in a value is no reason to stop."""
    assert compile_rules(keep=["joke"]).spans("pw: Kuh88\ud800glocke") != []


def test_extra_patterns_are_the_owners_own_rules():
    """The first group is the secret where there is one, else the whole hit."""
    redactor = compile_rules(["DEN-[0-9]{4}", "badge no ([0-9]+)"])
    assert redactor.redact("DEN-4711, badge no 12") == f"{MARK}, badge no {MARK}"
    assert [s.rule for s in redactor.spans("DEN-4711, badge no 12")] == ["extra-1", "extra-2"]


@pytest.mark.parametrize("pattern", ["(unclosed", "a(?=b)", r"(a)\1", "[z-a]"])
def test_an_extra_pattern_that_does_not_compile_is_refused_by_name(pattern):
    """One line that says which knob, which value, what to do."""
    with pytest.raises(UsageError) as refused:
        compile_rules([pattern])
    said = str(refused.value)
    assert "redact.extra" in said
    assert repr(pattern) in said
    assert "\n" not in said


@pytest.mark.parametrize("pattern", ["", "a*", "(x)?"])
def test_an_extra_pattern_that_fits_everything_is_refused(pattern):
    """A pattern that fits the empty text would hit everywhere."""
    with pytest.raises(UsageError, match="everywhere"):
        compile_rules([pattern])


ADDRESSES = {
    "mail": "maren@example.org",
    "network": "203.0.113.7",
    "network 6": "2001:db8:12:34:56:78:9a:bc",
    "hardware": "00:1a:2b:3c:4d:5e",
    "telephone": "+49 170 5550123",
    "public key": "AAAAC3NzaC1lZDI1NTE5AAAAI" + "Kq3x" * 11,
}


@pytest.mark.parametrize("name", ADDRESSES)
def test_addresses_are_redacted_only_when_asked_for(redactor, name):
    """Mail, network, telephone, public keys: private perhaps, but no credentials."""
    value = ADDRESSES[name]
    text = f"here: {'ssh-ed25519 ' if name == 'public key' else ''}{value} ok"
    assert redactor.spans(text) == []
    assert value not in compile_rules(addresses=True).redact(text)


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        ("Anna99-xyz", "Aaaa99-aaa"),
        ("q7Zk29dL", "a9Aa99aA"),
        ("hunter2", "aaaa9…"),
        ("4539 1488 0343 6467", "9999#9999#…"),
        ("aaaa", "…"),
        ("", "…"),
        ("密码", "aa"),
    ],
)
def test_a_mask_shows_classes_with_lengths_clipped(value, shape):
    """Enough to recognise a kind, too little to guess a value."""
    assert mask(value) == shape


def test_a_mask_never_holds_the_value():
    """Nor four characters of it in a row that tell more than a class."""
    for case in secrets(11, 2):
        value = case.text[case.start : case.end]
        shape = mask(value)
        assert len(shape) <= 11
        assert value not in shape
        assert shape.rstrip("…") not in value or shape == "…"


def test_around_gives_five_words_each_side_and_redacts_other_secrets(redactor):
    """The neighbours of a secret may be secrets."""
    text = f"one two three four five six pw: {PASSWORD} seven eight pw: Kuhglocke88 nine ten"
    first, second = redactor.spans(text)
    assert redactor.around(text, first) == (
        "three four five six pw:",
        f"seven eight pw: {MARK} nine",
    )
    assert redactor.around(text, second, 3) == ("seven eight pw:", "nine ten")
    assert redactor.around(text, second, 0) == ("", "")


def test_around_shows_no_half_of_a_neighbour_and_no_endless_word(redactor):
    """A word that is part secret shows its mark; a side is at most 80 characters."""
    text = "x" * 500 + f" pw: {PASSWORD}"
    (span,) = redactor.spans(text)
    before, after = redactor.around(text, span)
    assert len(before) <= 80
    assert after == ""
    assert before.endswith("pw:")


def test_around_takes_spans_known_already(redactor):
    """The caller who has them need not pay for them again."""
    text = f"pw: {PASSWORD} and so on"
    spans = redactor.spans(text)
    assert redactor.around(text, spans[0], spans=spans) == redactor.around(text, spans[0])
    assert redactor.around(text, Span(0, 2, "x"), spans=[])[1].startswith(": Rindviech")


def test_around_looks_at_the_neighbourhood_alone_and_shows_the_same(redactor):
    """With hundreds of secrets each side is as if the whole text were redacted first."""
    text = " ".join(f"word {n} pw: Kuhglocke{n} ü" for n in range(120))
    spans = redactor.spans(text)
    assert len(spans) == 120
    for at, span in enumerate(spans):
        left = cut_out(text[: span.start], spans[:at]).split()[-5:]
        assert redactor.around(text, span, spans=spans)[0].split()[1:] == left[1:]
        assert MARK in redactor.around(text, span, spans=spans)[1] or at == 119
