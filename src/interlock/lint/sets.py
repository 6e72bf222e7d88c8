"""Rules with `set` that set nothing, because they do not say whose MCP tool they mean."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.facts.tools import short_names
from interlock.lint.finding import PolicyFinding
from interlock.policy.load import Policy
from interlock.policy.rule import Rule

__all__ = ["find"]

_WHY = "any server may offer a tool of that name, and what it sets could later permit a call"


def find(policy: Policy) -> Iterator[PolicyFinding]:
    tools = _mcp_tools(policy)
    for rule, _ in policy.rules:
        condition = rule.condition
        if rule.set is None or condition.tool is None or condition.server is not None:
            continue
        globs = [text for text in condition.tool.patterns if text.startswith(("mcp__", "/^mcp__")) and _is_open(text)]
        if globs:
            message = f"`{rule.id}` sets nothing for tools that match `{globs[0]}`: {_WHY}"
            yield PolicyFinding(rule.id, rule.source, message, "name each tool in full, or add `server: user`")
            continue
        widened = sorted(tool for tool in tools if condition.tool.match(tool) in ("pattern", "widened"))
        if widened:
            message = f"`{rule.id}` sets nothing for `{widened[0]}`: {_WHY}"
            yield PolicyFinding(rule.id, rule.source, message, f"write `tool: {widened[0]}`, or add `server: user`")


def _is_open(pattern: str) -> bool:
    return pattern.startswith("/") or bool(set(pattern) & set("*?["))


def _mcp_tools(policy: Policy) -> set[str]:
    """The MCP tools that the policy mentions in full: in its tools, its rules and their cases."""
    found = set(policy.tools)
    for rule, _ in policy.rules:
        if rule.condition.tool is not None:
            found |= {text for text in rule.condition.tool.patterns if not _is_open(text)}
        found |= set(_tools_of_cases(rule))
    return {tool for tool in found if short_names(tool)}


def _tools_of_cases(rule: Rule) -> Iterator[str]:
    for case in rule.cases:
        if isinstance(case.given, dict):
            yield from (key for key in case.given if isinstance(key, str))
            event = case.given.get("event")
            tool = event.get("tool_name") if isinstance(event, dict) else None
            if isinstance(tool, str):
                yield tool
