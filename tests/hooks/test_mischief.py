"""What one event's hook does to its process does not reach the next event, and a hook cannot take all memory."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interlock.hooks.process import HookProcess
from interlock.service import handle
from tests.hooks.events import denial, pre, said, written

AMPLE = 60.0  # no test waits for it unless it is broken

# A hook that tells everything about its process which the mischief below could change.
HEAD = """
import asyncio, builtins, ctypes, decimal, gc, json, locale, logging, os, resource, signal, socket, subprocess, sys
import stat, threading, time, warnings
from interlock import *

FOLDER = os.path.dirname(__file__)

def below(name):
    return subprocess.run(["printenv", name], capture_output=True, text=True).stdout

def writes(stream):
    try:
        stream.write("x")
        stream.flush()
        return True
    except Exception as error:
        return repr(error)

def mask():
    found = os.umask(0)
    os.umask(found)
    return found

async def later():
    await asyncio.sleep(0)
    return "later"

@hook("PreToolUse", tool="Look")
async def look(call):
    out = await later()
    return notify(json.dumps({
        "cwd": os.getcwd(), "environment": sorted(os.environ.items()), "TEST_BELOW": below("TEST_BELOW"),
        "HOME below": below("HOME"), "umask": mask(), "path": sys.path, "argv": sys.argv, "later": out,
        "locale": locale.setlocale(locale.LC_ALL), "zone": list(time.tzname), "hour": time.localtime(0).tm_hour,
        "stdout": writes(sys.stdout), "stderr": writes(sys.stderr), "raw": writes(sys.__stdout__),
        "echo": subprocess.run("echo a; echo b >&2", shell=True).returncode,
        "fd": [os.fstat(n).st_ino == os.fstat(1).st_ino for n in (1, 2)], "stdin": sys.stdin.read(),
        "handlers": [str(signal.getsignal(n)) for n in (signal.SIGTERM, signal.SIGINT, signal.SIGALRM, signal.SIGCHLD)],
        "mask": sorted(signal.pthread_sigmask(signal.SIG_BLOCK, ())), "timer": signal.getitimer(signal.ITIMER_REAL),
        "recursion": sys.getrecursionlimit(), "gc": [gc.isenabled(), gc.get_threshold()],
        "trace": sys.gettrace() is None,
        "len": len("abc"), "print": print.__module__, "extra": hasattr(builtins, "extra"),
        "loads": json.loads("[1]"), "dumps": json.dumps([1]), "time": type(time.time()).__name__,
        "join": os.path.join("a", "b"), "encoder": json.JSONEncoder().encode({"a": 1}),
        "timeout": socket.getdefaulttimeout(), "filters": len(warnings.filters),
        "disabled": logging.root.manager.disable,
        "files": resource.getrlimit(resource.RLIMIT_NOFILE), "precision": decimal.getcontext().prec,
        "nice": os.getpriority(os.PRIO_PROCESS, 0), "hook": sys.excepthook is sys.__excepthook__,
        "digits": sys.get_int_max_str_digits(), "modules": "interlock.verdict" in sys.modules,
    }, default=str))

@hook("PreToolUse", tool="Pid")
def tell_pid():
    return notify(str(os.getpid()))

@hook("PreToolUse", tool="Bash")
def refuse():
    return deny("No.")

def is_socket(number):
    try:
        return stat.S_ISSOCK(os.fstat(number).st_mode)
    except OSError:
        return False

