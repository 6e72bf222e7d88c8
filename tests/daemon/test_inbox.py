"""A call waits in the daemon until a person answers in another process."""

from __future__ import annotations

import subprocess
from contextlib import ExitStack
from typing import Any

import pytest
from msgspec import json

from interlock.store.asking import ApprovalRequest
from tests.daemon.spawned import Home, event, until
from tests.daemon.waiting import answer_in, read_answer_of, store_of, wait_at

RULES = (
    "{id: no-force, command: git push -f, deny: Never force.}",
    '{id: push, command: git push, ask: "Push?", approve: inbox}',
)


@pytest.fixture
def asking(home: Home) -> Home:
    home.policy(*RULES)
    return home


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
    until(home.store.exists)
    with store_of(home) as store:
        until(lambda: store.requests(["waiting"]))
        return store.requests(["waiting"])[0]


def answer(home: Home, request: ApprovalRequest, **parts: Any) -> None:
    """Answer as another process does."""
    with store_of(home) as store:
        answer_in(store, request, **parts)


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


# --- who is asked where ------------------------------------------------------------------------------------------


def test_a_host_that_shows_no_prompts_has_its_questions_asked_in_the_inbox(home: Home):
    """The host of these clients is this process, whose output does not go to a terminal."""
    home.policy('{id: push, command: git push, ask: "Push?"}')
    process = push(home)
    answer(home, waiting(home))
    assert said(process)["permissionDecision"] == "allow"


def test_a_rule_may_leave_the_question_to_the_host(home: Home):
    home.policy('{id: push, command: git push, ask: "Push?", approve: host}')
    found = said(push(home))
    assert (found["permissionDecision"], found["permissionDecisionReason"]) == ("ask", "Push?")


def test_where_the_host_shows_no_prompts_both_means_the_inbox(home: Home):
    home.policy('{id: push, command: git push, ask: "Push?", approve: both}')
    process = push(home)
    answer(home, waiting(home))
    assert said(process)["permissionDecision"] == "allow"


def test_the_wait_is_as_long_as_the_policies_say(home: Home):
    home.policy('{id: push, command: git push, ask: "Push?"}', top="inbox: {wait: 1s}\n")
    process = push(home)
    request = waiting(home)
    assert request.until - request.at == 1.0
    found = said(process)
    assert found["permissionDecision"] == "deny"
    assert found["permissionDecisionReason"] == (
        f"this call needs a person's approval, and no one answered within 1 s. The request stays open ({request.id}): "
        "if a person approves it later, the same call will run when you try it again. Until then, do something else or "
        "end your turn. A person was asked: Push?"
    )
    with store_of(home) as store:
        assert [one.status for one in store.requests()] == ["open"]


# --- whoever waits goes away -------------------------------------------------------------------------------------


def test_the_request_of_a_client_that_is_gone_stays_open_and_a_yes_counts_for_the_next_try(asking: Home):
    process = push(asking)
    request = waiting(asking)
    with process:
        process.kill()
    with store_of(asking) as store:
        until(lambda: store.requests(["open"]))
    answer(asking, request)
    assert said(push(asking, "t2"))["permissionDecisionReason"] == "ann allowed the same Bash call once, within an hour"


def test_a_daemon_opens_what_calls_of_a_killed_one_were_waiting_for(asking: Home):
    process = push(asking)
    waiting(asking)
    asking.end()
    assert said(process)["permissionDecision"] == "deny"
    asking.ask(event(tool_use_id="t9"))
    with store_of(asking) as store:
        until(lambda: [one.status for one in store.requests()] == ["open"])


# --- many who wait -----------------------------------------------------------------------------------------------


def test_a_call_is_answered_although_more_calls_wait_than_the_daemon_has_threads(home: Home):
    home.policy('{id: push, command: git push, ask: "Push?"}')
    home.ask(event(tool_use_id="first"))
    with ExitStack() as stack:
        lines = [stack.enter_context(wait_at(home, f"w{number}")) for number in range(300)]
        with store_of(home) as store:
            until(lambda: len(store.requests(["waiting"])) == 300, 120)
            assert json.decode(home.ask(event(tool_use_id="other")).stdout) == {}
            for request in store.requests(["waiting"]):
                answer_in(store, request)
        answers = [json.decode(read_answer_of(line)) for line in lines]
    assert {one["hookSpecificOutput"]["permissionDecision"] for one in answers} == {"allow"}
