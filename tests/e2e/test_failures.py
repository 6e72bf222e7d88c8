"""Things that break in the middle of a session: the tool never runs, and the session is usable again afterwards."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.e2e.model import Call, bash
from tests.e2e.session import Session
from tests.waiting import until

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
NO_TOUCH = "{id: no-touch, command: touch, deny: Use mkdir instead.}"
HOOKS = "hooks: [./guards.py]\n"
GUARD = """\
import os, time
from interlock import hook

@hook("PreToolUse", tool="Bash")
def touchy(call):
    if call.input["command"].startswith("touch"):
        {fault}
"""


# --- hooks -------------------------------------------------------------------------------------------------


@both
def test_a_hook_that_raises_stops_its_call_and_no_other(session: Session):
    """S1-08"""
    stops_one_call(session, "raise KeyError('limits')")


@pytest.mark.parametrize(
    "fault", ["os._exit(0)", "os.abort()", "exec('while True: pass')"], ids=["leaves", "dies", "never ends"]
)
def test_a_hook_that_is_lost_stops_its_call_and_no_other(session: Session, fault: str):
    """S1-08"""
    stops_one_call(session, fault)


def stops_one_call(session: Session, fault: str) -> None:
    session.write("guards.py", GUARD.format(fault=fault))
    session.guard(top=HOOKS)
    ran = session.run(bash("touch denied"), bash("mkdir made"), "Done.")
    first, second = ran.results()
    assert first.error
    assert "touchy" in first.text or "guards.py" in first.text
    assert (session.has("denied"), session.has("made"), second.error) == (False, True, False)


# --- the policy --------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize("text", ["version: 1\nrules: [{id: no-touch, comand: touch}]\n", None], ids=["broken", "gone"])
def test_a_policy_that_breaks_or_goes_in_the_middle_holds_on(session: Session, text: str | None):
    session.guard(NO_TOUCH)
    policy = session.project / "interlock.yaml"

    def changed() -> Call:
        policy.unlink() if text is None else policy.write_text(text, encoding="utf-8")
        return bash("touch denied")

    ran = session.run(bash("mkdir before"), changed, bash("mkdir after"), "Done.")
    assert [result.error for result in ran.results()] == [False, True, False]
    assert "Use mkdir instead." in ran.results()[1].text
    assert (session.has("denied"), session.has("after")) == (False, True)


# --- the daemon --------------------------------------------------------------------------------------------


@both
def test_a_daemon_killed_while_it_judges_denies_and_the_next_call_has_a_new_one(session: Session):
    pid = session.folder / "daemon.pid"
    session.guard(f"{{id: fatal, command: touch, run: 'kill -9 $(cat {pid})', deny: It lived.}}")
    before: list[int] = []

    def doomed() -> Call:
        before.extend(session.daemons())
        pid.write_text(" ".join(map(str, before)), encoding="utf-8")
        return bash("touch denied")

    ran = session.run(doomed, bash("mkdir made"), "Done.")
    first, second = ran.results()
    assert len(before) == 1
    assert first.error
    assert "Interlock did not answer." in first.text
    assert (session.has("denied"), session.has("made"), second.error) == (False, True, False)
    assert len(session.daemons()) == 1
    assert session.daemons() != before


@both
def test_without_its_socket_the_next_call_is_judged_by_a_new_daemon(session: Session):
    session.guard(NO_TOUCH)

    def unplugged() -> Call:
        session.socket.unlink()
        return bash("touch denied")

    ran = session.run(bash("mkdir before"), unplugged, bash("mkdir after"), "Done.")
    assert [result.error for result in ran.results()] == [False, True, False]
    assert "Use mkdir instead." in ran.results()[1].text
    assert (session.has("denied"), session.has("after")) == (False, True)


@both
def test_a_socket_that_is_not_ours_alone_is_not_trusted_until_it_is(session: Session):
    session.guard()

    def opened() -> Call:
        session.socket.chmod(0o666)
        return bash("mkdir denied")

    ran = session.run(bash("mkdir before"), opened, "Done.")
    session.socket.chmod(0o600)
    session.run(bash("mkdir after"), "Done.", prompt="Go on.", args=("--resume", ran.session_id))
    assert (session.has("before"), session.has("denied"), session.has("after")) == (True, False, True)


# --- the disk ----------------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(session: Session) -> Iterator[Session]:
    """A session whose records, state and socket are on a disk of eight megabytes: SQLite's own log may take four."""
    place = session.home / ".local" / "state" / "interlock"
    place.mkdir(parents=True, mode=0o700)
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=700", "tmpfs", place], capture_output=True)
    if mounted.returncode != 0:
        pytest.skip("needs to mount a small disk, which is for root")
    yield session
    session.close()
    until(lambda: subprocess.run(["umount", place], capture_output=True).returncode == 0)  # busy while workers end


def test_on_a_full_disk_nothing_runs_and_with_room_again_everything_goes_on(small_disk: Session):
    session = small_disk
    session.guard(NO_TOUCH)
    filler = session.store.parent / "filler"

    def full() -> Call:
        with filler.open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(b"x" * 1024)
        return bash("mkdir denied")

    ran = session.run(bash("mkdir before"), full, bash("mkdir denied-too"), "Done.")
    filler.unlink()
    session.run(bash("mkdir after"), bash("touch denied"), "Done.", prompt="Go on.", args=("--resume", ran.session_id))
    assert (session.has("before"), session.has("denied"), session.has("denied-too")) == (True, False, False)
    assert session.has("after")
    assert session.records("PreToolUse")[-1].record["reason"] == "Use mkdir instead."
    assert "all in order" in session.interlock("log", "--verify")


def test_a_session_that_starts_with_a_broken_policy_may_only_look(session: Session):
    session.guard(NO_TOUCH, trust=False)
    session.write("interlock.yaml", "version: 1\nrules: [{id: no-touch, comand: touch}]\n")
    readme = session.write("readme", "Look at me.\n")
    ran = session.run(bash("mkdir denied"), Call("Read", {"file_path": str(readme)}), "Done.")
    denied, looked = ran.results()
    assert "interlock.yaml:2" in denied.text
    assert "interlock check" in denied.text
    assert "Look at me." in looked.text
    assert not session.has("denied")
