"""Asking a person: by the client as each revision does it, at a terminal, or not at all."""

from __future__ import annotations

import os
import pty
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from interlock.binding.mcp.asking import PersonQuestion, TerminalPrompt, is_yes, may_elicit
from tests.binding.mcp.world import Person, call, denied, error, line, notification, request, result, text

FORMS: dict[str, Any] = {"elicitation": {}}
YES = {"action": "accept", "content": {"answer": "allow"}}
VERSION = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
MODERN = {**VERSION, "io.modelcontextprotocol/clientCapabilities": FORMS}


def test_a_client_that_shows_forms_is_asked_and_the_call_waits(world):
    world.starts(FORMS)
    world.says(call(1, "pay", amount=200))
    assert world.server == []
    (asked,) = world.client
    assert asked["method"] == "elicitation/create"
    assert asked["id"].startswith("interlock-")
    shown = asked["params"]["message"]
    assert shown.startswith("Interlock asks about mcp__shop__pay\n  why   Pay 200?\n  runs  amount = 200\n  call  ")
    assert asked["params"]["requestedSchema"]["properties"]["answer"]["enum"] == ["deny", "allow"]
    world.says(result(asked["id"], YES))
    assert world.raw_server == [line(call(1, "pay", amount=200))]


def test_what_comes_behind_a_call_that_waits_for_a_person_passes_it(world):
    world.starts(FORMS)
    world.says(call(1, "pay", amount=200), request(2, "ping"), call(3, "look"))
    assert [message["id"] for message in world.server] == [2, 3]


@pytest.mark.parametrize(
    "answer",
    [
        {"action": "accept", "content": {"answer": "deny"}},
        {"action": "accept", "content": {"answer": True}},
        {"action": "accept", "content": {}},
        {"action": "accept"},
        {"action": "decline", "content": {"answer": "allow"}},
        {"action": "cancel"},
        {},
    ],
)
def test_anything_but_an_explicit_yes_is_a_no(world, answer):
    world.starts(FORMS)
    world.says(call(1, "pay", amount=200))
    world.says(result(world.client[0]["id"], answer))
    assert world.server == []
    assert world.client[1] == denied(1, "A person was asked about this call and did not agree. Pay 200?")


def test_an_error_in_place_of_an_answer_is_a_no(world):
    world.starts(FORMS)
    world.says(call(1, "pay", amount=200))
    world.says(error(world.client[0]["id"], "not supported"))
    assert world.server == []


def test_an_answer_counts_once_and_for_its_own_call_only(world):
    world.starts(FORMS)
    world.says(call(1, "pay", amount=200), call(2, "pay", amount=9_000))
    first = world.client[0]["id"]
    world.says(result(first, YES), result(first, YES))
    calls = [message for message in world.server if message.get("method") == "tools/call"]
    assert [message["params"]["arguments"] for message in calls] == [{"amount": 200}]


def test_an_answer_is_recorded_with_the_digest_of_what_it_was_about(world):
    world.starts(FORMS)
    world.says(call(1, "pay", amount=200))
    world.says(result(world.client[0]["id"], YES))
    assert [event for event in world.events() if event[0] != "SessionStart"] == [
        ("PreToolUse", "ask"),
        ("PermissionRequest", None),
        ("ElicitationResult", None),
    ]


def test_a_person_sees_what_would_run_and_what_the_model_wrote(world):
    world.starts(FORMS)
    world.says(call(1, "pay", amount=5, cents=7))
    shown = world.client[0]["params"]["message"]
    assert "  runs  amount = 5\n  changed from what the model wrote:\n  - cents = 7\n" in shown
    world.says(result(world.client[0]["id"], YES))
    assert world.server[0]["params"]["arguments"] == {"amount": 5}


def test_a_call_cancelled_while_a_person_is_asked_takes_its_question_back(world):
    world.starts(FORMS)
    world.says(call(1, "pay", amount=200))
    question = world.client[0]["id"]
    world.says(notification("notifications/cancelled", requestId=1))
    assert world.client[1] == notification(
        "notifications/cancelled", requestId=question, reason="the call was cancelled"
    )
    world.says(result(question, YES))
    assert [message for message in world.server if message.get("method") == "tools/call"] == []


