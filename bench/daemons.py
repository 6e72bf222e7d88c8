"""A home with a daemon in it, and a host that speaks to it: by spawned clients, or by connections that it keeps."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.policy import _bash_rules, _policy, _write_rules
from bench.protocol import EVENT
from interlock.config.trust import Trust
from interlock.hosts.claude_code.address import new_address
from interlock.spawn import exchange

__all__ = ["Home", "Links", "spawned", "spawned_together"]

_CLIENT = str(Path(exchange.__file__).with_name("client.py"))
_SERVE = """
import os, sys
from pathlib import Path
from interlock.spawn import launch
from interlock.daemon import main
path = Path(sys.argv[1])
os.chdir(path.parent)
main.serve(launch.listen(path.name), path, record=sys.argv[2] == "on")
"""
_numbers = itertools.count()


class Home:
    """A person's home with one project under a policy, and what is needed to run a daemon there."""

    def __init__(self, folder: Path, rules: int = 100) -> None:
        self.folder = folder
        self.home, self.project = folder / "home", folder / "shop"
        self.run_folder = self.home / ".local" / "state" / "interlock" / "run" / "bench"
        self.socket = self.run_folder / "socket"
        self.run_folder.mkdir(parents=True, mode=0o700)
        (self.project / ".git").mkdir(parents=True)
        policy = self.project / "interlock.yaml"
        texts = _bash_rules(rules, 10) if rules <= 100 else [*_bash_rules(rules // 2, 10), *_write_rules(rules // 2)]
        policy.write_text(_policy(texts), encoding="utf-8")
        Trust(self.home / ".local" / "state" / "interlock" / "trusted").add(policy)
        self.address = new_address(self.run_folder)
        self._daemon: subprocess.Popen[bytes] | None = None

    def serve(self, *, record: bool = True) -> int:
        """Start the daemon; its process."""
        command = [sys.executable, "-c", _SERVE, str(self.socket), "on" if record else "off"]
        with Path(self.folder / "log").open("ab") as log:
            self._daemon = subprocess.Popen(command, env={**os.environ, "HOME": str(self.home)}, stderr=log)
        _until(lambda: self._answers())
        return self._daemon.pid

    def stop(self) -> None:
        """End the daemon, by whomever it was started."""
        if self._daemon is not None:
            self._daemon.terminate()
            self._daemon.wait()
            self._daemon = None
        elif (self.run_folder / "pid").exists():
            pid = int((self.run_folder / "pid").read_text("ascii"))
            (self.run_folder / "pid").unlink()
            os.kill(pid, signal.SIGKILL)
            _until(lambda: not Path(f"/proc/{pid}/fd/0").is_symlink())

    def event(self, name: str = "PreToolUse", session: str = "bench", call: int | None = None) -> bytes:
        """An event that was never seen before: the second delivery of one is not judged."""
        told = {**EVENT, "hook_event_name": name, "session_id": session, "cwd": str(self.project)}
        told["tool_use_id"] = f"toolu_{next(_numbers) if call is None else call:020}"
        if name == "PostToolUse":
            told["tool_response"] = {"stdout": "ok\n" * 20, "stderr": "", "interrupted": False}
        return json.dumps(told, separators=(",", ":")).encode() + b"\n"

    def command(self) -> list[str]:
        return [sys.executable, "-I", "-S", _CLIENT, "PreToolUse", str(self.socket), str(self.project)]

    def request(self, raw: bytes, name: str = "PreToolUse") -> bytes:
        """A request as the real client sends it."""
        head = (
            f"POST /hook/{name} HTTP/1.1\r\nAccept: application/json, text/plain, */*\r\n"
            f"Content-Type: application/json\r\nAuthorization: Bearer {self.address.token}\r\nUser-Agent: bench\r\n"
            f"Content-Length: {len(raw)}\r\nAccept-Encoding: gzip, compress, deflate, br\r\n"
            f"Host: 127.0.0.1:{self.address.port}\r\nConnection: keep-alive\r\n\r\n"
        )
        return head.encode() + raw

    def connect(self) -> socket.socket:
        link = socket.create_connection(("127.0.0.1", self.address.port))
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return link

    def _answers(self) -> bool:
        try:
            self.connect().close()
        except ConnectionRefusedError:
            assert self._daemon is None or self._daemon.poll() is None, Path(self.folder / "log").read_text("utf-8")
            return False
        return True


class Links:
    """Connections that are kept, each asking again as soon as it was answered."""

    def __init__(self, home: Home, count: int) -> None:
        self._project = home.project
        self._links = [home.connect() for _ in range(count)]

    def run(self, streams: Sequence[Iterator[bytes]], each: Callable[[], object] = lambda: None) -> list[float]:
        """Send every request of each connection's stream, and return how long each answer took.

        `each` is called after every answer.
        """
        requests = dict(zip(self._links, streams, strict=True))
        times: list[float] = []
        started: dict[socket.socket, float] = {}
        # A host stands in its project: over HTTP that is all that tells which one a session belongs to.
        with selectors.DefaultSelector() as waiting, contextlib.chdir(self._project):

            def send(link: socket.socket) -> None:
                message = next(requests[link], None)
                if message is None:
                    waiting.unregister(link)
                    return
                started[link] = time.perf_counter()
                link.sendall(message)

            for one in self._links:
                waiting.register(one, selectors.EVENT_READ, one)
                send(one)
            while waiting.get_map():
                for key, _ in waiting.select():
                    link: socket.socket = key.data
                    answer = link.recv(65536)
                    times.append(time.perf_counter() - started[link])
                    assert answer.startswith(b"HTTP/1.1 200 OK\r\n"), answer
                    assert answer.endswith(b"\r\n\r\n{}"), answer
                    each()
                    send(link)
        return times

    def close(self) -> None:
        for link in self._links:
            link.close()


def spawned(command: Sequence[str], stdin: Path, stdout: Path) -> float:
    """Seconds from spawning a command to its end."""
    start = time.perf_counter()
    pid = _spawn(command, stdin, stdout)
    _, status = os.waitpid(pid, 0)
    took = time.perf_counter() - start
    assert status == 0, command
    return took


def spawned_together(command: Sequence[str], files: Sequence[tuple[Path, Path]]) -> float:
    """Seconds from spawning the first of many to the end of the last."""
    start = time.perf_counter()
    pids = [_spawn(command, stdin, stdout) for stdin, stdout in files]
    found = [os.waitpid(pid, 0)[1] for pid in pids]
    took = time.perf_counter() - start
    assert not any(found), command
    return took


def _spawn(command: Sequence[str], stdin: Path, stdout: Path) -> int:
    opens = [
        (os.POSIX_SPAWN_OPEN, 0, str(stdin), os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, str(stdout), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    return os.posix_spawn(command[0], list(command), {"PATH": os.defpath}, file_actions=opens)


def _until(holds: Callable[[], bool], seconds: float = 30) -> None:
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, "it never came about"
        time.sleep(0.002)
