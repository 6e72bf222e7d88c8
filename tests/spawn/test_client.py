"""The spawned client: whatever goes wrong, the event's failing answer, and nothing imported on the way."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec import json

import interlock
from interlock.event import EVENTS
from interlock.hosts.claude_code.fail import fail
from interlock.spawn import exchange
from tests.daemon.spawned import CLIENT, Home, event, peer

DENIED = exchange.failing("PreToolUse")


def failing(name: str) -> tuple[bytes, bytes, int]:
    return exchange.failing(name)


@pytest.mark.parametrize("name", [*EVENTS, "AnEventOfNextYear"])
def test_its_constant_answers_are_those_of_the_dialect(name: str):
    reply = fail(name, exchange.WHY)
    assert failing(name) == (reply.stdout, reply.stderr.encode(), reply.exit_code)


def test_it_is_of_the_packages_version():
    assert interlock.__version__ == exchange.VERSION


def test_it_imports_only_what_is_built_in():
    """Run to its end, since what is imported late costs as much."""
    code = f"import posix, sys\nbefore = set(sys.modules)\nsys.argv = [{str(CLIENT)!r}]\n"
    code += "posix._exit = lambda code: (print(sorted(set(sys.modules) - before)), sys.stdout.flush(), exit())\n"
    code += (
        f"exec(compile(open({str(CLIENT)!r}).read(), 'c', 'exec'), {{'__name__': '__main__', '__file__': sys.argv[0]}})"
    )
    ended = subprocess.run([sys.executable, "-I", "-S", "-c", code], input=b"", capture_output=True, check=False)
    assert ended.stdout.splitlines()[-1] == b"['_socket']"


@pytest.mark.parametrize(
    ("name", "code"), [("PreToolUse", 2), ("PermissionRequest", 1), ("Stop", 0), ("ConfigChange", 2)]
)
def test_what_cannot_even_be_loaded_refuses_by_its_exit_code(tmp_path: Path, name: str, code: int):
    alone = shutil.copy(CLIENT, tmp_path)
    words = [sys.executable, "-I", "-S", alone, name, "/s", "/p"]
    ended = subprocess.run(words, input=b"{}", capture_output=True, check=False)
    assert (ended.stdout, ended.returncode) == (b"", code)


def half_a_header(connection: socket.socket) -> None:
    connection.sendall(exchange.MAGIC)


def half_an_answer(connection: socket.socket) -> None:
    connection.sendall(exchange.MAGIC + bytes((0, 0)) + (99).to_bytes(4) + (0).to_bytes(4) + b"{}")


def nothing(connection: socket.socket) -> None:
    connection.recv(1)


def another_language(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n{}")


def more_than_it_said(connection: socket.socket) -> None:
    connection.sendall(exchange.MAGIC + bytes((0, 0)) + (2).to_bytes(4) + (0).to_bytes(4) + b"{}{}")


def another_version_for_ever(connection: socket.socket) -> None:
    connection.recv(1 << 16)
    connection.sendall(exchange.MAGIC + bytes((exchange.OTHER_VERSION, 0)) + bytes(8))


def signs_of_life_for_ever(connection: socket.socket) -> None:
    connection.sendall(exchange.STILL_WORKING * (exchange.MOST_BEATS + 1))
    connection.recv(1 << 16)


def let_everything_pass(connection: socket.socket) -> None:
    """An answer as good as any: whether it is taken depends on who gives it."""
    connection.recv(1 << 16)
    connection.sendall(exchange.MAGIC + bytes((0, 0)) + (2).to_bytes(4) + (0).to_bytes(4) + b"{}")


PEERS = [half_a_header, half_an_answer, nothing, another_language, more_than_it_said, another_version_for_ever,
         signs_of_life_for_ever]  # fmt: skip


@pytest.mark.parametrize("behave", PEERS, ids=lambda behave: behave.__name__)
@pytest.mark.parametrize("name", ["PreToolUse", "PermissionRequest", "PostToolUse", "Stop"])
def test_a_peer_that_does_not_answer_properly_is_no_answer(home: Home, behave, name: str, monkeypatch):
    monkeypatch.chdir(home.home.parent)
    with peer(home, behave):
        ended = home.ask(name=name)
    assert (ended.stdout, ended.stderr, ended.returncode) == failing(name)


def test_a_peer_that_answers_is_believed_to_the_byte(home: Home, monkeypatch):
    def answer(connection: socket.socket) -> None:
        connection.recv(1 << 16)
        connection.sendall(exchange.STILL_WORKING * 3)
        frame = exchange.MAGIC + bytes((0, 7)) + (3).to_bytes(4) + (2).to_bytes(4) + b"{}\n" + b"no"
        for place in range(len(frame)):
            connection.sendall(frame[place : place + 1])

    monkeypatch.chdir(home.home.parent)
    with peer(home, answer):
        ended = home.ask()
    assert (ended.stdout, ended.stderr, ended.returncode) == (b"{}\n", b"no", 7)


def impatient(folder: Path) -> Path:
    """A client that waits a hundredth as long."""
    text = Path(exchange.__file__).read_text("utf-8")
    (folder / "spawn").mkdir()
    (folder / "spawn" / "exchange.py").write_text(text.replace("SILENCE = 20.0", "SILENCE = 0.2"), "utf-8")
    return Path(shutil.copy(CLIENT, folder))


def test_a_peer_that_trickles_is_left_when_it_falls_silent(home: Home, monkeypatch, tmp_path):
    """With a shorter patience, so that the test need not wait as long as a person would."""
    monkeypatch.setattr("tests.daemon.spawned.CLIENT", impatient(tmp_path))
    monkeypatch.chdir(home.home.parent)

    def trickle(connection: socket.socket) -> None:
        connection.recv(1 << 16)
        connection.sendall(exchange.MAGIC)
        connection.recv(1 << 16)  # until the client is gone

    with peer(home, trickle):
        ended = home.ask()
    assert (ended.stdout, ended.stderr, ended.returncode) == DENIED


def test_an_input_that_never_ends_is_not_waited_for(home: Home, monkeypatch, tmp_path):
    monkeypatch.setattr("tests.daemon.spawned.CLIENT", impatient(tmp_path))
    with home.spawn() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(b'{"hook_event_name":')
        process.stdin.flush()
        assert process.stdout.read() == DENIED[0]
        process.stdin.close()
    assert process.returncode == DENIED[2]


@pytest.mark.parametrize("mode", [0o750, 0o701, 0o755])
def test_a_socket_in_a_folder_that_others_may_enter_is_not_used(home: Home, monkeypatch, mode: int):
    monkeypatch.chdir(home.home.parent)
    with peer(home, let_everything_pass):
        assert home.ask().stdout == b"{}"
        home.run_folder.chmod(mode)
        ended = home.ask()
    assert (ended.stdout, ended.returncode) == (DENIED[0], DENIED[2])


def test_a_socket_that_others_may_write_to_is_not_used(home: Home, monkeypatch):
    monkeypatch.chdir(home.home.parent)
    with peer(home, let_everything_pass):
        home.socket.chmod(0o666)
        ended = home.ask()
    assert (ended.stdout, ended.returncode) == (DENIED[0], DENIED[2])


def test_a_socket_that_is_a_link_is_not_used(home: Home, monkeypatch):
    monkeypatch.chdir(home.home.parent)
    with peer(home, let_everything_pass):
        home.socket.rename(home.run_folder / "other")
        home.socket.symlink_to("other")
        ended = home.ask()
    assert (ended.stdout, ended.returncode) == (DENIED[0], DENIED[2])


AS_ROOT = pytest.mark.skipif(os.getuid() != 0, reason="needs root to be somebody else")


@AS_ROOT
@pytest.mark.parametrize("given_away", ["socket", "folder"])
def test_somebody_elses_socket_is_not_used(home: Home, monkeypatch, given_away: str):
    monkeypatch.chdir(home.home.parent)
    with peer(home, let_everything_pass):
        os.chown(home.socket if given_away == "socket" else home.run_folder, 12345, 12345)
        ended = home.ask()
    assert (ended.stdout, ended.returncode) == (DENIED[0], DENIED[2])


@AS_ROOT
def test_somebody_else_who_listens_on_our_socket_is_not_believed(home: Home):
    """The socket is ours, and so is its folder; only the process behind it is not."""
    home.run_folder.mkdir(parents=True, mode=0o700)
    code = (
        "import os, socket, sys\n"
        "os.chdir(sys.argv[1]); os.umask(0o177)\n"
        "listener = socket.socket(socket.AF_UNIX); listener.bind('socket')\n"
        "os.setgroups([]); os.setgid(12345); os.setuid(12345)\n"
        "listener.listen(); print('ready', flush=True)\n"
        "connection, _ = listener.accept(); connection.recv(65536)\n"
        "connection.sendall(bytes.fromhex(sys.argv[2]))\n"
    )
    answer = (exchange.MAGIC + bytes((0, 0)) + (2).to_bytes(4) + (0).to_bytes(4) + b"{}").hex()
    words = [sys.executable, "-c", code, str(home.run_folder), answer]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        ended = home.ask()
        other.kill()
    assert (ended.stdout, ended.returncode) == (DENIED[0], DENIED[2])


def test_a_run_folder_that_cannot_be_made_is_a_failing_answer(home: Home):
    (home.home / ".local").write_text("a file where a folder should be", "utf-8")
    ended = home.ask()
    assert (ended.stdout, ended.stderr, ended.returncode) == DENIED


@pytest.mark.parametrize("arguments", [[], ["PreToolUse"], ["PreToolUse", "x"], ["Stop", "x", "/y", "/z"]], ids=len)
def test_a_wrong_command_line_is_a_denial_and_starts_no_daemon(arguments: list[str], tmp_path: Path):
    placed = [str(tmp_path / "run" / word) if word == "x" else word for word in arguments]
    words = [sys.executable, "-I", "-S", str(CLIENT), *placed]
    ended = subprocess.run(words, input=event(), capture_output=True, check=False)
    assert (ended.stdout, ended.stderr, ended.returncode) == DENIED
    assert not (tmp_path / "run").exists()


def test_an_answer_nobody_can_read_is_no_answer(home: Home):
    with Path(os.devnull).open("rb") as unwritable:
        process = home.spawn(stdout=unwritable)
        process.communicate(event(), timeout=60)
    assert process.returncode == exchange.BLOCK_EXIT


def test_its_failing_answers_are_json_or_nothing():
    for name in EVENTS:
        stdout, _, code = failing(name)
        assert stdout == b"" if name == "WorktreeCreate" else isinstance(json.decode(stdout), dict)
        assert code in (0, exchange.BLOCK_EXIT)
