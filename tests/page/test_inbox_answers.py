"""Answer in the Inbox, in a real browser: yes, no with a note, edits, grants, late answers, several at once."""

from __future__ import annotations

import pytest
from msgspec import json

from interlock.store.asking import RequestAnswer


@pytest.fixture
def inbox(tab):
    """Opens the Inbox."""

    def open_(path: str = "/inbox"):
        tab.goto(path)
        return tab

    return open_


def status(world, request) -> tuple[str, str | None, str | None]:
    found = world.store.request(request.id)
    return found.status, found.by, found.note


def wait_for_row(tab, request, state: str) -> None:
    tab.locator(f"#r-{request.id}.{state}").wait_for(state="attached")


def test_yes_lets_the_call_run(world, inbox):
    request = world.ask("make deploy")
    tab = inbox()
    assert tab.title() == "(1) Inbox · Interlock"
    assert tab.locator(".question").inner_text() == "Deploy this?"
    tab.get_by_role("button", name="Yes, run it").click()
    wait_for_row(tab, request, "yes")
    assert status(world, request) == ("yes", "ann", None)
    assert world.settle(request.id).verdict.decision == "allow"
    tab.get_by_text("ann said yes. It runs.").wait_for()
    assert tab.locator("#answers").is_hidden()
    assert tab.locator("#waiting").is_hidden()
    assert tab.title() == "Inbox · Interlock"


def test_no_takes_a_note_to_the_model(world, inbox):
    request = world.ask("npm publish")
    tab = inbox()
    tab.get_by_role("button", name="No…").click()
    tab.get_by_label("Why, and what to do instead").fill("Wait for the release.")
    tab.get_by_role("button", name="No, do not run it").click()
    wait_for_row(tab, request, "no")
    assert status(world, request) == ("no", "ann", "Wait for the release.")
    verdict = world.settle(request.id).verdict
    assert (verdict.decision, verdict.reasons[0].text) == (
        "deny",
        "ann did not approve this call: Wait for the release.",
    )
    tab.get_by_text("ann said no and told the model: “Wait for the release.”").wait_for()


def test_an_edit_is_judged_again_and_runs_instead(world, inbox):
    request = world.ask("make deploy")
    tab = inbox()
    tab.get_by_role("button", name="Edit…").click()
    assert tab.get_by_label("Run this instead").input_value() == "make deploy"
    tab.get_by_label("Run this instead").fill("make deploy ENV=staging")
    tab.keyboard.press("Control+Enter")
    wait_for_row(tab, request, "yes")
    verdict = world.settle(request.id).verdict
    assert (verdict.decision, verdict.input) == ("allow", {"command": "make deploy ENV=staging"})
    tab.get_by_text("ann said yes to the edited call. It runs.").wait_for()


def test_an_edit_into_something_denied_stays_denied_and_the_page_says_so(world, inbox):
    request = world.ask("make deploy")
    tab = inbox()
    tab.keyboard.press("e")
    tab.get_by_label("Run this instead").fill("git push --force origin main")
    tab.keyboard.press("Control+Enter")
    wait_for_row(tab, request, "yes")
    assert world.settle(request.id).verdict.decision == "deny"
    tab.get_by_text("ann said yes, but the call stays denied: Force pushes rewrite published history.").wait_for()


def test_an_edit_that_is_not_json_is_refused_on_the_spot(world, inbox):
    request_id = world.call("process_refund", amount=20).request
    tab = inbox()
    tab.keyboard.press("e")
    field = tab.get_by_label("Run this instead")
    assert json.decode(field.input_value()) == {"amount": 20}
    field.fill("{amount: 5")
    tab.keyboard.press("Control+Enter")
    tab.get_by_text("the edited input is empty, or is not a JSON object").wait_for()
    assert world.store.request(request_id).status == "waiting"
    field.fill('{"amount": 5}')
    tab.keyboard.press("Control+Enter")
    tab.locator(f"#r-{request_id}.yes").wait_for(state="attached")
    assert world.settle(request_id).verdict.input == {"amount": 5}


