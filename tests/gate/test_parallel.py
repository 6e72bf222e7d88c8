"""Calls side by side: each has its own transaction, and each task and thread its own session."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from interlock.gate import Denied, Gate
from interlock.store.memory import MemoryStore
from interlock.store.sqlite import SqliteStore
from tests.gate.gates import Ran, gate_with

LIMIT = (
    "{id: push, tool: push, when: 'count(\"push\") < 10'}",
    "{id: enough, tool: push, when: 'count(\"push\") >= 10', deny: Ten pushes are enough.}",
)


async def attempt(gate: Gate, ran: Ran) -> bool:
    try:
        await gate.call("push", {}, run=ran)
    except Denied as denied:
        assert denied.reason == "Ten pushes are enough."
        return False
    return True


@pytest.mark.parametrize("kind", ["memory", "sqlite"])
def test_of_64_calls_against_a_limit_of_10_exactly_10_run(tmp_path, kind):
    store = MemoryStore() if kind == "memory" else SqliteStore(tmp_path / "store.db")
    gate, ran = gate_with(tmp_path, *LIMIT, store=store), Ran(True)

    async def main() -> list[bool]:
        return await asyncio.gather(*(attempt(gate, ran) for _ in range(64)))

    assert sum(asyncio.run(main())) == len(ran.inputs) == 10
    gate.close()
    store.close()


def test_so_it_is_with_threads(tmp_path):
    gate, ran = gate_with(tmp_path, *LIMIT), Ran(True)

    def one(_: int) -> bool:
        try:
            gate.call_sync("push", {}, run=ran)
        except Denied:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        assert sum(pool.map(one, range(64))) == len(ran.inputs) == 10


def test_tasks_and_threads_keep_their_sessions(tmp_path):
    gate = gate_with(tmp_path, *LIMIT)

    async def session(name: str) -> int:
        with gate.session(name):
            ran = Ran(True)
            for _ in range(12):
                await attempt(gate, ran)
                await asyncio.sleep(0)
            return len(ran.inputs)

    async def main() -> Any:
        return await asyncio.gather(*(session(f"s{number}") for number in range(5)))

    assert asyncio.run(main()) == [10] * 5


def test_a_session_within_a_session_ends_where_it_began(tmp_path):
    store = MemoryStore()
    gate = gate_with(tmp_path, store=store, session="own")
    with gate.session("outer"):
        with gate.session("inner"):
            gate.call_sync("look", {}, run=Ran(1))
        gate.call_sync("look", {}, run=Ran(1))
    gate.call_sync("look", {}, run=Ran(1))
    sessions = [record.session for record in store.records() if record.event == "PreToolUse"]
    assert sessions == ["inner", "outer", "own"]


def test_two_gates_in_one_task_have_sessions_of_their_own(tmp_path):
    stores = MemoryStore(), MemoryStore()
    one, two = (gate_with(tmp_path, store=store, session=name) for store, name in zip(stores, "ab", strict=True))
    with one.session("s"):
        two.call_sync("look", {}, run=Ran(1))
        one.call_sync("look", {}, run=Ran(1))
    assert [next(iter(store.records())).session for store in stores] == ["s", "b"]


def test_a_gate_that_waits_for_a_disk_does_not_hold_up_the_loop(tmp_path):
    store = SqliteStore(tmp_path / "store.db")
    gate = gate_with(tmp_path, store=store)
    turns = 0

    async def counting() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    async def main() -> None:
        other = asyncio.create_task(counting())
        await gate.call("look", {}, run=Ran(1))
        other.cancel()

    asyncio.run(main())
    assert turns > 10
    gate.close()
    store.close()
