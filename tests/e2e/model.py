"""A model that plays a script: the Messages API on loopback, with every request kept.

Every conversation has a list of turns. A subagent's conversation is known by the prompt it was given; all else is the
main one. Which turn comes next is counted from the messages in the request, so that a repeated request gets the same
answer.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

Body: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A tool call that the model makes."""

    tool: str
    input: dict[str, Any]


def bash(command: str, **more: Any) -> Call:
    return Call("Bash", {"command": command, "description": "a step", **more})


# A turn may be a function: it is called when the model is to answer, so a test can act between two calls.
Message: TypeAlias = str | Call | Sequence[Call]
Turn: TypeAlias = Message | Callable[[], Message]

MAIN = "main"
BEYOND = "The script has no further turn."
ASIDE = "An aside."  # what titles and the like get: requests without tools


@dataclass
class Request:
    """What the model was sent."""

    conversation: str
    body: Body

    def texts(self) -> list[str]:
        """All texts that are no results of tools: prompts, reminders, context that hooks added."""
        return [block["text"] for block in self._blocks() if block["type"] == "text"]

    def results(self) -> list[Result]:
        """The results of tools, in order."""
        return [
            Result(_flat(block.get("content")), bool(block.get("is_error")))
            for block in self._blocks()
            if block["type"] == "tool_result"
        ]

    def everything(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)

    def _blocks(self) -> list[Body]:
        return [block for message in _said_by(self.body, "user", "system") for block in _blocks_of(message)]


@dataclass(frozen=True)
class Result:
    """A tool's result as the model sees it."""

    text: str
    error: bool


@dataclass
class Model:
    """The API. Use it as a context: it listens from then on."""

    conversations: Mapping[str, Sequence[Turn]]
    requests: list[Request] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def __enter__(self) -> Model:
        self._lock = threading.Lock()
        self._begun: dict[str, int] = {}
        self._answered: dict[tuple[str, int], Message] = {}
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.model = self
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def answer(self, body: Body) -> Body:
        """The next message of the conversation that this request belongs to."""
        name = self._conversation(body)
        with self._lock:
            self.requests.append(Request(name, body))
        message = self._turn(name, body) if body.get("tools") else ASIDE
        blocks = [
            {"type": "text", "text": part}
            if isinstance(part, str)
            else {"type": "tool_use", "id": self._call_id(), "name": part.tool, "input": part.input}
            for part in ([message] if isinstance(message, str | Call) else message)
        ]
        return {
            "id": f"msg_{len(self.requests):04}", "type": "message", "role": "assistant",
            "model": body.get("model", "scripted"), "content": blocks, "stop_sequence": None,
            "stop_reason": "tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn",
            "usage": {"input_tokens": 10, "output_tokens": 5},
        }  # fmt: skip

    def _conversation(self, body: Body) -> str:
        first = next(iter(_said_by(body, "user")), {"content": ""})
        opening = "\n".join(block.get("text", "") for block in _blocks_of(first))
        return next((name for name in self.conversations if name != MAIN and name in opening), MAIN)

    def _turn(self, name: str, body: Body) -> Message:
        said = len(_said_by(body, "assistant"))
        turns = self.conversations.get(name, ())
        with self._lock:
            # A resumed conversation holds the messages of an earlier script.
            at = said - self._begun.setdefault(name, said)
            if at >= len(turns):
                return BEYOND
            if (name, at) not in self._answered:
                turn = turns[at]
                self._answered[name, at] = turn() if callable(turn) else turn
            return self._answered[name, at]

    def _call_id(self) -> str:
        with self._lock:
            self._calls = getattr(self, "_calls", 0) + 1
            return f"toolu_{self._calls:04}"


def _said_by(body: Body, *roles: str) -> list[Body]:
    return [message for message in body.get("messages", []) if message["role"] in roles]


def _blocks_of(message: Body) -> list[Body]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _flat(content: Any) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(part.get("text", f"<{part['type']}>") for part in content)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: Model

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that was ended leaves in the middle of a sentence; that is no fault of the model."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are written apart; the body would wait 40 ms for a delayed ACK
    server: _Server

    def do_HEAD(self) -> None:
        self._send(200, "text/plain", b"")

    def do_GET(self) -> None:
        self._send(404, "application/json", b"{}")

    def do_CONNECT(self) -> None:
        self.server.model.faults.append(f"CONNECT {self.path}")
        self._send(403, "text/plain", b"")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        path = self.path.partition("?")[0]
        if path == "/v1/messages/count_tokens":
            self._send(200, "application/json", b'{"input_tokens": 10}')
        elif path != "/v1/messages":
            self.server.model.faults.append(f"POST {self.path}")
            self._send(404, "application/json", b"{}")
        else:
            try:
                message = self.server.model.answer(body)
            except Exception as error:  # noqa: BLE001 - a turn's own failure is the test's to report
                self.server.model.faults.append(f"a turn failed: {error!r}")
                self._send(400, "application/json", json.dumps({"type": "error", "error": {
                    "type": "invalid_request_error", "message": f"a turn failed: {error!r}"}}).encode())  # fmt: skip
                return
            if body.get("stream"):
                self._send(200, "text/event-stream", _streamed(message))
            else:
                self._send(200, "application/json", json.dumps(message).encode())

    def _send(self, status: int, kind: str, data: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: what was asked is in `requests`."""


def _streamed(message: Body) -> bytes:
    """A message as server-sent events."""
    events: list[tuple[str, Body]] = [
        ("message_start", {"message": {**message, "content": [], "stop_reason": None}})
    ]  # fmt: skip
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty, delta = (
                {**block, "input": {}},
                {"type": "input_json_delta", "partial_json": json.dumps(block["input"])},
            )
        events += [
            ("content_block_start", {"index": index, "content_block": empty}),
            ("content_block_delta", {"index": index, "delta": delta}),
            ("content_block_stop", {"index": index}),
        ]
    end = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    events += [("message_delta", {"delta": end, "usage": {"output_tokens": 5}}), ("message_stop", {})]
    return "".join(f"event: {name}\ndata: {json.dumps({'type': name, **body})}\n\n" for name, body in events).encode()
