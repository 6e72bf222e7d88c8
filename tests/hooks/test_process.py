"""Hooks in a worker process: the same answers, and an end to whatever does not answer."""

from __future__ import annotations

import os
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from interlock.errors import InterlockError
from interlock.hooks.load import load_hooks
from interlock.hooks.process import HookProcess
from interlock.hooks.run import HookSet
from interlock.service import handle
from tests.hooks.events import denial, event, post, pre, said, shell_result, written
from tests.session_memory import SessionMemory

AMPLE = 30.0  # no test waits for it unless it is broken
SHORT = 1.0  # and here every one does; a worker must still be able to start in it

Start = Callable[..., HookProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Write a hooks file and make its worker."""
    made: list[HookProcess] = []

    def make(text: str, deadline: float = AMPLE) -> HookProcess:
        file = written(tmp_path, "import os, sys\nfrom interlock import *\n" + text)
        made.append(HookProcess([file], deadline))
        return made[-1]

    yield make
    for worker in made:
        worker.close()


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def pid_of(worker: HookProcess) -> int:
    """The worker's own id, told by a hook that notifies it."""
    return int(said(handle("claude-code", pre("Pid"), worker))["systemMessage"])


TELL_PID = """
@hook("PreToolUse", tool="Pid")
def tell_pid():
    return notify(str(os.getpid()))
"""

GUARD = """
@hook("PreToolUse", tool="Bash")
def refuse():
    return deny("No.")
"""

# --- the same answers --------------------------------------------------------------------------------------

MIXED = """
import asyncio

@hook("PreToolUse", tool="Bash")
def no_trash(call):
    if call.input["command"].startswith("trash"):
        return deny("The trash is full.")

@hook("PreToolUse", tool="Bash")
async def to_trash(call):
    await asyncio.sleep(0)
    if call.input["command"].startswith("rm"):
        return change(command="trash", timeout=None, n=2**70)

@hook("PreToolUse")
def fails(call):
    return call.input.get("missing") or {"Bash": None, "Write": {}}[call.tool]

@hook("PreToolUse", tool="process_refund")
async def refund(call, state):
    yield deny(f"No refund — {state['limit']} €.", interrupt=True)
    yield set_state(seen={call.id: True})

@hook("PreToolUse", tool="process_refund")
def widened():
    return allow()

@hook("PostToolUse")
def redact(call):
    if call.tool == "Null":
        return output(None)
    return [output({"stdout": call.output["stdout"].replace("SECRET", "***")}), context("Redacted.")]

@hook("Stop")
def not_yet(event):
    return None if event.stop_hook_active else deny("Tests fail.")

@hook("Stop")
def broken(host):
    raise ValueError(host)
"""

EVENTS = {
    "none": pre("Bash", command="ls"),
    "spaced": b"  " + pre("Bash", command="ls").replace(b",", b" ,\n") + b"\n",
    "change, judged again": pre("Bash", command="rm -rf x", timeout=5),
    "error": pre("Write", file_path="/x"),
    "no opinion of ours": pre("Write", missing="deny"),
    "state, two opinions": pre("process_refund", amount=1),
    "short name": pre("mcp__pay__process_refund", amount=1),
    "result": post("Bash", {"command": "env"}, shell_result("SECRET=1")),
    "null result": post("Null", {}, None),
    "stop": event("Stop", stop_hook_active=False),
    "stop again": event("Stop", stop_hook_active=True),
    "an event nobody knows": event("Novelty", anything=[1.0, None, "\x00"]),
    "large": pre("Bash", command="x" * 1_000_000),
    "broken": b'{"hook_event_name":"PreToolUse"',
}


@pytest.mark.parametrize("host", ["claude-code", "flat"])
@pytest.mark.parametrize("alone", [True, False])
def test_a_worker_answers_as_the_same_hooks_do_in_process(tmp_path: Path, host: str, alone: bool):
    file = written(tmp_path, "from interlock import *\n" + MIXED)
    here = HookSet(load_hooks([file]))
    memories = SessionMemory({"limit": 5}), SessionMemory({"limit": 5})
    with HookProcess([file], AMPLE) as worker:
        for name, raw in EVENTS.items():
            ours = handle(host, raw, here, memory=memories[0], alone=alone)
            assert handle(host, raw, worker, memory=memories[1], alone=alone) == ours, name
    here.close()
    assert memories[0].state_of("s1") == memories[1].state_of("s1")


def test_starting_tells_the_hooks_in_order(start: Start, tmp_path: Path):
    worker = start(GUARD + TELL_PID)
    file = tmp_path / "guards.py"
    assert worker.start() == [f"hook `refuse` ({file}:4)", f"hook `tell_pid` ({file}:8)"]


def test_one_worker_answers_many_events(start: Start):
    worker = start(TELL_PID)
    assert pid_of(worker) == pid_of(worker) != os.getpid()


# --- hooks that never answer -------------------------------------------------------------------------------

NEVER = {
    "in Python": "while True: pass",
    "in C": "import re; re.match(r'(a+)+$', 'a' * 60 + 'b')",
    "deaf to signals": "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n    while True: pass",
}


@pytest.mark.parametrize("body", NEVER.values(), ids=NEVER)
def test_a_hook_that_never_returns_is_ended_and_named_and_the_next_event_is_answered(
    start: Start, tmp_path: Path, body: str
):
    """S1-08 The deadline is ours, and a new worker takes over."""
    worker = start(f'@hook("PreToolUse", tool="Write")\ndef stuck():\n    {body}\n' + GUARD + TELL_PID, SHORT)
    before = pid_of(worker)
    expected = f"hook `stuck` ({tmp_path}/guards.py:3) did not answer within 1 s and was ended"
    assert denial(handle("claude-code", pre("Write"), worker)) == expected
    assert gone(before)
    assert denial(handle("claude-code", pre(), worker)) == "No."
    assert pid_of(worker) != before


def test_the_deadline_holds_for_an_event_not_for_each_time_its_hooks_are_asked(start: Start):
    """S1-08 A change makes others judge twice; a host that waits for one deadline must get its answer in one."""
    slow = "    until = time.monotonic() + 0.4\n    while time.monotonic() < until: pass\n"
    judge = '@hook("PreToolUse", tool="Write")\ndef {}():\n' + slow
    changer = '@hook("PreToolUse", tool="Write")\ndef changer():\n    return change(a=1)\n'
    worker = start("import time\n" + judge.format("early") + changer + judge.format("late") + TELL_PID, SHORT)
    pid_of(worker)
    assert "did not answer within 1 s" in handle("claude-code", pre("Write"), worker).stderr


def test_a_file_that_hangs_while_loading_is_ended_and_named(start: Start, tmp_path: Path):
    worker = start("while True: pass", SHORT)
    expected = f"loading {tmp_path}/guards.py did not answer within 1 s and was ended"
    assert denial(handle("claude-code", pre(), worker)) == expected


# --- hooks that end their process --------------------------------------------------------------------------

ENDING = {
    "exit": "os._exit(0)",
    "kill": "import signal; os.kill(os.getpid(), signal.SIGKILL)",
    "close": "os.closerange(0, 4096)",
    "interrupt": "raise KeyboardInterrupt",
}


@pytest.mark.parametrize("body", ENDING.values(), ids=ENDING)
def test_a_hook_that_ends_its_process_denies_and_is_named_and_the_next_event_is_answered(
    start: Start, tmp_path: Path, body: str
):
    """S1-08"""
    worker = start(f'@hook("PreToolUse", tool="Write")\ndef leave():\n    {body}\n' + GUARD)
    expected = f"hook `leave` ({tmp_path}/guards.py:3) ended the process it ran in"
    assert denial(handle("claude-code", pre("Write"), worker)) == expected
    assert denial(handle("claude-code", pre(), worker)) == "No."


def test_a_hook_that_forks_does_not_answer_the_next_event(start: Start):
    """S1-04 The child returns from the hook too: its answer must not be taken for that to a later question."""
    fork = '@hook("PreToolUse", tool="Write")\ndef fork():\n    if os.fork() == 0: sys.exit(0)\n'
    worker = start(fork + GUARD)
    for _ in range(3):
        handle("claude-code", pre("Write"), worker)
        assert denial(handle("claude-code", pre(), worker)) == "No."


# --- nothing is left behind --------------------------------------------------------------------------------


@pytest.fixture
def lifeline(tmp_path: Path) -> Iterator[int]:
    """The reading end of a pipe that reaches its end when the last process holding `line` is gone."""
    os.mkfifo(tmp_path / "line")
    reading = os.open(tmp_path / "line", os.O_RDONLY | os.O_NONBLOCK)
    yield reading
    os.close(reading)


def heard(reading: int) -> bytes:
    """The next bytes on the line; none at its end."""
    assert select.select([reading], [], [], AMPLE)[0], "somebody still holds the line"
    return os.read(reading, 100)


LEAVE_CHILD = """
import subprocess

@hook("PreToolUse", tool="Write")
def leave_child():
    with open(os.path.dirname(__file__) + "/line", "w") as line:
        subprocess.Popen(["sh", "-c", "echo ready; exec sleep 600"], stdout=line)
"""


def test_a_process_left_behind_by_a_hook_ends_with_its_worker(start: Start, lifeline: int):
    worker = start(LEAVE_CHILD)
    assert handle("claude-code", pre("Write"), worker).stdout == b"{}"
    assert heard(lifeline) == b"ready\n"
    worker.close()
    assert heard(lifeline) == b""


def test_a_process_started_by_a_stuck_hook_ends_at_the_deadline(start: Start, lifeline: int):
    worker = start(LEAVE_CHILD + "    while True: pass\n", SHORT)
    assert "did not answer within 1 s" in denial(handle("claude-code", pre("Write"), worker))
    assert heard(lifeline) == b"ready\n"
    assert heard(lifeline) == b""


def test_a_worker_does_not_outlive_the_process_that_started_it(tmp_path: Path, lifeline: int):
    hold = "line = open(os.path.dirname(__file__) + '/line', 'w'); print('ready', file=line, flush=True)\n"
    file = written(tmp_path, "import os\nfrom interlock import *\n" + hold + GUARD)
    parent = "import os, sys, pathlib; from interlock.hooks.process import HookProcess\n"
    parent += "HookProcess([pathlib.Path(sys.argv[1])], 30).start(); os._exit(0)"
    subprocess.run([sys.executable, "-c", parent, str(file)], check=True)
    assert heard(lifeline) == b"ready\n"
    assert heard(lifeline) == b""


def test_closing_leaves_no_process_behind(start: Start):
    worker = start(TELL_PID)
    pid = pid_of(worker)
    assert not gone(pid)
    worker.close()
    assert gone(pid)
    worker.close()


def test_a_thread_left_behind_does_not_hold_the_worker(start: Start):
    wait = "    import threading; threading.Thread(target=threading.Event().wait).start()\n"
    worker = start(TELL_PID.replace("    return", wait + "    return"))
    pid = pid_of(worker)
    worker.close()
    assert gone(pid)


def test_a_worker_that_was_closed_starts_anew_when_asked(start: Start):
    worker = start(TELL_PID)
    before = pid_of(worker)
    worker.close()
    assert pid_of(worker) != before


def test_closing_a_worker_that_never_started_does_nothing(tmp_path: Path):
    HookProcess([tmp_path / "never-read.py"]).close()


# --- loading -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 / 0", "error: loading failed: ZeroDivisionError: division by zero\n --> guards.py:3"),
        ("def f(:", "error: syntax error: invalid syntax\n --> guards.py:3:7\n  |\n3 | def f(:\n  |       ^"),
        ("x = 1", 'error: `guards.py` registers no hook\nhelp: decorate a function with @hook("PreToolUse")'),
        ("sys.exit(0)", "error: loading failed: SystemExit: 0\n --> guards.py:3"),
        (
            '@hook("PreToolUse")\ndef f(cal): pass',
            "error: hook `f` wants `cal`; it may want call, event, state, host\n --> guards.py:3\n"
            "help: did you mean `call`?",
        ),
    ],
    ids=["raises", "syntax", "empty", "exits", "argument"],
)
def test_a_file_that_cannot_be_loaded_denies_with_the_whole_error(
    start: Start, tmp_path: Path, text: str, message: str
):
    worker = start(text)
    expected = f"the hooks cannot be loaded\n{message}"
    assert denial(handle("claude-code", pre(), worker)).replace(f"{tmp_path}/", "") == expected
    with pytest.raises(InterlockError) as caught:
        worker.start()
    assert caught.value.message.replace(f"{tmp_path}/", "") == expected


def test_a_file_that_ends_the_process_while_loading_is_named(start: Start, tmp_path: Path):
    expected = f"loading {tmp_path}/guards.py ended the process it ran in"
    assert denial(handle("claude-code", pre(), start("os._exit(0)"))) == expected


def test_a_file_that_was_mended_is_loaded_at_the_next_event(start: Start):
    worker = start("1 / 0")
    assert "ZeroDivisionError" in denial(handle("claude-code", pre(), worker))
    start(GUARD)
    assert denial(handle("claude-code", pre(), worker)) == "No."
