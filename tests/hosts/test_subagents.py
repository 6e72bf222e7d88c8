"""Who acts, and in which mode, as rules see it: subagents and modes by the names that policies have for them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from interlock.event import Event
from interlock.hosts import dialect_of
from interlock.hosts.base.reply import NothingToJudge

SESSION = "01234567-89ab-7cde-8f01-23456789abcd"


def read(host: str, event: str = "PreToolUse", **more: Any) -> Event:
    about = {"hook_event_name": event, "session_id": SESSION, "cwd": "/w/project"}
    tool = {"qwen": "run_shell_command", "droid": "Execute"}.get(host, "Bash")
    call = {"tool_name": tool, "tool_input": {"command": "ls"}}
    return dialect_of(host).decode(json.encode({**about, **call, **more}))


# As Copilot 1.0.102 sent them: what a subagent does has a session of its own.
CHILD = {"session_id": "child", "agent_id": "child", "agent_type": "explore", "parent_agent_id": SESSION}


def test_a_subagent_of_copilot_acts_in_the_session_of_its_person():
    for event in ("PreToolUse", "PostToolUse"):
        found = read("copilot", event, **CHILD, tool_result={"text_result_for_llm": "x"})
        assert (found.session_id, found.agent_id, found.agent_type) == (SESSION, "child", "explore")
    assert read("copilot").session_id == SESSION


@pytest.mark.parametrize(
    ("event", "fields"),
    [
        ("UserPromptSubmit", {"prompt": "Look around."}),
        ("Stop", {"stop_reason": "end_turn", "stop_hook_active": False}),
    ],
)
def test_a_subagent_of_copilot_is_prompted_by_its_call_and_ends_no_turn(event: str, fields: dict[str, Any]):
    with pytest.raises(NothingToJudge) as sign:
        read("copilot", event, **CHILD, **fields)
    assert sign.value.session == SESSION
    assert read("copilot", event, **fields).hook_event_name == event


@pytest.mark.parametrize(
    ("agent", "kind"),
    [
        ("Explore-call_0_0", "Explore"),
        ("general-purpose-call_00_x-y", "general-purpose"),
        ("reviewer-toolu_01AbC", "reviewer"),
        ("code-reviewer-chatcmpl-tool-0123abc", "code-reviewer"),
        ("Explore-D681PevKs", "Explore"),
        ("general-purpose-1a2b3c4d", "general-purpose"),
        ("Explore", "Explore"),
    ],
)
def test_a_subagent_of_qwen_is_known_by_the_type_in_its_id(agent: str, kind: str):
    found = read("qwen", agent_id=agent)
    assert (found.agent_id, found.agent_type) == (agent, kind)
    assert read("qwen", agent_id=agent, agent_type="named").agent_type == "named"
    assert read("qwen").agent_type is None


@pytest.mark.parametrize(
    ("host", "own", "known"),
    [
        ("qwen", "default", "default"),
        ("qwen", "plan", "plan"),
        ("qwen", "auto_edit", "acceptEdits"),
        ("qwen", "auto", "auto"),
        ("qwen", "yolo", "bypassPermissions"),
        ("qwen", "something-new", "something-new"),
        ("droid", "off", "default"),
        ("droid", "spec", "plan"),
        ("droid", "auto-low", "acceptEdits"),
        ("droid", "auto-high", "auto"),
        ("codex", "bypassPermissions", "bypassPermissions"),
    ],
)
def test_a_mode_has_the_name_that_policies_know(host: str, own: str, known: str):
    assert read(host, permission_mode=own).permission_mode == known
