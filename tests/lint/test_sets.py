"""Rules that set nothing for the MCP tools that they seem to mean."""

import pytest

from tests.lint.test_lint import findings

STATE = "state: {n: 0}\n"
WHY = "any server may offer a tool of that name, and what it sets could later permit a call"


@pytest.mark.parametrize(
    ("rules", "tool"),
    [
        (["{id: a, tool: get_customer, set: {n: 1}, cases: {catch: [{mcp__crm__get_customer: {}}]}}"],
         "mcp__crm__get_customer"),
        (["{id: a, tool: get_customer, set: {n: 1}}", "{id: b, tool: mcp__crm__get_customer, deny: X.}"],
         "mcp__crm__get_customer"),
        (["{id: a, tool: Bash, set: {n: 1}, cases: {catch: [{mcp__x__Bash: ls}]}}"], "mcp__x__Bash"),
        (["{id: a, event: PostToolUse, tool: get, set: {n: 1}, cases: {catch: [{event: {tool_name: mcp__a__get}}]}}"],
         "mcp__a__get"),
    ],
)  # fmt: skip
def test_a_short_name_sets_nothing_for_an_mcp_tool_that_the_policy_mentions(rules: list[str], tool: str):
    found = findings(*rules, top=STATE)
    assert [(one.message, one.help) for one in found] == [
        (f"`a` sets nothing for `{tool}`: {WHY}", f"write `tool: {tool}`, or add `server: user`")
    ]


@pytest.mark.parametrize("pattern", ["mcp__crm__*", "/^mcp__crm__/"])
def test_a_pattern_for_mcp_tools_sets_nothing(pattern: str):
    found = findings(f"{{id: a, tool: {pattern}, set: {{n: 1}}}}", top=STATE)
    assert [(one.message, one.help) for one in found] == [
        (f"`a` sets nothing for tools that match `{pattern}`: {WHY}", "name each tool in full, or add `server: user`")
    ]


@pytest.mark.parametrize(
    "rule",
    [
        "{id: a, tool: mcp__crm__get_customer, set: {n: 1}}",
        "{id: a, tool: get_customer, set: {n: 1}}",
        "{id: a, tool: get_customer, server: user, set: {n: 1}, cases: {catch: [{mcp__crm__get_customer: {}}]}}",
        "{id: a, tool: 'mcp__crm__*', server: user, set: {n: 1}}",
        "{id: a, tool: 'mcp__crm__*', context: X.}",
        "{id: a, command: ls, set: {n: 1}}",
    ],
)
def test_a_rule_that_sets_what_it_says_is_left_alone(rule: str):
    assert findings(rule, top=STATE) == []
