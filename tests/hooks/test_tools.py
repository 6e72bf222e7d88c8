"""Which calls a hook is for: tools by name, glob, regex and kind, and what a short name may not do."""

from __future__ import annotations

from typing import Any

import pytest

from interlock import allow, change, deny, hook, set_state
from interlock.hooks.run import HookSet
from interlock.service import handle
from tests.hooks.events import answer, denial, event, named, post, pre, said
from tests.session_memory import SessionMemory


def catches(tool: str, /, **which: Any) -> bool:
    """Whether a hook registered like this is asked about a tool."""

    @hook("PreToolUse", **which)
    def guard(call):
        return deny("Caught.")

    reply = answer(pre(tool, a=1), guard)
    if reply.stdout == b"{}":
        return False
    return denial(reply) == "Caught."


@pytest.mark.parametrize(
    ("pattern", "hits", "misses"),
    [
        ("Write", ["Write"], ["write", "WriteFile", "MultiWrite", "Edit", "mcp__Write__x"]),
        (["Write", "Edit"], ["Write", "Edit"], ["MultiEdit", "Read"]),
        ("*Edit", ["Edit", "MultiEdit", "NotebookEdit"], ["Editor", "edit"]),
        ("?rite", ["Write"], ["rite", "WWrite"]),
        ("[RW]*", ["Read", "Write", "WebFetch"], ["Edit"]),
        ("[!RW]*", ["Edit"], ["Read", "Write"]),
        ("/^(Read|Grep)$/", ["Read", "Grep"], ["ReadFile", "read", "mcp__x__Read"]),
        ("/edit/i", ["Edit", "MultiEdit", "mcp__x__edit"], ["Write"]),
        ("mcp__crm__*", ["mcp__crm__get_customer"], ["mcp__crm2__get_customer", "get_customer"]),
        ("a.b", ["a.b"], ["aXb"]),
        ("*", ["Bash", "mcp__a__b", "Anything"], []),
    ],
    ids=str,
)
def test_tools_are_matched_by_name_glob_and_regex(pattern: Any, hits: list[str], misses: list[str]):
    assert [tool for tool in hits + misses if catches(tool, tool=pattern)] == hits


def test_one_set_of_hooks_tells_one_tool_from_the_next():
    @hook("PreToolUse", tool="Write")
    def guard(call):
        return deny("Caught.")

    hooks = HookSet([guard])
    codes = [handle("claude-code", pre(tool), hooks).exit_code for tool in ("Read", "Write", "Read", "Write")]
    assert codes == [0, 2, 0, 2]


def test_without_a_tool_every_call_is_meant():
    assert [catches(tool) for tool in ("Bash", "mcp__a__b", "Unheard")] == [True, True, True]


@pytest.mark.parametrize("pattern", ["Task", "Agent"])
def test_a_renamed_tool_is_caught_by_both_of_its_names(pattern: str):
    tools = ["Task", "Agent", "TaskStop", "ListAgents"]
    assert [tool for tool in tools if catches(tool, tool=pattern)] == ["Task", "Agent"]


def test_bash_means_every_tool_that_carries_a_shell_command():
    tools = ["Bash", "Monitor", "PowerShell", "BashOutput", "Read"]
    assert [tool for tool in tools if catches(tool, tool="Bash")] == ["Bash", "Monitor", "PowerShell"]
    assert [tool for tool in tools if catches(tool, tool="Monitor")] == ["Monitor"]


@pytest.mark.parametrize(
    ("kind", "hits"),
    [
        ("shell", ["Bash", "PowerShell"]),
        ("edit", ["Write", "NotebookEdit"]),
        (["read", "fetch"], ["Read", "WebFetch"]),
        ("agent", ["Task", "Agent"]),
        ("/^(shell|agent)$/", ["Bash", "PowerShell", "Task", "Agent"]),
    ],
    ids=str,
)
def test_tools_are_matched_by_kind(kind: Any, hits: list[str]):
    tools = ["Bash", "PowerShell", "Write", "NotebookEdit", "Read", "WebFetch", "Task", "Agent", "mcp__x__Write"]
    assert [tool for tool in tools if catches(tool, kind=kind)] == hits


