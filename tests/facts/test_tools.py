"""Tools by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interlock.facts.tools import McpName, kind_of, names_of, parse_mcp, shell_tools, short_names


@pytest.mark.parametrize(
    ("tool", "kind"),
    [
        ("Bash", "shell"),
        ("Monitor", "shell"),
        ("PowerShell", "shell"),
        ("Write", "edit"),
        ("MultiEdit", "edit"),
        ("NotebookEdit", "edit"),
        ("Read", "read"),
        ("Grep", "read"),
        ("WebFetch", "fetch"),
        ("Agent", "agent"),
        ("Task", "agent"),
        ("Skill", "skill"),
        ("TodoWrite", None),
        ("bash", None),
        ("mcp__x__Bash", None),
        ("", None),
    ],
)
def test_built_in_tools_have_a_kind_and_others_none(tool, kind):
    assert kind_of(tool) == kind


def test_a_renamed_tool_has_all_its_names_from_either():
    assert names_of("Task") == names_of("Agent") == {"Task", "Agent"}
    assert names_of("KillBash") == {"TaskStop", "KillShell", "KillBash"}
    assert names_of("Bash") == {"Bash"}


def test_shell_tools_are_those_of_kind_shell():
    assert {kind_of(tool) for tool in shell_tools()} == {"shell"}


@pytest.mark.parametrize(
    ("name", "parsed"),
    [
        ("mcp__payments__process_refund", McpName("payments", "process_refund")),
        ("mcp__plugin_shop_pay__refund", McpName("plugin_shop_pay", "refund")),
        ("mcp__a__b__c", McpName("a", "b__c")),
        ("mcp__payments", None),
        ("mcp__payments__", None),
        ("mcp_payments__x", None),
        ("Bash", None),
        ("MCP__a__b", None),
    ],
)
def test_an_mcp_name_is_taken_apart(name, parsed):
    assert parse_mcp(name) == parsed


def test_short_names_are_every_ending_behind_a_double_underscore():
    assert short_names("mcp__payments__process_refund") == ("process_refund",)
    assert short_names("mcp__a__b__c") == ("b__c", "c")
    assert short_names("process_refund") == ()
    assert short_names("mcp__payments") == ()


@given(st.text(alphabet="mcp_ab", max_size=20))
def test_reading_a_name_never_fails_and_never_yields_an_empty_one(name):
    parsed = parse_mcp(name)
    assert parsed is None or parsed.tool
    assert all(short for short in short_names(name))
