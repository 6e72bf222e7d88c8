"""Whatever a reason advises is not denied by the policy that advises it."""

from __future__ import annotations

import re

import pytest

from interlock.lint.advice import find
from tests.packs.shipped import FILES, READY, decision, pack

_ADVISED = re.compile(r"\b(?:Use|Run|Try|Call) `([^`$]+)`")


def advice(name: str) -> list[tuple[str, str]]:
    """Each command in backticks that a rule's reason sends to."""
    found = []
    for rule, _ in pack(name).rules:
        text = "".join(part for part in (rule.reason.parts if rule.reason else ()) if isinstance(part, str))
        found += [(rule.id, command) for command in _ADVISED.findall(text)]
    return found


@pytest.mark.parametrize("name", FILES)
def test_no_reason_of_a_pack_sends_to_what_the_pack_denies(name: str):
    assert [finding.message for finding in find(pack(name))] == []


@pytest.mark.parametrize("name", READY)
def test_advice_of_every_pack_is_not_denied_by_a_ready_policy(name: str):
    advised = {command for file in FILES for _, command in advice(file)}
    assert advised
    assert {command: decision(name, command) for command in advised if decision(name, command) == "deny"} == {}


@pytest.mark.parametrize("name", FILES)
def test_every_deny_says_what_to_do_instead(name: str):
    """In words: a sentence that starts with a verb a model can follow."""
    verbs = (
        "Ask|Change|Delete|Do|Download|Go|Leave|Make|Mount|Prepare|Push|Read|Remove|Run|Say|Send|Split|Start|Use|Work"
        "|Write"
    )
    silent = []
    for rule, _ in pack(name).rules:
        if rule.decision == "deny" and rule.reason is not None:
            text = "".join(part if isinstance(part, str) else "…" for part in rule.reason.parts)
            if not re.search(rf"[.;] (?:{verbs})\b|[.;] (?:say|ask) ", text) and "person does it" not in text:
                silent.append(f"{rule.id}: {text}")
    assert silent == []
