"""A Pydantic AI agent under a policy: `python pydantic_ai_agent.py yes`."""

from __future__ import annotations

import asyncio
import sys
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests, ToolApproved, ToolDenied
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from refunds import WANTED, gate, process_refund, show_question, show_result

from interlock.frameworks.pydantic_ai import InterlockCapability

left: list[Any] = [*(ToolCallPart("process_refund", args) for args in WANTED), TextPart("Done.")]


def script(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
    """A model that says what it was told to say."""
    return ModelResponse(parts=[left.pop(0)])


async def main(answer: str) -> None:
    agent = Agent(
        FunctionModel(script),
        output_type=[str, DeferredToolRequests],
        tools=[process_refund],
        capabilities=[InterlockCapability(gate)],
    )
    result = await agent.run("I want my money back.")
    show_result(results(result)[0])
    assert isinstance(result.output, DeferredToolRequests)  # noqa: S101 - the script asks for a refund
    (asked,) = result.output.approvals
    show_question(result.output.metadata[asked.tool_call_id]["reason"])
    said = ToolApproved() if answer == "yes" else ToolDenied("the person did not approve this call")
    given = result.output.build_results(approvals={asked.tool_call_id: said})
    result = await agent.run(message_history=result.all_messages(), deferred_tool_results=given)
    show_result(results(result)[-1])


def results(result: Any) -> list[str]:
    """What the model read as the results of its calls."""
    parts = [part for message in result.all_messages() for part in message.parts]
    return [part.model_response_str(wrap_if_error=False) for part in parts if isinstance(part, ToolReturnPart)]


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:] or ["yes"]))
