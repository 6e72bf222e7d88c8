"""Reasons that send the model to something that the policy itself denies."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interlock.judging.guard import Guard
from interlock.lint.finding import PolicyFinding
from interlock.policy.load import Policy
from interlock.policy.template import Text
from interlock.service import answer
from interlock.store.memory import MemoryStore
from interlock.testing.events import payload_for
from interlock.testing.pretend import PROJECT, Pretend

__all__ = ["find"]

# A model does what the reason suggests, so advice that is denied in turn only costs it another attempt.
_COMMAND = re.compile(r"\b(?:[Uu]se|[Rr]un|[Tt]ry|[Cc]all)\s+`([a-z][\w.-]*(?: [^`]*)?)`")
_TOOL = re.compile(r"\b(?:[Uu]se|[Cc]all)\s+(?:the\s+)?([A-Za-z]\w*_\w+|mcp__\w+)\b")


def find(policy: Policy) -> Iterator[PolicyFinding]:
    advised = [
        (rule, text)
        for rule, _ in policy.rules
        if rule.decision in ("deny", "ask") and rule.reason is not None and (text := _plain(rule.reason))
    ]
    if not advised:
        return
    with Guard([policy], Pretend(), MemoryStore(), project=PROJECT, alone=True, run_hooks=False) as guard:
        for number, (rule, text) in enumerate(advised):
            for named, tool, given in _alternatives(text):
                call = f"toolu_{number}_{named}"
                raw = payload_for("PreToolUse", {}, tool_name=tool, tool_input=given, tool_use_id=call)
                verdict = answer(guard, "claude-code", raw).verdict
                # A rule that fails because nothing is known about the made-up call does not deny what is advised.
                deniers = [
                    opinion.by for opinion in verdict.opinions if opinion.decision == "deny" and not opinion.error
                ]
                if deniers:
                    message = f"`{rule.id}` advises `{named}`, which `{deniers[0]}` denies"
                    yield PolicyFinding(rule.id, rule.source, message)


def _plain(reason: Text) -> str:
    # NUL marks a part that is filled in later: a command that contains one is not known yet and cannot be tried.
    return "".join(part if isinstance(part, str) else "\0" for part in reason.parts)


def _alternatives(text: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    for found in _COMMAND.finditer(text):
        if "\0" not in found[1]:
            yield found[1], "Bash", {"command": found[1]}
    for found in _TOOL.finditer(text):
        yield found[1], found[1], {}
