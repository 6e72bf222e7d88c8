"""Answers out: every event × every sort of verdict, every dialect, to the byte."""

import json

import pytest

from interlock.effect import effects_of
from interlock.event import EVENTS
from interlock.hosts import dialect_of
from interlock.hosts.claude_code.outputs import OUTPUTS
from interlock.verdict import STRICTNESS, combine
from tests.hosts.goldens import CASES, EVENT_FILES, HOSTS, VERDICTS, answers, golden_of

each_case = pytest.mark.parametrize(("host", "file"), CASES, ids=[f"{host}-{file.stem}" for host, file in CASES])


@each_case
def test_the_answers_are_the_golden_ones(host, file):
    assert answers(host, file) == golden_of(host, file).read_text(encoding="utf-8")


def test_no_golden_is_left_over():
    expected = {golden_of(host, file) for host, file in CASES}
    found = {path for host in HOSTS for path in golden_of(host, EVENT_FILES[0]).parent.glob("*.txt")}
    assert found == expected


@pytest.mark.parametrize("file", EVENT_FILES, ids=lambda file: file.stem)
@pytest.mark.parametrize("name", VERDICTS)
def test_claude_code_gets_one_json_object_with_the_right_event_name(file, name):
    dialect = dialect_of("claude-code")
    event = dialect.decode(file.read_bytes())
    reply = dialect.encode(event, combine(VERDICTS[name]))
    if event.hook_event_name == "WorktreeCreate":
        assert (reply.stdout, reply.exit_code) == (b"", 2)  # any answer would be taken as a path
        return
    if event.hook_event_name == "PreCompact" and reply.stdout == b"":
        return  # the model would be told the `{}`
    said = json.loads(reply.stdout)
    specific = said.get("hookSpecificOutput")
    assert specific is None or specific["hookEventName"] == event.hook_event_name
    assert specific is None or event.hook_event_name in OUTPUTS


@each_case
@pytest.mark.parametrize("name", VERDICTS)
def test_what_a_host_would_ignore_is_lowered_toward_stricter_and_recorded(host, file, name):
    dialect = dialect_of(host)
    event = dialect.decode(file.read_bytes())
    meant = combine(VERDICTS[name])
    said = dialect.encode(event, meant).verdict
    can = dialect.honours(event.hook_event_name)
    assert can <= effects_of(event.hook_event_name) | {"context"}
    if meant.decision in ("ask", "defer", "deny") and "deny" in can:
        assert STRICTNESS[said.decision] >= STRICTNESS[meant.decision]
    if meant.decision == "allow" and "allow" not in can:
        assert said.decision != "allow"
    if said.decision != meant.decision:
        assert said.lowered


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("event_name", [*EVENTS, None])
def test_a_failing_answer_never_allows(host, event_name):
    reply = dialect_of(host).fail(event_name, "it broke")
    assert reply.verdict.decision != "allow"
    assert b'"allow"' not in reply.stdout
    assert "it broke" in reply.stdout.decode() + reply.stderr


def test_an_event_that_cannot_be_read_gets_the_strictest_answer():
    reply = dialect_of("claude-code").fail(None, "it broke")
    assert (reply.stdout, reply.stderr, reply.exit_code) == (b"", "it broke", 2)


def test_a_change_is_always_sent_whole():
    """S1-02 S3-07 unchanged fields are kept, since the client replaces and does not merge."""
    dialect = dialect_of("claude-code")
    file = next(file for file in EVENT_FILES if file.stem == "PreToolUse.Bash")
    event = dialect.decode(file.read_bytes())
    original = event.tool_input  # type: ignore[attr-defined]
    said = json.loads(dialect.encode(event, combine(VERDICTS["change and allow"], original)).stdout)
    assert said["hookSpecificOutput"]["updatedInput"] == {**original, "note": "changed"}
    assert said["hookSpecificOutput"]["permissionDecision"] == "allow"


def test_without_a_change_no_input_is_sent():
    """S3-08 S1-03 the original call, unchanged."""
    dialect = dialect_of("claude-code")
    file = next(file for file in EVENT_FILES if file.stem == "PreToolUse.Bash")
    event = dialect.decode(file.read_bytes())
    assert b"updatedInput" not in dialect.encode(event, combine(VERDICTS["allow"])).stdout
    assert dialect.encode(event, combine([])).stdout == b"{}"
