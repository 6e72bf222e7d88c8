"""What the definition of a skill or an agent starts: its hooks and its MCP servers, read under limits."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.facts.definitions import Definition, Start, definition_in, definition_of

HOOK = {"type": "command", "command": "./check.sh"}


def hooks(event: str, *handlers: Any) -> dict[str, Any]:
    return {"hooks": {event: [{"matcher": "Bash", "hooks": list(handlers)}]}}


def file(head: str) -> str:
    return f"---\n{head}\n---\nDo it.\n"


def test_a_hook_is_the_command_it_runs():
    assert definition_of(hooks("Stop", HOOK)) == Definition((Start("./check.sh", "a Stop hook"),))


@pytest.mark.parametrize("event", ["PreToolUse", "PermissionRequest", "PostToolUse"])
def test_hooks_that_answer_for_calls_are_named(event: str):
    found = definition_of(hooks(event, HOOK))
    assert found == Definition((Start("./check.sh", f"a {event} hook"),), (event,))


def test_a_program_with_arguments_is_written_as_a_shell_would_be_told():
    handler = {**HOOK, "command": "a b", "args": ["c;d", "${CLAUDE_PROJECT_DIR}/e", "$HOME"]}
    found = definition_of(hooks("Stop", handler), {"CLAUDE_PROJECT_DIR": "/shop"})
    assert found.starts == (Start("'a b' 'c;d' /shop/e '$HOME'", "a Stop hook"),)


def test_the_projects_folder_is_put_in_where_that_needs_no_quotes():
    handler = {**HOOK, "command": '"$CLAUDE_PROJECT_DIR"/x.sh $CLAUDE_PROJECT_DIRECTORY'}
    assert definition_of(hooks("Stop", handler), {"CLAUDE_PROJECT_DIR": "/shop"}).starts[0].command == (
        '"/shop"/x.sh $CLAUDE_PROJECT_DIRECTORY'
    )
    assert definition_of(hooks("Stop", handler), {"CLAUDE_PROJECT_DIR": "/a b"}).starts[0].command == handler["command"]


@pytest.mark.parametrize(
    "servers",
    [
        {"db": {"command": "sh", "args": ["-c", "touch x"], "env": {"A": "b c"}}},
        [{"db": {"type": "stdio", "command": "sh", "args": ["-c", "touch x"], "env": {"A": "b c"}}}, "known"],
    ],
    ids=["a map", "a list"],
)
def test_a_server_is_the_program_it_starts(servers: Any):
    found = definition_of({"mcpServers": servers})
    assert found == Definition((Start("A='b c' sh -c 'touch x'", "the MCP server `db`"),))


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"hooks": {}}, {"hooks": None}, {"hooks": ""}, {"mcpServers": ["known"]}, {"mcpServers": None},
        {"mcpServers": {"far": {"type": "http", "url": "https://mcp.example"}}}, {"tools": ["Bash"]},
        {"permissionMode": "bypassPermissions"}, {"description": "hooks and mcpServers"},
    ],
)  # fmt: skip
def test_a_definition_that_starts_nothing_is_nothing(fields: dict[str, Any]):
    assert not definition_of(fields)


@pytest.mark.parametrize(
    "fields",
    [
        {"hooks": "x"}, {"hooks": ["x"]}, {"hooks": {"Stop": "x"}}, {"hooks": {"Stop": [{"hooks": "x"}]}},
        hooks("Stop", "x"), hooks("Stop", {"type": "http", "url": "https://x.example"}),
        hooks("Stop", {"type": "agent"}),
        hooks("Stop", {"type": "command"}), hooks("Stop", {**HOOK, "command": 3}), hooks("Stop", {**HOOK, "args": "x"}),
        hooks("Stop", {**HOOK, "shell": "powershell"}), {"mcpServers": [3]}, {"mcpServers": {"x": "y"}},
        {"mcpServers": {"x": {"command": ["sh"]}}}, {"mcpServers": {"x": {"command": "sh", "env": "y"}}},
    ],
)  # fmt: skip
def test_what_is_not_understood_is_said(fields: dict[str, Any]):
    found = definition_of(fields)
    assert found.unread
    assert found.starts == ()


def test_frontmatter_is_read_as_deep_as_hooks_stand():
    text = file(
        "name: a\nhooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n"
        '          command: "touch x"\nmcpServers: {db: {command: sh, args: [-c, "touch y"]}}'
    )
    assert definition_in(text) == Definition(
        (Start("touch x", "a PreToolUse hook"), Start("sh -c 'touch y'", "the MCP server `db`")), ("PreToolUse",)
    )


@pytest.mark.parametrize(
    "head",
    [
        "hooks: &a {Stop: [{hooks: [{type: command, command: touch x}]}]}\nother: *a", "hooks: {a: {}}\nhooks: {b: {}}",
        "<<: {hooks: {}}", "hooks: !!binary aG9va3M=", "hooks: {", "- hooks", "hooks: " + "[" * 30 + "]" * 30,
        "hooks: {}\n" + "# x\n" * 10_000, "? {a: b}\n: hooks",
    ],
)  # fmt: skip
def test_frontmatter_that_hosts_may_read_otherwise_is_in_doubt(head: str):
    assert definition_in(file(head)) == Definition(unread=("its frontmatter cannot be read",))


@pytest.mark.parametrize("text", ["hooks: {Stop: x}", file("name: a"), file("description: [\nname: a"), "", "---\n"])
def test_a_file_without_them_is_not(text: str):
    assert not definition_in(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["command", "hooks", "x"]), inner),
    max_leaves=12,
)


@given(st.lists(VALUES, max_size=3), st.lists(VALUES, max_size=3), st.text(max_size=8))
def test_a_command_is_found_whatever_stands_beside_it(handlers: list[Any], groups: list[Any], event: str):
    hook = definition_of({"hooks": {event: [*groups, {"hooks": [*handlers, HOOK]}]}})
    assert Start("./check.sh", f"a {event} hook") in hook.starts
    server = definition_of({"mcpServers": [*groups, {event: {"command": "./check.sh"}}]})
    assert Start("./check.sh", f"the MCP server `{event}`") in server.starts


@given(VALUES, st.sampled_from(["hooks", "mcpServers"]))
def test_no_definition_raises(value: Any, name: str):
    definition_of({name: value})


@given(st.text(max_size=200))
def test_no_frontmatter_raises(head: str):
    definition_in(file(f"hooks: {head}"))
    definition_in(file(f"hooks:\n{head}"))
