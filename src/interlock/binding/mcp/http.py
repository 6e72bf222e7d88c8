"""A server that speaks Streamable HTTP, made to look like a program with pipes: lines in, lines out."""

from __future__ import annotations

import http.client
import os
import select
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from msgspec import DecodeError, Struct, json

from interlock.binding.mcp.headers import VERSION, HeaderMirror
from interlock.binding.mcp.messages import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    Id,
    Message,
    error_line,
    members_of,
    read_message,
)
from interlock.errors import InterlockError
from interlock.hosts.mcp.installer import HEADERS

__all__ = ["HttpServer"]

Headers: TypeAlias = dict[str, str]

_CONNECT_SECONDS = 10.0
_METHOD_NOT_FOUND = -32601
_CLOSED = -32000
_TRIES = 2
_RETRY_SECONDS = 1.0
_MOST_IDLE = 8
_MOST_REST = 65536


class _Failure(Exception):  # noqa: N818 - reported to the client as an error of its request
    """A request that gets no answer, and why."""

    def __init__(self, why: str, code: int = INTERNAL_ERROR) -> None:
        super().__init__(why)
        self.code = code


class _Post(Struct):
    """A request in progress."""

    id: Id | None
    is_modern: bool = False
    connection: http.client.HTTPConnection | None = None
    socket: socket.socket | None = None
    is_over: bool = False


