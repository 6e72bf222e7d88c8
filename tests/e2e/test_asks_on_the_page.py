"""The whole way: the real client's call waits, a person answers in a real browser, and the tool runs as they said."""

from __future__ import annotations

from tests.e2e.model import bash
from tests.e2e.session import Session
from tests.page.person import click_no, click_yes, edit_to, on_the_page
from tests.person import Person

ASK = "{id: make, command: touch, ask: Make the file?}"
MOVE = "{id: moves, command: touch made, change: {command: touch moved}}"


def test_a_yes_on_the_page_runs_the_call_with_its_changed_input(session: Session):
    session.guard(MOVE, ASK)
    with Person(session.store, on_the_page(click_yes)):
        ran = session.run(bash("touch made"), "Done.")
    assert [one.error for one in ran.results()] == [False]
    assert (session.has("made"), session.has("moved")) == (False, True)


def test_an_edit_on_the_page_is_what_runs(session: Session):
    session.guard(ASK)
    with Person(session.store, on_the_page(edit_to("touch other"))):
        session.run(bash("touch made"), "Done.")
    assert (session.has("made"), session.has("other")) == (False, True)


def test_the_model_reads_the_note_of_a_no_on_the_page(session: Session):
    session.guard(ASK)
    with Person(session.store, on_the_page(click_no)):
        ran = session.run(bash("touch made"), "Done.")
    (result,) = ran.results()
    assert result.text.endswith("ann did not approve this call: Not on a Friday.")
    assert not session.has("made")
