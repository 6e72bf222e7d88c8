"""What a failed call printed, as a result."""

import json

import pytest

from interlock.event import PostToolUse, PostToolUseFailure, event_from, payload_of
from interlock.facts.results import fit, meaning, withhold
from interlock.receipts.failures import as_result, has_known_shape
from tests.builders import payload
from tests.hosts.goldens import EVENT_FILES


def failed(tool, error="Exit code 1\nhunter2"):
    fields = {"tool_name": tool, "tool_input": {}, "tool_use_id": "t", "error": error, "is_interrupt": False}
    return event_from(payload("PostToolUseFailure", **fields))


def test_a_failed_command_s_output_is_where_its_output_would_be():
    result = as_result(failed("Bash"))
    assert isinstance(result, PostToolUse)
    assert result.tool_response == {
        "stdout": "Exit code 1\nhunter2", "stderr": "", "interrupted": False, "isImage": False,
    }  # fmt: skip
    assert (result.session_id, result.tool_use_id, result.cwd) == ("s-1", "t", "/home/dev/shop")


@pytest.mark.parametrize("tool", ["Bash", "Monitor", "Read", "Grep", "Glob", "Agent", "Task", "WebFetch"])
def test_a_text_can_replace_it_in_the_tool_s_own_shape(tool):
    response = as_result(failed(tool)).tool_response
    for replaced in (fit(tool, response, "gone"), withhold(tool, response, "gone")) if tool != "Monitor" else ():
        assert "hunter2" not in json.dumps(replaced)
    assert has_known_shape(tool)


def test_an_mcp_tool_s_error_means_its_text():
    result = as_result(failed("mcp__crm__get"))
    assert meaning("mcp__crm__get", result.tool_response) == "Exit code 1\nhunter2"
    assert not has_known_shape("mcp__crm__get")
    assert as_result(failed("Nobody")).tool_response == "Exit code 1\nhunter2"


def test_captured_failures_become_results():
    captured = [json.loads(file.read_bytes()) for file in EVENT_FILES]
    for one in (event for event in captured if event["hook_event_name"] == "PostToolUseFailure"):
        failing = event_from(one)
        assert isinstance(failing, PostToolUseFailure)
        made = payload_of(as_result(failing))
        shared = {key: one[key] for key in one if key not in ("error", "is_interrupt", "hook_event_name")}
        assert shared.items() <= made.items()
        assert made["hook_event_name"] == "PostToolUse"
