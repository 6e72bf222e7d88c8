"""Denials that would be wrong: for each rule that denies, ordinary lines that resemble what it denies.

The lines are in near_misses.yaml. A rule that denies and has none there is one that nobody has tried to trip over.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from yaml import safe_load

from tests.packs.shipped import PACKS, READY, pack, verdict

TABLE: dict[str, list[str]] = safe_load((Path(__file__).parent / "near_misses.yaml").read_text(encoding="utf-8"))
_KIN = {"core/git-hooks-path": "core/git-hooks", "secrets/secret-in-file": "secrets/secret-in-shell",
        "core/guard-script": "core/guard-command", "core/guard-socket": "core/guard-process"}  # fmt: skip
LINES = [(rule, line) for rule, lines in TABLE.items() for line in lines]


def denying() -> set[str]:
    """Every rule that denies, by pack and name."""
    return {
        f"{name}/{rule.id}"
        for name in (*PACKS, *READY)
        for rule, _ in pack(name).rules
        if rule.decision == "deny" and rule.source.file == pack(name).file
    }


def test_every_rule_that_denies_has_near_misses():
    assert denying() - set(TABLE) - set(_KIN) == set()
    assert set(TABLE) - denying() == set()


@pytest.mark.parametrize(("rule", "line"), LINES)
def test_a_near_miss_is_not_denied(rule: str, line: str):
    policy = "autonomous" if rule.startswith("autonomous/") else "guarded"
    said = verdict(policy, line)
    assert said.decision != "deny", [(one.by, one.reason) for one in said.opinions if one.decision == "deny"]
