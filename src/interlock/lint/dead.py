"""Rules that can never fire."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.facts.fields import FIELDS, use_of
from interlock.facts.tools import kind_of
from interlock.lint.finding import PolicyFinding
from interlock.policy.load import Policy
from interlock.policy.rule import Rule

__all__ = ["find"]


_HELP = "correct its conditions, or remove the rule"


def find(policy: Policy) -> Iterator[PolicyFinding]:
    for rule, _ in policy.rules:
        why = _dead(rule, policy)
        if why:
            message = f"`{rule.id}` can never fire: {why}"
            yield PolicyFinding(rule.id, rule.source, message, _HELP, severity="error")


def _dead(rule: Rule, policy: Policy) -> str:
    condition = rule.condition
    when = condition.when
    if when is not None and when.text.strip() == "false":
        return "its condition is false"
    if condition.tool is None:
        return ""
    named = [tool for tool in condition.tool.patterns if tool in FIELDS or kind_of(tool)]
    if len(named) != len(condition.tool.patterns):
        return ""  # a tool that Interlock does not know may have any fields
    if condition.kind is not None and not any(condition.kind.matches(kind_of(tool) or "") for tool in named):
        return "none of its tools is of that kind"
    uses = [use_of(tool, policy.tools) for tool in named]
    about_commands = any(one is not None for one in (condition.command, condition.does, condition.push))
    # A command can reach addresses and touch paths, so tools that run commands count for all three.
    if about_commands and not any(use.command for use in uses):
        return f"there is no command in {', '.join(named)}"
    if condition.url is not None and not any(use.url or use.command for use in uses):
        return f"there is no address in {', '.join(named)}"
    if condition.path is not None and not any(use.read or use.write or use.command for use in uses):
        return f"there is no path in {', '.join(named)}"
    return ""
