"""Pass the event to the daemon and its answer back, importing and deciding as little as possible.

`client.py` runs this under a bare interpreter. It imports only modules built into the interpreter, reads no JSON and
uses nothing from the environment, which a project's settings can change. If anything unexpected happens, it gives the
event's answer for a failure, which is a constant. `spawn/launch.py` starts a daemon.
"""

import _signal
import _socket
import posix
import sys
import time

VERSION = "0.1.0"
MAGIC = b"ILK1"
# request: MAGIC, version, length of the names, length of the event; then the names, then the event
# names: EVENT \0 PROJECT, and what else the host says in its command line; EVENT is HOST:EVENT of other hosts
# answer: MAGIC, kind, exit code, length of stdout, length of stderr; then both
ANSWER, OTHER_VERSION = 0, 1
HEADER = 14
VERSION_SIZE = 16
MOST = 64 << 20
STILL_WORKING = b"\5"  # sent every few seconds before the answer: only a daemon that hangs is given up on
SILENCE = 20.0  # seconds without a byte from the daemon
MOST_BEATS = 2000  # at least two seconds apart, which is longer than any host waits
SOCKET_FILE, PRIVATE, BLOCK_EXIT = 0o140000, 0o077, 2

WHY = "Interlock did not answer. A person can find out why with `interlock doctor`."
# What the host is answered if nobody judged an event, and with which exit code. An event that is not here passes with a
# notice. Written by `hosts/claude_code/failing.py` from the host's table.
# fmt: off
FAILING = {
    "PreToolUse": ('{"hookSpecificOutput":{"hookEventName":"%(event)s","permissionDecision":"deny","permissionDecisionReason":"%(why)s"}}', 2),
    "PermissionRequest": ('{"hookSpecificOutput":{"hookEventName":"%(event)s","decision":{"behavior":"deny","message":"%(why)s"}}}', 0),
    "PostToolUse": ('{"continue":false,"stopReason":"Interlock withholds this result: %(why)s","systemMessage":"%(why)s"}', 0),
    "PostToolUseFailure": ('{"decision":"block","reason":"Interlock could not check this result: %(why)s","systemMessage":"%(why)s"}', 0),
    "PostToolBatch": ('{"decision":"block","reason":"%(why)s","systemMessage":"%(why)s"}', 0),
    "UserPromptExpansion": ('{"decision":"block","reason":"%(why)s"}', 0),
    "SessionEnd": ('{"systemMessage":"%(why)s"}', 2),
    "PreModelSwitch": ('{"hookSpecificOutput":{"hookEventName":"%(event)s","permissionDecision":"deny","permissionDecisionReason":"%(why)s"}}', 2),
    "Elicitation": ('{"decision":"block","reason":"%(why)s"}', 0),
    "ElicitationResult": ('{"decision":"block","reason":"%(why)s"}', 0),
    "ConfigChange": ('{"decision":"block","reason":"%(why)s"}', 0),
    "WorktreeCreate": ('', 2),
}
# fmt: on
_NOTICE = '{"systemMessage":"%(why)s"}'
# The package, whether `client.py` runs this file under its own name or `interlock client` imports it.
PACKAGE = __file__.rpartition("/")[0].removesuffix("/spawn")
# Events for which a better answer is possible if they are parsed, and the file that does so.
LATE, LATE_FILE = ("PostToolUse", "PostToolBatch"), "/spawn/late.py"
LATE_SECONDS = 5.0
# A host that leaves out the arguments of an entry, and how an event of one names what may run by it.
ANY, CALLS = "any:", (b"ToolUse", b"ermissionRequest", b"before")
# The answers of other hosts than Claude Code, and how long each waits; read only for them.
OTHERS_FILE = "/spawn/others.py"


def others(host: str) -> dict[str, tuple[str, bool, int, float]]:
    """The events of another host: the failing answer, whether it is said on stderr, the exit code, and the seconds."""
    found: dict[str, object] = {}
    with open(PACKAGE + OTHERS_FILE, "rb") as file:
        exec(compile(file.read(), file.name, "exec"), found)
    return found["HOSTS"][host]  # type: ignore[index,no-any-return]  # defined by what was just run


def failing(event: str) -> tuple[bytes, bytes, int]:
    """The answer when there is no verdict: what to print, what to say on stderr, and the exit code."""
    host, colon, name = event.partition(":")
    if colon:
        return failing_of(host, name)
    form, code = FAILING.get(event, (_NOTICE, 0))
    return (form % {"event": event, "why": WHY}).encode(), WHY.encode() if code else b"", code


def failing_of(host: str, event: str) -> tuple[bytes, bytes, int]:
    """The same for another host. If even that cannot be read, the exit code by which nearly all of them refuse."""
    try:
        form, says, code, _ = others(host)[event]
        return (form % {"why": WHY}).encode(), WHY.encode() if says else b"", code
    except BaseException:
        return b"", WHY.encode(), BLOCK_EXIT


