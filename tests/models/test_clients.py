"""Both clients against a server that speaks their protocol and lies in every way."""

import sys
import time

import pytest

from pipeline.errors import ModelError, UsageError
from pipeline.models import anthropic, openai
from pipeline.models.acceptance import Accepted, judge
from pipeline.models.choice import ModelSettings, connect, who_reads
from pipeline.models.extractive import Extractive
from pipeline.models.failures import (
    BadRequestError,
    ConnectionBrokenError,
    ContextTooLongError,
    MalformedError,
    RateLimitedError,
    ServerDownError,
    TimedOutError,
    WrongKeyError,
    WrongModelError,
)
from pipeline.models.pacing import Pace
from pipeline.models.seam import Message
from pipeline.models.shapes import text_of, without_surrogates
from pipeline.testing.modeldouble import KEY, MODEL, Lie, ModelDouble
from tests.models.asking import Clock, ask

PROTOCOLS = ("openai", "anthropic")
VARIABLE = {"openai": "OPENAI_API_KEY", "anthropic": "ANTHROPIC_API_KEY"}


OPENED = []


@pytest.fixture(autouse=True)
def _close_what_was_opened():
    yield
    while OPENED:
        OPENED.pop().close()


def client(protocol, double, key=KEY, model=MODEL, pace=None):
    env = {VARIABLE[protocol]: key}
    if protocol == "openai":
        opened = openai.connect(model, env, time.monotonic, double.openai_url, pace=pace)
    else:
        opened = anthropic.connect(model, env, time.monotonic, double.anthropic_url, pace=pace)
    OPENED.append(opened)
    return opened


def one(protocol, lie, **settings):
    """Ask a double that tells one lie, once."""
    with ModelDouble([lie]) as double:
        return client(protocol, double, **settings).answer(ask())


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_an_honest_answer_comes_whole(protocol):
    """Text, stop, usage, and the name that was asked for, not what the server calls itself."""
    answer = one(protocol, None)
    assert isinstance(judge(answer), Accepted)
    assert (answer.model, answer.stop) == (MODEL, "end")
    assert answer.usage.input > 0
    assert answer.usage.output > 0
    assert answer.usage.cached == 0


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("lie", "failure"),
    [
        (Lie("rate limit"), RateLimitedError),
        (Lie("server error"), ServerDownError),
        (Lie("server error", status=529), ServerDownError),
        (Lie("html error", status=502), ServerDownError),
        (Lie("error under 200"), ServerDownError),
        (Lie("reset"), ConnectionBrokenError),
        (Lie("malformed"), MalformedError),
        (Lie("wrong shape"), MalformedError),
        (Lie("quoting error"), BadRequestError),
    ],
    ids=lambda value: getattr(value, "kind", None),
)
def test_each_failure_has_its_name(protocol, lie, failure):
    """What may pass is told from what will not."""
    with pytest.raises(failure):
        one(protocol, lie)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_server_that_drips_is_cut_off(protocol):
    """Each byte comes in time and the answer never does."""
    with pytest.raises(TimedOutError):
        one(protocol, Lie("slow", seconds=0.05), pace=Pace(first=0.3, least=0.3))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("length", "unfinished"),
        ("refusal", "refusal"),
        ("refusal in words", "refusal"),
        ("tool call", "tool call"),
        ("empty", "empty"),
        ("only reasoning", "only reasoning"),
    ],
)
def test_what_is_no_memory_is_an_answer_and_is_rejected(protocol, kind, fault):
    """Such an answer is complete and paid: it is judged and kept, not asked for again."""
    assert judge(one(protocol, Lie(kind))).fault == fault


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", ["only reasoning", "leading thinking"])
def test_reasoning_is_kept_apart(protocol, kind):
    """In whichever shape it comes."""
    answer = one(protocol, Lie(kind))
    assert "should think" in answer.reasoning
    assert "should think" not in answer.text


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_missing_usage_is_unknown_and_not_zero(protocol):
    """An unknown count must not become a free call."""
    usage = one(protocol, Lie("no usage")).usage
    assert (usage.input, usage.output, usage.cached) == (None, None, None)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("said", "seconds"),
    [("2", 2), ("0.5", 0.5), ("-3", None), ("soon", None), ("nan", None)],
)
def test_retry_after_is_read_or_ignored(protocol, said, seconds):
    """Seconds are honoured; nonsense is as if nothing had been said."""
    with pytest.raises(RateLimitedError) as raised:
        one(protocol, Lie("rate limit", retry_after=said))
    assert raised.value.retry_after == seconds


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_retry_after_may_be_a_date_by_the_servers_own_clock(protocol):
    """A far date gives many seconds, a past one none; our clock does not matter."""
    for said, is_far in (
        ("Fri, 01 Jan 2100 00:00:00 GMT", True),
        ("Sat, 01 Jan 2000 00:00:00 GMT", False),
    ):
        with pytest.raises(RateLimitedError) as raised:
            one(protocol, Lie("rate limit", retry_after=said))
        assert (raised.value.retry_after > 0) is is_far


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_wrong_model_says_which_and_what_to_check(protocol):
    """One line with the name."""
    with ModelDouble() as double, pytest.raises(WrongModelError, match="nonesuch") as raised:
        client(protocol, double, model="nonesuch").answer(ask())
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_request_that_does_not_fit_says_what_to_lower(protocol):
    """The window of the model is the operator's to mend."""
    with (
        ModelDouble(window_tokens=50) as double,
        pytest.raises(ContextTooLongError, match="recall budget"),
    ):
        client(protocol, double).answer(ask("word " * 200))


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_nobody_answers(protocol):
    """A server that is not there is a broken connection, and the line names the host."""
    with ModelDouble() as double:
        gone = client(protocol, double)
    with pytest.raises(ConnectionBrokenError, match=r"127\.0\.0\.1"):
        gone.answer(ask())


