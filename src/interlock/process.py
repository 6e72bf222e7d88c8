"""Run one program under a time limit and an output limit, in a process group that is killed when it ends."""

from __future__ import annotations

import errno
import os
import re
import selectors
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from fnmatch import translate
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING

from msgspec import Struct

from interlock.effect import can
from interlock.errors import InterlockError

if TYPE_CHECKING:
    import subprocess

__all__ = [
    "EVENT_SECONDS",
    "MOST",
    "MOST_EVENT_SECONDS",
    "Ran",
    "clean_environment",
    "event_seconds",
    "run_program",
    "seconds_left",
]


def event_seconds(event: str) -> float:
    """For all checks of one event: less than the client waits, which is less than the host waits."""
    seconds = can(event).seconds
    return min(seconds * 1.12, seconds + 60)


EVENT_SECONDS = event_seconds("PreToolUse")
MOST_EVENT_SECONDS = event_seconds("Stop")

MOST = 1024 * 1024
_GRACE = 0.25  # how long to read on after a program has ended while a process that it started keeps its output open
_SHORTEST_NAP, _LONGEST_NAP = 0.001, 0.02  # between two checks of whether it has ended
_REAP = 1.0  # a killed process may hang in the kernel; it is not waited for any longer than this
_CHUNK = 64 * 1024


def seconds_left(started: float, wanted: float, event: str) -> float:
    """The wanted seconds, or fewer if the event has less time left: a host limits the time of all checks together.

    `started` is when the event arrived, by the monotonic clock; 0 means that no host is waiting.
    """
    return max(0.001, min(wanted, started + event_seconds(event) - time.monotonic())) if started else wanted


class Ran(Struct, frozen=True):
    """What a program printed, and how it ended. A negative code is the signal that ended it."""

    code: int
    stdout: bytes
    stderr: str
    late: bool = False
    cut: bool = False  # it printed more than the limit and was killed
    held: bool = False  # a process that it started still had its stdout open, so more might have come


def run_program(
    command: Sequence[str] | str,
    *,
    stdin: bytes,
    cwd: str,
    env: Mapping[str, str],
    timeout: float,
    most: int = MOST,
) -> Ran:
    """Run a program until it ends or its deadline passes; a string goes to `/bin/sh -c`, a list runs without a shell.

    `most` limits stdout and stderr together. Raises InterlockError if the program cannot be started.
    """
    limit = time.monotonic() + timeout
    process = _start(command, cwd, env)
    try:
        pipes = _Pipes(process, stdin, most)
        try:
            code = _follow(process, pipes, limit)
            held = pipes.held
        finally:
            pipes.close()
    finally:
        _end(process)
    return Ran(
        code=-signal.SIGKILL if code is None else code,
        stdout=bytes(pipes.heard["stdout"]),
        stderr=pipes.heard["stderr"].decode("utf-8", "replace"),
        late=code is None and not pipes.cut,
        cut=pipes.cut,
        held=held,
    )


# --- starting ----------------------------------------------------------------------------------------------


def _start(command: Sequence[str] | str, cwd: str, env: Mapping[str, str]) -> subprocess.Popen[bytes]:
    words = ["/bin/sh", "-c", command] if isinstance(command, str) else list(command)
    if not command or not words[0]:
        raise InterlockError("there is no program to run", help="write a command, or a list of a program and arguments")
    import subprocess  # noqa: PLC0415 - the daemon starts sooner without it, and most policies run nothing

    try:
        return subprocess.Popen(  # noqa: S603 - running what a policy names is the job
            words,
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # its own process group, so that the processes it starts are killed with it
        )
    except (OSError, ValueError) as error:
        raise _start_failure(words[0], cwd, error) from error


