"""The page holds its data, shows it in a real browser, runs nothing of it, and can be masked."""

import base64
import gzip
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from stages.explore.masking import mask, masked
from stages.explore.page import page
from tests.explore.small import talk

if TYPE_CHECKING:
    from playwright.sync_api import Page

CHROMIUM = Path("/usr/bin/chromium")
browser = pytest.mark.skipif(not CHROMIUM.is_file(), reason="no chromium at /usr/bin/chromium")
EVIL = "</script><img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>"


@contextmanager
def opened(html: str, folder: Path) -> Iterator["Page"]:
    """Lend the page in Chromium, ready, and fail at any error that it threw."""
    from playwright.sync_api import sync_playwright

    place = folder / "explorer.html"
    place.write_text(html, "utf-8")
    errors: list[str] = []
    with sync_playwright() as play:
        chromium = play.chromium.launch(
            executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"]
        )
        shown = chromium.new_page(viewport={"width": 1280, "height": 860})
        shown.on("pageerror", lambda error: errors.append(str(error)))
        shown.goto(place.as_uri())
        shown.wait_for_selector("body[data-ready]")
        yield shown
        chromium.close()
    assert errors == []


def test_the_page_holds_its_data_and_names_no_address() -> None:
    """What goes in comes out again, and nothing in the file points outside."""
    data = talk(30, 3)
    html = page(data)
    packed = re.search(r'id="data">([^<]*)<', html)
    assert packed is not None
    assert json.loads(gzip.decompress(base64.b64decode(packed[1]))) == data
    assert "http://" not in html
    assert "https://" not in html
    assert "default-src 'none'" in html


def test_a_masked_page_holds_no_word_of_the_talk() -> None:
    """Names, words in any script and digits go; how long a line is stays."""
    told = json.dumps(masked(talk(30, 3, line="kettle 今日 7")), ensure_ascii=False)
    for word in ("kettle", "今日", "Tilly", "Bram", "小林", "garden", "台所", "evening"):
        assert word not in told
    assert mask("tea at 5, 今日") == "xxx xx 0, xx"
    assert mask("कि ٣ 🫖") == "xx x x"


@browser
def test_search_select_and_drill_down(tmp_path: Path) -> None:
    """A word finds its memory; the memory shows its text, and on demand the talk under it."""
    with opened(page(talk(300, 12)), tmp_path) as shown:
        shown.fill("#query", "evening 7")
        shown.wait_for_selector("#list button:only-child")
        shown.click("#list button")
        assert "I kept watch over evening 7." in shown.inner_text("#detail")
        assert shown.locator(".said").count() == 0
        shown.click("#drill")
        assert shown.locator(".said").count() == 25


@browser
def test_keys_walk_the_pyramid(tmp_path: Path) -> None:
    """Right goes to the next memory of a level, up to the one that contains it, down again."""
    with opened(page(talk(300, 12)), tmp_path) as shown:
        shown.focus("#time")
        for key, title in (
            ("Right", "evening 0."),
            ("Right", "evening 1."),
            ("Up", "evenings, 12"),
        ):
            shown.keyboard.press(f"Arrow{key}")
            assert title in shown.inner_text("#detail h2")
        shown.keyboard.press("ArrowDown")
        assert "evening 0." in shown.inner_text("#detail h2")


@browser
def test_the_next_context_is_told_by_segments(tmp_path: Path) -> None:
    """Choosing a budget shows each segment with its tokens, and the verdict."""
    with opened(page(talk(300, 12)), tmp_path) as shown:
        shown.select_option("#budget", index=1)
        told = shown.inner_text("#detail")
        assert "recall L1-0" in told
        assert "the host would answer" in told
        assert "Folded as far as it goes: 3,000 tokens" in told
        assert "below 21,000 falls silent" in told


@browser
def test_hostile_text_is_shown_and_never_runs(tmp_path: Path) -> None:
    """Markup in talk, memories and names of rooms stays text."""
    data = talk(40, 2, line=EVIL) | {"rooms": [EVIL] * 4, "people": [EVIL] * 4}
    with opened(page(data), tmp_path) as shown:
        shown.click("#list button")
        shown.click("#drill")
        assert EVIL in shown.inner_text(".said >> nth=0")
        assert shown.locator("img").count() == 0
        assert shown.title() == "backfold explorer"
