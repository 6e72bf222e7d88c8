"""A gate without an approver asks in the inbox: the call waits there for a person in another process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from interlock.approvals import Approval
from interlock.gate import Denied, Gate, NotApproved
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore
from tests.daemon.spawned import until
from tests.gate.gates import Ran, gate_with
from tests.person import Person, no, statuses, yes

ASK = "{id: a, tool: pay, ask: Pay?}"
LIMIT = "{id: b, tool: pay, when: input.n > 9, deny: Too much.}"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "store" / "interlock.db"


@contextmanager
def opened(place: Path) -> Iterator[SqliteStore]:
    with closing(SqliteStore(place)) as store:
        yield store


def call(gate: Gate, given: dict[str, Any], run: Any, how: str) -> Any:
    if how == "plain":
        return gate.call_sync("pay", given, run=run)
    return asyncio.run(gate.call("pay", given, run=run))


both_ways = pytest.mark.parametrize("how", ["plain", "async"])


@both_ways
def test_a_yes_lets_the_call_run(tmp_path: Path, place: Path, how: str):
    told: list[str] = []
    with gate_with(tmp_path, ASK, store=place, notify=told.append) as gate, Person(place, yes) as person:
        assert call(gate, {"n": 1}, Ran(), how) == {"n": 1}
    (request,) = person.asked
    assert told == [
        f"a call of pay needs your answer; `interlock inbox` shows request {request.id} on a terminal, "
        "`interlock open` in a browser"
    ]
    with opened(place) as store:
        found = [(one.event, one.decision) for one in store.records() if one.event != "PermissionRequest"]
    assert found == [("PreToolUse", "ask"), ("Answer", None), ("PreToolUse", "allow"), ("PostToolUse", None)]


@both_ways
def test_a_yes_with_an_edit_runs_the_edited_call(tmp_path: Path, place: Path, how: str):
    ran = Ran()
    with (
        gate_with(tmp_path, ASK, LIMIT, store=place) as gate,
        Person(place, lambda store, request: yes(store, request, edit={"n": 2, "to": "bob"})),
    ):
        call(gate, {"n": 1}, ran, how)
    assert ran.inputs == [{"n": 2, "to": "bob"}]


@both_ways
def test_an_edit_into_something_denied_stays_denied(tmp_path: Path, place: Path, how: str):
    ran = Ran()
    edit = Person(place, lambda store, request: yes(store, request, edit={"n": 10}))
    with gate_with(tmp_path, ASK, LIMIT, store=place) as gate, edit, pytest.raises(Denied, match=r"Too much\."):
        call(gate, {"n": 1}, ran, how)
    assert ran.inputs == []


@both_ways
def test_a_no_is_raised_with_its_note(tmp_path: Path, place: Path, how: str):
    ran = Ran()
    refuse = Person(place, lambda store, request: no(store, request, "too dear"))
    with (
        gate_with(tmp_path, ASK, store=place) as gate,
        refuse,
        pytest.raises(NotApproved, match="ann did not approve this call: too dear"),
    ):
        call(gate, {"n": 1}, ran, how)
    assert ran.inputs == []


@both_ways
def test_without_an_answer_the_call_is_refused_and_a_late_yes_lets_the_next_try_run(
    tmp_path: Path, place: Path, how: str
):
    ran = Ran()
    with gate_with(tmp_path, ASK, store=place, session="s", approve_within=0.2) as gate:
        with pytest.raises(NotApproved, match="The request stays open"):
            call(gate, {"n": 1}, ran, how)
        with opened(place) as store:
            (request,) = store.requests(["open"])
            yes(store, request)
        assert call(gate, {"n": 1}, ran, how) == {"n": 1}
        with pytest.raises(NotApproved):
            call(gate, {"n": 1}, ran, how)
    assert ran.inputs == [{"n": 1}]


def test_the_wait_is_as_short_as_the_policy_says(tmp_path: Path, place: Path):
    with gate_with(tmp_path, ASK, top="inbox: {wait: 1s}", store=place) as gate, pytest.raises(NotApproved):
        gate.call_sync("pay", {}, run=Ran())
    with opened(place) as store:
        (request,) = store.requests()
    assert (request.until - request.at, request.status) == (1.0, "open")


def test_a_store_in_memory_is_one_in_which_nobody_can_answer(tmp_path: Path):
    with (
        gate_with(tmp_path, ASK, store=MemoryStore()) as gate,
        pytest.raises(NotApproved, match="and no one can be asked"),
    ):
        gate.call_sync("pay", {}, run=Ran())


def test_a_rule_may_leave_it_to_an_approver_only(tmp_path: Path, place: Path):
    rule = "{id: a, tool: pay, ask: Pay?, approve: host}"
    with gate_with(tmp_path, rule, store=place) as gate, pytest.raises(NotApproved, match="and no one can be asked"):
        gate.call_sync("pay", {}, run=Ran())


def test_a_rule_may_want_the_inbox_although_there_is_an_approver(tmp_path: Path, place: Path):
    rule = "{id: a, tool: pay, ask: Pay?, approve: inbox}"
    with gate_with(tmp_path, rule, store=place, approver=lambda request: False) as gate, Person(place, yes):
        assert gate.call_sync("pay", {"n": 1}, run=Ran()) == {"n": 1}


def test_a_rule_that_answers_prompts_is_asked_before_a_person(tmp_path: Path, place: Path):
    prompt = "{id: p, event: PermissionRequest, tool: pay, allow: true}"
    with gate_with(tmp_path, ASK, prompt, store=place) as gate:
        assert gate.call_sync("pay", {"n": 1}, run=Ran()) == {"n": 1}
    with opened(place) as store:
        assert [one.status for one in store.requests()] == ["over"]


# --- both ---------------------------------------------------------------------------------------------------------

BOTH = "{id: a, tool: pay, ask: Pay?, approve: both}"


async def never(request: Any) -> Approval:
    await asyncio.Event().wait()
    raise AssertionError


@both_ways
def test_of_an_approver_and_the_inbox_the_first_answer_counts(tmp_path: Path, place: Path, how: str):
    with gate_with(tmp_path, BOTH, store=place, approver=never) as gate, Person(place, yes):
        assert call(gate, {"n": 1}, Ran(), how) == {"n": 1}
    with gate_with(tmp_path, BOTH, store=place, approver=lambda request: True) as gate:
        assert call(gate, {"n": 2}, Ran(), how) == {"n": 2}
    with opened(place) as store:
        assert [one.status for one in store.requests()] == ["yes", "over"]


@both_ways
def test_an_approver_that_fails_leaves_it_to_the_inbox(tmp_path: Path, place: Path, how: str):
    def broken(request: Any) -> bool:
        raise ConnectionError("no phone")

    with gate_with(tmp_path, BOTH, store=place, approver=broken) as gate, Person(place, yes):
        assert call(gate, {"n": 1}, Ran(), how) == {"n": 1}


@both_ways
def test_a_no_of_the_approver_counts_and_nobody_is_asked_any_more(tmp_path: Path, place: Path, how: str):
    with gate_with(tmp_path, BOTH, store=place, approver=lambda request: False) as gate, pytest.raises(NotApproved):
        call(gate, {"n": 1}, Ran(), how)
    with opened(place) as store:
        assert [one.status for one in store.requests()] == ["over"]


# --- the caller goes away ---------------------------------------------------------------------------------------------


def test_a_call_that_is_cancelled_while_it_waits_leaves_its_request_open(tmp_path: Path, place: Path):
    ran = Ran()

    async def main(gate: Gate) -> None:
        task = asyncio.create_task(gate.call("pay", {"n": 1}, run=ran))
        with opened(place) as store:
            while not store.requests(["waiting"]):
                await asyncio.sleep(0.005)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with gate_with(tmp_path, ASK, store=place) as gate:
        asyncio.run(main(gate))
        until(lambda: statuses(place) == ["open"])  # the thread that judged it may be a moment behind
    assert ran.inputs == []


def test_a_call_that_waits_does_not_hold_up_the_loop(tmp_path: Path, place: Path):
    async def main(gate: Gate) -> list[Any]:
        waits = asyncio.create_task(gate.call("pay", {"n": 1}, run=Ran()))
        found = [await gate.call("look", {"n": number}, run=Ran()) for number in range(3)]
        with opened(place) as store:
            while not store.requests(["waiting"]):
                await asyncio.sleep(0.005)
            yes(store, store.requests(["waiting"])[0])
        return [*found, await waits]

    with gate_with(tmp_path, ASK, store=place) as gate:
        assert asyncio.run(main(gate)) == [{"n": 0}, {"n": 1}, {"n": 2}, {"n": 1}]
