"""The daemon's HTTP side: who is answered, what is refused before it is judged, and what happens when it fails."""

from __future__ import annotations

import os
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from interlock.daemon import web
from interlock.daemon.frames import HookRequest
from interlock.daemon.peers import Process
from interlock.daemon.sessions import ALWAYS_THERE, Caller, Sessions
from interlock.daemon.web import Address, WebServer
from interlock.hosts import Reply
from interlock.jsontext import MAX_BYTES
from interlock.verdict import Verdict
from tests.daemon.spawned import Home, event, until
from tests.daemon.waiting import answer_in, store_of

NO_RM = "{id: no-rm, command: rm, deny: No rm.}"
DENIED = {
    "hookSpecificOutput": {
        "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "No rm.",
    }
}  # fmt: skip
TOKEN = "t" * 43


# --- a host that sends what it is told to ------------------------------------------------------------------------


def rm(session: str = "s1", call: str = "t1") -> bytes:
    return event(session=session, tool_use_id=call, tool_input={"command": "rm x"})


def head(address: Address, size: int, path: str = "/hook/PreToolUse", **changed: str | None) -> bytes:
    """A request's head as the client sends it; a header set to None is left out."""
    fields: dict[str, str | None] = {
        "Accept": "application/json, text/plain, */*", "Content-Type": "application/json",
        "Authorization": f"Bearer {address.token}", "Content-Length": str(size),
        "Host": f"127.0.0.1:{address.port}", "Connection": "keep-alive",
    }  # fmt: skip
    fields |= {name.replace("_", "-"): value for name, value in changed.items()}
    lines = [f"{name}: {value}" for name, value in fields.items() if value is not None]
    return "\r\n".join([f"POST {path} HTTP/1.1", *lines, "", ""]).encode()


def post(address: Address, raw: bytes, name: str = "PreToolUse") -> bytes:
    return head(address, len(raw), f"/hook/{name}") + raw


def answer(connection: socket.socket) -> tuple[int, bytes]:
    """The status and the body of one answer; (0, b"") if there was none."""
    got = b""
    while b"\r\n\r\n" not in got:
        chunk = connection.recv(65536)
        if not chunk:
            return 0, got
        got += chunk
    start, _, body = got.partition(b"\r\n\r\n")
    length = next(int(line[15:]) for line in start.split(b"\r\n") if line.lower().startswith(b"content-length:"))
    while len(body) < length:
        body += connection.recv(65536)
    return int(start.split()[1]), body


def connect(address: Address) -> socket.socket:
    return socket.create_connection(("127.0.0.1", address.port), timeout=30)


def listens(address: Address) -> bool:
    """Whether anybody does; the threads of a process that was killed let go one after the other."""
    try:
        connect(address).close()
    except ConnectionRefusedError:
        return False
    return True


def ask(address: Address, message: bytes) -> tuple[int, bytes]:
    """One request on a connection of its own."""
    with connect(address) as connection:
        connection.sendall(message)
        return answer(connection)


# --- a real daemon ------------------------------------------------------------------------------------------------


@pytest.fixture
def address(home: Home, monkeypatch: pytest.MonkeyPatch) -> Address:
    """A daemon that a spawned client started, which serves HTTP; this process is the host, started in the project."""
    home.policy(NO_RM)
    monkeypatch.chdir(home.project)
    address = web.new_address(home.run_folder)
    home.ask(event("SessionStart", source="startup"), "SessionStart")
    return address


def log(home: Home) -> str:
    return (home.run_folder / "log").read_text("utf-8")


def test_a_host_is_answered_on_a_connection_that_stays(address: Address):
    with connect(address) as connection:
        connection.sendall(post(address, rm()))
        status, body = answer(connection)
        assert (status, json.decode(body)) == (200, DENIED)
        connection.sendall(post(address, event(tool_use_id="t2")))
        assert answer(connection) == (200, b"{}")


def test_the_answer_says_it_is_json_of_its_length(address: Address):
    with connect(address) as connection:
        connection.sendall(post(address, event()))
        assert connection.recv(4096) == (
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
        )


def test_a_connection_is_closed_after_a_request_that_says_so(address: Address):
    raw = event()
    with connect(address) as connection:
        connection.sendall(head(address, len(raw), Connection="close") + raw)
        assert answer(connection) == (200, b"{}")
        assert connection.recv(1) == b""


