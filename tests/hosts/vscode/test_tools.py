"""VS Code's calls in the words of policies: every file, command and address in them."""

from __future__ import annotations

from typing import Any

import pytest

from interlock.errors import InterlockError
from tests.hosts.vscode.reading import event_of, judged

EDIT = {"filePath": "/w/a", "oldString": "x", "newString": "y"}
READ = {"file_path": "/w/a", "old_string": "x", "new_string": "y"}


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("create_file", {"filePath": "/w/a", "content": "x"}, [("Write", {"file_path": "/w/a", "content": "x"})]),
        ("replace_string_in_file", EDIT, [("Edit", READ)]),
        (
            "multi_replace_string_in_file",
            {"explanation": "e", "replacements": [EDIT, {**EDIT, "filePath": "/w/b"}]},
            [("Edit", READ), ("Edit", {**READ, "file_path": "/w/b"})],
        ),
        (
            "insert_edit_into_file",
            {"explanation": "e", "filePath": "/w/a", "code": "y"},
            [("Edit", {"file_path": "/w/a", "old_string": "", "new_string": "y"})],
        ),
        (
            "edit_notebook_file",
            {"filePath": "/w/a", "cellId": "1", "newCode": ["x", "y"], "editType": "edit"},
            [("NotebookEdit", {"notebook_path": "/w/a", "cell_id": "1", "new_source": "x\ny", "edit_mode": "edit"})],
        ),
        (
            "edit_notebook_file",
            {"filePath": "/w/a", "cellId": "1", "editType": "delete"},
            [("NotebookEdit", {"notebook_path": "/w/a", "cell_id": "1", "edit_mode": "delete"})],
        ),
        ("create_directory", {"dirPath": "/w/a b"}, [("Bash", {"command": "mkdir -p -- '/w/a b'"})]),
        ("view_image", {"filePath": "/w/a.png"}, [("Read", {"file_path": "/w/a.png"})]),
        ("list_dir", {"path": "/w"}, [("LS", {"path": "/w"})]),
        ("file_search", {"query": "**/*.py"}, [("Glob", {"pattern": "**/*.py"})]),
        ("grep_search", {"query": "x", "includePattern": "/etc/**"}, [("Grep", {"pattern": "x", "glob": "/etc/**"})]),
        ("runSubagent", {"prompt": "p", "agentName": "a"}, [("Agent", {"prompt": "p", "subagent_type": "a"})]),
        ("search_subagent", {"query": "p"}, [("Agent", {"prompt": "p"})]),
        ("run_vscode_command", {"commandId": "c"}, [("run_vscode_command", {"commandId": "c"})]),
    ],
)
def test_a_call_is_judged_as_what_it_does(tool: str, given: dict[str, Any], expected: list[tuple[str, dict[str, Any]]]):
    assert judged(tool, given) == expected


def test_every_file_of_a_patch_is_judged():
    patch = "*** Begin Patch\n*** Update File: /w/a\n@@\n-x\n+y\n*** Delete File: file:///w/b%20c\n*** End Patch"
    assert judged("apply_patch", {"input": patch, "explanation": "e"}) == [
        ("Edit", READ),
        ("Edit", {"file_path": "/w/b c", "old_string": "", "new_string": ""}),
        ("Bash", {"command": "rm -- '/w/b c'"}),
    ]


def test_every_address_is_judged_and_one_that_is_not_of_the_web_is_a_file():
    urls = ["https://a.example", "HTTP://b.example", "file:///etc/pass%77d", "/etc/hosts", "a.example/x"]
    assert judged("fetch_webpage", {"urls": urls, "query": "q"}) == [
        ("WebFetch", {"url": "https://a.example", "prompt": "q"}),
        ("WebFetch", {"url": "HTTP://b.example", "prompt": "q"}),
        ("Read", {"file_path": "/etc/passwd"}),
        ("Read", {"file_path": "/etc/hosts"}),
        ("Read", {"file_path": "/a.example/x"}),
    ]


@pytest.mark.parametrize("tool", ["open_browser_page", "navigate_page"])
def test_a_page_in_the_browser_is_a_fetch_if_it_has_an_address(tool: str):
    assert judged(tool, {"url": "https://a.example"}) == [("WebFetch", {"url": "https://a.example", "prompt": ""})]
    assert judged(tool, {"url": "file:///etc/passwd"}) == [("Read", {"file_path": "/etc/passwd"})]
    assert judged(tool, {"pageId": "1", "type": "reload"}) == [(tool, {"pageId": "1", "type": "reload"})]