# -- keys and words ------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("key", ["sk-wrong-111111111111", "plainvalue12345"])
def test_no_key_in_any_error_or_name(protocol, key):
    """The server repeats the key in its error; ours does not, nor does the client's repr."""
    with ModelDouble() as double:
        asker = client(protocol, double, key=key)
        with pytest.raises(WrongKeyError) as raised:
            asker.answer(ask())
    told = [str(raised.value), repr(raised.value), repr(asker), str(raised.value.__cause__)]
    assert not [text for text in told if key in text]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_no_chat_text_in_an_error(protocol):
    """A server that quotes the request in its error is not quoted by us."""
    with ModelDouble([Lie("quoting error")]) as double, pytest.raises(ModelError) as raised:
        client(protocol, double).answer(
            ask("Mara told me where she hid the spare key of the boat.")
        )
    assert "Mara" not in str(raised.value)
    assert KEY not in str(raised.value)


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_missing_key_is_named_by_its_variable(protocol):
    """What to set, for which host; a server on this machine needs none."""
    connect_to = {"openai": openai.connect, "anthropic": anthropic.connect}[protocol]
    with pytest.raises(WrongKeyError, match=VARIABLE[protocol]):
        connect_to("some-model", {}, time.monotonic)
    OPENED.append(connect_to("some-model", {}, time.monotonic, "http://127.0.0.1:9"))


@pytest.mark.parametrize("written", [f'"{KEY}"\n', f"  {KEY} ", f"Bearer {KEY}"])
def test_a_key_copied_with_quotes_or_blanks_is_tidied(written):
    """As it comes from a shell file or a web page."""
    with ModelDouble() as double:
        assert client("openai", double, key=written).answer(ask()).text


def test_a_key_with_blanks_inside_is_refused_without_showing_it():
    """The server would only say that it is wrong."""
    with ModelDouble() as double, pytest.raises(WrongKeyError) as raised:
        client("openai", double, key="sk-abc def")
    assert "abc" not in str(raised.value)


# -- layout --------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_roles_alternate_and_blanks_are_left_out(protocol):
    """Servers insist on one or the other; the text itself stays whole and in order."""
    request = ask("c", ("user", "a"), ("user", " "), ("assistant", "b"))
    with ModelDouble() as double:
        client(protocol, double).answer(request)
        asked = double.asked[0]
    assert asked.roles == ("system", "user", "assistant", "user")
    assert [text for text, _ in asked.pieces] == ["You are Tilly.", "a", "b", "c"]


def test_adjacent_messages_are_joined_for_one_protocol_and_side_by_side_for_the_other():
    """One string here, blocks there, so that a mark can stand between them."""
    request = ask("b", ("user", "a"))
    with ModelDouble() as double:
        client("openai", double).answer(request)
        client("anthropic", double).answer(request)
        joined, side_by_side = double.asked
    assert joined.pieces[1:] == (("a\nb", False),)
    assert side_by_side.pieces[1:] == (("a", False), ("b", False))


def test_the_messages_api_begins_with_the_user():
    """It refuses anything else, and a head may begin with the agent's own words."""
    with ModelDouble() as double:
        client("anthropic", double).answer(ask("b", ("assistant", "a")))
        assert double.asked[0].roles == ("system", "user", "assistant", "user")


