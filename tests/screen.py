"""A program at a terminal, in front of a person: what is on its screen, and the keys that they press."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

_CONTROL = re.compile(rb"\x1b\[[0-9;?>=]*[ -/]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()][AB0]|\x1b[=>78]")
_ROWS, _COLUMNS = 50, 120
ENTER, ESCAPE = "\r", "\x1b"


class Screen:
    """A program in a session of its own, and what it has shown. It must have been ended before this is closed."""

    def __init__(self, command: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", _ROWS, _COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=cwd, env={**env, "TERM": "xterm-256color"},
            start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self._shown = b""
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def close(self) -> None:
        self.process.wait()
        self._reader.join(10)
        os.close(self._ours)

    @property
    def text(self) -> str:
        """Everything that was shown so far, without blanks: programs move the cursor instead of writing them."""
        return re.sub(r"\s+", "", _CONTROL.sub(b"", self._shown).decode("utf-8", "replace"))

    def shows(self, text: str) -> bool:
        return re.sub(r"\s+", "", text) in self.text

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def _read(self) -> None:
        with suppress(OSError):  # the other end is closed
            while part := os.read(self._ours, 65536):
                self._shown += part
