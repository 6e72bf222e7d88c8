"""The Inbox by keyboard alone, on a phone, and while things happen."""

from __future__ import annotations

import re
import time

import pytest

from interlock.store.asking import RequestAnswer
from tests.page.world import ordinary_session

playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install playwright")
expect = playwright.expect


def chosen(tab) -> str:
    return tab.locator("[data-request]").get_attribute("data-request")


def test_everything_can_be_answered_without_a_mouse(world, tab):
    deploy, publish, refund = world.ask("make deploy"), world.ask("npm publish"), world.call("process_refund", amount=2)
    tab.goto("/inbox")
    assert chosen(tab) == deploy.id
    tab.keyboard.press("j")
    expect(tab.locator(f'[data-request="{publish.id}"]')).to_be_visible()
    tab.keyboard.press("n")
    tab.keyboard.type("Not today: y")
    tab.keyboard.press("Control+Enter")
    expect(tab.locator(f"#r-{publish.id}")).to_have_class(re.compile("no"))
    tab.keyboard.press("k")
    expect(tab.locator(f'[data-request="{deploy.id}"]')).to_be_visible()
    tab.keyboard.press("y")
    expect(tab.locator(f"#r-{deploy.id}")).to_have_class(re.compile("yes"))
    assert world.store.request(publish.id).note == "Not today: y"
    assert world.store.request(refund.request).status == "waiting"


def test_a_panel_closes_with_escape_and_the_focus_returns(world, tab):
    world.ask("make deploy")
    tab.goto("/inbox")
    for key, name in (("n", "No…"), ("e", "Edit…"), ("a", "Allow more…")):
        tab.keyboard.press(key)
        expect(tab.locator(".answer-panel:visible")).to_have_count(1)
        tab.keyboard.press("Escape")
        expect(tab.locator(".answer-panel:visible")).to_have_count(0)
        expect(tab.get_by_role("button", name=name)).to_be_focused()


def test_chosen_calls_are_answered_together(world, tab):
    first, second, third = world.ask("make deploy"), world.ask("npm publish"), world.ask("npm publish --tag x")
    tab.goto("/inbox")
    tab.keyboard.press("x")
    tab.keyboard.press("j")
    expect(tab.locator(f'[data-request="{second.id}"]')).to_be_visible()
    tab.keyboard.press("x")
    expect(tab.locator(".row.ticked")).to_have_count(2)
    tab.keyboard.press("y")
    expect(tab.locator(".ticks li")).to_have_count(2)
    tab.keyboard.press("y")
    expect(tab.get_by_text("2 answered.")).to_be_visible()
    assert [world.store.request(one.id).status for one in (first, second, third)] == ["yes", "yes", "waiting"]


def test_the_keys_are_listed(world, tab):
    world.ask("make deploy")
    tab.goto("/inbox")
    tab.keyboard.press("?")
    expect(tab.get_by_role("dialog", name="Keys")).to_be_visible()
    tab.keyboard.press("y")
    assert world.store.requests(["yes"]) == []
    tab.keyboard.press("Escape")
    expect(tab.get_by_role("dialog", name="Keys")).to_be_hidden()


def test_a_search_narrows_the_list(world, tab):
    world.ask("make deploy")
    kept = world.ask("npm publish")
    tab.goto("/inbox")
    tab.keyboard.press("/")
    tab.keyboard.type("publish")
    tab.keyboard.press("Enter")
    expect(tab.locator(f'[data-request="{kept.id}"]')).to_be_visible()
    expect(tab.locator(".row.waiting")).to_have_count(1)


def test_what_happens_meanwhile_appears_and_moves_nothing(world, tab):
    first = world.ask("make deploy")
    tab.goto("/inbox")
    tab.keyboard.press("n")
    tab.keyboard.type("half a no")
    second = world.ask("npm publish")
    expect(tab.locator(f"#r-{second.id}")).to_be_visible()
    expect(tab.locator("#waiting")).to_have_text("2")
    assert tab.title() == "(2) Inbox · Interlock"
    assert chosen(tab) == first.id
    expect(tab.get_by_label("Why, and what to do instead")).to_be_focused()
    expect(tab.get_by_label("Why, and what to do instead")).to_have_value("half a no")
    world.store.answer_request(second.id, RequestAnswer(yes=True, by="bob", at=time.time()))
    expect(tab.locator(f"#r-{second.id}")).to_contain_text("bob · yes")
    expect(tab.get_by_label("Why, and what to do instead")).to_have_value("half a no")
    world.store.answer_request(first.id, RequestAnswer(yes=True, by="bob", at=time.time()))
    expect(tab.locator(".outcome")).to_contain_text("bob said yes")
    expect(tab.locator("#answers")).to_be_hidden()


