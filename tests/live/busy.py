"""A daemon that has no answer, for hosts that wait until the client gives up by itself."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from interlock.config.places import socket_path
from interlock.hosts import host_of
from interlock.hosts.base.capabilities import capabilities_of
from interlock.spawn.exchange import STILL_WORKING
from tests.live.world import World

PATIENT = "INTERLOCK_PATIENT"  # set by a person who has the time
SHORT, BEAT = 60, 2.0  # seconds


def limit_of(name: str) -> int:
    """The seconds that a host waits for an answer about a call."""
    seconds = capabilities_of(host_of(name)).seconds
    assert seconds is not None
    return seconds


def patient(name: str) -> pytest.MarkDecorator:
    """Skips the test of a host that waits for long, unless somebody wants to know."""
    reason = f"{name} waits for {limit_of(name) // 60} minutes: set {PATIENT}=1"
    return pytest.mark.skipif(limit_of(name) > SHORT and PATIENT not in os.environ, reason=reason)


class Busy:
    """A daemon that works for ever on every call that is about to run, and hangs up on everything else."""

    def __init__(self, world: World) -> None:
        place = world.home / socket_path().relative_to(Path.home())
        place.parent.mkdir(parents=True, mode=0o700)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(os.fspath(place))
        place.chmod(0o600)
        self._socket.listen()
        self._over = threading.Event()

    @contextmanager
    def working(self) -> Iterator[None]:
        thread = threading.Thread(target=self._accept)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            self._socket.shutdown(socket.SHUT_RDWR)
            thread.join()
            self._socket.close()

    def _accept(self) -> None:
        with suppress(OSError):  # the socket is closed
            while True:
                client, _ = self._socket.accept()
                threading.Thread(target=self._serve, args=(client,)).start()

    def _serve(self, client: socket.socket) -> None:
        with client, suppress(OSError):  # the client has given up
            asked = b"".join(iter(lambda: client.recv(1 << 16), b""))
            while b":PreToolUse\0" in asked and not self._over.wait(BEAT):
                client.send(STILL_WORKING)
