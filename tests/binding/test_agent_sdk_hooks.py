"""Hooks that were in the SDK's options before: adopted in order, read strictly, and never past a failure."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from interlock import deny, hook
from interlock.errors import InterlockError
from tests.binding.sdk import answer, decision, hooks, options_with, sdk
from tests.builders import call, payload, request, result

BASH = call("Bash", command="ls", description="List")


def said(**parts: Any) -> dict[str, Any]:
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **parts}}


def returning(value: Any) -> Any:
    async def callback(given: Any, tool_use_id: str | None, context: Any) -> Any:
        return value

    return callback


async def raises(given: Any, tool_use_id: str | None, context: Any) -> Any:
    raise RuntimeError("boom")


async def hangs(given: Any, tool_use_id: str | None, context: Any) -> Any:
    await anyio.sleep_forever()


def plain(given: Any, tool_use_id: str | None, context: Any) -> Any:
    return {}


def test_a_hook_is_asked_as_the_sdk_would_ask_it(tmp_path):
    seen: list[Any] = []

    async def looks(given: Any, tool_use_id: str | None, context: Any) -> dict[str, Any]:
        seen.append((given, tool_use_id, context))
        return {}

    assert answer(options_with(tmp_path, options=hooks("PreToolUse", looks)), BASH) == {}
    assert seen == [(BASH, "toolu_1", {"signal": None})]


def test_every_denial_of_hooks_and_rules_is_told_at_once_in_order(tmp_path):
    """S1-12"""
    own = hooks(
        "PreToolUse",
        returning(said(permissionDecision="deny", permissionDecisionReason="One.")),
        returning({"decision": "block", "reason": "Two."}),
    )
    options = options_with(tmp_path, "{id: a, tool: Bash, deny: Three.}", options=own)
    assert decision(answer(options, BASH)) == ("deny", "Denied: (1) One. (2) Two. (3) Three. All must be resolved.")


def test_each_hook_sees_what_the_one_before_it_left_and_the_rules_judge_the_last(tmp_path):
    seen: list[str] = []

    async def doubles(given: Any, tool_use_id: str | None, context: Any) -> dict[str, Any]:
        command = given["tool_input"]["command"]
        seen.append(command)
        return said(permissionDecision="allow", updatedInput={"command": f"{command} {command}"})

    own = hooks("PreToolUse", doubles, doubles)
    options = options_with(tmp_path, "{id: a, tool: Bash, command: ls ls ls ls, ask: Four?}", options=own, alone=True)
    answered = answer(options, BASH)
    assert seen[:2] == ["ls", "ls ls"]
    assert decision(answered) == ("ask", "Four?")
    assert answered["hookSpecificOutput"]["updatedInput"] == {"command": "ls ls ls ls", "description": "List"}


def test_a_second_redaction_does_not_undo_the_first(tmp_path):
    def cuts(word: str) -> Any:
        async def callback(given: Any, tool_use_id: str | None, context: Any) -> Any:
            text = given["tool_response"]["stdout"].replace(word, "*")
            new = {**given["tool_response"], "stdout": text}
            return {"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": new}}

        return callback

    ran = {"stdout": "card and mail", "stderr": "", "interrupted": False, "isImage": False}
    options = options_with(tmp_path, options=hooks("PostToolUse", cuts("card"), cuts("mail")))
    answered = answer(options, result("Bash", ran, command="ls"))
    assert answered["hookSpecificOutput"]["updatedToolOutput"]["stdout"] == "* and *"


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (raises, "raised RuntimeError: boom"),
        (plain, "raised TypeError"),
        (returning(None), "it returned None; return {} for no opinion"),
        (returning("allow"), "it returned `'allow'`"),
        (returning({"x": object()}), "its answer is not JSON"),
        (returning({"x": float("nan")}), "its answer is not JSON"),
        (returning({"permissionDecision": "deny"}), "is at the top level"),
        (returning({"error": "x", "blocked": True}), "belongs to the flat dialect"),
        (returning(said(permissionDecision="reject")), "`permissionDecision` is `reject`"),
        (returning({"hookSpecificOutput": {"permissionDecision": "allow"}}), "`hookEventName` is missing"),
        (returning({"async_": True}), "`async: true`"),
        (returning({"continue_": False, "stopReason": "Enough."}), "Enough."),
        (returning(said(updatedInput="ls")), "`updatedInput` is not an object"),
    ],
)
def test_a_hook_that_fails_or_answers_something_else_lets_nothing_through(tmp_path, bad, why):
    """S1-03, S1-06, S1-07, S1-08"""
    for rules in ((), ("{id: a, tool: Bash, allow: true}",)):
        decided, reason = decision(answer(options_with(tmp_path, *rules, options=hooks("PreToolUse", bad)), BASH))
        assert decided == "deny"
        assert reason is not None
        assert why in reason


def test_a_hook_that_is_late_lets_nothing_through(tmp_path):
    options = options_with(tmp_path, options=hooks("PreToolUse", hangs, timeout=0.05))
    decided, reason = decision(answer(options, BASH))
    assert decided == "deny"
    assert reason is not None
    assert "it did not answer within 0.05 s" in reason


def test_a_hook_on_results_that_fails_withholds_the_result(tmp_path):
    ran = {"stdout": "secret", "stderr": "", "interrupted": False, "isImage": False}
    answered = answer(options_with(tmp_path, options=hooks("PostToolUse", raises)), result("Bash", ran, command="ls"))
    assert "secret" not in str(answered)
    assert "withheld by Interlock" in answered["hookSpecificOutput"]["updatedToolOutput"]["stdout"]


def test_a_hook_that_fails_where_denying_would_trap_the_agent_is_told_to_the_person(tmp_path):
    answered = answer(options_with(tmp_path, options=hooks("Stop", raises)), payload("Stop", stop_hook_active=False))
    assert "boom" in answered["systemMessage"]
    assert "decision" not in answered


@pytest.mark.parametrize(
    ("matcher", "tool", "matches"),
    [
        (None, "Bash", True),
        ("", "Bash", True),
        ("*", "Bash", True),
        ("Bash", "Bash", True),
        ("Bash", "BashOutput", False),
        ("Write|Bash", "Bash", True),
        ("Write, Bash", "Bash", True),
        ("process_refund", "mcp__payments__process_refund", False),
        (".*process_refund", "mcp__payments__process_refund", True),
        ("mcp__payments__.*", "mcp__payments__process_refund", True),
        ("^Bash$", "Bash", True),
        ("Task", "Agent", True),
        ("^Task$", "Agent", True),
        ("bash", "Bash", False),
    ],
)
def test_a_matcher_means_what_it_means_to_the_client(tmp_path, matcher, tool, matches):
    own = hooks("PreToolUse", returning({"decision": "block", "reason": "No."}), matcher=matcher)
    answered = answer(options_with(tmp_path, options=own), call(tool, prompt="x", subagent_type="y", description="z"))
    assert (decision(answered)[0] == "deny") is matches


def test_matchers_of_other_events_are_held_against_their_own_field(tmp_path):
    own = hooks("SubagentStart", returning({"systemMessage": "Hello."}), matcher="Explore")
    options = options_with(tmp_path, options=own)
    start = payload("SubagentStart", agent_id="a1", agent_type="Explore")
    assert answer(options, start) == {"systemMessage": "Hello."}
    assert answer(options, {**start, "agent_type": "Plan"}) == {}


@pytest.mark.parametrize("matcher", ["*process_refund", "[invalid", "Bash(", 7])
def test_a_matcher_that_would_never_match_is_an_error(tmp_path, matcher):
    with pytest.raises(InterlockError, match="matcher"):
        options_with(tmp_path, options=hooks("PreToolUse", returning({}), matcher=matcher))


def test_hooks_on_events_that_are_not_ours_stay_where_they_are(tmp_path):
    own = hooks("WorktreeCreate", returning({"hookSpecificOutput": {}}))
    assert options_with(tmp_path, options=own).hooks["WorktreeCreate"] == own.hooks["WorktreeCreate"]


def test_the_options_that_were_given_are_left_as_they_were(tmp_path):
    own = hooks("PreToolUse", returning({}))
    before = dict(own.hooks)
    guarded = options_with(tmp_path, options=own)
    assert guarded is not own
    assert own.hooks == before
    assert own.can_use_tool is guarded.can_use_tool is None


def test_python_hooks_plain_and_async_have_their_say_on_the_clients_loop(tmp_path):
    @hook("PreToolUse", tool="Bash")
    async def later(call):
        await anyio.sleep(0)
        return deny(f"Not {call.input['command']}.")

    @hook("PreToolUse", tool="Bash")
    def now(call):
        return deny("Nor now.")

    options = options_with(tmp_path, hooks=[later, now])
    assert decision(answer(options, BASH)) == ("deny", "Denied: (1) Not ls. (2) Nor now. Both must be resolved.")


def test_an_event_for_another_callback_and_one_that_is_no_event_are_refused(tmp_path):
    options = options_with(tmp_path)
    (callback,) = options.hooks["PreToolUse"][0].hooks

    async def main(given: Any) -> Any:
        return await callback(given, None, {"signal": None})

    broken: list[Any] = [None, [], {"hook_event_name": "PreToolUse"}, {**BASH, "tool_input": 7}]
    for given in (request("Bash", command="ls"), *broken):
        assert decision(anyio.run(main, given))[0] == "deny"


def test_a_denial_by_exit_code_alone_is_said_in_words(tmp_path):
    options = options_with(tmp_path, "{id: a, event: TaskCompleted, deny: Not done.}")
    done = payload("TaskCompleted", task_id="1", task_subject="x")
    assert answer(options, done) == {"decision": "block", "reason": "Not done."}


def test_a_permission_prompt_tool_and_an_approver_do_not_go_together(tmp_path):
    given = sdk.ClaudeAgentOptions(permission_prompt_tool_name="mcp__x__approve")
    with pytest.raises(InterlockError, match="cannot both answer"):
        options_with(tmp_path, options=given, approver=lambda request: True)
    assert options_with(tmp_path, options=given).permission_prompt_tool_name == "mcp__x__approve"


def test_of_64_events_at_once_against_a_limit_of_10_exactly_10_pass(tmp_path):
    rules = (
        "{id: used, tool: Bash, when: 'count(\"used\") < 10'}",
        "{id: enough, tool: Bash, when: 'count(\"used\") >= 10', deny: Enough.}",
    )
    (callback,) = options_with(tmp_path, *rules).hooks["PreToolUse"][0].hooks
    decided: list[str | None] = []

    async def one(number: int) -> None:
        answered = await callback({**BASH, "tool_use_id": f"toolu_{number}"}, f"toolu_{number}", {"signal": None})
        decided.append(decision(answered)[0])

    async def main() -> None:
        async with anyio.create_task_group() as group:
            for number in range(64):
                group.start_soon(one, number)

    anyio.run(main)
    assert (decided.count(None), decided.count("deny")) == (10, 54)


def test_what_an_agent_of_the_options_starts_is_judged(tmp_path):
    def asked(command: str) -> Any:
        servers: list[Any] = [{"db": {"command": "sh", "args": ["-c", command]}}]
        agent = sdk.AgentDefinition(description="A scout.", prompt="You scout.", mcpServers=servers)
        options = sdk.ClaudeAgentOptions(agents={"scout": agent})
        guarded = options_with(tmp_path, "{id: no-touch, command: touch, deny: Use mkdir.}", options=options)
        return decision(answer(guarded, call("Agent", description="d", prompt="p", subagent_type="scout")))

    told = "`agent scout` would run `sh -c 'touch x'` (the MCP server `db`, --agents scout): Use mkdir."
    assert asked("touch x") == ("deny", told)
    assert asked("mkdir x") == (None, None)
