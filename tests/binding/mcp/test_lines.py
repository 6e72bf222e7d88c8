"""Bytes into lines, ids, and lanes."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as some

from interlock.binding.mcp.lane import Lane
from interlock.binding.mcp.lines import Lines, TooLong
from interlock.binding.mcp.messages import Batch, Message, find_id, key_of, read_message, with_params
from interlock.binding.mcp.run import name_of
from interlock.errors import InterlockError

values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False, allow_infinity=False) | some.text(),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner),
    max_leaves=10,
)


@given(some.lists(some.binary(max_size=40).map(lambda line: line.replace(b"\n", b"") + b"\n")), some.data())
def test_however_bytes_come_the_lines_are_the_same(lines, data):
    whole, reader, found = b"".join(lines), Lines(100), []
    while whole:
        size = data.draw(some.integers(1, len(whole)))
        found += reader.feed(whole[:size])
        whole = whole[size:]
    assert found == lines
    assert reader.end() == []


def test_a_line_that_is_too_long_leaves_its_ends_and_no_trace_in_the_next():
    reader = Lines(2000)
    long = b"a" * 1500 + b"b" * 1500 + b"\n"
    found = [line for start in range(0, 3001, 100) for line in reader.feed(long[start : start + 100])]
    assert found == [TooLong(b"a" * 1024, b"b" * 1023 + b"\n", 3001)]
    assert reader.feed(b"next\nrest") == [b"next\n"]
    assert reader.end() == [b"rest"]


@given(some.binary() | values.map(lambda value: json.dumps(value).encode()))
def test_any_line_is_a_message_a_batch_or_refused(line):
    try:
        found = read_message(line + b"\n")
    except InterlockError:
        return
    assert isinstance(found, Message | Batch)


@given(some.dictionaries(some.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]), values))
def test_a_message_is_of_one_kind_for_everybody(value):
    try:
        found = read_message(json.dumps(value).encode() + b"\n")
    except InterlockError:
        return
    assert isinstance(found, Message)
    assert (found.kind == "response") == ("result" in value or "error" in value) == ("method" not in value)
    assert found.kind != "request" or isinstance(value["id"], int | float | str)


@given(values, some.dictionaries(some.text(), values))
def test_other_arguments_leave_the_rest_of_a_message_alone(arguments, more):
    before = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {**more, "arguments": {}}, "x": [1.5]}
    after = json.loads(with_params(json.dumps(before).encode(), {"arguments": arguments}))
    assert after == {**before, "params": {**more, "arguments": arguments}}


@pytest.mark.parametrize(
    ("head", "tail", "id_"),
    [
        (b'{"jsonrpc":"2.0","id":7,"result":{', b'"}', 7),
        (b'{"id" : "a-b" , "result":', b"", "a-b"),
        (b'{"result":{', b'}]},"jsonrpc":"2.0","id":12}\n', 12),
        (b'{"result":{', b'},"id":"x","jsonrpc":"2.0"}\n', "x"),
        (b'{"result":{"id":5,', b'"id":5}}\n', None),
        (b'{"result":"{\\"id\\":5}', b'\\"id\\":5}"}', None),
        (b"", b"", None),
    ],
)
def test_an_id_is_found_where_servers_write_it_and_nowhere_else(head, tail, id_):
    assert find_id(head, tail) == id_


def test_ids_of_two_kinds_are_two_unless_only_one_is_known():
    assert key_of(1) != key_of("1")
    assert key_of("1", {("number", 1): None}) == ("number", 1)
    assert key_of(1, {("text", "1"): None}) == ("text", "1")
    assert key_of("01x", {("number", 1): None}) == ("text", "01x")


@given(some.permutations(range(5)), some.sets(some.integers(0, 4)))
def test_whoever_keeps_their_place_goes_in_order(order, leaving):
    sent: list[bytes] = []
    lane = Lane(sent.append, 1.0)
    places = [lane.hold(0.0) for _ in range(5)]
    for number in sorted(leaving):
        lane.leave(places[number])
    for number in order:
        places[number].fill(b"%d" % number)
    stayed = [int(data) for data in sent if int(data) not in leaving]
    assert stayed == sorted(stayed)
    assert sorted(sent) == [b"0", b"1", b"2", b"3", b"4"]
    assert lane.is_idle


@pytest.mark.parametrize(
    ("command", "url", "name"),
    [
        (["npx", "-y", "@modelcontextprotocol/server-filesystem@1.2", "/tmp"], "", "server-filesystem"),
        (["uvx", "mcp-server-git@latest", "--repository", "."], "", "mcp-server-git"),
        (["/usr/bin/python3", "-m", "my_server"], "", "my_server"),
        (["python", "/srv/shop.py"], "", "shop"),
        (["/opt/bin/mcp-server-time"], "", "mcp-server-time"),
        (["npx"], "", "npx"),
        ([], "https://crm.example.com:8443/mcp", "crm.example.com"),
    ],
)
def test_a_server_that_nobody_named_goes_by_what_is_run(command, url, name):
    assert name_of(command, url) == name
