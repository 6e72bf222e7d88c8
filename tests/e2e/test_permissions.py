"""Permission prompts that the real client is about to show, answered by rules. (The older client raises none in -p.)"""

from __future__ import annotations

from tests.e2e.model import bash
from tests.e2e.session import Session


def test_a_prompt_is_answered_with_yes_and_the_call_runs_as_it_is(session: Session):
    """S3-01"""
    session.guard("{id: may-touch, event: PermissionRequest, command: touch, path: '**', allow: true}")
    session.run(bash("touch one"), bash("mkdir two"), "Done.", tools=())
    assert (session.has("one"), session.has("two")) == (True, False)


def test_a_prompt_is_answered_with_yes_to_a_changed_call(session: Session):
    """S3-02"""
    what = "command: touch, path: '**', change: {command: mkdir two}"
    session.guard(f"{{id: safer, event: PermissionRequest, {what}, allow: true}}")
    session.run(bash("touch one", timeout=5000), "Done.", tools=())
    assert (session.has("one"), session.has("two")) == (False, True)
    (given,) = [one["tool_input"] for one in session.payloads("PostToolUse")]
    assert given == {"command": "mkdir two", "description": "a step", "timeout": 5000}


def test_a_prompt_is_answered_with_no_and_the_model_is_told_why(session: Session):
    """S3-03"""
    session.guard("{id: no-touch, event: PermissionRequest, command: touch, deny: Use mkdir instead.}")
    ran = session.run(bash("touch one"), "Done.", tools=())
    (result,) = ran.results()
    assert (result.error, result.text) == (True, "Use mkdir instead.")
    assert (session.has("one"), ran.final["result"]) == (False, "Done.")


def test_a_no_that_interrupts_ends_the_turn(session: Session):
    """S3-04"""
    session.guard("{id: no-touch, event: PermissionRequest, command: touch, deny: Stop here., interrupt: true}")
    ran = session.run(bash("touch one"), "Done.", tools=())
    assert not session.has("one")
    assert len(ran.of()) == 1
    assert (ran.exit_code, ran.final["subtype"]) == (1, "error_during_execution")
    assert "Stop here." in ran.stdout


def test_a_call_that_needs_no_prompt_is_not_touched_by_the_rules_for_prompts(session: Session):
    """S4-07"""
    session.guard("{id: no-touch, event: PermissionRequest, command: touch, deny: Use mkdir instead.}")
    session.run(bash("touch one"), "Done.", tools=("Bash",))
    assert session.has("one")
    assert (len(session.records("PreToolUse")), session.records("PermissionRequest")) == (1, [])
