"""The scripted model, asked in the words of each of the three APIs."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from interlock.driving.model import ASIDE, BEYOND, Model
from interlock.hosts.base.driving import ModelCall

CALL = ModelCall("run", {"command": "ls"})
PARAMETERS = {"type": "object"}
OPENED = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def post(model: Model, path: str, body: dict[str, Any]) -> str:
    request = urllib.request.Request(model.url + path, json.dumps(body).encode(), {"content-type": "application/json"})
    with OPENED.open(request) as answer:
        return str(answer.read().decode())


def ask_responses(model: Model, *results: str, tools: bool = True) -> str:
    spoken: list[dict[str, Any]] = [{"role": "user", "content": "Go."}]
    for number, result in enumerate(results):
        name = f"call_{number}_0"
        spoken += [{"type": "function_call", "call_id": name, "name": "run", "arguments": "{}"},
                   {"type": "function_call_output", "call_id": name, "output": result}]  # fmt: skip
    offered = [{"type": "function", "name": "run", "parameters": PARAMETERS}] if tools else []
    return post(model, "/v1/responses", {"model": "any", "input": spoken, "tools": offered})


def ask_chat(model: Model, *results: str, tools: bool = True) -> str:
    spoken: list[dict[str, Any]] = [{"role": "user", "content": "Go."}]
    for number, result in enumerate(results):
        call = {"id": f"call_{number}_0", "type": "function", "function": {"name": "run", "arguments": "{}"}}
        spoken.append({"role": "assistant", "content": None, "tool_calls": [call]})
        spoken.append({"role": "tool", "tool_call_id": call["id"], "content": [{"type": "text", "text": result}]})
    offered = [{"type": "function", "function": {"name": "run", "parameters": PARAMETERS}}] if tools else []
    return post(model, "/v1/chat/completions", {"model": "any", "messages": spoken, "tools": offered, "stream": True})


def ask_gemini(model: Model, *results: str, tools: bool = True) -> str:
    spoken: list[dict[str, Any]] = [{"role": "user", "parts": [{"text": "Go."}]}]
    for number, result in enumerate(results):
        call = {"id": f"call_{number}_0", "name": "run", "args": {}}
        answer = {"functionResponse": {"name": "run", "response": {"output": result}}}
        spoken += [{"role": "model", "parts": [{"functionCall": call}]}, {"role": "user", "parts": [answer]}]
    offered = [{"functionDeclarations": [{"name": "run", "parameters": PARAMETERS}]}] if tools else []
    return post(model, "/v1beta/models/any:streamGenerateContent?alt=sse", {"contents": spoken, "tools": offered})


@pytest.mark.parametrize("ask", [ask_responses, ask_chat, ask_gemini])
def test_each_turn_comes_in_its_place_however_often_it_is_asked_for(ask: Any):
    with Model([CALL, "Done."]) as model:
        assert '"run"' in ask(model)
        assert "Done." in ask(model, "a result")
        assert "Done." in ask(model, "a result"), "an agent may send a request twice"
        assert BEYOND in ask(model, "a result", "another")
        assert ASIDE in ask(model, tools=False)
    assert [request.results for request in model.with_turns] == [
        [],
        ["a result"],
        ["a result"],
        ["a result", "another"],
    ]
    assert (model.faults, model.trapped) == ([], [])


def test_a_turn_may_be_made_when_it_is_asked_for_and_only_once():
    made = []
    with Model([lambda: made.append(1) or "Here."]) as model:  # type: ignore[func-returns-value]
        assert "Here." in ask_responses(model)
        ask_responses(model)
    assert made == [1]


def test_what_is_no_request_to_a_model_is_a_fault():
    with Model([]) as model, pytest.raises(urllib.error.HTTPError, match="404"):
        post(model, "/v1/telemetry", {})
    assert model.faults == ["POST /v1/telemetry"]


def test_a_way_out_of_the_machine_is_closed():
    with Model([]) as model:
        way = urllib.request.build_opener(urllib.request.ProxyHandler({"https": model.url}))
        with pytest.raises(OSError, match="403"):
            way.open("https://telemetry.example/collect")
    assert model.trapped == ["telemetry.example:443"]
