"""The Claude Agent SDK under a policy: one callback for each event, and a permission callback behind `ask`."""

from __future__ import annotations

import dataclasses
import weakref
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any, TypeAlias

import anyio
import anyio.to_thread
from claude_agent_sdk import ClaudeAgentOptions, HookMatcher
from claude_agent_sdk.types import (
    PermissionResultAllow,
    PermissionResultDeny,
    PermissionUpdate,
    ToolPermissionContext,
)
from msgspec import json, to_builtins

from interlock.approvals.approval import Approver, Request, check_answer
from interlock.approvals.callback import Callback as Asking
from interlock.binding.onloop import Call, caller, calling, in_time
from interlock.binding.sdk_hooks import adopt
from interlock.binding.sdk_inbox import SdkInbox
from interlock.errors import InterlockError, text_of
from interlock.gate.judges import HOST, Handover, Judge, judge_for_host
from interlock.hooks.registry import Hook
from interlock.hooks.run import HookSet, waiting
from interlock.hosts import Reply, dialect_of
from interlock.hosts.claude_code.events import WIRED
from interlock.judging.asking import BY_HOST, Asks, way_for
from interlock.policy.inbox_settings import USUAL_WAIT
from interlock.policy.rule import Way
from interlock.store.base import Store
from interlock.verdict import Verdict

__all__ = ["guard"]

JsonObject: TypeAlias = dict[str, Any]
CanUseTool: TypeAlias = Callable[[str, JsonObject, ToolPermissionContext], Awaitable[Any]]

_MOST_CALLS = 10_000
_MOST_THREADS = 1_000


def guard(
    options: ClaudeAgentOptions | None = None,
    *,
    policy: str | Path | None = None,
    project: str | Path | None = None,
    store: Store | str | Path | None = None,
    approver: Approver | Callable[[Request], Any] | None = None,
    hooks: Iterable[Hook | Callable[..., Any]] = (),
    alone: bool = False,
    approve_within: float = 300.0,
) -> ClaudeAgentOptions:
    """A copy of the options under which every event of the session is judged.

    `policy` is a file that applies together with the built-in rules; without one, the policies in force in `project`
    apply, which is by default the options' `cwd`. Hooks in the options are adopted in their order, and `can_use_tool`
    answers when the policy asks, unless there is an `approver`. With neither, a person is asked in the inbox, where the
    call waits up to `approve_within` seconds, if the store is one that other processes can open. `alone` says that no
    settings file adds hooks that could undo Interlock's changes.
    """
    options = options or ClaudeAgentOptions()
    asks = approver is not None or options.can_use_tool is not None
    if asks and options.permission_prompt_tool_name is not None:
        raise InterlockError("an approver and `permission_prompt_tool_name` cannot both answer", help="keep one")
    own = {event: matchers for event, matchers in (options.hooks or {}).items() if matchers}
    adopted = adopt({event: matchers for event, matchers in own.items() if event in WIRED})
    ours = HookSet(hooks)
    judge = judge_for_host(
        None if policy is None else Path(policy).absolute(),
        Path(project or options.cwd or Path.cwd()).absolute(),
        Path(store) if isinstance(store, str) else store,
        (*((adopted,) if adopted else ()), *((ours,) if ours.hooks else ())),
        alone=alone,
        argv=_argv(options),
    )
    is_answered = asks or options.permission_prompt_tool_name is not None
    usual: Way = "host" if is_answered or not judge.is_shared else "inbox"
    inbox = SdkInbox(judge, Asks(way=usual, seconds=min(approve_within, USUAL_WAIT)))
    session = _Session(judge, _as_approver(approver), options.can_use_tool, approve_within, inbox)
    weakref.finalize(session, judge.close)  # when the last of these options, or the process, ends
    guarded: dict[Any, list[HookMatcher]] = {
        event: [HookMatcher(matcher=None, hooks=[session.callback(event)], timeout=seconds, on_failure="block")]
        for event, seconds in WIRED.items()
    }
    left = {event: matchers for event, matchers in own.items() if event not in WIRED}
    return dataclasses.replace(options, hooks={**left, **guarded}, can_use_tool=session.can_use_tool if asks else None)