def test_at_most_four_breakpoints_the_first_and_the_newest_are_sent():
    """The first never changes; the newest are where the next request goes on."""
    marked = tuple(
        Message("user" if n % 2 == 0 else "assistant", f"m{n}", breakpoint=True) for n in range(7)
    )
    with ModelDouble() as double:
        client("anthropic", double).answer(ask(messages=marked))
        kept = [text for text, is_marked in double.asked[0].pieces if is_marked]
    assert kept == ["m0", "m4", "m5", "m6"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_shared_prefix_is_reported_as_cached(protocol):
    """The second request repeats the first up to its last message."""
    before = Message("user", "word " * 3_000, breakpoint=True)
    with ModelDouble() as double:
        asker = client(protocol, double)
        first = asker.answer(ask(messages=(before, Message("user", "one"))))
        second = asker.answer(ask(messages=(before, Message("user", "two"))))
    assert first.usage.cached == 0
    assert second.usage.cached > 3_000
    assert second.usage.input >= second.usage.cached


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_half_characters_are_mended_before_they_are_sent(protocol):
    """JSON on the wire cannot hold them."""
    with ModelDouble() as double:
        client(protocol, double).answer(ask("cut \ud83d here"))
        assert "cut \ufffd here" in double.asked[0].prompt


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_limit_and_temperature_are_sent_only_as_asked(protocol):
    """Some models refuse a temperature; a null one must not be sent."""
    with ModelDouble() as double:
        asker = client(protocol, double)
        asker.answer(ask(max_tokens=77))
        asker.answer(ask(temperature=0.0))
        first, second = (asked.body for asked in double.asked)
    assert first["max_tokens"] == 77
    assert "temperature" not in first
    assert second["temperature"] == 0.0


def test_a_server_that_knows_only_the_newer_limit_is_asked_by_it():
    """It says so in its error, and the answer comes all the same."""
    lies = [Lie("newer limit"), None, None]
    with ModelDouble(lies) as double:
        asker = client("openai", double)
        assert asker.answer(ask()).text
        assert asker.answer(ask()).text
        names = ["max_completion_tokens" in asked.body for asked in double.asked]
    assert names == [False, True, True]


@pytest.mark.parametrize(
    ("content", "kind", "text"),
    [
        ("plain", "text", "plain"),
        ("plain", "thinking", ""),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "text", "ab"),
        ([{"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]}], "thinking", "hm"),
        (None, "text", ""),
        (7, "text", ""),
    ],
)
def test_content_is_read_in_any_shape(content, kind, text):
    """Strings, blocks, blocks in blocks, and what no protocol promises."""
    assert text_of(content, kind) == text


def test_whole_characters_are_left_alone():
    """Only halves are replaced."""
    assert without_surrogates("🎉 é") == "🎉 é"


# -- choice --------------------------------------------------------------------------------------


def test_a_missing_client_says_how_to_get_it(monkeypatch):
    """The second protocol is an extra."""
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(UsageError, match=r"pip install 'backfold\[anthropic\]'"):
        anthropic.connect("m", {"ANTHROPIC_API_KEY": "k" * 8}, time.monotonic)


def test_settings_choose_who_answers():
    """The default needs no key and no network; others retry on their own."""
    outside = (time.monotonic, time.sleep, lambda: 0.0)
    assert isinstance(connect(ModelSettings(), {}, *outside), Extractive)
    with ModelDouble([Lie("server error")]) as double:
        clock, settings = Clock(), ModelSettings("openai", MODEL, double.openai_url)
        model = connect(settings, {"OPENAI_API_KEY": KEY}, clock, clock.sleep, lambda: 0.0)
        OPENED.append(model.model)
        assert model.answer(ask()).attempts == 2


@pytest.mark.parametrize(
    "settings", [{"kind": "psychic"}, {"kind": "openai"}, {"kind": "extractive", "attempts": 0}]
)
def test_settings_that_name_nobody_are_refused(settings):
    """Early, with what there is."""
    with pytest.raises(UsageError):
        ModelSettings(**settings)


def test_who_reads_the_talk_is_named():
    """The operator is told which host gets private talk; null where it stays here."""
    assert who_reads(ModelSettings()) is None
    assert who_reads(ModelSettings("openai", "m", "http://localhost:8080/v1")) is None
    assert who_reads(ModelSettings("openai", "m")) == "api.openai.com"
    assert who_reads(ModelSettings("anthropic", "m", "https://proxy.example/x")) == "proxy.example"
