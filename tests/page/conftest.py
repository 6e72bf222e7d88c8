"""A page with a record, and a real browser to look at it."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Iterator

import pytest

from interlock.page.app import build_app
from interlock.page.context import PageContext
from interlock.page.door.door import Door
from interlock.page.door.keeper import Admission
from interlock.page.serving import listen, serving
from tests.page.visit import Visit
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
def listener() -> Iterator[socket.socket]:
    with listen([0]) as found:
        yield found


@pytest.fixture
def door(listener) -> Door:
    return Door(listener.getsockname()[1])


@pytest.fixture
def address(world, tmp_path, listener, door) -> Iterator[str]:
    """The address of a page that shows the world's record. Nobody is signed in."""
    context = PageContext(store=world.store, folder=tmp_path / "page", person="ann")
    with serving(build_app(context, door), listener) as found:
        yield found


@pytest.fixture
def admission(address, door) -> Admission:
    """What a person who has signed in has: the cookie to look, and the key to answer."""
    given = door.keeper.admit(door.keeper.mint())
    assert given is not None
    return given


@pytest.fixture
def visit(address, door, admission) -> Visit:
    """Ask the page as a signed-in browser would, without one."""
    return Visit(address, {"Cookie": f"{door.cookie}={admission.cookie}"}, admission.key)


@pytest.fixture(scope="module")
def chromium():
    """A headless Chromium. Tests that want one are skipped by name where there is none."""
    # For one module: as long as it is open, no other test of this process could start an event loop of its own.
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
    if CHROMIUM is None:
        pytest.skip("no Chromium is installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def browser_context(chromium, address, door, admission):
    """A browser in which a person has signed in."""
    context = chromium.new_context(base_url=address, viewport={"width": 1280, "height": 900})
    cookie = {"name": door.cookie, "value": admission.cookie, "url": address, "httpOnly": True, "sameSite": "Strict"}
    context.add_cookies([cookie])
    context.add_init_script(f"localStorage.setItem('interlock-key', '{admission.key}')")
    context.set_default_timeout(10_000)
    yield context
    context.close()


@pytest.fixture
def console_errors() -> list[str]:
    """What tabs have reported. A test that provokes an error empties it."""
    return []


@pytest.fixture
def new_tab(browser_context, address, console_errors):
    """Opens tabs. No test passes that leaves an error in a console, or asks another machine."""
    errors = console_errors

    def make():
        page = browser_context.new_page()
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on(
            "request",
            lambda request: None if request.url.startswith(address) else errors.append(f"asked {request.url}"),
        )
        return page

    yield make
    assert errors == []


@pytest.fixture
def tab(new_tab):
    """A tab of a browser of its own."""
    return new_tab()
