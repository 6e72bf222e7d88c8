"""MCP tools that carry a shell command, or are called like a built-in tool: what their names suggest only restricts."""

from typing import Any

import pytest

from tests.policy.builders import Session, decide, fired

RULE = "rules: [{id: r, tool: Bash, command: git push, deny: x}]"


@pytest.mark.parametrize(
    ("call", "decision"),
    [
        ({"mcp__x__Bash": {"command": "ls && git push"}}, "deny"),
        ({"mcp__x__bash": {"command": "bash -c 'git push'"}}, "deny"),
        ({"mcp__a__b__Bash": {"command": "git push"}}, "deny"),
        ({"mcp__x__run_command": {"cmd": "git push"}}, "deny"),
        ({"mcp__x__Bash": {"command": "git status"}}, None),
        ({"mcp__x__Bash": {"text": "git push"}}, None),
        ({"mcp__x__Basher": {"command": "git push"}}, None),
        ({"mcp__game__play": {"command": "git push"}}, None),
    ],
)
def test_a_rule_for_bash_reaches_an_mcp_tool_that_carries_a_command(call: dict[str, Any], decision: str | None):
    assert decide(RULE, call) == decision
    assert decide(RULE.replace("tool: Bash, ", ""), call) == decision


def test_a_rule_for_bash_reaches_a_tool_that_the_policy_says_carries_a_command():
    policy = "tools: {mcp__x__go: {command: line}}\n" + RULE
    calls = [{"mcp__x__go": {"line": line}} for line in ("git push", "ls")]
    assert [decide(policy, call) for call in calls] == ["deny", None]


def test_packs_judge_what_such_a_tool_would_run():
    session = Session("packs: [guarded]")
    lines = ("rm -rf /", "ls")
    assert [session.call({"mcp__x__Bash": {"command": line}}).decision for line in lines] == ["deny", None]


@pytest.mark.parametrize(
    "path", [{"mcp__x__Write": {"file_path": "/etc/a"}}, {"mcp__x__Edit": {"file_path": "/etc/a"}}]
)
def test_a_tool_called_like_a_built_in_one_touches_the_same_paths(path: dict[str, Any]):
    assert decide("rules: [{id: r, path: {write: /etc/**}, deny: x}]", path) == "deny"


@pytest.mark.parametrize(
    "allow",
    [
        "command: ls", "kind: shell", "kind: shell, server: user", "tool: Bash", "tool: Bash, command: ls",
        "tool: mcp__x__Bash, command: ls", "when: 'commands.all(c, c.name == \"ls\")'", "does: read-only",
        "when: kind == 'shell'", "tool: '*', command: ls",
    ],
)  # fmt: skip
def test_nothing_is_allowed_on_a_guess(allow: str):
    assert decide(f"rules: [{{id: r, {allow}, allow: true}}]", {"mcp__x__Bash": {"command": "ls"}}) is None


def test_a_tool_that_is_named_or_declared_may_be_allowed():
    call = {"mcp__x__Bash": {"command": "ls"}}
    assert decide("rules: [{id: r, tool: mcp__x__Bash, allow: true}]", call) == "allow"
    declared = (
        "tools: {mcp__x__Bash: {command: command}}\nrules: [{id: r, tool: mcp__x__Bash, command: ls, allow: true}]"
    )
    assert decide(declared, call) == "allow"


@pytest.mark.parametrize("excuse", ["command: ls", "kind: shell", "does: read-only", "tool: Bash"])
def test_nothing_is_excused_on_a_guess(excuse: str):
    policy = f"rules: [{{id: r, tool: mcp__x__Bash, deny: x, unless: {{{excuse}}}}}]"
    assert decide(policy, {"mcp__x__Bash": {"command": "ls"}}) == "deny"


@pytest.mark.parametrize("rule", ["tool: Bash, command: ls", "command: ls", "kind: shell"])
def test_nothing_is_remembered_on_a_guess(rule: str):
    session = Session(
        f"state: {{n: 0}}\nrules: [{{id: r, {rule}, set: {{n: 1}}}}, {{id: s, when: state.n == 1, deny: x}}]"
    )
    assert fired(session.call({"mcp__x__Bash": {"command": "ls"}})) == ["r"]
    assert session.call("pwd").decision is None
