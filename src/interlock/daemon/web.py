"""The daemon's HTTP side, for hosts whose settings send hooks to it: one thread per connection, kept alive.

It answers only the host that runs the session, with the token, on loopback. Every other request is refused before
anything is judged; the host treats that as a failure, and its settings fail closed.
"""

from __future__ import annotations

import contextlib
import hmac
import os
import socket
import struct
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path

from httptools import HttpParserError, HttpRequestParser
from msgspec import Struct

from interlock.daemon.callers import real_caller
from interlock.daemon.frames import HookRequest
from interlock.daemon.log import say
from interlock.daemon.peers import Process
from interlock.daemon.server import MOST_WAITING
from interlock.daemon.sessions import Sessions
from interlock.daemon.tcp import folder_of, held_by, other_end
from interlock.errors import InterlockError, text_of
from interlock.fold import Answers, Round
from interlock.hosts import Reply
from interlock.hosts.claude_code.address import (
    LOOPBACK,
    Address,
    client_problem,
    new_address,
    proxy_problem,
    read_address,
    web_entry,
)
from interlock.hosts.claude_code.events import WEB_EVENTS
from interlock.policy.situation import Panel, Situation
from interlock.spawn import exchange
from interlock.verdict import Opinion

__all__ = [
    "WEB_EVENTS",
    "Address",
    "WebServer",
    "client_problem",
    "new_address",
    "proxy_problem",
    "read_address",
    "serving",
    "web_entry",
]

_ARRIVAL = 10.0  # seconds within which a request must arrive, and the first one must begin
_IDLE = 3600.0  # seconds without a request; longer than hosts keep a connection, so none sends to one just closed
_SENDING = exchange.SILENCE
_LINGER = 1.0  # seconds in which a refused peer may read why
_MOST = 128  # connections, each with a thread
_BACKLOG = 1024  # connections that wait to be accepted: another user's must not fill it before they are refused
_MOST_HEAD = 16 * 1024
_MOST_MET = 256
_AGAIN = 0.2  # seconds between attempts to get the port
_CHUNK, _BIG_CHUNK = 1 << 16, 1 << 20

_PATHS = {f"/hook/{event}".encode(): event for event in WEB_EVENTS}
_ONCE = frozenset({b"host", b"authorization", b"content-length", b"origin", b"transfer-encoding", b"expect"})
_REFUSED = {
    400: b"Bad Request",
    401: b"Unauthorized",
    403: b"Forbidden",
    404: b"Not Found",
    405: b"Method Not Allowed",
    408: b"Request Timeout",
    411: b"Length Required",
    413: b"Content Too Large",
    417: b"Expectation Failed",
    421: b"Misdirected Request",
    431: b"Request Header Fields Too Large",
    500: b"Internal Server Error",
    503: b"Service Unavailable",
}


class RequestRefusal(Exception):  # noqa: N818 - said of a request
    """A request that is not judged, with the status that says why."""

    def __init__(self, status: int) -> None:
        super().__init__(f"{status} {_REFUSED[status].decode()}")
        self.status = status


