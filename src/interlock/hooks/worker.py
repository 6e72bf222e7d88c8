"""The process that runs hooks: it answers questions on a socket until the socket closes.

It is started by `hooks.process`, never by a person. Whatever hooks print goes to the log that its parent opened.
"""

from __future__ import annotations

import ctypes
import gc
import logging  # noqa: F401 - so that what hooks log is heard from their first call onwards
import mmap
import os
import signal
import socket
import sys
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path

from msgspec import json

from interlock.errors import InterlockError
from interlock.framing import Closed, receive, send
from interlock.hooks.frames import Answer, Hello, Question
from interlock.hooks.load import load_hooks
from interlock.hooks.registry import Hook
from interlock.hooks.run import HookSet
from interlock.hooks.surroundings import Surroundings, limit_memory, memory_in_use
from interlock.hosts.base.decode import decode
from interlock.policy.situation import Situation

__all__ = ["IDLE", "MARK_SIZE", "main"]

MARK_SIZE = 4096
IDLE = "after "  # the beginning of the mark while no hook runs
_MOST_READ = 64 * 1024
_PR_SET_PDEATHSIG = 1


class _Log:
    """The file that receives all hook output: from print, from code that bypasses Python's streams, from children."""

    def __init__(self) -> None:
        self._file = os.dup(1)  # a hook may close its own
        self._streams = (sys.stdout, sys.stderr)
        self._start = 0

    def begin(self) -> None:
        self._start = self._end()

    def written(self) -> str:
        """What has been written since `begin`."""
        self.flush()
        size = self._end() - self._start
        head = os.pread(self._file, min(size, _MOST_READ), self._start)
        tail = os.pread(self._file, _MOST_READ, self._start + size - _MOST_READ) if size > 2 * _MOST_READ else b""
        return (head + tail).decode("utf-8", "replace")

    def flush(self) -> None:
        for stream in self._streams:
            with suppress(OSError, ValueError):  # a hook closed it
                stream.flush()

    def _end(self) -> int:
        return os.lseek(self._file, 0, os.SEEK_CUR)


class _Mark:
    """A page shared with the parent that names what runs now, so that a kill at the deadline can be explained."""

    def __init__(self, descriptor: int) -> None:
        self._page = mmap.mmap(descriptor, MARK_SIZE)
        self._what = ""

    def name(self, what: str) -> None:
        self._what = what
        self._write(what)

    def leave(self) -> None:
        """Mark what was named as finished."""
        self._write(IDLE + self._what)

    def _write(self, what: str) -> None:
        text = what.encode("utf-8", "replace")[: MARK_SIZE - 1] + b"\0"
        self._page[: len(text)] = text


def main(arguments: list[str]) -> None:
    """Load the hooks, report that, and answer until the parent closes the socket."""
    _end_with_parent()
    channel = socket.socket(fileno=int(arguments[0]))
    channel.set_inheritable(False)  # a hook's child that outlives it must not keep this end open
    mark = _Mark(int(arguments[1]))
    os.set_inheritable(int(arguments[1]), False)
    memory = int(arguments[2])
    limit_memory(memory)
    process = os.getpid()
    log = _Log()
    streams = sys.stdin, sys.stdout, sys.stderr
    mark.name(f"loading {', '.join(arguments[3:])}")
    try:
        hooks = HookSet(load_hooks(Path(file) for file in arguments[3:]))
    except InterlockError as error:
        send(channel, json.encode(Hello(error=error.render())))
        return
    hooks.on_start = lambda hook: _start(hook, mark, log)
    hooks.raw_output = log.written
    sys.stdin, sys.stdout, sys.stderr = streams  # a hooks file may have replaced them while it was loaded
    before, context = Surroundings(), copy_context()
    send(channel, json.encode(Hello(hooks=[str(hook) for hook in hooks.hooks])))
    while True:
        try:
            question = json.decode(receive(channel), type=Question)
        except Closed:
            return
        answer = context.copy().run(_answer, hooks, question)
        if os.getpid() != process:
            os._exit(0)  # a hook forked, and this is the child: only one of the two may answer
        log.flush()
        is_as_before = before.put_back()
        mark.leave()
        send(channel, answer)
        if not is_as_before or not before.put_back_modules() or _is_full(memory):
            return  # the next event gets a new process


def _is_full(memory: int) -> bool:
    """Whether hooks use so much memory that the next event could run out of it."""
    if 2 * memory_in_use() <= memory:
        return False
    gc.collect()
    return 2 * memory_in_use() > memory


def _end_with_parent() -> None:
    """Have the kernel kill this process when its parent is gone, whatever a hook is doing then (Linux only)."""
    if sys.platform == "linux":
        parent = os.getppid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # the parent ended before the call above, so no signal will come
            os._exit(0)


def _start(hook: Hook, mark: _Mark, log: _Log) -> None:
    mark.name(str(hook))
    log.flush()
    log.begin()


def _answer(hooks: HookSet, question: Question) -> bytes:
    raw = bytes(question.event)
    situation = Situation(event=decode(raw), host=question.host, raw=raw, state=question.state)
    try:
        answer = Answer(question.number, dict(hooks.ask(situation, question.round_)))
        return json.encode(answer)
    except Exception as error:  # noqa: BLE001 - the parent must be told: silence would look like a timeout
        return json.encode(Answer(question.number, error=f"the hook worker failed: {type(error).__name__}"))


if __name__ == "__main__":
    main(sys.argv[1:])
    os._exit(0)  # hooks may have left threads behind that would keep the process alive
