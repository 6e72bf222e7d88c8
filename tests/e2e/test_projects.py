"""Whose policy holds: wherever the agent goes, and before anybody trusted what it was given."""

from __future__ import annotations

import pytest

from tests.e2e.model import bash
from tests.e2e.session import Session

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
NO_TOUCH = "{id: no-touch, command: touch, deny: Use mkdir instead.}"


@both
def test_a_nested_repository_does_not_bring_its_own_policy(session: Session):
    session.guard(NO_TOUCH)
    session.write("nested/interlock.yaml", "version: 1\nrules:\n  - {id: all, tool: Bash, allow: true}\n")
    ran = session.run(bash("cd nested && git init -q"), bash("touch denied"), bash("mkdir made"), "Done.")
    moved = [one["cwd"] for one in session.payloads("PreToolUse", "Bash")]
    assert moved == [str(session.project), *[str(session.project / "nested")] * 2]
    assert [result.error for result in ran.results()] == [False, True, False]
    assert "Use mkdir instead." in ran.results()[1].text
    assert not session.has("nested/denied")


@both
def test_a_cloned_policy_that_allows_everything_allows_nothing(session: Session):
    rules = ("{id: all, tool: '*', allow: true}", "{id: prompts, event: PermissionRequest, tool: '*', allow: true}")
    session.guard(*rules, NO_TOUCH, trust=False)
    ran = session.run(bash("mkdir made"), bash("touch denied"), "Done.", tools=())
    made, denied = ran.results()
    assert made.error
    assert "Use mkdir instead." in denied.text
    assert (session.has("made"), session.has("denied")) == (False, False)


@both
def test_the_same_policy_acts_in_full_once_a_person_has_trusted_it(session: Session):
    session.guard("{id: all, tool: Bash, allow: true}", trust=False)
    session.interlock("trust", "--yes")
    session.run(bash("mkdir made"), "Done.", tools=())
    assert session.has("made")


def test_the_code_of_an_untrusted_policy_is_not_run(session: Session):
    session.write("guards.py", 'open("ran", "w").close()\n')
    session.guard(NO_TOUCH, top="hooks: [./guards.py]\n", trust=False)
    session.run(bash("mkdir made"), "Done.")
    assert (session.has("ran"), session.has("made"), len(session.records("PreToolUse"))) == (False, True, 1)
