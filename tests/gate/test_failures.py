"""What goes wrong in a gate never lets a call through, nor a result that must not be read."""

from __future__ import annotations

import asyncio
import traceback
from typing import Any

import pytest

from interlock import ask, deny, hook
from interlock.approvals import Approval
from interlock.errors import InterlockError
from interlock.gate import Denied, NotApproved, Withheld
from interlock.store.memory import MemoryStore
from tests.gate.gates import Ran, Said, gate_with

TENURE = (
    "{id: known, event: PostToolUse, tool: get_customer, set: {tenure: {'${input.id}': '${output.tenure}'}}}",
    '{id: limit, tool: refund, when: \'state.tenure[?input.id].orValue("new") != "vip"\', deny: Only VIPs.}',
)
STATE = "state: {tenure: {}}"
KNOT: list[Any] = []
KNOT.append(KNOT)
TOKEN = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


def call(gate: Any, tool: str, given: Any, run: Any) -> Any:
    return asyncio.run(gate.call(tool, given, run=run))


# --- tools ------------------------------------------------------------------------------------------------------


def test_what_a_failed_call_would_have_set_is_unknown_and_unknown_denies(tmp_path):
    gate = gate_with(tmp_path, *TENURE, top=STATE)
    with pytest.raises(ConnectionError, match="down"):
        call(gate, "get_customer", {"id": "ann"}, Ran(ConnectionError("the CRM is down")))
    with pytest.raises(Denied, match="`tenure` is unknown"):
        call(gate, "refund", {"id": "ann"}, Ran())
    call(gate, "get_customer", {"id": "ann"}, Ran({"tenure": "vip"}))
    assert call(gate, "refund", {"id": "ann"}, Ran()) == {"id": "ann"}  # until it is known after all


def test_a_failed_call_is_recorded_with_what_it_said(tmp_path):
    store = MemoryStore()
    gate = gate_with(tmp_path, store=store)
    with pytest.raises(ValueError, match="x"):
        call(gate, "look", {}, Ran(ValueError("x")))
    assert [record.event for record in store.records()] == ["PreToolUse", "PostToolUseFailure"]
    assert b"ValueError: x" in list(store.records())[1].raw


@pytest.mark.parametrize("record", [True, False])
def test_an_exception_whose_text_a_rule_would_have_changed_is_withheld(tmp_path, record):
    rule = "{id: mask, event: PostToolUse, tool: look, output: '${redact(output)}'}"
    gate = gate_with(tmp_path, rule, record=record)
    with pytest.raises(Withheld) as withheld:
        call(gate, "look", {}, Ran(ValueError(f"bad token {TOKEN}")))
    assert withheld.value.reason == "the tool failed, and what it said is withheld: `mask` would have changed it"
    assert TOKEN not in "".join(traceback.format_exception(withheld.value))
    assert withheld.value.__context__ is None
    with pytest.raises(ValueError, match="nothing secret"):  # the near miss
        call(gate, "look", {}, Ran(ValueError("nothing secret")))


def test_a_failing_rule_withholds_a_failed_calls_text_where_it_should_have_read_it(tmp_path):
    for tool, raised in (("Bash", Withheld), ("look", ValueError)):  # of the second, nobody knows the shape
        rule = f"{{id: mask, event: PostToolUse, tool: {tool}, output: {{stdout: '${{redact(output.stdin)}}'}}}}"
        with pytest.raises(raised):
            call(gate_with(tmp_path, rule), tool, {"command": "ls"}, Ran(ValueError("x")))


def test_a_cancelled_call_is_unknown_too_and_stays_cancelled(tmp_path):
    gate = gate_with(tmp_path, *TENURE, top=STATE)

    async def never(given: Any) -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        task = asyncio.create_task(gate.call("get_customer", {"id": "ann"}, run=never))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(Denied, match="unknown"):
            await gate.call("refund", {"id": "ann"}, run=Ran())

    asyncio.run(main())


def test_a_call_that_is_cancelled_while_a_person_is_asked_does_not_run(tmp_path):
    ran, asked = Ran(), asyncio.Event()

    class Slow:
        async def approve(self, request: Any) -> Approval:
            asked.set()
            await asyncio.Event().wait()
            return Approval(True)

    gate = gate_with(tmp_path, "{id: a, tool: pay, ask: Pay?}", approver=Slow())

    async def main() -> None:
        task = asyncio.create_task(gate.call("pay", {}, run=ran))
        await asked.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert ran.inputs == []


