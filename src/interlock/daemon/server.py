"""The daemon's socket: one thread per connection, each answered before its client gives up."""

from __future__ import annotations

import contextlib
import os
import select
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

from msgspec import json

from interlock.daemon import control
from interlock.daemon.callers import environ_of, real_caller
from interlock.daemon.control import Status
from interlock.daemon.frames import (
    ANY_HOST,
    OTHER_VERSION,
    HookRequest,
    NotOurs,
    OtherVersion,
    answer_frame,
    read_request,
    text_frame,
)
from interlock.daemon.log import say
from interlock.daemon.peers import Process, check_user, host_of_client, parent_of, peer_of
from interlock.daemon.sessions import Sessions
from interlock.errors import InterlockError, text_of
from interlock.hosts import host_of
from interlock.hosts.base.commands import runs_client, runs_launcher
from interlock.hosts.client_literals import FIRST
from interlock.process import MOST_EVENT_SECONDS
from interlock.spawn import exchange

__all__ = ["Server"]

_ARRIVAL = 10.0  # seconds within which a request must arrive
_BEAT = 4.0  # seconds between signs of life
_PAUSE = 0.2  # seconds to wait after a connection could not be accepted
_SPARE = 4  # idle threads that wait for a connection
_MOST = 256  # threads, those beside in which a person is asked
MOST_WAITING = 512  # calls that wait for a person, each with a thread and a file of its own