@hook("PreToolUse", tool="Spoil")
def spoil(call):
    with open(FOLDER + "/spoilt", "a") as file:
        file.write("x")
    """

MISCHIEF = {
    "stdout is None": "sys.stdout = None",
    "stderr is None": "sys.stderr = None",
    "stdin is None": "sys.stdin = None",
    "all streams are None": "sys.stdout = sys.stderr = sys.stdin = sys.__stdout__ = sys.__stderr__ = None",
    "stdout is deleted": "del sys.stdout",
    "stdout is closed": "sys.stdout.close()",
    "the real stdout is closed": "sys.__stdout__.close()",
    "stderr is closed": "sys.__stderr__.close()",
    "stdout is no stream": "sys.stdout = 7",
    "descriptor 1 is closed": "os.close(1)",
    "descriptors 1 and 2 are closed": "os.close(1); os.close(2)",
    "all standard descriptors are closed": "os.closerange(0, 3)",
    "descriptor 1 is another file": "os.dup2(os.open('/dev/null', os.O_RDONLY), 1)",
    "descriptor 1 is taken by a file": "os.close(1); global FILE; FILE = open('/dev/null')",
    "cwd": "os.chdir('/')",
    "cwd is gone": "os.mkdir(FOLDER + '/gone'); os.chdir(FOLDER + '/gone'); os.rmdir(FOLDER + '/gone')",
    "a variable is set": "os.environ['TEST_BELOW'] = 'x'",
    "a variable is removed": "os.environ.pop('HOME', None)",
    "the environment is cleared": "os.environ.clear()",
    "the environment is another object": "os.environ = {'A': 'b'}",
    "a variable is set below Python": "os.putenv('TEST_BELOW', 'x')",
    "a variable is removed below Python": "os.unsetenv('HOME')",
    "umask": "os.umask(0)",
    "locale": "locale.setlocale(locale.LC_ALL, 'C')",
    "time zone": "os.environ['TZ'] = 'Asia/Tokyo'; time.tzset()",
    "sys.path": "sys.path[:] = []",
    "sys.path is another list": "sys.path = ['/nowhere']",
    "sys.argv": "sys.argv = []",
    "meta path": "sys.meta_path.clear()",
    "modules are forgotten": "[sys.modules.pop(n) for n in list(sys.modules) if n[:9] in ('interlock', 'msgspec')]",
    "SIGTERM is ignored": "signal.signal(signal.SIGTERM, signal.SIG_IGN)",
    "SIGCHLD is ignored": "signal.signal(signal.SIGCHLD, signal.SIG_IGN)",
    "SIGINT is handled": "signal.signal(signal.SIGINT, lambda *_: None)",
    "signals are blocked": "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTERM, signal.SIGCHLD])",
    "an alarm is set": "signal.signal(signal.SIGALRM, lambda *_: os._exit(9)); signal.alarm(60)",
    "sys.exit": "sys.exit(0)",
    "os._exit": "os._exit(0)",
    "abort": "os.abort()",
    "killed": "os.kill(os.getpid(), signal.SIGKILL)",
    "raises": "raise ValueError",
    "interrupts": "raise KeyboardInterrupt",
    "recursion limit": "sys.setrecursionlimit(60)",
    "recursion": "def f(): f()\n    f()",
    "gc off": "gc.disable(); gc.set_threshold(1)",
    "trace": "sys.settrace(lambda *_: 1 / 0)",
    "profile": "sys.setprofile(lambda *_: None)",
    "len": "builtins.len = lambda _: 7",
    "isinstance": "builtins.isinstance = lambda *_: True",
    "open and print": "builtins.open = builtins.print = None",
    "builtins gain a name": "builtins.extra = 1",
    "builtins lose a name": "del builtins.dict",
    "json.loads": "json.loads = lambda *_, **__: None",
    "json.dumps is gone": "del json.dumps",
    "json's classes": "json.JSONEncoder.encode = lambda *_: 'x'",
    "time.time": "time.time = lambda: 'now'",
    "os.path": "os.path.join = lambda *_: '/'",
    "struct": "import struct; struct.pack = None",
    "sockets": "socket.socket.sendall = socket.socket.recv = None",
    "msgspec": "import msgspec; msgspec.json.encode = msgspec.json.decode = None",
    "Interlock's own functions": "import interlock.hooks.run as r; r.effects_of = r.failure = r.said_no = None",
    "Interlock's own classes": "import interlock.hooks.run as r; r.HookSet.ask = lambda *_: {}",
    "loggers are silenced": "logging.disable(logging.CRITICAL); logging.setLogRecordFactory(None)",
    "socket timeout": "socket.setdefaulttimeout(0.0001)",
    "warnings": "warnings.simplefilter('error')",
    "excepthook": "sys.excepthook = None",
    "digits": "sys.set_int_max_str_digits(640)",
    "decimal": "decimal.getcontext().prec = 2",
    "soft limit of files": "n = resource.RLIMIT_NOFILE; resource.setrlimit(n, (3, resource.getrlimit(n)[1]))",
    "hard limit of files": "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))",
    "nice": "os.nice(5)",
    "the loop is closed": "import asyncio; hooks = [o for o in gc.get_objects() if type(o).__name__ == 'HookSet'];"
    " [h._loop.close() for h in hooks if h._loop]",
    "another loop policy": "asyncio.set_event_loop_policy(None); asyncio.set_event_loop(None)",
    "garbage on the channel": "[os.write(n, b'\\0\\0\\0\\x02{}') for n in range(3, 64) if is_socket(n)]",
    "more garbage on the channel": "[os.write(n, b'\\0\\0\\0\\x03foo') for n in range(3, 64) if is_socket(n)]",
    "the channel is closed": "[os.close(n) for n in range(3, 64) if is_socket(n)]",
    "everything is closed": "os.closerange(0, 4096)",
    "all memory": "global HELD; HELD = []\n    while True: HELD.append(bytearray(1 << 24))",
    "most memory, kept": "global HELD; HELD = [bytearray(1 << 20) for _ in range(300)]",
    "a fork": "if os.fork() == 0: os._exit(0)",
}

Start = Callable[[str], HookProcess]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Make the worker of a hooks file whose hook on `Spoil` has this body."""
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.chdir(tmp_path)
    made: list[HookProcess] = []

    def make(body: str) -> HookProcess:
        folder = tmp_path / "hooks"
        folder.mkdir(exist_ok=True)
        made.append(HookProcess([written(folder, HEAD + body + "\n")], AMPLE, 512 * 1024**2))
        return made[-1]

    yield make
    for worker in made:
        worker.close()


