"""The double counts like a server, so that runs against it show real cached shares."""

import time
from contextlib import suppress

import pytest

from pipeline.models import openai
from pipeline.models.failures import ModelError, ServerDownError
from pipeline.testing.modeldouble import KEY, MODEL, Lie, ModelDouble
from pipeline.testing.modeldouble.lies import KINDS
from pipeline.testing.prefixcache import MarkedCache, PrefixCache
from tests.models.asking import ask


def test_a_prefix_is_cached_in_whole_blocks_of_1024_tokens():
    """Two blocks and a bit are shared: two are cached."""
    cache = PrefixCache()
    shared = "x" * (4 * 1024 * 2 + 1_000)
    assert cache.read(shared + "a" * 5_000) == 0
    assert cache.read(shared + "b" * 5_000) == 2_048


def test_a_change_in_front_spoils_all_that_follows():
    """The reason why nothing that varies may stand before the recall."""
    cache = PrefixCache()
    cache.read("1" + "x" * 40_000)
    assert cache.read("2" + "x" * 40_000) == 0


def test_the_longest_of_all_earlier_requests_counts():
    """Not only the last one."""
    cache = PrefixCache()
    cache.read("a" * 20_000)
    cache.read("b" * 20_000)
    assert cache.read("a" * 20_000) == 4_096


def test_a_marked_cache_keeps_only_what_is_marked():
    """Unmarked prefixes are paid again; marked ones are read back and written on."""
    cache = MarkedCache()
    head, more = "h" * 8_000, "m" * 8_000
    assert cache.read([(head, False), (more, False)]) == (0, 0)
    assert cache.read([(head, True), (more, False)]) == (0, 2_000)
    assert cache.read([(head, False), (more, True)]) == (2_000, 2_000)


def test_a_marked_prefix_below_the_least_is_not_kept():
    """As the real one."""
    cache = MarkedCache()
    assert cache.read([("short", True)]) == (0, 0)
    assert cache.read([("short", True)]) == (0, 0)


def test_it_records_what_was_asked_and_its_cached_share():
    """In order, with roles and limits."""
    with ModelDouble() as double:
        asker = openai.connect(MODEL, {"OPENAI_API_KEY": KEY}, time.monotonic, double.openai_url)
        for word in ("one", "two"):
            asker.answer(ask(word, ("assistant", "x" * 9_000)))
        asker.close()
    assert [asked.roles for asked in double.asked] == [("system", "assistant", "user")] * 2
    assert [asked.cached for asked in double.asked] == [0, 2_048]
    assert 0.3 < double.cached_share < 0.6


def test_equal_prompts_get_equal_texts():
    """A resumed run can be compared with an undisturbed one."""
    with ModelDouble() as double:
        asker = openai.connect(MODEL, {"OPENAI_API_KEY": KEY}, time.monotonic, double.openai_url)
        texts = [asker.answer(ask(word)).text for word in ("a", "b", "a")]
        asker.close()
    assert texts[0] == texts[2] != texts[1]


def test_lies_may_follow_the_request():
    """A function lies by number or by content."""
    with ModelDouble(lambda number, asked: Lie("server error") if number == 1 else None) as double:
        asker = openai.connect(MODEL, {"OPENAI_API_KEY": KEY}, time.monotonic, double.openai_url)
        asker.answer(ask())
        with pytest.raises(ServerDownError):
            asker.answer(ask())
        asker.close()


def test_text_can_be_given():
    """As a function of the request."""
    with ModelDouble(text=lambda asked: asked.pieces[-1][0].upper()) as double:
        asker = openai.connect(MODEL, {"OPENAI_API_KEY": KEY}, time.monotonic, double.openai_url)
        assert asker.answer(ask("hello")).text == "HELLO"
        asker.close()


@pytest.mark.parametrize("kind", KINDS)
def test_after_any_lie_it_goes_on(kind):
    """The next request is answered honestly, whatever happened to the one before."""
    with ModelDouble([Lie(kind, seconds=0)]) as double:
        asker = openai.connect(MODEL, {"OPENAI_API_KEY": KEY}, time.monotonic, double.openai_url)
        with suppress(ModelError):
            asker.answer(ask())
        assert asker.answer(ask()).stop == "end"
        asker.close()