def test_the_count_is_kept_on_other_views(world, tab):
    tab.goto("/rules")
    expect(tab.locator("#waiting")).to_be_hidden()
    world.ask("make deploy")
    expect(tab.locator("#waiting")).to_have_text("1")
    assert tab.title().startswith("(1) ")


def test_nothing_is_answered_right_after_the_page_chose_by_itself(world, tab):
    first = world.ask("make deploy")
    tab.goto("/inbox")
    # As if no time passed: what the page chooses now, it has always just chosen.
    tab.evaluate("performance.now = () => 1000")
    tab.keyboard.press("y")
    expect(tab.locator(f"#r-{first.id}")).to_have_class(re.compile("yes"))
    tab.evaluate("document.getElementById('desk').replaceChildren()")
    second = world.ask("npm publish")
    expect(tab.locator(f'[data-request="{second.id}"]')).to_be_visible()
    tab.keyboard.press("y")
    tab.get_by_role("button", name="Yes, run it").click()
    assert world.store.request(second.id).status == "waiting"
    tab.evaluate("performance.now = () => 1400")
    tab.keyboard.press("y")
    expect(tab.locator(f"#r-{second.id}")).to_have_class(re.compile("yes"))


def test_the_first_call_opens_while_somebody_looks_at_an_empty_inbox(world, tab):
    tab.goto("/inbox")
    expect(tab.get_by_role("heading", name="Nothing waits for you")).to_be_visible()
    request = world.ask("make deploy")
    expect(tab.locator(f'[data-request="{request.id}"]')).to_be_visible()


def test_on_a_phone_the_list_and_the_request_are_two_screens(world, tab):
    ordinary_session(world)
    request = world.ask("make deploy")
    tab.set_viewport_size({"width": 390, "height": 844})
    tab.goto("/inbox")
    expect(tab.locator("#desk")).to_be_hidden()
    tab.get_by_role("link", name="make deploy").click()
    expect(tab.locator("#desk")).to_be_visible()
    expect(tab.locator("#rows")).to_be_hidden()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    for name in ("Yes, run it", "No…", "Edit…", "Allow more…"):
        assert tab.get_by_role("button", name=name).bounding_box()["height"] >= 46
    tab.get_by_role("link", name="‹ Inbox").click()
    expect(tab.locator("#desk")).to_be_hidden()
    tab.get_by_role("link", name="make deploy").click()
    tab.get_by_role("button", name="Yes, run it").click()
    expect(tab.locator(".outcome")).to_contain_text("ann said yes")
    assert world.store.request(request.id).status == "yes"


def test_a_notification_says_what_waits_and_has_no_buttons(world, tab, browser_context, address):
    browser_context.grant_permissions(["notifications"], origin=address)
    browser_context.add_init_script("localStorage.setItem('interlock-notify', 'on')")
    tab.goto("/rules")
    expect(tab.locator("html[data-live]")).to_be_attached()
    tab.evaluate(
        """() => { document.hasFocus = () => false;
        window.Notification = class { static permission = "granted";
          constructor(title, more) { document.body.dataset.shown = [title, more.body, more.actions]; }
          addEventListener() {} }; }"""
    )
    world.ask("make deploy")
    expect(tab.locator("body")).to_have_attribute("data-shown", "A call waits for you,make deploy,")


def test_a_tab_whose_session_has_ended_says_so(world, tab, door, admission, console_errors):
    world.ask("make deploy")
    tab.goto("/inbox")
    door.keeper.dismiss(door.keeper.visitor(admission.cookie))
    tab.get_by_role("button", name="Yes, run it").click()
    # The answer that is refused says so, and so does the stream that ends; whichever comes last stays.
    expect(tab.locator("#away")).to_contain_text(re.compile("This browser is (not|no longer) signed in."))
    console_errors.clear()  # the browser itself reports the refusal
