"""An agent of Pydantic AI with a model that is a function."""

from __future__ import annotations

import asyncio
import itertools
import json
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ToolApproved, ToolDenied
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from interlock.frameworks.pydantic_ai import InterlockCapability
from interlock.gate import Gate
from tests.frameworks.playing import Play, Tool, Turn

edits = True
_calls = itertools.count(1)


def call(given: Any, tool: str = "pay") -> ToolCallPart:
    return ToolCallPart(tool, given, tool_call_id=f"call_{next(_calls)}")


def script(*turns: Any) -> FunctionModel:
    left = [*turns, TextPart("done")]

    def answer(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        said = left.pop(0)
        return ModelResponse(parts=said if isinstance(said, list) else [said])

    return FunctionModel(answer)


def agent_for(gate: Gate, tool: Any, *turns: Any, **options: Any) -> Agent[Any, Any]:
    agent = Agent(
        script(*turns),
        output_type=[str, DeferredToolRequests],
        capabilities=[InterlockCapability(gate, **options)],
    )

    @agent.tool_plain
    def pay(n: int, to: str = "ann") -> Any:
        """Pay somebody."""
        return tool(n, to)

    return agent


def run(agent: Agent[Any, Any], prompt: str | None = "Pay.", *, plain: bool = False, **options: Any) -> Any:
    if plain:
        loop = asyncio.new_event_loop()  # which the framework would open by itself, and leave open
        asyncio.set_event_loop(loop)
        try:
            return agent.run_sync(prompt, **options)
        finally:
            loop.close()
            asyncio.set_event_loop(None)
    return asyncio.run(agent.run(prompt, **options))


def play(gate: Gate, tool: Tool, given: dict[str, Any], *, plain: bool = False, **options: Any) -> Play:
    agent = agent_for(gate, tool, call(given), **options)
    return as_play(run(agent, plain=plain), agent, plain)


def as_play(result: Any, agent: Agent[Any, Any], plain: bool = False) -> Play:
    if isinstance(result.output, DeferredToolRequests):
        (asked,) = result.output.approvals
        reason = result.output.metadata[asked.tool_call_id]["reason"]

        def resume(answer: Any) -> Play:
            said: Any = ToolDenied("Not today.")
            if answer != "no":
                said = True if answer == "yes" else ToolApproved(override_args=answer)
            results = DeferredToolResults(approvals={asked.tool_call_id: said})
            more = {"message_history": result.all_messages(), "deferred_tool_results": results}
            return as_play(run(agent, None, plain=plain, **more), agent, plain)

        return Play(question=f"{asked.tool_name} {json.dumps(asked.args)} {reason}", resume=resume)
    return Play(read="\n".join(_read(result)))


def _read(result: Any) -> list[str]:
    found = []
    for message in result.all_messages():
        for part in message.parts:
            if part.part_kind == "tool-return":
                found.append(part.model_response_str(wrap_if_error=False))
            elif part.part_kind == "user-prompt" and part.content != "Pay.":
                found.append(str(part.content))
    return found


def turn(gate: Gate, tool: Tool, *numbers: int) -> Turn:
    agent = agent_for(gate, tool, [call({"n": n}) for n in numbers])
    return _turn(agent, run(agent))


def _turn(agent: Agent[Any, Any], result: Any) -> Turn:
    waiting = result.output.approvals if isinstance(result.output, DeferredToolRequests) else ()
    asked = {one.args["n"]: one.tool_call_id for one in waiting}

    def answer(answers: dict[int, str]) -> Turn:
        results = DeferredToolResults(approvals={asked[n]: said == "yes" for n, said in answers.items()})
        return _turn(agent, run(agent, None, message_history=result.all_messages(), deferred_tool_results=results))

    return Turn(sorted(asked), answer)
