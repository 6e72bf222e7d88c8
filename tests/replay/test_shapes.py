"""Which calls a person would call the same."""

from __future__ import annotations

from typing import Any

import pytest

from interlock.replay.shapes import command_shapes, folders_of, line_of, shape_of
from interlock.replay.steps import Occasion, PastCall, PastPrompt

AROUND = Occasion(0.0, "/home/dev/shop", "", None, "", "", "s.jsonl:1")


def call(tool: str, **given: Any) -> PastCall:
    return PastCall("t1", tool, given, AROUND, "u1")


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("git reset --hard HEAD~1", "git reset --hard"),
        ("git -C /other reset --hard", "git reset -C --hard"),
        ("git stash drop stash@{1}", "git stash drop"),
        ("gh pr merge 12 --squash", "gh pr merge --squash"),
        ("cd src && git reset --hard", "git reset --hard"),
        ("rm -rf build", "rm -rf"),
        ("rm -rf dist other", "rm -rf"),
        ("kill 123", "kill"),
        ("echo hi", "echo"),
        ("make test | tail -5", "make test; tail -5"),
        ("a; b; c; d", "a; b; c …"),
        ("", "a shell line"),
    ],
)
def test_the_shape_of_a_line_is_its_programs_subcommands_and_options(line: str, shape: str):
    assert shape_of(call("Bash", command=line)) == shape


def test_if_a_reason_quotes_a_command_the_shape_is_that_of_this_command():
    line = call("Bash", command="make test && git stash drop && ls")
    assert shape_of(line, "`git stash drop` discards unsaved work.") == "git stash drop"
    assert command_shapes(line, "`git stash drop` discards unsaved work.") == {"git stash drop"}
    assert shape_of(line, "Nothing is quoted.") == "make test; git stash drop; ls"


@pytest.mark.parametrize(
    ("what", "shape", "line"),
    [
        (call("Write", file_path="/a/b.py", content="x"), "Write *.py", "Write /a/b.py"),
        (call("Read", file_path="/a/.env"), "Read .env", "Read /a/.env"),
        (call("Read", file_path="/a/Makefile"), "Read Makefile", "Read /a/Makefile"),
        (call("WebFetch", url="https://docs.example/a?b", prompt="x"), "WebFetch docs.example",
         "WebFetch https://docs.example/a?b"),
        (call("Agent", prompt="Do\n it", description="x"), "Agent", "Agent Do it"),
        (call("mcp__pay__refund", amount=5), "mcp__pay__refund", "mcp__pay__refund {\"amount\":5}"),
        (PastPrompt("Say\nhello", AROUND, "u1"), "a prompt", "prompt: Say hello"),
    ],
)  # fmt: skip
def test_other_calls_are_told_apart_by_what_they_are_about(what: PastCall | PastPrompt, shape: str, line: str):
    assert (shape_of(what), line_of(what)) == (shape, line)


def test_exceptions_are_only_offered_for_commands_that_say_by_themselves_what_they_do():
    assert command_shapes(call("Bash", command="rm -rf /x; git push; sudo git gc"), "") == {"git push"}


def test_folders_are_those_of_absolute_paths():
    line = "rm -rf /tmp/build/a /tmp/b src/c /x $HOME/d"
    assert folders_of(call("Bash", command=line)) == {"/tmp/build", "/tmp"}
    assert folders_of(call("Write", file_path="/tmp/build/a")) == {"/tmp/build"}
