"""Google ADK under a policy: a plugin that puts a gate around every tool, and asks by requests for confirmation."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from typing import Any, TypeAlias

from interlock.frameworks import needs

with needs("adk"):
    from google.adk.agents.base_agent import BaseAgent
    from google.adk.agents.callback_context import CallbackContext
    from google.adk.agents.llm_agent import LlmAgent
    from google.adk.models.llm_request import LlmRequest
    from google.adk.models.llm_response import LlmResponse
    from google.adk.plugins.base_plugin import BasePlugin
    from google.adk.tools.agent_tool import AgentTool
    from google.adk.tools.base_tool import BaseTool
    from google.adk.tools.tool_context import ToolContext
    from google.genai import types

from interlock.approvals.approval import Approval, Request
from interlock.errors import InterlockError
from interlock.frameworks.calls import (
    UNASKED,
    Names,
    ToolAnswer,
    answer_of,
    plain_value,
    question_text,
    refuse_unguarded,
)
from interlock.gate.errors import TurnOver
from interlock.gate.gate import Gate
from interlock.gate.prompts import PromptNotes, question_id
from interlock.hooks.opinions import is_json

__all__ = ["InterlockPlugin"]

JsonObject: TypeAlias = dict[str, Any]

_WAITS = {"error": "This tool call requires confirmation, please approve or reject."}  # ADK's own words
_GUARD = "_interlock"
# Agents whose tools run in another place, and tools whose results are added to the next request of the model.
_AGENTS_ELSEWHERE = frozenset({"ManagedAgent", "RemoteA2aAgent", "LangGraphAgent"})
_READ_WITH_THE_NEXT_REQUEST = frozenset({"LoadArtifactsTool", "LoadMcpResourceTool"})
_in_agent_tool: ContextVar[bool] = ContextVar("_in_agent_tool", default=False)


class InterlockPlugin(BasePlugin):
    """Judges every call of the tools of a runner's agents.

    With `pause`, a call that the policy asks about requests a confirmation, unless the gate has an approver. `names`
    maps a tool's name to the one that policies know it by. `unguarded` names what runs elsewhere: tools of the model
    itself, `code_executor`, and agent tools without plugins; any other such tool is refused.
    """

    def __init__(
        self, gate: Gate, *, pause: bool = True, names: Names | None = None, unguarded: Iterable[str] = ()
    ) -> None:
        super().__init__(name="interlock")
        self._gate = gate
        self._pause = pause
        self._names = dict(names or {})
        self._unguarded = frozenset(unguarded)

    async def before_tool_callback(
        self, *, tool: BaseTool, tool_args: JsonObject, tool_context: ToolContext
    ) -> JsonObject | None:
        """Put the gate around the tool. It judges later, because an agent's callbacks may still change the call."""
        if _is_live(tool_context):
            return {"error": f"`{tool.name}` does not run: calls in a live run bypass the gate"}
        if _reads_elsewhere(tool):
            refuse_unguarded("Google ADK", [tool.name], self._unguarded)
        setattr(tool_context, _GUARD, self)
        if not hasattr(tool.run_async, _GUARD):
            tool.run_async = _guarded_run(tool)
        return None

    async def before_agent_callback(self, *, agent: BaseAgent, callback_context: CallbackContext) -> None:
        found = [agent.name] if _is_one_of(agent, _AGENTS_ELSEWHERE) else []
        if _is_live(callback_context) and isinstance(agent, LlmAgent):
            # The model's requests of a live run pass no callback.
            found += [tool.name for tool in await agent.canonical_tools(callback_context) if _is_hosted(tool)]
        refuse_unguarded("Google ADK", found, self._unguarded)

    async def before_model_callback(
        self, *, callback_context: CallbackContext, llm_request: LlmRequest
    ) -> LlmResponse | None:
        refuse_unguarded("Google ADK", _elsewhere(callback_context, llm_request), self._unguarded)
        return None

    async def call(self, tool: BaseTool, run_tool: Callable[..., Any], args: JsonObject, context: ToolContext) -> Any:
        """What a tool returns, or what the model reads instead."""

        async def run(given: JsonObject) -> Any:
            result = await run_tool(args=given, tool_context=context)
            if inspect.isasyncgen(result):
                raise InterlockError(f"`{tool.name}` yields its results one by one, so they cannot be judged")
            return _readable_form(result)

        name = self._names.get(tool.name, tool.name)
        # An agent that is a tool has a runner of its own, which cannot be resumed.
        prompt = _Confirmation(context) if self._pause and not _in_agent_tool.get() else None
        life = self._gate.life(name, prompt=prompt, session=context.session.id)
        token = _in_agent_tool.set(_in_agent_tool.get() or isinstance(tool, AgentTool))
        try:
            answer = await answer_of(self._gate, life, args, run, plain_value)
        except _Waiting:
            # Without this, the model would be asked to go on, and would make the call again.
            context.actions.skip_summarization = True
            return _WAITS
        except TurnOver:
            # For plugins that make an answer for the model of whatever a tool raises.
            context._invocation_context.end_invocation = True
            raise
        finally:
            _in_agent_tool.reset(token)
        return _reply(answer)


