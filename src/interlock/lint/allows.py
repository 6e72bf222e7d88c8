"""Rules that allow and never can: an `allow` holds only for tools that it names in full."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.facts.tools import known_tools
from interlock.lint.finding import PolicyFinding
from interlock.policy.load import Policy
from interlock.policy.names import NamePattern

__all__ = ["find"]


def find(policy: Policy) -> Iterator[PolicyFinding]:
    for rule, _ in policy.rules:
        tool = rule.condition.tool
        if rule.decision != "allow" or tool is None:
            continue
        useless = [pattern for pattern in tool.patterns if _is_about_mcp_only(pattern)]
        if len(useless) == len(tool.patterns):
            message = (
                f"`{rule.id}` never allows anything: `{useless[0]}` is a pattern, and an `allow` holds only for MCP "
                "tools that are named in full"
            )
            help = f"name each tool, such as `{_example_of(useless[0])}`, or ask about them instead"
            yield PolicyFinding(rule.id, rule.source, message, help, severity="error")


def _is_about_mcp_only(pattern: str) -> bool:
    """Whether a pattern is no full name and means no built-in tool."""
    is_pattern = bool(set(pattern) & set("*?[")) or (len(pattern) > 1 and pattern.startswith("/"))
    return is_pattern and "mcp__" in pattern and not any(NamePattern(pattern).matches(tool) for tool in known_tools())


def _example_of(pattern: str) -> str:
    plain = pattern.strip("/^$").replace(".*", "*")
    start = plain.split("*", maxsplit=1)[0].split("[", maxsplit=1)[0].split("?", maxsplit=1)[0]
    server = start.split("__")[1] if start.count("__") and len(start.split("__")) > 1 else ""
    return f"mcp__{server or 'server'}__read"