def _start_failure(program: str, cwd: str, error: OSError | ValueError) -> InterlockError:
    if not isinstance(error, OSError):
        return InterlockError(f"`{program}` cannot be started: {error}")  # a NUL in an argument
    if not os.path.isdir(cwd):  # noqa: PTH112 - Path.is_dir() raises where a folder above may not be searched
        return InterlockError(f"`{program}` cannot run in `{cwd}`: there is no such folder", help="create the folder")
    file = Path(cwd, program)
    match error.errno:
        case errno.ENOENT if os.sep not in program:
            return InterlockError(f"there is no program `{program}`", help="install it, or write its full path")
        case errno.ENOENT if file.exists():
            return InterlockError(f"the interpreter of `{program}` does not exist", help="correct its `#!` line")
        case errno.ENOENT:
            return InterlockError(f"there is no program `{program}`", help=f"correct its path; it starts in `{cwd}`")
        case errno.EACCES if file.is_dir():
            return InterlockError(f"`{program}` is a folder", help="name a program in it")
        case errno.EACCES:
            return InterlockError(f"`{program}` is not executable", help=f"run `chmod +x {file}`")
        case errno.ENOEXEC:
            return InterlockError(
                f"`{program}` is not a program", help="begin it with a `#!` line, such as `#!/bin/sh`"
            )
    return InterlockError(f"`{program}` cannot be started: {error.strerror}")


# --- following ---------------------------------------------------------------------------------------------


class _Pipes:
    """The three pipes of a program: the input still to be sent, and the output so far."""

    def __init__(self, process: subprocess.Popen[bytes], stdin: bytes, most: int) -> None:
        self.heard = {"stdout": bytearray(), "stderr": bytearray()}
        self.cut = False
        self._room = most
        self._unsent = memoryview(stdin)
        self._selector = selectors.DefaultSelector()
        self._open: dict[str, IO[bytes]] = {}
        for name, pipe in (("stdin", process.stdin), ("stdout", process.stdout), ("stderr", process.stderr)):
            assert pipe is not None  # noqa: S101 - _start() opened it
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ if name in self.heard else selectors.EVENT_WRITE, name)
            self._open[name] = pipe

    @property
    def at_end(self) -> bool:
        return self._open.keys().isdisjoint(self.heard)

    @property
    def held(self) -> bool:
        return "stdout" in self._open

    def pump(self, seconds: float) -> bool:
        """Write and read whatever is ready, waiting at most `seconds`. Returns whether anything was ready."""
        ready = self._selector.select(seconds)
        for key, _ in ready:
            if key.data == "stdin":
                self._send()
            elif not self.cut:
                self._receive(key.data)
        return bool(ready)

    def drain(self) -> None:
        """Read what is in the pipes already."""
        while not self.cut and self.pump(0):
            pass

    def close(self) -> None:
        for name in list(self._open):
            self._finish(name)
        self._selector.close()

    def _send(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._open["stdin"].fileno(), self._unsent[:_CHUNK]) :]
        except BrokenPipeError:
            self._unsent = self._unsent[:0]  # a program need not read its input
        if not self._unsent:
            self._finish("stdin")

    def _receive(self, name: str) -> None:
        chunk = os.read(self._open[name].fileno(), _CHUNK)
        if not chunk:
            self._finish(name)
            return
        self.heard[name] += chunk[: self._room]
        self.cut = len(chunk) > self._room
        self._room -= min(len(chunk), self._room)

    def _finish(self, name: str) -> None:
        pipe = self._open.pop(name)
        self._selector.unregister(pipe)
        pipe.close()


def _follow(process: subprocess.Popen[bytes], pipes: _Pipes, limit: float) -> int | None:
    """Serve a program until it has ended and its output is read. Returns its exit code, or None if it must be ended."""
    code: int | None = None
    nap = _SHORTEST_NAP
    while not pipes.cut:
        if code is None and (code := _exit_code(process)) is not None:
            limit = min(limit, time.monotonic() + _GRACE)
        rest = limit - time.monotonic()
        if rest <= 0 or (code is not None and pipes.at_end):
            break
        # If another process keeps a pipe open, the end of the program causes no event on it, so it is polled for.
        nap = _SHORTEST_NAP if pipes.pump(min(rest, nap)) else min(2 * nap, _LONGEST_NAP)
    if code is not None:
        pipes.drain()  # on a busy machine the grace may be over before anything was read
    return None if pipes.cut else code


