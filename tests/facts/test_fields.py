"""What the fields of known tools are and mean."""

import pytest

from interlock.facts.fields import FIELDS, ToolUse, known_fields, main_field, sure_fields, use_of
from interlock.facts.tools import names_of


def test_a_field_that_means_something_is_a_field_of_its_tool():
    for tool in FIELDS:
        use = use_of(tool)
        named = [*use.command, *use.read, *use.write, *use.url, *use.content]
        assert {field.partition(".")[0] for field in named} <= set(known_fields(tool) or {}), tool


def test_the_main_field_is_one_the_tool_has():
    for tool in FIELDS:
        field = main_field(tool)
        assert field is None or field in (known_fields(tool) or {}), tool


@pytest.mark.parametrize(
    ("tool", "field"),
    [
        ("Bash", "command"),
        ("Write", "file_path"),
        ("Task", "prompt"),
        ("Agent", "prompt"),
        ("refund", None),
        ("mcp__x__Bash", None),
    ],
)
def test_a_single_value_goes_into_the_main_field(tool, field):
    assert main_field(tool) == field


def test_the_fields_every_call_has_are_among_those_it_may_have():
    for tool in FIELDS:
        assert sure_fields(tool) <= set(known_fields(tool) or {}), tool
    assert sure_fields("Bash") == {"command"}
    assert sure_fields("Write") == {"file_path", "content"}
    assert sure_fields("refund") == frozenset()


def test_nobody_knows_the_fields_of_an_unknown_tool():
    assert known_fields("refund") is None
    assert known_fields("mcp__x__Bash") is None


def test_a_renamed_tool_has_the_fields_it_had():
    assert names_of("Task") == {"Task", "Agent"}
    assert known_fields("Task") == known_fields("Agent")


def test_a_declaration_is_about_the_full_name_alone():
    declared = {"mcp__fs__save": ToolUse(write=("target",))}
    assert use_of("mcp__fs__save", declared) == ToolUse(write=("target",))
    assert use_of("save", declared) == ToolUse()
    assert use_of("Read", declared).read == ("file_path",)
