"""Runs programs with a hook that writes down what they are about to do, and stops them before they do it.

It is run as a program of its own: it takes a list of programs as JSON, and gives for each the events.
"""

from __future__ import annotations

import asyncio
import concurrent.futures.thread
import contextlib
import encodings.rot_13
import glob
import io
import json
import logging
import os
import sqlite3
import sys
import tarfile
import tempfile
import threading
import urllib.request
import zipfile
from typing import Any

# What is taken in before the hook is set needs no files later.
LOADED = (asyncio, concurrent.futures.thread, encodings.rot_13, glob, logging, sqlite3, tarfile, tempfile,
          urllib.request, zipfile)  # fmt: skip
WATCHED = (
    "open", "os.remove", "os.rmdir", "os.mkdir", "os.rename", "os.link", "os.symlink", "os.truncate", "os.chmod",
    "os.chown", "os.utime", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.startfile", "os.kill",
    "os.killpg",
    "os.fork", "os.forkpty", "subprocess.Popen", "pty.spawn", "shutil.", "socket.connect", "socket.getaddrinfo",
    "socket.bind", "urllib.Request", "sqlite3.connect", "tempfile.", "ftplib.", "smtplib.", "webbrowser.",
    "os.setxattr",
    "os.removexattr", "os.putenv", "ctypes.", "os.lockf", "winreg.", "msvcrt.",
)  # fmt: skip


class StoppedError(Exception):
    """The program is about to do something."""


class Hook:
    """Writes down what happens while a program runs."""

    def __init__(self) -> None:
        self.events: list[list[Any]] | None = None

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if self.events is None or not event.startswith(WATCHED):
            return
        if event == "open" and _is_library(args):
            return
        self.events.append([event, *map(_plain, args)])
        raise StoppedError(event)


def _is_library(args: tuple[Any, ...]) -> bool:
    """Whether Python itself reads one of its files, or something open already is opened."""
    path = args[0]
    return isinstance(path, int) or (isinstance(path, str) and path.startswith(("<", sys.base_prefix, sys.prefix)))


def _plain(value: Any) -> Any:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return value if isinstance(value, (str, int, type(None))) else str(value)


def main() -> None:
    programs = json.load(sys.stdin)
    out = os.fdopen(os.dup(1), "w")
    quiet = io.StringIO()
    threading.excepthook = lambda args: None  # it would open files to show the lines
    hook = Hook()
    sys.addaudithook(hook)
    found = []
    for text in programs:
        events: list[list[Any]] = []
        before = dict(vars(__builtins__))
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            try:
                code = compile(text, "program", "exec")
                hook.events = events
                exec(code, {"__name__": "__main__"})
            except BaseException:  # noqa: BLE001 whatever a random program raises
                pass
            finally:
                hook.events = None
        for name in set(vars(__builtins__)) - set(before):
            delattr(__builtins__, name)
        found.append(events)
    json.dump(found, out)
    out.close()


if __name__ == "__main__":
    main()