class Server:
    """Answers the clients of one listening socket until it is told to stop or a client has another version."""

    def __init__(self, listener: socket.socket, path: Path, sessions: Sessions) -> None:
        self._listener = listener
        self._path = path
        self._identity = _identity(path)
        self._sessions = sessions
        self._lock = threading.Lock()
        self._idle = 0
        self._threads: set[threading.Thread] = set()
        self._arriving: OrderedDict[socket.socket, None] = OrderedDict()  # requests not read yet; the oldest first
        self._working: set[socket.socket] = set()
        self._answering: set[socket.socket] = set()  # requests that were read, until their answer is sent
        self._parked = 0  # threads in which a person is asked
        self._over = threading.Event()
        self.answered = 0
        self._started = time.monotonic()

    def run(self) -> None:
        """Serve until stopped; then finish the requests that came in."""
        self._grow()
        while not self._over.wait(_BEAT):
            self._beat()
            if not self._is_in_place():
                self.stop()  # no client can find this daemon any more
        self._turn_away()
        limit, beat = time.monotonic() + MOST_EVENT_SECONDS, time.monotonic() + _BEAT
        while self._answering and time.monotonic() < limit:
            time.sleep(0.01)
            if time.monotonic() > beat:
                self._beat()
                beat = time.monotonic() + _BEAT
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def stop(self) -> None:
        """Accept no more connections."""
        if self._is_in_place():
            with contextlib.suppress(OSError):
                self._path.unlink()
        self._over.set()

    def _is_in_place(self) -> bool:
        return self._identity is not None and _identity(self._path) == self._identity

    # --- threads -------------------------------------------------------------------------------------------

    def _grow(self) -> None:
        with self._lock:
            while self._idle < _SPARE and len(self._threads) - self._parked < _MOST and not self._over.is_set():
                thread = threading.Thread(target=self._work, daemon=True, name="interlock-client")
                try:
                    thread.start()
                except RuntimeError as error:
                    say(f"cannot start another thread: {error}")
                    return  # the existing threads go on
                self._threads.add(thread)
                self._idle += 1

    def _work(self) -> None:
        try:
            while self._take_one():
                pass
        finally:
            with self._lock:
                self._threads.discard(threading.current_thread())

    def _take_one(self) -> bool:
        """Wait for a connection and serve it; return whether this thread is still needed."""
        try:
            connection, _ = self._listener.accept()
        except OSError as error:
            if self._over.wait(_PAUSE):
                return False
            say(f"cannot accept a connection: {error}")  # too many open files, for example, which passes
            return True
        with self._lock:
            self._idle -= 1
            self._arriving[connection] = None
            none_left = self._idle == 0
        if none_left:
            self._grow()
            self._make_room(connection)
        with connection:
            self._serve(connection)
        with self._lock:
            self._arriving.pop(connection, None)
            self._answering.discard(connection)
            needed = self._idle < _SPARE
            self._idle += needed
        return needed

    def _make_room(self, newest: socket.socket) -> None:
        """If no thread is left to wait for the next client, drop the one whose request has been arriving longest."""
        with self._lock:
            longest = next(iter(self._arriving), newest) if self._idle == 0 else newest
            if longest is not newest:
                del self._arriving[longest]
                with contextlib.suppress(OSError):
                    longest.shutdown(socket.SHUT_RDWR)  # its thread then closes it, and is free

    def _beat(self) -> None:
        """Send a keep-alive byte to every waiting client."""
        with self._lock:
            for connection in self._working:
                # If a client does not read, nothing is lost: it then gives its answer for a failure.
                with contextlib.suppress(OSError):
                    connection.send(exchange.STILL_WORKING, socket.MSG_DONTWAIT)

    @contextlib.contextmanager
    def _parking(self) -> Iterator[bool]:
        """Do not count this thread while it waits for a person: others must still be answered."""
        with self._lock:
            has_room = self._parked < MOST_WAITING
            self._parked += has_room
        if has_room:
            self._grow()  # there may be no thread left that accepts connections
        try:
            yield has_room
        finally:
            with self._lock:
                self._parked -= has_room

    # --- one connection ------------------------------------------------------------------------------------

    def _serve(self, connection: socket.socket) -> None:
        """Answer one client. If an error here leaves it without an answer, it gives its answer for a failure."""
        try:
            peer = peer_of(connection)
            if peer is not None:
                check_user(peer[1])
            self._answer(connection, self._read(connection), peer[0] if peer is not None else None)
        except OtherVersion:
            self.stop()  # first, so that the client finds the socket's name free when it is told
            with contextlib.suppress(OSError):
                connection.sendall(OTHER_VERSION)
        except (NotOurs, OSError) as error:
            say(f"a connection was dropped: {error}")
        except Exception as error:  # noqa: BLE001 - a bug in Interlock must not end the thread silently
            say(f"Interlock itself failed: {type(error).__name__}: {text_of(error)}")

    def _read(self, connection: socket.socket) -> HookRequest:
        request = read_request(connection, time.monotonic() + _ARRIVAL)
        with self._lock:
            self._arriving.pop(connection, None)
            self._answering.add(connection)
        if self._over.is_set():
            raise OtherVersion
        return request

    def _status(self) -> Status:
        seconds = time.monotonic() - self._started
        projects, store = self._sessions.projects.health()
        problem = self._sessions.outreach.problem
        return Status(exchange.VERSION, os.getpid(), str(self._path), seconds, self.answered, projects, store, problem)

    def _answer(self, connection: socket.socket, request: HookRequest, pid: int | None) -> None:
        match request.event:
            case control.STATUS:
                connection.sendall(text_frame(json.encode(self._status())))
            case control.STOP:
                self.stop()
                connection.sendall(text_frame(b"{}"))
            case _:
                self._judge(connection, request, pid)

    def _judge(self, connection: socket.socket, request: HookRequest, pid: int | None) -> None:
        connection.settimeout(None)
        with self._lock:
            self._working.add(connection)
        try:
            host = None
            if pid is not None:
                made_for = request.host
                request = real_caller(request, partial(environ_of, pid))
                host = _host_behind(pid, made_for, request.host)
            reply = self._sessions.answer(request, host, _Client(connection, self._parking))
            frame = answer_frame(reply)
        finally:
            with self._lock:
                self._working.discard(connection)
        connection.settimeout(exchange.SILENCE)
        self.answered += 1
        connection.sendall(frame)
        self._sessions.show_notices(reply)

    def _turn_away(self) -> None:
        """Turn away the clients that still wait in the queue: another daemon answers them."""
        self._listener.setblocking(False)
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, contextlib.suppress(OSError, InterlockError, OtherVersion):
                read_request(connection, time.monotonic() + 1)
                connection.sendall(OTHER_VERSION)


class _Client:
    """The client at the other end of a connection."""

    def __init__(self, connection: socket.socket, waiting: Callable[[], AbstractContextManager[bool]]) -> None:
        self._connection = connection
        self.waiting = waiting

    def is_gone(self) -> bool:
        """Whether the process has ended, or has closed the connection. It says no more after its request."""
        looks = select.poll()
        try:
            looks.register(self._connection, 0)  # a hang-up is reported in any case
            return bool(looks.poll(0))
        except (OSError, ValueError):
            return True


def _host_behind(pid: int, made_for: str, host: str) -> Process | None:
    """The host that runs a client, by an entry that may have been made for another."""
    if host == FIRST:
        return parent_of(pid)  # it starts the client itself
    ends = host_of(host).ends_event
    if made_for in (FIRST, ANY_HOST):
        return host_of_client(pid, lambda argv: runs_launcher(argv, ends))
    return host_of_client(pid, lambda argv: runs_client(argv, made_for, ends))


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino
