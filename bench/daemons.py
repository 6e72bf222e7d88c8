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
from typing import Any
from urllib.parse import urlsplit

from bench.events import EVENT, encoded
from bench.rules import bash_rules, policy_text, write_rules

__all__ = ["Home", "Links", "spawned", "spawned_together"]

# A client that HTTP hooks may be used with, for installing them where there is none.
_ANY_CLIENT = "#!/bin/sh\necho '2.1.325 (Claude Code)'\n"
_numbers = itertools.count()


class Home:
    """A person's home with one guarded project, installed by the commands that a person would type.

    Nothing of the package is imported: what is measured is what `interlock init` wrote into the settings, in this
    checkout and in any other.
    """

    def __init__(self, folder: Path, rules: int = 100, transport: str = "http", more: Sequence[str] = ()) -> None:
        """`more` are further rules, as they are written in a policy."""
        self.folder = folder
        self.home, self.project = folder / "home", folder / "shop"
        self.home.mkdir(parents=True, mode=0o700)
        half = rules // 2
        texts = bash_rules(rules, 10) if rules <= 100 else [*bash_rules(half, 10), *write_rules(half)]
        self._policy = policy_text([*texts, *more])
        self.add_project(self.project)
        client = folder / "client"
        client.write_text(_ANY_CLIENT, encoding="utf-8")
        client.chmod(0o755)
        self.interlock("init", "--yes", "--transport", transport, "--client", str(client))
        self.entries = self._entries()
        self._daemon: subprocess.Popen[bytes] | None = None

    def add_project(self, folder: Path) -> None:
        """Put a project under the policy."""
        (folder / ".git").mkdir(parents=True)
        (folder / "interlock.yaml").write_text(self._policy, encoding="utf-8")
        self.interlock("trust", "--yes", cwd=folder)

    @property
    def settings(self) -> Path:
        return self.project / ".claude" / "settings.local.json"

    @property
    def socket_path(self) -> Path:
        return Path(self.command("SessionStart")[5])

    def interlock(self, *arguments: str, cwd: Path | None = None) -> None:
        """Run a command of Interlock as a person would here."""
        ran = subprocess.run(
            [sys.executable, "-I", "-m", "interlock", *arguments],
            cwd=cwd or self.project, env=self._environment(), capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def _environment(self) -> dict[str, str]:
        return {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(self.home)}

    def _entries(self) -> dict[str, dict[str, Any]]:
        """What was installed for each event."""
        hooks = json.loads(self.settings.read_text(encoding="utf-8"))["hooks"]
        return {event: groups[0]["hooks"][0] for event, groups in hooks.items()}

    # --- the daemon ----------------------------------------------------------------------------------------------

    def serve(self, *, record: bool = True) -> int:
        """Start a daemon, as the first event of a session does or as one that records nothing; its process."""
        if record:
            stdin, stdout = self.folder / "first", self.folder / "first-answer"
            stdin.write_bytes(self.event("SessionStart"))
            spawned(self.command("SessionStart"), stdin, stdout)
        else:
            command = [sys.executable, "-I", "-m", "interlock", "serve", "--record", "off"]
            with Path(self.folder / "log").open("ab") as log:
                self._daemon = subprocess.Popen(
                    command, cwd=self.project, env=self._environment(), stdout=log, stderr=log
                )
        _until(self._answers)
        return self.pid()

    def pid(self) -> int:
        return int((self.socket_path.parent / "pid").read_text("ascii"))

    def computed(self) -> float:
        """The seconds that the daemon has computed so far, in all its threads."""
        threads = Path(f"/proc/{self.pid()}/task").iterdir()
        return sum(int((thread / "schedstat").read_text("ascii").split()[0]) for thread in threads) / 1e9

    def stop(self) -> None:
        """End the daemon, however it was started."""
        place = self.socket_path.parent / "pid"
        if self._daemon is not None:
            self._daemon.terminate()
            self._daemon.wait()
            self._daemon = None
        elif place.exists():
            pid = self.pid()
            place.unlink()
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            # Until then a client could still connect, and be cut off instead of starting another daemon.
            _until(lambda: not self._listens())

    def _listens(self) -> bool:
        # A socket's name may only be short, so it is named from its folder.
        with contextlib.chdir(self.socket_path.parent), socket.socket(socket.AF_UNIX) as probe:
            return probe.connect_ex(self.socket_path.name) == 0

    def _answers(self) -> bool:
        try:
            self.connect().close()
        except ConnectionRefusedError:
            assert self._daemon is None or self._daemon.poll() is None, Path(self.folder / "log").read_text("utf-8")
            return False
        return True

    # --- its hosts -----------------------------------------------------------------------------------------------

    def event(
        self, name: str = "PreToolUse", session: str = "bench", call: int | None = None, command: str | None = None
    ) -> bytes:
        """An event that was never seen before: one that is delivered again is not judged again."""
        event = {**EVENT, "hook_event_name": name, "session_id": session, "cwd": str(self.project)}
        if command is not None:
            event["tool_input"] = {"command": command}
        event["tool_use_id"] = f"toolu_{next(_numbers) if call is None else call:020}"
        if name == "PostToolUse":
            event["tool_response"] = {"stdout": "ok\n" * 20, "stderr": "", "interrupted": False}
        if name == "SessionStart":
            event["source"] = "startup"
        return encoded(event) + b"\n"

    def command(self, event: str = "PreToolUse") -> list[str]:
        """What a host spawns for an event, also where the installed entry sends it over HTTP."""
        # The session's start is spawned with either transport: it is what starts a daemon.
        entry = self.entries["SessionStart"]
        places = {"SessionStart": event, "${CLAUDE_PROJECT_DIR}": str(self.project)}
        return [entry["command"], *(places.get(word, word) for word in entry["args"])]

    @property
    def port(self) -> int:
        return urlsplit(self.entries["PreToolUse"]["url"]).port or 0

    def request(self, raw: bytes, name: str = "PreToolUse") -> bytes:
        """A request as the real client sends it."""
        entry = self.entries[name]
        head = (
            f"POST {urlsplit(entry['url']).path} HTTP/1.1\r\nAccept: application/json, text/plain, */*\r\n"
            f"Content-Type: application/json\r\nAuthorization: {entry['headers']['Authorization']}\r\n"
            f"User-Agent: bench\r\nContent-Length: {len(raw)}\r\nAccept-Encoding: gzip, compress, deflate, br\r\n"
            f"Host: 127.0.0.1:{self.port}\r\nConnection: keep-alive\r\n\r\n"
        )
        return head.encode() + raw

    def requests(self, count: int, session: str = "bench") -> Iterator[bytes]:
        return (self.request(self.event(session=session)) for _ in range(count))

    def connect(self) -> socket.socket:
        link = socket.create_connection(("127.0.0.1", self.port))
        link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return link


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
