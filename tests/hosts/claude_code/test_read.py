"""Reading other people's hooks in Claude Code's format: each mistake has a name, and none means allow."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.effect import safe_direction
from interlock.event import EVENTS
from interlock.hosts.base.reading import Output
from interlock.hosts.claude_code.dialect import read
from interlock.verdict import Opinion
from tests.test_event import JSON


def hso(event: str = "PreToolUse", **fields: object) -> bytes:
    return json.dumps({"hookSpecificOutput": {"hookEventName": event, **fields}}).encode()


def reading(stdout: bytes, exit_code: int = 0, stderr: str = "", event: str = "PreToolUse"):
    return read(event, Output(stdout, exit_code, stderr), "guard.sh")


ALLOW = hso(permissionDecision="allow")


@pytest.mark.parametrize(
    ("stdout", "opinion"),
    [
        (b"", Opinion(by="guard.sh")),
        (b"{}", Opinion(by="guard.sh")),
        (b" {} \n", Opinion(by="guard.sh")),
        (hso(), Opinion(by="guard.sh")),
        (ALLOW, Opinion(by="guard.sh", decision="allow")),
        (
            hso(permissionDecision="deny", permissionDecisionReason="No."),
            Opinion(by="guard.sh", decision="deny", reason="No."),
        ),
        (
            hso(permissionDecision="ask", permissionDecisionReason="Sure?", updatedInput={"a": 1}),
            Opinion(by="guard.sh", decision="ask", reason="Sure?", change={"a": 1}),
        ),
        (
            hso(permissionDecision="allow", updatedInput={"a": 1}, additionalContext="Hint."),
            Opinion(by="guard.sh", decision="allow", change={"a": 1}, context="Hint."),
        ),
        (b'{"systemMessage": "Look."}', Opinion(by="guard.sh", notice="Look.")),
        (b'{"decision": "block", "reason": "No."}', Opinion(by="guard.sh", decision="deny", reason="No.")),
        (b'{"continue": true}', Opinion(by="guard.sh")),
        (b'{"suppressOutput": true}', Opinion(by="guard.sh", carried={"suppressOutput": True})),
    ],
)
def test_a_right_answer_is_read_without_a_mistake(stdout, opinion):
    """S1-01 deny; S1-02 allow with a change; S1-03 passthrough."""
    found = reading(stdout)
    assert found.opinion == opinion
    assert found.mistakes == ()


@pytest.mark.parametrize(
    ("name", "stdout", "exit_code"),
    [
        ("wrong-value", hso(permissionDecision="block"), 0),
        ("wrong-value", hso(permissionDecision="Deny"), 0),
        ("wrong-value", hso(permissionDecision="reject"), 0),
        ("wrong-value", hso(permissionDecision="cancel"), 0),
        ("wrong-value", hso(permissionDecision=True), 0),
        ("top-level-decision", b'{"permissionDecision": "allow"}', 0),
        ("top-level-decision", b'{"decision": "allow"}', 0),
        ("top-level-decision", b'{"updatedInput": {"a": 1}}', 0),
        ("no-event-name", b'{"hookSpecificOutput": {"permissionDecision": "allow"}}', 0),
        ("wrong-event-name", hso("PostToolUse"), 0),
        ("wrong-event-name", hso("pretooluse", permissionDecision="allow"), 0),
        ("text-around-json", b"checking...\n" + ALLOW, 0),
        ("text-around-json", ALLOW + b"\ndone", 0),
        ("text-around-json", ALLOW + b"\n" + ALLOW, 0),
        ("not-an-object", b"[]", 0),
        ("not-an-object", b"[" + ALLOW + b"]", 0),
        ("not-an-object", b"null", 0),
        ("not-an-object", b'"allow"', 0),
        ("not-an-object", b"1", 0),
        ("change-not-object", hso(permissionDecision="allow", updatedInput="ls"), 0),
        ("change-not-object", hso(permissionDecision="allow", updatedInput=[]), 0),
        ("no-verdict", b"", 1),
        ("no-verdict", b"", 127),
        ("no-verdict", b"", -9),
        ("no-verdict", ALLOW, 1),
        ("truncated-json", ALLOW[:-1], 0),
        ("truncated-json", b'{"hookSpecificOutput":', 0),
        ("invalid-json", b"{not json}", 0),
        ("invalid-json", b'{"a": NaN}', 0),
        ("invalid-json", hso()[:-2] + b', "permissionDecision": "deny", "permissionDecision": "allow"}}', 0),
        ("custom-json", b'{"error": "no", "blocked": true}', 0),
        ("custom-json", b'{"allow": true}', 0),
        ("custom-json", b'{"hookspecificoutput": {}}', 0),
        ("unknown-key", hso(permissionDecison="deny"), 0),
        ("unknown-key", hso(permissionDecision="allow", updated_input={}), 0),
        ("wrong-type", hso(permissionDecision="allow", permissionDecisionReason=3), 0),
        ("wrong-type", b'{"hookSpecificOutput": "deny"}', 0),
        ("wrong-type", b'{"continue": "no"}', 0),
        ("wrong-type", b'{"reason": {}}', 0),
        ("plain-text", b"Blocked delete_account!", 0),
        ("async", b'{"async": true}', 0),
        ("not-utf8", b"\xff\xfe", 0),
    ],
)
def test_a_mistake_is_named_and_denies(name, stdout, exit_code):
    """S1-05..S1-08 every way to be ignored by the client is a failed check here."""
    found = reading(stdout, exit_code)
    assert [mistake.name for mistake in found.mistakes] == [name]
    assert found.opinion.decision == "deny"
    assert found.opinion.error == found.opinion.reason
    assert found.opinion.reason is not None
    assert found.opinion.reason.startswith(f"guard.sh failed ({name}): ")


def test_a_hook_that_prints_a_denial_and_returns_nothing_is_caught():
    """S1-04 the empty-return bug, in a process of its own."""
    assert reading(b"Blocked delete_account!\n").opinion.reason == (
        "guard.sh failed (plain-text): stdout contains text that is not a verdict on PreToolUse: "
        "`Blocked delete_account!`; taken as a failed check; print a JSON decision, or write to stderr"
    )


def test_mistakes_say_what_to_write_instead():
    """S1-07 wrong values get the right one."""
    assert reading(hso(permissionDecision="reject")).opinion.reason == (
        "guard.sh failed (wrong-value): `permissionDecision` is `reject`; taken as a failed check; did you mean `deny`?"
    )
    assert reading(b'{"permissionDecision": "deny"}').opinion.reason == (
        "guard.sh failed (top-level-decision): `permissionDecision` is at the top level, where it is ignored; "
        "taken as a failed check; put it inside `hookSpecificOutput` with `hookEventName: PreToolUse`"
    )
    assert reading(b'{"error": "x", "blocked": true}').opinion.reason == (
        "guard.sh failed (custom-json): `blocked` belongs to the flat dialect, not to Claude Code's; "
        "taken as a failed check; register the hook as flat, or answer with `hookSpecificOutput`"
    )


def test_exit_2_denies_with_stderr():
    found = reading(b"", 2, "Not on Fridays.\n")
    assert (found.opinion, found.mistakes) == (Opinion(by="guard.sh", decision="deny", reason="Not on Fridays."), ())


def test_exit_2_beside_json_that_allows_is_a_deny_and_a_mistake():
    found = reading(ALLOW, 2, "No.")
    assert found.opinion == Opinion(by="guard.sh", decision="deny", reason="No.")
    assert [mistake.name for mistake in found.mistakes] == ["exit-2-with-json"]


def test_exit_2_beside_json_that_denies_says_one_thing():
    found = reading(hso(permissionDecision="deny", permissionDecisionReason="No."), 2, "stderr")
    assert (found.opinion.reason, found.mistakes) == ("No.", ())


def test_a_json_deny_holds_at_any_exit_code():
    found = reading(hso(permissionDecision="deny", permissionDecisionReason="No."), 1)
    assert (found.opinion.decision, found.mistakes) == ("deny", ())


def test_a_change_without_a_decision_takes_effect_and_is_reported():
    """S1-05 never silently lost."""
    found = reading(hso(updatedInput={"command": "ls"}))
    assert found.opinion == Opinion(by="guard.sh", change={"command": "ls"})
    assert [mistake.name for mistake in found.mistakes] == ["change-undecided"]


@pytest.mark.parametrize("decision", ["deny", "defer"])
def test_a_change_beside_a_deny_is_dropped_and_reported(decision):
    found = reading(hso(permissionDecision=decision, permissionDecisionReason="x", updatedInput={"a": 1}))
    assert found.opinion.change is None
    assert [mistake.name for mistake in found.mistakes] == ["change-dropped"]


def test_a_deny_without_a_reason_is_called_out():
    """S1-01 a deny without a reason."""
    found = reading(hso(permissionDecision="deny"))
    assert found.opinion.reason == "guard.sh denied this without giving a reason."
    assert [mistake.name for mistake in found.mistakes] == ["no-reason"]


def test_stopping_the_turn_does_not_stop_the_call_so_it_is_taken_as_a_deny():
    found = reading(b'{"continue": false, "stopReason": "Enough."}')
    assert found.opinion == Opinion(by="guard.sh", decision="deny", reason="Enough.", interrupt=True)
    assert [mistake.name for mistake in found.mistakes] == ["stop-without-deny"]


@pytest.mark.parametrize("event", ["PreToolUse", "Stop", "UserPromptSubmit"])
@pytest.mark.parametrize("word", ["deny", "reject", "cancel"])
def test_a_wrong_word_that_plainly_means_deny_is_one_on_every_event(event, word):
    found = reading(json.dumps({"decision": word, "reason": "No."}).encode(), event=event)
    assert (found.opinion.decision, found.opinion.reason) == ("deny", "No.")
    assert [mistake.name for mistake in found.mistakes] == ["wrong-value"]


@pytest.mark.parametrize("event", ["Stop", "UserPromptSubmit", "PreToolUse", "PermissionRequest"])
@pytest.mark.parametrize("stdout", [b'{"decision":"block","reason":"x"', b"oops {x}", b"null", b"\xff", b"[" * 100_000])
def test_exit_2_refuses_whatever_stands_on_stdout(event, stdout):
    found = reading(stdout, 2, "Not now.", event)
    assert (found.opinion.decision, found.opinion.reason) == ("deny", "Not now.")


@pytest.mark.parametrize(
    ("event", "specific"),
    [
        ("PermissionRequest", {"decision": {"behavior": "allow"}}),
        ("PreModelSwitch", {"permissionDecision": "allow"}),
        ("PreToolUse", {"permissionDecision": "allow"}),
    ],
)
def test_a_block_is_never_rescued_by_an_allow_beside_it(event, specific):
    said = {"decision": "block", "reason": "No.", "hookSpecificOutput": {"hookEventName": event, **specific}}
    assert reading(json.dumps(said).encode(), event=event).opinion.decision == "deny"


@pytest.mark.parametrize("stdout", [b"[" * 100_000, b"9" * 5_000, b"{" * 100_000, b'{"a":' * 50_000])
def test_output_that_breaks_other_readers_is_read(stdout):
    assert reading(stdout).opinion.decision == "deny"


def test_chatter_of_a_formatter_after_an_edit_is_not_a_failure():
    found = reading(b"1 file reformatted", event="PostToolUse")
    assert found.opinion == Opinion(by="guard.sh")
    assert [mistake.name for mistake in found.mistakes] == ["plain-text"]


def test_the_old_approve_is_an_allow_on_calls_only():
    found = reading(b'{"decision": "approve"}')
    assert (found.opinion.decision, [m.name for m in found.mistakes]) == ("allow", ["legacy-approve"])
    assert reading(b'{"decision": "approve"}', event="Stop").opinion.decision is None


# --- other events ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "stdout", "opinion"),
    [
        (
            "PermissionRequest",
            hso("PermissionRequest", decision={"behavior": "allow"}),
            Opinion(by="guard.sh", decision="allow"),
        ),
        (
            "PermissionRequest",
            hso("PermissionRequest", decision={"behavior": "allow", "updatedInput": {"a": 1}}),
            Opinion(by="guard.sh", decision="allow", change={"a": 1}),
        ),
        (
            "PermissionRequest",
            hso("PermissionRequest", decision={"behavior": "deny", "message": "No.", "interrupt": True}),
            Opinion(by="guard.sh", decision="deny", reason="No.", interrupt=True),
        ),
        (
            "PostToolUse",
            hso("PostToolUse", updatedToolOutput={"stdout": ""}, updatedMCPToolOutput="old"),
            Opinion(by="guard.sh", output={"stdout": ""}),
        ),
        ("PostToolUse", hso("PostToolUse", updatedMCPToolOutput="new"), Opinion(by="guard.sh", output="new")),
        ("PostToolUse", b'{"decision": "block", "reason": "Odd."}', Opinion(by="guard.sh", context="Odd.")),
        ("Stop", b'{"decision": "block", "reason": "No."}', Opinion(by="guard.sh", decision="deny", reason="No.")),
        ("UserPromptSubmit", b"Text is context.", Opinion(by="guard.sh", context="Text is context.")),
        ("SubagentStart", hso("SubagentStart", additionalContext="Hi."), Opinion(by="guard.sh", context="Hi.")),
        (
            "Elicitation",
            hso("Elicitation", action="decline"),
            Opinion(by="guard.sh", decision="deny", reason="the hook answered `decline`"),
        ),
        ("PostToolUse", b'{"continue": false, "stopReason": "x"}', Opinion(by="guard.sh", interrupt=True, reason="x")),
    ],
)  # fmt: skip
def test_other_events_are_read_in_their_own_form(event, stdout, opinion):
    """S3-01..S3-06, S3-09, S3-10 outputs, read."""
    assert reading(stdout, event=event).opinion == opinion


def test_exit_2_on_a_permission_request_is_a_deny_although_the_client_ignores_it():
    found = reading(b"", 2, "No.", event="PermissionRequest")
    assert found.opinion == Opinion(by="guard.sh", decision="deny", reason="No.")
    assert [mistake.name for mistake in found.mistakes] == ["exit-2-ignored"]


@pytest.mark.parametrize("decision", ["allow", {"behavior": "approve"}, {"message": "x"}, {}])
def test_a_permission_decision_of_the_wrong_form_denies(decision):
    assert reading(hso("PermissionRequest", decision=decision), event="PermissionRequest").opinion.decision == "deny"


def test_a_failed_stop_hook_passes_with_a_notice():
    opinion = reading(b"oops {", event="Stop").opinion
    assert (opinion.decision, opinion.notice is not None, opinion.error == opinion.notice) == (None, True, True)


def test_a_failed_result_hook_withholds():
    assert reading(b"", 1, event="PostToolUse").opinion.withhold


TEXTS = st.one_of(st.binary(max_size=40), JSON.map(lambda value: json.dumps(value).encode()))
DOCUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "hookSpecificOutput": st.dictionaries(
            st.sampled_from(["hookEventName", "permissionDecision", "updatedInput", "decision", "additionalContext"]),
            st.sampled_from(["PreToolUse", "allow", "deny", "block", {"behavior": "allow"}, {}, None, 1]),
        ),
        "decision": st.sampled_from(["approve", "block", "allow", None, 1]),
        "continue": st.booleans() | st.none(),
        "reason": st.text(max_size=3) | st.integers(),
    },
).map(lambda value: json.dumps(value).encode())


@given(TEXTS | DOCUMENTS, st.sampled_from([0, 1, 2, 3, 127, -9]), st.sampled_from(sorted(EVENTS)))
def test_any_output_is_read_and_an_allow_is_only_what_was_said_cleanly(stdout, exit_code, event):
    found = reading(stdout, exit_code, "x", event)
    if found.opinion.decision == "allow":
        assert exit_code == 0
        assert b"allow" in stdout or b"approve" in stdout
        assert found.opinion.error is None
    if found.opinion.error is not None and safe_direction(event) == "deny":
        assert found.opinion.decision == "deny"
