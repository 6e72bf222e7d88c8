"""Calls: what is denied, changed, asked about, refused, and what passes untouched."""

from __future__ import annotations

import json

import pytest

from interlock.binding.mcp.lines import TooLong
from tests.binding.mcp.world import call, denied, error, line, notification, request, result, text


def test_what_is_not_judged_is_passed_on_byte_for_byte_in_order(world):
    lines = [
        b'{"jsonrpc": "2.0", "id": 1,  "method": "ping"}\n',
        b'{"params":{"x":[1.0,1e3,"\\u00e9"]},"method":"custom/thing","id":"a","jsonrpc":"2.0"}\r\n',
        b'{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}\n',
        b'{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"_meta":{"progressToken":7}, "name":"look"}}\n',
    ]
    world.says(*lines)
    assert world.raw_server == lines
    assert world.client == []


def test_what_the_server_says_is_passed_on_byte_for_byte_in_order(world):
    world.says(request(1, "ping"), request(2, "resources/list"))
    lines = [
        b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":7, "progress":1}}\n',
        b'{"jsonrpc":"2.0","id":"s1","method":"sampling/createMessage","params":{"messages":[]}}\n',
        b'{"result":{},"jsonrpc":"2.0","id":1}\n',
        b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"\\ud83d"}}\n',
        b'{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no"}}\n',
    ]
    world.answers(*lines)
    assert world.raw_client == lines


def test_a_denied_call_never_reaches_the_server_and_says_every_reason(world):
    world.says(call(1, "delete", path="/x"))
    assert world.server == []
    why = "Denied: (1) Nothing is deleted. (2) Not today either. Both must be resolved."
    assert world.client == [denied(1, why)]


def test_a_call_that_nobody_minds_is_passed_on_as_it_was_written(world):
    written = b'{"jsonrpc":"2.0", "id":"x", "method":"tools/call", "params":{"name":"look","arguments":{"n":1.50}}}\n'
    world.says(written)
    world.answers(text("x", "fine"))
    assert (world.raw_server, world.raw_client) == ([written], [line(text("x", "fine"))])


def test_a_method_written_with_escapes_is_a_call_too(world):
    world.says(b'{"jsonrpc":"2.0","id":1,"method":"tools\\u002fcall","params":{"name":"delete"}}\n')
    assert world.server == []
    assert world.client[0]["result"]["isError"] is True


def test_a_changed_call_keeps_everything_else_and_the_model_is_told(world):
    written = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"shout","arguments":{"text":"HI","n":1.50},"_meta":{"progressToken":9}}}\n'  # noqa: E501
    world.says(written)
    assert world.raw_server == [written.replace(b'"HI"', b'"hi"').replace(b"1.50", b"1.5")]
    world.answers(text(1, "done"))
    blocks = world.client[0]["result"]["content"]
    assert [block["text"] for block in blocks] == [
        "done",
        'Interlock changed `text` of this call from "HI" to "hi" (lower).',
    ]


@pytest.mark.parametrize(
    ("params", "why"),
    [
        ({"name": 7}, "the field `params.name` is missing or not a string"),
        ({"arguments": {}}, "the field `params.name` is missing or not a string"),
        ({"name": "look", "arguments": [1]}, "the field `params.arguments` is not an object"),
        ({"name": "look", "Arguments": {"a": 1}}, "the key `params.Arguments` may pass for `arguments`"),
        ([1], "the field `params` is missing or not an object"),
    ],
)
def test_a_call_that_is_not_certain_is_refused(world, params, why):
    world.says({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params})
    assert world.server == []
    assert world.client == [error(1, f"Interlock: this call is refused: {why}", -32602)]


@pytest.mark.parametrize(
    "written",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"delete"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","\\u006dethod":"tools/call","params":{"name":"delete"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping","params":{"name":"delete"}}\n',
        b'{"jsonrpc":"2.0","id":1,"Method":"tools/call","method":"ping","params":{"name":"delete"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"x","params":[\r{"jsonrpc":"2.0","id":2,"method":"tools/call"}\r]}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","name":"delete"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"a":1,"a":2}}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"a":NaN}}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look","arguments":{"a":"\\ud800"}}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","result":{}}\n',
        b'{"jsonrpc":"2.0","id":true,"method":"tools/call","params":{"name":"look"}}\n',
        b'{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"look"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"look"}}{"a":1}\n',
        b'{"jsonrpc":"2.0","id":1,"method":\n',
        b'"method":"tools/call","params":{"name":"look"}}\n',
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"l\xff"}}\n',
        b"[]\n",
        b"[[{}]]\n",
        b"7\n",
        b"not JSON\n",
        b"{" * 5000 + b"\n",
        b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    ],
)
def test_what_could_be_read_in_two_ways_or_not_at_all_is_never_passed_on(world, written):
    world.says(written)
    assert world.raw_server == []
    assert len(world.client) == 1
    assert "error" in world.client[0]


