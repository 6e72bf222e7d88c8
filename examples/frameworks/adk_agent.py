"""An agent of Google ADK under a policy: `python adk_agent.py yes`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models.base_llm import BaseLlm
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai.types import Content, FunctionCall, FunctionResponse, Part
from refunds import WANTED, gate, process_refund, show_question, show_result

from interlock.frameworks.adk import InterlockPlugin

ASKED = "adk_request_confirmation"


class Script(BaseLlm):
    """A model that says what it was told to say."""

    model: str = "script"
    left: list[Part]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        yield LlmResponse(content=Content(role="model", parts=[self.left.pop(0)]))


async def main(answer: str) -> None:
    calls = [Part(function_call=FunctionCall(name="process_refund", args=args)) for args in WANTED]
    agent = LlmAgent(name="refunds", model=Script(left=[*calls, Part(text="Done.")]), tools=[process_refund])
    runner = InMemoryRunner(app=App(name="shop", root_agent=agent, plugins=[InterlockPlugin(gate)]))
    await runner.session_service.create_session(app_name="shop", user_id="ann", session_id="1")

    async def send(part: Part) -> list[Any]:
        message = Content(role="user", parts=[part])
        return [one async for one in runner.run_async(user_id="ann", session_id="1", new_message=message)]

    events = await send(Part(text="I want my money back."))
    show_result(results(events)[0])
    asked = next(call for event in events for call in event.get_function_calls() if call.name == ASKED)
    show_question(asked.args["toolConfirmation"]["hint"])
    said = FunctionResponse(id=asked.id, name=ASKED, response={"confirmed": answer == "yes"})
    show_result(results(await send(Part(function_response=said)))[-1])


def results(events: list[Any]) -> list[Any]:
    """What the model read as the results of its calls."""
    found = [response.response for event in events for response in event.get_function_responses()]
    return [one.get("error", one) for one in found]


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:] or ["yes"]))
