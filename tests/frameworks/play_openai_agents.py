"""An agent of the OpenAI Agents SDK with its own scripted model."""

from __future__ import annotations

import asyncio
import itertools
import json
from typing import Any

from agents import Agent, RunConfig, Runner, function_tool
from agents.testing import ScriptedModel
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText

from interlock.frameworks.openai_agents import guard, reason_for
from interlock.gate import Gate
from tests.frameworks.playing import Play, Tool, Turn

edits = False
_calls = itertools.count(1)
CONFIG = RunConfig(tracing_disabled=True)


def call(given: dict[str, Any], tool: str = "pay", id: str = "") -> ResponseFunctionToolCall:
    return ResponseFunctionToolCall(
        type="function_call", name=tool, arguments=json.dumps(given), call_id=id or f"call_{next(_calls)}"
    )


def says(text: str) -> ResponseOutputMessage:
    content = ResponseOutputText(type="output_text", text=text, annotations=[], logprobs=[])
    return ResponseOutputMessage(id="m", type="message", role="assistant", status="completed", content=[content])


def as_tool(tool: Any) -> Any:
    @function_tool(strict_mode=False)
    def pay(n: int, to: str = "ann") -> Any:
        """Pay somebody."""
        return tool(n, to)

    return pay


def agent_for(gate: Gate, tool: Any, *turns: Any, **options: Any) -> tuple[Agent[Any], ScriptedModel]:
    model = ScriptedModel([*(turn if isinstance(turn, list) else [turn] for turn in turns), [says("done")]])
    return guard(Agent(name="payer", model=model, tools=[as_tool(tool)]), gate, **options), model


def run(agent: Agent[Any], given: Any = "Pay.", *, plain: bool = False) -> Any:
    if plain:
        loop = asyncio.new_event_loop()  # which the SDK would open by itself, and leave open
        asyncio.set_event_loop(loop)
        try:
            return Runner.run_sync(agent, given, run_config=CONFIG)
        finally:
            loop.close()
            asyncio.set_event_loop(None)
    return asyncio.run(Runner.run(agent, given, run_config=CONFIG))


def play(gate: Gate, tool: Tool, given: dict[str, Any], *, plain: bool = False, **options: Any) -> Play:
    agent, _ = agent_for(gate, tool, call(given), **options)
    return as_play(run(agent, plain=plain), agent, plain)


def as_play(result: Any, agent: Agent[Any], plain: bool = False) -> Play:
    if result.interruptions:
        (item,) = result.interruptions

        def resume(answer: str) -> Play:
            state = result.to_state()
            if answer == "yes":
                state.approve(item)
            else:
                state.reject(item, rejection_message="Not today.")
            return as_play(run(agent, state, plain=plain), agent, plain)

        return Play(question=f"{item.name} {item.arguments} {reason_for(item)}", resume=resume)
    return Play(read=next(str(item.output) for item in result.new_items if item.type == "tool_call_output_item"))


def turn(gate: Gate, tool: Tool, *numbers: int) -> Turn:
    agent, _ = agent_for(gate, tool, [call({"n": n}) for n in numbers])
    return _turn(agent, run(agent))


def _turn(agent: Agent[Any], result: Any) -> Turn:
    asked = {json.loads(item.arguments)["n"]: item for item in result.interruptions}

    def answer(answers: dict[int, str]) -> Turn:
        state = result.to_state()
        for n, said in answers.items():
            (state.approve if said == "yes" else state.reject)(asked[n])
        return _turn(agent, run(agent, state))

    return Turn(sorted(asked), answer)
