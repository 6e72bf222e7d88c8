"""The OpenAI Agents SDK under a policy: the tools of an agent and of all that it reaches go through a gate."""

from __future__ import annotations

import copy
from collections import OrderedDict
from collections.abc import Callable, Iterable
from time import monotonic
from typing import Any, NamedTuple, TypeAlias

from msgspec import json

from interlock.frameworks import needs

with needs("openai-agents"):
    from agents import (
        Agent,
        FunctionTool,
        Handoff,
        LocalShellTool,
        RunContextWrapper,
        ShellTool,
        ToolApprovalItem,
        ToolOutputFileContent,
        ToolOutputImage,
        ToolOutputText,
    )
    from agents.tool import maybe_invoke_function_tool_failure_error_function as text_of_failure
    from agents.tool import set_function_tool_failure_error_function as set_failure_text
    from agents.tool_context import ToolContext
    from pydantic import BaseModel

from interlock.approvals.approval import Approval, Request
from interlock.errors import InterlockError
from interlock.frameworks.calls import (
    UNASKED,
    Names,
    ToolAnswer,
    answer_of,
    finish_call,
    plain_value,
    question_text,
    refusal_of,
    refuse_unguarded,
    result_text,
)
from interlock.frameworks.openai_shells import call_id, input_of, line_of, shell_output, shell_reply, with_line
from interlock.gate.errors import Denied, NotApproved
from interlock.gate.gate import Gate
from interlock.gate.life import Life
from interlock.gate.prompts import PromptNotes
from interlock.hooks.opinions import is_json
from interlock.jsontext import read_object

__all__ = ["guard", "reason_for"]

JsonObject: TypeAlias = dict[str, Any]
Session: TypeAlias = Callable[[RunContextWrapper[Any]], str | None]

_OUTPUTS = (ToolOutputText, ToolOutputImage, ToolOutputFileContent)  # which the model reads as they are
_FRESH = 60.0  # seconds between the question whether a call needs approval, and the call itself
_MOST_CALLS = 1_000
# Why a person is asked about a call, also if its tool and its agent were put under the gate one by one.
_reasons: OrderedDict[tuple[int, str], str] = OrderedDict()


def guard(
    agent: Agent[Any],
    gate: Gate,
    *,
    pause: bool = True,
    names: Names | None = None,
    unguarded: Iterable[str] = (),
    session: Session | None = None,
) -> Agent[Any]:
    """Put an agent under a gate, with its handoffs and the agents that are its tools, and return it.

    The agent itself is changed, and so are its tools, so that nothing runs past the gate; tools that are added later
    are guarded, too. With `pause`, a call that the policy asks about interrupts the run, unless the gate has an
    approver. `names` maps a tool's name to the one that policies know it by. `unguarded` names tools that run
    elsewhere, such as hosted ones; any other such tool is refused. `session` says which session a run belongs to.
    """
    return _AgentGuard(gate, pause and not gate.has_approver, dict(names or {}), frozenset(unguarded), session).put(
        agent
    )


def reason_for(item: ToolApprovalItem) -> str | None:
    """Why a person is asked about an interruption, in the words of the policy. None if this process did not ask."""
    own = getattr(type(item.agent), "_interlock", None)
    return _reasons.get((own.gate_id, item.call_id)) if isinstance(own, _AgentGuard) else None