class _Reader:
    """One connection's requests, one after the other. The parser calls the `on_…` methods."""

    def __init__(self, connection: socket.socket, address: Address) -> None:
        self._connection = connection
        self._hosts = [f"{name}:{address.port}".encode() for name in (LOOPBACK, "localhost")]
        self._key = f"Bearer {address.token}".encode()
        self._parser = HttpRequestParser(self)
        self._status = 400
        self._patience = 0.0
        self.has_token = False  # the peer showed the token
        self.is_last = False  # the peer wants the connection closed after this request
        self._begin()

    def next(self, patience: float) -> tuple[str, bytes] | None:
        """The event's name and bytes, or None if none begin to arrive within `patience` s. Raises RequestRefusal."""
        self._begin()
        self._wait_at_most(patience)
        try:
            chunk = self._connection.recv(_CHUNK)
        except BlockingIOError:
            return None
        if not chunk:
            return None
        limit = time.monotonic() + _ARRIVAL
        while not self._feed(chunk):
            left = limit - time.monotonic()
            if left <= 0:
                raise RequestRefusal(408)
            self._wait_at_most(left)
            chunk = self._receive(_BIG_CHUNK if self._head_done else _CHUNK)
            if not chunk:
                raise RequestRefusal(400)  # half a request
        return self._event, b"".join(self._body)

    def _wait_at_most(self, seconds: float) -> None:
        if seconds != self._patience:
            _set_patience(self._connection, seconds)
            self._patience = seconds

    def _receive(self, size: int) -> bytes:
        try:
            return self._connection.recv(size)
        except BlockingIOError:
            raise RequestRefusal(408) from None

    def _feed(self, chunk: bytes) -> bool:
        """Whether the request is complete."""
        if not self._head_done:
            self._head += len(chunk)
        try:
            self._parser.feed_data(chunk)
        except HttpParserError:  # an upgrade is one too
            raise RequestRefusal(self._status) from None
        if not self._head_done and self._head > _MOST_HEAD:
            raise RequestRefusal(431)
        return self._whole

    def _begin(self) -> None:
        self._began = self._head_done = self._whole = False
        self._head = self._lines = 0
        self._event, self._path = "", b""
        self._fields: dict[bytes, bytes] = {}
        self._body: list[bytes] = []

    def _count(self, size: int) -> None:
        self._lines += size
        if self._lines > _MOST_HEAD:
            self._refuse(431)

    def _refuse(self, status: int) -> None:
        self._status = status  # the parser turns whatever a callback raises into an error of its own
        raise RequestRefusal(status)

    # --- called by the parser ----------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        if self._began:
            self._refuse(400)  # a second request before the first was answered
        self._began = True

    def on_url(self, url: bytes) -> None:
        self._count(len(url))
        self._path += url

    def on_header(self, name: bytes, value: bytes) -> None:
        self._count(len(name) + len(value))
        name = name.lower()
        if name in _ONCE:
            if name in self._fields:
                self._refuse(400)
            self._fields[name] = value

    def on_headers_complete(self) -> None:
        self._head_done = True
        self.is_last = not self._parser.should_keep_alive()
        fields = self._fields
        if self._parser.get_http_version() != "1.1" or self._parser.should_upgrade():
            self._refuse(400)
        if fields.get(b"host", b"").lower() not in self._hosts:
            self._refuse(421)  # a foreign name that was made to resolve to this machine
        if b"origin" in fields:
            self._refuse(403)  # a page in a browser; hosts never send this header
        if not hmac.compare_digest(fields.get(b"authorization", b""), self._key):
            self._refuse(401)
        self.has_token = True
        if self._path not in _PATHS:
            self._refuse(404)
        if self._parser.get_method() != b"POST":
            self._refuse(405)
        if b"expect" in fields:
            self._refuse(417)
        if b"transfer-encoding" in fields or b"content-length" not in fields:
            self._refuse(411)
        if int(fields[b"content-length"]) > exchange.MOST:
            self._refuse(413)
        self._event = _PATHS[self._path]

    def on_body(self, part: bytes) -> None:
        self._body.append(part)

    def on_message_complete(self) -> None:
        self._whole = True


class _Waiting:
    """The host at the other end of a connection, while it waits for its answer."""

    def __init__(self, connection: socket.socket, waiting: Callable[[], AbstractContextManager[bool]]) -> None:
        self._connection = connection
        self.waiting = waiting

    def is_gone(self) -> bool:
        """Whether the host has closed the connection: it gave up this request, or has ended."""
        try:
            return self._connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True


class _Peer(Struct, frozen=True):
    """The process at the other end of a connection, and the folder it was started in."""

    process: Process | None
    folder: Path | None


class _PortLoss(Struct, frozen=True):
    """Refuses prompts while another program may be answering Interlock's HTTP hooks."""

    problem: str

    def ask(self, situation: Situation, round_: Round) -> Answers:
        told = f"Interlock {self.problem}, so another program may answer in its place. `interlock doctor` says more."
        return {0: (Opinion(by="interlock", decision="deny", reason=told),)}


