"""The real client in front of a person: its screen in a terminal, and the keys that they press."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import termios
import threading
from contextlib import suppress
from typing import Any

from tests.e2e.model import MAIN, Model, Turn
from tests.e2e.session import _QUIET, Session, until

_CONTROL = re.compile(rb"\x1b\[[0-9;?>=]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[()][AB0]|\x1b[=>78]")
_KEY = "not-a-key"


class Interactive:
    """One session of the client at a terminal, from its first prompt on. Use it as a context."""

    def __init__(self, session: Session, *turns: Turn) -> None:
        self._session = session
        self._model = Model({MAIN: turns})
        self._shown = b""

    def __enter__(self) -> Interactive:
        known = json.loads((self._session.home / ".claude.json").read_text(encoding="utf-8"))
        known |= {"theme": "dark", "customApiKeyResponses": {"approved": [_KEY], "rejected": []}}
        (self._session.home / ".claude.json").write_text(json.dumps(known), encoding="utf-8")
        self._model.__enter__()
        network = {"ANTHROPIC_BASE_URL": self._model.url, "ANTHROPIC_API_KEY": _KEY, "NO_PROXY": "127.0.0.1"}
        env = {**dict.fromkeys(_QUIET, "1"), **self._session.env(), **network, "TERM": "xterm-256color"}
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 110, 0, 0))
        command = [str(self._session.client), "--model", "claude-sonnet-4-5", "--strict-mcp-config", "Do it."]
        self._process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=self._session.project, env=env,
            start_new_session=True,
        )  # fmt: skip
        os.close(theirs)
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        return self

    def __exit__(self, *_: Any) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._reader.join(10)
        os.close(self._ours)
        self._model.__exit__()

    @property
    def screen(self) -> str:
        """Everything that was shown so far, without blanks: the client moves the cursor instead of writing them."""
        return re.sub(r"\s+", "", _CONTROL.sub(b"", self._shown).decode("utf-8", "replace"))

    def sees(self, text: str) -> None:
        """Wait until a text has been shown."""
        until(lambda: re.sub(r"\s+", "", text) in self.screen, within=40)

    def press(self, keys: str) -> None:
        os.write(self._ours, keys.encode())

    def _read(self) -> None:
        with suppress(OSError):  # the other end is closed
            while part := os.read(self._ours, 65536):
                self._shown += part