@pytest.mark.parametrize(
    ("path", "file"),
    [
        ("/etc/passwd", "/etc/passwd"),
        ("/w/a:b", "/w/a:b"),
        ("/w/100%25", "/w/100%25"),
        ("src/a.py", "src/a.py"),
        ("file:///etc/passwd", "/etc/passwd"),
        ("file:/etc/passwd", "/etc/passwd"),
        ("file://etc/passwd", "//etc/passwd"),
        ("file:etc/passwd", "/etc/passwd"),
        ("file:///etc/pass%77d#x", "/etc/passwd"),
        ("vscode-remote://wsl+ubuntu/etc/passwd", "/etc/passwd"),
        ("vscode-userdata:/home/me/settings.json", "/home/me/settings.json"),
        ("etc/passwd#a:b", "/etc/passwd"),
        ("etc/passwd?a:b", "/etc/passwd"),
        ("etc/a:b", "/etc/a:b"),
    ],
)
def test_a_file_is_the_one_that_vs_code_opens(path: str, file: str):
    assert judged("read_file", {"filePath": path}) == [("Read", {"file_path": file})]
    edit = {**EDIT, "filePath": path}
    assert judged("multi_replace_string_in_file", {"replacements": [edit]}) == [("Edit", {**READ, "file_path": file})]


@pytest.mark.parametrize("address", ["file:///a%ff", "file:///a%00b", "file:///a%0ab"])
def test_an_address_that_is_not_certain_is_refused(address: str):
    with pytest.raises(InterlockError, match="the address"):
        judged("read_file", {"filePath": address})


def test_a_task_is_its_command_in_both_ways_of_quoting_and_an_edit_of_the_tasks():
    task = {"label": "t", "type": "shell", "command": "echo", "args": ["a;rm", "b"]}
    lines = [("Bash", {"command": "echo a;rm b"}), ("Bash", {"command": "echo 'a;rm' b"})]
    *found, (tool, edit) = judged("create_and_run_task", {"workspaceFolder": "/w", "task": task})
    assert (found, tool, edit["file_path"]) == (lines, "Edit", "/w/.vscode/tasks.json")
    assert '"command":"echo"' in edit["new_string"]
    plain = {"workspaceFolder": "/w", "task": {"label": "t", "type": "shell", "command": "make all"}}
    assert judged("create_and_run_task", plain)[0] == ("Bash", {"command": "make all"})


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("run_in_terminal", {"goal": "g"}),
        ("run_in_terminal", {"command": ["rm"]}),
        ("send_to_terminal", {"id": "1"}),
        ("create_file", {"content": "x"}),
        ("multi_replace_string_in_file", {"replacements": []}),
        ("multi_replace_string_in_file", {"replacements": ["x"]}),
        ("multi_replace_string_in_file", {"replacements": [{"oldString": "x"}]}),
        ("insert_edit_into_file", {"code": "x"}),
        ("apply_patch", {"input": "nothing"}),
        ("apply_patch", {}),
        ("fetch_webpage", {"urls": []}),
        ("fetch_webpage", {"urls": [1]}),
        ("fetch_webpage", {"urls": "https://a.example"}),
        ("create_directory", {}),
        ("create_and_run_task", {"workspaceFolder": "/w", "task": {"args": []}}),
        ("create_and_run_task", {"workspaceFolder": "/w", "task": {"command": "a", "args": [1]}}),
        ("open_browser_page", {"url": 1}),
        ("read_file", "/etc/passwd"),
    ],
)
def test_a_call_of_which_nothing_could_be_judged_is_refused(tool: str, given: Any):
    with pytest.raises(InterlockError):
        judged(tool, given)


def test_a_tool_of_a_server_is_judged_under_every_name_that_it_may_have():
    assert judged("mcp_github_open", {"a": 1}) == [("mcp__github__open", {"a": 1})]
    assert event_of("mcp_github_open", {}).extra["host_tool"] == "mcp_github_open"
    assert [name for name, _ in judged("mcp_pay_desk_send", {"a": 1})] == ["mcp__pay__desk_send", "mcp__pay_desk__send"]
    # No server's name is longer than that in the name of a tool.
    assert [name for name, _ in judged("mcp_abcdefghijklm_x_y", {})] == ["mcp__abcdefghijklm__x_y"]
    assert judged("mcp_", {}) == [("mcp_", {})]