class WebServer:
    """Answers HTTP hooks on one port until it is stopped."""

    def __init__(self, address: Address, sessions: Sessions) -> None:
        self._address = address
        self._sessions = sessions
        self._listener: socket.socket | None = None
        self._lock = threading.Lock()
        self._strange: OrderedDict[socket.socket, _Reader] = OrderedDict()  # no request yet; the oldest first
        self._idle: OrderedDict[socket.socket, None] = OrderedDict()  # the one idle longest first
        self._open: set[socket.socket] = set()
        self._working: set[socket.socket] = set()
        self._waiting = 0  # connections for which a person is asked
        self._met: OrderedDict[int, None] = OrderedDict()  # processes that connected before, the latest last
        self._looking = threading.Lock()
        self._over = threading.Event()
        self._strangers = 0  # connections of other users
        self.answered = 0
        self.problem: str | None = None

    def beside(self, event: str, project: Path, host: Process | None) -> Sequence[Panel]:
        """Refuse prompts while another program has the port: the calls they lead to might not be judged."""
        return (_PortLoss(self.problem),) if self.problem is not None and event == "UserPromptSubmit" else ()

    def start(self) -> None:
        """Listen from now on, or as soon as a daemon that is about to exit gives up the port."""
        self._listener = self._listen()
        threading.Thread(target=self._accept, daemon=True, name="interlock-web").start()

    def stop(self) -> None:
        """Accept no more connections, finish the requests that came in, and close the rest."""
        self._over.set()
        if self._listener is not None:
            with contextlib.suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
        with self._lock:
            for connection in self._open - self._working:
                _hang_up(connection)
        limit = time.monotonic() + exchange.SILENCE
        while self._working and time.monotonic() < limit:
            time.sleep(0.01)

    def _listen(self) -> socket.socket | None:
        listener = socket.socket()
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # connections of the last daemon linger
            listener.bind((LOOPBACK, self._address.port))
            listener.listen(_BACKLOG)
        except OSError as error:
            listener.close()
            if self.problem is None:
                self.problem = f"cannot listen on {LOOPBACK}:{self._address.port}: {error.strerror}"
                say(f"{self.problem}; HTTP hooks go to whoever does")
            return None
        self.problem = None
        return listener

    def _accept(self) -> None:
        while self._listener is None:
            if self._over.wait(_AGAIN):
                return
            self._listener = self._listen()
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError as error:
                if self._over.is_set():
                    return
                say(f"cannot accept an HTTP connection: {error}")
                self._over.wait(_AGAIN)
                continue
            self._take(connection)

    def _take(self, connection: socket.socket) -> None:
        """Serve a connection in its own thread, or turn it away at once."""
        if _is_of_another_user(connection):
            self._refuse_stranger(connection)
            return
        reader = _Reader(connection, self._address)
        with self._lock:
            admitted = len(self._open) - self._waiting < _MOST or self._make_room()
            if admitted:
                self._open.add(connection)
                self._strange[connection] = reader
        if not admitted:
            _turn_away(connection, 503)
            return
        try:
            threading.Thread(target=self._serve, args=(connection, reader), daemon=True, name="interlock-host").start()
        except RuntimeError as error:
            say(f"cannot start another thread: {error}")
            self._forget(connection)
            _turn_away(connection, 503)

    def _refuse_stranger(self, connection: socket.socket) -> None:
        self._strangers += 1
        if self._strangers & (self._strangers - 1) == 0:  # 1, 2, 4, 8 …: other users must not fill the log
            say(f"HTTP connections of other users were refused: {self._strangers} so far")
        with contextlib.suppress(OSError):
            # Reset rather than closed: otherwise each would stay in the table in which the next one is looked up.
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        _turn_away(connection, 403)

    def _make_room(self) -> bool:
        """Close one connection in favour of a new one: first one that never showed the token, else an idle one."""
        stranger = next((one for one, reader in self._strange.items() if not reader.has_token), None)
        longest = stranger or next(iter(self._idle), None)
        if longest is None:
            return False
        self._strange.pop(longest, None)
        self._idle.pop(longest, None)
        self._open.discard(longest)
        _hang_up(longest)  # its thread closes it
        return True

    def _forget(self, connection: socket.socket) -> None:
        with self._lock:
            self._strange.pop(connection, None)
            self._idle.pop(connection, None)
            self._open.discard(connection)
            self._working.discard(connection)

    # --- one connection ------------------------------------------------------------------------------------------

    def _serve(self, connection: socket.socket, reader: _Reader) -> None:
        with connection:
            try:
                self._converse(connection, reader)
            except RequestRefusal as refused:
                say(f"an HTTP request was refused: {refused}")
                _refuse(connection, refused.status)
            except OSError as error:
                say(f"an HTTP connection was dropped: {error}")
            except Exception as error:  # noqa: BLE001 - a bug in Interlock must not end the thread silently
                say(f"Interlock itself failed: {type(error).__name__}: {text_of(error)}")
                _refuse(connection, 500)
            finally:
                self._forget(connection)

    def _converse(self, connection: socket.socket, reader: _Reader) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _timeval(_SENDING))
        peer: _Peer | None = None
        while (found := reader.next(_ARRIVAL if peer is None else _IDLE)) is not None:
            if not self._begin(connection):
                return
            if peer is None:
                peer = self._peer_of(connection)
            event, raw = found
            request = real_caller(HookRequest(event, peer.folder, raw, says_project=False), dict)
            reply = self._sessions.answer(request, peer.process, _Waiting(connection, self._parking))
            connection.sendall(_answer(reply))
            self.answered += 1
            self._sessions.show_notices(reply)
            if reader.is_last:
                return
            self._rest(connection)

    @contextlib.contextmanager
    def _parking(self) -> Iterator[bool]:
        """Do not count this connection while it waits for a person: others must still be answered."""
        with self._lock:
            has_room = self._waiting < MOST_WAITING
            self._waiting += has_room
        try:
            yield has_room
        finally:
            with self._lock:
                self._waiting -= has_room

    def _begin(self, connection: socket.socket) -> bool:
        """Whether a request that came in should still be answered."""
        with self._lock:
            self._strange.pop(connection, None)
            self._idle.pop(connection, None)
            if connection not in self._open or self._over.is_set():
                return False
            self._working.add(connection)
            return True

    def _rest(self, connection: socket.socket) -> None:
        """Mark the connection as idle until its next request; it may then be closed in favour of another one."""
        with self._lock:
            self._working.discard(connection)
            self._idle[connection] = None
            if self._over.is_set():
                _hang_up(connection)

    def _peer_of(self, connection: socket.socket) -> _Peer:
        """The process at the other end, looked up once: a connection stays with the process that opened it."""
        end = other_end(connection)
        if end is None:
            return _Peer(None, None)  # gone, or no /proc here: the session's check finds out which
        if end[1] != os.getuid():
            raise RequestRefusal(403)
        with self._looking:  # one at a time: only the first of a host's many connections needs the full search
            process = held_by(end, reversed(self._met))
            if process is None:
                return _Peer(None, None)
            self._met[process.pid] = None
            self._met.move_to_end(process.pid)
            if len(self._met) > _MOST_MET:
                self._met.popitem(last=False)
        return _Peer(process, folder_of(process))


