"""A fault is heard of: by the model where a turn can go on, by the person and the caller where it must end.

The client exits 0 with an empty result when a hook ends a turn, whatever the hook says. What a caller can see of it is
asserted here: the text on stderr, the reason in the client's own account, and the exit code of `interlock status`.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable

import pytest

from interlock.spawn import exchange
from tests.e2e.model import Call, bash
from tests.e2e.session import LIMIT, Ran, Session
from tests.e2e.test_breaches import NO_TOUCH, ignoring
from tests.waiting import until

both = pytest.mark.parametrize("session", ["current", "older"], indirect=True)
SECRETS = "{id: hide, event: PostToolUse, tool: Bash, output: HIDDEN}"
NOT_ANSWERED = "Interlock did not answer."


def status(session: Session, ran: Ran) -> tuple[int, str]:
    """What a caller learns of a run afterwards."""
    command = [sys.executable, "-I", "-m", "interlock", "status", "--session", ran.session_id]
    done = subprocess.run(
        command, cwd=session.project, env=session.env(), capture_output=True, text=True, timeout=LIMIT, check=False
    )
    return done.returncode, done.stdout


def ended(ran: Ran) -> tuple[int, str, object]:
    return ran.exit_code, ran.final["result"], ran.final.get("terminal_reason", "hook_stopped")


def silence(session: Session) -> None:
    """Have nobody answer any more: no client trusts a socket that others may use."""
    session.socket.chmod(0o666)


def lose_record(session: Session) -> None:
    shutil.rmtree(session.store.parent)


# --- the turn goes on ------------------------------------------------------------------------------------------------


@both
@pytest.mark.parametrize(
    ("fault", "why"), [(silence, NOT_ANSWERED), (lose_record, "the store ")], ids=["no daemon", "no record"]
)
def test_a_call_that_a_fault_denies_is_heard_of_by_the_model(
    session: Session, fault: Callable[[Session], None], why: str
):
    session.guard()

    def faulty() -> Call:
        fault(session)
        return bash("mkdir denied")

    ran = session.run(bash("mkdir before"), faulty, "I could not do it.")
    assert (session.has("before"), session.has("denied")) == (True, False)
    assert why in ran.results()[-1].text
    assert (ran.final["result"], ran.results()[-1].error) == ("I could not do it.", True)
    assert "SessionEnd hook [" in ran.stderr  # and the caller hears of it too
    assert "Interlock did not answer" in ran.stderr or "the record is lost" in ran.stderr or "it is gone" in ran.stderr


@both
def test_a_result_that_nobody_judged_is_withheld_and_the_model_hears_why(session: Session):
    session.guard(SECRETS)
    done = session.folder / "go"
    os.mkfifo(done)

    def started() -> Call:
        # The call runs while nobody answers any more; it cannot do that itself, which `core` denies.
        silencer = f"import os; open({str(done)!r}).read(); os.chmod({str(session.socket)!r}, 0o666)"
        session.write("quiet.py", f"{silencer}\nopen({str(done)!r} + '.done', 'w').close()\n")
        helper.append(subprocess.Popen([sys.executable, "-I", str(session.project / "quiet.py")]))
        wait = f"echo go > {done}; while [ ! -e {done}.done ]; do :; done; echo hunter2"
        return bash(wait)

    helper: list[subprocess.Popen[bytes]] = []
    ran = session.run(started, "It was withheld.")
    assert helper[0].wait(LIMIT) == 0
    assert ran.final["result"] == "It was withheld."
    assert ran.results()[-1].text.startswith(f"[withheld by Interlock: {exchange.WHY}]")
    assert not ran.reached_the_model("\nhunter2")
    assert not ran.reached_the_model('"hunter2')


def test_a_daemon_that_is_killed_while_it_judges_is_heard_of(session: Session):
    pid = session.folder / "daemon.pid"
    session.guard(f"{{id: fatal, command: touch, run: 'kill -9 $(cat {pid})', deny: It lived.}}")

    def doomed() -> Call:
        pid.write_text(" ".join(map(str, session.daemons())), encoding="utf-8")
        return bash("touch denied")

    ran = session.run(doomed, "I could not do it.")
    assert NOT_ANSWERED in ran.results()[-1].text
    assert ran.final["result"] == "I could not do it."
    assert status(session, ran)[0] == 0


# --- the turn ends -------------------------------------------------------------------------------------------------


def test_a_breach_is_seen_by_the_person_and_the_caller(session: Session):
    session.guard(NO_TOUCH)
    ignoring(session, "answer swallowed")
    ran = session.run(bash("touch ran"), bash("mkdir next"), "Done.")
    assert ended(ran) == (0, "", "hook_stopped")
    assert "Interlock stopped this session: Bash (toolu_0001) ran although it was denied" in ran.stderr
    assert "Interlock stopped this session" in ran.stdout
    code, said = status(session, ran)
    assert code == 1
    assert said.startswith("stopped: Bash (toolu_0001) ran although it was denied: ")


def test_a_failed_call_whose_text_must_not_be_read_is_seen_by_the_person_and_the_caller(session: Session):
    session.guard(SECRETS)
    ran = session.run(bash("echo hunter2; false"), "Done.")
    assert ended(ran) == (0, "", "hook_stopped")
    assert len(ran.of()) == 1
    assert "Interlock ended the last turn of this session: Bash (toolu_0001) failed, and what it printed" in ran.stderr
    told = [event["content"] for event in ran.stream if event.get("subtype") == "informational"]
    assert any("PostToolBatch says: Bash (toolu_0001) failed" in text for text in told)
    code, said = status(session, ran)
    assert code == 1
    assert said.startswith("its last turn was ended by Interlock: Bash (toolu_0001) failed")


def test_a_batch_that_nobody_judged_after_a_result_ends_the_turn_and_is_seen(session: Session):
    """Nobody knows whether what it holds was checked."""
    silencer = f"chmod 666 {session.socket}"  # run by the daemon, while it judges the result before the batch
    session.guard(f"{{id: last, event: PostToolUse, tool: Bash, run: '{silencer}', context: It answered.}}")
    ran = session.run(bash("echo hi"), "Done.")
    assert ended(ran) == (0, "", "hook_stopped")
    assert len(ran.of()) == 1
    told = [event["content"] for event in ran.stream if event.get("subtype") == "informational"]
    assert [one for one in told if one.startswith("PostToolBatch")] == [f"PostToolBatch says: {exchange.WHY}"]


def test_a_prompt_that_is_refused_is_seen_in_the_result(session: Session):
    session.guard("{id: no-prompt, event: UserPromptSubmit, deny: Not today.}")
    ran = session.run("Done.")
    assert "Not today." in ran.final["result"]
    assert status(session, ran) == (1, "its last turn was ended by Interlock: Not today.\n")


# --- what went well ------------------------------------------------------------------------------------------------


@both
def test_an_ordinary_session_ends_without_a_word(session: Session):
    session.guard(NO_TOUCH)
    ran = session.run(bash("touch denied"), bash("mkdir made; false"), bash("mkdir more"), "Done.")
    assert (ran.exit_code, ran.final["result"], ran.stderr) == (0, "Done.", "")
    assert status(session, ran) == (0, "its last turn is finished\n")


def test_a_session_that_goes_on_well_after_a_turn_that_was_ended_is_well_again(session: Session):
    session.guard(SECRETS)
    first = session.run(bash("echo hunter2; false"), "Done.")
    assert status(session, first)[0] == 1
    again = session.run(bash("mkdir -p made"), "Done.", prompt="Go on.", args=("--resume", first.session_id))
    assert (again.final["result"], again.stderr) == ("Done.", "")
    assert status(session, again)[0] == 0


def test_a_session_of_which_nothing_is_recorded_was_not_guarded(session: Session):
    ran = session.run("Done.")
    session.guard()
    code, said = status(session, ran)
    assert (code, said) == (1, f"there is no record of the session {ran.session_id}: Interlock did not guard it\n")


@pytest.fixture(autouse=True)
def no_daemon_is_left(session: Session):
    yield
    for process in session.daemons():
        os.kill(process, signal.SIGKILL)
    until(lambda: not session.daemons())


def test_over_http_without_a_daemon_the_caller_sees_that_the_turn_was_broken_off(session: Session):
    """The client itself ends the turn then: no code of Interlock's runs until the session ends."""
    session.guard()
    session.install("--transport", "http", "--client", str(session.client))

    def killed() -> Call:
        for process in session.daemons():
            os.kill(process, signal.SIGKILL)
        until(lambda: not session.daemons())
        return bash("mkdir denied")

    ran = session.run(bash("mkdir before"), killed, "Done.")
    assert (session.has("before"), session.has("denied")) == (True, False)
    assert ended(ran) == (0, "", "hook_stopped")
    assert status(session, ran) == (1, "its last turn was not finished\n")
