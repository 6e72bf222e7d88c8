"""Facts: what each tool's call runs, reads, writes and reaches."""

from typing import Any

import pytest

from interlock.event import event_from
from interlock.facts.fields import ToolUse
from interlock.facts.gather import Facts, PathUse, gather
from interlock.facts.paths import Places
from interlock.facts.urls import Url
from tests.builders import call, payload, result

PLACES = Places("/proj/sub", "/proj", "/home/dev")
OLD = "/proj/sub/old.txt"


def facts(tool: str, given: dict[str, Any], declared: dict[str, ToolUse] | None = None) -> Facts:
    event = event_from(call(tool, **given))
    return gather(event, given, PLACES, lambda path: path == OLD, declared)


def written(path: str) -> PathUse:
    return PathUse(path, write=True, create=path != OLD)


@pytest.mark.parametrize(
    ("tool", "given", "paths", "texts"),
    [
        ("Read", {"file_path": "a"}, (PathUse("/proj/sub/a", read=True),), ()),
        (
            "Glob",
            {"pattern": "*.py", "path": "/x"},
            (PathUse("/x", read=True), PathUse("/proj/sub/*.py", read=True)),
            (),
        ),
        ("Glob", {"pattern": "~/.ssh/*"}, (PathUse("/home/dev/.ssh/*", read=True),), ()),
        ("Grep", {"pattern": "x", "path": "~/a"}, (PathUse("/home/dev/a", read=True),), ()),
        ("LS", {"path": ".."}, (PathUse("/proj", read=True),), ()),
        ("NotebookRead", {"notebook_path": "a.ipynb"}, (PathUse("/proj/sub/a.ipynb", read=True),), ()),
        ("Write", {"file_path": "new.txt", "content": "t"}, (written("/proj/sub/new.txt"),), ("t",)),
        ("Write", {"file_path": "old.txt", "content": "t"}, (written(OLD),), ("t",)),
        ("Edit", {"file_path": "old.txt", "old_string": "o", "new_string": "n"}, (written(OLD),), ("n",)),
        (
            "MultiEdit",
            {"file_path": "old.txt", "edits": [{"new_string": "n"}, {"new_string": "m"}]},
            (written(OLD),),
            ("n", "m"),
        ),
        ("NotebookEdit", {"notebook_path": "b.ipynb", "new_source": "s"}, (written("/proj/sub/b.ipynb"),), ("s",)),
        ("Skill", {"skill": "x"}, (), ()),
        ("mcp__x__Write", {"file_path": "a", "content": "t"}, (), ()),
    ],
)
def test_file_tools_touch_their_paths(tool, given, paths, texts):
    found = facts(tool, given)
    assert (found.paths, found.texts, found.commands, found.urls, found.opaque) == (paths, texts, (), (), False)


@pytest.mark.parametrize("tool", ["Bash", "Monitor", "PowerShell"])
def test_shell_tools_run_their_command(tool):
    (command,) = facts(tool, {"command": "git push"}).commands
    assert (command.program, command.args) == ("git", ("push",))
    assert facts(tool, {"command": "git push; rm x"}).opaque
    assert facts(tool, {}) == Facts(opaque=tool == "PowerShell")  # which nobody here can read


@pytest.mark.parametrize(
    ("line", "hosts"),
    [
        ("curl https://a.org/x b.org", ["a.org", "b.org"]),
        ("curl -o out.txt https://a.org", ["out.txt", "a.org"]),
        ("wget a.org/x", ["a.org"]),
        ("git clone https://a.org/x", ["a.org"]),
        ("git clone a.org", []),
        ("echo a.b", []),
        ("curl -s localhost", ["localhost"]),
    ],
)
def test_addresses_among_the_words_of_a_command_are_reached(line, hosts):
    assert [url.host for url in facts("Bash", {"command": line}).urls] == hosts


def test_a_fetch_reaches_its_address():
    assert facts("WebFetch", {"url": "https://a.org/x", "prompt": "p"}).urls == (
        Url("https://a.org/x", "a.org", None, "https://a.org/x"),
    )
    assert facts("WebSearch", {"query": "a.org"}).urls == ()


def test_a_declared_tool_means_what_the_policy_says():
    declared = {
        "mcp__x__do": ToolUse(
            command=("cmd",), read=("from", "more.path"), write=("to",), url=("links",), content=("body",)
        )
    }
    given = {
        "cmd": "ls", "from": "a", "more": [{"path": "b"}, {"path": "c"}, {"other": "d"}], "to": ["old.txt", "e"],
        "links": ["https://a.org", "no address", "b.org"], "body": "text",
    }  # fmt: skip
    found = facts("mcp__x__do", given, declared)
    assert [command.program for command in found.commands] == ["ls"]
    assert found.paths == (
        *(PathUse(f"/proj/sub/{name}", read=True) for name in "abc"), written(OLD), written("/proj/sub/e"),
    )  # fmt: skip
    assert [url.host for url in found.urls] == ["a.org", "b.org"]
    assert found.texts == ("text",)
    assert facts("mcp__x__done", given, declared) == Facts()


@pytest.mark.parametrize("value", [5, None, True, {"a": "b"}, [1, None], [[["x"]]]])
def test_a_field_of_the_wrong_kind_is_no_error(value):
    for tool, field in (("Bash", "command"), ("Read", "file_path"), ("WebFetch", "url"), ("Write", "content")):
        facts(tool, {field: value})


@pytest.mark.parametrize("value", [5, {"a": "b"}, ["rm", "x"]])
def test_a_command_that_is_no_text_is_not_taken_for_no_command(value):
    found = facts("Bash", {"command": value})
    assert found.opaque or found.commands


def test_secrets_are_looked_for_in_commands_contents_and_results():
    key = "AKIA" + "ABCDEFGHIJKLMNOP"
    assert [secret.kind for secret in facts("Bash", {"command": f"echo {key}"}).secrets] == ["AWS access key"]
    assert [s.kind for s in facts("Write", {"file_path": "a", "content": key}).secrets] == ["AWS access key"]
    assert facts("Write", {"file_path": "a", "content": "x"}).secrets == ()
    event = event_from(result("Read", {"file": {"content": key}, "n": [5, "x"]}, file_path="a"))
    found = gather(event, {"file_path": "a"}, PLACES, lambda path: False)
    assert (found.texts, [s.kind for s in found.secrets]) == ((key, "x"), ["AWS access key"])


def test_facts_are_of_the_input_that_would_run_and_not_of_the_original():
    event = event_from(call("Read", file_path="a"))
    found = gather(event, {"file_path": "b"}, PLACES, lambda path: False)
    assert found.paths == (PathUse("/proj/sub/b", read=True),)


def test_events_without_a_call_have_no_facts():
    event = event_from(payload("Stop", stop_hook_active=False))
    assert gather(event, {}, PLACES, lambda path: False) == Facts()