def _guarded_run(tool: BaseTool) -> Any:
    """How a tool runs: through the gate of the runner that calls it, if that has one."""
    plain = tool.run_async

    async def run_async(*, args: JsonObject, tool_context: ToolContext) -> Any:
        guard = _guard_of(tool_context)
        if guard is None:
            return await plain(args=args, tool_context=tool_context)
        return await guard.call(tool, plain, args, tool_context)

    setattr(run_async, _GUARD, True)
    return run_async


def _guard_of(context: ToolContext) -> InterlockPlugin | None:
    """The plugin that guards a call; None if its runner has none, or has not asked the plugin about this call."""
    own = getattr(context, _GUARD, None)
    plugins = getattr(getattr(context._invocation_context, "plugin_manager", None), "plugins", ())
    listed = [own] if own is not None else plugins
    return next((one for one in listed if isinstance(one, InterlockPlugin)), None)


def _is_live(context: CallbackContext) -> bool:
    return getattr(context._invocation_context, "live_request_queue", None) is not None


def _reads_elsewhere(tool: BaseTool) -> bool:
    """Whether a tool's calls, or what the model reads for one, do not pass the plugin."""
    return (isinstance(tool, AgentTool) and not tool.include_plugins) or _is_one_of(tool, _READ_WITH_THE_NEXT_REQUEST)


def _is_hosted(tool: BaseTool) -> bool:
    """Whether a tool only changes the model's request, as those do that the model uses by itself."""
    return _reads_elsewhere(tool) or tool._get_declaration() is None


def _is_one_of(value: object, names: frozenset[str]) -> bool:
    """Whether the value is of one of these classes, whose modules need not be installed."""
    return any(one.__name__ in names for one in type(value).__mro__)


def _elsewhere(context: CallbackContext, request: LlmRequest) -> Iterable[str]:
    """What this request lets the model use that no callback sees."""
    if getattr(context._invocation_context.agent, "code_executor", None) is not None:
        yield "code_executor"
    yield from (name for name, tool in request.tools_dict.items() if _reads_elsewhere(tool))
    for tool in (request.config.tools if request.config else None) or ():
        fields = getattr(type(tool), "model_fields", None)
        if fields is None:
            yield type(tool).__name__
            continue
        yield from (name for name in fields if name != "function_declarations" and getattr(tool, name) is not None)


# --- pausing ---------------------------------------------------------------------------------------------------


class _Waiting(Exception):  # noqa: N818 - not an error: a person is asked
    """A confirmation was requested."""


class _Confirmation:
    """Asks by a request for confirmation. Its hint says how the call would run, if a rule changed it."""

    host = "Google ADK"
    shows_changes = True

    def __init__(self, context: ToolContext) -> None:
        self._context = context
        # A node of a workflow that is a tool gets another id whenever it runs.
        self.key = (context.node_path if context.node is not None else context.function_call_id) or ""

    async def is_resumed(self, notes: PromptNotes) -> bool:
        return self._context.tool_confirmation is not None and await notes.are_there()

    async def ask(self, question: Request, notes: PromptNotes) -> Approval:
        answer = self._context.tool_confirmation
        if answer is not None:
            # A call that is run again cannot request a second confirmation.
            return _approval(answer) if await notes.spend(question) else Approval(False, reason=UNASKED)
        await notes.add(question)
        self._context.request_confirmation(
            hint=question_text(question), payload={"input": question.input, "question": question_id(question)}
        )
        raise _Waiting


def _approval(answer: Any) -> Approval:
    """A person's answer. The payload may contain an input of their own, or why they say no."""
    payload = answer.payload if isinstance(answer.payload, dict) else {}
    if answer.confirmed is not True:
        message = payload.get("message")
        return Approval(False, reason=message if isinstance(message, str) else None)
    return Approval(True, input=payload.get("input"))


def _readable_form(result: Any) -> Any:
    """A result in the form in which it is judged, so that an object is not written otherwise for the model."""
    if isinstance(result, types.Part | types.FunctionResponse) or is_json(result):
        return result
    if isinstance(result, dict):
        return {str(name): _readable_form(value) for name, value in result.items()}
    if isinstance(result, list | tuple | Iterator):
        return [_readable_form(value) for value in result]
    return plain_value(result)


def _reply(answer: ToolAnswer) -> Any:
    if answer.refusal is not None:
        return {"error": answer.refusal}
    result = answer.result
    if not answer.context:
        return {"result": result} if answer.is_replaced and not isinstance(result, dict) else result
    return {**(result if isinstance(result, dict) else {"result": result}), "interlock": answer.context}