def _argv(options: ClaudeAgentOptions) -> list[str]:
    """The part of the client's command line that says where skills may be and which agents there are."""
    words = [word for folder in options.add_dirs for word in ("--add-dir", str(folder))]
    words += [word for plugin in options.plugins for word in ("--plugin-dir", plugin["path"])]
    if options.agents:
        words += ["--agents", json.encode(options.agents, enc_hook=str).decode()]
    return words


class _Call:
    """A call that was judged: its event, the input that Interlock answered with, and the prompt about it."""

    def __init__(self, event: JsonObject, reply: Reply) -> None:
        self.event = event
        self.input = _running(event, reply)
        self.reply = reply
        self.prompt: Reply | None = None
        self.prompted = False  # the host raised its event about the prompt
        self.turn = anyio.Lock()

    def is_asked_about(self, given: JsonObject) -> bool:
        """Whether an event without a call's id is the one about this call's prompt."""
        same = all(self.event.get(name) == given.get(name) for name in ("session_id", "agent_id", "tool_name"))
        return not self.prompted and same and _same(self.input, given.get("tool_input"))


class _EditDenial(Exception):  # noqa: N818 - not an error: the policy's answer to a person's edit
    """The call as it was edited is denied."""

    def __init__(self, verdict: Verdict) -> None:
        self.message = verdict.reason or "the call as it was edited is denied"
        self.interrupt = verdict.interrupt
        super().__init__(self.message)


