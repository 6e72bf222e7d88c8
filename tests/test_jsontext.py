"""Strict reading: every refusal names the field."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.errors import InterlockError
from interlock.event import PreToolUse
from interlock.hosts.base.decode import decode, peek_event_name
from interlock.jsontext import MAX_BYTES, peek_string, read_object
from tests.builders import bash, call, payload, raw
from tests.test_event import JSON


def refusal(text: bytes) -> str:
    with pytest.raises(InterlockError) as caught:
        decode(text)
    return caught.value.message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "the input is empty; expected a JSON object"),
        (b"  \n", "the input is empty; expected a JSON object"),
        (b"[]", "the input is an array; expected a JSON object"),
        (b"null", "the input is null; expected a JSON object"),
        (b'"PreToolUse"', "the input is a string; expected a JSON object"),
        (b"17", "the input is a number; expected a JSON object"),
        (b"true", "the input is a boolean; expected a JSON object"),
        (b"hello", "not valid JSON at byte 0: expecting value"),
        (b'{"a": 1, "b"', "not valid JSON at byte 12: it ends too early"),
        (
            b'{"tool_input": {"command": "ls',
            "not valid JSON at byte 27 in `tool_input`: unterminated string starting at",
        ),
        (b'{"a": 1} trailing', "not valid JSON at byte 9: extra data"),
        (b'{"a": NaN}', "the field `a` is NaN, which is not JSON"),
        (b'{"tool_input": {"n": [1, -Infinity]}}', "the field `tool_input.n[1]` is -Infinity, which is not JSON"),
        (b'{"tool_input": {"n": 1e999}}', "the field `tool_input.n` is 1e999, which is not JSON"),
        (b'{"a": {"x": 1, "x": 2}}', "the key `x` stands twice in one object"),
        (b'{"a":1,"a":1}', "the key `a` stands twice in one object"),
        (b'{"prompt": "\xff"}', "byte 12 in `prompt` is not valid UTF-8"),
        (b'{"prompt": "a\x00b"}', "not valid JSON at byte 13 in `prompt`: a raw control character (U+0000)"),
        (b'{"prompt": "\\ud800"}', "the field `prompt` is text with half a surrogate pair, which is not JSON"),
        (b'\xef\xbb\xbf{"a": 1}', "not valid JSON at byte 0: expecting value"),
        (b"\x00" * 8, "not valid JSON at byte 0: a raw control character (U+0000)"),
        (b'{"a": 1', "not valid JSON at byte 7 in `a`: it ends too early"),
        (b"{}", "the field `hook_event_name` is missing or not a string"),
        (b'{"hook_event_name": 3}', "the field `hook_event_name` is missing or not a string"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(text, message):
    assert refusal(text) == message


def test_ten_megabytes_are_refused_and_the_field_is_named():
    big = bash("x" * (MAX_BYTES + 1))
    assert refusal(big).endswith("bytes, most of it in `tool_input`")
    assert peek_event_name(big) == "PreToolUse"


def test_just_under_the_limit_is_read():
    event = decode(bash("x" * (MAX_BYTES - 400)))
    assert event.hook_event_name == "PreToolUse"


@pytest.mark.parametrize("nest", [b'{"a":' * 10_000 + b"1" + b"}" * 10_000, b"[" * 10_000 + b"]" * 10_000])
def test_ten_thousand_levels_are_refused_and_the_field_is_named(nest):
    deep = raw(call("Bash", command="ls")).replace(b'{"command": "ls"}', b'{"command": ' + nest + b"}")
    assert refusal(deep) == "values are nested more than 200 deep in `tool_input`"
    assert peek_event_name(deep) == "PreToolUse"


def test_nesting_without_an_object_around_it_is_refused_too():
    assert refusal(b"[" * 100_000) == "values are nested more than 200 deep"


def test_many_brackets_side_by_side_are_not_deep():
    assert decode(raw(call("Bash", command="ls", list=[[] for _ in range(5000)]))).hook_event_name == "PreToolUse"
    assert decode(bash("[" * 5000)).hook_event_name == "PreToolUse"


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (payload("PreToolUse", tool_name="Bash", tool_use_id="t"), "PreToolUse: the field `tool_input` is missing"),
        ({**call("Bash"), "tool_input": "ls"}, "PreToolUse: the field `tool_input` is a string; expected an object"),
        ({**call("Bash"), "tool_input": None}, "PreToolUse: the field `tool_input` is null; expected an object"),
        ({**call("Bash"), "session_id": 7}, "PreToolUse: the field `session_id` is an integer; expected a string"),
        ({**call("Bash"), "permission_mode": 1},
         "PreToolUse: the field `permission_mode` is an integer; expected a string or null"),
        (payload("Stop"), "Stop: the field `stop_hook_active` is missing"),
        (payload("Stop", stop_hook_active="no"),
         "Stop: the field `stop_hook_active` is a string; expected a boolean"),
        (payload("PostToolBatch", tool_calls=[{"tool_name": "Bash", "tool_input": {}}]),
         "PostToolBatch: the field `tool_calls[0].tool_use_id` is missing"),
        ({**call("Bash"), "mcp_server": {"name": "x"}}, "PreToolUse: the field `mcp_server.source` is missing"),
    ],
)  # fmt: skip
def test_missing_and_wrongly_typed_fields_are_named_in_the_words_of_json(event, message):
    assert refusal(raw(event)) == message


def test_an_escaped_nul_in_a_call_is_refused_and_in_a_result_it_is_not():
    assert refusal(bash("ls\0; rm")) == "the field `tool_input.command` contains a NUL character"
    assert refusal(raw(call("Write", files=[{"a\0": 1}]))) == "the field `tool_input.files[0]` contains a NUL character"
    result = payload("PostToolUse", tool_name="Bash", tool_input={}, tool_use_id="t", tool_response={"stdout": "\0"})
    assert decode(raw(result)).hook_event_name == "PostToolUse"
    # The same six characters as plain text are no NUL.
    assert decode(bash("printf '\\u0000'")).hook_event_name == "PreToolUse"


@pytest.mark.parametrize("separators", [(", ", ": "), (",", ":")])
def test_big_integers_floats_unicode_and_key_order_come_through_exactly(separators):
    sent = {"z": 2**80, "a": -(10**30), "f": 0.1, "g": 5e-324, "h": 1.0, "e": 1e22, "u": "naïve 🎉 ﷽", "é": {}}
    text = json.dumps({**call("T"), "tool_input": sent}, separators=separators, ensure_ascii=separators == (",", ":"))
    event = decode(text.encode())
    assert isinstance(event, PreToolUse)
    assert json.dumps(event.tool_input) == json.dumps(sent)


@given(
    st.dictionaries(st.text(max_size=6), JSON, max_size=4), st.sampled_from([(", ", ": "), (",", ":")]), st.booleans()
)
def test_what_json_writes_is_read_back_the_same(value, separators, ascii_only):
    text = json.dumps(value, separators=separators, ensure_ascii=ascii_only).encode()
    assert json.dumps(read_object(text)) == json.dumps(value)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused_in_words(text):
    try:
        assert isinstance(read_object(text), dict)
    except InterlockError as error:
        assert error.message
        assert "\n" not in error.message


@given(st.text(alphabet='{}[]":,\\ax', max_size=40))
def test_peeking_at_any_text_never_fails(text):
    peek_string(text.encode(), "a")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (raw(payload("Stop", stop_hook_active=False))[:-20], "Stop"),
        (b'{"hook_event_name":"PreToolUse","x":NaN}', "PreToolUse"),
        (b'{"x":[[[["]]"]]]],"hook_event_name" : "Stop" ,', "Stop"),
        (b'{"x":"a\\",\\"hook_event_name\\":\\"Stop\\"","hook_event_name":"PreToolUse"', "PreToolUse"),
        (b'{"tool_input":{"hook_event_name":"Stop"},"hook_event_name":"PreToolUse"', "PreToolUse"),
        (b'{"hook_event_name":"PreToolUse","hook_event_name":"Stop"}', None),
        (b'{"tool_input":{"hook_event_name":"Stop"', None),
        (b'{"hook_event_name":"Invented"', None),
        (b'{"hook_event_name":3', None),
        (b'[{"hook_event_name":"Stop"}]', None),
        (b"", None),
    ],
)
def test_the_event_of_a_broken_payload_is_known_only_where_it_is_certain(text, name):
    assert peek_event_name(text) == name


def test_peeking_reads_through_a_broken_encoding():
    assert peek_event_name(b'{"x":"\xff","hook_event_name":"Stop"}') == "Stop"
