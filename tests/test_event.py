"""Payloads in: one union, tagged by name, nothing lost."""

import json
import typing

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock import event as events
from interlock.event import EVENTS, Event, UnknownEvent, event_from, payload_of
from interlock.protocol import HookPayload, PermissionRequestPayload, PreToolUsePayload, StopPayload
from tests.builders import call, payload, request
from tests.hosts.goldens import EVENT_FILES

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


def test_there_are_33_events_and_each_has_its_own_type():
    assert len(EVENTS) == 33
    assert len(set(EVENTS.values())) == 33


def test_every_event_of_the_reference_was_captured_from_a_real_client():
    captured = {path.name.split(".")[0] for path in EVENT_FILES}
    assert captured == set(EVENTS)


@pytest.mark.parametrize("file", EVENT_FILES, ids=lambda file: file.stem)
def test_a_captured_payload_is_read_whole_and_written_back_the_same(file):
    """S4-02 read from JSON whole."""
    sent = json.loads(file.read_bytes())
    event = event_from(sent)
    assert event.hook_event_name == sent["hook_event_name"]
    assert event.extra == {}, "the reference names every field a real client sends"
    back = payload_of(event)
    # A null that the host sent comes back as an absent field; the two mean the same.
    assert back == {key: value for key, value in sent.items() if value is not None}


@pytest.mark.parametrize("file", EVENT_FILES, ids=lambda file: file.stem)
def test_shared_fields_can_be_read_on_every_variant(file):
    """S4-03 S4-06 session_id, transcript_path, hook_event_name, cwd, permission_mode."""
    sent = json.loads(file.read_bytes())
    event = event_from(sent)
    shared = (event.session_id, event.transcript_path, event.hook_event_name, event.cwd, event.permission_mode)
    assert shared == (
        sent["session_id"],
        sent["transcript_path"],
        sent["hook_event_name"],
        sent["cwd"],
        sent.get("permission_mode"),
    )


def test_a_permission_request_has_tool_input_and_the_base_fields():
    """S4-01 PermissionRequest payload."""
    sent = request("Bash", command="npm install", timeout=30)
    assert event_from(sent) == PermissionRequestPayload(
        session_id="s-1",
        transcript_path="/home/dev/.claude/s-1.jsonl",
        cwd="/home/dev/shop",
        permission_mode="default",
        tool_name="Bash",
        tool_input={"command": "npm install", "timeout": 30},
    )


def test_the_union_reads_json_by_its_tag():
    """S4-04 one payload union, tagged by hook_event_name."""
    read = msgspec.json.decode(json.dumps(request("Edit", file_path="a")), type=HookPayload)
    assert isinstance(read, PermissionRequestPayload)
    assert set(typing.get_args(HookPayload)) == set(EVENTS.values())


def test_matching_on_the_variant_is_plain():
    """S4-05 pattern matching."""

    def tool_of(event: Event) -> str | None:
        match event:
            case PermissionRequestPayload(tool_name=tool):
                return f"asks for {tool}"
            case PreToolUsePayload(tool_name=tool):
                return f"runs {tool}"
            case StopPayload():
                return None
            case _:
                return "other"

    assert tool_of(event_from(request("Bash"))) == "asks for Bash"
    assert tool_of(event_from(call("Bash"))) == "runs Bash"
    assert tool_of(event_from(payload("Stop", stop_hook_active=False))) is None
    assert tool_of(event_from(payload("SessionEnd", reason="other"))) == "other"


def test_unknown_fields_are_kept_at_every_level():
    sent = {
        **call("mcp__crm__get", id=1),
        "new_field": {"a": [1]},
        "extra": "a host's own field of that name",
        "mcp_server": {"name": "crm", "source": "user", "version": 2},
    }
    event = event_from(sent)
    assert isinstance(event, PreToolUsePayload)
    assert event.extra == {"new_field": {"a": [1]}, "extra": "a host's own field of that name"}
    assert event.mcp_server is not None
    assert event.mcp_server.extra == {"version": 2}
    assert payload_of(event) == sent


def test_unknown_fields_of_batch_calls_are_kept():
    one = {"tool_name": "Bash", "tool_input": {}, "tool_use_id": "t", "tool_response": "ok", "queued": True}
    sent = payload("PostToolBatch", tool_calls=[one])
    event = event_from(sent)
    assert isinstance(event, events.PostToolBatch)
    assert event.tool_calls[0].extra == {"queued": True}
    assert payload_of(event) == sent


def test_an_unknown_event_is_accepted_as_such():
    sent = payload("PreLaunch", name="rocket", stage=2)
    event = event_from(sent)
    assert isinstance(event, UnknownEvent)
    assert event.hook_event_name == "PreLaunch"
    assert event.extra == {"name": "rocket", "stage": 2}
    assert payload_of(event) == sent


@given(given_input=st.dictionaries(st.text(max_size=8), JSON, max_size=5))
def test_tool_input_survives_the_round_trip_with_types_and_order(given_input):
    """S0-12 types: string, number, bool, array, object survive uncoerced."""
    event = event_from({**call("Bash"), "tool_input": given_input})
    assert isinstance(event, PreToolUsePayload)
    assert json.dumps(event.tool_input) == json.dumps(given_input)
    assert json.dumps(payload_of(event)["tool_input"]) == json.dumps(given_input)
