"""A call waits in the daemon until a person answers in another process."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from msgspec import json

from interlock.store.asking import ApprovalRequest, RequestAnswer
from interlock.store.sqlite import SqliteStore
from tests.daemon.spawned import Home, event, until

RULES = (
    "{id: no-force, command: git push -f, deny: Never force.}",
    '{id: push, command: git push, ask: "Push?", approve: inbox}',
)


@pytest.fixture
def asking(home: Home) -> Home:
    home.policy(*RULES)
    return home


@contextmanager
def store_of(home: Home) -> Iterator[SqliteStore]:
    with closing(SqliteStore(home.home / ".local/state/interlock/store/interlock.db")) as store:
        yield store


def push(home: Home, call: str = "t1", command: str = "git push") -> subprocess.Popen[bytes]:
    process = home.spawn()
    assert process.stdin is not None
    process.stdin.write(event(tool_input={"command": command}, tool_use_id=call, cwd=str(home.project)))
    process.stdin.close()
    return process


def said(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    with process:
        assert process.stdout is not None
        found: dict[str, Any] = json.decode(process.stdout.read())["hookSpecificOutput"]
    return found


def waiting(home: Home) -> ApprovalRequest:
    database = home.home / ".local/state/interlock/store/interlock.db"
    until(database.exists)
    with store_of(home) as store:
        until(lambda: store.requests(["waiting"]))
        return store.requests(["waiting"])[0]


def answer(home: Home, request: ApprovalRequest, **parts: Any) -> float:
    """Answer as another process does; when."""
    with store_of(home) as store:
        store.answer_request(request.id, RequestAnswer(**{"yes": True, "by": "ann", "at": time.time(), **parts}))
    return time.monotonic()


def test_a_yes_from_another_process_lets_the_waiting_call_run(asking: Home):
    process = push(asking)
    answer(asking, waiting(asking))
    found = said(process)
    assert (found["permissionDecision"], found["permissionDecisionReason"]) == ("allow", "ann approved this call")


def test_a_no_reaches_the_model_with_its_note(asking: Home):
    process = push(asking)
    answer(asking, waiting(asking), yes=False, note="open a pull request")
    found = said(process)
    assert found["permissionDecision"] == "deny"
    assert found["permissionDecisionReason"] == "ann did not approve this call: open a pull request"


def test_an_edit_is_judged_again(asking: Home):
    process = push(asking)
    answer(asking, waiting(asking), edit=b'{"command": "git push -f"}')
    assert said(process)["permissionDecisionReason"] == "Never force."


def test_other_calls_are_answered_meanwhile(asking: Home):
    process = push(asking)
    request = waiting(asking)
    assert asking.ask(event(tool_use_id="t2")).returncode == 0
    assert process.poll() is None
    answer(asking, request)
    assert said(process)["permissionDecision"] == "allow"


def test_a_daemon_that_is_killed_while_a_call_waits_lets_nothing_through_and_keeps_the_request(asking: Home):
    process = push(asking)
    request = waiting(asking)
    asking.end()
    assert said(process)["permissionDecision"] == "deny"
    with store_of(asking) as store:
        assert [one.id for one in store.requests(["waiting"])] == [request.id]
