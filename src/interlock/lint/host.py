"""Rules that rely on something that a host may not do."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.hosts import HOSTS
from interlock.lint.finding import PolicyFinding
from interlock.policy.load import Policy

__all__ = ["find"]


def find(policy: Policy) -> Iterator[PolicyFinding]:
    for rule, _ in policy.rules:
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