def test_nobody_answers_in_time(world):
    world.starts(FORMS)
    world.says(call(1, "pay", amount=200))
    world.time = 299.0
    assert world.proxy.tick() == pytest.approx(1.0)
    world.time = 301.0
    world.proxy.tick()
    assert world.client[1]["method"] == "notifications/cancelled"
    why = "This call needs a person's approval, and no one answered within 300 s. Pay 200?"
    assert world.client[2] == denied(1, why)


@pytest.mark.parametrize("capabilities", [{}, {"elicitation": {"url": {}}}, {"elicitation": True}, {"sampling": {}}])
def test_without_anybody_to_ask_a_call_is_denied_and_says_so(world, capabilities):
    world.starts(capabilities)
    world.says(call(1, "pay", amount=200))
    nobody = (
        "This call needs a person's approval, and no one can be asked here: the client shows no questions and there is "
    )
    assert world.client == [denied(1, f"{nobody}no terminal. Pay 200?")]
    assert world.server == []


def test_a_terminal_is_asked_where_the_client_cannot(make):
    person = Person(True)
    world = make(person=person)
    world.starts()
    world.says(call(1, "pay", amount=200))
    assert [message["id"] for message in world.server] == [1]
    assert person.asked[0].text.startswith("Interlock asks about mcp__shop__pay")


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (False, "A person was asked about this call and did not agree. Pay 200?"),
        (None, "This call needs a person's approval, and no one answered at the terminal. Pay 200?"),
    ],
)
def test_a_terminal_that_says_no_or_nothing_denies(make, answer, why):
    world = make(person=Person(answer))
    world.starts()
    world.says(call(1, "pay", amount=200))
    assert (world.client, world.server) == ([denied(1, why)], [])


def test_a_policy_may_answer_for_the_person(make):
    policy = """
version: 1
rules:
  - {id: all, tool: pay, ask: Sure?}
  - {id: small, event: PermissionRequest, tool: mcp__shop__pay, when: input.amount < 10, allow: true}
  - {id: huge, event: PermissionRequest, tool: pay, when: input.amount > 1000, deny: Never that much.}
"""
    world = make(policy)
    world.says(call(1, "pay", amount=5), call(2, "pay", amount=5_000))
    assert [message["id"] for message in world.server] == [1]
    assert world.client == [denied(2, "Never that much.")]


# --- the latest revision: the client comes again with the answer --------------------------------------------


