"""Programs of jq: what they read, on which ways, and what they give."""

from __future__ import annotations

import pytest

from interlock.hook_lint.program import UNKNOWN
from interlock.hook_lint.read.shell.holes import EVENT, Holes
from interlock.hook_lint.read.shell.jq.grammar import JqError, read_jq
from interlock.hook_lint.read.shell.jq.values import HoleValue
from interlock.hook_lint.read.shell.jq.walk import JqWalk
from interlock.hook_lint.read.shell.notes import LineTable, ShellNotes


def run(text, given=None, **variables):
    """The ways through a program: their conditions, and what they give; and the fields that were read."""
    notes = ShellNotes()
    lines = LineTable(text)
    found = JqWalk(text, Holes(), notes, lines.span)
    ways = found.run(read_jq(text), HoleValue(EVENT) if given is None else given, variables)
    plain = [
        ([f"{'' if holds else '! '}{ask.text}" for ask, holds in way.conditions], [found.plain(v) for v in way.values])
        for way in ways
    ]
    return plain, {".".join(read.path) for read in notes.all_reads() if read.is_last}


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (".tool_name", {"tool_name"}),
        (".tool_input.command", {"tool_input.command"}),
        (".tool_input?.command?", {"tool_input.command"}),
        ('."tool_input"."command"', {"tool_input.command"}),
        ('.["tool_input"].command', {"tool_input.command"}),
        (".tool_input | .command", {"tool_input.command"}),
        (".tool_input.edits[].new_string", {"tool_input.edits.*.new_string"}),
        (".tool_input.edits[0].new_string", {"tool_input.edits.*.new_string"}),
        (".tool_input[$key]", {"tool_input.*"}),
        (".tool_input.command // .tool_input.cmd // empty", {"tool_input.command", "tool_input.cmd"}),
        ("[.tool_name, .cwd] | @tsv", {"tool_name", "cwd"}),
        ('"\\(.tool_name): \\(.tool_input.command)"', {"tool_name", "tool_input.command"}),
        ("{tool_name, x: .cwd}", {"tool_name", "cwd"}),
        (".tool_input as {command: $c} | $c", {"tool_input"}),
        ('if .tool_name == "Bash" then .tool_input.command else .cwd end', {"tool_name", "tool_input.command", "cwd"}),
        ("select(.tool_name) | .cwd", {"tool_name", "cwd"}),
        ("try .tool_name catch .cwd", {"tool_name"}),
        ("def f(x): x | .command; f(.tool_input)", {"tool_input.command"}),
        ("def f($x): $x.command; f(.tool_input)", {"tool_input.command"}),
        ("reduce .tool_input.edits[] as $e (\"\"; . + $e.new_string)", {"tool_input.edits.*"}),
        ("[.tool_input | to_entries[] | .value] | join(\" \")", {"tool_input"}),
        ("1 + 2", set()),
        ('"x" | .y?', set()),
    ],
)  # fmt: skip
def test_the_fields_that_are_read(text, fields):
    assert run(text)[1] == fields


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("1, 2", [([], [1, 2])]),
        ("empty", [([], [])]),
        ('"a" + "b"', [([], ["ab"])]),
        ("[1, 2] | map(. + 1)", [([], [[UNKNOWN, UNKNOWN]])]),
        ('["a", "b"] | join("-")', [([], ["a-b"])]),
        ('{a: 1, "b": 2, ("c"): 3}', [([], [{"a": 1, "b": 2, "c": 3}])]),
        ("{a: {b: 1}} | .a.b", [([], [1])]),
        ("{a: 1} | .a = 2", [([], [{"a": 2}])]),
        ("{} | .a.b = 1", [([], [{"a": {"b": 1}}])]),
        ("null // 1", [([], [1])]),
        ("$x", [([], ["given"])]),
        ("$x | ascii_upcase", [([], ["GIVEN"])]),
        ('"a" == "a"', [([], [True])]),
        ('if 1 == 1 then "y" else "n" end', [([], ["y"])]),
        ("if false then 1 elif true then 2 else 3 end", [([], [2])]),
        (".tool_name", [([], [UNKNOWN])]),
        ('"a \\(.tool_name) b"', [([], ["a … b"])]),
        ("tojson", [([], [UNKNOWN])]),
        ("{a: 1} | tojson", [([], ['{"a":1}'])]),
        ("@base64 \"x\"", [([], ["x"])]),
        ('select(.tool_name == "Bash")',
         [(['.tool_name == "Bash"'], [UNKNOWN]), (['! .tool_name == "Bash"'], [])]),
        ('if .tool_input.command | test("rm") then {decision: "block"} else {} end',
         [(['test("rm")'], [{"decision": "block"}]), (['! test("rm")'], [{}])]),
        ('if .a == "x" and (.b | not) then 1 else 2 end',
         [(['.a == "x" and (.b | not)'], [1]), (['! .a == "x" and (.b | not)'], [2])]),
        ('if .tool_input.file_path | type == "string" then 1 else 2 end', [([], [1])]),
        ('error("no")', [([], [])]),
    ],
)  # fmt: skip
def test_what_it_gives_on_each_way(text, ways):
    assert run(text, x="given")[0] == ways


@pytest.mark.parametrize(
    "text",
    [".a |", "{a: }", "if .a then", ".[", '"abc', "(1", ".a b", "%", '"\\q"', "as $x | 1", "def f: 1"],
)
def test_what_is_no_program_is_refused(text):
    with pytest.raises(JqError):
        read_jq(text)


def test_a_program_is_read_within_bounds():
    deep = ["(" * 500 + "." + ")" * 500, "-" * 3000 + "1", "[" * 999, "try " * 3000 + ".", "." + "|." * 1500]
    for text in (*deep, "." * 30_000):
        with pytest.raises(JqError):
            read_jq(text)
    wide = " | ".join("(if .a then .b else .c end)" for _ in range(60))
    assert len(run(wide)[0]) <= 12


def test_a_program_that_cannot_be_read_gives_something_unknown():
    from tests.hook_lint.read.shell.reading import program

    found = program("C=$(jq -r '.tool_input[[')\n[[ $C == *rm* ]] && exit 2\nexit 0\n")
    assert [one.code for one in found.endings] == [2, 0]
    assert found.reads == ()
    assert found.reads_event