def test_an_abandoned_call_is_reported_as_failed(tmp_path):
    gate = gate_with(tmp_path, *TENURE, top=STATE)

    async def never(given: Any) -> None:
        await asyncio.Event().wait()

    abandoned = gate.call("get_customer", {"id": "ann"}, run=never)

    async def begin() -> None:
        abandoned.send(None)

    asyncio.run(begin())
    abandoned.close()
    with pytest.raises(Denied, match="unknown"):
        call(gate, "refund", {"id": "ann"}, Ran())


@pytest.mark.parametrize(
    ("given", "culprit"),
    [
        ({"x": (1, 2)}, "`x` is or contains a tuple"),
        ({"x": [1, {2: "b"}]}, "`x` is or contains a key that is not a text"),
        ({1: "x"}, "a key is not a text"),
        ({"x": float("nan")}, "`x` is or contains a number that is infinite or NaN"),
        ({"x": "\ud83d"}, "`x` is or contains a half surrogate pair"),
        ({"x": object}, "`x` is or contains a type"),
        ({"x": KNOT}, "nested too deeply, or contains itself"),
        ([1], "it is a list"),
        (None, "it is a NoneType"),
    ],
)
def test_an_input_that_json_cannot_carry_is_refused_before_anything_is_judged(tmp_path, given, culprit):
    store, ran = MemoryStore(), Ran()
    with pytest.raises(InterlockError, match="cannot be written as a JSON object") as error:
        call(gate_with(tmp_path, store=store), "look", given, ran)
    assert culprit in error.value.message
    assert (ran.inputs, list(store.records())) == ([], [])


def test_a_number_of_any_size_is_carried_as_it_is(tmp_path):
    assert call(gate_with(tmp_path), "look", {"x": 1 << 70}, Ran()) == {"x": 1 << 70}


@pytest.mark.parametrize("result", [object(), (1,), {1: 2}, float("inf"), {"a": {1, 2}}, KNOT])
def test_a_result_that_json_cannot_carry_is_not_handed_on_and_counts_as_failed(tmp_path, result):
    store = MemoryStore()
    with pytest.raises(InterlockError, match="cannot be written as JSON"):
        call(gate_with(tmp_path, store=store), "look", {}, Ran(result))
    assert [record.event for record in store.records()] == ["PreToolUse", "PostToolUseFailure"]


def test_a_nul_in_an_input_is_denied(tmp_path):
    with pytest.raises(Denied, match="NUL"):
        call(gate_with(tmp_path), "look", {"path": "a\0b"}, Ran())


def test_the_tool_gets_what_was_judged_whatever_the_caller_does_to_it_meanwhile(tmp_path):
    given = {"amounts": [1]}

    class Meddler:
        async def approve(self, request: Any) -> Approval:
            given["amounts"].append(1_000_000)
            request.input["amounts"].append(2_000_000)
            return Approval(True)

    gate = gate_with(tmp_path, "{id: a, tool: pay, ask: Pay?}", approver=Meddler())
    assert call(gate, "pay", given, Ran()) == {"amounts": [1]}


# --- approvers ----------------------------------------------------------------------------------------------------


def test_without_an_approver_an_ask_is_a_deny_that_says_so(tmp_path):
    ran = Ran()
    with pytest.raises(NotApproved, match="no one can be asked"):
        call(gate_with(tmp_path, "{id: a, tool: pay, ask: Pay?}"), "pay", {}, ran)
    assert ran.inputs == []


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (ValueError("no network"), "the approver raised ValueError: no network"),
        (TimeoutError("their own"), "the approver failed: it gave up waiting"),
        (None, "the approver failed: it answered `None`, which is not an Approval"),
        (True, "the approver failed: it answered `True`, which is not an Approval"),
        ({"yes": True}, "which is not an Approval"),
        (Approval("no"), "the approver failed: it answered `yes='no'`; expected True or False"),  # type: ignore[arg-type]
        (Approval(True, ["x"]), "its edited input is not an object"),  # type: ignore[arg-type]
        (Approval(True, {"x": (1,)}), "its edited input is not an object"),
        (Approval(True, None, 5), "the reason of its answer is not a text"),  # type: ignore[arg-type]
    ],
)
def test_an_approver_that_fails_or_answers_something_else_has_not_said_yes(tmp_path, answer, why):
    ran = Ran()
    with pytest.raises(NotApproved) as refused:
        call(gate_with(tmp_path, "{id: a, tool: pay, ask: Pay?}", approver=Said(answer)), "pay", {}, ran)
    assert why in refused.value.reason
    assert ran.inputs == []


