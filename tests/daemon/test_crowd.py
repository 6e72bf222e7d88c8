"""Whoever crowds the daemon, its owner is answered: other users are refused, idle connections make room."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from msgspec import json

from interlock.daemon import server, web
from interlock.daemon.frames import HookRequest, read_answer
from interlock.daemon.peers import Process
from interlock.daemon.server import Server
from interlock.daemon.sessions import ALWAYS_THERE, Caller
from interlock.daemon.web import Address, WebServer
from interlock.hosts import Reply
from interlock.spawn.exchange import request
from tests.daemon.spawned import Home, event, until
from tests.daemon.test_web import DENIED, NO_RM, RAW, Judges, answer, ask, connect, head, post, rm, served

NOBODY = 65_534
CROWD = 140

# Opens connections as another user, keeps them until its standard input ends, then tells what each of them got.
CROWDS = """
import os, socket, sys
user, count, message = int(sys.argv[2]), int(sys.argv[3]), bytes.fromhex(sys.argv[4])
os.setgroups([]); os.setgid(user); os.setuid(user)
where = sys.argv[1] if sys.argv[1].startswith("/") else ("127.0.0.1", int(sys.argv[1]))
links = []
for _ in range(count):
    link = socket.socket(socket.AF_UNIX if isinstance(where, str) else socket.AF_INET)
    link.settimeout(30)
    try:
        link.connect(where)
        link.sendall(message)
    except OSError:
        pass
    links.append(link)
print("ready", flush=True)
sys.stdin.read()
for link in links:
    got = b""
    try:
        while chunk := link.recv(4096):
            got += chunk
    except OSError:
        pass
    print(got[:12], flush=True)
"""


@contextmanager
def another_user(where: str, count: int = CROWD, message: bytes = b"") -> Iterator[list[str]]:
    """Another user's process that holds connections; what it heard on each is in the list afterwards."""
    if os.getuid() != 0:
        pytest.skip("only root can act as another user")
    heard: list[str] = []
    command = [sys.executable, "-I", "-S", "-c", CROWDS, where, str(NOBODY), str(count), message.hex()]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield heard
        said, _ = process.communicate(timeout=60)
        heard += said.splitlines()


@pytest.fixture
def judged() -> list[HookRequest]:
    return []


# --- other users --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", ["nothing", "half a head", "a whole request with the token", "no HTTP"])
def test_another_users_http_connections_are_refused_at_once_and_the_owner_is_answered(
    sent: str, judged: list[HookRequest], tmp_path: Path
):
    with served(Judges(judged), tmp_path) as address:
        messages = {"nothing": b"", "half a head": head(address, 9)[:40], "no HTTP": b"\x16\x03\x01"}
        with another_user(str(address.port), message=messages.get(sent, post(address, RAW))) as heard:
            for _ in range(3):
                assert ask(address, post(address, RAW)) == (200, b"{}")
        assert len(heard) == CROWD
        assert set(heard) <= {"b'HTTP/1.1 403'", "b''"}  # told, or cut off before it could read
    assert len(judged) == 3


def test_a_real_daemon_crowded_by_another_user_answers_its_owner(home: Home, monkeypatch: pytest.MonkeyPatch):
    home.policy(NO_RM)
    monkeypatch.chdir(home.project)
    address = web.new_address(home.run_folder)
    home.ask(event("SessionStart", source="startup", cwd=str(home.project)), "SessionStart")
    with another_user(str(address.port)):
        status, body = ask(address, post(address, rm()))
        assert (status, json.decode(body)) == (200, DENIED)


def test_another_user_who_reaches_the_socket_is_dropped_at_once(judged: list[HookRequest], tmp_path: Path):
    """The folder keeps other users out; where somebody has opened it, the daemon still looks who comes."""
    with listening(judged, tmp_path) as path:
        open_to_everybody(path)
        with another_user(str(path), 300) as heard:
            assert asked(path) == b"{}"
        assert heard == ["b''"] * 300


def open_to_everybody(path: Path) -> None:
    path.chmod(0o777)
    for folder in path.parents:
        if folder.stat().st_uid == os.getuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)


