"""The process that runs hooks: it answers questions on a socket until the socket closes.

Started by `hooks.process`, never by a person. Whatever hooks print goes to the log its parent gave it.
"""

from __future__ import annotations

import ctypes
import io
import mmap
import os
import signal
import socket
import sys
from pathlib import Path
from typing import Any, TextIO

from msgspec import json

from interlock.hooks.frames import Answer, Closed, Hello, Question, receive, send
from interlock.hooks.load import load_hooks
from interlock.hooks.registry import Hook
from interlock.hooks.run import Asked, HookSet
from interlock.source import InterlockError
from interlock.wire.decode import decode

__all__ = ["MARK_SIZE", "main"]

MARK_SIZE = 4096
_PR_SET_PDEATHSIG = 1


class _Heard(io.TextIOBase):
    """Standard output for hooks: passes everything on, and remembers what the current hook printed."""

    def __init__(self, onward: TextIO) -> None:
        self._onward = onward
        self._said: list[str] = []

    def write(self, text: str) -> int:
        self._said.append(text)
        return self._onward.write(text)

    def flush(self) -> None:
        self._onward.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._onward, name)  # buffer, encoding, reconfigure, …

    def fileno(self) -> int:
        return self._onward.fileno()

    def isatty(self) -> bool:
        return self._onward.isatty()

    def take(self) -> str:
        said, self._said = "".join(self._said), []
        return said


class _Mark:
    """A page shared with the parent that names what runs now, so that a kill at the deadline can be explained."""

    def __init__(self, descriptor: int) -> None:
        self._page = mmap.mmap(descriptor, MARK_SIZE)

    def name(self, what: str) -> None:
        text = what.encode("utf-8", "replace")[: MARK_SIZE - 1] + b"\0"
        self._page[: len(text)] = text


def main(arguments: list[str]) -> None:
    """Load the hooks, say so, and answer until the parent hangs up."""
    _end_with_parent()
    channel = socket.socket(fileno=int(arguments[0]))
    channel.set_inheritable(False)  # a child of a hook that outlives it must not hold our end open
    mark = _Mark(int(arguments[1]))
    os.set_inheritable(int(arguments[1]), False)
    process = os.getpid()
    heard = _Heard(sys.stdout)
    sys.stdout = heard
    mark.name(f"loading {', '.join(arguments[2:])}")
    try:
        hooks = HookSet(load_hooks(Path(file) for file in arguments[2:]))
    except InterlockError as error:
        send(channel, json.encode(Hello(error=error.render())))
        return
    hooks.on_start = lambda hook: _start(hook, mark, heard)
    hooks.printed = heard.take
    send(channel, json.encode(Hello(hooks=[str(hook) for hook in hooks.hooks])))
    while True:
        try:
            question = json.decode(receive(channel), type=Question)
        except Closed:
            return
        answer = _answer(hooks, question)
        if os.getpid() != process:
            os._exit(0)  # a hook forked, and this is the child: only one of the two may answer
        send(channel, answer)


def _end_with_parent() -> None:
    """Have the kernel end us when whoever started us is gone, whatever a hook is doing then (Linux only)."""
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(0)


def _start(hook: Hook, mark: _Mark, heard: _Heard) -> None:
    mark.name(str(hook))
    heard.take()


def _answer(hooks: HookSet, question: Question) -> bytes:
    raw = bytes(question.event)
    asked = Asked(question.host, decode(raw), raw, question.state)
    try:
        answer = Answer(question.number, dict(hooks.ask(asked, question.round_)))
        sys.stdout.flush()
        return json.encode(answer)
    except Exception as error:  # noqa: BLE001 - the parent must hear of it: silence would be a time-out
        return json.encode(Answer(question.number, error=f"the hook worker failed: {type(error).__name__}"))


if __name__ == "__main__":
    main(sys.argv[1:])
    sys.stdout.flush()
    os._exit(0)  # hooks may have left threads behind that would hold the process