def test_no_answer_in_time_is_a_deny_that_says_so(tmp_path):
    class Away:
        async def approve(self, request: Any) -> Approval:
            await asyncio.Event().wait()
            return Approval(True)

    gate = gate_with(tmp_path, "{id: a, tool: pay, ask: Pay?}", approver=Away(), approve_within=0.01)
    ran = Ran()
    with pytest.raises(NotApproved, match=r"no one approved this call within 0\.01 s"):
        call(gate, "pay", {}, ran)
    with pytest.raises(NotApproved, match=r"no one approved this call within 0\.01 s"):
        gate.call_sync("pay", {}, run=ran)
    assert ran.inputs == []
    gate.close()


EDITED = ("{id: a, tool: pay, ask: Pay?}", "{id: b, tool: pay, when: input.n > 9, deny: Too much.}")


def test_an_edit_is_judged_before_it_runs_and_asked_about_no_further(tmp_path):
    said = Said(Approval(True, {"n": 3}))
    assert call(gate_with(tmp_path, *EDITED, approver=said), "pay", {"n": 1}, Ran()) == {"n": 3}
    assert len(said.requests) == 1


def test_a_denied_edit_is_final(tmp_path):
    ran, said = Ran(), Said(Approval(True, {"n": 10}), Approval(True))
    with pytest.raises(Denied, match="Too much") as denied:
        call(gate_with(tmp_path, *EDITED, approver=said), "pay", {"n": 1}, ran)
    assert not isinstance(denied.value, NotApproved)
    assert (ran.inputs, len(said.requests)) == ([], 1)


def test_an_edit_that_a_permission_request_rule_denies_does_not_run(tmp_path):
    rule = "{id: c, event: PermissionRequest, tool: pay, when: input.n == 3, deny: Not three.}"
    ran = Ran()
    with pytest.raises(Denied, match="Not three"):
        call(gate_with(tmp_path, *EDITED, rule, approver=Said(Approval(True, {"n": 3}))), "pay", {"n": 1}, ran)
    assert ran.inputs == []


def test_an_edit_that_the_policy_changes_again_is_asked_about_again(tmp_path):
    rules = ("{id: a, tool: pay, ask: Pay?}", "{id: c, tool: pay, when: input.n > 5, change: {n: 5}}")
    said = Said(Approval(True, {"n": 8}), Approval(True))
    assert call(gate_with(tmp_path, *rules, approver=said), "pay", {"n": 1}, Ran()) == {"n": 5}
    assert [request.input for request in said.requests] == [{"n": 1}, {"n": 5}]
    assert [request.original for request in said.requests] == [{"n": 1}, {"n": 1}]


def test_a_person_who_edits_without_end_is_asked_so_often_and_no_more(tmp_path):
    class Restless:
        asked = 0

        async def approve(self, request: Any) -> Approval:
            self.asked += 1
            return Approval(True, {"n": 100 * self.asked})

    rules = ("{id: a, tool: pay, ask: Pay?}", "{id: c, tool: pay, change: {n: '${input.n + 1}'}}")
    ran, restless = Ran(), Restless()
    with pytest.raises(Denied, match="still being changed after 8 questions"):
        call(gate_with(tmp_path, *rules, approver=restless), "pay", {"n": 1}, ran)
    assert (ran.inputs, restless.asked) == ([], 8)


# --- hooks in this process ------------------------------------------------------------------------------------------


@hook("PreToolUse", tool="pay")
async def slow_check(call, state):
    await asyncio.sleep(0)
    if call.input["n"] > 5:
        return deny("More than five.")
    return ask("Really?") if call.input["n"] == 5 else None


@hook("PreToolUse", tool="pay")
async def gives_up(call):
    raise ConnectionError("no network")


@hook("PreToolUse", tool="pay")
async def hangs(call):
    await asyncio.Event().wait()


@hook("PreToolUse", tool="pay")
async def forgets(call):
    deny("No.")


@hook("PreToolUse", tool="pay")
async def says_yes(call):
    return True


@pytest.mark.parametrize("sync", [False, True])
def test_an_async_hook_decides(tmp_path, sync):
    """S1-08"""
    with gate_with(tmp_path, hooks=[slow_check]) as gate:
        run = gate.call_sync if sync else lambda *args, **named: asyncio.run(gate.call(*args, **named))
        assert run("pay", {"n": 1}, run=Ran()) == {"n": 1}
        with pytest.raises(Denied, match="More than five"):
            run("pay", {"n": 6}, run=Ran())
        with pytest.raises(NotApproved):
            run("pay", {"n": 5}, run=Ran())


