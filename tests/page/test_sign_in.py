"""Sign in by a link: what the browser is given, and what is left of the secret."""

from __future__ import annotations

import pytest

from interlock.page.door.keeper import Doorkeeper
from tests.page.visit import Visit


@pytest.fixture
def stranger(chromium, address):
    """A browser in which nobody has signed in."""
    context = chromium.new_context(base_url=address)
    context.set_default_timeout(10_000)
    yield context
    context.close()


def test_a_link_signs_a_browser_in_and_leaves_no_secret_in_any_address(stranger, door, address):
    link = door.link()
    secret = link.partition("#")[2]
    tab = stranger.new_page()
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(f"{request.url} {request.headers.get('referer', '')}"))
    tab.goto(link)
    tab.wait_for_url("**/inbox")
    assert not any(secret in one for one in asked if "#" not in one)
    assert secret not in tab.evaluate("JSON.stringify(performance.getEntries())")
    (cookie,) = stranger.cookies()
    assert (cookie["name"], cookie["httpOnly"], cookie["sameSite"], cookie["path"]) == (
        door.cookie,
        True,
        "Strict",
        "/",
    )
    assert tab.evaluate("document.cookie") == ""
    tab.go_back()
    assert secret not in tab.url


def test_the_same_link_does_not_work_twice(stranger, door):
    link = door.link()
    first = stranger.new_page()
    first.goto(link)
    first.wait_for_url("**/inbox")
    second = stranger.new_page()
    second.goto(link)
    second.get_by_role("heading", name="This link does not work.").wait_for()


def test_who_is_not_signed_in_is_told_how_to(stranger):
    tab = stranger.new_page()
    answer = tab.goto("/inbox")
    assert answer.status == 401
    assert tab.locator("h1").inner_text() == "This browser is not signed in."
    assert tab.locator("main p").inner_text() == (
        "Type interlock open in a terminal, and open the link that it prints."
    )


def test_a_passphrase_is_asked_for_if_there_is_one(stranger, door):
    door.keeper.passphrase = lambda: lambda text: text == "correct horse"
    tab = stranger.new_page()
    tab.goto(door.link())
    tab.get_by_label("Passphrase").fill("wrong")
    tab.keyboard.press("Enter")
    tab.get_by_role("heading", name="This link does not work or the passphrase is wrong.").wait_for()
    tab.get_by_label("Passphrase").fill("correct horse")
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/inbox")


def test_a_link_allows_five_tries_of_a_passphrase():
    keeper = Doorkeeper(lambda: lambda text: text == "right")
    secret = keeper.mint()
    assert [keeper.admit(secret, "wrong") for _ in range(5)] == [None] * 5
    assert keeper.admit(secret, "right") is None


def test_links_and_sessions_end():
    now = 1000.0
    keeper = Doorkeeper(clock=lambda: now)
    early, late = keeper.mint(), keeper.mint()
    now += 599
    given = keeper.admit(early)
    assert given is not None
    now += 2
    assert keeper.admit(late) is None
    visitor = keeper.visitor(given.cookie)
    assert visitor is not None
    assert keeper.may_answer(visitor, given.key)
    assert not keeper.may_answer(visitor, given.cookie)
    now += 12 * 3600
    assert keeper.visitor(given.cookie) is None


def test_a_link_for_one_request_opens_that_one_alone(world, door, address):
    one, other = world.ask("make deploy"), world.ask("npm publish")
    given = door.keeper.admit(door.keeper.mint(one.id))
    guest = Visit(address, {"Cookie": f"{door.cookie}={given.cookie}"}, given.key)
    assert guest.get(f"/inbox/{one.id}").status == 200
    for path in ("/inbox", "/", "/log", "/sessions", "/rules", "/overview", "/grants", f"/inbox/{other.id}"):
        assert guest.get(path).status == 403, path
    assert guest.post(f"/inbox/{other.id}/answer", {"yes": True}).status == 403
    assert guest.post("/inbox/answers", {"ids": [other.id], "yes": True}).status == 403
    assert world.store.request(other.id).status == "waiting"
    assert guest.post(f"/inbox/{one.id}/answer", {"yes": True}).status == 200