def _exit_code(process: subprocess.Popen[bytes]) -> int | None:
    """The exit code if the program has ended. It is not reaped yet, so that its id cannot become another group's."""
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        return process.poll()
    try:
        found = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError as error:
        # Popen would report this as exit code 0.
        raise InterlockError(
            "its exit code is lost: it was reaped elsewhere", help="do not start Interlock with SIGCHLD ignored"
        ) from error
    if found is None:
        return None
    return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of the group, and reap its leader."""
    import subprocess  # noqa: PLC0415

    with suppress(ProcessLookupError, PermissionError):  # nothing of it is left, or it runs as another user
        os.killpg(process.pid, signal.SIGKILL)
    with suppress(subprocess.TimeoutExpired):
        process.wait(_REAP)


# --- the environment ---------------------------------------------------------------------------------------

# Variables of the host's environment that a program does not get, and why. Names are compared in upper case.
_DROPPED: dict[str, str] = {
    "credentials: a check does not need them, and other people wrote it": """
        TOKEN *_TOKEN *_TOKEN_SECRET *_PAT *_JWT
        SECRET SECRET_* *_SECRET *_SECRETS *_SECRET_*
        PASSWORD *PASSWORD *PASSWD *_PASS *_PASSPHRASE *_PWD
        APIKEY *_APIKEY KEY *_KEY *_KEY_ID *_KEYS *_PRIVATE_KEY_*
        CREDENTIALS *_CREDENTIAL *_CREDENTIALS *_CREDENTIALS_* *_COOKIE *_AUTH *_AUTH_CONFIG *_AUTHTOKEN
        *_HEADERS *_CONNECTION_STRING *_WEBHOOK *_WEBHOOK_URL""",
    "the loader and libc load the files that these name into every program": """
        LD_* DYLD_* GCONV_PATH GLIBC_TUNABLES OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES""",
    "shells run these, or read commands and options from them": """
        ENV BASH_ENV BASH_FUNC_* BASH_LOADABLES_PATH SHELLOPTS BASHOPTS PS4 IFS CDPATH ZDOTDIR FPATH PROMPT_COMMAND""",
    "Python imports or runs the files that these name": """
        PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONUSERBASE PYTHONINSPECT PYTHONBREAKPOINT PYTHONWARNINGS
        PYTHONPYCACHEPREFIX PYTHONPLATLIBDIR PYTHONEXECUTABLE""",
    "other languages load the code that these name": """
        PERL5LIB PERLLIB PERL5OPT PERL5DB RUBYOPT RUBYLIB NODE_OPTIONS NODE_PATH NPM_CONFIG_NODE_OPTIONS
        NPM_CONFIG_SCRIPT_SHELL LUA_INIT* LUA_PATH* LUA_CPATH* JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS
        CLASSPATH DOTNET_STARTUP_HOOKS CORECLR_* COR_* PHPRC PHP_INI_SCAN_DIR R_PROFILE* R_ENVIRON* ERL_*FLAGS""",
    "builds run the programs these name": """
        MAKEFLAGS MAKEFILES GOFLAGS RUSTC RUSTC_*WRAPPER CARGO_*_RUSTC_*WRAPPER""",
    "git runs the programs that these name, or programs named by the repository and settings that these name": """
        GIT_SSH GIT_SSH_COMMAND GIT_ASKPASS GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF
        GIT_PROXY_COMMAND GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_CONFIG* GIT_DIR GIT_WORK_TREE GIT_COMMON_DIR
        GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES""",
    "pagers and password prompts run these": "LESSOPEN LESSCLOSE SSH_ASKPASS SUDO_ASKPASS",
}
# Whatever its name: a URL with a password in it, or a key whose form its issuer fixed.
_SECRET_VALUE = re.compile(
    r"\w://[^/?#\s@:]*:(?!\d+[/?#])\S*@|-----BEGIN [A-Z ]*PRIVATE KEY|\bsk-ant-|\bgh[pousr]_\w{20}|\bgithub_pat_"
    r"|\bglpat-|\bxox[abeoprs]-|\bAKIA[0-9A-Z]{16}\b"
)


@cache
def _dropped_names() -> re.Pattern[str]:
    return re.compile("|".join(translate(name) for names in _DROPPED.values() for name in names.split()))


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment without credentials, and without variables that make programs load code that is not theirs."""
    return {name: value for name, value in environ.items() if not _is_dropped(name, value)}


def _is_dropped(name: str, value: str) -> bool:
    if not name or "=" in name or "\0" in name + value:
        return True  # no program could be started with such a variable
    return bool(_dropped_names().match(name.upper()) or _SECRET_VALUE.search(value))
