"""Who may speak for a session: the process that raised its first event, as long as that process lives."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from interlock.daemon import peers
from interlock.daemon.peers import Hosts, Process, argv_of, check_user, is_alive, parent_of, peer_of
from interlock.errors import InterlockError

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")


RUNNING = "print('running', flush=True); input()"


@contextmanager
def child() -> Iterator[int]:
    """A process of ours that runs until the end of the block.

    It says when it runs: until then the system may know it without the words that it was started with.
    """
    command = [sys.executable, "-c", RUNNING]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            if process.stdout is not None:
                process.stdout.readline()
            yield process.pid
        finally:
            process.kill()


def process_of(pid: int) -> Process:
    """A process as it is told from others: by a child of its own, where it is the parent."""
    found = peers._stat(pid)
    assert found is not None
    return Process(pid, found[1])


@pytest.fixture
def hosts(tmp_path: Path) -> Hosts:
    return Hosts(tmp_path / "sessions")


# --- what the system says -------------------------------------------------------------------------------------


def test_the_parent_of_a_process_is_who_started_it():
    with child() as pid:
        assert parent_of(pid) == process_of(os.getpid())


def test_a_process_that_is_gone_has_no_parent_and_is_not_alive():
    with child() as pid:
        assert is_alive(pid)
    assert parent_of(pid) is None
    assert not is_alive(pid)


def test_a_process_that_ended_and_was_not_waited_for_is_not_alive():
    process = subprocess.Popen([sys.executable, "-c", ""])
    try:
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        assert not is_alive(process.pid)
        assert parent_of(process.pid) is None
    finally:
        process.wait()


def test_the_words_of_a_process_are_those_it_was_started_with():
    with child() as pid:
        assert argv_of(process_of(pid))[:3] == [sys.executable, "-c", RUNNING]
    assert argv_of(None) == []
    assert argv_of(Process(pid, 0)) == []


def test_the_other_end_of_a_socket_is_this_process_and_this_user():
    left, right = socket.socketpair(socket.AF_UNIX)
    with left, right:
        assert peer_of(left) == (os.getpid(), os.getuid())


def test_only_the_daemons_own_user_is_heard():
    check_user(os.getuid())
    with pytest.raises(InterlockError, match=f"user {os.getuid() + 1} spoke to the daemon of user {os.getuid()}"):
        check_user(os.getuid() + 1)


# --- the host of a session -------------------------------------------------------------------------------------


def test_an_event_whose_process_is_gone_is_refused(hosts: Hosts):
    with pytest.raises(InterlockError, match="the process that raised this event is gone"):
        hosts.check("s1", None)


def test_where_processes_cannot_be_looked_up_the_socket_alone_is_checked(hosts: Hosts, monkeypatch):
    monkeypatch.setattr(peers, "_HAS_PROC", False)
    hosts.check("s1", None)


def test_the_first_to_raise_an_event_is_the_sessions_host_and_nobody_else(hosts: Hosts):
    me = process_of(os.getpid())
    hosts.check("s1", me)
    hosts.check("s1", me)
    with child() as pid:
        other = process_of(pid)
        with pytest.raises(InterlockError, match=f"by the session's host .process {me.pid}. but by process {pid}"):
            hosts.check("s1", other)
        hosts.check("s2", other)
    hosts.check("s1", me)


def test_when_its_host_is_gone_a_session_goes_on_under_another(hosts: Hosts):
    with child() as pid:
        first = process_of(pid)
        hosts.check("s1", first)
    me = process_of(os.getpid())
    hosts.check("s1", me)
    with pytest.raises(InterlockError, match="was not raised by the session's host"):
        hosts.check("s1", first)


def test_a_later_process_of_the_same_number_is_another(hosts: Hosts):
    me = process_of(os.getpid())
    hosts.check("s1", Process(me.pid, me.started - 1))
    hosts.check("s1", me)
    with pytest.raises(InterlockError, match="was not raised by the session's host"):
        hosts.check("s1", Process(me.pid, me.started - 1))


def test_a_daemon_that_starts_anew_knows_the_hosts_of_before(tmp_path: Path):
    me = process_of(os.getpid())
    Hosts(tmp_path).check("s1", me)
    with child() as pid, pytest.raises(InterlockError, match="was not raised by the session's host"):
        Hosts(tmp_path).check("s1", process_of(pid))
    Hosts(tmp_path).check("s1", me)


def test_a_host_that_is_forgotten_for_many_others_is_still_known_from_the_folder(hosts: Hosts, monkeypatch):
    monkeypatch.setattr(peers, "_MOST_SESSIONS", 2)
    me = process_of(os.getpid())
    for session in ("s1", "s2", "s3", "s4"):
        hosts.check(session, me)
    with child() as pid, pytest.raises(InterlockError, match="was not raised by the session's host"):
        hosts.check("s1", process_of(pid))


@pytest.mark.parametrize("kept", [b"", b"{}", b"nonsense", b'{"pid": "1", "started": 2}'])
def test_a_kept_host_that_cannot_be_read_is_refused(tmp_path: Path, kept: bytes):
    me = process_of(os.getpid())
    Hosts(tmp_path).check("s1", me)
    (file,) = tmp_path.iterdir()
    file.write_bytes(kept)
    with pytest.raises(InterlockError, match="cannot read who the session's host is"):
        Hosts(tmp_path).check("s1", me)


def test_a_host_that_cannot_be_kept_is_refused(tmp_path: Path):
    (tmp_path / "sessions").write_text("a file where the folder should be")
    with pytest.raises(InterlockError, match="cannot"):
        Hosts(tmp_path / "sessions").check("s1", process_of(os.getpid()))
