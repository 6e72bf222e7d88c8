"""The beginning and the end of a turn: prompts that are refused, and work that is not done yet."""

from __future__ import annotations

import pytest

from tests.e2e.model import bash
from tests.e2e.session import Session

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)


@both
def test_the_agent_goes_on_until_its_work_is_done_and_then_may_stop(session: Session):
    session.guard("{id: tested, event: Stop, run: test -e report, deny: Write the report first.}")
    ran = session.run("Done.", bash("touch report"), "Now done.")
    assert "Write the report first." in ran.texts()
    assert (ran.exit_code, ran.final["result"], len(ran.of())) == (0, "Now done.", 3)


@both
def test_a_stop_that_is_always_refused_is_no_endless_loop(session: Session):
    session.guard("{id: never, event: Stop, deny: Not yet.}")
    ran = session.run("Done.")
    assert "Not yet." in ran.texts()
    assert (ran.exit_code, len(ran.of()) <= 10) == (0, True)


@both
def test_a_failing_check_of_the_end_lets_the_agent_stop_with_a_notice(session: Session):
    session.guard("{id: broken, event: Stop, when: int(session.id) > 0, deny: Not yet.}")
    ran = session.run("Done.")
    assert (ran.exit_code, ran.final["result"], len(ran.of())) == (0, "Done.", 1)
    assert "broken" in ran.stdout


@both
def test_a_refused_prompt_never_reaches_the_model_and_the_person_is_told_why(session: Session):
    session.guard("{id: no-deploys, event: UserPromptSubmit, prompt: deploy, deny: Deploys are on Mondays.}")
    ran = session.run("Deployed.", prompt="Please deploy it.")
    assert ran.of() == []
    assert "Deploys are on Mondays." in ran.stdout
    again = session.run("Tested.", prompt="Please test it.")
    assert again.final["result"] == "Tested."
