"""The client as a host spawns it, a daemon of its own for each test, and peers that misbehave."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import json

from interlock import client

CLIENT = Path(client.__file__)
Ended = subprocess.CompletedProcess[bytes]


def event(name: str = "PreToolUse", session: str = "s1", **fields: Any) -> bytes:
    """An event of a session, as Claude Code sends it."""
    call = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1"} if "Tool" in name else {}
    base = {"hook_event_name": name, "session_id": session, "transcript_path": "/t", "cwd": "/"}
    return json.encode({**base, **call, **fields}) + b"\n"


class Home:
    """A home with a project and the daemon's socket in it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.project = folder / "shop"
        self.home.mkdir()
        self.project.mkdir()
        self.run_folder = self.home / ".local/state/interlock/run/x"
        self.socket = self.run_folder / "socket"

    def policy(self, *rules: str, top: str = "") -> Path:
        file = self.project / "interlock.yaml"
        file.write_text("version: 1\n" + top + "rules:\n" + "".join(f"  - {rule}\n" for rule in rules), "utf-8")
        return file

    def trust(self) -> None:
        """Trust the project's policy, as a person would."""
        words = [sys.executable, "-I", "-m", "interlock", "trust", "--yes"]
        environ = {"HOME": str(self.home), "PATH": os.environ["PATH"]}
        subprocess.run(words, cwd=self.project, env=environ, check=True, capture_output=True)

    @property
    def store(self) -> Path:
        return self.home / ".local/state/interlock/store/interlock.db"

    def spawn(self, name: str = "PreToolUse", **more: Any) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-I", "-S", str(CLIENT), name, str(self.socket), str(self.project)]
        environ = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PYTHONPATH": "/nonexistent"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, env=environ, **{**pipes, **more})

    def ask(self, raw: bytes | None = None, name: str = "PreToolUse") -> Ended:
        """Spawn the client for one event; its answer."""
        with self.spawn(name) as process:
            stdout, stderr = process.communicate(event(name) if raw is None else raw, timeout=60)
        return Ended(process.args, process.returncode, stdout, stderr)

    @property
    def pid(self) -> int:
        return int((self.run_folder / "pid").read_text("ascii"))

    def end(self) -> None:
        """End the daemon that a client of this home started, if one runs."""
        with contextlib.suppress(FileNotFoundError, NotADirectoryError, ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)

    def stop(self) -> None:
        """Let the daemon end as a person would, and wait until it has."""
        pid = self.pid
        os.kill(pid, signal.SIGTERM)
        until(lambda: not alive(pid))


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def until(holds: Callable[[], object], seconds: float = 30) -> None:
    """Wait for something that is sure to come."""
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, "it never came"
        time.sleep(0.005)


@contextlib.contextmanager
def peer(home: Home, behave: Callable[[socket.socket], None]) -> Iterator[None]:
    """Somebody who listens where the daemon would, and behaves as told with each connection."""
    home.run_folder.mkdir(parents=True, mode=0o700)
    before = os.umask(0o177)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(os.path.relpath(home.socket))
        os.umask(before)
        listener.listen()

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listener.accept()
                    with connection, contextlib.suppress(OSError):
                        behave(connection)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield
        listener.shutdown(socket.SHUT_RDWR)
        thread.join(10)
