"""The view *Overview*: its figures, the rules that nag and that help, how questions ended, and the doctor."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from interlock.doctor.finding import Finding, note, problem
from interlock.page.figures import Period, day_word
from interlock.page.guard_watch import GuardWatch
from interlock.store.base import Entry, Note
from tests.page.history import NOON, Past
from tests.page.numbers.looking import rows_of, text_of

TODAY = NOON.date()


def overview(visit, query: str = "") -> str:
    answer = visit.get(f"/overview{query}")
    assert answer.status == 200
    return answer.text


def test_the_figures_of_a_month_with_what_they_were_before(weeks, visit):
    text = text_of(overview(visit))
    assert "all projects, the last 30 days; 18.8 stops per 100 calls, asked or denied" in text
    assert "Calls judged 165 6 a day; down 1 %" in text
    assert "Asked per 100 calls 17.6 29 in all; was 17.5" in text
    assert "Denied per 100 calls 1.2 2 in all; was 1.2" in text
    assert "Median answer 9 s 100 % within 1 min; was 9 s" in text


def test_the_period_can_be_chosen(weeks, visit):
    for days, calls in {"7": "38", "30": "165", "90": "340", "nonsense": "165"}.items():
        html = overview(visit, f"?days={days}")
        assert f"Calls judged {calls} " in text_of(html)
        assert html.count('aria-current="true"') == 1


def test_charts_have_their_number_beside_them_and_in_words(weeks, visit):
    html = overview(visit)
    assert 'role="img" aria-label="Asked per 100 calls by day: 17.6 in all, was 17.5"' in html
    assert 'role="img" aria-label="yes 26, yes, edited 0, no 3, nobody answered 0"' in html


def test_rules_that_nag_are_those_whose_every_answer_was_yes(weeks, visit):
    assert ["install", "22", "22", "2 min"] in rows_of(overview(visit))


def test_rules_that_earn_their_keep_stopped_a_call_and_the_agent_went_on(weeks, visit):
    rows = rows_of(overview(visit))
    place = rows.index(["Rule", "Stopped", "Another way"])
    assert rows[place + 1 : place + 3] == [["force", "2", "2"], ["deploy", "3", "1"]]


def stopped(past: Past, session: str = "s-1") -> None:
    past.days_ago(1).call("git push --force origin main", session)


def another_way(visit) -> list[list[str]]:
    rows = rows_of(overview(visit))
    head = ["Rule", "Stopped", "Another way"]
    return rows[rows.index(head) + 1 :] if head in rows else []


def test_an_agent_that_gave_up_found_no_other_way(past, request):
    stopped(past)
    assert another_way(request.getfixturevalue("visit")) == []


def test_an_agent_that_tried_the_same_again_found_no_other_way(past, request):
    stopped(past)
    stopped(past)
    past.ran("git status")
    assert another_way(request.getfixturevalue("visit")) == [["force", "2", "1"]]


def test_a_session_with_a_breach_did_not_find_another_way(past, request):
    stopped(past)
    past.ran("git status")
    breach = {"event": "Breach", "session": "s-1", "breach": "a denied call ran", "project": str(past.project)}
    past.store.commit(Entry(record=breach, raw=b"{}", at=past.now, notes=Note(session="s-1", breach="ran")))
    assert another_way(request.getfixturevalue("visit")) == []


def test_how_questions_ended(past, request):
    past.days_ago(1)
    for answer in ("yes", "yes", "no", "none"):
        past.asked("make deploy", answer)
    text = text_of(overview(request.getfixturevalue("visit")))
    assert "How questions ended 4 asked yes 2 50 % yes, edited 0 0 % no 1 25 % nobody answered 1 25 %" in text


def test_few_calls_are_not_compared_with_anything(past, request):
    past.days_ago(1).ran("git status")
    text = text_of(overview(request.getfixturevalue("visit")))
    assert "1 call so far." in text
    assert "; was" not in text


def test_an_empty_record_is_told_how_to_be_filled(past, visit):
    text = text_of(overview(visit))
    assert "Nothing was judged yet" in text
    assert "interlock init interlock trust" in text


def test_projects_are_compared_and_one_can_be_chosen(tmp_path: Path, past, request):
    past.days_ago(1).ran("git status")
    other = Past(tmp_path, name="web", store=past.store)
    other.days_ago(1).asked("make deploy", "yes", "w-1")
    visit = request.getfixturevalue("visit")
    rows = rows_of(overview(visit))
    head = rows.index(["Project", "Last 30 days", "Calls", "Asked per 100", "Denied", "Stops per 100"])
    assert rows[head + 1 : head + 3] == [
        [str(past.project), "", "1", "0.0 new", "0", "0.0"],
        [str(other.project), "", "1", "100.0 new", "0", "100.0"],
    ]
    chosen = text_of(overview(visit, f"?project={other.project}"))
    assert "Asked per 100 calls 100.0 1 in all" in chosen
    other.guard.close()


# --- is it guarded? ---------------------------------------------------------------------------------------------


def test_the_bar_of_every_view_says_whether_the_project_is_guarded(past, context, visit):
    context.guard.look_again()
    context.guard.wait(10)
    for view in ("inbox", "rules", "overview"):
        assert 'href="/overview#guarded"' in visit.get(f"/{view}").text
    assert "ok settings all events have entries" in text_of(overview(visit))


def test_a_view_never_waits_for_the_doctor(past, context, visit):
    over = threading.Event()

    def slow(project: Path) -> Iterator[Finding]:
        over.wait(30)
        yield problem("settings", "none of the entries would run", "run `interlock init`")

    context.guard = GuardWatch(past.project, context.clock, slow)
    html = overview(visit)
    assert "looking …" in text_of(html)
    assert 'href="/overview#guarded"' not in html
    over.set()
    context.guard.wait(10)
    text = text_of(overview(visit))
    assert "not guarded" in text
    assert "problem settings none of the entries would run → run interlock init" in text


def test_looking_again_begins_at_once_and_only_once(past, context, visit):
    looks: list[Path] = []
    begun, over = threading.Event(), threading.Event()

    def look(project: Path) -> Iterator[Finding]:
        looks.append(project)
        begun.set()
        over.wait(30)
        yield note("policy", "not trusted")

    context.guard = GuardWatch(past.project, context.clock, look)
    assert "looking …" in text_of(visit.post("/overview/look", {}).text)
    begun.wait(10)
    visit.post("/overview/look", {})
    over.set()
    context.guard.wait(10)
    assert looks == [past.project]
    assert text_of(visit.get("/overview/guarded").text).startswith("Is it guarded? looked 0 s ago guarded")


def test_a_check_that_fails_is_a_problem_and_not_an_old_finding(past):
    def broken(project: Path) -> Iterator[Finding]:
        raise ValueError("no such thing")
        yield

    watch = GuardWatch(past.project, look=broken)
    watch.look_again()
    watch.wait(10)
    found = watch.latest()
    assert found is not None
    assert not found.is_guarded
    assert "no such thing" in found.findings[0].text


def test_without_a_project_nobody_looks(context, visit):
    context.project, context.guard = None, None
    assert "The page was not opened in a project." in text_of(overview(visit))


# --- days -------------------------------------------------------------------------------------------------------


def test_a_period_ends_today_and_the_one_before_ends_where_it_begins():
    week = Period(TODAY, 7)
    assert (week.bounds, week.before.bounds) == (("2026-02-24", "2026-03-02"), ("2026-02-17", "2026-02-23"))
    assert len(week.listed) == 7


@pytest.mark.parametrize(
    ("day", "word"),
    [("", "never"), ("2026-03-02", "today"), ("2026-03-01", "yesterday"), ("2026-02-05", "5 Feb"),
     ("2025-01-05", "5 Jan 2025")],
)  # fmt: skip
def test_days_in_words(day, word):
    assert day_word(day, TODAY) == word
