"""`python -m tools.pictures`: take the pictures of the documentation anew, from the demonstration's page."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
# Each picture: the view, and what must be there before it is taken.
PICTURES = {
    "inbox": ("/inbox", "text=npm publish"),
    "sessions": ("/sessions", "text=waits for you"),
    "rules": ("/rules", "text=git/force-push"),
    "overview": ("/overview", "text=Rules that nag"),
}


@contextmanager
def demonstration() -> Iterator[str]:
    """A running demonstration, and the link that lets one in."""
    command = [sys.executable, "-m", "interlock", "demo", "--page"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as playing:
        assert playing.stdout is not None
        yield next(found[0] for line in playing.stdout if (found := re.search(r"http\S+/enter#\S+", line)))
        playing.send_signal(signal.SIGINT)
        playing.stdout.read()


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with demonstration() as link, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1180, "height": 760})
        tab.goto(link)
        tab.wait_for_url("**/inbox")
        tab.wait_for_selector("text=npm publish", timeout=60_000)  # the second session has come this far
        for name, (path, wanted) in PICTURES.items():
            tab.goto(link.partition("/enter")[0] + path)
            tab.wait_for_selector(wanted)
            tab.screenshot(path=FOLDER / f"{name}.png")
            print(f"docs/pictures/{name}.png")
        browser.close()


if __name__ == "__main__":
    main()
