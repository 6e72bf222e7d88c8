"""An agent of Google ADK with a model that follows a script."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from google.adk.agents import LlmAgent
from google.adk.apps import App
from google.adk.models.base_llm import BaseLlm
from google.adk.models.base_llm_connection import BaseLlmConnection
from google.adk.models.llm_request import LlmRequest
from google.adk.models.llm_response import LlmResponse
from google.adk.runners import InMemoryRunner
from google.genai import types

from interlock.frameworks.adk import InterlockPlugin
from interlock.gate import Gate
from tests.frameworks.playing import Play, Tool, Turn

edits = True
ASKED = "adk_request_confirmation"
_calls = itertools.count(1)
_sessions = itertools.count(1)


class Script(BaseLlm):
    """Says what it is told to."""

    model: str = "script"
    turns: list[Any]

    async def generate_content_async(
        self, llm_request: LlmRequest, stream: bool = False
    ) -> AsyncGenerator[LlmResponse, None]:
        said = self.turns.pop(0)
        yield LlmResponse(content=types.Content(role="model", parts=said if isinstance(said, list) else [said]))


class Live(Script):
    """Says what it is told to, in a live run."""

    @asynccontextmanager
    async def connect(self, llm_request: LlmRequest) -> AsyncIterator[Any]:
        yield LiveTalk(self.turns)


class LiveTalk(BaseLlmConnection):
    """One connection, which is over once something has been answered."""

    def __init__(self, turns: list[Any]) -> None:
        self._turns = turns
        self._is_answered = asyncio.Event()

    async def receive(self) -> AsyncGenerator[LlmResponse, None]:
        yield LlmResponse(content=types.Content(role="model", parts=self._turns))
        await self._is_answered.wait()
        yield LlmResponse(turn_complete=True)

    async def send_content(self, content: types.Content) -> None:
        self._is_answered.set()

    async def send_history(self, history: list[types.Content]) -> None: ...

    async def send_realtime(self, blob: types.Blob) -> None: ...

    async def close(self) -> None: ...


def call(given: dict[str, Any], tool: str = "pay") -> types.Part:
    return types.Part(function_call=types.FunctionCall(id=f"call_{next(_calls)}", name=tool, args=given))


def says(text: str) -> types.Part:
    return types.Part(text=text)


def agent_for(tool: Any, *turns: Any, **options: Any) -> LlmAgent:
    def pay(n: int, to: str = "ann") -> Any:
        """Pay somebody."""
        return tool(n, to)

    return LlmAgent(name="payer", model=Script(turns=[*turns, says("done")]), tools=[pay], **options)


def runner_for(gate: Gate, agent: LlmAgent, *others: Any, **options: Any) -> InMemoryRunner:
    plugins = [*others, InterlockPlugin(gate, **options)]
    return InMemoryRunner(app=App(name="payments", root_agent=agent, plugins=plugins))


def run(runner: InMemoryRunner, session: str, *parts: types.Part, plain: bool = False) -> list[Any]:
    async def events() -> list[Any]:
        service = runner.session_service
        if await service.get_session(app_name="payments", user_id="ann", session_id=session) is None:
            await service.create_session(app_name="payments", user_id="ann", session_id=session)
        message = types.Content(role="user", parts=list(parts) or [says("Pay.")])
        if plain:
            return list(await asyncio.to_thread(runner_events, runner, session, message))
        return [one async for one in runner.run_async(user_id="ann", session_id=session, new_message=message)]

    return asyncio.run(events())


def runner_events(runner: InMemoryRunner, session: str, message: types.Content) -> list[Any]:
    return list(runner.run(user_id="ann", session_id=session, new_message=message))


def play(gate: Gate, tool: Tool, given: dict[str, Any], *, plain: bool = False, **options: Any) -> Play:
    runner = runner_for(gate, agent_for(tool, call(given)), **options)
    session = f"session-{next(_sessions)}"
    return as_play(run(runner, session, plain=plain), runner, session, plain)


def as_play(events: list[Any], runner: InMemoryRunner, session: str, plain: bool = False) -> Play:
    asked = [one for event in events for one in event.get_function_calls() if one.name == ASKED]
    if asked:
        given = asked[0].args
        original, confirmation = given["originalFunctionCall"], given["toolConfirmation"]

        def resume(answer: Any) -> Play:
            said: dict[str, Any] = {"confirmed": answer != "no"}
            if answer != "yes":
                said["payload"] = {"message": "Not today."} if answer == "no" else {"input": answer}
            response = types.FunctionResponse(id=asked[0].id, name=ASKED, response=said)
            return as_play(run(runner, session, types.Part(function_response=response), plain=plain), runner, session)

        question = f"{original['name']} {json.dumps(original['args'])} {confirmation['hint']}"
        return Play(question=question, resume=resume)
    found = [one.response for event in events for one in event.get_function_responses() if one.name == "pay"]
    return Play(read=_text(found[-1]))


def _text(response: dict[str, Any]) -> str:
    return str(next(iter(response.values()))) if len(response) == 1 else json.dumps(response)


def turn(gate: Gate, tool: Tool, *numbers: int) -> Turn:
    # Each answer makes the model speak again.
    runner = runner_for(gate, agent_for(tool, [call({"n": n}) for n in numbers], *([says("waiting")] * len(numbers))))
    return _turn(runner, f"session-{next(_sessions)}")


def _turn(runner: InMemoryRunner, session: str, *parts: types.Part) -> Turn:
    waiting = [one for event in run(runner, session, *parts) for one in event.get_function_calls() if one.name == ASKED]
    asked = {one.args["originalFunctionCall"]["args"]["n"]: one.id for one in waiting}

    def answer(answers: dict[int, str]) -> Turn:
        said = [
            types.FunctionResponse(id=asked[n], name=ASKED, response={"confirmed": answer == "yes"})
            for n, answer in answers.items()
        ]
        return _turn(runner, session, *(types.Part(function_response=one) for one in said))

    return Turn(sorted(asked), answer)
