"""A person who answers in a real browser, on a page that is served for them."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from interlock.page.app import build_app
from interlock.page.context import PageContext
from interlock.page.door.door import Door
from interlock.page.serving import listen, serving
from interlock.store.asking import ApprovalRequest
from interlock.store.sqlite import SqliteStore

Act: TypeAlias = Callable[[Any], None]
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
_LOOKS = 400  # of 50 ms each


def needs_browser() -> Any:
    """The driver of the browser. Tests are skipped by name where there is none, or no browser."""
    driver = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
    return driver


def on_the_page(act: Act) -> Callable[[SqliteStore, ApprovalRequest], None]:
    """What a `Person` does: sign in with a link, do something in the tab, and see that the request was answered."""
    driver = needs_browser()

    def does(store: SqliteStore, request: ApprovalRequest) -> None:
        with tempfile.TemporaryDirectory() as folder, listen([0]) as listener:
            door = Door(listener.getsockname()[1])
            context = PageContext(store=store, folder=Path(folder), person="ann")
            with serving(build_app(context, door), listener), driver.sync_playwright() as playwright:
                browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
                tab = browser.new_page()
                tab.goto(door.link())
                tab.wait_for_url("**/inbox*")
                act(tab)
                for _ in range(_LOOKS):
                    found = store.request(request.id)
                    if found is not None and found.status != "waiting":
                        break
                    tab.wait_for_timeout(50)
                browser.close()
            context.digest.close()
            context.requests.close()

    return does


def click_yes(tab: Any) -> None:
    """Say yes, as often as it takes: a click that comes right after a call appeared by itself does not count."""
    button = tab.get_by_role("button", name="Yes, run it")
    button.wait_for()
    while button.is_visible():
        button.click()
        tab.wait_for_timeout(500)


def click_no(tab: Any) -> None:
    tab.get_by_role("button", name="No…").click()
    tab.get_by_label("Why, and what to do instead").fill("Not on a Friday.")
    tab.get_by_role("button", name="No, do not run it").click()


def edit_to(text: str) -> Act:
    def act(tab: Any) -> None:
        tab.get_by_role("button", name="Edit…").click()
        tab.get_by_label("Run this instead").fill(text)
        tab.get_by_role("button", name="Judge and run").click()

    return act
