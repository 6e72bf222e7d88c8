"""An agent of the OpenAI Agents SDK under a policy: `python openai_agents_agent.py yes`."""

from __future__ import annotations

import asyncio
import json
import sys

from agents import Agent, RunConfig, Runner, function_tool
from agents.testing import ScriptedModel
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from refunds import WANTED, gate, process_refund, show_question, show_result

from interlock.frameworks.openai_agents import guard, reason_for


def script() -> ScriptedModel:
    """A model that says what it was told to say."""
    calls = [
        ResponseFunctionToolCall(
            type="function_call", name="process_refund", call_id=f"call_{n}", arguments=json.dumps(args)
        )
        for n, args in enumerate(WANTED)
    ]
    text = ResponseOutputText(type="output_text", text="Done.", annotations=[], logprobs=[])
    done = ResponseOutputMessage(id="1", type="message", role="assistant", status="completed", content=[text])
    return ScriptedModel([*([call] for call in calls), [done]])


async def main(answer: str) -> None:
    agent = Agent(name="refunds", model=script(), tools=[function_tool(process_refund)])
    guard(agent, gate)
    offline = RunConfig(tracing_disabled=True)
    result = await Runner.run(agent, "I want my money back.", run_config=offline)
    show_result(next(item.output for item in result.new_items if item.type == "tool_call_output_item"))
    (asked,) = result.interruptions
    show_question(reason_for(asked) or f"May {asked.name} run?")
    state = result.to_state()
    if answer == "yes":
        state.approve(asked)
    else:
        state.reject(asked, rejection_message="the person did not approve this call")
    result = await Runner.run(agent, state, run_config=offline)
    show_result([item.output for item in result.new_items if item.type == "tool_call_output_item"][-1])


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:] or ["yes"]))
