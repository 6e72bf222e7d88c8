"""Callbacks of the Agent SDK that say no and return nothing, and callbacks that do not keep to their time."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import time
from typing import Any

import anyio
import pytest

from interlock import deny, hook
from interlock.approvals import Approval
from interlock.binding.onloop import caller
from interlock.hooks.silence import SOUNDS
from tests.binding.sdk import answer, decision, hooks, options_with, sdk
from tests.binding.test_agent_sdk_permission import ASK, NEVER, TOUCH, Client, prompted
from tests.builders import call, payload, result

DELETE = call("delete_account", account="A-17")
SHORT = 0.2  # here every test waits for it
AMPLE = 60.0  # and none for this, unless it is broken


# --- said no, returned {} ----------------------------------------------------------------------------------


async def block_delete(input_data, tool_use_id, context):
    """As people write it."""
    if input_data["tool_name"] == "delete_account":
        print("Blocked delete_account!")  # This prints correctly
    return {}  # But this ALWAYS allows the tool call


async def logs(input_data, tool_use_id, context):
    logging.getLogger("guards").warning("denied %s", input_data["tool_name"])
    return {}


async def complains(input_data, tool_use_id, context):
    sys.stderr.write("🚫 Access denied\n")
    return {"continue_": True}


async def explains(input_data, tool_use_id, context):
    return {"reason": "Accounts are never deleted: blocked delete_account"}


async def by_a_task(input_data, tool_use_id, context):
    async def check() -> None:
        await asyncio.to_thread(print, "BLOCKED: delete_account")

    await asyncio.create_task(check())
    return {}


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (block_delete, "printed `Blocked delete_account!`"),
        (logs, "logged `denied delete_account`"),
        (complains, "said `🚫 Access denied`"),
        (explains, "answered with the reason `Accounts are never deleted: blocked delete_account`"),
        (by_a_task, "printed `BLOCKED: delete_account`"),
    ],
)
def test_a_callback_that_says_no_and_returns_nothing_denies_and_is_named(tmp_path, function, what):
    """S1-04"""
    decided, reason = decision(answer(options_with(tmp_path, options=hooks("PreToolUse", function)), DELETE))
    code = function.__code__
    assert decided == "deny"
    assert reason == (
        f"hook `{function.__name__}` ({code.co_filename}:{code.co_firstlineno}) failed: it {what} and returned no "
        "opinion; return a deny instead of {}"
    )


def test_the_same_callback_lets_other_tools_run(tmp_path):
    assert answer(options_with(tmp_path, options=hooks("PreToolUse", block_delete)), call("Bash", command="ls")) == {}


@pytest.mark.parametrize("text", ["0 denied", "12 blocked domains, all fine", "non-blocking I/O", "allowed"])
def test_a_callback_that_reports_is_left_alone(tmp_path, text):
    async def reports(input_data, tool_use_id, context):
        print(text)
        logging.warning(text)
        return {}

    assert answer(options_with(tmp_path, options=hooks("PreToolUse", reports)), DELETE) == {}


def test_a_callback_that_answers_is_not_silent(tmp_path):
    async def allows(input_data, tool_use_id, context):
        print("Blocked delete_account!")
        return {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}

    assert decision(answer(options_with(tmp_path, options=hooks("PreToolUse", allows)), DELETE))[0] == "allow"


def test_what_only_sounds_like_a_denial_and_what_cannot_deny_is_told_to_the_person(tmp_path):
    async def unsure(input_data, tool_use_id, context):
        print("the port is blocked")
        return {}

    told = answer(options_with(tmp_path, options=hooks("PreToolUse", unsure)), DELETE)["systemMessage"]
    assert told.endswith(f"printed `the port is blocked`, {SOUNDS}; return a deny instead of {{}}")
    after = options_with(tmp_path, options=hooks("PostToolUse", block_delete))
    told = answer(after, result("delete_account", {"done": True}, account="A-17"))
    assert list(told) == ["systemMessage"]
    assert "Blocked delete_account!" in told["systemMessage"]


def test_two_calls_at_once_are_not_taken_for_each_other(tmp_path):
    """S1-04 What one callback prints is its own, also while another waits."""
    (callback,) = options_with(tmp_path, options=hooks("PreToolUse", slow_or_loud)).hooks["PreToolUse"][0].hooks
    found: dict[str, str | None] = {}

    async def one(tool: str) -> None:
        event = {**call(tool, account="A-17"), "tool_use_id": f"toolu_{tool}"}
        found[tool] = decision(await callback(event, event["tool_use_id"], {"signal": None}))[0]

    async def main() -> None:
        _arrived.clear()
        async with anyio.create_task_group() as group:
            for tool in ("get_account", "delete_account"):
                group.start_soon(one, tool)

    anyio.run(main)
    assert found == {"get_account": None, "delete_account": "deny"}


_arrived: list[str] = []


async def slow_or_loud(input_data, tool_use_id, context):
    _arrived.append(input_data["tool_name"])
    while len(_arrived) < 2:
        await anyio.sleep(0)
    if input_data["tool_name"] == "delete_account":
        print("Blocked!")
    return {}


# --- in bounded time ---------------------------------------------------------------------------------------

_over: list[bool] = []  # only then do stubborn callbacks end


def run(main: Any) -> Any:
    """What a coroutine function returns; whoever is still at it then is told that it is over."""

    async def whole() -> Any:
        _over.clear()
        try:
            with anyio.fail_after(AMPLE / 2):
                return await main()
        finally:
            _over.append(True)

    return asyncio.run(whole())


async def awaits_a_cancelled_task(given, tool_use_id, context):
    task = asyncio.ensure_future(asyncio.sleep(AMPLE))
    task.cancel()
    await task
    return {}


async def cancels_itself(given, tool_use_id, context):
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    await asyncio.sleep(AMPLE)
    return {}


async def raises_cancelled(given, tool_use_id, context):
    raise asyncio.CancelledError


async def exits(given, tool_use_id, context):
    sys.exit(0)


async def times_out(given, tool_use_id, context):
    raise TimeoutError("its own")


async def swallows_cancellation(given, tool_use_id, context):
    while not _over:
        try:
            await asyncio.sleep(AMPLE)
        except asyncio.CancelledError:
            continue
    return {}


async def fails_while_cancelled(given, tool_use_id, context):
    try:
        await asyncio.sleep(AMPLE)
    finally:
        raise RuntimeError("while cancelled")


async def blocks_the_loop(given, tool_use_id, context):
    until = time.monotonic() + 3 * SHORT
    while time.monotonic() < until:
        pass
    return {}


async def sleeps_on_the_loop(given, tool_use_id, context):
    subprocess.run(["sleep", str(3 * SHORT)], check=True)
    return {}


async def shields(given, tool_use_id, context):
    await asyncio.shield(asyncio.ensure_future(asyncio.sleep(AMPLE)))
    return {}


async def waits_on_nothing(given, tool_use_id, context):
    await asyncio.get_running_loop().create_future()


LATE = f"it did not answer within {SHORT:g} s"


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (awaits_a_cancelled_task, "it was cancelled"),
        (cancels_itself, "it was cancelled"),
        (raises_cancelled, "it was cancelled"),
        (exits, "it called sys.exit()"),
        (times_out, "it gave up waiting"),
        (swallows_cancellation, LATE),
        (fails_while_cancelled, LATE),
        (blocks_the_loop, LATE),
        (sleeps_on_the_loop, LATE),
        (shields, LATE),
        (waits_on_nothing, LATE),
    ],
)
def test_a_callback_that_does_not_keep_to_its_time_denies_in_time(tmp_path, function, why):
    """S1-08 Late is late, and nothing that a callback does about its cancellation holds up the answer."""
    (matcher,) = options_with(tmp_path, options=hooks("PreToolUse", function, timeout=SHORT)).hooks["PreToolUse"]

    async def main() -> Any:
        return await matcher.hooks[0](DELETE, "toolu_1", {"signal": None})

    decided, reason = decision(run(main))
    assert decided == "deny"
    assert reason is not None
    assert f"hook `{function.__name__}`" in reason
    assert why in reason


def test_async_hooks_of_ours_that_are_cancelled_deny_as_well(tmp_path):
    @hook("PreToolUse")
    async def cancelled():
        raise asyncio.CancelledError

    @hook("PreToolUse")
    async def refuses():
        return deny("No.")

    decided, reason = decision(answer(options_with(tmp_path, hooks=[cancelled, refuses]), DELETE))
    assert decided == "deny"
    assert reason is not None
    assert "it was cancelled" in reason
    assert "No." in reason


def test_of_many_callbacks_at_once_each_is_late_by_its_own_clock(tmp_path):
    async def waits(given, tool_use_id, context):
        if given["tool_use_id"].endswith("7"):
            await swallows_cancellation(given, tool_use_id, context)
        return {}

    (matcher,) = options_with(tmp_path, options=hooks("PreToolUse", waits, timeout=SHORT * 5)).hooks["PreToolUse"]

    async def one(number: int) -> str | None:
        event = {**DELETE, "tool_use_id": f"toolu_{number}"}
        return decision(await matcher.hooks[0](event, event["tool_use_id"], {"signal": None}))[0]

    async def main() -> list[str | None]:
        return await asyncio.gather(*(one(number) for number in range(20)))

    found = run(main)
    assert [number for number, decided in enumerate(found) if decided == "deny"] == [7, 17]


def test_where_the_loop_is_another_one_cancellation_bounds_a_callback(monkeypatch):
    """As under trio: here asyncio is hidden from the one who looks which loop there is."""

    def none() -> Any:
        raise RuntimeError("no running event loop")

    async def main() -> Any:
        with monkeypatch.context() as patch:
            patch.setattr("interlock.binding.onloop.asyncio.get_running_loop", none)
            called = caller()
        return await anyio.to_thread.run_sync(called, lambda: waits_on_nothing({}, None, None), SHORT)

    with pytest.raises(TimeoutError):
        run(main)


# --- who is asked ------------------------------------------------------------------------------------------


def own(function: Any) -> Any:
    async def can_use_tool(tool: str, given: dict[str, Any], context: Any) -> Any:
        await function(given, None, context)
        return sdk.PermissionResultAllow()

    return sdk.ClaudeAgentOptions(can_use_tool=can_use_tool)


class Person:
    def __init__(self, function: Any) -> None:
        self._function = function

    async def approve(self, request: Any) -> Approval:
        await self._function({}, None, None)
        return Approval(True)


STUBBORN = (swallows_cancellation, fails_while_cancelled, blocks_the_loop, waits_on_nothing)


def asked_in_time(options: Any) -> Any:
    async def main() -> Any:
        client = Client(options)
        await client.raise_(call("Bash", **TOUCH))
        return await client.prompt(TOUCH)

    return run(main)


@pytest.mark.parametrize("function", STUBBORN)
def test_approve_within_bounds_can_use_tool(tmp_path, function):
    found = asked_in_time(options_with(tmp_path, ASK, options=own(function), approve_within=SHORT))
    assert found == sdk.PermissionResultDeny(message=f"no one approved this call within {SHORT:g} s")


@pytest.mark.parametrize("function", STUBBORN)
def test_approve_within_bounds_an_approver(tmp_path, function):
    found = asked_in_time(options_with(tmp_path, ASK, approver=Person(function), approve_within=SHORT))
    assert found == sdk.PermissionResultDeny(message=f"no one approved this call within {SHORT:g} s")


@pytest.mark.parametrize("function", [awaits_a_cancelled_task, cancels_itself, raises_cancelled, exits, times_out])
def test_whoever_is_asked_and_breaks_off_has_not_said_yes(tmp_path, function):
    for options in (
        options_with(tmp_path, ASK, options=own(function)),
        options_with(tmp_path, ASK, approver=Person(function)),
    ):
        assert isinstance(asked_in_time(options), sdk.PermissionResultDeny)


def test_an_edit_that_meets_an_interrupt_ends_the_turn(tmp_path):
    stop = "{id: never, tool: Bash, command: rm, deny: Never., interrupt: true}"
    worse = sdk.ClaudeAgentOptions(can_use_tool=edits({"command": "rm y"}))
    denied = sdk.PermissionResultDeny(message="Never.", interrupt=True)
    assert prompted(options_with(tmp_path, ASK, stop, options=worse)) == denied
    assert prompted(options_with(tmp_path, ASK, NEVER, options=worse)) == sdk.PermissionResultDeny(message="Never.")
    # What another hook made of the call is judged the same way.
    fine = sdk.ClaudeAgentOptions(can_use_tool=edits(TOUCH))
    assert prompted(options_with(tmp_path, ASK, stop, options=fine), {"command": "rm y"}) == denied


def edits(new: dict[str, Any]) -> Any:
    async def can_use_tool(tool: str, given: dict[str, Any], context: Any) -> Any:
        return sdk.PermissionResultAllow(updated_input=new)

    return can_use_tool


def test_stop_callbacks_that_say_no_pass_with_a_notice(tmp_path):
    told = answer(options_with(tmp_path, options=hooks("Stop", logs_stop)), payload("Stop", stop_hook_active=False))
    assert "logged `Denied: not done`" in told["systemMessage"]


async def logs_stop(input_data, tool_use_id, context):
    logging.warning("Denied: not done")
    return {}
