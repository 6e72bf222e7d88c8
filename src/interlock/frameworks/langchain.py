"""LangChain and LangGraph under a policy: a middleware around every call, and `interrupt()` behind `ask`."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from interlock.frameworks import needs

with needs("langchain"):
    from langchain.agents.middleware import AgentMiddleware
    from langchain.agents.middleware.types import ModelRequest, ToolCallRequest
    from langchain_core.messages import BaseMessage, ToolMessage
    from langgraph.errors import GraphBubbleUp, GraphInterrupt, ParentCommand
    from langgraph.types import Command, Send, interrupt

from interlock.approvals.approval import Approval, Request
from interlock.errors import InterlockError
from interlock.frameworks.calls import (
    Names,
    PauseSignal,
    ToolAnswer,
    answer_of,
    plain_value,
    question_text,
    refuse_unguarded,
    result_text,
)
from interlock.gate.errors import TurnOver
from interlock.gate.gate import Gate
from interlock.gate.means import driven
from interlock.gate.prompts import PromptNotes, question_id

__all__ = ["GraphTurnOver", "InterlockMiddleware"]

JsonObject: TypeAlias = dict[str, Any]
Handler: TypeAlias = Callable[[ToolCallRequest], Any]

_MOST_PROMPTS = 8  # about one call: whenever what is asked has changed by the time the answer comes
_MOST_TASKS = 1_000  # whose questions are counted at the same time
# The module of the handler that runs the tool, and the name of the one that calls the model, with nothing in between.
_LAST = "langgraph.prebuilt.tool_node"
_LAST_BEFORE_MODEL = "_execute_model"


class InterlockMiddleware(AgentMiddleware[Any, Any, Any]):
    """Judges every call of an agent's tools. It must be the last in `middleware`: it judges what really runs.

    With `pause`, a call that the policy asks about interrupts the graph, if the graph has a checkpointer and the gate
    has no approver. `names` maps a tool's name to the one that policies know it by. `unguarded` names tools that the
    model's provider runs itself; any other such tool is refused.
    """

    def __init__(
        self, gate: Gate, *, pause: bool = True, names: Names | None = None, unguarded: Iterable[str] = ()
    ) -> None:
        super().__init__()
        self._gate = gate
        self._pause = pause
        self._names = dict(names or {})
        self._unguarded = frozenset(unguarded)

    def wrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Any:
        return driven(self._call(request, handler, inline=True))

    async def awrap_tool_call(self, request: ToolCallRequest, handler: Handler) -> Any:
        return await self._call(request, handler, inline=False)

    def wrap_model_call(self, request: ModelRequest, handler: Callable[[ModelRequest], Any]) -> Any:
        self._refuse_hosted(request, handler)
        return handler(request)

    async def awrap_model_call(self, request: ModelRequest, handler: Callable[[ModelRequest], Awaitable[Any]]) -> Any:
        self._refuse_hosted(request, handler)
        return await handler(request)

    def _refuse_hosted(self, request: ModelRequest, handler: Callable[[ModelRequest], Any]) -> None:
        """A tool that is only described, by a dictionary, is run by the model's provider."""
        if not getattr(handler, "__name__", "").startswith(_LAST_BEFORE_MODEL):
            raise _not_the_last("another middleware could add a tool that runs at the model's provider")
        hosted = [str(one.get("name") or one.get("type")) for one in request.tools if isinstance(one, dict)]
        refuse_unguarded("LangChain", hosted, self._unguarded)

    async def _call(self, request: ToolCallRequest, handler: Handler, *, inline: bool) -> Any:
        if getattr(handler, "__module__", None) != _LAST:
            raise _not_the_last("another middleware could change a call after it was judged")
        call = request.tool_call
        # Other middleware may have put another tool there, and it is the tool that runs.
        name = call["name"] if request.tool is None else request.tool.name
        life = self._gate.life(
            self._names.get(name, name), prompt=self._prompt(request, name), session=_thread(request), inline=inline
        )
        way_out = _WayOut()

        def with_input(given: JsonObject) -> ToolCallRequest:
            return request.override(tool_call={**call, "args": given})

        def run_inline(given: JsonObject) -> Any:
            try:
                return _unless_failed(handler(with_input(given)))
            except GraphBubbleUp as error:
                return way_out.taken_by(error)

        async def run_on_loop(given: JsonObject) -> Any:
            try:
                return _unless_failed(await handler(with_input(given)))
            except GraphBubbleUp as error:
                return way_out.taken_by(error)

        try:
            answer = await answer_of(
                self._gate, life, call["args"], run_inline if inline else run_on_loop, _readable, inline=inline
            )
        except _FailedTool as failed:
            return failed.message
        except TurnOver as over:
            raise GraphTurnOver(str(over)) from over
        reply = _reply(answer, name, call["id"])
        if way_out.command is not None and isinstance(reply, Command):
            raise ParentCommand(reply)
        return reply

    def _prompt(self, request: ToolCallRequest, name: str) -> _InterruptPrompt | None:
        if not self._pause or not _can_interrupt(request):
            return None
        configurable = _configurable(request)
        # Within one graph, a model may give two calls the same id; each of them has a task of its own.
        key = f"{configurable.get('__pregel_task_id')} {request.tool_call['id']}"
        return _InterruptPrompt(key, request.tool_call["id"] or "", name, configurable["__pregel_scratchpad"])


