"""Rules whose decision never counts, because a stricter rule catches the same calls."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.lint.finding import PolicyFinding
from interlock.policy.load import Policy
from interlock.policy.rule import Condition, Rule
from interlock.verdict import STRICTNESS

__all__ = ["find"]


def find(policy: Policy) -> Iterator[PolicyFinding]:
    rules = [rule for rule, _ in policy.rules if rule.decision is not None]
    for rule in rules:
        for other in rules:
            if _hides(other, rule):
                message = f"`{rule.id}` never decides: `{other.id}` catches the same calls and says {other.decision}"
                yield PolicyFinding(rule.id, rule.source, message)
                break


def _hides(strict: Rule, mild: Rule) -> bool:
    if strict is mild or STRICTNESS[strict.decision] <= STRICTNESS[mild.decision]:
        return False
    # An exception, a program or observing may keep the strict rule silent, and a change has an effect without deciding.
    if strict.unless or strict.run is not None or strict.observe or mild.changes:
        return False
    if not set(mild.events) <= set(strict.events):
        return False
    # Fewer keys match more calls. Only equal keys count: whether one pattern covers another is not worked out here.
    return _parts(strict.condition).items() <= _parts(mild.condition).items()


def _parts(condition: Condition) -> dict[str, object]:
    """A condition's keys in a form that can be compared."""
    found: dict[str, object] = {}
    for name in ("tool", "kind", "agent", "mode", "host", "branch", "server", "prompt", "url", "content", "does"):
        pattern = getattr(condition, name)
        if pattern is not None:
            found[name] = pattern.patterns
    if condition.command is not None:
        found["command"] = tuple(pattern.pattern for pattern in condition.command)
    if condition.path is not None:
        found["path"] = tuple(sorted(condition.path.globs.items()))
    if (push := condition.push) is not None:
        named = tuple(None if one is None else one.patterns for one in (push.to, push.remote))
        found["push"] = (*named, push.force, push.delete, push.certain)
    if condition.when is not None:
        found["when"] = condition.when.text
    return found
