"""README's picture: the explorer of the demo, as Debian's Chromium shows it (`python -m …`)."""

import sys
from pathlib import Path

CHROMIUM = "/usr/bin/chromium"
TARGET = Path("notebooks/pictures/explorer.png")


def draw(page: Path, target: Path) -> None:
    """Save what the page shows once its newest memory of the highest level is selected."""
    from playwright.sync_api import sync_playwright

    target.parent.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as play:
        chromium = play.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        shown = chromium.new_page(viewport={"width": 1200, "height": 760})
        shown.goto(page.absolute().as_uri())
        shown.wait_for_selector("body[data-ready]")
        shown.select_option("#budget", index=1)
        shown.focus("#time")
        for key in ("ArrowRight", "ArrowUp", "ArrowUp"):
            shown.keyboard.press(key)
        shown.locator("#time").blur()
        shown.screenshot(path=str(target))
        chromium.close()


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "data/demo")
    draw(folder / "reports" / "explorer.html", TARGET)
