"""A page with a record, and a real browser to look at it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from interlock.page.app import build_app
from interlock.page.context import PageContext
from interlock.page.serving import listen, serving
from tests.page.world import PageWorld

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)


@pytest.fixture
def world(tmp_path) -> Iterator[PageWorld]:
    made = PageWorld(tmp_path)
    yield made
    made.close()


@pytest.fixture
def address(world, tmp_path) -> Iterator[str]:
    """The address of a page that shows the world's record."""
    context = PageContext(store=world.store, folder=tmp_path / "page")
    with serving(build_app(context), listen([0])) as found:
        yield found


@pytest.fixture(scope="session")
def chromium():
    """A headless Chromium. Tests that want one are skipped by name where there is none."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium, address):
    """A tab of a browser of its own. No test passes that leaves an error in the console, or asks another machine."""
    context = chromium.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(10_000)
    page = context.new_page()
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "request", lambda request: None if request.url.startswith(address) else errors.append(f"asked {request.url}")
    )
    yield page
    context.close()
    assert errors == []
