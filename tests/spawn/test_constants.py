"""The literals of the spawned client are those that the host's table gives."""

from __future__ import annotations

import pytest

from interlock.config.places import PACKAGE
from interlock.hosts.claude_code.events import EVENTS
from interlock.hosts.claude_code.failing import exits, failing_answers, source_of_exits, source_of_failing
from interlock.hosts.client_literals import source_of_others
from interlock.spawn import exchange


def test_what_the_client_answers_when_nobody_judged_is_written_from_the_table():
    assert source_of_failing() in (PACKAGE / "spawn" / "exchange.py").read_text(encoding="utf-8")


def test_what_it_exits_with_when_it_cannot_even_answer_is_too():
    assert source_of_exits() in (PACKAGE / "client.py").read_text(encoding="utf-8")


def test_what_it_answers_other_hosts_is_written_from_their_tables():
    assert (PACKAGE / "spawn" / "others.py").read_text(encoding="utf-8") == source_of_others()


@pytest.mark.parametrize("name", EVENTS)
def test_an_event_is_left_out_only_where_a_notice_is_the_whole_answer(name: str):
    assert (name in failing_answers()) == (exchange.failing(name)[0::2] != exchange.failing("Notification")[0::2])


def test_only_what_would_trap_somebody_passes_without_an_answer():
    assert {name for name, code in exits().items() if code == 0} == {
        "UserPromptSubmit",
        "Stop",
        "SubagentStop",
        "PreCompact",
        "TeammateIdle",
        "TaskCreated",
        "TaskCompleted",
    }


def test_the_other_files_of_the_client_are_found_from_wherever_it_is_loaded():
    assert str(PACKAGE) == exchange.PACKAGE
    assert (PACKAGE / exchange.LATE_FILE.removeprefix("/")).is_file()
    assert (PACKAGE / "spawn" / "launch.py").is_file()
