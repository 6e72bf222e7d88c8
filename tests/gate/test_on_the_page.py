"""A gate's call waits until a person answers in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from interlock.gate import Denied
from tests.gate.gates import Ran, gate_with
from tests.page.person import click_no, click_yes, on_the_page
from tests.person import Person

ASK = "{id: a, tool: pay, ask: Pay?}"
LESS = "{id: less, tool: pay, when: input.n > 5, change: {n: 5}}"


def test_a_yes_runs_the_tool_with_the_changed_input(tmp_path: Path):
    place = tmp_path / "store" / "interlock.db"
    with gate_with(tmp_path, LESS, ASK, store=place) as gate, Person(place, on_the_page(click_yes)):
        assert gate.call_sync("pay", {"n": 9}, run=Ran()) == {"n": 5}


def test_a_no_raises_with_the_note(tmp_path: Path):
    place = tmp_path / "store" / "interlock.db"
    with (
        gate_with(tmp_path, ASK, store=place) as gate,
        Person(place, on_the_page(click_no)),
        pytest.raises(Denied, match="Not on a Friday"),
    ):
        gate.call_sync("pay", {"n": 9}, run=Ran())
