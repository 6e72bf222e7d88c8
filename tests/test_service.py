"""One way through: bytes in, an answer out, and whatever fails, fails closed."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from inline_snapshot import snapshot

from interlock import allow, ask, change, context, deny, hook, output
from interlock.errors import InterlockError
from interlock.event import EVENTS
from interlock.hooks.run import HookSet
from interlock.hosts import HOSTS as TABLE
from interlock.hosts.base.reading import Output
from interlock.hosts.claude_code.dialect import read
from interlock.service import handle
from interlock.verdict import Opinion
from tests.builders import bash, call, payload, raw, request, result
from tests.hosts.goldens import EVENT_FILES
from tests.session_memory import SessionMemory

HOSTS = sorted(name for name, host in TABLE.items() if host.adopts)
CAPTURED = [file.read_bytes() for file in EVENT_FILES]


def said(reply):
    return json.loads(reply.stdout)


# --- the seeds' scenarios, from event to answer ------------------------------------------------------------


@hook("PreToolUse", tool="Bash")
def sanitise(call):
    if "rm -rf" in call.input["command"]:
        yield change(command="echo hello")
        yield ask("Command modified for safety")


def test_a_sanitised_command_is_asked_about_in_both_dialects():
    """S0-01 S0-02 S2-02 middleware with consent; S2-03 the same in the native envelope."""
    event = bash("rm -rf /", timeout=30)
    flat = said(handle("flat", event, HookSet([sanitise])))
    assert flat == snapshot(
        {
            "decision": "ask",
            "message": "Command modified for safety",
            "blocked": False,
            "system_prompt": 'Interlock changed `command` of this call from "rm -rf /" to "echo hello" (sanitise).',
            "updated_input": {"command": "echo hello", "timeout": 30},
        }
    )
    native = said(handle("claude-code", event, HookSet([sanitise])))["hookSpecificOutput"]
    assert native == snapshot(
        {
            "hookEventName": "PreToolUse",
            "permissionDecision": "ask",
            "permissionDecisionReason": "Command modified for safety",
            "updatedInput": {"command": "echo hello", "timeout": 30},
            "additionalContext": 'Interlock changed `command` of this call from "rm -rf /" to "echo hello" (sanitise).',
        }
    )


def test_a_denial_can_name_the_tool_to_use_instead():
    """S1-09 deny with redirect guidance."""

    @hook("PreToolUse", tool="process_refund")
    def over_limit(call):
        if call.input["amount"] > 500:
            return deny(f"A refund of ${call.input['amount']} exceeds $500. Use escalate_to_human.")
        return None

    hooks = HookSet([over_limit])
    denied = handle("claude-code", raw(call("process_refund", amount=501)), hooks)
    assert (denied.exit_code, denied.stderr) == (2, "A refund of $501 exceeds $500. Use escalate_to_human.")
    assert handle("claude-code", raw(call("process_refund", amount=500)), hooks).stdout == b"{}"


def test_permission_requests_calls_and_results_do_not_disturb_each_other():
    """S4-07 S4-08 S4-09 mixed events in one session."""

    @hook("PreToolUse", tool="Bash")
    def before(call):
        return ask("before")

    @hook("PermissionRequest", tool="Bash")
    def prompt(call):
        return allow("prompt")

    @hook("PostToolUse", tool="Bash")
    def after(call):
        return context("after")

    events = [bash("ls"), raw(request("Bash", command="ls")), raw(result("Bash", {"stdout": ""}, command="ls"))]
    stop = raw(payload("Stop", stop_hook_active=False))
    mixed = [handle("claude-code", event, HookSet([before, prompt, after])).stdout for event in [*events, stop]]
    alone = [
        handle("claude-code", event, HookSet([one])).stdout
        for event, one in zip(events, [before, prompt, after], strict=True)
    ]
    assert mixed == [*alone, b"{}"]
    without = [handle("claude-code", event, HookSet([before, after])).stdout for event in events]
    assert without == [alone[0], b"{}", alone[2]]


def test_a_changed_result_replaces_the_real_one_and_else_it_stays():
    """S3-09 S3-10 PostToolUse."""

    @hook("PostToolUse", tool="mcp__shop__orders")
    def iso_dates(call):
        placed = call.output.get("placed", "")
        return output({"placed": "2026-03-04"}) if placed == "03/04/2026" else None

    hooks = HookSet([iso_dates])
    american = raw(result("mcp__shop__orders", '{"id":7,"placed":"03/04/2026"}'))
    assert said(handle("claude-code", american, hooks))["hookSpecificOutput"] == snapshot(
        {
            "hookEventName": "PostToolUse",
            "updatedToolOutput": '{"id":7,"placed":"2026-03-04"}',
            "updatedMCPToolOutput": '{"id":7,"placed":"2026-03-04"}',
        }
    )
    assert handle("claude-code", raw(result("mcp__shop__orders", '{"id":7}')), hooks).stdout == b"{}"


# --- failing closed ----------------------------------------------------------------------------------------


class Broken:
    """A panel with a bug."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def ask(self, asked, round_):
        raise self.error


@pytest.mark.parametrize("error", [RuntimeError("boom"), InterlockError("boom"), RecursionError(), MemoryError()])
@pytest.mark.parametrize("host", HOSTS)
def test_a_bug_of_ours_denies_a_call(host, error):
    reply = handle(host, bash("ls"), Broken(error))
    assert (reply.verdict.decision, reply.exit_code) == ("deny", 2)


