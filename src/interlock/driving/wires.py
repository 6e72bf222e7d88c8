"""The three APIs that hosts speak to models: how each is read, and how an answer is written in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, TypeAlias

from interlock.hosts.base.driving import ModelCall

__all__ = ["Body", "Message", "Wire", "wire_for"]

Body: TypeAlias = dict[str, Any]
Message: TypeAlias = str | Sequence[ModelCall]


class Wire(Protocol):
    """One API. `turns` is how often the model has spoken in the history of a request."""

    def tools(self, body: Body) -> dict[str, Body]: ...
    def turns(self, body: Body) -> int: ...
    def results(self, body: Body) -> list[str]: ...
    def streams(self, path: str, body: Body) -> bool: ...
    def stream(self, at: int, message: Message) -> bytes: ...
    def plain(self, at: int, message: Message) -> bytes: ...


def call_id(at: int, number: int) -> str:
    return f"call_{max(at, 0)}_{number}"


def flat(content: Any) -> str:
    """The text of a result that may be a text, a list of parts, or an object."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(flat(part.get("text", part)) if isinstance(part, dict) else str(part) for part in content)
    return json.dumps(content, ensure_ascii=False)


def sse(events: Iterable[Body], *, named: bool = False) -> str:
    return "".join(
        (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n" for event in events
    )


class ResponsesWire:
    """OpenAI's ResponsesWire API."""

    def tools(self, body: Body) -> dict[str, Body]:
        # Tools of newer models come as an item of the input, grouped by namespaces.
        listed = [*(body.get("tools") or ()), *(tool for item in self._input(body) for tool in item.get("tools", ()))]
        single = [tool for group in listed for tool in (group.get("tools") or [group])]
        return {tool.get("name", tool["type"]): tool for tool in single}

    def _input(self, body: Body) -> list[Body]:
        return [item for item in body.get("input", ()) if isinstance(item, dict)]

    def turns(self, body: Body) -> int:
        items = self._input(body)
        called = {item["call_id"].rpartition("_")[0] for item in items if item.get("type", "").endswith("tool_call")}
        called |= {item["call_id"].rpartition("_")[0] for item in items if item.get("type") == "function_call"}
        return len(called) + sum(1 for item in items if item.get("role") == "assistant")

    def results(self, body: Body) -> list[str]:
        return [flat(item["output"]) for item in self._input(body) if item.get("type", "").endswith("call_output")]

    def streams(self, path: str, body: Body) -> bool:
        return bool(body.get("stream"))

    def plain(self, at: int, message: Message) -> bytes:
        return json.dumps(self._whole(at, self._items(at, message), "completed")).encode()

    def stream(self, at: int, message: Message) -> bytes:
        items = self._items(at, message)
        events: list[Body] = [{"type": "response.created", "response": self._whole(at, [], "in_progress")}]
        for index, item in enumerate(items):
            events.append({"type": "response.output_item.added", "output_index": index, "item": item})
            if item["type"] == "message":
                text = item["content"][0]["text"]
                events.append({"type": "response.output_text.delta", "item_id": item["id"], "output_index": index,
                               "content_index": 0, "delta": text})  # fmt: skip
            events.append({"type": "response.output_item.done", "output_index": index, "item": item})
        events.append({"type": "response.completed", "response": self._whole(at, items, "completed")})
        return sse(events, named=True).encode()

    def _items(self, at: int, message: Message) -> list[Body]:
        if isinstance(message, str):
            part = {"type": "output_text", "text": message, "annotations": []}
            return [{"type": "message", "id": f"msg_{at}", "role": "assistant", "status": "completed",
                     "content": [part]}]  # fmt: skip
        return [self._call(call_id(at, number), call) for number, call in enumerate(message)]

    def _call(self, name: str, call: ModelCall) -> Body:
        shared = {"id": f"item_{name}", "call_id": name, "name": call.tool, "status": "completed"}
        if isinstance(call.input, str):
            return {"type": "custom_tool_call", **shared, "input": call.input}
        group = {"namespace": call.group} if call.group else {}
        return {"type": "function_call", **shared, **group, "arguments": json.dumps(call.input)}

    def _whole(self, at: int, items: list[Body], status: str) -> Body:
        tokens = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}
        return {"id": f"resp_{at}", "object": "response", "created_at": 0, "status": status, "model": "scripted",
                "output": items, "usage": tokens if status == "completed" else None}  # fmt: skip


