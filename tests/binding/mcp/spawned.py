"""A real proxy as a process, with a scripted server behind it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.binding.mcp.world import call, line

PROXY = [sys.executable, "-I", "-m", "interlock", "mcp"]
SCRIPT = Path(__file__).with_name("script.py")
LIMIT = 30.0  # for what does happen; a busy machine is slow


class Spawned:
    """The proxy, its pipes, and what its server was really asked to do."""

    def __init__(
        self, folder: Path, *options: str, server: Sequence[str] | None = None, stubborn: bool = False
    ) -> None:
        self.ledger = folder / "ledger"
        command = [sys.executable, str(SCRIPT), str(self.ledger), *(["stubborn"] if stubborn else [])]
        self.process = subprocess.Popen(
            [*PROXY, "--name", "script", *options, "--", *(server or command)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            bufsize=0,
        )
        self._read = b""

    def say(self, *messages: dict[str, Any] | bytes) -> None:
        assert self.process.stdin is not None
        for message in messages:
            data = memoryview(line(message) if isinstance(message, dict) else message)
            while data:
                data = data[os.write(self.process.stdin.fileno(), data) :]

    def hear(self) -> Any:
        """The next message; None at the end."""
        assert self.process.stdout is not None
        while b"\n" not in self._read:
            ready, _, _ = select.select([self.process.stdout], [], [], LIMIT)
            assert ready, "nothing came"
            chunk = os.read(self.process.stdout.fileno(), 1 << 20)
            if not chunk:
                return None
            self._read += chunk
        found, _, self._read = self._read.partition(b"\n")
        return json.loads(found)

    def ask(self, message: dict[str, Any]) -> Any:
        self.say(message)
        return self.hear()

    def family(self) -> list[int]:
        """The numbers of the server and of a child of its."""
        answer = self.ask(call("family", "child"))
        found: list[int] = json.loads(answer["result"]["content"][0]["text"])
        return found

    def hang_up(self) -> None:
        """Close both pipes, as a client that is gone."""
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()

    def code(self, seconds: float = LIMIT) -> int:
        return self.process.wait(seconds)

    def did(self) -> list[str]:
        return self.ledger.read_text().split() if self.ledger.exists() else []

    def close(self) -> None:
        with suppress(OSError):
            self.process.kill()
        self.process.wait(LIMIT)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()


def is_running(process: int) -> bool:
    """Whether a process does anything any more. One that nobody waits for is over too."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        pass
    if sys.platform == "linux":
        return False
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


def within(seconds: float, holds: Callable[[], bool]) -> bool:
    """Whether something comes true in time."""
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            return False
        threading.Event().wait(0.02)
    return True