class HttpServer:
    """The far end of a URL."""

    def __init__(self, url: str, headers: Mapping[str, str], most: int) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InterlockError(f"`{url}` is not an http or https address")
        if parts.username or parts.password:
            raise InterlockError("the address holds a password", help=f"give it as a header, in {HEADERS}")
        self._parts = parts
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._given = dict(headers)
        self._most = most
        self._mirrored = HeaderMirror()
        self._session: str | None = None
        self._lock = threading.Lock()
        self._writing = threading.Lock()
        self._under_way: dict[int, _Post] = {}
        self._idle: list[http.client.HTTPConnection] = []
        self._threads: list[threading.Thread] = []
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._over = threading.Event()
        self._code: int | None = None
        self._in, self.to = os.pipe()
        self.out, self._back = os.pipe()
        self._is_input_closed = False
        threading.Thread(target=self._carry, daemon=True, name="http").start()

    # --- as a program's pipes --------------------------------------------------------------------------------

    def close_input(self) -> None:
        if not self._is_input_closed:
            self._is_input_closed = True
            os.close(self.to)

    def poll(self) -> int | None:
        return self._code

    def send(self, sign: int) -> None:
        """Give up the requests in progress."""
        self._stop(0 if self._is_input_closed else -sign)

    def finish(self) -> None:
        self._stop(0)
        self.close_input()

    def _stop(self, code: int) -> None:
        self._over.set()
        with self._lock:
            posts, idle, self._idle = list(self._under_way.values()), self._idle, []
        for post in posts:
            _abort(post)
        for connection in idle:
            connection.close()
        self._close(code)

    def _close(self, code: int) -> None:
        with self._writing:
            if self._code is None:
                self._code = code
                os.close(self._back)

    # --- client to server ------------------------------------------------------------------------------------

    def _carry(self) -> None:
        """Take lines in order. A message without an answer is sent before the next; requests run concurrently."""
        with os.fdopen(self._in, "rb") as lines:
            for line in lines:
                message = read_message(line)
                parts = [line] if isinstance(message, Message) else message.parts
                for one in map(read_message, parts):
                    if isinstance(one, Message):
                        self._dispatch(one)
        for thread in self._threads:
            while thread.is_alive() and not self._over.wait(0.05):
                pass
        self._delete()
        self._over.set()
        self._close(0)

    def _dispatch(self, message: Message) -> None:
        post = _Post(message.id, self._mirrored.is_modern(message))
        if message.kind == "request":
            self._threads = [*(one for one in self._threads if one.is_alive()), _start(self._request, message, post)]
        elif message.method == "notifications/cancelled" and self._is_cancelled(message):
            return
        else:
            with suppress(_Failure, OSError, http.client.HTTPException):  # no answer is awaited
                self._exchange(message, post)
            if message.method == "notifications/initialized":
                _start(self._listen)

    def _is_cancelled(self, message: Message) -> bool:
        """Whether a request was cancelled as in the latest revision: by closing the connection."""
        params = message.params if isinstance(message.params, dict) else {}
        with self._lock:
            posts = [post for post in self._under_way.values() if post.is_modern and post.id == params.get("requestId")]
        for post in posts:
            _abort(post)
        return bool(posts)

    def _request(self, message: Message, post: _Post) -> None:
        try:
            answered = self._exchange(message, post)
        except _Failure as failed:
            answered = self._emit(error_line(message.id, failed.code, str(failed)))
        except (OSError, http.client.HTTPException) as error:
            if post.is_over:
                return  # cancelled, or shutting down: no one is waiting any more
            why = f"cannot reach the server: {error or type(error).__name__}"
            answered = self._emit(error_line(message.id, _CLOSED, why))
        if not answered and not post.is_over:
            self._emit(error_line(message.id, _CLOSED, "the server's stream ended without a response"))

    def _exchange(self, message: Message, post: _Post) -> bool:
        """Send one message and pass on everything that comes back; return whether its answer was included."""
        headers = {**self._headers(), **self._mirrored.headers(message)}
        response = self._send("POST", headers, message.line.strip(), post)
        try:
            return self._receive(message, response, post)
        finally:
            self._release(post, response)

    def _receive(self, message: Message, response: http.client.HTTPResponse, post: _Post) -> bool:
        kind = (response.getheader("content-type") or "").lower()
        if response.status >= 300:
            return self._refusal_of(message, response, kind)
        if message.method == "initialize" and (session := response.getheader("mcp-session-id")):
            self._session = session
        if message.kind != "request":
            response.read(self._most)
            return True
        if kind.startswith("application/json"):
            return self._emit(self._learn(message, self._body(response)))
        if not kind.startswith("text/event-stream"):
            what = f"status {response.status} and `{kind or 'nothing'}`"
            raise _Failure(f"the server answered with {what}", INVALID_REQUEST)
        last = ""
        for data, found in self._events(response):
            last = found or last
            if self._emit(self._learn(message, data)) and _answers(data, message.id):
                return True
        return bool(last) and self._resume(message, last, post)

    def _refusal_of(self, message: Message, response: http.client.HTTPResponse, kind: str) -> bool:
        if message.kind != "request":
            return True
        if kind.startswith("application/json"):
            with suppress(DecodeError, _Failure):
                error = members_of(self._body(response)).get("error")
                if error is not None:
                    said = {"jsonrpc": "2.0", "id": message.id, "error": error}
                    return self._emit(json.encode(said) + b"\n")
        if response.status == 404 and self._session is None:
            raise _Failure("Not Found", _METHOD_NOT_FOUND)
        if response.status == 401:
            raise _Failure(f"the server wants authorization; give headers in {HEADERS}", INVALID_REQUEST)
        raise _Failure(f"the server answered with status {response.status}", INVALID_REQUEST)

    def _resume(self, message: Message, last: str, post: _Post) -> bool:
        """Ask for the rest of a stream that broke off."""
        for _ in range(_TRIES):
            if self._over.wait(_RETRY_SECONDS):
                return False
            response = self._send("GET", {**self._headers(), "Last-Event-ID": last}, None, post)
            try:
                if response.status != 200:
                    return False
                for data, found in self._events(response):
                    last = found or last
                    if self._emit(self._learn(message, data)) and _answers(data, message.id):
                        return True
            finally:
                self._release(post, response)
        return False

    def _listen(self) -> None:
        """Receive the server's unsolicited messages, if it offers that."""
        last = ""
        for _ in range(_TRIES):
            post = _Post(None)
            with suppress(OSError, http.client.HTTPException, _Failure):  # it is optional, and is tried again
                more = {"Last-Event-ID": last} if last else {}
                response = self._send("GET", {**self._headers(), **more}, None, post)
                try:
                    if response.status != 200:
                        return
                    for data, found in self._events(response):
                        last = found or last
                        self._emit(_one_line(data))
                finally:
                    self._release(post, response)
            if self._over.wait(_RETRY_SECONDS):
                return

    def _delete(self) -> None:
        if self._session is None or self._over.is_set():
            return
        post = _Post(None)
        with suppress(OSError, http.client.HTTPException, _Failure):  # it is a courtesy
            self._release(post, self._send("DELETE", self._headers(), None, post))

    # --- server to client ------------------------------------------------------------------------------------

    def _learn(self, message: Message, data: bytes) -> bytes:
        line = _one_line(data)
        self._mirrored.learn(message, line)
        return line

    def _emit(self, line: bytes) -> bool:
        """Pass a line on. Whole lines only: several threads write here."""
        with self._writing:
            if self._code is None:
                rest = memoryview(line)
                while rest:
                    rest = rest[os.write(self._back, rest) :]
        return True

    def _body(self, response: http.client.HTTPResponse) -> bytes:
        body = response.read(self._most + 1)
        if len(body) > self._most:
            raise _Failure("the server's answer is too large")
        return body

    def _events(self, response: http.client.HTTPResponse) -> Iterator[tuple[bytes, str]]:
        """The messages of an event stream, each with the last id that was given."""
        data: list[bytes] = []
        last, size, name = "", 0, b""
        while line := response.readline(self._most + 1):
            size += len(line)
            if size > self._most:
                raise _Failure("the server's answer is too large")
            field, _, value = line.rstrip(b"\r\n").partition(b":")
            value = value.removeprefix(b" ")
            if field == b"data":
                data.append(value)
            elif field == b"id" and b"\0" not in value:
                last = value.decode("latin-1")
            elif field == b"event":
                name = value
            elif not field and not value and not line.strip():
                if data and b"".join(data).strip() and name in (b"", b"message"):
                    yield b"\n".join(data), last
                data, size, name = [], 0, b""

    # --- connections -----------------------------------------------------------------------------------------

    def _headers(self) -> Headers:
        headers = {**self._given, "Accept": "application/json, text/event-stream"}
        if self._session is not None:
            headers["Mcp-Session-Id"] = self._session
        if self._mirrored.version:
            headers[VERSION] = self._mirrored.version
        return headers

    def _send(self, method: str, headers: Headers, body: bytes | None, post: _Post) -> http.client.HTTPResponse:
        if body is not None:
            headers = {**headers, "Content-Type": "application/json"}
        with self._lock:
            self._under_way[id(post)] = post
        connection = self._reusable() or self._connect()
        try:
            connection.request(method, self._path, body, headers)
            post.connection, post.socket = connection, connection.sock
            if post.socket is not None:
                post.socket.settimeout(None)
            return connection.getresponse()
        except BaseException:
            self._forget(post)
            connection.close()
            raise

    def _reusable(self) -> http.client.HTTPConnection | None:
        """A connection that the server has not closed. Nothing is ever sent twice, because a call may have effects."""
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return None
            if connection.sock is not None and not select.select([connection.sock], [], [], 0)[0]:
                return connection
            connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        host, port = self._parts.hostname or "", self._parts.port
        if self._tls is not None:
            return http.client.HTTPSConnection(host, port, timeout=_CONNECT_SECONDS, context=self._tls)
        return http.client.HTTPConnection(host, port, timeout=_CONNECT_SECONDS)

    def _release(self, post: _Post, response: http.client.HTTPResponse) -> None:
        """Keep a connection whose answer was read to its end; close any other."""
        connection = post.connection
        self._forget(post)
        if connection is None:
            return
        with suppress(OSError, http.client.HTTPException, ValueError):
            if not post.is_over and response.length is not None and response.length <= _MOST_REST:
                response.read()  # the rest of a short answer, so that its connection can be reused
        with suppress(OSError, http.client.HTTPException, ValueError):
            if not post.is_over and response.length in (0, None) and response.isclosed():
                with self._lock:
                    if len(self._idle) < _MOST_IDLE and not self._over.is_set():
                        self._idle.append(connection)
                        return
        response.close()
        connection.close()

    def _forget(self, post: _Post) -> None:
        with self._lock:
            self._under_way.pop(id(post), None)


def _start(target: Callable[..., None], *given: Any) -> threading.Thread:
    thread = threading.Thread(target=target, args=given, daemon=True)
    thread.start()
    return thread


def _abort(post: _Post) -> None:
    post.is_over = True
    if post.socket is not None:
        with suppress(OSError):
            post.socket.shutdown(socket.SHUT_RDWR)


def _one_line(data: bytes) -> bytes:
    """A message as a single line. What cannot be read is dropped by the code that reads the line."""
    if b"\n" in data or b"\r" in data:
        try:
            data = json.format(data, indent=-1)
        except DecodeError:
            data = data.replace(b"\n", b" ").replace(b"\r", b" ")
    return data + b"\n"


def _answers(data: bytes, id_: Id | None) -> bool:
    try:
        message = read_message(_one_line(data))
    except InterlockError:
        return False
    return isinstance(message, Message) and message.kind == "response" and message.id == id_
