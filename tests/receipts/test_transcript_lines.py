"""Which calls a transcript says were carried out."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from interlock.receipts.transcript_lines import check_transcript, message_ids

WHEN = 1_794_746_286.803  # 2026-11-15T12:38:06.803Z


def line(*calls, at="2026-11-15T12:38:06.803Z", **block):
    content = [{"type": "tool_result", "tool_use_id": call, "content": "x", **block} for call in calls]
    return json.dumps({"type": "user", "timestamp": at, "message": {"role": "user", "content": content}}).encode()


def test_calls_with_a_result_are_found_once_and_in_order():
    lines = [line("b", "a"), b'{"type":"assistant"}', line("a"), line("c", is_error=False), b""]
    assert check_transcript(lines) == ["b", "a", "c"]


def test_an_error_is_no_result():
    assert check_transcript([line("a", is_error=True), line("b", is_error=None)]) == ["b"]


def test_what_was_written_before_a_time_does_not_count():
    lines = [line("a"), line("b", at="2026-11-15T12:38:06.804Z"), line("c", at="soon")]
    assert check_transcript(lines, WHEN + 0.0005) == ["b", "c"]
    assert check_transcript(lines, WHEN) == ["a", "b", "c"]


def test_a_copy_of_a_request_that_the_host_keeps_does_not_count():
    """It holds every result of the session again, without a time."""
    content = [{"type": "tool_result", "tool_use_id": "old", "content": "x"}]
    copy = {"type": "api-request-blob", "message": {"role": "user", "content": content}}
    assert check_transcript([json.dumps(copy).encode(), line("new")]) == ["new"]


def test_calls_that_a_host_raises_no_event_for_do_not_count():
    said = {"content": [{"type": "tool_use", "id": "out", "name": "StructuredOutput", "input": {}}]}
    lines = [json.dumps({"type": "assistant", "message": said}).encode(), line("out"), line("a")]
    assert check_transcript(lines) == ["a"]


def test_a_line_that_is_torn_or_of_another_kind_has_no_results():
    whole = line("a")
    odd = [
        b'["tool_result"]',
        b'{"message": {"content": [{"type": "tool_result", "tool_use_id": "\xff"}]}}',
        b'{"message": "tool_result"}',
        b'{"message": {"content": "tool_result"}}',
        b'{"message": {"content": [1, {"type": "tool_result"}, {"type": "tool_result", "tool_use_id": 5}]}}',
    ]
    assert check_transcript([whole[:-9], *odd]) == []


@settings(deadline=None)
@given(st.lists(st.binary(max_size=60).map(lambda text: b'"tool_result"' + text)))
def test_any_lines_can_be_read(lines):
    assert check_transcript(lines) == []


def test_messages_are_known_by_their_ids_and_not_by_those_they_answer():
    uuid = "10176e72-c940-49e1-9311-2272086fad56"
    text = json.dumps({"parentUuid": "0" * 36, "uuid": uuid}).encode()
    assert message_ids(text) == {uuid.encode()}