# --- the owner's own crowd ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("sent", [b"", b"POST /hook/PreToolUse HTTP/1.1\r\nHost: x"], ids=["idle", "half a head"])
def test_connections_without_the_token_make_room_for_one_with_it(
    sent: bytes, judged: list[HookRequest], tmp_path: Path
):
    with served(Judges(judged), tmp_path) as address, ExitStack() as crowd:
        rests = crowd.enter_context(connect(address))
        rests.sendall(post(address, RAW))
        assert answer(rests) == (200, b"{}")
        for _ in range(2 * web._MOST):
            crowd.enter_context(connect(address)).sendall(sent)
        assert ask(address, post(address, RAW)) == (200, b"{}")
        rests.sendall(post(address, RAW))  # a host's connection that rests is not what goes first
        assert answer(rests) == (200, b"{}")


def test_a_request_with_the_token_that_is_still_coming_is_not_dropped(
    judged: list[HookRequest], tmp_path: Path, monkeypatch
):
    monkeypatch.setattr(web, "_MOST", 1)
    web_server = WebServer(web.new_address(tmp_path), Judges(judged))
    web_server.start()
    with connect(web_server._address) as first:
        message = post(web_server._address, RAW)
        first.sendall(message[:-1])
        until(lambda: any(reader.has_token for reader in web_server._strange.values()))
        with connect(web_server._address) as second:
            assert answer(second) == (503, b"")
        first.sendall(message[-1:])
        assert answer(first) == (200, b"{}")
    web_server.stop()


def test_without_a_thread_for_it_a_connection_is_turned_away_and_the_next_one_is_served(
    judged: list[HookRequest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    with served(Judges(judged), tmp_path) as address:
        start = threading.Thread.start

        def refuse(thread: threading.Thread) -> None:
            if thread.name == "interlock-host":
                raise RuntimeError("can't start new thread")
            start(thread)

        with monkeypatch.context() as patched:
            patched.setattr(threading.Thread, "start", refuse)
            assert turned_away(address) == 503
        assert ask(address, post(address, RAW)) == (200, b"{}")
    assert "cannot start another thread" in capfd.readouterr().err


def turned_away(address: Address) -> int:
    with connect(address) as connection:
        return answer(connection)[0]


@contextmanager
def listening(judged: list[HookRequest], folder: Path) -> Iterator[Path]:
    """The daemon's socket, served in this process."""
    path = folder / "socket"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen(512)
        served_here = Server(listener, path, Judges(judged))
        thread = threading.Thread(target=served_here.run)
        thread.start()
        try:
            yield path
        finally:
            served_here.stop()
            thread.join(30)


def asked(path: Path) -> bytes:
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(30)
        link.connect(str(path))
        link.sendall(request("PreToolUse", "/", RAW))
        return read_answer(link)


@pytest.mark.parametrize("sent", [b"", b"ILK1"], ids=["idle", "half a request"])
def test_idle_connections_to_the_socket_make_room_for_a_client(sent: bytes, judged: list[HookRequest], tmp_path: Path):
    with listening(judged, tmp_path) as path, ExitStack() as crowd:
        for _ in range(server._MOST + 20):
            link = crowd.enter_context(socket.socket(socket.AF_UNIX))
            link.connect(str(path))
            link.sendall(sent)
        assert asked(path) == b"{}"


def test_a_client_that_is_being_answered_is_not_dropped_for_an_idle_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(server, "_MOST", 3)
    monkeypatch.setattr(server, "_SPARE", 1)
    inside, go = threading.Event(), threading.Event()

    class Slow(Judges):
        def answer(self, request: HookRequest, host: Process | None, caller: Caller = ALWAYS_THERE) -> Reply:
            inside.set()
            assert go.wait(30)
            return super().answer(request, host)

    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listener, ExitStack() as crowd:
        listener.bind(str(path))
        listener.listen(64)
        slow = Server(listener, path, Slow([]))
        running = threading.Thread(target=slow.run)
        running.start()
        link = crowd.enter_context(socket.socket(socket.AF_UNIX))
        link.connect(str(path))
        link.sendall(request("PreToolUse", "/", RAW))
        assert inside.wait(30)
        idle = [crowd.enter_context(socket.socket(socket.AF_UNIX)) for _ in range(8)]
        for one in idle:
            one.connect(str(path))
        assert idle[0].recv(1) == b""  # it made room
        go.set()
        link.settimeout(30)
        assert read_answer(link) == b"{}"
        slow.stop()
        running.join(30)
