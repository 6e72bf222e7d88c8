"""Which process is at the other end of a connection."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from interlock.daemon.peers import Process
from interlock.daemon.tcp import folder_of, held_by, other_end

CONNECTS = """
import socket, sys
with socket.socket(socket.AF_INET6 if sys.argv[2] == "6" else socket.AF_INET) as link:
    link.connect(("::ffff:127.0.0.1" if sys.argv[2] == "6" else "127.0.0.1", int(sys.argv[1])))
    sys.stdin.read()
"""


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        yield found


@pytest.mark.parametrize("version", ["4", "6"])
def test_another_process_is_found_by_its_connection(listener: socket.socket, tmp_path: Path, version: str):
    command = [sys.executable, "-I", "-S", "-c", CONNECTS, str(listener.getsockname()[1]), version]
    with subprocess.Popen(command, stdin=subprocess.PIPE, cwd=tmp_path) as other:
        connection, _ = listener.accept()
        with connection:
            end = other_end(connection)
            assert end is not None
            assert end[1] == os.getuid()
            found = held_by(end)
            assert found is not None
            assert found.pid == other.pid
            assert held_by(end, [1, os.getpid(), other.pid]) == found
            assert folder_of(found) == tmp_path
        assert other.stdin is not None
        other.stdin.close()


def test_of_several_that_hold_a_connection_the_one_that_made_it_is_meant(listener: socket.socket):
    link = socket.create_connection(listener.getsockname())
    connection, _ = listener.accept()
    with link, connection:
        os.set_inheritable(link.fileno(), True)
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", "import sys; sys.stdin.read()"],
            stdin=subprocess.PIPE, close_fds=False,
        )  # fmt: skip
        with child:
            end = other_end(connection)
            assert end is not None
            found = held_by(end)
            assert found is not None
            assert found.pid == os.getpid()
            assert child.stdin is not None
            child.stdin.close()


def test_a_process_that_has_gone_is_nobody(listener: socket.socket):
    link = socket.create_connection(listener.getsockname())
    connection, _ = listener.accept()
    with connection:
        end = other_end(connection)
        assert end is not None
        link.close()
        assert held_by(end) is None
    assert folder_of(Process(2**22 + 1, 0)) is None
