"""Suggestions from what people approve, as the page shows them."""

from __future__ import annotations

from tests.page.history import Past
from tests.page.numbers.looking import rows_of, text_of


def approve_often(past: Past) -> None:
    for number in range(6):
        past.days_ago(10 - number).asked("npm install left-pad", "yes", f"s-{number}")


def test_a_suggestion_is_shown_with_the_rule_in_the_overview_and_in_the_list(past, context, request):
    approve_often(past)
    visit = request.getfixturevalue("visit")
    context.digest.catch_up()
    visit.get("/overview")  # which begins to look for suggestions, and does not wait for them
    context.advice.wait(30)
    for path in ("/overview", "/rules/install"):
        html = visit.get(path).text
        assert (
            "npm install left-pad was approved 6 times in 6 sessions, and never refused. With this exception, 6 of 6 "
            "questions in these sessions would not have been asked." in text_of(html)
        )
        assert "unless:\n    command: [/^npm install left-pad$/]" in html
        assert 'data-copy="version: 1' in html
    assert "A narrower rule" not in visit.get("/rules/deploy").text
    (row,) = [row for row in rows_of(visit.get("/rules?note=suggestion").text) if len(row) == 8 and row[4] == "6"]
    assert row[1].startswith("install suggestion")


def test_no_view_writes_a_policy(past, context, request):
    approve_often(past)
    before = past.file.read_bytes()
    visit = request.getfixturevalue("visit")
    for path in ("/overview", "/rules", "/rules/install"):
        visit.get(path)
    context.advice.wait(30)
    assert past.file.read_bytes() == before


def test_a_project_in_which_nothing_can_be_spared_has_no_suggestions(past, context, visit):
    assert context.advice.of(str(past.project)) == ()
    context.advice.wait(30)
    assert context.advice.of(str(past.project)) == ()
