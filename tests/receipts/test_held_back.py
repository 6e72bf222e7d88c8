"""What a failed call printed: no host replaces it, so the turn ends where a rule would have changed or withheld it."""

from __future__ import annotations

from typing import Any

import pytest

from interlock.verdict import Verdict
from tests.policy.builders import Session

SECRET = "hunter2"
HIDE = "rules: [{id: hide, event: PostToolUse, output: \"${sub(output, 'hunter2', '***')}\"}]"
FAILS = 'rules: [{id: fails, event: PostToolUse, tool: Bash, output: {stdout: "${string(int(output.stdout))}"}}]'
TELLS = "rules: [{id: tells, event: PostToolUse, context: It ran.}]"
ENV: dict[str, dict[str, Any]] = {
    "Bash": {"command": "env"},
    "Read": {"file_path": "/proj/a"},
    "Monitor": {"command": "env"},
    "Grep": {"pattern": "x"},
    "Glob": {"pattern": "x"},
    "Agent": {"description": "d", "prompt": "p"},
    "Task": {"description": "d", "prompt": "p"},
    "WebFetch": {"url": "https://a.org", "prompt": "p"},
    "mcp__shop__look": {"id": 1},
    "Unheard": {"of": 1},
}


def failed(session: Session, tool: str, error: str) -> Verdict:
    """A call that fails with this text, and the end of its batch."""
    session.event("UserPromptSubmit", prompt="go")
    session.call({tool: ENV[tool]})
    use = f"{session.id}-1"
    call = {"tool_name": tool, "tool_input": ENV[tool], "tool_use_id": use}
    session.event("PostToolUseFailure", error=error, **call)
    return session.event("PostToolBatch", tool_calls=[{**call, "tool_response": error}])


@pytest.mark.parametrize("tool", ENV)
def test_a_text_that_a_rule_would_have_changed_ends_the_turn_and_names_the_rule(tool: str):
    verdict = failed(Session(HIDE, whole=True), tool, f"no such user: {SECRET}")
    assert verdict.decision == "deny"
    assert f"{tool} (test-1) failed, and what it printed was not shown to the model" in (verdict.reason or "")
    assert "`hide` would have changed it" in (verdict.reason or "")
    assert SECRET not in (verdict.reason or "")


@pytest.mark.parametrize("tool", ENV)
def test_a_text_that_no_rule_minds_passes(tool: str):
    assert failed(Session(HIDE, whole=True), tool, "no such user").decision is None
    assert failed(Session(TELLS, whole=True), tool, f"no such user: {SECRET}").decision is None


@pytest.mark.parametrize(
    ("tool", "place"),
    [
        ("Bash", "response.stdout"),
        ("Bash", "output.stdout"),
        ("Monitor", "response.stdout"),
        ("Read", "response.file.content"),
        ("Grep", "response.content"),
        ("Glob", "response.filenames[0]"),
        ("WebFetch", "response.result"),
        ("Agent", "response.content[0].text"),
        ("Task", "response.content[0].text"),
        ("mcp__shop__look", "response[0].text"),
        ("mcp__shop__look", "output"),
        ("Unheard", "response"),
    ],
)
def test_a_rule_finds_the_text_where_it_is_in_a_result_of_that_tool(tool: str, place: str):
    """The near miss tells whether it was found: a rule that looks in vain fails, and ends the turn as well."""
    hide = f'rules: [{{id: hide, event: PostToolUse, when: "{place}.contains(\'hunter2\')", output: "[hidden]"}}]'
    verdict = failed(Session(hide, whole=True), tool, f"user {SECRET}")
    assert "`hide` would have changed it" in (verdict.reason or "")
    assert failed(Session(hide, whole=True), tool, "user ada").decision is None


def test_a_text_that_a_rule_cannot_judge_ends_the_turn_too():
    verdict = failed(Session(FAILS, whole=True), "Bash", "not a number")
    assert verdict.decision == "deny"
    assert "`fails` withholds it" in (verdict.reason or "")
    assert failed(Session(FAILS, whole=True), "Bash", "7").decision is None


def test_a_rule_that_changes_no_result_and_fails_ends_no_turn():
    tells = "rules: [{id: tells, event: PostToolUse, tool: Bash, when: int(output.stdout) > 1, context: Much.}]"
    assert failed(Session(tells, whole=True), "Bash", "not a number").decision is None


def test_a_text_is_held_back_once_and_the_next_turn_goes_on():
    session = Session(HIDE, whole=True)
    assert failed(session, "Bash", SECRET).decision == "deny"
    session.event("UserPromptSubmit", prompt="go on")
    session.call("ls")
    listed = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "test-2", "tool_response": "a"}
    session.result("ls", {"stdout": "a", "stderr": "", "interrupted": False, "isImage": False})
    assert session.event("PostToolBatch", tool_calls=[listed]).decision is None


def test_a_result_that_never_came_by_itself_is_judged_at_the_end_of_its_batch():
    """An entry over HTTP may have failed meanwhile: the model reads the result unless the turn ends."""
    session = Session(HIDE, whole=True)
    session.event("UserPromptSubmit", prompt="go")
    session.call("env")
    call = {"tool_name": "Bash", "tool_input": {"command": "env"}, "tool_use_id": "test-1"}
    verdict = session.event("PostToolBatch", tool_calls=[{**call, "tool_response": f"user {SECRET}"}])
    assert verdict.decision == "deny"
    assert "the result of Bash (test-1) was not judged when it arrived" in (verdict.reason or "")
    other = Session(HIDE, whole=True)
    other.event("UserPromptSubmit", prompt="go")
    other.call("env")
    assert other.event("PostToolBatch", tool_calls=[{**call, "tool_response": "user ada"}]).decision is None


def unjudged(shown: Any) -> Verdict:
    """The end of a batch with a result that never came by itself, under a rule that reads it as a text."""
    hide = "rules: [{id: hide, event: PostToolUse, when: \"output.stdout.contains('hunter2')\", output: '[hidden]'}]"
    session = Session(hide, whole=True)
    session.event("UserPromptSubmit", prompt="go")
    session.call("env")
    call = {"tool_name": "Bash", "tool_input": {"command": "env"}, "tool_use_id": "test-1"}
    return session.event("PostToolBatch", tool_calls=[{**call, "tool_response": shown}])


@pytest.mark.parametrize("shape", [lambda text: {"stdout": text}, lambda text: [{"type": "text", "text": text}], str])
def test_a_result_of_any_shape_that_never_came_by_itself_is_judged_as_one_text(shape: Any):
    assert "`hide` would have changed it" in (unjudged(shape(f"user {SECRET}")).reason or "")
    assert unjudged(shape("user ada")).decision is None


def test_where_not_every_event_reaches_us_no_turn_ends():
    assert failed(Session(HIDE), "Bash", SECRET).decision is None
