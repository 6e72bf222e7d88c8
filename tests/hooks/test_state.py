"""What hooks remember between events."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import json

from interlock import deny, hook, set_state
from interlock.hooks.run import HookSet
from interlock.service import Reply, handle
from tests.hooks.events import answer, denial, event, named, post, pre
from tests.session_memory import SessionMemory

LIMITS = {"new": 100, "regular": 300, "vip": 1000}


@hook("PostToolUse", tool="mcp__crm__get_customer")
def customer_known(call):
    return set_state(tenure={call.input["customer_id"]: call.output["tenure"]})


@hook("PreToolUse", tool="process_refund")
def refund_over_limit(call, state):
    limit = LIMITS[state["tenure"].get(call.input["customer_id"], "new")]
    if call.input["amount"] > limit:
        return deny(f"Refund of ${call.input['amount']} is over ${limit}. Use escalate_to_human.")
    return None


class Session:
    """One session of an agent with two hooks and a memory."""

    def __init__(self) -> None:
        self.hooks = HookSet([customer_known, refund_over_limit])
        self.memory = SessionMemory({"tenure": {}})

    def look_up(self, customer: str, tenure: str, session: str = "s1") -> Reply:
        response = [{"type": "text", "text": json.encode({"tenure": tenure}).decode()}]
        raw = post("mcp__crm__get_customer", {"customer_id": customer}, response, session_id=session)
        return handle("claude-code", raw, self.hooks, memory=self.memory)

    def refund(self, customer: str, amount: int, session: str = "s1") -> str | None:
        given = {"customer_id": customer, "amount": amount}
        call = {"tool_name": "mcp__payments__process_refund", "tool_input": given, "tool_use_id": "c2"}
        raw = event("PreToolUse", session_id=session, **call)
        reply = handle("claude-code", raw, self.hooks, memory=self.memory)
        return None if reply.stdout == b"{}" else denial(reply)


def over(amount: int, limit: int) -> str:
    return f"Refund of ${amount} is over ${limit}. Use escalate_to_human."


@pytest.mark.parametrize(("tenure", "limit"), LIMITS.items())
def test_the_limit_follows_the_tenure_that_another_hook_stored(tenure: str, limit: int):
    """S1-15 S1-09 new 100, regular 300, vip 1000."""
    session = Session()
    assert session.look_up("a", tenure).stdout == b"{}"
    assert session.refund("a", limit) is None
    assert session.refund("a", limit + 1) == over(limit + 1, limit)


def test_a_customer_nobody_looked_up_is_new():
    """S1-15"""
    session = Session()
    assert session.refund("a", 100) is None
    assert session.refund("a", 101) == over(101, 100)


def test_two_customers_are_not_confused():
    """S1-15 A dictionary merges into a dictionary: the second does not wipe out the first."""
    session = Session()
    session.look_up("a", "vip")
    session.look_up("b", "regular")
    assert session.refund("a", 1000) is None
    assert session.refund("b", 1000) == over(1000, 300)
    assert session.memory.state_of("s1") == {"tenure": {"a": "vip", "b": "regular"}}


def test_what_is_known_later_replaces_what_was_known():
    """S1-15"""
    session = Session()
    session.look_up("a", "vip")
    session.look_up("a", "new")
    assert session.refund("a", 101) == over(101, 100)


def test_another_session_knows_nothing_of_it():
    """S1-15"""
    session = Session()
    session.look_up("a", "vip", session="s1")
    assert session.refund("a", 1000, session="s2") == over(1000, 100)
    assert session.refund("a", 1000, session="s1") is None


def test_an_unknown_tenure_fails_closed():
    """S1-08 S1-15"""
    session = Session()
    session.look_up("a", "platinum")
    assert session.refund("a", 1) == f"{named(refund_over_limit)} raised KeyError: 'platinum'"


def test_hooks_of_one_event_see_the_state_as_it_was_when_the_event_came():
    seen: list[Any] = []

    @hook("PreToolUse")
    def writer(state):
        seen.append(state["count"])
        return set_state(count=state["count"] + 1)

    @hook("PreToolUse")
    def reader(state):
        seen.append(state["count"])

    memory = SessionMemory({"count": 0})
    for _ in range(2):
        answer(pre(command="ls"), writer, reader, memory=memory)
    assert seen == [0, 0, 1, 1]
    assert memory.state_of("s1") == {"count": 2}


def test_what_an_allowed_hook_would_remember_of_a_denied_call_is_dropped():
    @hook("PreToolUse")
    def count(state):
        return set_state(count=state["count"] + 1)

    @hook("PreToolUse")
    def refuse(call):
        return deny("No.")

    memory = SessionMemory({"count": 0})
    assert denial(answer(pre(command="ls"), count, refuse, memory=memory)) == "No."
    assert memory.state_of("s1") == {"count": 0}


def test_what_the_denying_hook_remembers_stands():
    """Semantics 5: what a hook sets stands unless *another* denied the call."""

    @hook("PreToolUse")
    def strike(state):
        yield deny("No.")
        yield set_state(strikes=state["strikes"] + 1)

    memory = SessionMemory({"strikes": 0})
    answer(pre(command="ls"), strike, memory=memory)
    assert memory.state_of("s1") == {"strikes": 1}


def test_a_failing_answer_remembers_nothing():
    @hook("PreToolUse")
    def guard(call):
        yield set_state(a=1)
        raise ValueError("late")

    memory = SessionMemory()
    answer(pre(command="ls"), guard, memory=memory)
    assert memory.state_of("s1") == {}


def test_a_value_kept_by_the_memory_is_not_shared_with_those_who_set_it():
    mine = {"list": [1]}

    @hook("PreToolUse")
    def guard(call):
        return set_state(kept=mine)

    memory = SessionMemory()
    answer(pre(command="ls"), guard, memory=memory)
    mine["list"].append(2)
    assert memory.state_of("s1") == {"kept": {"list": [1]}}