def test_a_bug_of_ours_withholds_a_result_in_its_shape():
    shell = {"stdout": "secret", "stderr": "", "interrupted": False}
    reply = handle("claude-code", raw(result("Bash", shell, command="x")), Broken(RuntimeError("boom")))
    held = said(reply)["hookSpecificOutput"]["updatedToolOutput"]
    assert held == {**shell, "stdout": "[withheld by Interlock: Interlock itself failed: RuntimeError]"}
    assert said(reply)["systemMessage"] == "Interlock itself failed: RuntimeError: boom"


def test_a_bug_of_ours_neither_traps_the_agent_nor_locks_the_person_out():
    for event in (payload("Stop", stop_hook_active=False), payload("UserPromptSubmit", prompt="hi")):
        reply = handle("claude-code", raw(event), Broken(RuntimeError("boom")))
        assert (said(reply), reply.exit_code) == (
            {"systemMessage": "Interlock itself failed: RuntimeError: boom"},
            0,
        )


class Odd:
    """A panel whose opinions cannot be written as JSON."""

    def ask(self, asked, round_):
        return {0: (Opinion(by="odd", decision="allow", change={"command": object()}),)}


def test_what_cannot_be_written_denies():
    assert handle("claude-code", bash("ls"), Odd()).verdict.decision == "deny"


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize(
    "text",
    [b"", b"garbage", b"[]", b"null", b'{"a": 1}', b'{"hook_event_name": "PreToolUse", "hook_event_name": "Stop"}'],
)
def test_input_whose_event_cannot_be_read_gets_the_strictest_answer(host, text):
    reply = handle(host, text)
    assert reply.exit_code == 2
    assert reply.stderr
    assert host == "flat" or reply.stdout == b""


@pytest.mark.parametrize("name", sorted(EVENTS))
def test_a_payload_with_a_missing_field_gets_the_failing_answer_of_its_event(name):
    reply = handle("claude-code", json.dumps({"hook_event_name": name, "session_id": "s"}).encode())
    assert "the field `" in reply.stdout.decode() + reply.stderr
    assert reply.verdict.decision != "allow"


def test_an_unknown_event_passes_without_a_word():
    assert handle("claude-code", raw(payload("PreLaunch", stage=1))).stdout == b"{}"


def test_an_unknown_host_is_an_error_of_the_caller():
    with pytest.raises(InterlockError, match="unknown host `claude-cod`"):
        handle("claude-cod", bash("ls"))
    assert handle("claude_code", bash("ls")).stdout == b"{}"


def test_state_that_nothing_keeps_is_refused():
    @hook("PreToolUse")
    def remembers():
        from interlock import set_state

        return set_state(seen=True)

    assert handle("claude-code", bash("ls"), HookSet([remembers])).verdict.decision == "deny"
    assert handle("claude-code", bash("ls"), HookSet([remembers]), memory=SessionMemory()).verdict.decision is None


# --- properties --------------------------------------------------------------------------------------------


def is_valid_answer(host: str, reply) -> bool:
    assert reply.exit_code in (0, 2)
    # Nothing at all is said only where nothing is decided: on PreCompact, where the model would be told a `{}`.
    assert reply.stdout or reply.stderr or (host, reply.exit_code, reply.verdict.decision) == ("claude-code", 0, None)
    return not reply.stdout or isinstance(json.loads(reply.stdout), dict)


@given(st.binary(max_size=200), st.sampled_from(HOSTS))
def test_any_bytes_yield_a_valid_answer_and_no_allow(text, host):
    reply = handle(host, text)
    assert is_valid_answer(host, reply)
    assert reply.verdict.decision != "allow"
    assert b'"allow"' not in reply.stdout


@st.composite
def mutated(draw):
    """A captured payload with a few bytes cut, doubled or replaced."""
    text = draw(st.sampled_from(CAPTURED))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 30)))
        text = text[:start] + draw(st.binary(max_size=5) | st.just(text[start:end] * 2)) + text[end:]
    return text


@settings(max_examples=300)
@given(mutated(), st.sampled_from(HOSTS))
def test_damaged_payloads_yield_a_valid_answer_and_no_allow(text, host):
    reply = handle(host, text)
    assert is_valid_answer(host, reply)
    assert reply.verdict.decision != "allow"


@given(
    st.lists(st.sampled_from(["allow", "ask", "deny", "none", "crash", "odd"]), max_size=6),
    st.sampled_from([call, request]),
)
def test_a_call_is_allowed_only_if_a_hook_allowed_it_and_none_objected(kinds, event):
    def make(index, kind):
        @hook(["PreToolUse", "PermissionRequest"], name=f"h{index}")
        def one(call):
            match kind:
                case "allow":
                    return allow()
                case "ask":
                    return ask("sure?")
                case "deny":
                    return deny("no")
                case "crash":
                    raise ValueError
                case "odd":
                    return "allow"
            return None

        return one

    reply = handle("claude-code", raw(event("Bash", command="ls")), HookSet([make(*pair) for pair in enumerate(kinds)]))
    expected: str | None = "deny"
    if not {"deny", "crash", "odd"} & set(kinds):
        expected = "ask" if "ask" in kinds else "allow" if "allow" in kinds else None
    assert reply.verdict.decision == expected
    # What we write, a strict reader of this dialect reads back as the same decision.
    back = read(event("Bash")["hook_event_name"], Output(reply.stdout, reply.exit_code, reply.stderr), "us")
    asked_at_a_prompt = event is request and expected == "ask"
    assert back.opinion.decision == (None if asked_at_a_prompt else expected)
    assert back.mistakes == ()