def test_tool_and_kind_must_both_hold():
    assert catches("Write", tool="*", kind="edit")
    assert not catches("Read", tool="*", kind="edit")
    assert not catches("Edit", tool="Write", kind="edit")


# --- a name widens only what restricts ---------------------------------------------------------------------


def test_a_short_name_also_catches_the_mcp_tool():
    """S1-11 The MCP prefix trap."""
    tools = ["process_refund", "mcp__payments__process_refund", "mcp__a__b__process_refund"]
    near = ["process_refunds", "mcp__payments__process_refund_now", "xmcp__payments__process_refund", "refund"]
    assert [tool for tool in tools + near if catches(tool, tool="process_refund")] == tools


def test_a_full_name_does_not_catch_another_servers_tool():
    """S1-11"""
    assert not catches("mcp__evil__process_refund", tool="mcp__payments__process_refund")
    assert not catches("process_refund", tool="mcp__payments__process_refund")


@pytest.mark.parametrize(
    ("pattern", "tool"),
    [
        ("process_refund", "mcp__evil__process_refund"),
        ("process_*", "mcp__evil__process_refund"),
        ("Bash", "Monitor"),
    ],
)
def test_an_allow_by_a_short_name_does_not_count_and_says_so(pattern: str, tool: str):
    """S1-11 Semantics 10: trust goes by provenance."""

    @hook("PreToolUse", tool=pattern)
    def guard(call):
        return allow("Known to be safe.")

    assert said(answer(pre(tool, a=1), guard)) == {
        "systemMessage": f"{named(guard)} matches this tool only by a short name or a pattern; "
        "name it in full to allow it or to set state"
    }


@pytest.mark.parametrize(
    ("pattern", "tool"),
    [
        ("process_refund", "process_refund"),
        ("mcp__payments__process_refund", "mcp__payments__process_refund"),
        ("Bash", "Bash"),
        (["Bash", "Monitor"], "Monitor"),
        ("Task", "Agent"),
    ],
    ids=str,
)
def test_an_allow_by_the_tools_own_name_counts(pattern: Any, tool: str):
    @hook("PreToolUse", tool=pattern)
    def guard(call):
        return allow()

    assert said(answer(pre(tool, a=1), guard)) == {
        "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}
    }


def test_a_change_by_a_short_name_counts():
    @hook("PreToolUse", tool="process_refund")
    def guard(call):
        return change(amount=1)

    document = said(answer(pre("mcp__payments__process_refund", amount=9), guard))
    assert document["hookSpecificOutput"]["updatedInput"] == {"amount": 1}


def test_what_a_short_name_would_remember_does_not_count():
    """S1-11 Semantics 10: `set` needs the tool's own name, or any server could vouch for its customers."""

    @hook("PostToolUse", tool="get_customer")
    def guard(call):
        return set_state(tenure="vip")

    memory = SessionMemory({"tenure": "new"})
    answer(post("mcp__evil__get_customer", {}, "x"), guard, memory=memory)
    assert memory.state_of("s1") == {"tenure": "new"}
    answer(post("get_customer", {}, "x"), guard, memory=memory)
    assert memory.state_of("s1") == {"tenure": "vip"}


def test_a_hook_of_several_events_is_asked_on_each():
    @hook(["PreToolUse", "PermissionRequest"], tool="Bash")
    def guard(call):
        return deny("No.")

    assert denial(answer(pre(command="ls"), guard)) == "No."
    request = event("PermissionRequest", tool_name="Bash", tool_input={"command": "ls"})
    assert said(answer(request, guard)) == {
        "hookSpecificOutput": {
            "hookEventName": "PermissionRequest",
            "decision": {"behavior": "deny", "message": "No."},
        }
    }