def test_an_async_hook_runs_on_the_callers_own_loop(tmp_path):
    loops: list[Any] = []

    @hook("PreToolUse")
    async def looks(call):
        loops.append(asyncio.get_running_loop())

    async def main() -> None:
        await gate.call("pay", {}, run=Ran())
        assert loops == [asyncio.get_running_loop()]

    with gate_with(tmp_path, hooks=[looks]) as gate:
        asyncio.run(main())


@pytest.mark.parametrize("sync", [False, True])
@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (gives_up, "raised ConnectionError: no network"),
        (forgets, r"built a deny\(\) and did not return it"),
        (says_yes, "returned `True`, which is not an opinion"),
        (hangs, "in time|did not end within"),
    ],
)
def test_an_async_hook_that_fails_denies(tmp_path, bad, why, sync):
    """S1-04, S1-08"""
    ran = Ran()
    with gate_with(tmp_path, hooks=[bad], timeout=0.3) as gate:
        run = gate.call_sync if sync else lambda *args, **named: asyncio.run(gate.call(*args, **named))
        with pytest.raises(Denied, match=why):
            run("pay", {"n": 1}, run=ran)
    assert ran.inputs == []


def test_a_plain_hook_that_never_returns_denies_in_time_and_holds_up_nobody(tmp_path):
    import threading

    release = threading.Event()

    @hook("PreToolUse", tool="pay")
    def stuck(call):
        release.wait(30)

    async def main() -> Any:
        return await asyncio.gather(
            gate.call("pay", {}, run=Ran()), gate.call("look", {}, run=Ran(1)), return_exceptions=True
        )

    with gate_with(tmp_path, hooks=[stuck], timeout=0.3) as gate:
        denied, seen = asyncio.run(main())
        assert isinstance(denied, Denied)
        assert denied.reason == "the check of this event did not end within 0.3 s"
        assert seen == 1
        release.set()


def test_a_sync_call_inside_a_running_loop_works_with_async_hooks_too(tmp_path):
    async def main() -> None:
        assert gate.call_sync("pay", {"n": 1}, run=Ran()) == {"n": 1}
        with pytest.raises(Denied, match="More than five"):
            gate.call_sync("pay", {"n": 6}, run=Ran())

    with gate_with(tmp_path, hooks=[slow_check]) as gate:
        asyncio.run(main())


def test_an_async_tool_is_not_called_by_call_sync(tmp_path):
    async def tool(given: Any) -> None: ...

    with pytest.raises(InterlockError, match="`run` of `look` is async") as error:
        gate_with(tmp_path).call_sync("look", {}, run=tool)
    assert error.value.help == "write `await gate.call(…)`"


def test_a_store_that_fails_denies(tmp_path):
    store, ran = MemoryStore(), Ran()
    gate = gate_with(tmp_path, store=store)
    store.close()
    with pytest.raises(Denied, match="closed"):
        call(gate, "look", {}, ran)
    assert ran.inputs == []


def test_a_store_that_fails_after_the_call_ran_withholds_the_result(tmp_path):
    store = MemoryStore()
    gate = gate_with(tmp_path, store=store)

    def run(given: Any) -> str:
        store.close()
        return "secret"

    with pytest.raises(Withheld, match="closed"):
        call(gate, "look", {}, run)


def test_a_result_is_kept_also_if_its_caller_is_cancelled_while_it_is_judged(tmp_path):
    async def main() -> None:
        judging, release = asyncio.Event(), asyncio.Event()

        @hook("PostToolUse", tool="get_customer")
        async def slow(call):
            judging.set()
            await release.wait()

        store = MemoryStore()
        with gate_with(tmp_path, *TENURE, top=STATE, hooks=[slow], store=store) as gate:
            task = asyncio.create_task(gate.call("get_customer", {"id": "ann"}, run=Ran({"tenure": "vip"})))
            await judging.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            release.set()
            async with asyncio.timeout(20):
                while [record.event for record in store.records()] != ["PreToolUse", "PostToolUse"]:
                    await asyncio.sleep(0)
            assert await gate.call("refund", {"id": "ann"}, run=Ran()) == {"id": "ann"}

    asyncio.run(main())


def test_a_call_that_is_cancelled_while_it_is_judged_does_not_run(tmp_path):
    ran = Ran()

    async def main() -> None:
        judging = asyncio.Event()

        @hook("PreToolUse")
        async def slow(call):
            judging.set()
            await asyncio.Event().wait()

        with gate_with(tmp_path, hooks=[slow], timeout=1) as gate:
            task = asyncio.create_task(gate.call("pay", {}, run=ran))
            await judging.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task

    asyncio.run(main())
    assert ran.inputs == []
