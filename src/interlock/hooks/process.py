"""Run hooks in a worker process, so that a hook that never returns can be killed at its deadline."""

from __future__ import annotations

import mmap
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import IO

from msgspec import DecodeError, Raw, json

from interlock.errors import InterlockError
from interlock.event import payload_of
from interlock.fold import Answers, Round
from interlock.framing import Closed, receive, send
from interlock.hooks.frames import Answer, Hello, Question
from interlock.hooks.worker import IDLE, MARK_SIZE
from interlock.policy.situation import Situation

__all__ = ["DEADLINE", "MEMORY", "HookProcess"]

DEADLINE = 5.0
MEMORY = 2 * 1024**3  # bytes: far more than a check needs, and less than a machine can spare
_GRACE = 1.0
_MOST_PRINTED = 64 * 1024


class HookProcess:
    """A panel whose hooks run in their own process: started on first use, killed when late, then restarted."""

    def __init__(self, files: Sequence[Path], deadline: float = DEADLINE, memory: int = MEMORY) -> None:
        """`memory` is the number of bytes that the worker may use."""
        self._memory = memory
        self._files = [str(file) for file in files]
        self._deadline = deadline
        self._running: _Running | None = None
        self._turn = threading.Lock()
        self._asked = 0

    def __enter__(self) -> HookProcess:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> list[str]:
        """Start the worker, load the hooks and return their names. Raises InterlockError if they cannot be loaded."""
        return self._start(time.monotonic() + self._deadline)

    def _start(self, limit: float) -> list[str]:
        running = self._running = _Running(self._files, self._memory)
        hello = json.decode(self._converse(running, None, limit), type=Hello)
        if hello.error is not None:
            self.close()
            raise InterlockError(f"the hooks cannot be loaded\n{hello.error}")
        return hello.hooks

    def ask(self, situation: Situation, round_: Round) -> Answers:
        """Have the hooks answer one round. Raises InterlockError naming a hook that was late or ended the process."""
        # Loading and all rounds of one event share one deadline, because the host's own timeout covers them all.
        limit = (situation.started or time.monotonic()) + self._deadline
        if not self._turn.acquire(timeout=max(0.0, limit - time.monotonic())):
            raise InterlockError(f"the hooks were busy with other events for {self._deadline:g} s")
        try:
            return self._ask(situation, round_, limit)
        finally:
            self._turn.release()

    def _ask(self, situation: Situation, round_: Round, limit: float) -> Answers:
        self._asked += 1
        event = situation.raw or json.encode(payload_of(situation.event))
        question = json.encode(Question(situation.host, Raw(event), round_, self._asked, situation.state))
        try:
            raw = self._put(question, limit)
        except _WorkerGone:
            # The worker ended while no hook ran, so no hook is to blame: ask a new process.
            try:
                raw = self._put(question, limit)
            except _WorkerGone as again:
                raise InterlockError(f"the hook worker ended twice without an answer, {again}") from None
        try:
            answer = json.decode(raw, type=Answer)
        except DecodeError as error:
            self.close()
            raise InterlockError(f"the hook worker's answer cannot be read: {error}") from error
        if answer.number != self._asked:
            self.close()
            raise InterlockError("the hook worker answered a different question from the one it was asked")
        if answer.error is not None:
            self.close()
            raise InterlockError(answer.error)
        return answer.opinions

    def _put(self, question: bytes, limit: float) -> bytes:
        if self._running is None:
            self._start(limit)
        assert self._running is not None  # noqa: S101 - _start() sets it or raises
        return self._converse(self._running, question, limit)

    def printed(self) -> str:
        """What the hooks have printed since the last call."""
        return self._running.printed() if self._running is not None else ""

    def close(self) -> None:
        """Let the worker end, and kill it if it does not."""
        running, self._running = self._running, None
        if running is not None:
            running.end(_GRACE)

    def _converse(self, running: _Running, message: bytes | None, limit: float) -> bytes:
        failed: Exception
        try:
            if message is not None:
                send(running.channel, message, limit)
            return receive(running.channel, limit)
        except TimeoutError:
            failed = InterlockError(f"{running.doing()} did not answer within {self._deadline:g} s and was ended")
        except Closed:
            failed = (
                InterlockError(f"{running.doing()} ended the process it ran in")
                if running.is_busy
                else _WorkerGone(running.doing())
            )
        self._running = None
        running.end(0)
        raise failed


class _WorkerGone(Exception):  # noqa: N818 - not an error: the worker is restarted
    """The worker ended while no hook ran."""


class _Running:
    """One worker process and what is shared with it."""

    def __init__(self, files: list[str], memory: int) -> None:
        self.channel, theirs = socket.socketpair()
        self._mark = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process runs
        self._mark.truncate(MARK_SIZE)
        self._page = mmap.mmap(self._mark.fileno(), MARK_SIZE)
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115
        self._read = 0
        shared = (theirs.fileno(), self._mark.fileno())
        # -I: neither the agent's working directory nor its environment may decide what the worker imports.
        command = [sys.executable, "-I", "-m", "interlock.hooks.worker", *map(str, shared), str(memory), *files]
        self._process = subprocess.Popen(  # noqa: S603 - Interlock's own interpreter and module
            command,
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=shared,
            start_new_session=True,  # its own process group, so that whatever it starts ends with it
        )
        theirs.close()

    @property
    def is_busy(self) -> bool:
        """Whether a hook is running or being loaded."""
        return not self._marked_hook().startswith(IDLE)

    def doing(self) -> str:
        """What the worker was last known to be doing."""
        return self._marked_hook() or "the hook worker"

    def _marked_hook(self) -> str:
        text, _, _ = self._page[:].partition(b"\0")
        return text.decode("utf-8", "replace")

    def printed(self) -> str:
        size = os.fstat(self._log.fileno()).st_size
        if size <= self._read:
            return ""
        text = os.pread(self._log.fileno(), min(size - self._read, _MOST_PRINTED), self._read)
        self._read = size
        self._log.truncate(0)  # the worker keeps its write position, so the part before it becomes a hole
        return text.decode("utf-8", "replace")

    def end(self, grace: float) -> None:
        self.channel.close()
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            pass
        finally:
            self._kill_group()
            self._process.wait()
            self._page.close()
            self._mark.close()
            self._log.close()

    def _kill_group(self) -> None:
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return  # no process of the group is left
