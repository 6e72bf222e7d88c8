"""Rules that do nothing when they fire: no decision, no other effect, and no other rule that asks about them."""

from __future__ import annotations

from collections.abc import Iterator

from interlock.lint.finding import PolicyFinding
from interlock.policy.expressions import rules_asked
from interlock.policy.load import Policy
from interlock.policy.tokens import tokens

__all__ = ["find"]

_HELP = 'add what shall happen: `deny: "Say what to do instead."`, `ask: …`, `context: …` or `change: …`'


def find(policy: Policy) -> Iterator[PolicyFinding]:
    texts = [one.text for rule, _ in policy.rules for one in rule.expressions]
    if any(asked is None for text in texts for _, asked, _ in rules_asked(text)):
        return  # a name that is worked out may be that of any rule
    mentions = {word.text.strip("'\"") for text in texts for word in tokens(text) if word.kind == "text"}
    for rule, _ in policy.rules:
        # Whoever uses a pack may ask about its rules.
        if rule.source.file == policy.file and not rule.has_effect and rule.id not in mentions:
            message = f"the rule `{rule.id}` does nothing: it has no decision and no other effect"
            yield PolicyFinding(rule.id, rule.source, message, _HELP, severity="error")
