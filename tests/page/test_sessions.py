"""Sessions: the list with its strips, and one session as it happened."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.page import sessions_view
from interlock.page.rails import rail_of
from interlock.page.strips import strip_of
from interlock.store.asking import Grant, RequestAnswer
from interlock.store.base import Scope
from tests.page.test_log import CALL, SHELL, plain
from tests.page.world import ordinary_session


def test_each_session_is_listed_with_its_numbers(world, visit):
    ordinary_session(world, "s-1")
    world.event("SessionEnd", "s-1", reason="other")
    world.event("UserPromptSubmit", "s-2", prompt="Deploy it.\nThen tell me.")
    world.ask("make deploy", "s-2")
    text = plain(visit.get("/sessions").text)
    assert "All 2 Live 1 With stops 1" in text
    first, second = re.findall(r'<tr class="link" id="s-.*?</tr>', visit.get("/sessions").text, re.DOTALL)
    assert "Deploy it." in first
    assert "Then tell me" not in first
    assert 'class="note live">live' in first
    assert "waits for you" in first
    assert 'aria-label="1 call: 1 asked"' in first
    assert "Fix the flaky test and push it." in second
    assert "ended" in second
    assert 'aria-label="5 calls: 1 denied, 1 changed"' in second


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["s-s-2", "s-s-1"]),
        ("show=stops", ["s-s-1"]),
        ("show=live", ["s-s-2", "s-s-1"]),
        ("project=/home/dev/shop", ["s-s-2", "s-s-1"]),
        ("project=/elsewhere", []),
        ("before=nonsense,x", ["s-s-2", "s-s-1"]),
    ],
)
def test_filters(world, visit, query, found):
    ordinary_session(world, "s-1")
    world.ran("Bash", SHELL, "s-2", command="ls")
    assert re.findall(r'<tr class="link" id="([^"]+)"', visit.get(f"/sessions?{query}").text) == found


def test_older_sessions_are_on_the_next_page(world, visit, monkeypatch):
    monkeypatch.setattr(sessions_view, "_PAGE", 2)
    for number in range(5):
        world.ran("Bash", SHELL, f"s-{number}", command="ls")
    seen, path = [], "/sessions"
    while path:
        text = visit.get(path).text
        seen += re.findall(r'<tr class="link" id="s-([^"]+)"', text)
        older = re.search(r'href="([^"]*)" rel="next">Older', text)
        path = older[1].replace("&amp;", "&") if older else ""
    assert seen == ["s-4", "s-3", "s-2", "s-1", "s-0"]


def test_an_empty_list_says_what_a_session_is(visit):
    assert "No session has been recorded yet" in visit.get("/sessions").text


def test_one_session_as_it_happened(world, visit):
    ordinary_session(world)
    request = world.ask("npm publish")
    world.store.answer_request(request.id, RequestAnswer(yes=False, by="ann", at=request.at + 7, note="Not today."))
    world.settle(request.id)
    text = re.sub(r"\d\d:\d\d:\d\d", "TIME", plain(visit.get("/sessions/s-1").text))
    assert "Everything 6 Stopped 1 deny 1 ask 1 change 1" in text
    assert "TIME, the task Fix the flaky test and push it." in text
    assert "TIME deny git push --force origin main Force pushes rewrite published history." in text
    assert "next git push origin fix/flaky" in text
    assert "TIME change npm test Agent wrote npm test Ran npm test --silent Changed by quiet ." in text
    assert "TIME ask npm publish Publishing cannot be taken back. publish no after 7 s" in text
    assert "waiting for people 7 s" in text
    assert "Rules that spoke" in text
    assert "Live. What happens next appears here." in text


def test_grants_that_hold_are_listed_beside_the_session(world, visit):
    request = world.ask("make deploy")
    grant = Grant(
        id="g1", at=request.at, by="ann", scope=Scope("session", "s-1"), text="`make deploy` 3 more times", left=3
    )
    world.store.answer_request(request.id, RequestAnswer(yes=True, by="ann", at=request.at + 2), grant)
    text = plain(visit.get("/sessions/s-1").text)
    assert "Grants in force all grants make deploy 3 more times by ann, used 0 of 3" in text


def test_a_call_that_waits_can_be_answered_from_the_time_line(world, visit):
    request = world.ask("make deploy")
    assert f'href="/inbox/{request.id}">Answer' in visit.get("/sessions/s-1").text


def test_only_what_was_stopped(world, visit):
    ordinary_session(world)
    text = plain(visit.get("/sessions/s-1?show=stopped").text)
    assert "git push --force origin main" in text
    assert "git status" not in text
    assert "Nothing like that happened" in plain(visit.get("/sessions/s-1?show=ask").text)


def test_a_session_that_does_not_exist(visit):
    assert visit.get("/sessions/nobody").status == 404


def test_a_long_session_has_pages(world, visit, monkeypatch):
    monkeypatch.setattr(sessions_view, "_RAIL", 10)
    for number in range(25):
        world.ran("Bash", SHELL, command=f"ls {number}")
    last = visit.get("/sessions/s-1").text
    assert "10 calls: Bash 10" in plain(last)
    assert "ls 24" in last
    earlier = re.search(r'href="(\?after=\d+)">Earlier', last)
    assert earlier is not None
    middle = visit.get(f"/sessions/s-1{earlier[1]}").text
    assert "ls 14" in middle
    assert "ls 15" not in middle
    assert ">Later</a>" in middle
    assert "ls 3<" in visit.get("/sessions/s-1?at=7").text


# --- what is folded, and what is drawn --------------------------------------------------------------------------------


def test_runs_of_calls_that_nobody_objected_to_are_folded():
    quiet = [CALL._replace(id=number, at=float(number), outcome="ran") for number in range(1, 6)]
    stop = CALL._replace(id=6, at=6.0, decision="deny", outcome="denied", is_stopped=True)
    few = [CALL._replace(id=number, at=float(number), tool="Read", outcome="failed") for number in (7, 8)]
    found = rail_of([*quiet, stop, *few])
    assert [(item.kind, item.row.id, item.count, item.summary) for item in found] == [
        ("fold", 1, 5, "Bash 5"),
        ("call", 6, 0, ""),
        ("call", 7, 0, ""),
        ("call", 8, 0, ""),
    ]
    assert [item.then.id for item in found if item.then] == [7]
    assert [item.kind for item in rail_of([*quiet, stop], folded=False)] == ["call"] * 6


def test_a_run_ends_where_another_agent_goes_on():
    own = [CALL._replace(id=number, at=1.0) for number in range(1, 5)]
    others = [CALL._replace(id=number, at=1.0, agent="explore") for number in range(5, 9)]
    assert [(item.kind, item.row.agent, item.count) for item in rail_of([*own, *others])] == [
        ("fold", "", 4),
        ("fold", "explore", 4),
    ]


@given(st.text("nycadwb", max_size=600))
def test_a_strip_shows_everything_that_was_stopped_first(marks: str):
    drawn = strip_of(marks)
    ticks = drawn.plain.count("M") + drawn.changed.count("M") + len(drawn.heads)
    assert ticks == min(len(marks), 110)
    assert all(0 <= x <= drawn.width for _, x in drawn.heads)
    assert ("deny" in {verdict for verdict, _ in drawn.heads}) or not set(marks) & set("dw") or "b" in marks


def test_a_strip_says_what_it_shows():
    assert strip_of("").label == "0 calls, nothing stopped"
    assert strip_of("nnydab").label == "6 calls: 1 asked, 1 denied, 1 breaches"
    assert [verdict for verdict, _ in strip_of("nnydab").heads] == ["deny", "ask", "breach"]


# --- in a browser -----------------------------------------------------------------------------------------------------


def test_a_live_session_goes_on_by_itself(world, tab):
    ordinary_session(world)
    tab.goto("/sessions/s-1")
    world.call("Bash", command="git push --force origin other")
    tab.locator(".rail .line", has_text="git push --force origin other").wait_for()
    assert tab.locator(".rail > li").last.locator(".verdict").inner_text() == "deny"


def test_the_list_goes_on_by_itself(world, tab):
    ordinary_session(world)
    tab.goto("/sessions")
    world.ran("Bash", SHELL, "s-2", command="ls")
    tab.locator("#s-s-2").wait_for()
    tab.locator("#s-s-2 .row-link").click()
    tab.wait_for_url("**/sessions/s-2")


def test_a_record_leads_into_a_folded_run(world, tab):
    for number in range(6):
        world.ran("Bash", SHELL, command=f"ls {number}")
    tab.goto("/log/3")
    tab.get_by_role("link", name="s-1").click()
    tab.locator("#e-3").wait_for()
    assert tab.locator("details[open] #e-3").is_visible()


@pytest.mark.parametrize("width", [335, 768, 1280])
def test_a_session_is_never_wider_than_the_window(world, tab, width):
    world.event("UserPromptSubmit", prompt="z" * 500)
    world.call("Bash", command="git push --force origin " + "x" * 400)
    for number in range(5):
        world.ran("Bash", SHELL, command=f"ls {'y' * 300}{number}")
    tab.set_viewport_size({"width": width, "height": 800})
    for path in ("/sessions", "/sessions/s-1"):
        tab.goto(path)
        if path.endswith("1"):
            tab.locator("summary").first.click()
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
