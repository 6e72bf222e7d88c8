"""What a host may do to an input on the way to the tool, and what it may not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from interlock.facts.paths import Places
from interlock.receipts.normal_form import differing, encode_input

PLACES = Places(cwd="/home/dev/shop", project="/home/dev/shop", home="/home/dev")

# (what it is, tool, answered for, what ran): each was seen with Claude Code 2.1.325.
SAME = [
    ("nothing", "Bash", {"command": "ls"}, {"command": "ls"}),
    ("order", "Bash", {"command": "ls", "timeout": 5}, {"timeout": 5, "command": "ls"}),
    ("absolute path", "Read", {"file_path": "a.txt"}, {"file_path": "/home/dev/shop/a.txt"}),
    ("dots", "Read", {"file_path": "sub/../b.md"}, {"file_path": "/home/dev/shop/b.md"}),
    ("slashes", "Write", {"file_path": "sub//../q.txt/", "content": "x"},
     {"file_path": "/home/dev/shop/q.txt", "content": "x"}),
    ("home", "Read", {"file_path": "~/x"}, {"file_path": "/home/dev/x"}),
    ("notebook", "NotebookEdit", {"notebook_path": "n.ipynb", "new_source": "1"},
     {"notebook_path": "/home/dev/shop/n.ipynb", "new_source": "1"}),
    ("text to number", "Bash", {"command": "ls", "timeout": "5000"}, {"command": "ls", "timeout": 5000}),
    ("whole number", "Read", {"file_path": "/a", "limit": 1.0}, {"file_path": "/a", "limit": 1}),
    ("text to boolean", "Edit", {"file_path": "/a", "old_string": "a", "new_string": "b", "replace_all": "true"},
     {"file_path": "/a", "old_string": "a", "new_string": "b", "replace_all": True}),
    ("default", "Edit", {"file_path": "/a", "old_string": "a", "new_string": "b"},
     {"file_path": "/a", "old_string": "a", "new_string": "b", "replace_all": False}),
    ("unknown field dropped", "Bash", {"command": "ls", "zzz": 2}, {"command": "ls"}),
    ("unknown field kept", "Bash", {"command": "ls", "zzz": 2}, {"command": "ls", "zzz": 2}),
    ("shown before the call only", "SendMessage", {"to": "bob", "message": "hi", "recipient": "bob", "content": "hi"},
     {"to": "bob", "message": "hi"}),
    ("number inside an MCP call", "mcp__pay__refund", {"lines": [{"amount": 5.0}]}, {"lines": [{"amount": 5}]}),
]  # fmt: skip

OTHER = [
    ("path", "Read", {"file_path": "a.txt"}, {"file_path": "/home/dev/a.txt"}),
    ("path below", "Read", {"file_path": "a"}, {"file_path": "/home/dev/shop/a/b"}),
    ("somebody's home", "Read", {"file_path": "~bob/x"}, {"file_path": "/home/dev/bob/x"}),
    ("the working directory of a process", "Read", {"file_path": "/proc/1/cwd/x"}, {"file_path": "/home/dev/shop/x"}),
    ("number", "Bash", {"command": "ls", "timeout": "5000"}, {"command": "ls", "timeout": 500}),
    ("boolean", "Edit", {"file_path": "/a", "old_string": "a", "new_string": "b", "replace_all": "false"},
     {"file_path": "/a", "old_string": "a", "new_string": "b", "replace_all": True}),
    ("added, not the default", "Edit", {"file_path": "/a", "old_string": "a", "new_string": "b"},
     {"file_path": "/a", "old_string": "a", "new_string": "b", "replace_all": True}),
    ("known field dropped", "Bash", {"command": "ls", "run_in_background": True}, {"command": "ls"}),
    ("known field added", "Bash", {"command": "ls"}, {"command": "ls", "dangerouslyDisableSandbox": True}),
    ("unknown field added", "Bash", {"command": "ls"}, {"command": "ls", "zzz": 2}),
    ("unknown field changed", "Bash", {"command": "ls", "zzz": 1}, {"command": "ls", "zzz": 2}),
    ("white space in a command", "Bash", {"command": "ls"}, {"command": "ls\n"}),
    ("end of a file", "Write", {"file_path": "/a", "content": "x\n"}, {"file_path": "/a", "content": "x"}),
    ("text that looks like a path", "Bash", {"command": "./a"}, {"command": "/home/dev/shop/a"}),
    ("text that looks like a number", "Bash", {"command": "5"}, {"command": 5}),
    ("number of an MCP call", "mcp__pay__refund", {"amount": "7"}, {"amount": 7}),
    ("field of a tool nobody described", "mcp__pay__refund", {"amount": 7, "note": "x"}, {"amount": 7}),
    ("true and 1", "mcp__pay__refund", {"now": True}, {"now": 1}),
    ("numbers too large to be exact", "mcp__pay__refund", {"id": 2.0**53}, {"id": 2**53}),
]  # fmt: skip


def same(tool, answered, ran):
    return not differing(tool, answered, ran, PLACES, PLACES)


@pytest.mark.parametrize(("tool", "answered", "ran"), [row[1:] for row in SAME], ids=[row[0] for row in SAME])
def test_what_a_host_normalises_is_the_same_call(tool, answered, ran):
    assert same(tool, answered, ran)


@pytest.mark.parametrize(("tool", "answered", "ran"), [row[1:] for row in OTHER], ids=[row[0] for row in OTHER])
def test_anything_else_is_another_call(tool, answered, ran):
    assert not same(tool, answered, ran)


def test_the_fields_that_differ_are_named():
    answered = {"command": "ls", "timeout": "5", "zzz": 1}
    ran = {"command": "ls -l", "timeout": 5, "run_in_background": True, "yyy": 2}
    assert differing("Bash", answered, ran, PLACES, PLACES) == ["command", "run_in_background", "yyy"]


def test_a_relative_path_starts_where_the_agent_stood_when_it_was_answered():
    moved = Places(cwd="/home/dev/shop/sub", home="/home/dev")
    answered = {"file_path": "a.txt"}
    assert differing("Read", answered, {"file_path": "/home/dev/shop/a.txt"}, PLACES, moved) == []
    assert differing("Read", answered, {"file_path": "/home/dev/shop/sub/a.txt"}, PLACES, moved) == ["file_path"]


def test_an_input_is_the_same_bytes_whatever_its_order():
    assert encode_input({"b": 1, "a": {"d": 1, "c": 2}}) == b'{"a":{"c":2,"d":1},"b":1}'
    assert encode_input({"b": 10**30, "a": 1}) == b'{"a":1,"b":1000000000000000000000000000000}'


def test_a_number_over_64_bits_can_be_compared():
    big = {"id": 10**30}
    assert same("mcp__x__y", big, dict(big))
    assert not same("mcp__x__y", big, {"id": 10**30 + 1})


inputs = st.dictionaries(
    st.sampled_from(["command", "timeout", "description", "zzz", "file_path", "replace_all"]),
    st.text(max_size=4) | st.integers() | st.booleans() | st.floats(allow_nan=False, allow_infinity=False) | st.none(),
)
tools = st.sampled_from(["Bash", "Read", "Edit", "mcp__a__b", "Nobody"])


@settings(deadline=None)
@given(tools, inputs)
def test_what_ran_unchanged_is_always_the_same_call(tool, given_):
    assert same(tool, given_, dict(given_))


@settings(deadline=None)
@given(tools, inputs, st.text(min_size=1, max_size=5))
def test_another_command_is_never_the_same_call(tool, given_, more):
    command = str(given_.get("command", ""))
    assert not same(tool, {**given_, "command": command}, {**given_, "command": command + more}) or tool in (
        "Read",
        "Edit",  # which have no such field: the host drops it
    )
