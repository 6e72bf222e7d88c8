"""A program that fills a terminal, driven as a person drives it: what is on the screen, and keys."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pyte

_PATIENCE = 30.0


class TerminalScreen:
    """The screen of a program in a terminal of its own."""

    def __init__(self, command: list[str], columns: int, rows: int, env: dict[str, str]) -> None:
        self._ours, self.theirs = pty.openpty()
        self.settings = termios.tcgetattr(self.theirs)
        self._screen: Any = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self.written = b""
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.process = subprocess.Popen(
            command, stdin=self.theirs, stdout=self.theirs, stderr=self.theirs, env=env, start_new_session=True
        )

    @property
    def lines(self) -> list[str]:
        """Every row, without spaces at its end."""
        return [line.rstrip() for line in self._screen.display]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def type(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def resize(self, columns: int, rows: int) -> None:
        self._screen.resize(rows, columns)
        self._screen.reset()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def until(self, is_there: str | Callable[[], bool]) -> list[str]:
        """Read until a text is on the screen, or something is true of it; the rows then."""
        limit = time.monotonic() + _PATIENCE
        while not (is_there in self.text if isinstance(is_there, str) else is_there()):
            ready, _, _ = select.select([self._ours], [], [], max(0.0, limit - time.monotonic()))
            assert ready, f"{is_there!r} does not come:\n{self.text}"
            self._feed()
        return self.lines

    def ended(self) -> int:
        """How the program ended; everything it wrote is read first, so that it can end."""
        limit = time.monotonic() + _PATIENCE
        while self.process.poll() is None:
            assert time.monotonic() < limit, self.text
            if select.select([self._ours], [], [], 0.01)[0]:
                self._feed()
        while select.select([self._ours], [], [], 0)[0]:
            self._feed()
        return self.process.returncode

    def interrupt(self, number: int = signal.SIGINT) -> None:
        os.kill(self.process.pid, number)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._ours)
        os.close(self.theirs)

    def _feed(self) -> None:
        data = os.read(self._ours, 65536)
        self.written += data
        self._stream.feed(data)


@contextmanager
def full_screen(*arguments: str, columns: int = 80, rows: int = 24, **env: str) -> Iterator[TerminalScreen]:
    """`interlock ARGUMENTS` in a terminal."""
    environ = {**os.environ, "TERM": "xterm-256color", **env}
    environ.pop("COLUMNS", None)
    screen = TerminalScreen([sys.executable, "-m", "interlock", *arguments], columns, rows, environ)
    try:
        yield screen
    finally:
        screen.close()
