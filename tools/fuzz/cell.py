"""The inside of the box: what makes it, and runs the lines. Once it is shut, nothing more can be imported."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import signal
import struct
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple, NoReturn

__all__ = ["Contents", "live"]

_NOBODY = 65534
# Of linux/sched.h, linux/mount.h, linux/prctl.h and linux/securebits.h.
_NEW_NAMESPACES = 0x00020000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000
_READ_ONLY, _NO_SUID, _NO_DEVICES, _REMOUNT, _BIND, _RECURSIVE, _PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
_DETACH = 2
_SET_DUMPABLE, _SET_SECUREBITS, _SET_NO_NEW_PRIVILEGES, _SET_DEATH_SIGNAL = 4, 28, 38, 1
_ROOT_IS_NOBODY = 0b11
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_SECONDS = 1.0
_LIMITS = {
    resource.RLIMIT_CPU: 1,
    resource.RLIMIT_AS: 256 << 20,
    resource.RLIMIT_FSIZE: 1 << 20,
    resource.RLIMIT_NPROC: 64,
    resource.RLIMIT_NOFILE: 256,
    resource.RLIMIT_CORE: 0,
}


class Contents(NamedTuple):
    """What lies in a box."""

    files: dict[str, bytes]
    links: dict[str, str]
    home: str


def live(contents: Contents, asks: int, answers: int) -> NoReturn:
    """Make the box around this process and run the lines that come, until no more do."""
    try:
        _shut(contents, asks, answers)
    except OSError as error:
        _say(answers, str(error).encode())
        os._exit(1)
    _say(answers, b"")
    with contextlib.suppress(BrokenPipeError):
        for line, dash in _lines(asks):
            for answer in _run(line, contents.home, dash=dash):
                _say(answers, answer)
    os._exit(0)


def _shut(contents: Contents, asks: int, answers: int) -> None:
    for descriptor in range(3, 256):
        if descriptor not in (asks, answers):
            with contextlib.suppress(OSError):
                os.close(descriptor)
    if os.geteuid() == 0:
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    user, group = os.geteuid(), os.getegid()
    _call("prctl", _SET_DUMPABLE, 1, 0, 0, 0)  # its own files in /proc were root's
    _call("unshare", _NEW_NAMESPACES)
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
            file.write(text)
    first = os.fork()
    if first:
        os.close(answers)
        os.close(asks)
        os.waitpid(first, 0)
        os._exit(0)
    _call("prctl", _SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
    _furnish(contents)


def _furnish(contents: Contents) -> None:
    """Make a root with nothing but the contents, and let go of the machine's own."""
    root = "/tmp"  # any folder: the machine never sees what is mounted on it
    _mount("none", "/", "", _RECURSIVE | _PRIVATE)
    _mount("tmpfs", root, "tmpfs", _NO_SUID | _NO_DEVICES, "size=96m,mode=755")
    for folder in ("proc", "dev", "old", "tmp", ".log", contents.home.lstrip("/")):
        os.makedirs(f"{root}/{folder}")  # noqa: PTH103
    for path, data in contents.files.items():
        os.makedirs(os.path.dirname(root + path), exist_ok=True)  # noqa: PTH103, PTH120
        with open(root + path, "wb") as file:  # noqa: PTH123
            file.write(data)
        os.chmod(root + path, 0o755)  # noqa: PTH101
    for path, target in contents.links.items():
        os.link(root + target, root + path)
    os.makedirs(f"{root}/usr", exist_ok=True)  # noqa: PTH103
    for link, target in (("usr/bin", "/bin"), ("dev/fd", "/proc/self/fd"), ("dev/stdin", "/proc/self/fd/0"),
                         ("dev/stdout", "/proc/self/fd/1"), ("dev/stderr", "/proc/self/fd/2")):  # fmt: skip
        os.symlink(target, f"{root}/{link}")  # noqa: PTH211
    _mount("proc", f"{root}/proc", "proc", _NO_SUID | _NO_DEVICES | 8)
    with open(f"{root}/dev/null", "w"):  # noqa: PTH123
        pass
    _mount("/dev/null", f"{root}/dev/null", "", _BIND)
    os.chdir(root)
    _call("syscall", _PIVOT_ROOT[os.uname().machine], b".", b"old")
    os.chdir("/")
    _call("umount2", b"/old", _DETACH)
    os.rmdir("/old")  # noqa: PTH106
    _mount("none", "/", "", _REMOUNT | _BIND | _READ_ONLY | _NO_SUID | _NO_DEVICES)


def _lines(asks: int) -> Iterator[tuple[bytes, bool]]:
    with os.fdopen(asks, "rb") as stream:
        while head := stream.read(5):
            size, dash = struct.unpack("=I?", head)
            yield stream.read(size), dash


def _run(line: bytes, home: str, *, dash: bool) -> tuple[bytes, bytes, bytes]:
    """Run one line; whether it was stopped, what it started, and its errors."""
    writable = ("/.log", home, "/tmp")
    for place in writable:
        _mount("tmpfs", place, "tmpfs", _NO_SUID | _NO_DEVICES, "size=4m,mode=755")
    for name in ("started", "errors", *(["dash"] if dash else [])):
        os.close(os.open(f"/.log/{name}", os.O_CREAT | os.O_WRONLY, 0o644))
    child = os.fork()
    if child == 0:
        _become_bash(line, home)
    late = _wait()
    started, errors = _content("/.log/started"), _content("/.log/errors")
    for place in writable:
        _call("umount2", place.encode(), _DETACH)
    return (b"1" if late else b"0"), started, errors[:4000]


def _become_bash(line: bytes, home: str) -> NoReturn:
    try:
        os.setsid()
        os.chdir(home)
        os.dup2(os.open("/dev/null", os.O_RDWR), 0)
        os.dup2(0, 1)
        os.dup2(os.open("/.log/errors", os.O_WRONLY | os.O_APPEND), 2)
        os.closerange(3, 256)
        for kind, most in _LIMITS.items():
            resource.setrlimit(kind, (most, most))
        _call("prctl", _SET_SECUREBITS, _ROOT_IS_NOBODY, 0, 0, 0)
        _call("prctl", _SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
        os.execve(
            "/.real/bash", [b"bash", b"-c", line], {"HOME": home, "PATH": "/bin", "PWD": home, "LC_ALL": "C.UTF-8"}
        )
    finally:
        os._exit(126)


def _wait() -> bool:
    """Wait until nothing runs any more, or the time is over; then end what is left. Whether there was something."""
    until = time.monotonic() + _SECONDS
    late = False
    pause = 0.0002
    while True:
        try:
            ended, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return late
        if not ended:
            if time.monotonic() > until:
                late = True
                with contextlib.suppress(ProcessLookupError):
                    os.kill(-1, signal.SIGKILL)  # of this namespace, in which we are the first and are spared
            time.sleep(pause)
            pause = min(pause * 1.5, 0.01)


def _content(path: str) -> bytes:
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return file.read(1 << 20)
    except OSError:
        return b""


def _say(answers: int, data: bytes) -> None:
    rest = struct.pack("=I", len(data)) + data
    while rest:
        rest = rest[os.write(answers, rest) :]


def _mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    _call("mount", source.encode(), target.encode(), kind.encode() or None, flags, options.encode() or None)


_LIBC = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _call(name: str, *args: object) -> None:
    if _LIBC is None:
        raise OSError(f"{name}: only Linux has it")
    if getattr(_LIBC, name)(*args) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