def looked(worker: HookProcess) -> str:
    reply = handle("claude-code", pre("Look"), worker)
    assert "systemMessage" in said(reply), said(reply)
    return str(said(reply)["systemMessage"])


@pytest.mark.parametrize("body", MISCHIEF.values(), ids=MISCHIEF)
def test_after_any_mischief_the_next_event_is_answered_as_if_it_had_not_happened(
    start: Start, body: str, tmp_path: Path
):
    """S1-08"""
    worker = start(body)
    before = looked(worker)
    handle("claude-code", pre("Spoil"), worker)
    assert denial(handle("claude-code", pre(), worker)) == "No."
    handle("claude-code", pre("Spoil"), worker)
    assert looked(worker) == before
    assert (tmp_path / "hooks" / "spoilt").read_text().startswith("xx")  # it did run


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from(sorted(MISCHIEF.values())), min_size=2, max_size=4, unique=True))
def test_so_it_is_after_several_kinds_at_once(start: Start, bodies: list[str]):
    worker = start("\n    ".join(bodies))
    before = looked(worker)
    handle("claude-code", pre("Spoil"), worker)
    assert denial(handle("claude-code", pre(), worker)) == "No."
    assert looked(worker) == before
    worker.close()


def test_a_hook_that_takes_all_memory_is_denied_by_name_and_the_next_event_is_answered(start: Start, tmp_path: Path):
    """S1-08 The limit is the worker's own: the machine and the host keep theirs."""
    worker = start(MISCHIEF["all memory"])
    reason = denial(handle("claude-code", pre("Spoil"), worker))
    assert reason.startswith(f"hook `spoil` ({tmp_path}/hooks/guards.py:")
    assert reason.endswith(") raised MemoryError")
    assert denial(handle("claude-code", pre(), worker)) == "No."


def test_what_a_hook_keeps_within_the_limit_it_keeps(start: Start):
    worker = start("global HELD; HELD = globals().get('HELD', 0) + 1; return notify(str(HELD))")
    assert [said(handle("claude-code", pre("Spoil"), worker)) for _ in range(3)] == [
        {"systemMessage": "1"},
        {"systemMessage": "2"},
        {"systemMessage": "3"},
    ]


def test_what_a_hooks_file_sets_up_while_it_is_loaded_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PLACE", "outside")
    text = """
        import json, os, sys
        from interlock import *
        os.environ["PLACE"] = "inside"
        os.chdir("/")
        json.dumps = lambda value: "mine"
        sys.stdout = None

        @hook("PreToolUse")
        def tell():
            found = [os.environ["PLACE"], os.getcwd(), json.dumps([]), type(sys.stdout).__name__ != "NoneType"]
            os.environ["PLACE"] = "changed"
            return notify(str(found))
        """
    with HookProcess([written(tmp_path, text)], AMPLE) as worker:
        for _ in range(2):
            told = said(handle("claude-code", pre(), worker))
            assert told == {"systemMessage": "['inside', '/', 'mine', True]"}


def test_a_worker_that_ended_between_two_events_is_replaced_without_a_word(start: Start, tmp_path: Path):
    """A thread that a hook left behind may end the process when no hook runs: no call is to blame for that."""
    leave = (
        "import threading; wait = lambda: (open(FOLDER + '/go').read(), os._exit(3))\n"
        "    threading.Thread(target=wait, daemon=True).start()"
    )
    worker = start(leave)
    os.mkfifo(tmp_path / "hooks" / "go")
    before = looked(worker)
    assert handle("claude-code", pre("Spoil"), worker).stdout == b"{}"
    pid = int(said(handle("claude-code", pre("Pid"), worker))["systemMessage"])
    (tmp_path / "hooks" / "go").write_text("now")
    with contextlib.suppress(ProcessLookupError):
        while Path(f"/proc/{pid}").exists() and " Z " not in Path(f"/proc/{pid}/stat").read_text():
            os.sched_yield()
    assert looked(worker) == before
