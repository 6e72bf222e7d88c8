"""Servers over HTTP: what is sent, what comes back, and what goes wrong; the far end is written by hand."""

from __future__ import annotations

import json
import os
import select
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from interlock.binding.mcp.http import HttpServer
from interlock.errors import InterlockError
from tests.binding.mcp.spawned import LIMIT, within
from tests.binding.mcp.world import call, error, line, notification, request, result

VERSION = "io.modelcontextprotocol/protocolVersion"


class Far(ThreadingHTTPServer):
    """Answers each request as a function of the test says, and keeps what it was sent."""

    daemon_threads = True
    block_on_close = False

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.seen: list[tuple[str, dict[str, str], Any]] = []
        self.answer: Callable[[Any], tuple[int, dict[str, str], bytes]] = lambda message: as_json(
            result(message["id"], {})
        )
        self.unasked: list[Any] | None = None
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/mcp"

    def headers_of(self, method: str) -> dict[str, str]:
        return next(headers for _, headers, message in self.seen if message and message.get("method") == method)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Far

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self._keep(message)
        status, headers, body = self.server.answer(message) if "id" in message else (202, {}, b"")
        self._send(status, headers, body)

    def do_GET(self) -> None:
        self._keep(None)
        if self.server.unasked is None:
            self._send(405, {}, b"")
            return
        messages, self.server.unasked = self.server.unasked, None
        self._send(*as_events(*messages))

    def do_DELETE(self) -> None:
        self._keep(None)
        self._send(200, {}, b"")

    def _keep(self, message: Any) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.seen.append((self.command, headers, message))

    def _send(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {**headers, "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *given: Any) -> None:
        pass


def as_json(message: Any, **headers: str) -> tuple[int, dict[str, str], bytes]:
    return 200, {"content-type": "application/json", **headers}, json.dumps(message, indent=1).encode()


def as_events(*messages: Any) -> tuple[int, dict[str, str], bytes]:
    body = b"".join(
        b": hello\nevent: message\nid: 7\ndata: " + json.dumps(one).encode() + b"\r\n\r\n" for one in messages
    )
    return 200, {"content-type": "text/event-stream"}, body


class Near:
    """Our end: lines in, lines out."""

    def __init__(self, far: Far, **headers: str) -> None:
        self.server = HttpServer(far.url, headers, 100_000)
        self._read = b""

    def say(self, message: Any) -> None:
        os.write(self.server.to, line(message))

    def hear(self) -> Any:
        while b"\n" not in self._read:
            assert select.select([self.server.out], [], [], LIMIT)[0], "nothing came"
            chunk = os.read(self.server.out, 65536)
            if not chunk:
                return None
            self._read += chunk
        found, _, self._read = self._read.partition(b"\n")
        return json.loads(found)

    def ask(self, message: Any) -> Any:
        self.say(message)
        return self.hear()


@pytest.fixture
def far() -> Iterator[Far]:
    far = Far()
    yield far
    far.shutdown()
    far.server_close()


@pytest.fixture
def near(far: Far) -> Iterator[Near]:
    near = Near(far, Authorization="Bearer x")
    yield near
    near.server.finish()
    os.close(near.server.out)


def test_a_message_goes_as_it_is_and_its_answer_comes_on_one_line(far, near):
    assert near.ask(request(1, "ping", x=[1])) == result(1, {})
    ((method, headers, message),) = far.seen
    assert (method, message) == ("POST", request(1, "ping", x=[1]))
    assert headers["authorization"] == "Bearer x"
    assert headers["accept"] == "application/json, text/event-stream"
    assert headers["content-type"] == "application/json"


def test_events_come_one_by_one(far, near):
    progress = notification("notifications/progress", progress=1)
    far.answer = lambda message: as_events(progress, result(message["id"], {"a": "ä\n"}))
    near.say(request("a", "slow"))
    assert [near.hear(), near.hear()] == [progress, result("a", {"a": "ä\n"})]


def test_a_session_and_a_version_are_kept_and_given_back_at_the_end(far, near):
    settled = {"protocolVersion": "2025-06-18"}
    far.answer = lambda message: as_json(result(message["id"], settled), **{"mcp-session-id": "s1"})
    near.ask(request(0, "initialize", protocolVersion="2025-11-25"))
    near.say(notification("notifications/initialized"))
    near.ask(request(1, "ping"))
    assert far.headers_of("ping")["mcp-session-id"] == "s1"
    assert far.headers_of("ping")["mcp-protocol-version"] == "2025-06-18"
    assert "mcp-session-id" not in far.headers_of("initialize")
    assert within(LIMIT, lambda: any(method == "GET" for method, _, _ in far.seen))
    near.server.close_input()
    assert near.hear() is None
    assert far.seen[-1][0] == "DELETE"
    assert near.server.poll() == 0


def test_what_the_server_says_unasked_comes_too(far, near):
    far.unasked = [notification("notifications/tools/list_changed"), request("s", "roots/list")]
    near.say(notification("notifications/initialized"))
    assert [near.hear(), near.hear()] == [notification("notifications/tools/list_changed"), request("s", "roots/list")]


def test_the_latest_revision_repeats_itself_in_headers(far, near):
    schema = {"type": "object", "properties": {"place": {"type": "string", "x-mcp-header": "Place"}, "n": {}}}
    meta = {VERSION: "2026-07-28"}
    far.answer = lambda message: as_json(result(message["id"], {"tools": [{"name": "go", "inputSchema": schema}]}))
    near.ask(request(1, "tools/list", _meta=meta))
    near.ask(request(2, "tools/call", name="go", arguments={"place": "Łódź", "n": 1}, _meta=meta))
    headers = far.headers_of("tools/call")
    assert headers["mcp-protocol-version"] == "2026-07-28"
    assert headers["mcp-method"] == "tools/call"
    assert headers["mcp-name"] == "go"
    assert headers["mcp-param-place"] == "=?base64?xYHDs2TFug==?="
    assert "mcp-param-n" not in headers


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ((404, {}, b"no"), error(1, "Not Found", -32601)),
        ((401, {}, b""), error(1, "the server wants authorization; give headers in INTERLOCK_MCP_HEADERS", -32600)),
        ((500, {}, b"oops"), error(1, "the server answered with status 500", -32600)),
        ((307, {"location": "http://evil.example/"}, b""), error(1, "the server answered with status 307", -32600)),
        ((202, {}, b""), error(1, "the server answered with status 202 and `nothing`", -32600)),
        (
            (200, {"content-type": "text/html"}, b"x"),
            error(1, "the server answered with status 200 and `text/html`", -32600),
        ),
        (
            (400, {"content-type": "application/json"}, json.dumps(error(None, "bad", -32020)).encode()),
            error(1, "bad", -32020),
        ),
        (as_events(), error(1, "the server's stream ended without a response", -32000)),
        (
            (200, {"content-type": "application/json"}, b'{"a":"' + b"x" * 100_001 + b'"}'),
            error(1, "the server's answer is too large", -32603),
        ),
    ],
)
def test_what_is_no_answer_becomes_an_error_of_the_request(far, near, answer, expected):
    far.answer = lambda message: answer
    assert near.ask(call(1, "x")) == expected


def test_a_server_that_is_not_there_is_an_error_of_each_request():
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = HttpServer(f"http://127.0.0.1:{port}/mcp", {}, 1000)
    os.write(server.to, line(request(1, "ping")))
    assert json.loads(os.read(server.out, 65536))["error"]["message"].startswith("cannot reach the server: ")
    server.finish()
    os.close(server.out)


def test_hanging_up_ends_what_is_under_way(far, near):
    gate = threading.Event()

    def slow(message: Any) -> Any:
        gate.wait(LIMIT)
        return as_json(result(message["id"], {}))

    far.answer = slow
    near.say(request(1, "slow"))
    assert within(LIMIT, lambda: len(far.seen) == 1)
    near.server.send(15)
    assert near.hear() is None
    assert near.server.poll() == -15
    gate.set()


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("ftp://x/y", "not an http or https address"),
        ("nonsense", "not an http"),
        ("https://u:p@x/mcp", "holds a password"),
    ],
)
def test_an_address_that_will_not_do_is_refused(url, why):
    with pytest.raises(InterlockError, match=why):
        HttpServer(url, {}, 1000)