def test_a_grant_is_said_in_words_then_passes_then_ends(world, inbox):
    request = world.ask("npm publish --tag next")
    tab = inbox()
    tab.keyboard.press("a")
    tab.locator("[name=calls]").select_option("1")
    tab.locator("[name=seconds]").select_option("")
    tab.get_by_text("npm publish --tag with anything behind it, in this session, once. A deny still holds.").wait_for()
    tab.get_by_role("button", name="Yes, and allow this").click()
    wait_for_row(tab, request, "yes")
    assert world.settle(request.id).verdict.decision == "allow"
    assert world.call("Bash", command="npm publish --tag beta").verdict.decision == "allow"
    assert world.call("Bash", command="npm publish --tag beta").request is not None, "it was for one call"


def test_a_grant_is_taken_back_on_its_list(world, inbox):
    request = world.ask("npm publish")
    tab = inbox()
    tab.keyboard.press("a")
    tab.locator(".words").get_by_text("in this session").wait_for()
    tab.keyboard.press("Control+Enter")
    wait_for_row(tab, request, "yes")
    tab.goto("/grants")
    assert tab.locator("tbody tr").count() == 1
    tab.get_by_role("button", name="Take it back").click()
    tab.get_by_text("The grant is taken back.").wait_for()
    assert [one.revoked is not None for one in world.store.grants()] == [True]
    assert world.call("Bash", command="npm publish").request is not None


def test_a_late_yes_lets_the_next_try_run(world, inbox):
    request = world.expire("npm publish")
    tab = inbox()
    assert tab.locator("#h-open h2").inner_text() == "1 still open"
    tab.get_by_role("button", name="Yes, next try").click()
    wait_for_row(tab, request, "yes")
    tab.get_by_text("The same call may run once, when the agent tries it again within the hour.").wait_for()
    assert world.call("Bash", command="npm publish").verdict.decision == "allow"
    tab.get_by_text("ann said yes, and the call ran when the agent tried it again.").wait_for()
    assert world.call("Bash", command="npm publish").request is not None


def test_several_of_one_shape_are_answered_together_but_only_those_that_are_ticked(world, inbox):
    first, second, third = (world.ask(f"make deploy ENV={name}") for name in ("a", "b", "c"))
    tab = inbox()
    tab.get_by_role("link", name="Answer all 3…").click()
    tab.locator(".ticks li").nth(2).wait_for()
    tab.get_by_label("make deploy ENV=b").uncheck()
    tab.get_by_role("button", name="Yes to these 2").click()
    tab.get_by_text("2 answered.").wait_for()
    assert [world.store.request(one.id).status for one in (first, second, third)] == ["yes", "waiting", "yes"]
    fourth = world.ask("make deploy ENV=d")
    assert world.store.request(fourth.id).status == "waiting"


def test_the_second_tab_is_told_who_was_first(world, inbox, new_tab):
    request = world.ask("make deploy")
    tab = inbox()
    other = new_tab()
    other.goto("/inbox")
    # Somebody at a terminal is faster than both, and this tab has not heard of it yet.
    other.route("**/events", lambda route: route.abort())
    tab.get_by_role("button", name="Yes, run it").click()
    wait_for_row(tab, request, "yes")
    other.get_by_text("ann said yes").wait_for()
    assert other.locator("#answers").is_hidden()
    other.evaluate(
        """async (id) => { const { post } = await import(document.querySelector('script[src$="/page.js"]').src);
        document.title = JSON.stringify(await post(`/inbox/${id}/answer`, { yes: false })); }""",
        request.id,
    )
    assert '"outcome":"beaten","by":"ann","status":"yes"' in other.title()
    assert status(world, request) == ("yes", "ann", None)


def test_who_comes_second_by_a_moment_is_told_by_whom_they_were_beaten(world, inbox):
    request = world.ask("make deploy")
    tab = inbox()
    answer = RequestAnswer(yes=False, by="bob", at=request.at + 1)

    def beat(route):
        if world.store.request(request.id).status == "waiting":
            world.store.answer_request(request.id, answer)
        route.continue_()

    tab.route("**/answer", beat)
    tab.get_by_role("button", name="Yes, run it").click()
    tab.get_by_text("bob said no first.").wait_for()
    assert status(world, request) == ("no", "bob", None)
