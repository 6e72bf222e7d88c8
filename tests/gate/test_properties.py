"""What holds for every input and every answer."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from interlock.approvals import Approval
from interlock.gate import Denied, Gate
from tests.gate.gates import Ran, gate_with

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)
objects = st.dictionaries(texts, values, max_size=5)

RULES = ("{id: ask, tool: pay, ask: Pay?}", "{id: never, tool: pay, when: 'has(input.forbidden)', deny: Forbidden.}")


class Answers:
    """Says whatever it is told to next."""

    answer: Any = None

    async def approve(self, request: Any) -> Any:
        return self.answer


def gate_for(person: Answers) -> Gate:
    with tempfile.TemporaryDirectory() as folder:  # the policy is read once
        return gate_with(Path(folder), *RULES, approver=person, record=False)


person = Answers()
GATE = gate_for(person)


def written(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


@given(objects, values)
def test_a_tool_gets_and_gives_exactly_what_it_would_without_a_gate(given, result):
    ran = Ran()
    ran._result = result if result is not None else "nothing"
    found = GATE.call_sync("look", given, run=ran)
    assert written(ran.inputs) == written([given])
    assert written(found) == written(ran._result)


@given(
    objects,
    st.builds(Approval, st.booleans(), st.none() | objects, st.none() | texts) | values | st.just(Approval),
)
def test_a_call_that_needs_a_yes_runs_only_with_one_and_only_as_approved(given, answer):
    person.answer = answer
    ran = Ran()
    try:
        GATE.call_sync("pay", given, run=ran)
    except Denied:
        assert ran.inputs == []
        return
    assert isinstance(answer, Approval)
    assert answer.yes is True
    approved = given if answer.input is None else answer.input
    assert written(ran.inputs) == written([approved])
    assert "forbidden" not in given
    assert "forbidden" not in approved
