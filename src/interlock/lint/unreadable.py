"""Policies that deny commands, but let commands through that cannot be known before they run."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.config.bundles import core_policy
from interlock.lint.finding import PolicyFinding
from interlock.policy.load import Policy
from interlock.policy.rule import Rule

__all__ = ["find"]

_ADD = 'add a rule: {id: unreadable, when: opaque, ask: "Part of this command cannot be known before it runs. Run it?"}'
_ABOUT = ("opaque", "unclear")


def find(policy: Policy) -> Iterator[PolicyFinding]:
    rules = [rule for rule, _ in policy.rules if not rule.observe]
    if policy.file == core_policy().file or any(_speaks_of_opaque(rule) for rule in rules):
        return
    # Only the policy's own rules count: a pack documents what it leaves to others, and `core`, which is in force beside
    # every policy, leaves opaque commands to that policy.
    own = next((rule for rule in rules if rule.source.file == policy.file and _denies_commands(rule)), None)
    if own is not None:
        message = (
            f"`{own.id}` denies commands, but no rule covers commands that cannot be known before they run "
            "(`$X`, `… | sh`)"
        )
        yield PolicyFinding(own.id, own.source, message, _ADD)


def _denies_commands(rule: Rule) -> bool:
    named = rule.condition.command is not None or rule.condition.does is not None
    return rule.decision == "deny" and named and "PreToolUse" in rule.events


def _speaks_of_opaque(rule: Rule) -> bool:
    stops = rule.decision in ("deny", "ask", "defer")
    return stops and any(one.uses(name) for one in rule.expressions for name in _ABOUT)
