"""Droid's calls in the words of policies."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from interlock.errors import InterlockError
from interlock.event import SubagentStop, ToolEvent
from interlock.hosts.droid.dialect import DIALECT

ABOUT = {"session_id": "s", "transcript_path": "", "cwd": "/w/project", "permission_mode": "off"}


def judged(tool: str, given: Any) -> list[tuple[str, dict[str, Any]]]:
    raw = json.encode({**ABOUT, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": given})
    event = DIALECT.decode(raw)
    assert isinstance(event, ToolEvent)
    if event.parts is None:
        return [(event.tool_name, event.tool_input)]
    return [(part.tool_name, part.tool_input) for part in event.parts]


@pytest.mark.parametrize(
    ("tool", "given", "expected"),
    [
        ("Execute", {"command": "ls", "timeout": 60}, [("Bash", {"command": "ls", "timeout": 60})]),
        ("Create", {"file_path": "a", "content": "x"}, [("Write", {"file_path": "a", "content": "x"})]),
        (
            "Edit",
            {"file_path": "a", "old_str": "x", "new_str": "y", "change_all": True},
            [("Edit", {"file_path": "a", "old_string": "x", "new_string": "y", "replace_all": True})],
        ),
        (
            "MultiEdit",
            {"file_path": "a", "changes": [{"old_str": "x", "new_str": "y"}]},
            [("MultiEdit", {"file_path": "a", "edits": [{"old_string": "x", "new_string": "y"}]})],
        ),
        ("Glob", {"patterns": ["a", "b"], "folder": "/w"}, [("Glob", {"pattern": one, "path": "/w"}) for one in "ab"]),
        ("Glob", {"patterns": "a"}, [("Glob", {"pattern": "a"})]),
        ("Grep", {"pattern": "x", "glob_pattern": "*.py"}, [("Grep", {"pattern": "x", "glob": "*.py"})]),
        ("LS", {}, [("LS", {"path": "."})]),
        ("LS", {"directory_path": "/w"}, [("LS", {"path": "/w"})]),
        ("FetchUrl", {"url": "https://a.example"}, [("WebFetch", {"url": "https://a.example"})]),
        ("Task", {"subagent_type": "a", "prompt": "p"}, [("Agent", {"subagent_type": "a", "prompt": "p"})]),
        ("mcp__a__b", {"x": 1}, [("mcp__a__b", {"x": 1})]),
        ("SomethingNew", {"x": 1}, [("SomethingNew", {"x": 1})]),
    ],
)
def test_a_call_is_judged_as_what_it_does(tool: str, given: dict[str, Any], expected: list[tuple[str, dict[str, Any]]]):
    assert judged(tool, given) == expected


@pytest.mark.parametrize("form", ["input", "patch", None])
def test_a_patch_is_read_however_it_is_given(form: str | None):
    patch = "*** Begin Patch\n*** Add File: a\n+x\n*** Delete File: b\n*** End Patch"
    assert judged("ApplyPatch", {form: patch} if form else patch) == [
        ("Write", {"file_path": "a", "content": "x\n"}),
        ("Edit", {"file_path": "b", "old_string": "", "new_string": ""}),
        ("Bash", {"command": "rm -- b"}),
    ]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Execute", {"timeout": 1}),
        ("Execute", ["ls"]),
        ("MultiEdit", {"file_path": "a"}),
        ("MultiEdit", {"file_path": "a", "changes": ["x"]}),
        ("MultiEdit", {"changes": [{"old_str": "x", "new_str": "y"}]}),
        ("Glob", {"patterns": []}),
        ("Glob", {"patterns": [1]}),
        ("Glob", {}),
        ("LS", {"directory_path": 1}),
        ("ApplyPatch", {}),
        ("ApplyPatch", {"input": "x"}),
    ],
)
def test_a_call_of_which_nothing_could_be_judged_is_refused(tool: str, given: Any):
    with pytest.raises(InterlockError):
        judged(tool, given)


def test_a_subagent_that_stops_is_judged_although_it_has_no_name():
    event = DIALECT.decode(json.encode({**ABOUT, "hook_event_name": "SubagentStop", "stop_hook_active": False}))
    assert isinstance(event, SubagentStop)
    assert (event.agent_id, event.agent_type) == ("", "")