def test_the_folder_that_the_host_was_started_in_finds_the_policy_and_not_the_events_own(address: Address, home: Home):
    inner = home.project / "inner"
    inner.mkdir()
    (inner / ".git").mkdir()
    raw = json.encode({**json.decode(rm("s2")), "cwd": str(inner)})
    assert json.decode(ask(address, post(address, raw))[1]) == DENIED


def test_a_request_may_come_in_pieces(address: Address):
    message = post(address, rm())
    with connect(address) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for at in range(0, len(message), 50):
            connection.sendall(message[at : at + 50])
        status, body = answer(connection)
        assert (status, json.decode(body)) == (200, DENIED)
        connection.sendall(post(address, event(tool_use_id="t2")))
        assert answer(connection) == (200, b"{}")


@pytest.mark.parametrize(("spare", "withheld"), [(1000, False), (0, True)])
def test_a_result_is_judged_up_to_the_limit_and_withheld_beyond(address: Address, spare: int, withheld: bool):
    assert ask(address, post(address, event())) == (200, b"{}")
    text = "x" * (MAX_BYTES - spare)
    large = event("PostToolUse", tool_response={"stdout": text, "stderr": "", "interrupted": False})
    status, body = ask(address, post(address, large, "PostToolUse"))
    said = json.decode(body).get("hookSpecificOutput", {}).get("updatedToolOutput", {}).get("stdout", "")
    assert (status, said.startswith("[withheld by Interlock: ")) == (200, withheld)
    assert "continue" not in json.decode(body)


def test_sixty_four_connections_are_answered_at_once(address: Address):
    links = [connect(address) for _ in range(64)]

    def judge(number: int) -> list[dict[str, Any]]:
        found = []
        for turn in range(5):
            links[number].sendall(post(address, rm("s1", f"t{number}-{turn}")))
            status, body = answer(links[number])
            assert status == 200
            found.append(json.decode(body))
        return found

    with ThreadPoolExecutor(64) as pool:
        assert list(pool.map(judge, range(64))) == [[DENIED] * 5] * 64
    for link in links:
        link.close()


def test_an_event_sent_as_another_is_not_judged_as_either(address: Address):
    status, body = ask(address, post(address, event("PreToolUse"), "PostToolUse"))
    assert status == 200
    assert json.decode(body)["continue"] is False


def test_garbage_with_the_right_token_is_denied(address: Address):
    status, body = ask(address, post(address, b'{"hook_event_name": '))
    assert status == 200
    assert json.decode(body)["hookSpecificOutput"]["permissionDecision"] == "deny"


# --- what is refused ------------------------------------------------------------------------------------------------