@contextlib.contextmanager
def serving(folder: Path, sessions: Sessions) -> Iterator[WebServer | None]:
    """Serve HTTP hooks if the person has chosen them; `folder` is the daemon's run folder."""
    try:
        address = read_address(folder)
    except InterlockError as error:
        say(f"HTTP hooks are not answered: {error.in_one_line()}")
        address = None
    if address is None:
        yield None
        return
    server = WebServer(address, sessions)
    sessions.beside.append(server.beside)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def _answer(reply: Reply) -> bytes:
    """An answer as an HTTP response. One that needs an exit code cannot be expressed: it is sent as a failure."""
    said = reply.stdout
    if not said.strip() or (reply.exit_code and said.strip() == b"{}"):
        return b"HTTP/1.1 500 %b\r\nContent-Length: 0\r\n\r\n" % _REFUSED[500]
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
    return head % len(said) + said


def _refusal(status: int) -> bytes:
    return b"HTTP/1.1 %d %b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n" % (status, _REFUSED[status])


def _refuse(connection: socket.socket, status: int) -> None:
    """Say why, and let the peer read it: bytes that are still arriving would otherwise discard the answer."""
    with contextlib.suppress(OSError):
        connection.sendall(_refusal(status))
        connection.shutdown(socket.SHUT_WR)
        limit = time.monotonic() + _LINGER
        while (left := limit - time.monotonic()) > 0:
            _set_patience(connection, left)
            if not connection.recv(_CHUNK):
                return


def _is_of_another_user(connection: socket.socket) -> bool:
    """Whether the system says so. If it does not say whose a connection is, the request's own check finds out."""
    try:
        end = other_end(connection)
    except OSError:  # it was closed in the meantime
        return False
    return end is not None and end[1] != os.getuid()


def _turn_away(connection: socket.socket, status: int) -> None:
    """Say why, if that can be done at once, and close."""
    with connection, contextlib.suppress(OSError):
        connection.send(_refusal(status), socket.MSG_DONTWAIT)


def _hang_up(connection: socket.socket) -> None:
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _set_patience(connection: socket.socket, seconds: float) -> None:
    """Set how long to wait for bytes, by the system's timer: Python's would cost two more calls per request."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _timeval(seconds))


def _timeval(seconds: float) -> bytes:
    whole = int(seconds)
    return struct.pack("ll", whole, max(1, int((seconds - whole) * 1e6)))
