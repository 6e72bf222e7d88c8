"""The founding types, under their own names."""

from typing import Any

import msgspec
import pytest
from inline_snapshot import snapshot

import interlock
from interlock import protocol
from interlock.errors import InterlockError
from interlock.event import EVENTS
from interlock.hosts.claude_code.outputs import OUTPUTS
from interlock.protocol import (
    HookOutput,
    HookResult,
    PermissionAllow,
    PermissionDeny,
    PermissionRequestHookOutput,
    PostToolUseHookOutput,
    PreToolUseHookOutput,
    SubagentStartHookOutput,
)


def written(output: object) -> str:
    return msgspec.json.encode(output).decode()


def test_every_event_has_a_payload_type_of_its_name():
    for name, kind in EVENTS.items():
        assert getattr(protocol, f"{name}Payload") is kind


def test_every_public_name_is_there():
    for name in protocol.__all__:
        assert getattr(protocol, name) is not None


def test_a_permission_request_is_allowed_as_it_is_or_changed():
    """S3-01 S3-02 PermissionRequest output."""
    plain = PermissionRequestHookOutput(decision=PermissionAllow())
    assert (plain.hook_event_name, plain.decision.behavior) == ("PermissionRequest", "allow")
    assert written(plain) == snapshot('{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}')
    changed = PermissionRequestHookOutput(decision=PermissionAllow(updated_input={"command": "ls"}))
    assert written(changed) == snapshot(
        '{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedInput":{"command":"ls"}}}'
    )


def test_a_permission_request_is_denied_with_a_message_and_an_interrupt():
    """S3-03 S3-04 PermissionRequest output."""
    denied = PermissionRequestHookOutput(decision=PermissionDeny(message="No.", interrupt=True))
    assert written(denied) == snapshot(
        '{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"No.","interrupt":true}}'
    )


def test_a_subagent_gets_context_or_none():
    """S3-05 S3-06 SubagentStart output."""
    told = SubagentStartHookOutput(additional_context="Read docs/.")
    assert written(told) == snapshot('{"hookEventName":"SubagentStart","additionalContext":"Read docs/."}')
    assert SubagentStartHookOutput().additional_context is None


def test_a_call_and_a_result_carry_their_changes():
    """S3-07 S3-09 PreToolUse and PostToolUse outputs."""
    call = PreToolUseHookOutput(permission_decision="ask", updated_input={"a": 1})
    assert written(call) == snapshot('{"hookEventName":"PreToolUse","permissionDecision":"ask","updatedInput":{"a":1}}')
    result = PostToolUseHookOutput(updated_mcp_tool_output={"date": "2026-03-04"})
    assert written(result) == snapshot('{"hookEventName":"PostToolUse","updatedMCPToolOutput":{"date":"2026-03-04"}}')


def test_without_a_change_none_is_written():
    """S3-08 S3-10 absent is unchanged."""
    assert written(PreToolUseHookOutput()) == '{"hookEventName":"PreToolUse"}'
    assert written(PostToolUseHookOutput()) == '{"hookEventName":"PostToolUse"}'


def test_outputs_are_read_back_as_they_were_written():
    for output in (
        PreToolUseHookOutput(permission_decision="deny", permission_decision_reason="No."),
        PermissionRequestHookOutput(decision=PermissionDeny(message="No.")),
        SubagentStartHookOutput(additional_context="x"),
    ):
        assert msgspec.json.decode(written(output), type=type(output)) == output


def test_a_whole_answer_wraps_the_event_specific_part():
    """S2-03 the native envelope."""
    answer = HookOutput(hook_specific_output=PreToolUseHookOutput(permission_decision="allow"), system_message="Hi.")
    assert written(answer) == snapshot(
        '{"systemMessage":"Hi.","hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow"}}'
    )


def test_an_old_result_still_loads():
    """S2-01 optional fields may be absent."""
    old = msgspec.json.decode(b'{"message": null, "blocked": true}', type=HookResult)
    assert old == HookResult(blocked=True)
    assert (old.decision, old.updated_input) == (None, None)


def test_a_wrong_decision_cannot_be_read():
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"hookEventName":"PreToolUse","permissionDecision":"block"}', type=PreToolUseHookOutput)


def test_every_event_that_takes_an_output_has_a_type_of_its_name():
    assert len(OUTPUTS) == 22
    for name, kind in OUTPUTS.items():
        assert getattr(protocol, f"{name}HookOutput") is kind
        assert f"{name}HookOutput" in protocol.__all__


