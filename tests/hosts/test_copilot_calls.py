"""Copilot's own tools in the words of policies, as it was seen to call them."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from interlock.errors import InterlockError
from interlock.event import PreToolUse
from interlock.hosts import dialect_of

ABOUT = {"session_id": "s", "timestamp": "2026-01-02T03:04:05.678Z", "cwd": "/w/project"}
PATCH = "*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch"


def decode(tool: str, given: Any) -> PreToolUse:
    payload = {"hook_event_name": "PreToolUse", **ABOUT, "tool_name": tool, "tool_input": given}
    event = dialect_of("copilot").decode(json.encode(payload))
    assert isinstance(event, PreToolUse)
    return event


@pytest.mark.parametrize("tool", ["Grep", "Glob"])
@pytest.mark.parametrize("given", [{"paths": ".env"}, {"path": ".env"}])
def test_a_search_in_one_place_is_one_search(tool: str, given: dict[str, Any]):
    event = decode(tool, {"pattern": "x", **given})
    assert (event.tool_name, event.tool_input, event.parts) == (tool, {"pattern": "x", "path": ".env"}, None)


@pytest.mark.parametrize("tool", ["Grep", "Glob"])
def test_a_search_in_several_places_is_judged_in_each(tool: str):
    event = decode(tool, {"pattern": "x", "paths": ["src", ".env"]})
    assert [(part.tool_name, part.tool_input) for part in event.parts or ()] == [
        (tool, {"pattern": "x", "path": "src"}),
        (tool, {"pattern": "x", "path": ".env"}),
    ]


def test_a_search_in_no_place_is_one_where_it_runs():
    assert [part.tool_input for part in decode("Grep", {"pattern": "x", "paths": []}).parts or ()] == [{"pattern": "x"}]


@pytest.mark.parametrize(
    "given",
    [
        {"pattern": "x", "path": "src", "paths": ".env"},  # Copilot takes the second
        {"pattern": "x", "paths": ["src", 7]},
        {"pattern": "x", "paths": {"0": ".env"}},
    ],
)
def test_a_search_whose_places_are_not_certain_is_refused(given: dict[str, Any]):
    with pytest.raises(InterlockError):
        decode("Grep", given)


@pytest.mark.parametrize("given", [PATCH, {"input": PATCH}])
def test_a_patch_is_called_an_edit_and_is_one_of_each_file(given: Any):
    event = decode("Edit", given)
    assert (event.tool_name, event.tool_input) == ("Write", {"file_path": "a.txt", "content": "x\n"})


def test_an_edit_that_may_be_a_patch_as_well_is_refused():
    with pytest.raises(InterlockError, match="the fields of a patch as well"):
        decode("Edit", {"path": "README.md", "old_str": "a", "new_str": "b", "input": PATCH})


def test_a_skill_is_one():
    assert decode("skill", {"skill": "deploy"}).tool_name == "Skill"
