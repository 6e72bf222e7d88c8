"""Hooks run in this process: what they are given, and what they return."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from msgspec import json

from interlock import allow, ask, change, context, deny, hook, interrupt, notify, output, set_state
from interlock.errors import InterlockError
from interlock.hooks.run import Call, HookSet
from interlock.service import handle
from tests.hooks.events import answer, denial, event, named, post, pre, said, shell_result
from tests.session_memory import SessionMemory

NONE = (b"{}", "", 0)
LS = pre(command="ls")


@hook("PreToolUse")
def refuse(call):
    return deny("Also no.")


# --- what a hook may be ------------------------------------------------------------------------------------


@hook("PreToolUse")
def plain(call):
    return deny("No.")


@hook("PreToolUse")
async def coroutine(call):
    await asyncio.sleep(0)
    return deny("No.")


@hook("PreToolUse")
def generator(call):
    yield deny("No.")


@hook("PreToolUse")
async def async_generator(call):
    await asyncio.sleep(0)
    yield deny("No.")


@hook("PreToolUse")
def listing(call):
    return [deny("No.")]


@hook("PreToolUse")
async def coroutine_of_many(call):
    return (deny("No."),)


@pytest.mark.parametrize("guard", [plain, coroutine, generator, async_generator, listing, coroutine_of_many])
def test_every_sort_of_function_can_deny(guard: Callable[..., Any]):
    assert denial(answer(LS, guard)) == "No."


def test_a_generator_gives_every_opinion_it_yields():
    """S1-12 Several reasons of one hook are all kept."""

    @hook("PreToolUse")
    def guard(call):
        yield deny("First.")
        yield notify("Seen.")
        yield deny("Second.")

    reply = answer(LS, guard)
    assert reply.verdict.reason == "Denied: (1) First. (2) Second. Both must be resolved."
    assert said(reply)["systemMessage"] == "Seen."


def test_async_hooks_of_several_events_share_one_loop():
    loops: list[object] = []

    @hook("PreToolUse")
    async def guard(call):
        loops.append(asyncio.get_running_loop())

    hooks = HookSet([guard])
    assert handle("claude-code", LS, hooks).stdout == handle("claude-code", LS, hooks).stdout == b"{}"
    hooks.close()
    assert loops[0] is loops[1]


# --- no opinion --------------------------------------------------------------------------------------------


@hook("PreToolUse")
def nothing_said(call):
    pass


@hook("PreToolUse")
async def nothing_awaited(call):
    return None


@hook("PreToolUse")
def nothing_yielded(call):
    if call.tool == "never":
        yield deny("No.")


@hook("PreToolUse")
def nothing_listed(call):
    return []


@pytest.mark.parametrize("guard", [nothing_said, nothing_awaited, nothing_yielded, nothing_listed])
def test_none_and_nothing_are_no_opinion(guard: Callable[..., Any]):
    """S1-03 The original call goes on, unchanged."""
    reply = answer(LS, guard)
    assert (reply.stdout, reply.stderr, reply.exit_code) == NONE
    assert reply.verdict.opinions == ()


def test_a_yielded_none_is_no_opinion():
    """S1-03 `yield check(call)` where the check has nothing to say."""

    @hook("PreToolUse")
    def guard(call):
        yield None
        yield deny("No.")

    assert denial(answer(LS, guard)) == "No."


def test_a_hook_of_another_event_is_not_asked():
    assert answer(event("Stop", stop_hook_active=False), refuse).stdout == b"{}"


def test_no_hooks_at_all_are_no_opinion():
    assert answer(LS).stdout == b"{}"


# --- what is no opinion and no silence ---------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", [{}, "deny", True, False, 0, "", {"permissionDecision": "deny"}, [True], [[]], object], ids=repr
)
def test_anything_else_a_hook_returns_is_an_error_that_denies(value: Any):
    """S1-06 S1-07 Custom answers are recognised as mistakes and fail closed."""

    @hook("PreToolUse")
    def guard(call):
        return value

    shown = value[0] if isinstance(value, list) else value
    assert denial(answer(LS, guard)) == (
        f"{named(guard)} failed: it returned `{shown!r}`, which is not an opinion; "
        "return deny(...), ask(...), allow(), change(...), or None for no opinion"
    )


def test_a_value_that_cannot_even_be_shown_denies_and_names_the_hook():
    class Shy:
        def __repr__(self) -> str:
            raise RuntimeError("not me")

    @hook("PreToolUse")
    def guard(call):
        return Shy()

    assert denial(answer(LS, guard)).startswith(named(guard))


@hook("PreToolUse")
def forgot_to_return(call):
    deny("No.")


@hook("PreToolUse")
async def forgot_to_return_async(call):
    deny("No.")


@hook("PreToolUse")
def returned_in_a_generator(call):
    if call.tool == "never":
        yield allow()
    return deny("No.")


@hook("PreToolUse")
async def forgot_to_yield(call):
    deny("No.")
    yield allow()


@hook("PreToolUse")
def returned_another(call):
    deny("No.")
    return allow()


@pytest.mark.parametrize(
    "guard",
    [forgot_to_return, forgot_to_return_async, forgot_to_yield, returned_another],
)
def test_a_deny_that_was_built_and_not_returned_is_caught(guard: Callable[..., Any]):
    """S1-04 The commonest bug of hooks."""
    assert denial(answer(LS, guard)) == (
        f"Denied: (1) No. (2) {named(guard)} failed: it built a deny() and did not return it; "
        "return or yield the deny(). Both must be resolved."
    )


@pytest.mark.parametrize(
    ("word", "build"),
    [
        ("ask", lambda: ask("Sure?")),
        ("change", lambda: change(command="ls")),
        ("context", lambda: context("Look.")),
        ("notify", lambda: notify("Look.")),
        ("set_state", lambda: set_state(a=1)),
        ("output", lambda: output("x")),
        ("interrupt", lambda: interrupt("Enough.")),
    ],
)
def test_any_word_that_was_built_and_not_returned_is_caught_by_its_name(word: str, build: Callable[[], object]):
    """S1-04 Whatever the hook meant, it did not say it."""

    @hook("PreToolUse")
    def guard(call):
        build()

    assert f"it built a {word}() and did not return it" in denial(answer(LS, guard))


@pytest.mark.parametrize(
    ("raw", "document"),
    [
        (post("Bash", {"command": "ls"}, shell_result("x")), {"continue": False, "stopReason": "Enough."}),
        (event("Stop", stop_hook_active=False), {"continue": False, "stopReason": "Enough."}),
    ],
)
def test_a_hook_ends_the_turn_where_nothing_is_left_to_deny(raw: bytes, document: object):
    @hook(["PostToolUse", "Stop"])
    def guard(event):
        return interrupt("Enough.")

    assert said(answer(raw, guard)) == document


def test_a_hook_that_would_end_the_turn_before_a_call_is_told_how():
    @hook("PreToolUse")
    def guard(call):
        return interrupt("Enough.")

    assert denial(answer(LS, guard)) == (
        f"{named(guard)} failed: interrupt() ends no turn on PreToolUse; return deny(reason, interrupt=True)"
    )


def test_a_deny_returned_behind_a_yield_denies():
    """S1-04 What a generator returns is easily lost."""
    assert denial(answer(LS, returned_in_a_generator)) == "No."


def test_an_allow_that_was_built_and_not_returned_is_fine():
    @hook("PreToolUse")
    def guard(call):
        allow()

    assert answer(LS, guard).stdout == b"{}"


def test_a_denial_built_outside_the_hook_may_be_returned_or_not():
    ready = deny("No.")

    @hook("PreToolUse")
    def guard(call):
        return ready if call.input["command"] == "rm" else None

    assert answer(LS, guard).stdout == b"{}"
    assert denial(answer(pre(command="rm"), guard)) == "No."


# --- what a hook is given ----------------------------------------------------------------------------------


def test_a_hook_gets_the_call_and_nothing_that_runs_one():
    """S1-10 Hooks decide, they do not act: values only, no way to run a tool."""
    seen: dict[str, Any] = {}

    @hook("PreToolUse")
    def guard(call, event, state, host):
        seen.update(call=call, event=event, state=state, host=host)

    assert answer(LS, guard, memory=SessionMemory({"a": 1})).stdout == b"{}"
    assert Call.__struct_fields__ == ("tool", "input", "original", "id", "kind", "server", "output", "response")
    assert seen["call"] == Call("Bash", {"command": "ls"}, {"command": "ls"}, "c1", "shell", None, None, None)
    assert (seen["event"].hook_event_name, seen["state"], seen["host"]) == ("PreToolUse", {"a": 1}, "claude-code")
    assert (type(seen["state"]), type(seen["host"])) == (dict, str)
    for value in (seen["call"], seen["event"]):
        assert [name for name in dir(value) if name[0] != "_" and callable(getattr(value, name))] == []


def test_a_call_cannot_be_assigned_to():
    @hook("PreToolUse")
    def guard(call):
        call.input = {}

    assert denial(answer(LS, guard)).startswith(f"{named(guard)} raised AttributeError")


def test_a_value_that_is_no_hook_is_refused():
    with pytest.raises(InterlockError) as caught:
        HookSet([lambda call: None])
    assert caught.value.render() == "error: `<lambda>` is not a hook\nhelp: decorate it with @hook"


def test_the_reason_can_carry_values_of_the_call():
    """S1-09 Redirect guidance with values from the call."""

    @hook("PreToolUse", tool="process_refund")
    def guard(call):
        return deny(f"${call.input['amount']} is over the limit. Use escalate_to_human for order {call.input['id']}.")

    reason = denial(answer(pre("process_refund", amount=500, id="A-7"), guard))
    assert reason == "$500 is over the limit. Use escalate_to_human for order A-7."
    assert json.encode(reason) in answer(pre("process_refund", amount=500, id="A-7"), guard).stdout
