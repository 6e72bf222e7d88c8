"""The flat dialect, both directions."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from interlock.hosts.base.reading import Output
from interlock.hosts.flat import dialect as flat
from interlock.protocol import HookResult
from interlock.verdict import Opinion, combine
from tests.builders import bash, payload, raw
from tests.hosts.claude_code.test_read import TEXTS
from tests.test_event import JSON


def reading(stdout: bytes | dict, exit_code: int = 0, stderr: str = ""):
    text = stdout if isinstance(stdout, bytes) else json.dumps(stdout).encode()
    return flat.read("PreToolUse", Output(text, exit_code, stderr), "guard")


def encoded(*opinions: Opinion, command: str = "rm -rf /", **more: object) -> str:
    event = flat.decode(bash(command, **more))
    return flat.encode(event, combine(opinions, event.tool_input)).stdout.decode()  # type: ignore[attr-defined]


# --- out ---------------------------------------------------------------------------------------------------


def test_a_result_is_serialised_with_exactly_its_five_keys_in_order():
    """S0-10 serialisation."""
    result = HookResult(decision="ask", message="Review this", updated_input={"command": "safe-cmd"})
    assert flat._to_json(result).decode() == snapshot(
        '{"decision":"ask","message":"Review this","blocked":false,"system_prompt":null,'
        '"updated_input":{"command":"safe-cmd"}}'
    )


def test_what_is_not_set_is_null():
    """S0-11 nulls."""
    assert flat._to_json(HookResult(blocked=False)).decode() == snapshot(
        '{"decision":null,"message":null,"blocked":false,"system_prompt":null,"updated_input":null}'
    )


def test_a_person_is_asked_about_the_changed_call():
    """S0-01 ask with updated_input: both are serialised, the input whole."""
    said = encoded(
        Opinion(by="tame", change={"command": "echo hello"}, quiet="x", decision="ask", reason="Like this?"),
        timeout=30,
    )
    assert said == snapshot(
        '{"decision":"ask","message":"Like this?","blocked":false,"system_prompt":null,'
        '"updated_input":{"command":"echo hello","timeout":30}}'
    )


def test_ask_alone_leaves_the_input_alone():
    """S0-03 ask alone."""
    assert json.loads(encoded(Opinion(by="x", decision="ask", reason="Sure?")))["updated_input"] is None


def test_allow_and_deny_set_blocked_to_match():
    """S0-05 allow; S0-06 deny."""
    allowed = json.loads(encoded(Opinion(by="x", decision="allow", change={"command": "ls"}, quiet="x")))
    assert (allowed["decision"], allowed["blocked"], allowed["updated_input"]) == ("allow", False, {"command": "ls"})
    denied = json.loads(encoded(Opinion(by="x", decision="deny", reason="No.", change={"command": "ls"})))
    assert (denied["decision"], denied["blocked"], denied["message"]) == ("deny", True, "No.")
    assert denied["updated_input"] is None


def test_the_message_of_an_ask_goes_to_the_person_and_not_into_the_prompt():
    """S0-07 decision ask."""
    said = json.loads(encoded(Opinion(by="x", decision="ask", reason="Sure?")))
    assert (said["message"], said["system_prompt"]) == ("Sure?", None)


def test_a_word_to_the_person_stays_out_of_the_prompt():
    event = flat.decode(raw(payload("Stop", stop_hook_active=False)))
    reply = flat.encode(event, combine([Opinion(by="x", notice="Look.", context="Hint.")]))
    assert (json.loads(reply.stdout)["system_prompt"], reply.stderr) == ("Hint.", "Look.")


# --- in ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("result", "opinion"),
    [
        ({}, Opinion(by="guard")),
        ({"blocked": False}, Opinion(by="guard")),
        ({"message": None, "blocked": False, "system_prompt": "Hint."}, Opinion(by="guard", context="Hint.")),
        ({"blocked": True, "message": "No."}, Opinion(by="guard", decision="deny", reason="No.")),
        ({"decision": "allow"}, Opinion(by="guard", decision="allow")),
        ({"decision": "deny", "message": "No."}, Opinion(by="guard", decision="deny", reason="No.")),
        (
            {"decision": "ask", "message": "Command modified for safety", "updated_input": {"command": "safe"}},
            Opinion(by="guard", decision="ask", reason="Command modified for safety", change={"command": "safe"}),
        ),
        ({"decision": "allow", "updated_input": {"a": 1}}, Opinion(by="guard", decision="allow", change={"a": 1})),
        ({"updated_input": {"a": 1}}, Opinion(by="guard", change={"a": 1})),
    ],
)
def test_a_result_is_read(result, opinion):
    """S0-02 S0-09 S2-01: `blocked` decides without a decision; old documents behave as before."""
    found = reading(result)
    assert (found.opinion, found.mistakes) == (opinion, ())


def test_a_decision_beats_blocked_with_a_warning():
    """S0-08 decision beats blocked."""
    found = reading({"decision": "allow", "blocked": True})
    assert found.opinion.decision == "allow"
    assert [str(mistake) for mistake in found.mistakes] == snapshot(
        ["`decision: allow` beside `blocked: true`; the decision rules; drop `blocked`"]
    )


@pytest.mark.parametrize(
    ("name", "stdout", "exit_code"),
    [
        ("wrong-value", {"decision": "block"}, 0),
        ("wrong-value", {"decision": "ALLOW"}, 0),
        ("wrong-value", {"decision": "defer"}, 0),
        ("custom-json", {"error": "no"}, 0),
        ("custom-json", {"hookSpecificOutput": {}}, 0),
        ("custom-json", {"updatedInput": {}}, 0),
        ("change-not-object", {"decision": "allow", "updated_input": "ls"}, 0),
        ("wrong-type", {"blocked": "true"}, 0),
        ("wrong-type", {"blocked": None}, 0),
        ("wrong-type", {"message": 3}, 0),
        ("no-verdict", b"", 1),
        ("no-verdict", {"decision": "allow"}, 1),
        ("plain-text", b"fine by me", 0),
        ("text-around-json", b'ok {"decision": "allow"}', 0),
        ("not-an-object", b"[]", 0),
        ("truncated-json", b'{"decision": "allow"', 0),
    ],
)
def test_a_mistake_is_named_and_denies(name, stdout, exit_code):
    """S1-06 S1-07 in the flat dialect."""
    found = reading(stdout, exit_code)
    assert [mistake.name for mistake in found.mistakes] == [name]
    assert found.opinion.decision == "deny"
    assert found.opinion.error is not None


def test_exit_2_denies_whatever_the_result_says():
    found = reading({"decision": "allow", "updated_input": {"a": 1}}, 2, "No.")
    assert (found.opinion.decision, found.opinion.change, found.opinion.reason) == ("deny", None, "No.")
    assert [mistake.name for mistake in found.mistakes] == ["exit-2-with-json", "change-dropped", "no-reason"]


@given(st.dictionaries(st.text(max_size=6), JSON.filter(lambda value: value is not None), max_size=5))
def test_types_survive_the_round_trip_uncoerced(updated_input):
    """S0-12 types."""
    result = HookResult(decision="allow", updated_input=updated_input)
    found = flat.read("PreToolUse", Output(flat._to_json(result)), "guard")
    assert json.dumps(found.opinion.change) == json.dumps(updated_input)


@given(TEXTS, st.sampled_from([0, 1, 2]))
def test_any_output_is_read_and_an_allow_is_only_what_was_said_cleanly(stdout, exit_code):
    found = reading(stdout, exit_code)
    assert found.opinion.decision != "allow" or (exit_code == 0 and b'"allow"' in stdout)
