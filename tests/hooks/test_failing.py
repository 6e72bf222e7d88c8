"""Hooks that fail, cheat or speak on the wrong event: each goes its event's safe way and is named."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import pytest

from interlock import allow, ask, change, context, deny, hook, output, set_state
from tests.hooks.events import answer, denial, event, named, post, pre, said, shell_result
from tests.session_memory import SessionMemory

LS = pre(command="ls")


@hook("PreToolUse")
def plain(call):
    return deny("No.")


@hook("PreToolUse")
def refuse(call):
    return deny("Also no.")


# --- hooks that fail ---------------------------------------------------------------------------------------


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this")


class BottomlessError(Exception):
    def __str__(self) -> str:
        raise BottomlessError


class Spiteful(BaseException):
    pass


@pytest.mark.parametrize(
    ("error", "shown"),
    [
        (ValueError("bad amount"), "ValueError: bad amount"),
        (KeyError("amount"), "KeyError: 'amount'"),
        (RuntimeError(), "RuntimeError"),
        (SystemExit(0), "SystemExit: 0"),
        (SystemExit(), "SystemExit"),
        (GeneratorExit(), "GeneratorExit"),
        (StopIteration("x"), "StopIteration: x"),
        (asyncio.CancelledError(), "CancelledError"),
        (Spiteful("ha"), "Spiteful: ha"),
    ],
    ids=repr,
)
def test_a_hook_that_raises_denies_and_is_named_beside_the_others(error: BaseException, shown: str):
    """S1-08 S1-12 Fails closed with the hook named, and no other reason is lost."""

    @hook("PreToolUse")
    def guard(call):
        raise error

    assert denial(answer(LS, plain, guard, refuse)) == (
        f"Denied: (1) No. (2) {named(guard)} raised {shown}. (3) Also no. All must be resolved."
    )


@pytest.mark.parametrize("error", [UnprintableError, BottomlessError])
def test_an_exception_that_cannot_be_shown_denies_and_names_the_hook(error: type[Exception]):
    """S1-08"""

    @hook("PreToolUse")
    def guard(call):
        raise error

    assert denial(answer(LS, guard, refuse)) == (
        f"Denied: (1) {named(guard)} raised {error.__name__}. (2) Also no. Both must be resolved."
    )


def test_sys_exit_in_an_async_hook_denies():
    """S1-08"""

    @hook("PreToolUse")
    async def guard(call):
        sys.exit(0)

    assert denial(answer(LS, guard)) == f"{named(guard)} raised SystemExit: 0"


def test_a_generator_that_raises_after_an_allow_denies():
    """S1-08"""

    @hook("PreToolUse")
    def guard(call):
        yield allow()
        raise ValueError("late")

    assert denial(answer(LS, guard)) == f"{named(guard)} raised ValueError: late"


def test_a_refused_word_denies_with_its_message():
    """S1-01 S1-08"""

    @hook("PreToolUse")
    def guard(call):
        return deny("")

    assert denial(answer(LS, guard)) == (
        f"{named(guard)} failed: deny() needs a text; say what is wrong and what to do instead"
    )


def test_a_keyboard_interrupt_is_the_persons_and_goes_through():
    @hook("PreToolUse")
    def guard(call):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        answer(LS, guard)


@pytest.mark.parametrize(
    ("name", "fields"), [("Stop", {"stop_hook_active": False}), ("UserPromptSubmit", {"prompt": "hi"})]
)
def test_where_a_deny_would_trap_the_agent_a_failing_hook_passes_with_a_notice(name: str, fields: dict[str, Any]):
    """S1-08 Denying Stop loops forever; denying the prompt locks the person out."""

    @hook(["Stop", "UserPromptSubmit"])
    def guard(event):
        raise ValueError("broken")

    reply = answer(event(name, **fields), guard)
    assert said(reply) == {"systemMessage": f"{named(guard)} raised ValueError: broken"}
    assert (reply.exit_code, reply.stderr) == (0, "")


def test_a_failing_hook_of_a_result_withholds_the_result():
    """S1-08"""

    @hook("PostToolUse")
    def guard(call):
        raise ValueError("broken")

    reply = answer(post("Bash", {"command": "cat .env"}, shell_result("SECRET=1")), guard)
    notice = f"{named(guard)} raised ValueError: broken"
    assert said(reply) == {
        "systemMessage": notice,
        "hookSpecificOutput": {
            "hookEventName": "PostToolUse",
            "updatedToolOutput": shell_result(f"[withheld by Interlock: {named(guard)} raised ValueError]"),
        },
    }


# --- hooks that edit what they were given ------------------------------------------------------------------


@hook("PreToolUse")
def edits_the_input(call):
    call.input["command"] = "ls"


@hook("PreToolUse")
def edits_deep_in_the_input(call):
    call.input["options"]["force"] = False


@hook("PreToolUse")
def edits_the_original(call):
    call.original["command"] = "ls"


@hook("PreToolUse")
def edits_both(call):
    call.input["command"] = call.original["command"] = "ls"


@hook("PreToolUse")
def edits_the_event(event):
    event.tool_input["command"] = "ls"


@hook("PreToolUse")
def forbid_rm(call):
    return deny("No rm.") if call.input["command"].startswith("rm") else None


EDITING = [edits_the_input, edits_deep_in_the_input, edits_the_original, edits_both, edits_the_event]


@pytest.mark.parametrize("guard", EDITING)
def test_a_call_edited_in_place_is_noticed_and_not_obeyed(guard: Any):
    """S1-04 An edit that says nothing reaches no host, so it must not pass for a change."""
    raw = pre(command="rm -rf /", options={"force": True})
    reason = denial(answer(raw, guard))
    assert reason.startswith(f"{named(guard)} failed: it changed ")
    assert " in place; return change(" in reason


@pytest.mark.parametrize("guard", EDITING)
def test_a_call_edited_in_place_is_judged_by_others_as_it_was(guard: Any):
    raw = pre(command="rm -rf /", options={"force": True})
    assert "No rm." in denial(answer(raw, guard, forbid_rm))
    assert "No rm." in denial(answer(raw, forbid_rm, guard))


def test_an_edit_that_is_put_back_is_no_edit():
    @hook("PreToolUse")
    def guard(call):
        call.input["command"] = call.input.pop("command")

    assert answer(LS, guard).stdout == b"{}"


def test_a_state_edited_in_place_is_noticed_and_not_kept():
    memory = SessionMemory({"count": 0})

    @hook("PreToolUse")
    def guard(state):
        state["count"] += 1

    expected = f"{named(guard)} failed: it changed state in place; return set_state(name=value) instead"
    assert denial(answer(LS, guard, memory=memory)) == expected
    assert memory.state_of("s1") == {"count": 0}


@pytest.mark.parametrize("which", ["output", "response"])
def test_a_result_edited_in_place_is_noticed_and_withheld(which: str):
    @hook("PostToolUse")
    def guard(call):
        getattr(call, which)["stdout"] = "[redacted]"

    reply = answer(post("Bash", {"command": "env"}, shell_result("SECRET=1")), guard)
    expected = f"{named(guard)} failed: it changed call.output in place; return output(value) instead"
    assert (reply.verdict.withheld, reply.verdict.errors) == (f"{named(guard)} failed", (expected,))
    assert b"SECRET" not in reply.stdout


def test_an_event_edited_in_place_is_seen_by_the_next_hook_as_it_was():
    @hook("UserPromptSubmit")
    def guard(event):
        event.prompt = "harmless"

    @hook("UserPromptSubmit")
    def judge(event):
        return deny("No secrets.") if "secret" in event.prompt else None

    assert said(answer(event("UserPromptSubmit", prompt="secret"), guard, judge))["decision"] == "block"


# --- the right phase ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: deny("No."), "`deny` has no effect on PostToolUse: the tool has already run; use PreToolUse"),
        (lambda: ask("Sure?"), "`ask` has no effect on PostToolUse: the tool has already run; use PreToolUse"),
        (allow, "`allow` has no effect on PostToolUse: the tool has already run; use PreToolUse"),
        (lambda: change(a=1), "`change` has no effect on PostToolUse: the tool has already run; use PreToolUse"),
    ],
    ids=["deny", "ask", "allow", "change"],
)
def test_deciding_after_the_tool_ran_is_reported_and_withholds(build: Any, message: str):
    """S1-16 Blocking on PostToolUse is reported as a mistake."""

    @hook("PostToolUse")
    def guard(call):
        return build()

    reply = answer(post("Bash", {"command": "ls"}, shell_result("SECRET")), guard)
    assert said(reply)["systemMessage"] == f"{named(guard)} failed: {message}"
    assert b"SECRET" not in reply.stdout


def test_replacing_a_result_before_there_is_one_is_reported_and_denies():
    """S1-16 Rewriting results on PreToolUse is reported as a mistake."""

    @hook("PreToolUse")
    def guard(call):
        return output("x")

    expected = "`output` has no effect on PreToolUse: there is no result yet; use PostToolUse"
    assert denial(answer(LS, guard)) == f"{named(guard)} failed: {expected}"


def test_context_on_a_permission_prompt_is_reported_and_denies():
    """S1-16"""

    @hook("PermissionRequest")
    def guard(call):
        return context("Look.")

    reply = answer(event("PermissionRequest", tool_name="Bash", tool_input={"command": "ls"}), guard)
    message = "`context` has no effect on PermissionRequest: a permission prompt carries no context; use PreToolUse"
    decision = {"behavior": "deny", "message": f"{named(guard)} failed: {message}"}
    assert said(reply) == {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}


def test_a_misplaced_word_on_stop_passes_with_a_notice_naming_where_it_works():
    """S1-16"""

    @hook("Stop")
    def guard():
        return ask("Sure?")

    reply = answer(event("Stop", stop_hook_active=False), guard)
    message = "`ask` has no effect on Stop; it works on `PreToolUse`, `PermissionRequest`, `PreModelSwitch`"
    assert said(reply) == {"systemMessage": f"{named(guard)} failed: {message}"}


def test_one_misplaced_word_takes_the_good_ones_of_its_hook_with_it():
    """S1-16 Half an answer is not acted on."""

    @hook("PreToolUse")
    def guard(call):
        yield allow()
        yield output("x")

    assert "`output` has no effect on PreToolUse" in denial(answer(LS, guard))


# --- state where nothing keeps it --------------------------------------------------------------------------


def test_reading_state_where_nothing_keeps_any_denies():
    @hook("PreToolUse")
    def guard(state):
        return None

    expected = f"{named(guard)} failed: it reads state, and nothing here keeps any"
    assert denial(answer(LS, guard)) == expected
    assert answer(LS, guard, memory=SessionMemory()).stdout == b"{}"


def test_setting_state_where_nothing_keeps_any_denies():
    @hook("PreToolUse")
    def guard(call):
        return set_state(a=1)

    assert denial(answer(LS, guard)) == "`guard` sets state, but there is no store here to keep it"
    assert answer(LS, guard, memory=SessionMemory()).stdout == b"{}"
