"""A host at a terminal, in front of a person: what is on its screen, and the keys that they press."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from interlock.driving.model import Model, Turn
from tests.live.drive import Host, environment
from tests.live.world import World, until

_CONTROL = re.compile(rb"\x1b\[[0-9;?>=]*[ -/]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][AB0]|\x1b[=>78]")
ENTER = "\r"


class Terminal:
    """One session of a host, from its first prompt on. Use it as a context, at whose end the host ends, too."""

    def __init__(self, host: Host, world: World, *turns: Turn, careful: bool = False) -> None:
        self._host = host
        self._careful = careful
        self._world = world
        self._model = Model(turns)
        self._shown = b""

    def __enter__(self) -> Terminal:
        self._model.__enter__()
        self._host.prepare(self._world, self._model.url)
        env = environment(self._host, self._world, self._model.url) | {"TERM": "xterm-256color"}
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
        command = self._host.at_terminal(self._world, careful=self._careful)
        self._process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=self._world.project, env=env,
            start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._world.end_processes()
        self._process.wait()
        self._reader.join(10)
        os.close(self._ours)
        self._model.__exit__()

    @property
    def screen(self) -> str:
        """Everything that was shown so far, without blanks: hosts move the cursor instead of writing them."""
        return re.sub(r"\s+", "", _CONTROL.sub(b"", self._shown).decode("utf-8", "replace"))

    def shows(self, text: str) -> bool:
        return re.sub(r"\s+", "", text) in self.screen

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def first(self, **conditions: Callable[[], object]) -> str:
        """Wait until one of these comes about, and say which."""
        try:
            found: str = until(lambda: next((name for name, holds in conditions.items() if holds()), None), within=60)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.screen[-2000:]}") from error
        return found

    def _read(self) -> None:
        with suppress(OSError):  # the other end is closed
            while part := os.read(self._ours, 65536):
                self._shown += part
