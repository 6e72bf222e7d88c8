"""Calls that the real client is about to make: denied, changed, asked about."""

from __future__ import annotations

import pytest

from tests.e2e.model import Call, bash
from tests.e2e.session import Session

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
REFUND = "mcp__payments__process_refund"
ASKED = "{id: safer, command: cp, change: {command: touch safe}, ask: Touch instead of copying?}"


@both
def test_without_interlock_all_of_these_calls_run(session: Session):
    """Without this the tests below would prove nothing."""
    session.write("a", "x")
    given = {"customer_id": "bob", "amount": 250.5}
    ran = session.run(bash("touch denied"), bash("cp a b"), Call(REFUND, given), "Done.", mcp=True)
    assert [result.error for result in ran.results()] == [False, False, False]
    assert (session.has("denied"), session.has("b"), len(session.paid())) == (True, True, 1)


@both
def test_a_denied_call_does_not_run_and_the_model_is_told_why(session: Session):
    """S1-01"""
    session.guard("{id: no-touch, command: touch, deny: Use mkdir instead.}")
    ran = session.run(bash("touch denied"), bash("mkdir allowed"), "Done.")
    first, second = ran.results()
    assert (first.error, second.error) == (True, False)
    assert "Use mkdir instead." in first.text
    assert (session.has("denied"), session.has("allowed")) == (False, True)
    assert (ran.exit_code, ran.final["result"]) == (0, "Done.")


@both
def test_of_two_rules_that_deny_the_model_hears_both(session: Session):
    """S1-12"""
    session.guard(
        "{id: no-touch, command: touch, deny: Use mkdir instead.}",
        "{id: no-dots, when: input.command.contains('..'), tool: Bash, deny: Stay in the project.}",
    )
    ran = session.run(bash("touch ../denied"), "Done.")
    (result,) = ran.results()
    assert "Denied: (1) Use mkdir instead. (2) Stay in the project. Both must be resolved." in result.text
    assert not (session.folder / "denied").exists()


@both
def test_without_a_rule_that_fires_a_call_runs_as_it_was_written(session: Session):
    """S1-03, S3-08"""
    session.guard("{id: no-touch, command: touch, deny: Use mkdir instead.}")
    ran = session.run(bash("mkdir made", timeout=5000), "Done.")
    assert session.has("made")
    (given,) = [one["tool_input"] for one in session.payloads("PostToolUse")]
    assert given == {"command": "mkdir made", "description": "a step", "timeout": 5000}
    assert "Interlock" not in ran.texts()


@both
def test_a_changed_shell_command_keeps_its_other_fields_and_the_model_is_told(session: Session):
    """S0-04, S1-02, S1-13, S3-07"""
    safer = "{id: safer, tool: Bash, when: input.command == 'cp a b', change: {command: touch safe}, allow: true}"
    session.guard(safer)
    ran = session.run(bash("cp a b", timeout=5000), "Done.", tools=())
    assert session.has("safe")
    (given,) = [one["tool_input"] for one in session.payloads("PostToolUse")]
    assert given == {"command": "touch safe", "description": "a step", "timeout": 5000}
    assert 'Interlock changed `command` of this call from "cp a b" to "touch safe" (safer).' in ran.texts()


@both
def test_a_moved_file_keeps_its_content(session: Session):
    """S0-04, S3-07"""
    session.guard('{id: moved, tool: Write, change: {file_path: "${project}/inside.txt"}, allow: true}')
    outside = session.folder / "outside.txt"
    session.run(Call("Write", {"file_path": str(outside), "content": "kept\n"}), "Done.")
    assert (session.read("inside.txt"), outside.exists()) == ("kept\n", False)


@both
def test_a_changed_argument_of_an_mcp_tool_leaves_the_others(session: Session):
    """S0-04, S0-12, S1-11: the rule names the tool without the prefix of its server."""
    session.guard("{id: capped, tool: process_refund, when: input.amount > 100, change: {amount: 100}}")
    given = {"customer_id": "bob", "amount": 250.5, "note": "broken lamp"}
    session.run(Call(REFUND, given), "Done.", mcp=True)
    assert session.paid() == [{"customer_id": "bob", "amount": 100, "note": "broken lamp"}]


@both
def test_a_rule_for_a_bare_name_denies_the_mcp_tool_of_that_name(session: Session):
    """S1-11"""
    session.guard("{id: no-refunds, tool: process_refund, deny: Use escalate_to_human.}")
    ran = session.run(Call(REFUND, {"customer_id": "bob", "amount": 5}), "Done.", mcp=True)
    (result,) = ran.results()
    assert "Use escalate_to_human." in result.text
    assert session.paid() == []


# --- asking ------------------------------------------------------------------------------------------------


@both
def test_where_nobody_can_be_asked_neither_the_call_nor_its_change_runs(session: Session):
    """S0-01"""
    session.write("a", "x")
    session.guard(ASKED, top="approve: host\n")
    ran = session.run(bash("cp a b"), "Done.")
    (result,) = ran.results()
    assert result.error
    assert "Touch instead of copying?" in result.text
    assert (session.has("safe"), session.has("b")) == (False, False)


@both
def test_a_person_is_asked_about_the_changed_call_and_yes_runs_it(session: Session):
    """S0-01, S0-02, S2-02"""
    session.write("a", "x")
    session.guard(ASKED)
    session.run(bash("cp a b", timeout=5000), "Done.", person="yes")
    (asked,) = session.paid("approve")
    given = {"command": "touch safe", "description": "a step", "timeout": 5000}
    assert asked == {"tool_name": "Bash", "input": given}
    assert (session.has("safe"), session.has("b")) == (True, False)


@both
def test_a_persons_no_blocks_the_changed_call(session: Session):
    """S0-02"""
    session.write("a", "x")
    session.guard(ASKED)
    ran = session.run(bash("cp a b"), "Done.", person="no")
    (result,) = ran.results()
    assert "The person said no." in result.text
    assert (session.has("safe"), session.has("b")) == (False, False)


def test_a_person_is_asked_about_the_original_where_nothing_changed_it(session: Session):
    """S0-03"""
    session.guard("{id: careful, command: touch, ask: Touch it?}")
    session.run(bash("touch asked"), "Done.", person="yes")
    (asked,) = session.paid("approve")
    assert asked == {"tool_name": "Bash", "input": {"command": "touch asked", "description": "a step"}}
    assert session.has("asked")