class _Session:
    """Answers the callbacks of one client."""

    def __init__(
        self,
        judge: Judge,
        approver: Approver | None,
        can_use_tool: CanUseTool | None,
        approve_within: float,
        inbox: SdkInbox,
    ) -> None:
        self._judge = judge
        self._inbox = inbox
        self._approver = approver
        self._theirs = can_use_tool
        self._approve_within = approve_within
        self._calls: OrderedDict[str, _Call] = OrderedDict()
        self._threads: anyio.CapacityLimiter | None = None

    # --- events ------------------------------------------------------------------------------------------------

    def callback(self, event_name: str) -> Any:
        """The callback for an event. The SDK's own types know only some of the events."""

        async def interlock(given: Any, tool_use_id: str | None, context: Any) -> JsonObject:
            answer = self._prompt_event if event_name == "PermissionRequest" else partial(self._event, event_name)
            return _answer(await answer(given))

        return interlock

    async def _prompt_event(self, given: Any) -> Reply:
        """The answer to a prompt's event: the one that `can_use_tool` has already given, if it was called first."""
        for call in self._calls.values() if isinstance(given, dict) else ():
            if call.is_asked_about(given):
                call.prompted = True
                return await self._prompt(call, given)
        return await self._event("PermissionRequest", given)

    async def _prompt(self, call: _Call, given: JsonObject) -> Reply:
        """Judge a prompt once, whether its event or `can_use_tool` comes first."""
        async with call.turn:
            if call.prompt is None:
                call.prompt = await self._event("PermissionRequest", given)
            return call.prompt

    async def _event(self, name: str, given: Any) -> Reply:
        try:
            reply = await self._judge_event(name, given)
        except InterlockError as error:
            reply = dialect_of(HOST).fail(name, error.in_one_line())
        except Exception as error:  # noqa: BLE001 - a result whose check fails would be read, whatever `on_failure` says
            reply = dialect_of(HOST).fail(
                name, f"Interlock itself failed: {type(error).__name__}", detail=text_of(error)
            )
        self._note(name, given, reply)
        return reply

    async def _judge_event(self, name: str, given: Any) -> Reply:
        if not isinstance(given, dict) or given.get("hook_event_name") != name:
            raise InterlockError(f"the host sent something other than {name} to the callback for it")
        try:
            raw = json.encode(given)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise InterlockError(f"the event is not JSON: {error}") from error
        if name != "PreToolUse":
            return await self._judge_raw(raw)
        asks = self._inbox.asks
        reply = await self._judge_raw(raw, asks)
        if reply.request is None:
            return reply
        return await self._inbox.settle(given["tool_name"], reply, asks, partial(self._judge_raw, raw))

    async def _judge_raw(self, raw: bytes, asks: Asks = BY_HOST) -> Reply:
        if self._threads is None:
            self._threads = anyio.CapacityLimiter(_MOST_THREADS)
        call = caller()
        called = calling.set(call)
        token = waiting.set(partial(_wait, call, monotonic() + self._judge.patience))
        handover = Handover(self._judge, partial(self._judge.answer, raw, asks))
        try:
            with anyio.move_on_after(self._judge.patience):
                reply: Reply = await anyio.to_thread.run_sync(
                    handover.run, abandon_on_cancel=True, limiter=self._threads
                )
                return reply
            handover.abandon()
        except anyio.get_cancelled_exc_class():
            handover.abandon()
            raise
        finally:
            waiting.reset(token)
            calling.reset(called)
        raise InterlockError(f"the check of this event did not end within {self._judge.patience:g} s")

    def _note(self, name: str, given: Any, reply: Reply) -> None:
        call = given.get("tool_use_id") if isinstance(given, dict) else None
        if not isinstance(call, str):
            return
        if name == "PreToolUse":
            self._calls[call] = _Call(given, reply)
            if len(self._calls) > _MOST_CALLS:
                self._calls.popitem(last=False)
        elif name in ("PostToolUse", "PostToolUseFailure"):
            self._calls.pop(call, None)

    # --- permission --------------------------------------------------------------------------------------------

    async def can_use_tool(self, tool: str, given: JsonObject, context: ToolPermissionContext) -> Any:
        """The answer to a prompt: the policy's, else a person's. A person's edit is judged again."""
        try:
            return await self._permission(tool, given, context)
        except _EditDenial as denied:
            return PermissionResultDeny(message=denied.message, interrupt=denied.interrupt)
        except InterlockError as error:
            return PermissionResultDeny(message=error.in_one_line())
        except Exception as error:  # noqa: BLE001 - an approver that raises has not said yes
            return PermissionResultDeny(message=f"the approver raised {type(error).__name__}: {text_of(error)}")

    async def _permission(self, tool: str, given: JsonObject, context: ToolPermissionContext) -> Any:
        call = self._calls.get(context.tool_use_id or "")
        if call is None or call.event.get("tool_name") != tool:
            raise InterlockError("Interlock was never asked about this call, so it does not run")
        if not _same(given, call.input):
            given, call = await self._again(call, given)
        reply = await self._prompt(call, _prompt_about(call.event, given))
        said = reply.verdict
        if said.decision == "deny":
            return PermissionResultDeny(message=said.reason or "denied", interrupt=said.interrupt)
        if said.decision == "allow":
            running = said.input if said.changes else given
            return PermissionResultAllow(updated_input=running, updated_permissions=_permissions_in(reply))
        settled, answer = await self._first_answer(tool, given, context, call)
        if settled is not None:
            return _permission_of(settled)
        if isinstance(answer, PermissionResultDeny):
            return answer
        edited = answer.updated_input
        if edited is not None and not _same(edited, given):
            given, _ = await self._again(call, edited)
        return dataclasses.replace(answer, updated_input=given)

    async def _again(self, call: _Call, given: JsonObject) -> tuple[JsonObject, _Call]:
        """Judge the call again with a different input. Raises _EditDenial if it is denied."""
        event = {**call.event, "tool_input": given}
        reply = await self._event("PreToolUse", event)
        if reply.verdict.decision == "deny":
            raise _EditDenial(reply.verdict)
        new = self._calls[call.event["tool_use_id"]]
        return new.input, new

    async def _first_answer(
        self, tool: str, given: JsonObject, context: ToolPermissionContext, call: _Call
    ) -> tuple[Reply | None, Any]:
        """The verdict with an answer from the inbox, if it is asked there too and answered first; or a person's."""
        ask = partial(self._ask_person, tool, given, context, call)
        verdict = call.reply.verdict
        if verdict.decision != "ask" or way_for(verdict, "host") != "both":
            return None, await ask()
        return await self._inbox.race(tool, partial(self._judge_raw, json.encode(call.event)), ask)

    async def _ask_person(self, tool: str, given: JsonObject, context: ToolPermissionContext, call: _Call) -> Any:
        ours = call.reply.verdict.decision == "ask"
        if self._theirs is not None and (self._approver is None or not ours):
            answer = await self._in_time(partial(self._theirs, tool, given, context))
            if not isinstance(answer, PermissionResultAllow | PermissionResultDeny):
                raise InterlockError(f"`can_use_tool` answered `{repr(answer)[:80]}`, which is not a permission result")
            if isinstance(answer, PermissionResultAllow) and not isinstance(answer.updated_input, dict | None):
                raise InterlockError("`can_use_tool` answered with an input that is not an object")
            return answer
        if self._approver is None:
            raise InterlockError("this call needs a person's approval, and no one can be asked")
        verdict = call.reply.verdict
        request = Request(
            tool=tool,
            input=given,
            original=call.event["tool_input"],
            reason=context.decision_reason if ours else context.title,
            changes=verdict.changes,
            session=call.event["session_id"],
            call=call.event["tool_use_id"],
        )
        approval = check_answer(await self._in_time(partial(self._approver.approve, request)))
        if approval.yes:
            return PermissionResultAllow(updated_input=approval.input or given)
        why = f": {approval.reason}" if approval.reason else ""
        return PermissionResultDeny(message=f"the person did not approve this call{why}")

    async def _in_time(self, asking: Callable[[], Awaitable[Any]]) -> Any:
        try:
            return await in_time(asking, self._approve_within)
        except TimeoutError:
            raise InterlockError(f"no one approved this call within {self._approve_within:g} s") from None