def _not_the_last(why: str) -> InterlockError:
    return InterlockError(why, help="put InterlockMiddleware last in `middleware`")


class _WayOut:
    """What leaves a tool by an exception of LangGraph although the tool has not failed."""

    def __init__(self) -> None:
        self.command: Command | None = None  # for a graph around this one; the model there reads its messages

    def taken_by(self, error: GraphBubbleUp) -> Command:
        """A command, which is judged like a result. Raises PauseSignal for everything else."""
        if isinstance(error, ParentCommand):
            self.command = error.args[0]
            return self.command
        raise PauseSignal(error, comes_again=isinstance(error, GraphInterrupt)) from None


class GraphTurnOver(TurnOver, GraphBubbleUp):
    """Ends the run: code that retries a failed tool, or makes a message of its exception, lets this one pass."""


# --- pausing ---------------------------------------------------------------------------------------------------


class _Questions:
    """The questions of one task of a graph. Its answers are handed out in the order in which the task asks."""

    def __init__(self, scratchpad: Any, key: str) -> None:
        self.scratchpad = scratchpad  # kept, so that no other object gets its id
        self.asker = key
        self.numbers = itertools.count()


_questions: dict[int, _Questions] = {}
_lock = threading.Lock()


def _questions_of(scratchpad: Any, key: str) -> _Questions:
    """The questions of a task, in one run of it. The first call that asks is the only one that may."""
    with _lock:
        found = _questions.setdefault(id(scratchpad), _Questions(scratchpad, key))
        while len(_questions) > _MOST_TASKS:
            del _questions[next(iter(_questions))]
    return found


class _InterruptPrompt:
    """Asks by an interrupt of the graph, in the form of LangChain's own middleware that asks about each call."""

    host = "LangGraph"
    shows_changes = True

    def __init__(self, key: str, call: str, tool: str, scratchpad: Any) -> None:
        self.key = key
        self._call = call
        self._tool = tool
        self._scratchpad = scratchpad

    async def is_resumed(self, notes: PromptNotes) -> bool:
        return await notes.are_there()

    async def ask(self, question: Request, notes: PromptNotes) -> Approval:
        questions = _questions_of(self._scratchpad, self.key)
        if questions.asker != self.key:
            # Calls of one task may ask in another order when it is run again, and get each other's answers.
            return Approval(False, reason="a person is asked about another call at this moment; make this call again")
        value = {
            "type": "tool_approval",
            "tool_call_id": self._call,
            "name": self._tool,
            "args": question.input,
            "description": question_text(question),
            "question": question_id(question),
        }
        for number in itertools.islice(questions.numbers, _MOST_PROMPTS):
            try:
                answer = interrupt(value)
            except GraphInterrupt:
                await notes.add(question, number=number)
                raise
            # Otherwise it is the answer to an earlier question, and the call or the reasons to ask have changed since.
            if await notes.spend(question, number=number):
                return _approval(answer, self._tool)
        return Approval(False, reason="the call kept changing after each question")


