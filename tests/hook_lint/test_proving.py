"""What `--prove` makes up, runs, and says of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from interlock.event import EVENTS, UnknownEvent, event_from
from interlock.facts.fields import FIELDS
from interlock.hook_lint.gather import gather
from interlock.hook_lint.made_up import OTHER_EVENTS, made_up_events
from interlock.hook_lint.matchers import BY_TOOL
from interlock.hook_lint.proving import prove


def proofs(folder: Path, event: str, script: str, **group: object) -> dict[str, str]:
    """What the client would do with each event that a hook is given."""
    (folder / ".git").mkdir()
    file = folder / ".claude" / "hooks" / "hook.sh"
    file.parent.mkdir(parents=True)
    file.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    file.chmod(0o755)
    handler = {"type": "command", "command": '"$CLAUDE_PROJECT_DIR"/.claude/hooks/hook.sh'}
    settings = {"hooks": {event: [{"hooks": [handler], **group}]}}
    (folder / ".claude" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    [subject] = gather([folder]).hooks
    return {one.given: one.does for one in prove(subject)}


@pytest.mark.parametrize("event", sorted(EVENTS))
def test_every_event_is_made_up_as_the_client_sends_it(event: str, tmp_path: Path):
    assert {*OTHER_EVENTS} | BY_TOOL == {*EVENTS}
    made = list(made_up_events(event, None, tmp_path))
    assert made
    for _, payload in made:
        read = event_from(payload)
        assert not isinstance(read, UnknownEvent)
        assert read.hook_event_name == event
        assert "{project}" not in json.dumps(payload)


def test_a_tool_that_only_the_matcher_names_is_made_up_too(tmp_path: Path):
    def tools(matcher: str) -> list[str]:
        return [str(payload["tool_name"]) for _, payload in made_up_events("PreToolUse", matcher, tmp_path)]

    assert tools("NotebookEdit|Read") == ["Read", "Read", "NotebookEdit"]
    assert tools("mcp__github__create_issue") == ["mcp__github__create_issue"]
    assert tools("mcp__github__.*|WebSearch") == ["WebSearch", "mcp__github__example"]
    assert tools(r"^mcp__\w+__delete_.*$") == ["mcp__example__delete_example"]
    assert tools("Bash(rm:*)") == tools("write|edit") == tools("mcp__github") == []
    for _, payload in made_up_events("PreToolUse", "|".join(FIELDS), tmp_path):
        needed = {name.rstrip("*") for name in FIELDS[payload["tool_name"]] if name.endswith("*")}
        assert needed <= payload["tool_input"].keys()


def test_a_hook_that_keeps_the_agent_working_is_not_said_to_refuse_a_call(tmp_path: Path):
    assert proofs(tmp_path, "Stop", "echo 'run the tests' >&2; exit 2") == {
        "Stop": "the agent goes on working: run the tests"
    }


def test_a_stop_hook_that_says_continue_false_lets_the_agent_stop(tmp_path: Path):
    said = '{"continue": false, "stopReason": "fix the tests"}'
    assert proofs(tmp_path, "SubagentStop", f"echo '{said}'") == {"SubagentStop": "the agent stops"}


def test_the_reason_of_an_answer_is_shown(tmp_path: Path):
    said = (
        '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny", '
        '"permissionDecisionReason": "not here"}}'
    )
    assert proofs(tmp_path, "PreToolUse", f"echo '{said}'", matcher="WebFetch") == {
        "WebFetch: https://example.com/": "refused: not here"
    }


def test_after_a_call_exit_code_2_is_advice(tmp_path: Path):
    assert proofs(tmp_path, "PostToolUse", "echo 'format it' >&2; exit 2", matcher="Edit") == {
        "Edit: src/app.py": "the call has run, and the model is told: format it"
    }


def test_an_entry_that_nothing_fits_is_named(tmp_path: Path):
    assert proofs(tmp_path, "PreToolUse", "exit 2", matcher="Bash(rm:*)") == {
        "": "it was not run: the matcher `Bash(rm:*)` fits none of the calls that are tried"
    }