def _permission_of(settled: Reply) -> Any:
    """What the host is told about a call that was answered for in the inbox, and judged with that answer."""
    said = settled.verdict
    if said.decision in ("allow", None):
        return PermissionResultAllow(updated_input=said.input)
    return PermissionResultDeny(message=said.reason or "this call was not approved", interrupt=said.interrupt)


def _wait(call: Call, until: float, coroutine: Any) -> Any:
    """Run the coroutine of an async hook on the client's own loop."""

    async def run() -> Any:
        return await coroutine

    try:
        return call(run, max(0.0, until - monotonic()))
    except TimeoutError:
        raise InterlockError("it did not answer in time") from None


def _answer(reply: Reply) -> JsonObject:
    """What a callback returns: what a spawned hook would have printed."""
    if reply.stdout and not reply.stdout.startswith(b"{"):
        return {"systemMessage": "what hooks printed for the summary is dropped: a callback cannot give a text"}
    # An answer kept from an earlier delivery exists only in its printed form.
    found: JsonObject = json.decode(reply.stdout or b"{}") if reply.answer is None else to_builtins(reply.answer)
    return found


def _running(given: JsonObject, reply: Reply) -> JsonObject:
    """What would run, as the host was told."""
    said = _answer(reply).get("hookSpecificOutput") or {}
    changed = said.get("updatedInput")
    found: JsonObject = given["tool_input"] if changed is None else changed
    return found


def _permissions_in(reply: Reply) -> list[PermissionUpdate] | None:
    """The permissions that a prompt's answer changes; the client must learn them from whichever answer it uses."""
    said = _answer(reply).get("hookSpecificOutput") or {}
    updates = said.get("decision", {}).get("updatedPermissions")
    try:
        return None if updates is None else [PermissionUpdate.from_dict(update) for update in updates]
    except (KeyError, TypeError, AttributeError) as error:
        raise InterlockError(f"`updatedPermissions` holds an update that the SDK does not know: {error!r}") from error


def _prompt_about(event: JsonObject, given: JsonObject) -> JsonObject:
    """The event that a prompt about this call raises."""
    left = {name: value for name, value in event.items() if name != "tool_use_id"}
    return {**left, "hook_event_name": "PermissionRequest", "tool_input": given}


def _same(one: Any, other: Any) -> bool:
    # 1, 1.0 and True are equal in Python, but not to a tool.
    return json.encode(one, order="sorted") == json.encode(other, order="sorted")


def _as_approver(approver: Approver | Callable[[Request], Any] | None) -> Approver | None:
    if approver is None or hasattr(approver, "approve"):
        return approver
    return Asking(approver)