RAW = event()
MALFORMED = {
    "not HTTP": (b"\x16\x03\x01\x02\x00 hello\r\n\r\n", 400),
    "no method": (b"/hook/PreToolUse HTTP/1.1\r\n\r\n", 400),
    "HTTP/0.9": (b"GET /hook/PreToolUse\r\n\r\n", 400),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400),
    "a bare line feed": (b"POST /hook/PreToolUse HTTP/1.1\nHost: x\n\n", 400),
    "a space before the colon": (b"POST /hook/PreToolUse HTTP/1.1\r\nHost : x\r\n\r\n", 400),
    "a folded header": (b"POST /hook/PreToolUse HTTP/1.1\r\nA: b\r\n c\r\nHost: x\r\n\r\n", 400),
    "a NUL in a header": (b"POST /hook/PreToolUse HTTP/1.1\r\nHost: \0\r\n\r\n", 400),
}
REFUSED: dict[str, tuple[dict[str, Any], int]] = {
    "no host": ({"Host": None}, 421),
    "a name that resolves to this machine": ({"Host": "evil.example:{port}"}, 421),
    "a host without the port": ({"Host": "127.0.0.1"}, 421),
    "another port": ({"Host": "127.0.0.1:1"}, 421),
    "no token": ({"Authorization": None}, 401),
    "an empty token": ({"Authorization": "Bearer "}, 401),
    "another token": ({"Authorization": f"Bearer {TOKEN}"}, 401),
    "another scheme": ({"Authorization": "Basic {token}"}, 401),
    "the token's beginning": ({"Authorization": "Bearer {half}"}, 401),
    "more than the token": ({"Authorization": "Bearer {token}x"}, 401),
    "a page in a browser": ({"Origin": "http://127.0.0.1:{port}"}, 403),
    "a path that is none": ({"path": "/"}, 404),
    "an event that is none": ({"path": "/hook/Nonsense"}, 404),
    "an event that HTTP is not for": ({"path": "/hook/SessionStart"}, 404),
    "a command of ours": ({"path": "/hook/:stop"}, 404),
    "a path with more": ({"path": "/hook/PreToolUse?x=1"}, 404),
    "a path that goes up": ({"path": "/hook/../hook/PreToolUse"}, 404),
    "a whole URL": ({"path": "http://127.0.0.1:{port}/hook/PreToolUse"}, 404),
    "a wish to be asked first": ({"Expect": "100-continue"}, 417),
    "no length": ({"Content_Length": None}, 411),
    "chunks": ({"Content_Length": None, "Transfer_Encoding": "chunked"}, 411),
    "chunks and a length": ({"Transfer_Encoding": "chunked"}, 400),
    "another coding": ({"Content_Length": None, "Transfer_Encoding": "gzip"}, 411),
    "a length that is none": ({"Content_Length": "ten"}, 400),
    "a negative length": ({"Content_Length": "-1"}, 400),
    "a length beyond any number": ({"Content_Length": "9" * 40}, 400),
    "too large a body": ({"Content_Length": str((64 << 20) + 1)}, 413),
    "an upgrade": ({"Connection": "Upgrade", "Upgrade": "websocket"}, 400),
    "one header that never ends": ({"X": "x" * 20_000}, 431),
    "very many headers": ({f"X{n}": "x" * 100 for n in range(300)}, 431),
    "a path that never ends": ({"path": "/hook/" + "x" * 20_000}, 431),
}


@pytest.fixture
def judged() -> list[HookRequest]:
    return []


class Judges(Sessions):
    """Sessions that only note what came to be judged."""

    def __init__(self, judged: list[HookRequest], reply: Reply | None = None) -> None:
        self._judged = judged
        self._reply = reply or Reply(stdout=b"{}", verdict=Verdict())

    def answer(self, request: HookRequest, host: Process | None, caller: Caller = ALWAYS_THERE) -> Reply:
        self._judged.append(request)
        return self._reply


@contextmanager
def served(sessions: Sessions, folder: Path) -> Iterator[Address]:
    address = web.new_address(folder)
    server = WebServer(address, sessions)
    server.start()
    try:
        yield address
    finally:
        server.stop()


@pytest.mark.parametrize("what", MALFORMED)
def test_what_is_no_request_is_refused(what: str, judged: list[HookRequest], tmp_path: Path):
    message, status = MALFORMED[what]
    with served(Judges(judged), tmp_path) as address, connect(address) as connection:
        connection.sendall(message)
        assert answer(connection) == (status, b"")
        assert connection.recv(1) == b""
    assert judged == []


@pytest.mark.parametrize("what", REFUSED)
def test_a_request_that_is_not_a_hosts_is_refused(what: str, judged: list[HookRequest], tmp_path: Path):
    changed, status = REFUSED[what]
    with served(Judges(judged), tmp_path) as address, connect(address) as connection:
        known = {"port": address.port, "token": address.token, "half": address.token[:20]}
        filled = {name: value.format(**known) if value else value for name, value in changed.items()}
        connection.sendall(head(address, len(RAW), **filled) + RAW)
        assert answer(connection) == (status, b"")
        assert connection.recv(1) == b""
    assert judged == []


@pytest.mark.parametrize("method", ["GET", "PUT", "OPTIONS", "HEAD", "DELETE", "CONNECT"])
def test_another_method_is_refused(method: str, judged: list[HookRequest], tmp_path: Path):
    with served(Judges(judged), tmp_path) as address:
        message = post(address, RAW).replace(b"POST", method.encode(), 1)
        assert ask(address, message)[0] in (400, 405)
    assert judged == []


@pytest.mark.parametrize("name", ["Host", "Authorization", "Content-Length"])
def test_a_header_that_counts_comes_once(name: str, judged: list[HookRequest], tmp_path: Path):
    with served(Judges(judged), tmp_path) as address:
        message = post(address, RAW)
        line = next(line for line in message.split(b"\r\n") if line.startswith(name.encode()))
        assert ask(address, message.replace(line, line + b"\r\n" + line, 1)) == (400, b"")
    assert judged == []