def modern(id_: int, tool: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
    return request(id_, "tools/call", name=tool, arguments=arguments, _meta={**MODERN, "progressToken": id_}, **more)


def ask(world: Any, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
    world.says(modern(1, "pay", arguments, **more))
    needed: dict[str, Any] = world.client[-1]["result"]
    assert needed["resultType"] == "input_required"
    return needed


def test_a_call_that_comes_again_with_a_yes_runs_as_it_was_sent(world):
    needed = ask(world, {"amount": 200})
    assert needed["inputRequests"]["interlock"]["method"] == "elicitation/create"
    assert needed["inputRequests"]["interlock"]["params"]["mode"] == "form"
    again = modern(2, "pay", {"amount": 200}, inputResponses={"interlock": YES}, requestState=needed["requestState"])
    world.says(again)
    assert world.server == [modern(2, "pay", {"amount": 200})]
    world.answers(text(2, "paid"))
    assert world.client[-1] == text(2, "paid")


def test_a_yes_for_other_arguments_does_not_count(world):
    needed = ask(world, {"amount": 200})
    world.says(
        modern(2, "pay", {"amount": 9_000}, inputResponses={"interlock": YES}, requestState=needed["requestState"])
    )
    assert world.server == []
    assert world.client[-1]["result"]["content"][0]["text"].startswith("This answer is about another call")


def test_a_yes_for_another_tool_does_not_count(world):
    needed = ask(world, {"amount": 200})
    world.says(
        modern(2, "burn", {"amount": 200}, inputResponses={"interlock": YES}, requestState=needed["requestState"])
    )
    assert world.server == []


def test_a_yes_counts_once(world):
    needed = ask(world, {"amount": 200})
    for number in (2, 3):
        world.says(
            modern(
                number, "pay", {"amount": 200}, inputResponses={"interlock": YES}, requestState=needed["requestState"]
            )
        )
    assert [message["id"] for message in world.server] == [2]
    assert world.client[-1] == error(3, "Interlock: this question is not open any more", -32602)


def test_a_state_that_was_made_up_does_not_count(world):
    world.says(modern(2, "pay", {"amount": 200}, inputResponses={"interlock": YES}, requestState="interlock:guess"))
    assert world.server == []


def test_a_no_denies_and_is_marked_as_a_whole_result(world):
    needed = ask(world, {"amount": 200})
    no = {"interlock": {"action": "decline"}}
    world.says(modern(2, "pay", {"amount": 200}, inputResponses=no, requestState=needed["requestState"]))
    assert world.server == []
    assert world.client[-1]["result"]["resultType"] == "complete"


def test_what_the_server_wanted_back_reaches_it_although_we_asked_in_between(world):
    theirs = {"inputResponses": {"q": {"action": "accept"}}, "requestState": "theirs"}
    needed = ask(world, {"amount": 200}, **theirs)
    world.says(
        modern(2, "pay", {"amount": 200}, inputResponses={"interlock": YES}, requestState=needed["requestState"])
    )
    sent = world.server[0]["params"]
    assert {key: sent[key] for key in theirs} == theirs


def test_a_modern_client_without_forms_is_not_asked(world):
    world.says(request(1, "tools/call", name="pay", arguments={"amount": 200}, _meta=VERSION))
    assert world.client[0]["result"]["isError"] is True


# --- small parts ---------------------------------------------------------------------------------------------


def test_who_may_be_asked():
    assert may_elicit({"elicitation": {}})
    assert may_elicit({"elicitation": {"form": {}, "url": {}}})
    assert not may_elicit({"elicitation": {"url": {}}})
    assert not may_elicit({})
    assert not may_elicit(None)


def test_what_is_a_yes():
    assert is_yes(YES)
    assert not is_yes({"action": "accept", "content": {"answer": "ALLOW"}})
    assert not is_yes(None)
    assert not is_yes("accept")


@pytest.fixture
def screen() -> Iterator[tuple[int, str]]:
    """Our side of a terminal, and the name of the other."""
    ours, theirs = pty.openpty()
    yield ours, os.ttyname(theirs)
    for descriptor in (ours, theirs):
        with suppress(OSError):
            os.close(descriptor)


def test_a_terminal_that_is_not_ours_is_left_alone(screen):
    terminal = TerminalPrompt(screen[1])
    assert not terminal.is_there(), "it is no terminal that this process controls"
    assert terminal.approve(PersonQuestion("Sure?", "ab" * 32), threading.Event()) is None


def test_no_terminal_is_nobody():
    terminal = TerminalPrompt("/dev/null/none")
    assert not terminal.is_there()
    assert terminal.approve(PersonQuestion("Sure?", "ab" * 32), threading.Event()) is None


@pytest.mark.parametrize(
    ("typed", "answer"),
    [("yes abab", True), ("YES abab ", True), ("yes", False), ("y", False), ("", False), ("yes cdcd", False)],
)
def test_a_yes_at_a_terminal_repeats_the_call(screen, monkeypatch, typed, answer):
    monkeypatch.setattr("interlock.binding.mcp.asking._is_free", lambda tty: True)
    ours, name = screen
    said: list[bool | None] = []
    thread = threading.Thread(
        target=lambda: said.append(TerminalPrompt(name).approve(PersonQuestion("Sure?", "ab" * 32), threading.Event()))
    )
    thread.start()
    shown = b""
    while b"to refuse: " not in shown:
        shown += os.read(ours, 4096)
    os.write(ours, typed.encode() + b"\n")
    thread.join(10)
    assert said == [answer]


def test_a_question_that_is_over_waits_no_longer(screen, monkeypatch):
    monkeypatch.setattr("interlock.binding.mcp.asking._is_free", lambda tty: True)
    over = threading.Event()
    over.set()
    assert TerminalPrompt(screen[1]).approve(PersonQuestion("Sure?", "ab" * 32), over) is None