class ChatCompletions:
    """OpenAI's Chat Completions API."""

    def tools(self, body: Body) -> dict[str, Body]:
        return {tool["function"]["name"]: tool["function"] for tool in body.get("tools") or ()}

    def turns(self, body: Body) -> int:
        return sum(message["role"] == "assistant" for message in body["messages"])

    def results(self, body: Body) -> list[str]:
        return [flat(message.get("content")) for message in body["messages"] if message["role"] == "tool"]

    def streams(self, path: str, body: Body) -> bool:
        return bool(body.get("stream"))

    def plain(self, at: int, message: Message) -> bytes:
        choice = {"index": 0, "message": self._message(at, message), "finish_reason": self._reason(message)}
        return json.dumps({**self._head(at, "chat.completion"), "choices": [choice], "usage": self._usage}).encode()

    def stream(self, at: int, message: Message) -> bytes:
        delta = self._message(at, message)
        for number, call in enumerate(delta.get("tool_calls", ())):
            call["index"] = number
        head = self._head(at, "chat.completion.chunk")
        chunks = [
            {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
            {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": self._reason(message)}]},
            {**head, "choices": [], "usage": self._usage},
        ]
        return f"{sse(chunks)}data: [DONE]\n\n".encode()

    _usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}  # noqa: RUF012 - never changed

    def _head(self, at: int, kind: str) -> Body:
        return {"id": f"chatcmpl_{at}", "object": kind, "created": 0, "model": "scripted"}

    def _reason(self, message: Message) -> str:
        return "stop" if isinstance(message, str) else "tool_calls"

    def _message(self, at: int, message: Message) -> Body:
        if isinstance(message, str):
            return {"role": "assistant", "content": message}
        calls = [
            {"id": call_id(at, number), "type": "function",
             "function": {"name": call.tool, "arguments": json.dumps(call.input)}}
            for number, call in enumerate(message)
        ]  # fmt: skip
        return {"role": "assistant", "content": None, "tool_calls": calls}


class GenerateContent:
    """Gemini's API."""

    def tools(self, body: Body) -> dict[str, Body]:
        listed = [one for tool in body.get("tools") or () for one in tool.get("functionDeclarations", ())]
        return {tool["name"]: tool for tool in listed}

    def turns(self, body: Body) -> int:
        # The history opens with the host's own account of the project; what the model said has its mark on it.
        parts = [part for content in body["contents"] if content.get("role") == "model" for part in content["parts"]]
        called = {self._turn_of(part) for part in parts if "functionCall" in part}
        return len(called) + sum("text" in part and "functionCall" not in part for part in parts)

    def _turn_of(self, part: Body) -> str:
        return str(part["functionCall"].get("id", json.dumps(part["functionCall"]))).rpartition("_")[0]

    def results(self, body: Body) -> list[str]:
        parts = [part for content in body["contents"] for part in content["parts"] if "functionResponse" in part]
        responses = [part["functionResponse"]["response"] for part in parts]
        return [flat(response.get("output", response.get("error", response))) for response in responses]

    def streams(self, path: str, body: Body) -> bool:
        return path.endswith(":streamGenerateContent")

    def plain(self, at: int, message: Message) -> bytes:
        return json.dumps(self._whole(at, message)).encode()

    def stream(self, at: int, message: Message) -> bytes:
        return sse([self._whole(at, message)]).encode()

    def _whole(self, at: int, message: Message) -> Body:
        if isinstance(message, str):
            parts: list[Body] = [{"text": message}]
        else:
            parts = [
                {"functionCall": {"id": call_id(at, number), "name": call.tool, "args": call.input}}
                for number, call in enumerate(message)
            ]
        usage = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}
        candidate = {"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}


_WIRES: tuple[tuple[re.Pattern[str], Wire], ...] = (
    (re.compile(r"/responses$"), ResponsesWire()),
    (re.compile(r"/chat/completions$"), ChatCompletions()),
    (re.compile(r":(streamGenerateContent|generateContent)$"), GenerateContent()),
)


def wire_for(path: str) -> Wire | None:
    """The API that a request to this path speaks."""
    return next((wire for pattern, wire in _WIRES if pattern.search(path)), None)
