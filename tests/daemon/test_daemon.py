"""The daemon, started by the client as in a real session: it answers, fails closed, recovers, and is never two."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec import json

from interlock.daemon.control import connection_to, status_of
from interlock.spawn import exchange
from tests.daemon.spawned import CLIENT, Ended, Home, alive, event, until

NO_RM = "{id: no-rm, command: rm, deny: No rm.}"
DENIED = exchange.failing("PreToolUse")


def rm(session: str = "s1", call: str = "t1") -> bytes:
    return event(session=session, tool_use_id=call, tool_input={"command": "rm x"})


def reason(stdout: bytes) -> str | None:
    said = json.decode(stdout).get("hookSpecificOutput", {})
    return said.get("permissionDecisionReason")


def test_the_first_event_starts_a_daemon_that_stays(home: Home):
    home.policy(NO_RM)
    first = home.ask(rm())
    assert (reason(first.stdout), first.stderr, first.returncode) == ("No rm.", b"No rm.", 2)
    pid = home.pid
    assert home.ask(event(tool_use_id="t2")).stdout == b"{}"
    assert home.pid == pid
    assert alive(pid)


def test_it_is_out_of_the_hosts_reach(home: Home):
    with home.spawn(start_new_session=True) as process:
        process.communicate(event(), timeout=60)
    pid = home.pid
    fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    parent, group, session = (int(fields[place]) for place in (1, 2, 3))
    assert parent != process.pid
    assert process.pid not in (group, session)
    held = {str(Path(f"/proc/{pid}/fd/{number}").readlink()) for number in (0, 1, 2)}
    assert held == {os.devnull, str(home.run_folder / "log")}


def test_it_finds_the_persons_home_by_its_socket_and_not_by_the_environment(home: Home):
    home.ask()
    assert (home.home / ".local/state/interlock/store/interlock.db").is_file()


def test_it_gets_no_credentials(home: Home, monkeypatch):
    """What is read is the environment of the host: here, of a shell that starts the client."""
    script = f"'{sys.executable}' -I -S '{CLIENT}' PreToolUse '{home.socket}' '{home.project}'; true"
    environ = {
        "PATH": os.environ["PATH"],
        "ANTHROPIC_API_KEY": "k",
        "GH_TOKEN": "t",
        "LD_LIBRARY_PATH": "/l",
        "OK": "1",
    }
    subprocess.run(["/bin/sh", "-c", script], input=event(), env=environ, check=True, capture_output=True)
    lines = Path(f"/proc/{home.pid}/environ").read_bytes().split(b"\0")
    names = {line.partition(b"=")[0] for line in lines if line}
    assert names <= {b"PATH", b"OK", b"HOME", b"PWD", b"SHLVL", b"_", b"OLDPWD"}
    assert b"HOME=" + os.fsencode(home.home) in lines


def test_many_clients_at_once_start_one_daemon(home: Home):
    home.policy(NO_RM)
    processes = [home.spawn() for _ in range(16)]
    with ThreadPoolExecutor(16) as pool:
        said = list(pool.map(lambda one: one[1].communicate(rm(call=f"t{one[0]}"), 120)[0], enumerate(processes)))
    assert {reason(stdout) for stdout in said} == {"No rm."}
    running = [entry for entry in Path("/proc").iterdir() if entry.name.isdigit() and _serves(entry, home.socket)]
    assert [int(entry.name) for entry in running] == [home.pid]


def _serves(entry: Path, path: Path) -> bool:
    try:
        words = (entry / "cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return os.fsencode(path) in words and b"-S" not in words


def test_killed_in_the_middle_of_a_call_it_lets_nothing_through_and_the_next_call_works(home: Home):
    hook = home.project / "guards.py"
    started = home.project / "started"
    hook.write_text("import time\nfrom interlock import hook\n\n@hook('PreToolUse')\ndef slow(call):\n"
                    f"    open({str(started)!r}, 'w').close()\n    time.sleep(60)\n", "utf-8")  # fmt: skip
    home.policy(NO_RM, top="hooks: [./guards.py]\n")
    _trust(home)
    process = home.spawn()
    assert process.stdin is not None
    process.stdin.write(event())
    process.stdin.close()
    process.stdin = None
    until(started.exists)
    _kill(home)
    stdout, stderr = process.communicate(timeout=60)
    assert (stdout, stderr, process.returncode) == DENIED
    home.policy(NO_RM)
    _trust(home)
    assert reason(home.ask(rm(call="t2")).stdout) == "No rm."


def _kill(home: Home) -> None:
    """Kill a daemon, and wait: the socket of one that is still ending takes a client and gives it nothing."""
    os.kill(home.pid, signal.SIGKILL)
    until(lambda: not _takes_clients(home.socket))


def _takes_clients(path: Path) -> bool:
    """Whether a socket is open. A process counts as gone as soon as its first thread is, and its socket is not."""
    try:
        with connection_to(path):
            return True
    except ConnectionRefusedError:
        return False


def _trust(home: Home) -> None:
    environ = {**os.environ, "HOME": str(home.home)}
    command = [sys.executable, "-m", "interlock", "trust", "--yes"]
    subprocess.run(command, cwd=home.project, env=environ, check=True, capture_output=True)


def test_a_socket_that_was_deleted_is_made_anew_and_the_old_daemon_leaves(home: Home):
    home.ask()
    before = home.pid
    home.socket.unlink()
    assert home.ask(event(tool_use_id="t2")).stdout == b"{}"
    assert home.pid != before
    until(lambda: not alive(before))


def test_a_socket_nobody_listens_on_is_replaced(home: Home):
    home.ask()
    _kill(home)
    assert home.socket.exists()
    assert home.ask(event(tool_use_id="t2")).stdout == b"{}"


def test_a_client_of_another_version_is_never_served_and_gets_a_daemon_of_its_own(home: Home, tmp_path, monkeypatch):
    home.policy(NO_RM)
    home.ask()
    before = home.pid
    newer = tmp_path / "newer" / "interlock"
    shutil.copytree(CLIENT.parent, newer, ignore=shutil.ignore_patterns("__pycache__"))
    text = (newer / "spawn" / "exchange.py").read_text("utf-8")
    (newer / "spawn" / "exchange.py").write_text(text.replace('VERSION = "0.1.0"', 'VERSION = "9.9.9"'), "utf-8")
    monkeypatch.setattr("tests.daemon.spawned.CLIENT", newer / "client.py")
    assert reason(home.ask(rm(call="t2")).stdout) == "No rm."
    assert home.pid != before
    until(lambda: not alive(before))


def test_a_daemon_leaves_its_sockets_name_before_it_tells_another_version_so(home: Home):
    home.ask()
    message = exchange.request("PreToolUse", str(home.project), event()).replace(b"0.1.0", b"9.9.9", 1)
    with connection_to(home.socket) as daemon:
        daemon.sendall(message)
        answer = daemon.recv(1 << 16)
        assert not home.socket.exists()
    assert answer[4] == exchange.OTHER_VERSION


def test_a_hanging_connection_holds_nobody_up(home: Home):
    home.policy(NO_RM)
    home.ask()
    with connection_to(home.socket) as idle, connection_to(home.socket) as half:
        half.sendall(exchange.MAGIC)
        assert reason(home.ask(rm(call="t2")).stdout) == "No rm."
        idle.sendall(b"x" * 28)
        assert idle.recv(1) == b""  # dropped: it is no request


def test_an_event_that_is_not_the_one_the_client_was_spawned_for_is_refused(home: Home):
    ended = home.ask(event("Stop", stop_hook_active=False), name="PreToolUse")
    said = json.decode(ended.stdout)["hookSpecificOutput"]
    assert (said["permissionDecision"], ended.returncode) == ("deny", 2)
    assert "calls itself `Stop`" in said["permissionDecisionReason"]


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b"\xff", b"null"])
@pytest.mark.parametrize("name", ["PreToolUse", "PermissionRequest", "ConfigChange"])
def test_what_cannot_be_read_is_denied_in_the_events_own_form(home: Home, raw: bytes, name: str):
    ended = home.ask(raw, name)
    said = json.decode(ended.stdout)
    match name:
        case "PreToolUse":
            assert said["hookSpecificOutput"]["permissionDecision"] == "deny"
        case "PermissionRequest":
            assert said["hookSpecificOutput"]["decision"]["behavior"] == "deny"
        case _:
            assert said["decision"] == "block"


def test_an_event_that_the_sessions_host_did_not_raise_is_refused(home: Home):
    """The first event is raised by this process; the second by a shell between us and the client."""
    home.policy(NO_RM)
    assert home.ask(event()).stdout == b"{}"
    script = f"'{sys.executable}' -I -S '{CLIENT}' PreToolUse '{home.socket}' '{home.project}'; exit $?"
    raw = event(tool_use_id="t2")
    ended = subprocess.run(["/bin/sh", "-c", script], input=raw, capture_output=True, check=False)
    assert ended.returncode == 2
    assert "not raised by the session's host" in (reason(ended.stdout) or "")
    other = event(session="s2", tool_use_id="t3")
    ended = subprocess.run(["/bin/sh", "-c", script], input=other, capture_output=True, check=False)
    assert (ended.stdout, ended.returncode) == (b"{}", 0)  # a session of its own is its own affair


def test_who_ends_the_daemon_does_not_become_a_sessions_host_by_that(home: Home):
    home.policy(NO_RM)
    assert home.ask(event()).stdout == b"{}"
    _kill(home)
    script = f"'{sys.executable}' -I -S '{CLIENT}' PreToolUse '{home.socket}' '{home.project}'; exit $?"
    ended = subprocess.run(["/bin/sh", "-c", script], input=event(tool_use_id="t2"), capture_output=True, check=False)
    assert "not raised by the session's host" in (reason(ended.stdout) or "")
    assert home.ask(event(tool_use_id="t3")).stdout == b"{}"


def test_a_session_whose_host_has_ended_is_taken_up_by_the_next_one(home: Home):
    """As when it is resumed. A host that has ended and that nobody waited for has ended all the same."""
    script = f"'{sys.executable}' -I -S '{CLIENT}' PreToolUse '{home.socket}' '{home.project}'; exit $?"
    with subprocess.Popen(["/bin/sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as first:
        assert first.stdin is not None
        assert first.stdout is not None
        first.stdin.write(event())
        first.stdin.close()
        assert first.stdout.read() == b"{}"
        until(lambda: not alive(first.pid))  # ended, and not waited for yet
        assert home.ask(event(tool_use_id="t2")).stdout == b"{}"


@pytest.mark.parametrize("umask", [0o000, 0o002, 0o077])
def test_nobody_else_may_enter_what_it_keeps_whatever_the_umask(home: Home, umask: int):
    with home.spawn(umask=umask) as process:
        process.communicate(event(), timeout=60)
    state = home.home / ".local/state/interlock"
    assert {oct(folder.stat().st_mode & 0o777) for folder in (state, state / "run", state / "store")} == {"0o700"}


def test_more_connections_than_it_can_open_do_not_end_it(home: Home):
    home.ask()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.prlimit(home.pid, resource.RLIMIT_NOFILE, (32, most))
    crowd = []
    for _ in range(60):
        one = socket.socket(socket.AF_UNIX)
        near = os.open(home.run_folder, os.O_RDONLY)
        one.connect(f"/proc/self/fd/{near}/socket")
        os.close(near)
        crowd.append(one)
    for one in crowd:
        one.close()
    resource.prlimit(home.pid, resource.RLIMIT_NOFILE, (256, most))
    assert home.ask(event(tool_use_id="t2")).stdout == b"{}"


def test_a_policy_that_is_changed_tightens_at_once(home: Home):
    home.policy(NO_RM)
    assert home.ask(event(tool_input={"command": "mv a b"})).stdout == b"{}"
    home.policy(NO_RM, "{id: no-mv, command: mv, deny: No mv.}")
    again = home.ask(event(tool_input={"command": "mv a b"}, tool_use_id="t2"))
    assert reason(again.stdout) == "No mv."


def test_a_policy_that_breaks_or_goes_leaves_the_last_good_in_force_for_sessions_old_and_new(home: Home):
    file = home.policy(NO_RM)
    assert reason(home.ask(rm()).stdout) == "No rm."
    file.write_text("version: 1\nrules: [{", "utf-8")
    assert reason(home.ask(rm(call="t2")).stdout) == "No rm."
    file.unlink()
    assert reason(home.ask(rm(call="t3")).stdout) == "No rm."
    assert home.ask(event(tool_use_id="t4")).stdout == b"{}"


def test_a_new_session_without_a_good_policy_may_only_look(home: Home):
    (home.project / "interlock.yaml").write_text("version: 1\nrules: [{", "utf-8")
    assert "the policy is broken" in (reason(home.ask(event()).stdout) or "")
    look = event(tool_name="Read", tool_input={"file_path": "/x"}, tool_use_id="t2")
    assert home.ask(look).stdout == b"{}"
    home.policy(NO_RM)
    assert home.ask(event(tool_use_id="t3")).stdout == b"{}"


def test_two_projects_do_not_share_a_policy(home: Home, tmp_path):
    home.policy(NO_RM)
    assert reason(home.ask(rm()).stdout) == "No rm."
    home.project = tmp_path / "other"
    home.project.mkdir()
    assert home.ask(rm(session="s2")).stdout == b"{}"


def test_a_locked_database_is_waited_for_and_then_fails_closed_and_recovers(home: Home):
    home.ask()
    database = home.home / ".local/state/interlock/store/interlock.db"
    lock = sqlite3.connect(database, isolation_level=None)
    lock.execute("BEGIN IMMEDIATE")
    ended = home.ask(event(tool_use_id="t2"))
    assert ended.returncode == 2
    assert "locked" in (reason(ended.stdout) or "")
    lock.execute("ROLLBACK")
    lock.close()
    assert home.ask(event(tool_use_id="t3")).stdout == b"{}"


def test_a_store_that_cannot_be_opened_fails_closed_and_recovers(home: Home):
    store = home.home / ".local/state/interlock/store"
    store.parent.mkdir(parents=True)
    store.write_text("a file where a folder should be", "utf-8")
    assert home.ask().returncode == 2
    store.unlink()
    assert home.ask(event(tool_use_id="t2")).stdout == b"{}"


def test_status_says_how_it_is(home: Home):
    assert status_of(home.socket) is None
    home.ask()
    found = status_of(home.socket)
    assert found is not None
    assert (found.version, found.pid, found.answered, found.projects, found.store) == (
        exchange.VERSION, home.pid, 1, [str(home.project)], None)  # fmt: skip


def test_stopped_while_it_works_it_finishes_first(home: Home):
    check = "touch at-it; while ! [ -e go ]; do sleep 0.02; done; false"
    home.policy(f"{{id: slow, tool: Bash, run: '{check}', deny: Slow.}}")
    _trust(home)
    process = home.spawn()
    assert process.stdin is not None
    answered: list[bytes] = []
    waiting = threading.Thread(target=lambda: answered.append(process.communicate(event(), 60)[0]))
    waiting.start()
    until((home.project / "at-it").exists)
    pid = home.pid
    os.kill(pid, signal.SIGTERM)
    until(lambda: not home.socket.exists())
    (home.project / "go").touch()
    waiting.join(60)
    assert [reason(one) for one in answered] == ["Slow."]
    until(lambda: not alive(pid))


def test_the_socket_and_its_folder_are_the_persons_alone(home: Home):
    home.ask()
    assert [oct(place.stat().st_mode & 0o777) for place in (home.run_folder, home.socket)] == ["0o700", "0o600"]


def test_a_path_longer_than_a_sockets_name_can_be_works(tmp_path):
    deep = tmp_path / ("d" * 120)
    deep.mkdir()
    home = Home(deep)
    try:
        assert home.ask().stdout == b"{}"
        assert status_of(home.socket) is not None
    finally:
        home.end()


# --- the record is lost ------------------------------------------------------------------------------------------


def said_to(ended: Ended) -> str:
    found: str = json.decode(ended.stdout)["hookSpecificOutput"]["permissionDecisionReason"]
    return found


@pytest.mark.parametrize("runs", [True, False], ids=["while the daemon runs", "while none runs"])
def test_the_next_event_says_that_the_record_was_lost(home: Home, runs: bool):
    assert home.ask().stdout == b"{}"
    if not runs:
        home.stop()
    state = home.home / ".local/state/interlock"
    shutil.rmtree(state / "store")
    if runs:
        assert "was removed or replaced while it was open" in said_to(home.ask(event(tool_use_id="t2")))
    for call in ("t3", "t4"):
        said = said_to(home.ask(event(tool_use_id=call)))
        assert said.startswith(f"the record is lost: {state}/store/interlock.db is gone or empty, and {home.home}")
        assert "interlock lift --lost-record" in said
    found = status_of(home.socket)
    assert found is not None
    assert found.store is not None
    assert not (state / "store/interlock.db").exists()
