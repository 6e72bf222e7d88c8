"""Conditions that are asked together: what a policy says is what each of its rules says by itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import json

from interlock.judging.guard import Guard
from interlock.policy.load import load_policy
from interlock.service import answer
from interlock.store.memory import MemoryStore
from interlock.testing.events import payload_for
from interlock.testing.pretend import Pretend

# True, false or failing, depending on the input; some name the same variables, some none.
CONDITIONS = [
    "input.n > 5",
    "input.n > 5 // a comment",
    "input.missing == 1",
    "input.n / input.zero > 0",
    "input.text.size() > 3",
    "input.text.matches('^a+$')",
    "input.items.exists(one, one > 2)",
    "input.items[9] == 1",
    "reads.size() > 0",
    "secrets.exists(one, one.kind == 'x')",
    "has(input.n) && input.n == 1",
    "input.n > 5 || input.missing == 1",
    "input.missing == 1 || true",
    "false",
    "r'||' == input.text",
    "input.text == '// no comment'",
    "tool == 'Lookup'",
    "mode == 'plan'",
]
INPUTS = [
    {"n": 1, "zero": 0, "text": "", "items": []},
    {"n": 9, "zero": 1, "text": "aaaa", "items": [1, 3]},
    {"n": 6, "text": "// no comment"},
    {"text": "||"},
    {},
]


def verdicts(conditions: list[str], given_: dict[str, Any], **options: Any) -> tuple[Any, ...]:
    rules = [{"id": f"r{number}", "tool": "Lookup", "when": when, "ask": f"Ask {number}."}
             for number, when in enumerate(conditions)]  # fmt: skip
    policy = load_policy(json.encode({"version": 1, "rules": rules}), "together.yaml")
    raw = payload_for("PreToolUse", {}, tool_name="Lookup", tool_input=given_, tool_use_id="c1")
    with Guard([policy], Pretend(), MemoryStore(), run_hooks=False, **options) as guard:
        said = answer(guard, "claude-code", raw).verdict
    return said.decision, said.reason, [opinion.by for opinion in said.opinions], said.errors


@given(st.lists(st.sampled_from(CONDITIONS), min_size=1, max_size=12), st.sampled_from(INPUTS))
def test_many_conditions_together_say_what_each_says_alone(conditions: list[str], given_: dict[str, Any]):
    # With a trace every rule is tried by itself, because a person wants to know what became of each.
    alone = verdicts(conditions, given_, trace=lambda step: None)
    assert verdicts(conditions, given_) == alone


@pytest.mark.parametrize("place", [0, 5, 11])
@pytest.mark.parametrize("when", ["input.missing == 1", "input.n / input.zero > 0"])
def test_a_condition_that_fails_denies_beside_others_that_are_false(when: str, place: int):
    conditions = ["input.n > 100"] * 11
    conditions.insert(place, when)
    decision, reason, by, errors = verdicts(conditions, {"n": 1, "zero": 0})
    assert (decision, by, len(errors)) == ("deny", [f"r{place}"], 1)
    assert f"`r{place}`" in reason


@pytest.mark.parametrize("place", [0, 5, 11])
def test_a_condition_that_holds_is_found_beside_one_that_fails(place: int):
    conditions = ["input.missing == 1", *["input.n > 100"] * 10]
    conditions.insert(place, "input.n == 1")
    _, _, by, errors = verdicts(conditions, {"n": 1})
    assert (f"r{place}" in by, len(errors)) == (True, 1)