class _AgentGuard:
    """One gate with everything that is under it."""

    def __init__(
        self, gate: Gate, pause: bool, names: JsonObject, unguarded: frozenset[str], session: Session | None
    ) -> None:
        self._gate = gate
        self._pause = pause
        self._names = names
        self._unguarded = unguarded
        self._session = session
        self._terms = (gate, pause, names, unguarded, session)
        self._classes: dict[type, type] = {}
        self._permits: OrderedDict[tuple[str, ...], _Permit] = OrderedDict()
        self.gate_id = id(gate)

    # --- agents ------------------------------------------------------------------------------------------------

    def put(self, agent: Agent[Any]) -> Agent[Any]:
        """Guard an agent and all that it reaches."""
        if not isinstance(agent, Agent):
            raise InterlockError(f"`{type(agent).__name__}` is not an Agent of the SDK, so it cannot be guarded")
        if not self._has(type(agent), f"agent `{agent.name}`"):
            agent.__class__ = self._class_for(type(agent))
            for tool in agent.tools:
                self.put_tool(tool)
            _ = agent.handoffs  # which guards them
        return agent

    def _class_for(self, plain: type) -> type:
        """The same class, but what it offers is guarded. A clone of an agent has its class."""
        if plain not in self._classes:
            self._classes[plain] = type(plain.__name__, (plain,), self._members(plain))
        return self._classes[plain]

    def _members(self, plain: type) -> JsonObject:
        """What a guarded agent does otherwise: whatever it offers to a run is guarded."""

        async def get_all_tools(agent: Any, run_context: RunContextWrapper[Any]) -> list[Any]:
            tools: list[Any] = await plain.get_all_tools(agent, run_context)  # type: ignore[attr-defined]
            for tool in tools:
                self.put_tool(tool)
            return tools

        def handoffs(agent: Any) -> list[Any]:
            return self._put_handoffs(agent.__dict__["handoffs"])

        def set_handoffs(agent: Any, value: list[Any]) -> None:
            agent.__dict__["handoffs"] = value

        return {
            "_interlock": self,
            "__module__": plain.__module__,
            "get_all_tools": get_all_tools,
            "handoffs": property(handoffs, set_handoffs),
        }

    def _put_handoffs(self, handoffs: list[Any]) -> list[Any]:
        for place, one in enumerate(handoffs):
            if isinstance(one, Handoff):
                handoffs[place] = self._handoff(one)
            else:
                self.put(one)
        return handoffs

    def _handoff(self, handoff: Handoff[Any, Any]) -> Handoff[Any, Any]:
        invoke = handoff.on_invoke_handoff
        if self._has(invoke, f"handoff to `{handoff.agent_name}`"):
            return handoff

        async def guarded(context: RunContextWrapper[Any], given: str) -> Any:
            return self.put(await invoke(context, given))

        guarded._interlock = self  # type: ignore[attr-defined]
        handoff.on_invoke_handoff = guarded
        return handoff

    # --- tools -------------------------------------------------------------------------------------------------

    def put_tool(self, tool: Any) -> None:
        """Guard a tool in place, so that there is no way around it."""
        if isinstance(tool, ShellTool | LocalShellTool) and tool.executor is not None:
            return self._put_shell(tool)
        if not isinstance(tool, FunctionTool):
            refuse_unguarded("OpenAI Agents SDK", [str(getattr(tool, "name", type(tool).__name__))], self._unguarded)
            return None
        if self._has(tool.on_invoke_tool, f"tool `{tool.name}`"):
            return None
        if isinstance(tool._agent_instance, Agent):  # not by `getattr`: without this field, no such agent is guarded
            self.put(tool._agent_instance)
        # A copy that raises what the tool raises. The SDK makes a text of it, which would look like a result.
        makes_text = hasattr(tool.on_invoke_tool, "__agents_bind_function_tool__")
        inner = set_failure_text(copy.copy(tool), None) if makes_text else copy.copy(tool)
        theirs = tool.needs_approval

        async def invoke(context: ToolContext[Any], given: str) -> Any:
            try:
                answer = await self._answer(tool, inner, context, given)
            except InterlockError:
                raise
            except Exception as error:
                text = None
                if makes_text:
                    text = await text_of_failure(function_tool=tool, context=context, error=error)
                if text is None:
                    raise
                return text
            return _reply(answer, tool)

        async def needs_approval(context: RunContextWrapper[Any], given: JsonObject, call: str) -> bool:
            ours = await self._is_asked_about(tool, context, given, call)
            return ours or (await theirs(context, given, call) if callable(theirs) else theirs)

        invoke._interlock = self  # type: ignore[attr-defined]
        tool.on_invoke_tool = invoke
        if self._pause:
            tool.needs_approval = needs_approval
        return None

    def _put_shell(self, tool: ShellTool | LocalShellTool) -> None:
        if self._has(tool.executor, f"tool `{tool.name}`"):
            return
        executor, theirs = tool.executor, getattr(tool, "needs_approval", None)
        pauses = self._pause and theirs is not None

        async def execute(request: Any) -> Any:
            def run(given: JsonObject) -> Any:
                return executor(with_line(request, given))

            context, call, given = request.ctx_wrapper, call_id(request), input_of(request)
            prompt = _ApprovedItem(call, is_kept=False) if pauses else None
            return shell_reply(await self._answer_to(tool, context, call, given, run, shell_output, prompt))

        async def needs_approval(context: RunContextWrapper[Any], action: Any, call: str) -> bool:
            ours = await self._is_asked_about(tool, context, line_of(action.commands), call)
            return ours or bool(await theirs(context, action, call) if callable(theirs) else theirs)

        execute._interlock = self  # type: ignore[attr-defined]
        tool.executor = execute
        if pauses:
            tool.needs_approval = needs_approval

    def _has(self, guarded: Any, name: str) -> bool:
        """Whether the class of an agent, or the function of a tool, is under this gate, with the same options."""
        own = getattr(guarded, "_interlock", None)
        if own is not None and own._terms != self._terms:
            raise InterlockError(f"the {name} is under another gate already, or under this one with other options")
        return own is not None

    # --- calls -------------------------------------------------------------------------------------------------

    async def _is_asked_about(self, tool: Any, context: RunContextWrapper[Any], given: JsonObject, call: str) -> bool:
        """Judge a call that has not been approved yet. What it may do is kept for the call itself."""
        key = self._key(tool, context, call)
        permit = self._permits.get(key)
        if permit is not None and permit.is_for(given):
            return False
        life = self._life(tool, context, _ApprovalItem(call))
        try:
            found: JsonObject | Denied = await life.permit(given)
        except _Waiting as waiting:
            _keep(_reasons, (self.gate_id, call), str(waiting))
            return True
        except Denied as denied:
            found = denied
        _keep(self._permits, key, _Permit(json.encode(given), life, found, monotonic()))
        return False

    async def _answer(
        self, tool: FunctionTool, inner: FunctionTool, context: ToolContext[Any], text: str
    ) -> ToolAnswer:
        try:
            given = read_object(text.encode()) if text.strip() else {}
        except (InterlockError, UnicodeEncodeError) as error:
            return ToolAnswer(refusal=f"the arguments of this call are not a JSON object: {error}")

        async def run(given: JsonObject) -> Any:
            return _readable_form(await inner.on_invoke_tool(context, json.encode(given).decode()))

        call = context.tool_call_id
        is_kept = tool._is_agent_tool  # it is called again if its own agent is paused
        prompt = _ApprovedItem(call, is_kept=is_kept)
        return await self._answer_to(tool, context, call, given, run, plain_value, prompt)

    async def _answer_to(
        self,
        tool: Any,
        context: RunContextWrapper[Any],
        call: str,
        given: JsonObject,
        run: Callable[[JsonObject], Any],
        readable: Callable[[Any], Any],
        prompt: _ApprovedItem | None,
    ) -> ToolAnswer:
        permit = self._permits.pop(self._key(tool, context, call), None)
        if permit is None or not permit.is_for(given):
            life = self._life(tool, context, prompt)
            return await answer_of(self._gate, life, given, run, readable)
        if isinstance(permit.found, Denied):
            told = not isinstance(permit.found, NotApproved)
            return refusal_of(self._gate, permit.found.reason, permit.found.verdict, told=told)
        return await finish_call(self._gate, permit.life, permit.found, run, readable)

    def _life(self, tool: Any, context: RunContextWrapper[Any], prompt: _ApprovalItem | _ApprovedItem | None) -> Life:
        session = self._session(context) if self._session is not None else None
        name = self._names.get(tool.name, tool.name if isinstance(tool, FunctionTool) else "Bash")
        return self._gate.life(name, prompt=prompt if self._pause else None, session=session)

    def _key(self, tool: Any, context: RunContextWrapper[Any], call: str) -> tuple[str, ...]:
        return (tool.name, call, (self._session(context) if self._session is not None else None) or "")