def test_localhost_is_our_name_too(judged: list[HookRequest], tmp_path: Path):
    with served(Judges(judged), tmp_path) as address:
        message = head(address, len(RAW), Host=f"LocalHost:{address.port}") + RAW
        assert ask(address, message) == (200, b"{}")
    assert [(one.event, one.project, one.raw) for one in judged] == [("PreToolUse", Path.cwd(), RAW)]


@pytest.mark.parametrize("second", [None, b"GET / HTTP/1.1\r\n\r\n", b"P"])
def test_two_requests_at_once_are_both_refused(second: bytes | None, judged: list[HookRequest], tmp_path: Path):
    with served(Judges(judged), tmp_path) as address:
        message = post(address, RAW)
        assert ask(address, message + (message if second is None else second)) == (400, b"")
    assert judged == []


def test_the_body_of_a_request_without_the_token_is_not_waited_for(judged: list[HookRequest], tmp_path: Path):
    with served(Judges(judged), tmp_path) as address:
        assert ask(address, head(address, 60 << 20, Authorization=None)) == (401, b"")


def test_a_request_that_trickles_in_is_given_up(
    judged: list[HookRequest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(web, "_ARRIVAL", 0.05)
    with served(Judges(judged), tmp_path) as address, connect(address) as connection:
        connection.sendall(post(address, RAW)[:-1])
        assert answer(connection) == (408, b"")
    assert judged == []


def test_a_request_that_never_ends_is_given_up(
    judged: list[HookRequest], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(web, "_ARRIVAL", 0.05)
    with served(Judges(judged), tmp_path) as address, connect(address) as connection:
        connection.sendall(head(address, 60 << 20))
        with pytest.raises((BrokenPipeError, ConnectionResetError)):
            trickle(connection)
    assert judged == []


def trickle(connection: socket.socket) -> None:
    while True:
        connection.sendall(b"x")


def test_a_connection_may_rest_longer_than_a_request_may_take(judged: list[HookRequest], tmp_path: Path):
    server = WebServer(web.new_address(tmp_path), Judges(judged))
    server.start()
    with connect(server._address) as connection:
        for _ in range(2):
            message = post(server._address, RAW)
            connection.sendall(message[:-1])
            until(lambda: 0 < patience_of(server) <= web._ARRIVAL + 1)
            connection.sendall(message[-1:])
            assert answer(connection) == (200, b"{}")
            until(lambda: patience_of(server) > web._IDLE - 1)
    server.stop()


def patience_of(server: WebServer) -> float:
    """How long the server would wait for its one connection."""
    for connection in server._open:
        seconds, millionths = struct.unpack("ll", connection.getsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, 16))
        return float(seconds + millionths / 1e6)
    return 0.0


def test_a_connection_that_says_nothing_is_closed(judged: list[HookRequest], tmp_path: Path, monkeypatch):
    monkeypatch.setattr(web, "_ARRIVAL", 0.05)
    with served(Judges(judged), tmp_path) as address, connect(address) as connection:
        assert connection.recv(1) == b""


def test_a_connection_that_rests_too_long_is_closed(judged: list[HookRequest], tmp_path: Path, monkeypatch):
    monkeypatch.setattr(web, "_IDLE", 0.05)
    with served(Judges(judged), tmp_path) as address, connect(address) as connection:
        connection.sendall(post(address, RAW))
        assert answer(connection) == (200, b"{}")
        assert connection.recv(1) == b""


def test_half_a_request_is_not_judged(judged: list[HookRequest], tmp_path: Path):
    with served(Judges(judged), tmp_path) as address, connect(address) as connection:
        connection.sendall(post(address, RAW)[:-1])
        connection.shutdown(socket.SHUT_WR)
        assert answer(connection) == (400, b"")
    assert judged == []


def test_when_there_are_too_many_the_one_that_rests_longest_goes(
    judged: list[HookRequest], tmp_path: Path, monkeypatch
):
    monkeypatch.setattr(web, "_MOST", 2)
    with served(Judges(judged), tmp_path) as address:
        first, second = connect(address), connect(address)
        for connection in (first, second):
            connection.sendall(post(address, RAW))
            assert answer(connection) == (200, b"{}")
        with first, second, connect(address) as third:
            third.sendall(post(address, RAW))
            assert answer(third) == (200, b"{}")
            assert first.recv(1) == b""
            second.sendall(post(address, RAW))
            assert answer(second) == (200, b"{}")


def test_when_nobody_rests_the_next_one_is_turned_away(judged: list[HookRequest], tmp_path: Path, monkeypatch):
    monkeypatch.setattr(web, "_MOST", 1)
    with served(Judges(judged), tmp_path) as address, connect(address) as first:
        first.sendall(post(address, RAW)[:-1])
        with connect(address) as second:
            assert answer(second) == (503, b"")
        first.sendall(RAW[-1:])
        assert answer(first) == (200, b"{}")


@pytest.mark.parametrize(
    "reply",
    [
        Reply(stdout=b"", exit_code=2, verdict=Verdict()),
        Reply(stdout=b"{}", exit_code=2, verdict=Verdict()),
        Reply(stdout=b"", verdict=Verdict()),
    ],
)
def test_what_only_an_exit_code_could_say_is_a_failure(reply: Reply, judged: list[HookRequest], tmp_path: Path):
    with served(Judges(judged, reply), tmp_path) as address:
        assert ask(address, post(address, RAW)) == (500, b"")


def test_a_refusal_in_words_goes_with_its_exit_code_left_out(judged: list[HookRequest], tmp_path: Path):
    with served(Judges(judged, Reply(stdout=b'{"a":1}', exit_code=2, verdict=Verdict())), tmp_path) as address:
        assert ask(address, post(address, RAW)) == (200, b'{"a":1}')


def test_a_bug_of_ours_is_a_failure(judged: list[HookRequest], tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    class Buggy(Judges):
        def answer(self, request: HookRequest, host: Process | None, caller: Caller = ALWAYS_THERE) -> Reply:
            raise ZeroDivisionError("oh")

    with served(Buggy(judged), tmp_path) as address:
        assert ask(address, post(address, RAW)) == (500, b"")
    assert "Interlock itself failed: ZeroDivisionError: oh" in capfd.readouterr().err


def test_a_request_that_is_at_work_when_we_stop_is_answered(judged: list[HookRequest], tmp_path: Path):
    inside, go = threading.Event(), threading.Event()

    class Slow(Judges):
        def answer(self, request: HookRequest, host: Process | None, caller: Caller = ALWAYS_THERE) -> Reply:
            inside.set()
            assert go.wait(30)
            return super().answer(request, host)

    address = web.new_address(tmp_path)
    server = WebServer(address, Slow(judged))
    server.start()
    with connect(address) as connection, connect(address) as idle:
        connection.sendall(post(address, RAW))
        assert inside.wait(30)
        stopping = threading.Thread(target=server.stop)
        stopping.start()
        assert idle.recv(1) == b""
        go.set()
        assert answer(connection) == (200, b"{}")
        stopping.join(30)
        assert not stopping.is_alive()
    assert not listens(address)


def test_a_port_that_is_taken_is_served_once_it_is_free(judged: list[HookRequest], tmp_path: Path, capfd):
    address = web.new_address(tmp_path)
    with socket.create_server(("127.0.0.1", address.port)):
        server = WebServer(address, Judges(judged))
        server.start()
        assert server.problem is not None
        assert f"cannot listen on 127.0.0.1:{address.port}" in capfd.readouterr().err
    until(lambda: server.problem is None)
    assert ask(address, post(address, RAW)) == (200, b"{}")
    server.stop()


# --- who is it ------------------------------------------------------------------------------------------------------

POSTS = """
import socket, sys
port, message = int(sys.argv[1]), sys.stdin.buffer.read()
with socket.create_connection(("127.0.0.1", port)) as connection:
    connection.sendall(message)
    sys.stdout.buffer.write(connection.recv(65536))
"""


def posted_by_another(address: Address, message: bytes) -> bytes:
    command = [sys.executable, "-I", "-S", "-c", POSTS, str(address.port)]
    return subprocess.run(command, input=message, capture_output=True, check=True, timeout=60).stdout


def test_another_process_cannot_speak_for_the_session_even_with_the_token(address: Address, home: Home):
    assert ask(address, post(address, event()))[0] == 200
    forged = event("PostToolUse", tool_response={"stdout": "done", "stderr": "", "interrupted": False})
    said = posted_by_another(address, post(address, forged, "PostToolUse"))
    body = json.decode(said.partition(b"\r\n\r\n")[2])
    assert f"not raised by the session's host (process {os.getpid()})" in json.encode(body).decode()
    status, body = ask(address, post(address, forged, "PostToolUse"))
    assert (status, list(json.decode(body))) == (200, ["systemMessage"]), "nothing is installed here, and that is told"


def test_a_session_of_its_own_is_another_processes_to_speak_for(address: Address, home: Home):
    raw = event(session="s2", cwd=str(home.project))
    assert posted_by_another(address, post(address, raw)).endswith(b"\r\n\r\n{}")


def test_a_host_known_by_its_spawned_client_is_the_one_that_posts(address: Address, home: Home):
    """SessionStart came by a client that this process spawned."""
    assert ask(address, post(address, event())) == (200, b"{}")
    assert b"deny" in posted_by_another(address, post(address, event(tool_use_id="t2")))


def test_a_peer_that_is_gone_is_not_answered_as_the_host(address: Address, home: Home):
    with connect(address) as connection:
        connection.sendall(post(address, rm("s9")))
    until(lambda: status(home) >= 1)
    assert ask(address, post(address, rm("s9", "t2")))[0] == 200


def status(home: Home) -> int:
    from interlock.daemon.control import status_of

    found = status_of(home.socket)
    assert found is not None
    return found.answered


# --- when the daemon goes -------------------------------------------------------------------------------------------


def test_a_daemon_that_is_killed_answers_nothing_and_the_next_one_has_the_port(address: Address, home: Home):
    pid = home.pid
    with connect(address) as connection:
        connection.sendall(post(address, rm())[:-1])
        os.kill(pid, signal.SIGKILL)
        try:
            found = answer(connection)
        except ConnectionResetError:
            found = (0, b"")
        assert found == (0, b"")
    until(lambda: not listens(address))
    home.ask(event("UserPromptSubmit", prompt="go"), "UserPromptSubmit")
    until(lambda: listens(address))
    assert json.decode(ask(address, post(address, rm()))[1]) == DENIED


def test_a_daemon_that_is_stopped_leaves_the_port(address: Address, home: Home):
    with connect(address) as connection:
        connection.sendall(post(address, event()))
        assert answer(connection)[0] == 200
        home.stop()
        assert connection.recv(1) == b""
    assert not listens(address)


# --- a person is asked --------------------------------------------------------------------------------------------


def test_a_call_over_http_waits_for_a_person_while_others_are_answered(address: Address, home: Home):
    home.policy('{id: push, command: git push, ask: "Push?"}')
    with connect(address) as waits, store_of(home) as store:
        waits.sendall(post(address, event(tool_input={"command": "git push"})))
        until(lambda: store.requests(["waiting"]))
        assert ask(address, post(address, event(tool_use_id="t2"))) == (200, b"{}")
        answer_in(store, store.requests(["waiting"])[0])
        status, body = answer(waits)
    assert (status, json.decode(body)["hookSpecificOutput"]["permissionDecision"]) == (200, "allow")


def test_a_host_that_hangs_up_while_a_person_is_asked_leaves_the_request_open(address: Address, home: Home):
    home.policy('{id: push, command: git push, ask: "Push?"}')
    with store_of(home) as store:
        with connect(address) as waits:
            waits.sendall(post(address, event(tool_input={"command": "git push"})))
            until(lambda: store.requests(["waiting"]))
        until(lambda: [one.status for one in store.requests()] == ["open"])


def test_connections_that_wait_for_a_person_do_not_count_as_crowd(address: Address, home: Home):
    home.policy('{id: push, command: git push, ask: "Push?"}')
    with ExitStack() as stack, store_of(home) as store:
        for number in range(140):
            line = stack.enter_context(connect(address))
            line.sendall(post(address, event(tool_input={"command": "git push"}, tool_use_id=f"w{number}")))
        until(lambda: len(store.requests(["waiting"])) == 140, 60)
        assert ask(address, post(address, event(tool_use_id="t2"))) == (200, b"{}")
