"""Rules that rely on something that a host may not do."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hosts import HOSTS
from interlock.lint.finding import PolicyFinding
from interlock.policy.load import Policy

__all__ = ["find"]


def _shells() -> dict[str, str]:
    """Names of hosts' own tools for a shell that mean nothing else, and whose they are."""
    return {
        name: host.title
        for host in HOSTS.values()
        for name, tool in host.tools.items()
        if tool.name == "Bash" and "_" in name
    }


def find(policy: Policy) -> Iterator[PolicyFinding]:
    shells = _shells()
    for rule, _ in policy.rules:
        named = rule.condition.tool.patterns if rule.condition.tool is not None else ()
        for name in (name for name in named if name in shells and name not in policy.tools):
            message = f"`{rule.id}` names `{name}`, the shell of {shells[name]}; in a policy every agent's is `Bash`"
            yield PolicyFinding(rule.id, rule.source, message, "write `Bash`, which means them all")
        if rule.decision == "deny" and "PermissionRequest" in rule.events:
            message = (
                f"`{rule.id}` denies a permission request, which has no effect if the person or another hook answers "
                "first; deny on PreToolUse"
            )
            yield PolicyFinding(rule.id, rule.source, message)
        for event in rule.events:
            if rule.decision is not None and rule.decision not in HOSTS["claude-code"].dialect.honours(event):
                message = f"`{rule.id}` says {rule.decision} on {event}, which Claude Code does not surely honour"
                yield PolicyFinding(rule.id, rule.source, message)
