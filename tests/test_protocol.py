"""The founding types, under their own names."""

import msgspec
import pytest
from inline_snapshot import snapshot

import interlock
from interlock import protocol
from interlock.event import EVENTS
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


def test_public_names_are_found_on_first_use_and_others_are_not():
    for name in interlock.__all__:
        assert callable(getattr(interlock, name))
        assert name in dir(interlock)
    with pytest.raises(AttributeError, match="no attribute `block`"):
        interlock.block  # noqa: B018