def _approval(answer: Any, tool: str) -> Approval:
    """A person's answer. Whatever is not an approval is a no."""
    if isinstance(answer, bool):
        return Approval(answer)
    kind = answer.get("type") if isinstance(answer, dict) else None
    if kind == "approve":
        return Approval(True)
    if kind == "reject":
        message = answer.get("message")
        return Approval(False, reason=message if isinstance(message, str) else None)
    edited = answer.get("edited_action") if kind == "edit" else None
    if isinstance(edited, dict) and edited.get("name") == tool and isinstance(edited.get("args"), dict):
        return Approval(True, input=edited["args"])
    return Approval(False, reason=f"the answer {str(answer)[:80]!r} does not approve a call of {tool}")


def _can_interrupt(request: ToolCallRequest) -> bool:
    """Whether the graph can be resumed, and no other call runs again when it is."""
    configurable = _configurable(request)
    if configurable.get("__pregel_checkpointer") is None or "__pregel_scratchpad" not in configurable:
        return False
    path = _config(request).get("metadata", {}).get("langgraph_path")
    if path and path[0] == "__pregel_push":
        return True  # a task of its own for each call
    messages = list(request.state.get("messages", ())) if isinstance(request.state, Mapping) else []
    return bool(messages) and len(getattr(messages[-1], "tool_calls", ())) == 1


def _thread(request: ToolCallRequest) -> str | None:
    thread = _configurable(request).get("thread_id")
    return str(thread) if thread else None


def _configurable(request: ToolCallRequest) -> JsonObject:
    return dict(_config(request).get("configurable", {}))


def _config(request: ToolCallRequest) -> JsonObject:
    return dict(getattr(request.runtime, "config", None) or {})


# --- results ---------------------------------------------------------------------------------------------------


class _FailedTool(Exception):  # noqa: N818 - says which tool
    """A tool failed, and the framework has made a message for the model of it."""

    def __init__(self, message: ToolMessage) -> None:
        super().__init__(message.text)
        self.message = message


def _unless_failed(result: Any) -> Any:
    if isinstance(result, ToolMessage) and result.status == "error":
        raise _FailedTool(result)
    return result


def _readable(result: Any) -> Any:
    """What the model will read of a result: all that a command says may be in a prompt, or go to another node."""
    return plain_value(result.content) if isinstance(result, ToolMessage) else list(_parts(result))


def _parts(value: Any) -> Iterator[Any]:
    if isinstance(value, BaseMessage):
        yield plain_value(value.content)
    elif isinstance(value, Command):
        yield from _parts(value.update)
        for one in value.goto if isinstance(value.goto, list | tuple) else [value.goto]:
            yield from _parts(one.arg) if isinstance(one, Send) else ()
    elif isinstance(value, Mapping):
        for name, item in value.items():
            yield from _parts(item) if isinstance(item, BaseMessage | list) else [plain_value({name: item})]
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _parts(item)
    elif value is not None:
        yield plain_value(value)


def _reply(answer: ToolAnswer, name: str, call: str | None) -> Any:
    if answer.refusal is not None:
        return ToolMessage(answer.refusal, name=name, tool_call_id=call, status="error")
    if not answer.is_replaced:
        return _with_context(answer.result, answer.context)
    content = answer.result if _is_content(answer.result) else result_text(answer.result)
    return _with_context(ToolMessage(content, name=name, tool_call_id=call), answer.context)


def _is_content(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(one, dict) and isinstance(one.get("type"), str) for one in value)


def _with_context(result: Any, context: str) -> Any:
    """The result with what the model is told beside it."""
    if not context:
        return result
    if isinstance(result, list):
        return [_with_context(one, context) for one in result]
    if isinstance(result, Command) and isinstance(result.update, Mapping):
        return replace(result, update={name: _with_context(one, context) for name, one in result.update.items()})
    if isinstance(result, Command) and isinstance(result.update, list):
        return replace(result, update=_with_context(result.update, context))
    if not isinstance(result, ToolMessage):
        return result
    content = result.content
    told = f"{content}\n\n{context}" if isinstance(content, str) else [*content, {"type": "text", "text": context}]
    return result.model_copy(update={"content": told})
