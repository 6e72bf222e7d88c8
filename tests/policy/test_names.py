"""Patterns for names: who they mean, and what only widens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot

from interlock.errors import InterlockError
from interlock.policy.names import NamePattern, ToolPattern

MCP_TWIN = "mcp__payments__process_refund"


@pytest.mark.parametrize(
    ("pattern", "tool", "match"),
    [
        ("process_refund", "process_refund", "exact"),
        ("process_refund", MCP_TWIN, "widened"),
        ("process_refund", "mcp__plugin_shop_pay__process_refund", "widened"),
        ("process_refund", "mcp__pay__ments__process_refund", "widened"),
        ("process_refund", "mcp__payments__process_refund_all", None),
        ("process_refund", "mcp__payments__auto_process_refund", None),
        ("process_refund", "reprocess_refund", None),
        (MCP_TWIN, MCP_TWIN, "exact"),
        (MCP_TWIN, "mcp__evil__process_refund", None),
        ("mcp__payments__*", MCP_TWIN, "pattern"),
        ("mcp__*__process_refund", MCP_TWIN, "pattern"),
        ("process_*", MCP_TWIN, "widened"),
        ("*refund", MCP_TWIN, "pattern"),
        ("/refund/", MCP_TWIN, "pattern"),
        ("/refund/", "process_refund", "exact"),
        ("/^process_refund$/", MCP_TWIN, None),
        ("/REFUND/i", MCP_TWIN, "pattern"),
        ("/REFUND/", MCP_TWIN, None),
        ("Task", "Agent", "exact"),
        ("Agent", "Task", "exact"),
        ("KillShell", "TaskStop", "exact"),
        ("Bash", "Bash", "exact"),
        ("Bash", "Monitor", "widened"),
        ("Bash", "PowerShell", "widened"),
        ("Monitor", "Bash", None),
        ("Bash", "BashOutput", None),
        ("/^Bash$/", "Monitor", "widened"),
        ("B*", "PowerShell", "widened"),
        ("Edit*", "EditNotebook", "exact"),
        ("Edit", "NotebookEdit", None),
        ("?ash", "Bash", "exact"),
        ("[BD]ash", "Bash", "exact"),
        ("[!B]ash", "Bash", None),
        ("[a-z]ash", "cash", "exact"),
        ("*", "anything at all\nwith lines", "exact"),
        ("a.c", "abc", None),
    ],
)
def test_a_tool_pattern_means_these_tools(pattern, tool, match):
    """S1-11 the MCP prefix trap; renamed tools; every tool that carries a shell command."""
    assert ToolPattern(pattern).match(tool) == match


def test_a_list_means_any_of_and_an_exact_match_beats_a_widened_one():
    pattern = ToolPattern(["process_refund", MCP_TWIN])
    assert pattern.match(MCP_TWIN) == "exact"
    assert ToolPattern(["Read", "Write"]).match("Edit") is None


def test_name_patterns_know_nothing_of_tools():
    assert not NamePattern("Bash").matches("Monitor")
    assert NamePattern(["main", "release/*"]).matches("release/1.0")
    assert not NamePattern("release/*").matches("prerelease/1.0")


@pytest.mark.parametrize("pattern", ["", " Bash", "/unfinished", "/(/", "[abc", "Bash|Write", [], [3], "/a/x"])
def test_a_pattern_that_could_never_match_is_refused(pattern):
    with pytest.raises(InterlockError):
        NamePattern(pattern)


def test_refusals_say_how_to_write_it():
    with pytest.raises(InterlockError) as caught:
        NamePattern("Bash | Write")
    assert caught.value.in_one_line() == snapshot(
        "`Bash | Write` holds a `|`, which no name has; write a list: `[Bash, Write]`"
    )
    with pytest.raises(InterlockError) as caught:
        NamePattern("/(unclosed/")
    assert caught.value.in_one_line() == snapshot(
        "`/(unclosed/` is not a regex: a `(` is not closed; close it, or write `\\(` for the mark itself"
    )


@pytest.mark.parametrize(
    "pattern",
    ["Bash(rm *)", "Write,Edit", "Write, Edit", "Write Edit", "^Bash$", "Bash.*", ".*", "mcp__.*__delete",
     "mcp__payments", "bash", "WRITE", "task"],
)  # fmt: skip
def test_what_other_matchers_would_take_and_ours_never_match_is_refused(pattern):
    with pytest.raises(InterlockError) as caught:
        ToolPattern(pattern)
    assert caught.value.help


@given(st.from_regex(r"[a-z][a-z0-9_.-]{3,12}_x", fullmatch=True))
def test_a_plain_name_matches_itself_and_nothing_near(name):
    assert ToolPattern(name).match(name) == "exact"
    assert ToolPattern(name).match(name + "x") is None
    assert ToolPattern(name).match(f"mcp__server__{name}") == "widened"


@given(st.text(max_size=15))
def test_any_pattern_compiles_or_is_refused_in_words(pattern):
    try:
        ToolPattern(pattern).match("Bash")
    except InterlockError as error:
        assert error.message
