"""An agent of LangChain with a model that follows a script."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Iterator
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import StructuredTool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from interlock.frameworks.langchain import InterlockMiddleware
from interlock.gate import Gate
from tests.frameworks.playing import Play, Tool, Turn

edits = True
_threads = itertools.count()
_calls = itertools.count()


class Script(BaseChatModel):
    """Says what it is told to, and remembers what it was sent."""

    turns: list[AIMessage]
    sent: list[list[BaseMessage]]

    @property
    def _llm_type(self) -> str:
        return "script"

    def bind_tools(self, tools: Any, **options: Any) -> Script:
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **options: Any) -> ChatResult:
        self.sent.append(messages)
        return ChatResult(generations=[ChatGeneration(message=self.turns[len(self.sent) - 1])])


def calls(*given: dict[str, Any], tool: str = "pay") -> AIMessage:
    return AIMessage("", tool_calls=[{"name": tool, "args": one, "id": f"call_{next(_calls)}"} for one in given])


def as_tool(tool: Any) -> StructuredTool:
    def pay(n: int, to: str = "ann") -> Any:
        """Pay somebody."""
        return tool(n, to)

    return StructuredTool.from_function(pay)


def agent_for(gate: Gate, tool: Any, *turns: AIMessage, saver: Any = None, **options: Any) -> tuple[Any, Script]:
    model = Script(turns=[*turns, AIMessage("done")], sent=[])
    guard = InterlockMiddleware(gate, **options)
    return create_agent(model, [as_tool(tool)], middleware=[guard], checkpointer=saver or InMemorySaver()), model


def invoke(agent: Any, given: Any, thread: str, *, plain: bool) -> dict[str, Any]:
    config = {"configurable": {"thread_id": thread}}
    return agent.invoke(given, config) if plain else asyncio.run(agent.ainvoke(given, config))


def play(gate: Gate, tool: Tool, given: dict[str, Any], *, plain: bool = False, **options: Any) -> Play:
    agent, _ = agent_for(gate, tool, calls(given), **options)
    thread = f"thread-{next(_threads)}"
    return _play(invoke(agent, {"messages": [HumanMessage("Pay.")]}, thread, plain=plain), agent, thread, plain)


def _play(state: dict[str, Any], agent: Any, thread: str, plain: bool) -> Play:
    paused = state.get("__interrupt__")
    if paused:
        value = paused[0].value
        question = f"{value['name']} {json.dumps(value['args'])} {value['description']}"

        def resume(answer: Any) -> Play:
            return _play(invoke(agent, Command(resume=_decision(answer)), thread, plain=plain), agent, thread, plain)

        return Play(question=question, resume=resume)
    return Play(read=next(_results(state)))


def turn(gate: Gate, tool: Tool, *numbers: int) -> Turn:
    agent, _ = agent_for(gate, tool, calls(*({"n": n} for n in numbers)))
    return _turn(agent, {"messages": [HumanMessage("Pay.")]}, f"thread-{next(_threads)}")


def _turn(agent: Any, given: Any, thread: str) -> Turn:
    asked = {
        one.value["args"]["n"]: one.id for one in invoke(agent, given, thread, plain=False).get("__interrupt__", ())
    }

    def answer(answers: dict[int, str]) -> Turn:
        return _turn(agent, Command(resume={asked[n]: _decision(said) for n, said in answers.items()}), thread)

    return Turn(sorted(asked), answer)


def _decision(answer: Any) -> dict[str, Any]:
    if isinstance(answer, dict):
        return {"type": "edit", "edited_action": {"name": "pay", "args": answer}}
    return {"type": "approve"} if answer == "yes" else {"type": "reject", "message": "Not today."}


def _results(state: dict[str, Any]) -> Iterator[str]:
    return (message.text for message in state["messages"] if message.type == "tool")
