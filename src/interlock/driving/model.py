"""A model that plays a script on loopback, for hosts that speak one of three APIs; every request is kept.

A turn is a text or the calls of tools. Which turn comes next is counted from the history in the request, so that a
repeated request gets the same answer. A request that offers no tools is an aside (a title, a summary) and no turn.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, TypeAlias

from interlock.driving.wires import Body, Message, Wire, wire_for
from interlock.hosts.base.driving import PROMPT, ModelCall

__all__ = ["TASK", "Model", "ModelRequest", "Turn"]

# A turn may be a function: it is called when the model is to answer, so that something can be done between two calls.
Turn: TypeAlias = Message | ModelCall | Callable[[], Message | ModelCall]

TASK = "Help with the script."  # what a subagent is told, whose model has a script of its own
BEYOND = "The script has no further turn."
ASIDE = "An aside."


@dataclass(frozen=True)
class ModelRequest:
    """What the model was sent."""

    wire: Wire
    body: Body

    @property
    def tools(self) -> dict[str, Body]:
        return self.wire.tools(self.body)

    @property
    def results(self) -> list[str]:
        """The results of tools as the model sees them, in order."""
        return self.wire.results(self.body)

    @property
    def everything(self) -> str:
        return json.dumps(self.body, ensure_ascii=False)


@dataclass
class Model:
    """The API. Use it as a context: it listens from then on."""

    turns: Sequence[Turn]
    helper: Sequence[Turn] = ()  # what the model of a subagent says
    requests: list[ModelRequest] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    trapped: list[str] = field(default_factory=list)  # places outside this machine that the host tried to reach

    def __enter__(self) -> Model:
        self._lock = threading.Lock()
        self._answered: dict[tuple[bool, int], Message] = {}
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

    @property
    def with_turns(self) -> list[ModelRequest]:
        """The requests that took a turn."""
        return [request for request in self.requests if request.tools]

    def answer(self, wire: Wire, body: Body) -> tuple[int, Message]:
        """The next message, and the number of the turn that it is."""
        with self._lock:
            self.requests.append(ModelRequest(wire, body))
            if not wire.tools(body):
                return -1, ASIDE
            helps = TASK in self.requests[-1].everything and PROMPT not in self.requests[-1].everything
            turns, at = self.helper if helps else self.turns, wire.turns(body)
            if at >= len(turns):
                return at, BEYOND
            if (helps, at) not in self._answered:
                turn = turns[at]
                message = turn() if callable(turn) else turn
                self._answered[helps, at] = (message,) if isinstance(message, ModelCall) else message
            # No two calls of a session have the same name.
            return at + helps * len(self.turns), self._answered[helps, at]


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: Model


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1  # headers and body leave together; otherwise the body would wait for a delayed ACK
    server: _Server

    def do_GET(self) -> None:
        if self.path.partition("?")[0].endswith("/models"):
            self._send("application/json", b'{"object": "list", "data": [{"id": "scripted", "object": "model"}]}')
        else:
            self._send("application/json", b"{}", status=404)

    def do_CONNECT(self) -> None:
        self.server.model.trapped.append(self.path)
        self._send("text/plain", b"", status=403)

    def do_POST(self) -> None:
        data = self._data()
        path = self.path.partition("?")[0]
        wire = wire_for(path)
        if wire is None:
            self.server.model.faults.append(f"POST {self.path}")
            self._send("application/json", b"{}", status=404)
            return
        body = json.loads(data)
        try:
            at, message = self.server.model.answer(wire, body)
        except Exception as error:  # noqa: BLE001 - a turn's own failure is the caller's to report
            self.server.model.faults.append(f"a turn failed: {error!r}")
            self._send("application/json", json.dumps({"error": {"message": repr(error)}}).encode(), status=400)
            return
        if wire.streams(path, body):
            self._send("text/event-stream", wire.stream(at, message))
        else:
            self._send("application/json", wire.plain(at, message))

    def _data(self) -> bytes:
        if self.headers.get("transfer-encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("content-length") or 0))
        parts = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            parts.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(parts)

    def _send(self, kind: str, data: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: what was asked is in `requests`."""