def _keep(place: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    place[key] = value
    if len(place) > _MOST_CALLS:
        place.popitem(last=False)


class _Permit(NamedTuple):
    """What was found about a call when the SDK asked whether it needs approval, moments before it runs."""

    given: bytes
    life: Life
    found: JsonObject | Denied
    at: float

    def is_for(self, given: JsonObject) -> bool:
        return json.encode(given) == self.given and monotonic() - self.at < _FRESH


# --- pausing ---------------------------------------------------------------------------------------------------


class _Waiting(Exception):  # noqa: N818 - not an error: the run is interrupted
    """A person is asked."""


class _ApprovalItem:
    """Asks by an interruption of the run, which shows the call as the model wrote it."""

    host = "The OpenAI Agents SDK"
    shows_changes = False

    def __init__(self, call: str) -> None:
        self.key = call

    async def is_resumed(self, notes: PromptNotes) -> bool:
        return False

    async def ask(self, question: Request, notes: PromptNotes) -> Approval:
        await notes.add(question)
        raise _Waiting(question_text(question))


class _ApprovedItem:
    """The answer: the SDK runs a call that was asked about only after a yes."""

    host = _ApprovalItem.host
    shows_changes = False

    def __init__(self, call: str, *, is_kept: bool) -> None:
        self.key = call
        self._is_kept = is_kept

    async def is_resumed(self, notes: PromptNotes) -> bool:
        return await notes.are_there()

    async def ask(self, question: Request, notes: PromptNotes) -> Approval:
        is_answered = await (notes.contain(question) if self._is_kept else notes.spend(question))
        return Approval(True) if is_answered else Approval(False, reason=UNASKED)


# --- results ---------------------------------------------------------------------------------------------------


def _readable_form(result: Any) -> Any:
    """A result in the form in which it is judged, so that the model reads nothing else.

    The SDK would make a text of an object after it was judged. A model of pydantic is judged by its fields.
    """
    if isinstance(result, BaseModel):
        return result if isinstance(result, _OUTPUTS) else plain_value(result)
    parts = result if isinstance(result, list | tuple) else ()
    is_readable = is_json(result) or (parts and all(isinstance(one, _OUTPUTS) or is_json(one) for one in parts))
    return result if is_readable else str(result)


def _reply(answer: ToolAnswer, tool: FunctionTool) -> Any:
    if answer.refusal is not None:
        return answer.refusal
    result = answer.result
    if answer.is_replaced and tool.output_json_schema is None:
        result = result_text(result)
    if not answer.context or tool.output_json_schema is not None:
        return result
    told = ToolOutputText(text=answer.context)
    if isinstance(result, _OUTPUTS):
        return [result, told]
    if isinstance(result, list | tuple) and result and all(isinstance(one, _OUTPUTS) for one in result):
        return [*result, told]
    return f"{result}\n\n{answer.context}"