# One whole answer for each type, as a host would read it.
BUILT: dict[str, dict[str, Any]] = {
    "PreToolUse": {"permission_decision": "deny", "permission_decision_reason": "No."},
    "PermissionRequest": {"decision": PermissionAllow(updated_permissions=[{"type": "setMode", "mode": "plan"}])},
    "PermissionDenied": {"retry": True},
    "PostToolUse": {"updated_tool_output": "x", "classifier_context": "y"},
    "UserPromptSubmit": {"session_title": "t", "suppress_original_prompt": True},
    "UserPromptExpansion": {"suppress_original_prompt": True},
    "SessionStart": {"initial_user_message": "m", "watch_paths": ["/a"], "reload_skills": True},
    "PreModelSwitch": {"permission_decision": "ask", "permission_decision_reason": "Sure?"},
    "Elicitation": {"action": "accept", "content": {"a": 1}},
    "ElicitationResult": {"action": "cancel"},
    "WorktreeCreate": {"worktree_path": "/w"},
    "CwdChanged": {"watch_paths": ["/a"]},
    "FileChanged": {"watch_paths": []},
    "MessageDisplay": {"display_content": "z"},
}


@pytest.mark.parametrize("event", sorted(OUTPUTS))
def test_an_output_is_built_and_read_as_part_of_a_whole_answer(event):
    parts = BUILT.get(event, {"additional_context": "Hint."})
    answer = HookOutput(hook_specific_output=getattr(protocol, f"{event}HookOutput")(**parts), continue_=False)
    assert msgspec.json.decode(written(answer), type=HookOutput) == answer
    said = msgspec.json.decode(written(answer))["hookSpecificOutput"]
    assert said.pop("hookEventName") == event
    assert len(said) == len(parts)


@pytest.mark.parametrize(
    ("build", "told"),
    [
        (
            lambda: HookResult(decision="reject"),  # type: ignore[arg-type]
            snapshot("HookResult: `decision` is `reject`; use `allow`, `deny` or `ask`"),
        ),
        (
            lambda: HookResult(blocked="true"),  # type: ignore[arg-type]
            snapshot("HookResult: `blocked` is `true`; expected `bool`, got `str`"),
        ),
        (
            lambda: HookResult(blocked=None),  # type: ignore[arg-type]
            snapshot("HookResult: `blocked` is `None`; expected `bool`, got `null`"),
        ),
        (
            lambda: PermissionRequestHookOutput(decision=None),  # type: ignore[arg-type]
            snapshot("PermissionRequestHookOutput: `decision` is `None`; expected `object`, got `null`"),
        ),
        (
            lambda: HookResult(message=3),  # type: ignore[arg-type]
            snapshot("HookResult: `message` is `3`; expected `str | null`, got `int`"),
        ),
        (
            lambda: HookResult(updated_input="ls"),  # type: ignore[arg-type]
            snapshot("HookResult: `updated_input` is `ls`; expected `object | null`, got `str`"),
        ),
        (
            lambda: PreToolUseHookOutput(permission_decision="block"),  # type: ignore[arg-type]
            snapshot(
                "PreToolUseHookOutput: `permission_decision` is `block`; "
                "use `allow`, `deny`, `ask` or `defer`"
            ),
        ),
        (
            lambda: PermissionRequestHookOutput(decision="allow"),  # type: ignore[arg-type]
            snapshot("PermissionRequestHookOutput: `decision` is `allow`; expected `object`, got `str`"),
        ),
        (
            lambda: PermissionDeny(interrupt=1),  # type: ignore[arg-type]
            snapshot("PermissionDeny: `interrupt` is `1`; expected `bool`, got `int`"),
        ),
        (
            lambda: protocol.SessionStartHookOutput(watch_paths="/a"),  # type: ignore[arg-type]
            snapshot("SessionStartHookOutput: `watch_paths` is `/a`; expected `array | null`, got `str`"),
        ),
        (
            lambda: HookOutput(hook_specific_output={"hookEventName": "Stop"}, decision="deny"),  # type: ignore[arg-type]
            snapshot("HookOutput: `decision` is `deny`; use `approve` or `block`"),
        ),
    ],
)  # fmt: skip
def test_a_wrong_value_is_refused_when_it_is_built(build, told):
    with pytest.raises(InterlockError) as caught:
        build()
    assert str(caught.value) == told


def test_a_result_cannot_be_made_wrong_afterwards():
    result = HookResult(decision="deny", message="No.")
    with pytest.raises(AttributeError):
        result.decision = "reject"  # type: ignore[misc,assignment]
    with pytest.raises(InterlockError, match="`decision` is `reject`"):
        msgspec.structs.replace(result, decision="reject")


@pytest.mark.parametrize("decision", ["allow", "deny", "ask", None])
def test_every_decision_of_a_result_can_be_built(decision):
    """S2-01"""
    assert HookResult(decision=decision).decision == decision


def test_a_whole_answer_with_a_key_that_nobody_knows_is_refused():
    with pytest.raises(msgspec.ValidationError, match="unknown field `permissionDecision`"):
        msgspec.json.decode(b'{"permissionDecision": "deny"}', type=HookOutput)


def test_public_names_are_found_on_first_use_and_others_are_not():
    for name in interlock.__all__:
        assert callable(getattr(interlock, name))
        assert name in dir(interlock)
    with pytest.raises(AttributeError, match="no attribute `block`"):
        interlock.block  # noqa: B018
