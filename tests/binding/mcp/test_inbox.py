"""Calls that wait in the inbox: alone where the client shows no questions, or beside the client's own."""

from __future__ import annotations

import time
from typing import Any

import pytest

from interlock.store.asking import RequestAnswer
from tests.binding.mcp.test_asking import FORMS, MODERN, YES
from tests.binding.mcp.world import POLICY, Person, World, call, denied, notification, request, result

BOTH = POLICY.replace("version: 1\n", "version: 1\napprove: both\n")
INBOX = POLICY.replace("version: 1\n", "version: 1\napprove: inbox\n")


def answer(world: World, **parts: Any) -> str:
    """A person answers the one request that waits."""
    (found,) = world.store.requests(["waiting"])
    world.store.answer_request(found.id, RequestAnswer(**{"yes": True, "by": "ann", "at": time.time(), **parts}))
    return found.id


def work(world: World) -> None:
    """Do everything that was put off, and what comes of it."""
    while world.jobs:
        world.do()


def asked(make: Any, *given: Any, capabilities: Any = None, **more: Any) -> World:
    """A world in which a call has come so far that a person is asked about it."""
    world: World = make(*given, inbox=True, lazy=True, **more)
    world.starts(capabilities)
    world.says(call(1, "pay", amount=200))
    world.do()  # judge the call
    world.do()  # judge the prompt about it
    return world


def statuses(world: World) -> list[str]:
    return [one.status for one in world.store.requests()]


def test_a_call_waits_in_the_inbox_where_nobody_else_can_be_asked(make):
    world = asked(make)
    assert (world.client, world.server) == ([], [])
    id_ = answer(world)
    work(world)
    assert [message["params"]["arguments"] for message in world.server] == [{"amount": 200}]
    assert world.told == [
        f"a call of mcp__shop__pay needs your answer; `interlock inbox` shows request {id_} on a terminal, "
        "`interlock open` in a browser"
    ]


def test_a_yes_with_an_edit_runs_the_edited_call(make):
    world = asked(make)
    answer(world, edit=b'{"amount": 5}')
    work(world)
    assert [message["params"]["arguments"] for message in world.server] == [{"amount": 5}]


def test_a_no_reaches_the_model_with_its_note(make):
    world = asked(make)
    answer(world, yes=False, note="Too dear.")
    work(world)
    assert (world.server, world.client) == ([], [denied(1, "ann did not approve this call: Too dear.")])


def test_without_an_answer_in_time_the_call_is_denied_and_the_request_stays_open(make):
    world = asked(make, POLICY.replace("version: 1\n", "version: 1\ninbox: {wait: 1s}\n"))
    work(world)
    (found,) = world.client
    assert "no one answered within 1 s. The request stays open" in found["result"]["content"][0]["text"]
    assert (world.server, statuses(world)) == ([], ["open"])


def test_a_call_that_is_cancelled_while_it_waits_leaves_its_request_open(make):
    world = asked(make)
    world.says(notification("notifications/cancelled", requestId=1))
    work(world)
    assert (world.server, world.client, statuses(world)) == ([], [], ["open"])


def test_a_connection_that_ends_while_a_call_waits_leaves_its_request_open(make):
    world = asked(make)
    world.proxy.end()
    work(world)
    assert (world.server, statuses(world)) == ([], ["open"])


def test_a_rule_may_want_the_inbox_although_the_client_shows_questions(make):
    world = asked(make, INBOX, capabilities=FORMS)
    assert world.client == []
    answer(world)
    work(world)
    assert [message["id"] for message in world.server] == [1]


def test_a_client_that_shows_questions_is_asked_alone_by_default(make):
    world = asked(make, capabilities=FORMS)
    assert ([message["method"] for message in world.client], statuses(world)) == (["elicitation/create"], [])


# --- both ---------------------------------------------------------------------------------------------------------


def test_an_answer_in_the_inbox_takes_the_clients_question_back(make):
    world = asked(make, BOTH, capabilities=FORMS)
    question = world.client[0]["id"]
    answer(world)
    work(world)
    gone = notification("notifications/cancelled", requestId=question, reason="it was answered elsewhere")
    assert world.client[1:] == [gone]
    assert [message["id"] for message in world.server] == [1]


def test_an_answer_of_the_client_ends_the_request_in_the_inbox(make):
    world = asked(make, BOTH, capabilities=FORMS)
    world.says(result(world.client[0]["id"], YES))
    work(world)
    assert ([message["id"] for message in world.server], statuses(world)) == ([1], ["over"])


def test_an_answer_at_the_terminal_ends_the_request_in_the_inbox(make):
    world = asked(make, BOTH, person=Person(True))
    world.do(1)  # the terminal is faster
    work(world)
    assert ([message["id"] for message in world.server], statuses(world)) == ([1], ["over"])


def test_nobody_at_the_terminal_leaves_it_to_the_inbox(make):
    world = asked(make, BOTH, person=Person(None))
    world.do(1)
    answer(world)
    work(world)
    assert [message["id"] for message in world.server] == [1]


@pytest.mark.parametrize("is_late", [False, True])
def test_when_the_clients_question_has_had_its_time_both_are_over(make, is_late):
    world = asked(make, BOTH, capabilities=FORMS)
    world.time = 301.0 if is_late else 1.0
    world.proxy.tick()
    assert len(world.client) == (3 if is_late else 1)
    if is_late:
        work(world)
        assert (world.server, statuses(world)) == ([], ["open"])


def test_a_client_whose_request_ends_with_the_question_is_asked_alone(make):
    world = make(BOTH, inbox=True, lazy=True)
    world.says(request(1, "tools/call", name="pay", arguments={"amount": 200}, _meta=MODERN))
    work(world)
    assert (world.client[0]["result"]["resultType"], statuses(world)) == ("input_required", ["over"])
