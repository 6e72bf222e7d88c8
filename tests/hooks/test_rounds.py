"""Change first, then judge what would run, then combine: several hooks on one call."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import allow, ask, change, context, deny, hook, notify, output
from interlock.hooks.run import HookSet
from interlock.service import handle
from tests.hooks.events import answer, denial, post, pre, said, shell_result

RM = pre(command="rm -rf build", timeout=5)


@hook("PreToolUse", tool="Bash")
def no_rm(call):
    return deny("rm is closed.") if call.input["command"].startswith("rm ") else None


@hook("PreToolUse", tool="Bash")
def to_trash(call):
    if call.input["command"].startswith("rm "):
        return change(command=call.input["command"].replace("rm -rf", "trash"))
    return None


@hook("PreToolUse", tool="Bash")
def no_trash(call):
    return deny("trash is full.") if call.input["command"].startswith("trash ") else None


def changed(document: Any) -> Any:
    return document["hookSpecificOutput"].get("updatedInput")


# --- several denials ---------------------------------------------------------------------------------------


def hooks_that_deny(*reasons: str) -> list[Any]:
    def make(number: int, reason: str) -> Any:
        @hook("PreToolUse", name=f"guard{number}")
        def guard(call):
            return deny(reason)

        return guard

    return [make(number, reason) for number, reason in enumerate(reasons)]


def test_one_denial_is_given_as_it_is():
    assert denial(answer(RM, *hooks_that_deny("Customer not verified"))) == "Customer not verified"


def test_two_denials_are_numbered_in_order_of_registration():
    """S1-12 Every reason reaches the model, numbered, in one message."""
    one, two = hooks_that_deny("Customer is not verified.", "Refund exceeds 100.")
    text = "Denied: (1) {} (2) {} Both must be resolved."
    assert denial(answer(RM, one, two)) == text.format("Customer is not verified.", "Refund exceeds 100.")
    assert denial(answer(RM, two, one)) == text.format("Refund exceeds 100.", "Customer is not verified.")


def test_three_denials_must_all_be_resolved():
    """S1-12"""
    reason = denial(answer(RM, *hooks_that_deny("A.", "B", "C!")))
    assert reason == "Denied: (1) A. (2) B. (3) C! All must be resolved."


def test_a_deny_beats_every_other_opinion_wherever_it_stands():
    @hook("PreToolUse")
    def permit(call):
        return allow("Fine.")

    @hook("PreToolUse")
    def wonder(call):
        return ask("Sure?")

    for hooks in ([no_rm, permit, wonder], [permit, no_rm, wonder], [wonder, permit, no_rm]):
        assert denial(answer(RM, *hooks)) == "rm is closed."
    assert said(answer(RM, permit, wonder))["hookSpecificOutput"]["permissionDecision"] == "ask"


# --- change, then judge ------------------------------------------------------------------------------------


def test_a_change_gives_the_whole_input_and_tells_the_model():
    """S1-02 S1-13 Unchanged fields are kept, and the change is not silent."""
    reply = answer(RM, to_trash)
    told = 'Interlock changed `command` of this call from "rm -rf build" to "trash build" (to_trash).'
    assert said(reply) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "additionalContext": told,
            "updatedInput": {"command": "trash build", "timeout": 5},
        }
    }
    assert reply.exit_code == 0


def test_a_judge_registered_before_the_change_judges_the_changed_input():
    reason = "trash is full."
    assert denial(answer(RM, no_trash, to_trash)) == reason
    assert denial(answer(RM, to_trash, no_trash)) == reason
    assert denial(answer(RM, no_trash, to_trash, alone=True)) == reason


@pytest.mark.parametrize("hooks", [[no_rm, to_trash], [to_trash, no_rm]], ids=["before", "behind"])
def test_a_change_does_not_save_a_denied_call_beside_other_hooks(hooks: list[Any]):
    """S1-13 They may undo our change, so the model is told the safe call instead."""
    expected = 'rm is closed. Make this call instead: {"command":"trash build","timeout":5}'
    assert denial(answer(RM, *hooks)) == expected


@pytest.mark.parametrize("hooks", [[no_rm, to_trash], [to_trash, no_rm]], ids=["before", "behind"])
def test_a_change_saves_a_denied_call_where_we_are_alone(hooks: list[Any]):
    reply = answer(RM, *hooks, alone=True)
    assert changed(said(reply)) == {"command": "trash build", "timeout": 5}
    assert (reply.verdict.decision, reply.exit_code) == (None, 0)


def test_a_hook_that_changes_and_decides_keeps_its_decision_and_its_change_is_made_once():
    @hook("PreToolUse")
    def mover(call):
        if call.input["command"].startswith("rm "):
            yield change(command=call.input["command"].replace("rm -rf", "trash"))
            yield ask("Moved to the trash; run it?")
        yield change(count=call.input.get("count", 0) + 1, quiet="a counter")

    document = said(answer(RM, no_trash_but_build, mover))
    assert document["hookSpecificOutput"]["permissionDecision"] == "ask"
    assert document["hookSpecificOutput"]["permissionDecisionReason"] == "Moved to the trash; run it?"
    assert changed(document) == {"command": "trash build", "timeout": 5, "count": 1}


@hook("PreToolUse")
def no_trash_but_build(call):
    return deny("No.") if call.input["command"] not in ("rm -rf build", "trash build") else None


def test_each_changing_hook_sees_what_the_one_before_left():
    seen: list[dict[str, Any]] = []

    def adding(name: str) -> Any:
        @hook("PreToolUse", name=name)
        def guard(call):
            seen.append(call.input)
            assert call.original == {"command": "x"}
            return change({name: True, "command": call.input["command"] + name})

        return guard

    document = said(answer(pre(command="x"), adding("a"), adding("b"), adding("c"), alone=True))
    assert seen[:3] == [{"command": "x"}, {"command": "xa", "a": True}, {"command": "xab", "a": True, "b": True}]
    assert changed(document) == {"command": "xabc", "a": True, "b": True, "c": True}


def test_the_same_change_in_another_order_of_hooks_is_another_change():
    @hook("PreToolUse")
    def one(call):
        return change(command="one", quiet="a label")

    @hook("PreToolUse")
    def two(call):
        return change(command="two", quiet="a label")

    assert changed(said(answer(RM, one, two)))["command"] == "two"
    assert changed(said(answer(RM, two, one)))["command"] == "one"


def test_none_removes_a_field():
    @hook("PreToolUse")
    def guard(call):
        return change(timeout=None)

    document = said(answer(RM, guard))
    assert changed(document) == {"command": "rm -rf build"}
    assert document["hookSpecificOutput"]["additionalContext"] == "Interlock removed `timeout` from this call (guard)."


def test_a_quiet_change_is_not_told():
    """S1-13 Only where the author says why it does not change the meaning."""

    @hook("PreToolUse")
    def guard(call):
        return change(timeout=9, quiet="a limit, not a meaning")

    document = said(answer(RM, guard))
    assert document["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse",
        "updatedInput": {"command": "rm -rf build", "timeout": 9},
    }


def test_a_change_to_the_same_value_is_none():
    @hook("PreToolUse")
    def guard(call):
        return change(timeout=5)

    assert answer(RM, guard).stdout == b"{}"


def test_a_change_of_type_alone_is_one():
    """S0-12 5 and 5.0 are two things to a tool."""

    @hook("PreToolUse")
    def guard(call):
        return change(timeout=5.0)

    assert b'"timeout":5.0' in answer(RM, guard).stdout


def test_a_change_wished_for_only_after_a_later_change_denies():
    @hook("PreToolUse")
    def early(call):
        return change(command="echo") if call.input["command"].startswith("trash") else None

    reason = denial(answer(RM, early, to_trash))
    assert reason == "early would change `command` again after a later hook changed the call; put it behind that hook"


def test_a_hook_that_fails_on_the_changed_input_denies():
    """S1-08"""

    @hook("PreToolUse")
    def fragile(call):
        return deny("No.") if call.input["command"].index("rm") else None

    assert "raised ValueError: substring not found" in denial(answer(RM, fragile, to_trash))


def test_facts_about_the_event_follow_the_change():
    seen: list[str] = []

    @hook("PreToolUse")
    def late(event):
        seen.append(event.tool_input["command"])

    answer(RM, to_trash, late, alone=True)
    assert seen == ["trash build"]


def test_context_and_notices_of_every_hook_are_kept_in_order():
    @hook("PreToolUse")
    def one(call):
        return [context("First."), notify("Note one.")]

    @hook("PreToolUse")
    def two(call):
        return [context("Second."), notify("Note two.")]

    assert said(answer(RM, one, two)) == {
        "systemMessage": "Note one.\nNote two.",
        "hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "First.\nSecond."},
    }


# --- results -----------------------------------------------------------------------------------------------


def test_each_hook_of_a_result_sees_what_the_one_before_left():
    seen: list[Any] = []

    @hook("PostToolUse")
    def redact(call):
        seen.append(call.output)
        return output({"stdout": call.output["stdout"].replace("hunter2", "***")})

    @hook("PostToolUse")
    def shorten(call):
        seen.append(call.output)
        return output({"stdout": call.output["stdout"][:9]})

    reply = answer(post("Bash", {"command": "env"}, shell_result("PASS=hunter2;A=1")), redact, shorten)
    # The first is asked again: the second might have brought back what it removes.
    assert seen == [shell_result("PASS=hunter2;A=1"), shell_result("PASS=***;A=1"), shell_result("PASS=***;")]
    assert said(reply)["hookSpecificOutput"]["updatedToolOutput"] == shell_result("PASS=***;")


def test_an_mcp_result_is_seen_as_what_it_means_and_put_back_as_it_came():
    """S3-09 Later processing sees the changed output."""

    @hook("PostToolUse", tool="mcp__crm__get_customer")
    def redact(call):
        assert call.response == [{"type": "text", "text": '{"name":"Ada","card":"4111"}'}]
        return output({"card": None})

    blocks = [{"type": "text", "text": '{"name":"Ada","card":"4111"}'}]
    reply = answer(post("mcp__crm__get_customer", {}, blocks), redact)
    assert said(reply)["hookSpecificOutput"]["updatedToolOutput"] == [{"type": "text", "text": '{"name":"Ada"}'}]


def test_before_a_call_ran_it_has_no_output():
    seen: list[Any] = []

    @hook(["PreToolUse", "PostToolUse"])
    def look(call):
        seen.append((call.output, call.response))

    hooks = HookSet([look])
    handle("claude-code", RM, hooks)
    handle("claude-code", post("Bash", {"command": "ls"}, shell_result("a")), hooks)
    assert seen == [(None, None), (shell_result("a"), shell_result("a"))]
