"""The tables of what hosts do with a hook's answer, held against the real hosts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.live import observed, rows
from tests.live.drive import HOSTS, required
from tests.live.rows import Trial
from tests.live.world import World

Worlds = Callable[[], World]
every_host = pytest.mark.parametrize("name", observed.HOSTS)


@every_host
def test_a_hooks_answer_before_a_tool_runs_has_the_effect_in_the_table(name: str, worlds: Worlds):
    assert Trial(required(HOSTS[name]), worlds).before() == observed.column(observed.BEFORE, name)


@every_host
def test_a_hooks_answer_to_a_result_has_the_effect_in_the_table(name: str, worlds: Worlds):
    assert Trial(required(HOSTS[name]), worlds).after() == observed.column(observed.AFTER, name)


@every_host
def test_a_hooks_answer_to_the_result_of_a_failed_command_has_the_effect_in_the_table(name: str, worlds: Worlds):
    assert Trial(required(HOSTS[name]), worlds).after_failure() == observed.column(observed.AFTER_FAILURE, name)


@every_host
def test_a_hooks_answer_to_a_prompt_has_the_effect_in_the_table(name: str, worlds: Worlds):
    assert Trial(required(HOSTS[name]), worlds).prompt() == observed.column(observed.PROMPT, name)


def test_the_tables_have_a_line_for_every_row():
    assert set(observed.BEFORE) == {row.name for row in (*rows.BEFORE, rows.HANG, rows.MISSING)}
    assert set(observed.AFTER) == set(observed.AFTER_FAILURE) == {row.name for row in rows.AFTER}
    assert set(observed.PROMPT) == {row.name for row in rows.PROMPT}
