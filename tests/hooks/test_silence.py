"""A hook that says no and returns nothing is caught and named, whatever kind of hook it is and however it says so."""

from __future__ import annotations

import io
import logging
import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interlock import Gate, allow, deny, hook, notify
from interlock.gate.errors import Denied
from interlock.hooks.external import External, ExternalSet
from interlock.hooks.process import HookProcess
from interlock.hooks.silence import SOUNDS
from interlock.service import handle
from interlock.store.memory import MemoryStore
from tests.hooks.events import answer, denial, event, named, post, pre, said, shell_result, written

LS = pre("delete_account", customer="C-1042")

# --- Python hooks in their worker --------------------------------------------------------------------------

Start = Callable[[str], HookProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Make the worker of a hook with this body."""
    made: list[HookProcess] = []

    def make(body: str) -> HookProcess:
        head = """
            import logging, os, subprocess, sys, warnings
            from interlock import *

            quiet = logging.getLogger("quiet")
            quiet.propagate = False
            quiet.addHandler(logging.FileHandler(os.path.dirname(__file__) + "/hook.log"))
            early = logging.StreamHandler()

            @hook(["PreToolUse", "PostToolUse", "Stop"])
            def guard():
                """
        made.append(HookProcess([written(tmp_path, head + body)], 30))
        return made[-1]

    yield make
    for worker in made:
        worker.close()


WAYS = {
    "print": ("printed", "print('{}')"),
    "stdout": ("printed", "sys.stdout.write('{}\\n')"),
    "stderr": ("said", "print('{}', file=sys.stderr)"),
    "a warning log": ("logged", "logging.warning('{}')"),
    "a log with arguments": ("logged", "logging.error('%s', '{}')"),
    "a logger with a file of its own": ("logged", "quiet.warning('{}')"),
    "a handler made while loading": (
        "logged",
        "logger = logging.getLogger('x'); logger.addHandler(early); logger.warning('{}')",
    ),
    "the first stderr": ("said", "sys.__stderr__.write('{}\\n')"),
    "the bytes below stdout": ("said", "sys.stdout.buffer.write(b'{}\\n')"),
    "os.write to 1": ("said", "os.write(1, b'{}\\n')"),
    "os.write to 2": ("said", "os.write(2, b'{}\\n')"),
    "a child's stdout": ("said", "subprocess.run(['echo', '{}'])"),
    "a child's stderr": ("said", 'subprocess.run("echo {} >&2", shell=True)'),
    "a warning": ("said", "warnings.warn('hm\\n{}')"),
}


@pytest.mark.parametrize(("verb", "way"), WAYS.values(), ids=WAYS)
def test_a_python_hook_is_heard_wherever_it_says_no(start: Start, tmp_path: Path, verb: str, way: str):
    """S1-04"""
    worker = start(way.format("Blocked delete_account"))
    assert denial(handle("claude-code", LS, worker)) == (
        f"hook `guard` ({tmp_path}/guards.py:10) failed: it {verb} `Blocked delete_account` and returned no opinion; "
        "return deny(...) instead"
    )


@pytest.mark.parametrize(("verb", "way"), WAYS.values(), ids=WAYS)
def test_what_a_python_hook_logs_beside_an_opinion_or_about_its_work_is_left_alone(start: Start, verb: str, way: str):
    """S1-04 Near misses."""
    assert said(handle("claude-code", LS, start(way.format("12 blocked domains, all fine")))) == {}
    beside = start(way.format("Blocked delete_account") + "; return allow()")
    assert said(handle("claude-code", LS, beside))["hookSpecificOutput"]["permissionDecision"] == "allow"


@pytest.mark.parametrize("way", ["logging.warning('{}')", "os.write(2, b'{}')", "print('{}', file=sys.stderr)"])
def test_what_only_sounds_like_a_denial_is_told_to_the_person(start: Start, tmp_path: Path, way: str):
    verb = "logged" if "logging" in way else "said"
    told = said(handle("claude-code", LS, start(way.format("port 80 is blocked"))))
    hook_ = f"hook `guard` ({tmp_path}/guards.py:10)"
    assert told == {"systemMessage": f"{hook_} {verb} `port 80 is blocked`, {SOUNDS}; return deny(...) instead"}


@pytest.mark.parametrize(
    "raw", [event("Stop", stop_hook_active=False), post("Bash", {"command": "ls"}, shell_result("a"))]
)
def test_where_a_denial_does_not_deny_it_is_told_to_the_person(start: Start, raw: bytes):
    told = said(handle("claude-code", raw, start("logging.warning('Blocked!')")))
    assert list(told) == ["systemMessage"]
    assert "logged `Blocked!`" in told["systemMessage"]


# --- Python hooks in this process --------------------------------------------------------------------------


@hook("PreToolUse")
def prints(call):
    print(f"Blocked {call.tool}!")


@hook("PreToolUse")
def logs(call):
    logging.getLogger("guards").info("Denied %s", call.tool)


@hook("PreToolUse")
async def complains(call):
    sys.stderr.write(f"Refusing to run {call.tool}\n")


@hook("PreToolUse")
def reports(call):
    print("0 blocked")
    logging.warning("12 blocked domains, all fine")


@pytest.mark.parametrize(
    ("function", "what"),
    [
        (prints, "printed `Blocked delete_account!`"),
        (logs, "logged `Denied delete_account`"),
        (complains, "said `Refusing to run delete_account`"),
    ],
)
def test_hooks_in_this_process_are_heard_too(function, what, caplog, capsys):
    """S1-04"""
    caplog.set_level(logging.DEBUG)
    assert denial(answer(LS, function)) == (
        f"{named(function)} failed: it {what} and returned no opinion; return deny(...) instead"
    )
    heard = capsys.readouterr()
    assert what.split("`")[1] in heard.out + heard.err + caplog.text  # and passed on


def test_their_reports_are_left_alone():
    assert said(answer(LS, reports)) == {}


@pytest.mark.parametrize("function", [prints, logs, complains])
def test_a_gate_hears_its_hooks(function, tmp_path: Path, caplog):
    """S1-04"""
    caplog.set_level(logging.DEBUG)
    (tmp_path / "policy.yaml").write_text("version: 1\n", encoding="utf-8")
    ran: list[Any] = []
    gate = Gate(tmp_path / "policy.yaml", project=tmp_path, store=MemoryStore(), hooks=[function])
    with gate, pytest.raises(Denied, match="returned no opinion"):
        gate.call_sync("delete_account", {"customer": "C-1042"}, run=ran.append)
    assert ran == []


def test_the_streams_are_put_back_as_they_were():
    before = sys.stdout, sys.stderr, sys.stdout.write, sys.stderr.write, logging.getLogRecordFactory()
    answer(LS, prints, logs, complains)
    assert (sys.stdout, sys.stderr, sys.stdout.write, sys.stderr.write, logging.getLogRecordFactory()) == before


def test_a_logger_that_took_the_stream_before_is_heard(capsys):
    """S1-04 As libraries do that take stderr when they are imported, past the loggers of the standard library."""
    stream = sys.stderr

    @hook("PreToolUse")
    def guard():
        stream.write("21:04:15 | WARNING | guards - Blocked delete_account\n")

    assert "returned no opinion" in denial(answer(LS, guard))
    assert capsys.readouterr().err == "21:04:15 | WARNING | guards - Blocked delete_account\n"


def test_what_another_thread_prints_meanwhile_is_not_the_hooks():
    @hook("PreToolUse")
    def waits():
        other = threading.Thread(target=print, args=("Blocked delete_account!",))
        other.start()
        other.join()

    assert said(answer(LS, waits)) == {}


def test_streams_that_a_program_replaces_while_a_hook_runs_stay_its_own():
    mine = io.StringIO()

    @hook("PreToolUse")
    def replaces():
        sys.stdout = mine

    before = sys.stdout
    try:
        answer(LS, replaces)
        assert sys.stdout is mine
    finally:
        sys.stdout = before


def test_a_process_without_streams_has_hooks_too(monkeypatch: pytest.MonkeyPatch, caplog):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert denial(answer(LS, logs)).endswith("return deny(...) instead")


def test_a_denial_beside_any_opinion_is_no_silence():
    @hook("PreToolUse")
    def notifies():
        print("Blocked delete_account!")
        return notify("Seen.")

    @hook("PreToolUse")
    def allows():
        print("Blocked delete_account!")
        return allow()

    @hook("PreToolUse")
    def denies():
        print("Blocked delete_account!")
        return deny("Never.")

    assert said(answer(LS, notifies)) == {"systemMessage": "Seen."}
    assert said(answer(LS, allows))["hookSpecificOutput"]["permissionDecision"] == "allow"
    assert denial(answer(LS, denies)) == "Never."


# --- programs ----------------------------------------------------------------------------------------------

EVENTS = ("PreToolUse", "PostToolUse", "Stop")


def program(run: str) -> ExternalSet:
    external = External(name="guard", events=EVENTS, run=run, timeout=60.0)
    return ExternalSet([external], cwd="/", environ={"PATH": os.environ["PATH"]})


SAID = "echo 'Blocked delete_account' >&2"


@pytest.mark.parametrize(
    "run", [SAID, f"{SAID}; echo '{{}}'", f"cat >/dev/null; echo '{{\"continue\": true}}'; {SAID}"]
)
def test_a_program_that_says_no_on_stderr_and_exits_0_denies(run: str):
    """S1-04"""
    assert denial(handle("claude-code", LS, program(run))) == (
        "hook `guard` failed: it said `Blocked delete_account` and returned no opinion; exit 2, or print a deny"
    )


@pytest.mark.parametrize(
    "run",
    [
        "echo '0 denied' >&2",
        "echo '12 blocked domains, all fine' >&2",
        "echo 'All done!' >&2",
        "true",
    ],
)
def test_a_program_that_reports_is_left_alone(run: str):
    assert said(handle("claude-code", LS, program(run))) == {}


def test_a_program_that_answers_is_not_silent():
    """S1-04 Exit 0 with a decision is an answer, whatever is beside it."""
    allowed = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow"}}'
    found = said(handle("claude-code", LS, program(f"{SAID}; echo '{allowed}'")))
    assert found["hookSpecificOutput"]["permissionDecision"] == "allow"
    found = said(handle("claude-code", LS, program(f'{SAID}; echo \'{{"systemMessage": "Hm."}}\'')))
    assert found == {"systemMessage": "Hm."}


@pytest.mark.parametrize(
    "document",
    [
        '{"reason": "Blocked delete_account"}',
        '{"stopReason": "Blocked delete_account"}',
        '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecisionReason": "Blocked delete_account"}}',
    ],
)
def test_a_reason_without_a_decision_is_a_denial_that_nobody_would_read(document: str):
    """S1-04"""
    assert "answered with the reason `Blocked delete_account`" in denial(
        handle("claude-code", LS, program(f"echo '{document}'"))
    )


def test_a_program_that_says_no_where_nothing_can_be_denied_is_told_to_the_person():
    told = said(handle("claude-code", post("Bash", {"command": "ls"}, shell_result("a")), program(SAID)))
    assert told == {"systemMessage": f"hook `guard` said `Blocked delete_account`, {SOUNDS}; exit 2, or print a deny"}