def test_odd_things_inside_a_message_that_is_not_judged_do_not_matter(world):
    lines = [
        b'{"jsonrpc":"2.0","id":"s","result":{"text":"half \\ud83d","text":"twice"}}\n',
        b'{"jsonrpc":"2.0","method":"x","params":{"n":NaN}}\n',
    ]
    world.says(*lines)
    assert world.raw_server == lines


def test_a_call_that_wants_no_answer_is_dropped(world):
    world.says(notification("tools/call", name="look"))
    assert (world.server, world.client) == ([], [])
    assert "without an id" in world.told[-1]


def test_a_line_that_is_too_long_is_refused_with_its_id(world):
    world.says(TooLong(b'{"jsonrpc":"2.0","id":"big","method":"tools/call"', b'xxx"}}', 99_000_000))
    assert world.client == [error("big", "Interlock: a message of 99,000,000 bytes is too large", -32700)]


def test_ids_of_both_kinds_are_told_apart(world):
    world.says(call(1, "look"), call("1", "look"))
    assert len(world.server) == 1, 'a client that reads `"1"` as 1 could not tell their answers apart'
    assert world.client == [error("1", "Interlock: a request with this id is open already", -32600)]


def test_an_id_may_be_used_again_once_it_is_answered(world):
    world.says(call(1, "look"))
    world.answers(text(1, "a"))
    world.says(call(1, "look"))
    world.answers(text(1, "b"))
    assert [message["result"]["content"][0]["text"] for message in world.client] == ["a", "b"]


def test_a_second_call_under_an_open_id_is_refused(world):
    world.says(call(1, "look"), call(1, "delete"))
    assert [message["params"]["name"] for message in world.server] == ["look"]


def test_the_calls_of_a_batch_are_judged_each_for_itself(world):
    batch = [call(1, "look"), call(2, "delete"), notification("notifications/x"), request(3, "ping")]
    world.says(json.dumps(batch).encode() + b"\n")
    assert [message.get("id", message["method"]) for message in world.server] == [1, "notifications/x", 3]
    assert [message["id"] for message in world.client] == [2]


def test_a_batch_without_calls_goes_on_as_it_is(world):
    batch = json.dumps([request(1, "ping"), notification("x"), request(2, "resources/list")]).encode() + b"\n"
    world.says(batch)
    assert world.raw_server == [batch]
    answers = json.dumps([result(1, {}), result(2, {})]).encode() + b"\n"
    world.answers(answers)
    assert world.raw_client == [answers]


def test_a_slow_verdict_holds_back_what_comes_behind_it_but_not_for_long(make):
    world = make(lazy=True)
    world.says(call(1, "look"), request(2, "ping"))
    assert world.server == []
    assert world.proxy.tick() == pytest.approx(1.0)
    world.time = 1.5
    assert world.proxy.tick() is None
    assert [message["id"] for message in world.server] == [2]
    world.do()
    assert [message["id"] for message in world.server] == [2, 1]


def test_calls_judged_out_of_turn_go_in_turn(make):
    world = make(lazy=True)
    world.says(call(1, "look"), call(2, "look"), call(3, "delete"), call(4, "look"))
    world.do(3, 2, 1)
    assert world.server == []
    world.do()
    assert [message["id"] for message in world.server] == [1, 2, 4]


def test_a_call_cancelled_while_it_is_judged_never_runs(make):
    world = make(lazy=True)
    world.says(call(1, "look"), notification("notifications/cancelled", requestId=1))
    world.says(call(3, "delete"), notification("notifications/cancelled", requestId=3))
    world.do()
    assert (world.server, world.client) == ([], [])
    world.says(request(2, "ping"))
    assert [message["id"] for message in world.server] == [2], "nothing is held back by it either"


def test_a_call_that_runs_is_cancelled_at_the_server(world):
    cancelled = line(notification("notifications/cancelled", requestId=1, reason="slow"))
    world.says(call(1, "look"), cancelled)
    assert world.raw_server[-1] == cancelled


def test_a_bug_on_the_way_to_the_policies_denies(world):
    def fail(raw: bytes, asks: object) -> None:
        raise ZeroDivisionError("oops")

    world.judge._answer = fail
    world.says(call(1, "look"))
    assert world.server == []
    assert world.client == [denied(1, "Interlock itself failed: ZeroDivisionError: oops")]


def test_a_denied_call_for_a_task_is_an_error_since_its_client_waits_for_a_task(world):
    world.says(request(1, "tools/call", name="delete", arguments={}, task={"ttl": 1}))
    assert world.client[0]["error"]["message"].startswith("Denied: (1) Nothing is deleted.")