def refusal(event: str, raw: bytes) -> tuple[bytes, bytes, int]:
    """The answer for a failure, or a milder one if the event shows that no unchecked result would be read with it."""
    constant = failing(event)
    if event.startswith(ANY) and raw and not any(mark in raw for mark in CALLS):
        return b"", constant[1], 1  # nothing runs by it, and some hosts would take a refusal for an order to go on
    if event not in LATE or not raw:
        return constant
    _signal.signal(_signal.SIGALRM, lambda number, frame: leave(*constant))
    _signal.setitimer(_signal.ITIMER_REAL, LATE_SECONDS)
    late = {"__name__": "interlock.spawn.late"}
    try:
        with open(PACKAGE + LATE_FILE, "rb") as file:
            exec(compile(file.read(), file.name, "exec"), late)
        said = late["answer"](event, raw, WHY)  # type: ignore[operator]  # defined by what was just run
    except BaseException:
        return constant
    return constant if said is None else (said.encode(), b"", 0)


def leave(stdout: bytes, stderr: bytes, code: int) -> None:
    """Write the answer and exit at once, without any cleanup."""
    try:
        while stdout:
            stdout = stdout[posix.write(1, stdout) :]
        while stderr:
            stderr = stderr[posix.write(2, stderr) :]
    except OSError:
        code = BLOCK_EXIT  # half an answer cannot be read
    posix._exit(code)


def read_event() -> bytes:
    parts, size = [], 0
    while chunk := posix.read(0, 1 << 20):
        parts.append(chunk)
        size += len(chunk)
        if size > MOST:
            raise ValueError("the event is too large")
    return b"".join(parts)


def connect(path: str) -> _socket.socket:
    """A connection to the daemon, if only this user can use its socket and the daemon is this user's."""
    folder, _, name = path.rpartition("/")
    posix.chdir(folder)  # a socket's address must be short
    for place, kind in ((".", 0o040000), (name, SOCKET_FILE)):
        found = posix.lstat(place)
        if found.st_uid != posix.getuid() or found.st_mode & PRIVATE or found.st_mode & 0o170000 != kind:
            raise PermissionError(f"{path} is not private to this user")
    daemon = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    daemon.connect(name)
    if hasattr(_socket, "SO_PEERCRED"):
        peer = daemon.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
        if int.from_bytes(peer[4:8], sys.byteorder) != posix.getuid():
            raise PermissionError(f"another user's process listens on {path}")
    return daemon


def request(event: str, project: str, raw: bytes, *words: str) -> bytes:
    names = b"\0".join(word.encode("utf-8", "surrogateescape") for word in (event, project, *words))
    version = VERSION.encode().ljust(VERSION_SIZE, b"\0")
    return b"".join((MAGIC, version, len(names).to_bytes(4), len(raw).to_bytes(4), names, raw))


def converse(daemon: _socket.socket, message: bytes, until: float | None = None) -> tuple[int, bytes, bytes, int]:
    """Send the event and return the kind of answer, what to print, what to say on stderr, and the exit code.

    `until`: the time of the monotonic clock at which the host has waited long enough.
    """
    sent = memoryview(message)
    while sent:
        sent = sent[daemon.send(sent) :]
    daemon.shutdown(1)
    got, beats = b"", 0
    while True:
        left = SILENCE if until is None else min(SILENCE, max(0.001, until - time.monotonic()))
        _signal.setitimer(_signal.ITIMER_REAL, left)
        chunk = daemon.recv(1 << 16)
        if not chunk:
            raise EOFError("half an answer")
        if not got:
            rest = chunk.lstrip(STILL_WORKING)
            beats += len(chunk) - len(rest)
            chunk = rest
            if beats > MOST_BEATS:
                raise TimeoutError("the daemon has been working for longer than any host waits")
        got += chunk
        if len(got) >= HEADER:
            out = int.from_bytes(got[6:10])
            end = HEADER + out + int.from_bytes(got[10:14])
            if got[:4] != MAGIC or len(got) > end:
                raise ValueError("not an answer")
            if len(got) == end:
                return got[4], got[HEADER : HEADER + out], got[HEADER + out :], got[5]


def ask(event: str, path: str, project: str, raw: bytes, *words: str) -> tuple[bytes, bytes, int]:
    message = request(event, project, raw, *words)
    host, colon, name = event.partition(":")
    until = time.monotonic() + others(host)[name][3] if colon else None
    try:
        answer = converse(connect(path), message, until)
        if answer[0] == ANSWER:
            return answer[1:]
    except (FileNotFoundError, ConnectionRefusedError):
        pass
    # There is no daemon, or one of another version, which exits when it sees this client's version.
    launch = {"__name__": "interlock.spawn.launch"}
    with open(PACKAGE + "/spawn/launch.py", "rb") as file:
        exec(compile(file.read(), file.name, "exec"), launch)
    launch["start"](path)  # type: ignore[operator]  # defined by what was just run
    answer = converse(connect(path), message, until)
    if answer[0] != ANSWER:
        raise ValueError("a daemon of another version")
    return answer[1:]


def main() -> None:
    given = len(sys.argv) == 4 or (len(sys.argv) > 2 and ":" in sys.argv[1])
    event = sys.argv[1] if given else "PreToolUse"  # if the event is not known, the strictest answer
    raw = b""
    _signal.signal(_signal.SIGALRM, lambda number, frame: leave(*refusal(event, raw)))
    _signal.setitimer(_signal.ITIMER_REAL, SILENCE)
    try:
        raw = read_event()
        project, *words = sys.argv[3:] or [""]
        answer = ask(event, sys.argv[2], project, raw, *words) if given else refusal(event, raw)
    except BaseException:
        answer = refusal(event, raw)
    leave(*answer)
